// The real program and its files: what it writes, where, and what it never touches. What it says: cli_test.cpp.
#include <algorithm>

#include <sys/stat.h>

#include "support/catch.h"
#include "support/character_gltf.h"
#include "support/program.h"

#include <tailfix/io/load.h>

using namespace tailfix;
using namespace tailfix::test;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

using Names = std::vector<std::string>;

// A folder with cat.glb, which has a tail, and strip.glb, which has none. Every test ends with a list of all that is
// there, hidden files included: so none leaves a temporary file behind unnoticed.
// Bytes are compared inside double brackets: printing a million of them takes Catch2 minutes.
struct Desk {
    TemporaryFolder folder;
    ByteList cat, strip;

    Desk()
    {
        static const ByteList made_once = cat_gltf().glb();
        cat = made_once;
        strip = skinned_strip().glb();
        folder.put("cat.glb", cat);
        folder.put("strip.glb", strip);
    }
    ProgramRun run(const std::vector<std::string>& arguments) const { return run_tailfix(folder.path(), arguments); }
    ByteList bytes(const std::string& name) const { return read_bytes(folder / name); }
    // The inputs are as they were, and there is nothing but `more` besides.
    void check_holds(Names more = {}) const
    {
        CHECK((bytes("cat.glb") == cat));
        CHECK((bytes("strip.glb") == strip));
        more.insert(more.end(), {"cat.glb", "strip.glb"});
        std::sort(more.begin(), more.end());
        CHECK(everything_in(folder.path()) == more);
    }
};

std::size_t joints_in(const fs::path& path)
{
    return load(path).characters.at(0).joints.size();
}

// A .gltf with its buffer in a file of its own.
Gltf open_gltf(Gltf gltf, const TemporaryFolder& folder, const std::string& name)
{
    gltf.json["buffers"][0] = {{"byteLength", gltf.bin.size()}, {"uri", "buffers/" + name + ".bin"}};
    folder.put("buffers/" + name + ".bin", gltf.bin);
    folder.put(name + ".gltf", std::string_view(gltf.json.dump(2)));
    return gltf;
}

std::string without_timings(const std::string& text)
{
    Json report = Json::parse(text);
    report.erase("timings_ms");
    return report.dump();
}

} // namespace

TEST_CASE("the output lies beside the input, under its name and extension", "[cli][files]")
{
    const Desk desk;
    const auto [input, output] = GENERATE(table<std::string, std::string>(
        {{"sub/my cat.glb", "sub/my cat.tailfix.glb"}, {"sub/c\u00e4t.v2.vrm", "sub/c\u00e4t.v2.tailfix.vrm"}}));
    desk.folder.put(input, desk.cat);
    const ProgramRun run = desk.run({input});
    CHECK(run.exit == 0);
    CHECK_THAT(run.out, Contains("-> " + output + "\n"));
    CHECK(joints_in(desk.folder / output) > joints_in(desk.folder / "cat.glb"));
    CHECK((desk.bytes(input) == desk.cat));
    desk.check_holds({"sub", input, output});
}

TEST_CASE("-o is a file or a folder, which is made where it is missing", "[cli][files]")
{
    const Desk desk;
    SECTION("a file")
    {
        CHECK(desk.run({"cat.glb", "-o", "new/deep/out.glb"}).exit == 0);
        desk.check_holds({"new", "new/deep", "new/deep/out.glb"});
    }
    SECTION("a folder that is there")
    {
        fs::create_directory(desk.folder / "out");
        CHECK(desk.run({"strip.glb", "-o", "out"}).exit == 0);
        desk.check_holds({"out", "out/strip.tailfix.glb"});
    }
    SECTION("a folder for several inputs")
    {
        CHECK(desk.run({"cat.glb", "strip.glb", "--output", "out"}).exit == 0);
        desk.check_holds({"out", "out/cat.tailfix.glb", "out/strip.tailfix.glb"});
    }
}

TEST_CASE("without a tail the output is the input byte for byte", "[cli][files]")
{
    const Desk desk;
    SECTION("a GLB")
    {
        const ProgramRun run = desk.run({"strip.glb"});
        CHECK(run.exit == 0);
        CHECK_THAT(run.out, Contains("strip.glb: no tail (") && Contains("; copied to strip.tailfix.glb\n"));
        CHECK((desk.bytes("strip.tailfix.glb") == desk.strip));
        desk.check_holds({"strip.tailfix.glb"});
    }
    SECTION("a glTF, with its side files")
    {
        const Gltf gltf = open_gltf(skinned_strip(), desk.folder, "strip");
        CHECK(desk.run({"strip.gltf", "-o", "out/strip.gltf"}).exit == 0);
        CHECK((desk.bytes("out/strip.gltf") == desk.bytes("strip.gltf")));
        CHECK((desk.bytes("out/buffers/strip.bin") == gltf.bin));
        desk.check_holds({"buffers", "buffers/strip.bin", "strip.gltf", "out", "out/buffers", "out/buffers/strip.bin",
                          "out/strip.gltf"});
    }
    SECTION("no skinned mesh at all")
    {
        const std::string text = R"({"asset":{"version":"2.0"},  "extras":[1.0]})";
        desk.folder.put("empty.gltf", std::string_view(text));
        const ProgramRun run = desk.run({"empty.gltf"});
        CHECK(run.exit == 0);
        CHECK_THAT(run.out, Contains("the file has no skinned mesh"));
        CHECK(read_text(desk.folder / "empty.tailfix.gltf") == text);
    }
    SECTION("--require-tail makes it an error")
    {
        const ProgramRun run = desk.run({"strip.glb", "--require-tail"});
        CHECK(run.exit == 6);
        CHECK(run.out.empty());
        CHECK_THAT(run.err, Contains("strip.glb: no tail found"));
        desk.check_holds();
        CHECK(desk.run({"cat.glb", "--require-tail"}).exit == 0);
        desk.check_holds({"cat.tailfix.glb"});
    }
}

TEST_CASE("a glTF stays one, with its buffers beside it; -o X.glb packs it", "[cli][files]")
{
    const Desk desk;
    const Gltf gltf = open_gltf(cat_gltf(), desk.folder, "open");
    const ByteList text = desk.bytes("open.gltf");
    SECTION("elsewhere")
    {
        CHECK(desk.run({"open.gltf", "-o", "out/fixed.gltf"}).exit == 0);
        CHECK((desk.bytes("out/buffers/open.bin") == gltf.bin));
        const Json document = Json::parse(read_text(desk.folder / "out/fixed.gltf"));
        REQUIRE(document["buffers"].size() == 2);
        CHECK(document["buffers"][0] == gltf.json["buffers"][0]);
        CHECK(document["buffers"][1]["uri"] == "fixed.bin");
        CHECK(joints_in(desk.folder / "out/fixed.gltf") > joints_in(desk.folder / "open.gltf"));
        desk.check_holds({"buffers", "buffers/open.bin", "open.gltf", "out", "out/buffers", "out/buffers/open.bin",
                          "out/fixed.bin", "out/fixed.gltf"});
    }
    SECTION("beside the input")
    {
        CHECK(desk.run({"open.gltf"}).exit == 0);
        CHECK(joints_in(desk.folder / "open.tailfix.gltf") > joints_in(desk.folder / "open.gltf"));
        desk.check_holds({"buffers", "buffers/open.bin", "open.gltf", "open.tailfix.bin", "open.tailfix.gltf"});
    }
    SECTION("packed")
    {
        CHECK(desk.run({"open.gltf", "-o", "packed.glb"}).exit == 0);
        fs::create_directory(desk.folder / "alone");
        fs::rename(desk.folder / "packed.glb", desk.folder / "alone/packed.glb");
        CHECK(joints_in(desk.folder / "alone/packed.glb") > joints_in(desk.folder / "open.gltf"));
        desk.check_holds({"alone", "alone/packed.glb", "buffers", "buffers/open.bin", "open.gltf"});
    }
    CHECK((desk.bytes("open.gltf") == text));
    CHECK((desk.bytes("buffers/open.bin") == gltf.bin));
}

TEST_CASE("an input that cannot be read is exit code 3, named, and nothing is written", "[cli][files]")
{
    const Desk desk;
    const auto [name, content, why] = GENERATE(table<std::string, std::string, std::string>({
        {"missing.glb", "", "No such file"},
        {"empty.glb", " ", ""},
        {"words.glb", "This is no model.", ""},
        {"magic.glb", "glTF", ""},
        {"torn.gltf", R"({"asset":{"version":"2.0"},)", ""},
        {"half.glb", "half of the cat", ""},
        {"loose.gltf", R"({"asset":{"version":"2.0"},"buffers":[{"byteLength":4,"uri":"gone.bin"}],
            "bufferViews":[{"buffer":0,"byteLength":4}],"accessors":[{"bufferView":0,"componentType":5126,"count":1,
            "type":"SCALAR"}]})",
         "gone.bin"},
    }));
    if (name == "half.glb")
        desk.folder.put(name, ByteList(desk.cat.begin(), desk.cat.begin() + 100000));
    else if (!content.empty())
        desk.folder.put(name, std::string_view(content));
    const ByteList before = desk.bytes(name);
    const ProgramRun run = desk.run({name, "-o", "out.glb"});
    INFO(run.err);
    CHECK(run.exit == 3);
    CHECK(run.out.empty());
    CHECK_THAT(run.err, Contains(name) && Contains(why));
    CHECK((desk.bytes(name) == before));
    desk.check_holds(content.empty() ? Names{} : Names{name});
}

TEST_CASE("a feature that is not there is exit code 4, named, and nothing is written", "[cli][files]")
{
    const Desk desk;
    const std::string feature = GENERATE("KHR_draco_mesh_compression", "EXT_meshopt_compression", "EXT_unheard_of");
    Gltf gltf = skinned_strip();
    gltf.json["extensionsUsed"] = gltf.json["extensionsRequired"] = {feature};
    if (feature == "KHR_draco_mesh_compression") {
        // As encoders write it: the primitive's accessors have no data but the compressed.
        Json& primitive = gltf.json["meshes"][0]["primitives"][0];
        primitive["extensions"][feature] = {{"bufferView", 0}, {"attributes", {{"POSITION", 0}}}};
        gltf.json["accessors"][primitive["indices"].get<std::size_t>()].erase("bufferView");
        for (const auto& [name, accessor] : primitive["attributes"].items())
            gltf.json["accessors"][accessor.get<std::size_t>()].erase("bufferView");
    }
    if (feature == "EXT_meshopt_compression") {
        // The plain data would be in a buffer that is not there.
        gltf.json["buffers"].push_back({{"byteLength", 1000}});
        gltf.json["bufferViews"][0] = {{"buffer", 1}, {"byteLength", 96}, {"extensions", {{feature, {{"buffer", 0}}}}}};
    }
    desk.folder.put("squeezed.glb", gltf.glb());
    const ProgramRun run = desk.run({"squeezed.glb"});
    CHECK(run.exit == 4);
    CHECK(run.out.empty());
    CHECK_THAT(run.err, Contains("squeezed.glb") && Contains(feature));
    desk.check_holds({"squeezed.glb"});
}

TEST_CASE("an output that exists is replaced with --force only", "[cli][files]")
{
    const Desk desk;
    desk.folder.put("cat.tailfix.glb", std::string_view("made by hand"));
    const ProgramRun refused = desk.run({"cat.glb"});
    CHECK(refused.exit == 5);
    CHECK(refused.out.empty());
    CHECK_THAT(refused.err, Contains("cat.tailfix.glb") && Contains("--force"));
    CHECK(read_text(desk.folder / "cat.tailfix.glb") == "made by hand");
    desk.check_holds({"cat.tailfix.glb"});

    CHECK(desk.run({"cat.glb", "--force"}).exit == 0);
    CHECK(joints_in(desk.folder / "cat.tailfix.glb") > joints_in(desk.folder / "cat.glb"));
    desk.check_holds({"cat.tailfix.glb"});
}

TEST_CASE("an output that cannot be written is exit code 5, and leaves nothing behind", "[cli][files]")
{
    const Desk desk;
    const std::string input = GENERATE("cat.glb", "strip.glb");
    SECTION("a file where the folder should be")
    {
        desk.folder.put("out", std::string_view("a file"));
        const ProgramRun run = desk.run({input, "-o", "out/new.glb"});
        CHECK(run.exit == 5);
        CHECK(run.out.empty());
        CHECK_THAT(run.err, Contains(input));
        CHECK(read_text(desk.folder / "out") == "a file");
        desk.check_holds({"out"});
    }
    SECTION("a folder where the file should be")
    {
        const std::string output = fs::path(input).stem().string() + ".tailfix.glb";
        fs::create_directory(desk.folder / output);
        CHECK(desk.run({input, "--force"}).exit == 5);
        desk.check_holds({output});
    }
    SECTION("a name longer than any file system takes")
    {
        CHECK(desk.run({input, "-o", "new/" + std::string(300, 'n') + ".glb"}).exit == 5);
        desk.check_holds();
    }
}

TEST_CASE("the output is never the input, under whatever name and however often asked", "[cli][files]")
{
    const Desk desk;
    const std::string input = GENERATE("cat.glb", "strip.glb");
    fs::create_symlink(input, desk.folder / "soft.glb");
    fs::create_hard_link(desk.folder / input, desk.folder / "hard.glb");
    std::string output = GENERATE("soft.glb", "hard.glb", "./", "");
    if (output.empty() || output == "./") output += input;
    CHECK(desk.run({input, "-o", output}).exit == 2); // it exists
    const ProgramRun forced = desk.run({input, "-o", output, "--force"});
    CHECK(forced.exit == 2);
    CHECK(forced.out.empty());
    CHECK_THAT(forced.err, Contains("the output would replace the input"));
    CHECK(fs::is_symlink(desk.folder / "soft.glb"));
    desk.check_holds({"hard.glb", "soft.glb"});
}

TEST_CASE("a file without a tail is measured in metres too", "[cli][files][report]")
{
    const Desk desk;
    Gltf gltf = skinned_strip();
    gltf.json["nodes"][1]["scale"] = {0.5, 0.5, 0.5};
    desk.folder.put("small.glb", gltf.glb());
    const Json done = Json::parse(desk.run({"small.glb", "--json"}).out);
    const Json seen = Json::parse(desk.run({"inspect", "small.glb", "--json"}).out);
    CHECK(done["model"]["unit_scale"].get<double>() == Approx(0.5));
    CHECK(done["model"] == seen["model"]);
    CHECK(done["appendages"] == seen["appendages"]);
}

TEST_CASE("inspect writes nothing", "[cli][files]")
{
    const Desk desk;
    const ProgramRun run = desk.run({"inspect", "cat.glb", "strip.glb"});
    CHECK(run.exit == 0);
    CHECK_THAT(run.out, Contains("cat.glb: 1 tail") && Contains("strip.glb: no tail"));
    desk.check_holds();
}

TEST_CASE("one bad file among several is exit code 1, and the others are done", "[cli][files]")
{
    const Desk desk;
    const ProgramRun run = desk.run({"missing.glb", "cat.glb", "strip.glb"});
    CHECK(run.exit == 1);
    CHECK_THAT(run.err, Contains("missing.glb"));
    desk.check_holds({"cat.tailfix.glb", "strip.tailfix.glb"});
}

TEST_CASE("--report writes what --json prints", "[cli][files][report]")
{
    const Desk desk;
    SECTION("of one file")
    {
        const ProgramRun run = desk.run({"cat.glb", "--report", "report.json", "--json"});
        CHECK(run.exit == 0);
        CHECK(without_timings(read_text(desk.folder / "report.json")) == without_timings(run.out));
        desk.check_holds({"cat.tailfix.glb", "report.json"});
    }
    SECTION("of several, one per line, in place of an older one")
    {
        CHECK(desk.run({"inspect", "cat.glb", "-q", "--report", "report.json"}).exit == 0);
        CHECK(desk.run({"strip.glb", "missing.glb", "--report", "report.json"}).exit == 1);
        const std::string text = read_text(desk.folder / "report.json");
        CHECK(std::count(text.begin(), text.end(), '\n') == 2);
        const auto reports = parse_reports(text);
        REQUIRE(reports.size() == 2);
        CHECK(reports[0]["status"] == "no_tail");
        CHECK(reports[1]["status"] == "failed");
        desk.check_holds({"report.json", "strip.tailfix.glb"});
    }
    SECTION("of a failure")
    {
        CHECK(desk.run({"strip.glb", "--require-tail", "--report", "report.json"}).exit == 6);
        CHECK(parse_reports(read_text(desk.folder / "report.json")).at(0)["error"]["kind"] == "no_tail");
        desk.check_holds({"report.json"});
    }
    SECTION("never over an input or an output")
    {
        const std::string report = GENERATE("cat.glb", "./strip.glb", "out/cat.tailfix.glb", "out/./strip.tailfix.glb");
        const ProgramRun run = desk.run({"cat.glb", "strip.glb", "-o", "out", "--report", report});
        CHECK(run.exit == 2);
        CHECK(run.out.empty());
        CHECK_THAT(run.err, Contains(report));
        desk.check_holds();
    }
    SECTION("where it cannot be written")
    {
        const ProgramRun run = desk.run({"strip.glb", "--report", "nowhere/report.json"});
        CHECK(run.exit == 5);
        CHECK_THAT(run.err, Contains("nowhere/report.json"));
        desk.check_holds(); // asked before anything is written
    }
    SECTION("over a file that is no report only when forced")
    {
        desk.folder.put("notes.txt", std::string_view("not to be lost"));
        const ProgramRun run = desk.run({"strip.glb", "--report", "notes.txt"});
        CHECK(run.exit == 2);
        CHECK_THAT(run.err, Contains("notes.txt") && Contains("--force"));
        CHECK(read_text(desk.folder / "notes.txt") == "not to be lost");
        desk.check_holds({"notes.txt"});
        CHECK(desk.run({"strip.glb", "--force", "--report", "notes.txt"}).exit == 0);
        CHECK(parse_reports(read_text(desk.folder / "notes.txt")).size() == 1);
    }
}

TEST_CASE("two results never go to one file", "[cli][files]")
{
    const Desk desk;
    fs::create_directory(desk.folder / "other");
    fs::copy_file(desk.folder / "cat.glb", desk.folder / "other/cat.glb");
    const ProgramRun run = desk.run({"cat.glb", "other/cat.glb", "-o", "out", "--force"});
    CHECK(run.exit == 2);
    CHECK_THAT(run.err, Contains("cat.glb") && Contains("other/cat.glb"));
    CHECK_FALSE(fs::exists(desk.folder / "out"));
}

TEST_CASE("a pipe is never replaced by a file", "[cli][files]")
{
    const Desk desk;
    REQUIRE(::mkfifo((desk.folder / "pipe").c_str(), 0600) == 0);
    const ProgramRun run = desk.run({"cat.glb", "-o", "pipe", "--force"});
    CHECK(run.exit == 5);
    CHECK_THAT(run.err, Contains("pipe"));
    CHECK(fs::is_fifo(desk.folder / "pipe"));
}

TEST_CASE("the fox gets its tail, in the same bytes on one thread and on two", "[cli][files][data]")
{
    const Desk desk;
    const fs::path fox = fs::path(TAILFIX_SOURCE_DIR) / "data/fox.glb";
    const ByteList before = read_bytes(fox);
    REQUIRE_FALSE(before.empty());
    const ProgramRun one = desk.run({fox.string(), "-o", "one.glb", "-j", "1"});
    CHECK(one.exit == 0);
    CHECK_THAT(one.out, Contains("fox.glb: 1 tail, ") && Contains(", 6 clips, "));
    CHECK(desk.run({fox.string(), "-o", "two.glb", "-j", "2"}).exit == 0);
    CHECK((read_bytes(fox) == before));
    CHECK((desk.bytes("one.glb") == desk.bytes("two.glb")));
    const Character in = load(fox).characters.at(0), out = load(desk.folder / "one.glb").characters.at(0);
    CHECK(out.joints.size() >= in.joints.size() + 4);
    REQUIRE(out.clips.size() == in.clips.size());
    for (std::size_t c = 0; c < in.clips.size(); ++c) {
        INFO(in.clips[c].name);
        CHECK(out.clips[c].tracks.size() > in.clips[c].tracks.size());
    }
    desk.check_holds({"one.glb", "two.glb"});
}
