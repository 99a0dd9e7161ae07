// The real program, asked what it would do and why.
#include <algorithm>
#include <map>

#include "support/catch.h"
#include "support/character_gltf.h"
#include "support/program.h"

#include <tailfix/io/load.h>

using namespace tailfix;
using namespace tailfix::test;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

using Arguments = std::vector<std::string>;

const fs::path kData = fs::path(TAILFIX_SOURCE_DIR) / "data";

struct Desk {
    TemporaryFolder folder;

    Desk() { folder.put("cat.glb", cat_gltf().glb()); }
    ProgramRun run(Arguments arguments) const
    {
        arguments.insert(arguments.begin(), "inspect");
        return run_tailfix(folder.path(), arguments);
    }
    Json seen(const std::string& name) const { return split(read_bytes(folder / name)).json; }
    Arguments files() const { return everything_in(folder.path()); }
};

Arguments view_names(const Json& document)
{
    Arguments out;
    for (const Json& node : document["scenes"][0]["nodes"])
        out.push_back(document["nodes"].at(node.get<std::size_t>())["name"]);
    return out;
}

} // namespace

TEST_CASE("inspect --mesh writes a model of what was found, and nothing else", "[cli][inspect]")
{
    const Desk desk;
    const ProgramRun run = desk.run({"cat.glb", "--mesh", "seen.glb"});
    INFO(run.err);
    CHECK(run.exit == 0);
    CHECK_THAT(run.out, Contains("what was seen: seen.glb"));
    CHECK(desk.files() == Arguments{"cat.glb", "seen.glb"});
    const Json document = desk.seen("seen.glb");
    CHECK(view_names(document) ==
          Arguments{"distance to the bones", "pieces and collars", "classes", "distance along the tail", "skeleton"});
    // The file's own vertices and triangles, once for all views.
    const Character cat = load(desk.folder / "cat.glb").characters.at(0);
    const Json& skin = document["meshes"][0]["primitives"][0];
    CHECK(document["accessors"][skin["attributes"]["POSITION"].get<std::size_t>()]["count"] == cat.mesh.vertex_count());
    CHECK(document["accessors"][skin["indices"].get<std::size_t>()]["count"] == 3 * cat.mesh.triangles.size());
}

TEST_CASE("inspect --mesh without a tail, with --json and --require-tail, writes it all the same", "[cli][inspect]")
{
    const Desk desk;
    desk.folder.put("strip.glb", skinned_strip().glb());
    const ProgramRun run = desk.run({"strip.glb", "--mesh", "seen.glb", "--require-tail", "--json"});
    CHECK(run.exit == 6);
    const Json report = Json::parse(run.out);
    CHECK(report["mesh"] == "seen.glb");
    CHECK(report["timings_ms"].contains("mesh"));
    CHECK(view_names(desk.seen("seen.glb")).size() == 4);
}

TEST_CASE("inspect --mesh for several files, or into a folder, names each after its input", "[cli][inspect]")
{
    const Desk desk;
    desk.folder.put("strip.glb", skinned_strip().glb());
    SECTION("several files: the folder is made")
    {
        CHECK(desk.run({"cat.glb", "strip.glb", "--mesh", "seen"}).exit == 0);
        CHECK(desk.files() ==
              Arguments{"cat.glb", "seen", "seen/cat.inspect.glb", "seen/strip.inspect.glb", "strip.glb"});
    }
    SECTION("one file and a folder that is there")
    {
        fs::create_directory(desk.folder / "seen");
        CHECK(desk.run({"cat.glb", "--mesh", "seen"}).exit == 0);
        CHECK(desk.files() == Arguments{"cat.glb", "seen", "seen/cat.inspect.glb", "strip.glb"});
    }
}

TEST_CASE("inspect --mesh replaces a file only with --force, and never the input or a report", "[cli][inspect]")
{
    const Desk desk;
    const ByteList cat = read_bytes(desk.folder / "cat.glb");
    desk.folder.put("seen.glb", std::string_view("mine"));
    struct Refused {
        Arguments arguments;
        int exit;
        std::string named;
    };
    const auto [arguments, exit, named] = GENERATE(values<Refused>({
        {{"cat.glb", "--mesh", "seen.glb"}, 5, "exists already; --force replaces it"},
        {{"cat.glb", "--mesh", "cat.glb"}, 2, "would replace the input"},
        {{"cat.glb", "--mesh", "cat.glb", "--force"}, 2, "would replace the input"},
        {{"cat.glb", "--mesh", "new.gltf"}, 2, "name it .glb"},
        {{"cat.glb", "--mesh", "new.glb", "--report", "new.glb"}, 2, "new.glb: "},
        {{"cat.glb", "--mesh", "seen.glb/new.glb"}, 5, "seen.glb"},
    }));
    const ProgramRun run = desk.run(arguments);
    INFO(Json(arguments).dump() << "\n" << run.err);
    CHECK(run.exit == exit);
    CHECK(run.out.empty());
    CHECK_THAT(run.err, Contains(named));
    CHECK(read_text(desk.folder / "seen.glb") == "mine");
    CHECK(read_bytes(desk.folder / "cat.glb") == cat);
    CHECK(desk.files() == Arguments{"cat.glb", "seen.glb"});
    CHECK(desk.run({"cat.glb", "--mesh", "seen.glb", "--force"}).exit == 0);
    CHECK(read_text(desk.folder / "seen.glb") != "mine");
}

TEST_CASE("inspect --mesh of a file without a skin says so", "[cli][inspect]")
{
    const Desk desk;
    desk.folder.put("none.gltf", std::string_view(R"({"asset": {"version": "2.0"}})"));
    const ProgramRun run = desk.run({"none.gltf", "--mesh", "seen.glb"});
    CHECK(run.exit == 3);
    CHECK_THAT(run.err, Contains("none.gltf: the file has no skinned mesh that could be shown"));
    CHECK(desk.files() == Arguments{"cat.glb", "none.gltf"});
}

TEST_CASE("--mesh belongs to inspect, whose help tells of it", "[cli][inspect]")
{
    const Desk desk;
    CHECK_THAT(desk.run({"--help"}).out, Contains("--mesh") && Contains("legend"));
    const ProgramRun run = run_tailfix(desk.folder.path(), {"cat.glb", "--mesh", "seen.glb"});
    CHECK(run.exit == 2);
    CHECK_THAT(run.err, Contains("--mesh"));
    CHECK(desk.files() == Arguments{"cat.glb"});
}

TEST_CASE("inspect names the test that decided about each piece; -v shows all of them", "[cli][inspect]")
{
    const Desk desk;
    fs::copy_file(kData / "decoys.glb", desk.folder / "decoys.glb");
    const ProgramRun brief = desk.run({"decoys.glb"});
    CHECK_THAT(brief.out, Contains("decided by \"on the torso\": hangs from mixamorig:Head"));
    CHECK_THAT(brief.out, Contains("decided by \"long\": elongation"));
    CHECK_THAT(brief.out, Contains("tips of the skin were looked at"));
    CHECK_THAT(brief.out, !Contains("score"));
    const ProgramRun all = desk.run({"decoys.glb", "-v"});
    CHECK_THAT(all.out, Contains("test                  value     limit  score"));
    CHECK_THAT(all.out, Contains("> long") && Contains("failed  elongation") && Contains("passed  its centre"));
    CHECK_THAT(all.out, Contains("tip at ("));
    const ProgramRun cat = desk.run({"cat.glb"});
    CHECK_THAT(cat.out, Contains("every test passed, \""));
}

TEST_CASE("the report holds every test of every piece and candidate, and which decided", "[cli][inspect][report]")
{
    const Desk desk;
    fs::copy_file(kData / "decoys.glb", desk.folder / "decoys.glb");
    const Json report = Json::parse(desk.run({GENERATE("decoys.glb", "cat.glb"), "--json"}).out);
    REQUIRE_FALSE(report["appendages"].empty());
    REQUIRE_FALSE(report["candidates"].empty());
    const auto decided = [](const Json& thing) {
        const Json& tests = thing["tests"];
        const auto at =
            std::find_if(tests.begin(), tests.end(), [&](const Json& t) { return t["name"] == thing["decided_by"]; });
        REQUIRE(at != tests.end());
        return *at;
    };
    std::map<std::string, int> by;
    for (const Json& piece : report["appendages"]) {
        const Json test = decided(piece);
        CAPTURE(piece["class"], test);
        CHECK(test["passed"] == (piece["action"] == "chain"));
        CHECK_FALSE(test["text"].get<std::string>().empty());
        ++by[piece["decided_by"]];
    }
    CHECK((report["status"] == "fixed" || by.size() >= 3)); // the decoys are none for different reasons
    for (const Json& candidate : report["candidates"]) {
        const Json test = decided(candidate);
        CHECK(test["passed"] == candidate["is_tail"]);
        if (candidate["appendage"].is_number()) {
            const Json& piece = report["appendages"].at(candidate["appendage"].get<std::size_t>());
            if (candidate["is_tail"] == true) CHECK(piece["class"] == "tail");
        }
    }
}
