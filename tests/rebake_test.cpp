// A file that was fixed before: its chain stays, its keys are new, and the file does not grow.
#include <algorithm>
#include <cmath>
#include <filesystem>
#include <map>

#include "support/catch.h"
#include "support/character_gltf.h"
#include "support/characters.h"
#include "support/fixed_samples.h"
#include "support/program.h"

#include <tailfix/error.h>
#include <tailfix/io/load.h>
#include <tailfix/io/write.h>

using namespace tailfix;
using namespace tailfix::test;
using Catch::Matchers::Contains;
namespace fs = std::filesystem;

namespace {

fs::path data(const std::string& name)
{
    return fs::path(TAILFIX_SOURCE_DIR) / "data" / name;
}

Fixed fix_file(const fs::path& from, const fs::path& to, const Options& options = {})
{
    const Loaded loaded = load(from);
    Fixed result = fixed(loaded.characters.at(0), options);
    if (result.changed)
        write_fixed(loaded, {{&result.rigged, &result.clips}}, to);
    else
        write_copy(loaded, to);
    return result;
}

// Keys that tailfix may have written: per clip and joint.
std::map<std::pair<std::string, std::string>, Track> tail_keys(const fs::path& file)
{
    const Character character = load(file).characters.at(0);
    std::map<std::pair<std::string, std::string>, Track> out;
    for (const Clip& clip : character.clips)
        for (const Track& track : clip.tracks) {
            const std::string& name = character.nodes[static_cast<std::size_t>(track.node)].name;
            if (name.rfind("Tail", 0) == 0) out[{clip.name, name}] = track;
        }
    return out;
}

// Whether `b` has the keys of `a`. A first run has places of joints in double precision, a second what the file's
// floats left of them, and that is all that differs.
void check_same_keys(const fs::path& a, const fs::path& b)
{
    const auto first = tail_keys(a), second = tail_keys(b);
    REQUIRE_FALSE(first.empty());
    REQUIRE(first.size() <= second.size());
    for (const auto& [name, track] : first) {
        INFO(name.first << " " << name.second);
        REQUIRE(second.contains(name));
        const Track& other = second.at(name);
        REQUIRE((other.times == track.times));
        float worst = 0;
        for (std::size_t i = 0; i < track.values.size(); ++i)
            worst = std::max(worst, std::abs(track.values[i] - other.values[i]));
        CHECK(worst < 1e-6f);
    }
}

std::string names_of(const Json& document)
{
    std::string names;
    for (const Json& node : document["nodes"]) names += node.value("name", "") + " ";
    return names;
}

} // namespace

TEST_CASE("baking again gives what the first bake gave, and with other options what they would have given",
          "[rebake][data]")
{
    const TemporaryFolder folder;
    const std::string name = GENERATE("fox.glb", "mouse.glb");
    Options options;
    fix_file(data(name), folder / "first.glb");
    const Fixed again = fix_file(folder / "first.glb", folder / "second.glb");
    check_same_keys(folder / "first.glb", folder / "second.glb");
    CHECK(again.changed);
    CHECK(again.found.detection.tails.empty());
    REQUIRE(again.found.grown.size() == 1);
    CHECK_THAT(again.found.detection.appendages.at(0).reasons.at(0), Contains("rebaked in place"));

    options.motion.spring.frequency_hz = 2;
    options.rest.curve = {"", 0.6};
    fix_file(data(name), folder / "fast.glb", options);
    const Fixed changed = fix_file(folder / "first.glb", folder / "second-fast.glb", options);
    check_same_keys(folder / "fast.glb", folder / "second-fast.glb");
    // Before is the file as it came: what the first run made of it.
    CHECK(changed.measures.before.tail.p99 == Approx(again.measures.after.tail.p99).margin(2e-3));
    CHECK(changed.measures.after.tail.p99 != changed.measures.before.tail.p99);
    CHECK(changed.measures.bone_distance_before == Approx(changed.measures.bone_distance_after));
    CHECK(changed.measures.rigid.tail.max == Approx(1).margin(1e-3));
}

TEST_CASE("a rebaked file differs from the fixed one in its keys alone, and does not grow", "[rebake]")
{
    const TemporaryFolder folder;
    folder.put("cat.glb", cat_gltf().glb());
    fix_file(folder / "cat.glb", folder / "1.glb");
    fix_file(folder / "1.glb", folder / "2.glb");
    fix_file(folder / "2.glb", folder / "3.glb");
    const GlbParts first = split(read_bytes(folder / "1.glb")), second = split(read_bytes(folder / "2.glb"));
    CHECK(first.json == second.json);
    REQUIRE(first.bin.size() == second.bin.size());
    std::size_t keys = first.bin.size(); // where the first view of keys begins
    for (const Json& sampler : first.json["animations"][0]["samplers"])
        for (const char* part : {"input", "output"}) {
            const Json& accessor = first.json["accessors"][sampler[part].get<std::size_t>()];
            const Json& view = first.json["bufferViews"][accessor["bufferView"].get<std::size_t>()];
            if (sampler == first.json["animations"][0]["samplers"].back())
                keys = std::min(keys, view["byteOffset"].get<std::size_t>());
        }
    REQUIRE(keys < first.bin.size());
    CHECK((std::equal(first.bin.begin(), first.bin.begin() + static_cast<std::ptrdiff_t>(keys), second.bin.begin())));
    // The joints that a third run reads are those that the second read.
    CHECK((read_bytes(folder / "2.glb") == read_bytes(folder / "3.glb")));
}

TEST_CASE("more keys make a file grow by them alone, and fewer shrink it again", "[rebake]")
{
    const TemporaryFolder folder;
    folder.put("cat.glb", cat_gltf().glb());
    fix_file(folder / "cat.glb", folder / "1.glb");
    Options all;
    all.motion.bake.key_tolerance_percent = 0;
    all.motion.bake.rate_hz = 120;
    fix_file(folder / "1.glb", folder / "many.glb", all);
    fix_file(folder / "many.glb", folder / "2.glb");
    CHECK(fs::file_size(folder / "many.glb") > fs::file_size(folder / "1.glb"));
    CHECK(fs::file_size(folder / "2.glb") == fs::file_size(folder / "1.glb"));
    check_same_keys(folder / "1.glb", folder / "2.glb");
}

TEST_CASE("keys that something else uses stay, and so does what was put behind them", "[rebake]")
{
    const TemporaryFolder folder;
    folder.put("cat.glb", cat_gltf().glb());
    fix_file(folder / "cat.glb", folder / "1.glb");
    GlbParts parts = split(read_bytes(folder / "1.glb"));
    const std::size_t accessors = parts.json["accessors"].size(), bytes = parts.bin.size();
    const auto last = accessors - 1;
    SECTION("another animation's sampler")
    {
        parts.json["animations"].push_back(
            {{"name", "Copy"},
             {"channels", {{{"sampler", 0}, {"target", {{"node", 1}, {"path", "rotation"}}}}}},
             {"samplers", {parts.json["animations"][0]["samplers"].back()}}});
    }
    SECTION("an extension, by its number")
    {
        parts.json["extensions"]["EXT_unknown"] = {{"some", {{"accessor", last}}}};
        parts.json["extensionsUsed"] = {"EXT_unknown"};
    }
    SECTION("an accessor behind them")
    {
        parts.json["accessors"].push_back(parts.json["accessors"][0]);
    }
    SECTION("a view behind them")
    {
        const std::size_t end = parts.bin.size();
        parts.bin.resize(end + 4, std::byte{7});
        parts.json["bufferViews"].push_back({{"buffer", 0}, {"byteOffset", end}, {"byteLength", 4}});
        parts.json["buffers"][0]["byteLength"] = end + 4;
    }
    SECTION("bytes behind them that nothing names")
    {
        parts.bin.resize(parts.bin.size() + 8, std::byte{7});
    }
    const ByteList changed = pack_glb(parts.json.dump(), parts.bin);
    folder.put("changed.glb", changed);
    fix_file(folder / "changed.glb", folder / "2.glb");
    const GlbParts written = split(read_bytes(folder / "2.glb"));
    REQUIRE(written.bin.size() > bytes);
    CHECK((std::equal(parts.bin.begin(), parts.bin.end(), written.bin.begin()))); // every byte where it was
    check_same_keys(folder / "1.glb", folder / "2.glb");
    if (parts.json["animations"].size() > 1) {
        CHECK(written.json["animations"][1]["samplers"][0] == parts.json["animations"][1]["samplers"][0]);
        CHECK(written.json["accessors"][last] == parts.json["accessors"][last]);
    }
    // From then on it does not grow.
    fix_file(folder / "2.glb", folder / "3.glb");
    CHECK((read_bytes(folder / "2.glb") == read_bytes(folder / "3.glb")));
}

TEST_CASE("clips that are not asked for keep their keys, and those without get some", "[rebake]")
{
    const TemporaryFolder folder;
    Gltf gltf = cat_gltf();
    Json other = gltf.json["animations"][0];
    other["name"] = "Other";
    gltf.json["animations"].push_back(other);
    folder.put("cat.glb", gltf.glb());
    Options turn, all;
    turn.motion.bake.clips = "Turn";
    fix_file(folder / "cat.glb", folder / "turn.glb", turn);
    const auto before = tail_keys(folder / "turn.glb");
    CHECK(std::none_of(before.begin(), before.end(), [](const auto& k) { return k.first.first == "Other"; }));
    fix_file(folder / "turn.glb", folder / "both.glb", all);
    const auto both = tail_keys(folder / "both.glb");
    CHECK(both.size() == 2 * before.size());
    all.motion.bake.clips = "Other";
    all.motion.spring.frequency_hz = 3;
    fix_file(folder / "both.glb", folder / "other.glb", all);
    for (const auto& [name, track] : tail_keys(folder / "other.glb"))
        CHECK((name.first == "Turn") == (track.values == both.at(name).values));
}

TEST_CASE("a glTF with side files gets new ones once, and no more of them", "[rebake]")
{
    const TemporaryFolder folder;
    Gltf gltf = cat_gltf();
    gltf.json["buffers"][0] = {{"byteLength", gltf.bin.size()}, {"uri", "cat.bin"}};
    folder.put("cat.bin", gltf.bin);
    folder.put("cat.gltf", std::string_view(gltf.json.dump(2)));
    const auto path = [&](const char* name) {
        fs::create_directories(folder.path() / name);
        return folder.path() / name / "cat.gltf";
    };
    fix_file(folder / "cat.gltf", path("1"));
    fix_file(path("1"), path("2"));
    fix_file(path("2"), path("3"));
    fix_file(path("3"), path("4"));
    check_same_keys(path("1"), path("2"));
    const auto size = [&](const char* name) {
        std::uintmax_t sum = 0;
        for (const auto& entry : fs::directory_iterator(folder.path() / name)) sum += entry.file_size();
        return sum;
    };
    CHECK(size("3") == size("2"));
    CHECK(size("4") == size("3"));
    CHECK((tail_keys(path("4")).begin()->second.values == tail_keys(path("2")).begin()->second.values));
    // Packed into one file, what is not named any more stays behind.
    fix_file(path("3"), folder / "packed.glb");
    fix_file(folder / "packed.glb", folder / "packed-2.glb");
    CHECK(fs::file_size(folder / "packed.glb") == fs::file_size(folder / "packed-2.glb"));
    check_same_keys(path("1"), folder / "packed.glb");
}

TEST_CASE("several chains are all baked again", "[rebake]")
{
    const TemporaryFolder folder;
    support::CatOptions options;
    options.tail = {{0.08, 0.95, -0.05}, {0.1, 0.92, -0.25}, {0.12, 0.78, -0.45}, {0.14, 0.66, -0.7}};
    options.shells = {{{-0.08, 0.93, -0.1}, {-0.14, 0.66, -0.7}, 0.05}};
    Character character = support::make_cat(options).character;
    folder.put("two.glb", gltf_of(character).glb());
    // Two tails by hand: detection need not find both for this.
    const Loaded loaded = load(folder / "two.glb");
    const Character& input = loaded.characters[0];
    const Weld weld = weld_vertices(input.mesh);
    std::vector<Chain> chains(2);
    SkinWeights weights;
    for (std::size_t c = 0; c < 2; ++c) {
        const double side = c == 0 ? 1 : -1;
        chains[c].name = c == 0 ? "Tail" : "Tail2";
        chains[c].attach = support::joint_named(input, "Hips");
        chains[c].joints = {{side * 0.09, 0.93, -0.15}, {side * 0.11, 0.85, -0.35}, {side * 0.14, 0.66, -0.7}};
    }
    const int first = static_cast<int>(input.joints.size());
    for (std::size_t p = 0; p < weld.points.size(); ++p) {
        const Eigen::Vector3d& at = weld.points[p];
        if (at.z() > -0.2 || at.y() > 1) continue;
        const int link = first + (at.x() > 0 ? 0 : 3) + (at.z() < -0.35 ? 1 : 0);
        weights.points.push_back({static_cast<int>(p), {{link, 1}}});
    }
    const Rigged rigged = add_chains(input, weld, chains, weights);
    write_fixed(loaded, {{&rigged, nullptr}}, folder / "chains.glb");
    const Fixed again = fix_file(folder / "chains.glb", folder / "out.glb");
    CHECK(again.found.detection.tails.empty());
    REQUIRE(again.found.grown.size() == 2);
    CHECK(again.found.grown[1].name == "Tail2");
    CHECK(again.rest.size() == 2);
    CHECK(again.found.detection.appendages.at(1).points != again.found.detection.appendages.at(0).points);
    CHECK(split(read_bytes(folder / "out.glb")).json["nodes"].size() ==
          split(read_bytes(folder / "chains.glb")).json["nodes"].size());
}

TEST_CASE("of two tails with bones, the one that tailfix grew is baked again and the other left alone", "[rebake]")
{
    const TemporaryFolder folder;
    folder.put("cat.glb", cat_gltf().glb());
    fix_file(folder / "cat.glb", folder / "1.glb");
    const Loaded loaded = load(folder / "1.glb");
    Character character = loaded.characters[0];
    // Someone's bone in an ear-like shell, and a name that says tail.
    const int head = support::joint_named(character, "Spine");
    Joint joint;
    joint.name = "tail.foreign";
    joint.node = static_cast<int>(character.nodes.size());
    joint.parent = head;
    joint.bind_from_joint.topRightCorner<3, 1>() = Eigen::Vector3d(0, 1.1, -0.2);
    Node node;
    node.name = joint.name;
    node.parent = character.joints[static_cast<std::size_t>(head)].node;
    character.node_order.push_back(joint.node);
    character.nodes.push_back(node);
    character.joints.push_back(joint);
    support::Tube tube;
    tube.length = 0.5;
    Mesh shell = support::make_tube(tube);
    for (auto& p : shell.positions) p += Eigen::Vector3d(0, 1.1, -0.2);
    support::append_shell(character, shell, static_cast<int>(character.joints.size()) - 1);
    const Fixed result = fixed(character);
    REQUIRE(result.found.grown.size() == 1);
    CHECK(result.found.detection.tails.empty());
    REQUIRE(result.found.detection.own_tail.size() == 1);
    CHECK_THAT(result.found.detection.appendages.at(1).reasons.at(0), Contains("tail.foreign"));
    CHECK(result.rigged.chains.size() == 1);
    for (const BakedClip& clip : result.clips)
        for (const BakedTrack& track : clip.tracks)
            CHECK(result.rigged.character.joints[static_cast<std::size_t>(track.joint)].name != "tail.foreign");
}

TEST_CASE("the program says that a chain was baked again, and that it cannot be made rigid", "[rebake][cli]")
{
    const TemporaryFolder folder;
    folder.put("cat.glb", cat_gltf().glb());
    REQUIRE(run_tailfix(folder.path(), {"cat.glb", "-o", "1.glb"}).exit == 0);
    const ProgramRun again = run_tailfix(folder.path(), {"1.glb", "-o", "2.glb", "--json", "--require-tail"});
    REQUIRE(again.exit == 0);
    const Json report = parse_reports(again.out).at(0);
    CHECK(report["status"] == "fixed");
    CHECK(report["appendages"][0]["class"] == "tail");
    CHECK(report["appendages"][0]["action"] == "rebaked");
    CHECK(report["appendages"][0]["chain"]["names"][0] == "Tail_1");
    CHECK(report["clips"][0]["keys"] > 0);
    CHECK(names_of(split(read_bytes(folder / "2.glb")).json) == names_of(split(read_bytes(folder / "1.glb")).json));

    const ProgramRun rigid = run_tailfix(folder.path(), {"1.glb", "-o", "3.glb", "--mode", "rigid"});
    CHECK(rigid.exit == 2);
    CHECK_THAT(rigid.err, Contains("--mode rigid") && Contains("Tail_1"));
    CHECK_FALSE(fs::exists(folder / "3.glb"));
    const ProgramRun seen = run_tailfix(folder.path(), {"inspect", "1.glb", "--mode", "rigid", "--json"});
    CHECK(parse_reports(seen.out).at(0)["appendages"][0]["action"] == "untouched");
}
