// What write_fixed() adds, and that it changes nothing else.
#include <tailfix/io/write.h>

#include <algorithm>
#include <cmath>

#include "support/catch.h"
#include "support/glb.h"

#include <tailfix/error.h>

using namespace tailfix;
using namespace tailfix::test;

namespace {

// Paths at which two documents differ, each with what it is there: added, lost or changed.
void differences(const Json& a, const Json& b, const std::string& path, std::vector<std::string>& out)
{
    if (a.is_object() && b.is_object()) {
        for (const auto& [key, value] : a.items())
            if (b.contains(key))
                differences(value, b[key], path + "/" + key, out);
            else
                out.push_back("lost " + path + "/" + key);
        for (const auto& [key, value] : b.items())
            if (!a.contains(key)) out.push_back("added " + path + "/" + key);
    } else if (a.is_array() && b.is_array()) {
        for (std::size_t i = 0; i < std::max(a.size(), b.size()); ++i) {
            const std::string item = path + "/" + std::to_string(i);
            if (i >= b.size())
                out.push_back("lost " + item);
            else if (i >= a.size())
                out.push_back("added " + item);
            else
                differences(a[i], b[i], item, out);
        }
    } else if (a != b || a.type() != b.type()) {
        out.push_back("changed " + path);
    }
}

std::vector<BakedClip> sway(const Rigged& rigged)
{
    BakedClip clip;
    for (const int link : rigged.chains[0].links) {
        BakedTrack track;
        track.joint = link;
        track.times = {0, 0.25f, 1};
        track.rotations = {Eigen::Quaternionf::Identity(), Eigen::Quaternionf(0.8f, 0, 0.6f, 0),
                           Eigen::Quaternionf::Identity()};
        clip.tracks.push_back(track);
    }
    return {clip};
}

struct Written {
    Loaded before, after;
    Rigged rigged;
    ByteList input, output;
    std::vector<std::vector<std::size_t>> sizes;
};

Written fix_strip(const ByteList& input)
{
    const TemporaryFolder folder;
    Written w;
    w.input = input;
    w.before = load(folder.put("strip.glb", input));
    w.rigged = strip_with_tail(w.before.characters.at(0));
    const std::vector<BakedClip> clips =
        w.before.characters[0].clips.empty() ? std::vector<BakedClip>() : sway(w.rigged);
    w.sizes = write_fixed(w.before, {{&w.rigged, &clips}}, folder / "strip.tailfix.glb");
    w.output = read_bytes(folder / "strip.tailfix.glb");
    w.after = load(folder / "strip.tailfix.glb");
    return w;
}

} // namespace

TEST_CASE("the output is the input with a chain added and nothing else changed", "[write]")
{
    StripOptions options;
    options.joints = GENERATE(kU8, kU16);
    options.weights = GENERATE(kFloat, kU8, kU16);
    SECTION("each attribute by itself") {}
    SECTION("interleaved")
    {
        options.interleaved = true;
    }
    SECTION("sparse")
    {
        options.sparse = true;
    }
    SECTION("two sets")
    {
        options.sets = 2;
    }
    const Written w = fix_strip(skinned_strip(options).glb());

    const GlbParts a = split(w.input), b = split(w.output);
    REQUIRE(b.bin.size() > a.bin.size());
    CHECK(std::equal(a.bin.begin(), a.bin.end(), b.bin.begin()));
    std::vector<std::string> changes;
    differences(a.json, b.json, "", changes);
    const std::vector<std::string> allowed = {"added /nodes/4",
                                              "added /nodes/5",
                                              "added /nodes/6",
                                              "added /nodes/1/children/1",
                                              "added /skins/0/joints/2",
                                              "added /skins/0/joints/3",
                                              "added /skins/0/joints/4",
                                              "changed /skins/0/inverseBindMatrices",
                                              "added /animations/0/channels/1",
                                              "added /animations/0/channels/2",
                                              "added /animations/0/samplers/1",
                                              "added /animations/0/samplers/2",
                                              "changed /buffers/0/byteLength"};
    for (const std::string& change : changes) {
        INFO(change);
        const bool appended = change.starts_with("added /accessors/") || change.starts_with("added /bufferViews/");
        const bool attribute = change.starts_with("changed /meshes/0/primitives/0/attributes/JOINTS_") ||
                               change.starts_with("changed /meshes/0/primitives/0/attributes/WEIGHTS_");
        CHECK((appended || attribute || std::find(allowed.begin(), allowed.end(), change) != allowed.end()));
    }
}

TEST_CASE("what is written reads back as it was asked for", "[write]")
{
    StripOptions options;
    options.weights = GENERATE(kFloat, kU8, kU16);
    const Written w = fix_strip(skinned_strip(options).glb());
    const Character& c = w.after.characters.at(0);
    REQUIRE(c.joints.size() == 5);
    for (const Joint& joint : c.joints) {
        const auto same = std::find_if(w.rigged.character.joints.begin(), w.rigged.character.joints.end(),
                                       [&](const Joint& j) { return j.node == joint.node; });
        REQUIRE(same != w.rigged.character.joints.end());
        CHECK(joint.name == same->name);
        CHECK(joint.bind_from_joint.isApprox(same->bind_from_joint, 1e-6));
    }
    CHECK(c.nodes[4].name == "Tail_1");
    CHECK(c.nodes[4].parent == 1);
    CHECK(c.nodes[6].parent == 5);
    CHECK(c.nodes[5].translation.isApprox(Eigen::Vector3d(0, 0, -0.5)));

    const int first = c.mesh.first_influence[1];
    REQUIRE(c.mesh.first_influence[2] == first + 2);
    const Influence big = c.mesh.influences[static_cast<std::size_t>(first)];
    CHECK(c.joints[static_cast<std::size_t>(big.joint)].name == "Tail_1");
    CHECK(big.weight == Approx(0.7).margin(0.003));
    CHECK(c.mesh.influences[static_cast<std::size_t>(c.mesh.first_influence[7])].weight == 1);

    REQUIRE(c.clips.at(0).tracks.size() == 3);
    CHECK(c.clips[0].tracks[2].node == 5);
    CHECK(c.clips[0].tracks[2].times == std::vector<float>{0, 0.25f, 1});
    CHECK(c.clips[0].tracks[2].values[4 + 1] == 0.6f);
    // Two outputs of three quaternions, and one list of times between them.
    CHECK(w.sizes == std::vector<std::vector<std::size_t>>{{2 * 3 * 16 + 3 * 4}});
}

TEST_CASE("stored weights of changed vertices sum to exactly 1, and the others keep their bits", "[write]")
{
    const int type = GENERATE(kFloat, kU8, kU16);
    StripOptions options;
    options.weights = type;
    Gltf gltf = skinned_strip(options);
    // A vertex with an odd sum, which is not ours to mend.
    const auto place = [](const Json& json, const char* attribute) {
        const Json& accessor =
            json["accessors"][json["meshes"][0]["primitives"][0]["attributes"][attribute].get<std::size_t>()];
        return json["bufferViews"][accessor["bufferView"].get<std::size_t>()]["byteOffset"].get<std::size_t>() +
               accessor.value("byteOffset", std::size_t{0});
    };
    const std::size_t size = type == kFloat ? 4 : type == kU16 ? 2 : 1;
    const std::size_t odd = place(gltf.json, "WEIGHTS_0") + 5 * 4 * size;
    gltf.bin[odd] = gltf.bin[odd] ^ std::byte{0x11};
    const Written w = fix_strip(gltf.glb());
    const GlbParts a = split(w.input), b = split(w.output);
    for (const char* attribute : {"JOINTS_0", "WEIGHTS_0"}) {
        const std::size_t item = attribute[0] == 'J' ? 4 : 4 * size;
        const auto old_bytes = a.bin.begin() + static_cast<std::ptrdiff_t>(place(a.json, attribute));
        const auto new_bytes = b.bin.begin() + static_cast<std::ptrdiff_t>(place(b.json, attribute));
        const auto from = static_cast<std::ptrdiff_t>(2 * item), to = static_cast<std::ptrdiff_t>(8 * item);
        CHECK(std::equal(old_bytes + from, old_bytes + to, new_bytes + from));
    }
    for (std::size_t v = 0; v < 2; ++v) {
        double sum = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            const std::byte* p = b.bin.data() + place(b.json, "WEIGHTS_0") + (v * 4 + k) * size;
            float real = 0;
            if (type == kFloat) std::memcpy(&real, p, 4);
            std::uint16_t whole = 0;
            if (type != kFloat) std::memcpy(&whole, p, size);
            sum += type == kFloat ? double{real} : whole;
        }
        if (type == kFloat)
            CHECK(std::abs(sum - 1) < 1e-7);
        else
            CHECK(sum == (type == kU8 ? 255 : 65535));
    }
}

TEST_CASE("joints of 8 bits grow to 16 when a skin passes 256", "[write]")
{
    Gltf gltf = skinned_strip();
    gltf.json["skins"][0].erase("inverseBindMatrices");
    Json& joints = gltf.json["skins"][0]["joints"];
    for (int i = 0; i < 254; ++i) {
        gltf.json["nodes"].push_back({{"name", "extra"}});
        joints.push_back(4 + i);
    }
    const Written w = fix_strip(gltf.glb());
    const Json json = split(w.output).json;
    const auto accessor = json["meshes"][0]["primitives"][0]["attributes"]["JOINTS_0"].get<std::size_t>();
    CHECK(json["accessors"][accessor]["componentType"] == kU16);
    const Character& c = w.after.characters.at(0);
    const Influence first = c.mesh.influences.at(0), last = c.mesh.influences.back();
    CHECK(c.joints[static_cast<std::size_t>(first.joint)].name == "Tail_1");
    CHECK(c.joints[static_cast<std::size_t>(last.joint)].name == "Spine");
}

TEST_CASE("of more influences than a file holds the largest stay", "[write]")
{
    const TemporaryFolder folder;
    const Loaded before = load(folder.put("strip.glb", skinned_strip().glb()));
    Rigged rigged = strip_with_tail(before.characters.at(0));
    // Vertex 0 on all five joints.
    Mesh& mesh = rigged.character.mesh;
    const std::vector<Influence> five = {{0, 0.4}, {1, 0.05}, {2, 0.15}, {3, 0.2}, {4, 0.2}};
    mesh.influences.erase(mesh.influences.begin(), mesh.influences.begin() + 2);
    mesh.influences.insert(mesh.influences.begin(), five.begin(), five.end());
    for (std::size_t v = 1; v < mesh.first_influence.size(); ++v) mesh.first_influence[v] += 3;
    write_fixed(before, {{&rigged, nullptr}}, folder / "out.glb");
    const Character c = load(folder / "out.glb").characters.at(0);
    REQUIRE(c.mesh.first_influence[1] == 4);
    CHECK(c.mesh.influences[0].weight == Approx(0.4 / 0.95));
    for (int i = 0; i < 4; ++i)
        CHECK(c.joints[static_cast<std::size_t>(c.mesh.influences[static_cast<std::size_t>(i)].joint)].name != "Spine");
}

TEST_CASE("primitives that shared accessors still do, and one that is not edited keeps the old", "[write]")
{
    Gltf gltf = skinned_strip();
    Json& primitives = gltf.json["meshes"][0]["primitives"];
    primitives.push_back(primitives[0]);
    // A mesh of lines over the same vertices: not the tool's to change.
    Json lines = primitives[0];
    lines["mode"] = 1;
    primitives.push_back(lines);
    const TemporaryFolder folder;
    const Loaded before = load(folder.put("strip.glb", gltf.glb()));
    Rigged rigged = strip_with_tail(before.characters.at(0));
    // The second primitive's vertices 8 and 9 are the first's 0 and 1.
    Mesh& mesh = rigged.character.mesh;
    REQUIRE(mesh.vertex_count() == 16);
    rigged.vertex_changed[8] = rigged.vertex_changed[9] = true;
    std::vector<Influence> influences;
    std::vector<int> first = {0};
    for (std::size_t v = 0; v < 16; ++v) {
        const std::size_t from = v == 8 || v == 9 ? 0 : v;
        influences.insert(influences.end(), mesh.influences.begin() + mesh.first_influence[from],
                          mesh.influences.begin() + mesh.first_influence[from + 1]);
        first.push_back(static_cast<int>(influences.size()));
    }
    mesh.influences = influences;
    mesh.first_influence = first;
    write_fixed(before, {{&rigged, nullptr}}, folder / "out.glb");
    const Json a = split(read_bytes(folder / "strip.glb")).json, b = split(read_bytes(folder / "out.glb")).json;
    const auto& old_ones = a["meshes"][0]["primitives"];
    const auto& new_ones = b["meshes"][0]["primitives"];
    CHECK(new_ones[0]["attributes"]["WEIGHTS_0"] == new_ones[1]["attributes"]["WEIGHTS_0"]);
    CHECK(new_ones[0]["attributes"]["WEIGHTS_0"] != old_ones[0]["attributes"]["WEIGHTS_0"]);
    CHECK(new_ones[2] == old_ones[2]);
}

TEST_CASE("a mesh that two skins share cannot be given a chain of one of them", "[write]")
{
    Gltf gltf = skinned_strip();
    gltf.json["skins"].push_back({{"joints", {1, 2}}});
    gltf.json["nodes"].push_back({{"mesh", 0}, {"skin", 1}});
    const TemporaryFolder folder;
    const Loaded before = load(folder.put("strip.glb", gltf.glb()));
    const Rigged rigged = strip_with_tail(before.characters.at(0));
    try {
        write_fixed(before, {{&rigged, nullptr}}, folder / "out.glb");
        FAIL("was written");
    } catch (const Error& error) {
        CHECK(error.kind == Failure::Unsupported);
    }
    CHECK(std::distance(std::filesystem::directory_iterator(folder.path()), {}) == 1);
}

TEST_CASE("a chain that is there already has its keys replaced in place", "[write]")
{
    const TemporaryFolder folder;
    folder.put("first.glb", fix_strip(skinned_strip().glb()).output);
    const Loaded before = load(folder / "first.glb");
    Rigged rigged;
    rigged.character = before.characters.at(0);
    rigged.first_new_node = static_cast<int>(rigged.character.nodes.size());
    rigged.first_new_joint = static_cast<int>(rigged.character.joints.size());
    rigged.vertex_changed.assign(8, false);
    BakedClip clip;
    for (int j = 0; j < static_cast<int>(rigged.character.joints.size()); ++j)
        if (rigged.character.joints[static_cast<std::size_t>(j)].name == "Tail_1")
            clip.tracks.push_back(
                {j, {0, 1}, {Eigen::Quaternionf(0.6f, 0, 0, 0.8f), Eigen::Quaternionf(0.6f, 0, 0, 0.8f)}});
    REQUIRE(clip.tracks.size() == 1);
    const std::vector<BakedClip> clips = {clip};
    write_fixed(before, {{&rigged, &clips}}, folder / "second.glb");

    const Json a = split(read_bytes(folder / "first.glb")).json, b = split(read_bytes(folder / "second.glb")).json;
    CHECK(b["animations"][0]["channels"] == a["animations"][0]["channels"]);
    CHECK(b["nodes"] == a["nodes"]);
    CHECK(b["skins"] == a["skins"]);
    CHECK(b["meshes"] == a["meshes"]);
    const Clip baked = load(folder / "second.glb").characters.at(0).clips.at(0);
    REQUIRE(baked.tracks.size() == 3);
    CHECK(baked.tracks[1].times == std::vector<float>{0, 1});
    CHECK(baked.tracks[1].values[2] == 0.8f);
}

TEST_CASE("numbers, order and oddities of a document survive", "[write]")
{
    Gltf gltf = skinned_strip();
    gltf.json["extensions"] =
        Json::parse(R"({"VRM": {"meshAnnotations": [], "z": 1, "a": -0.0, "big": 18446744073709551615,
        "tiny": 1e-300, "one": 1.0, "third": 0.3333333333333333, "text": "\u00e9\u0001\/\ud83d\ude00", "none": null, "": {}}})");
    const Written w = fix_strip(gltf.glb());
    const Json before = split(w.input).json["extensions"], after = split(w.output).json["extensions"];
    CHECK(after.dump() == before.dump());
    CHECK(split(w.output).json["nodes"][0]["extras"].dump() == R"({"kept":[],"number":1e-07})");
}

TEST_CASE("chunks that tailfix does not know stay behind the BIN chunk", "[write]")
{
    ByteList file = skinned_strip().glb();
    const ByteList extra = {std::byte{4},   std::byte{0},   std::byte{0}, std::byte{0}, std::byte{'X'}, std::byte{'T'},
                            std::byte{'R'}, std::byte{'A'}, std::byte{1}, std::byte{2}, std::byte{3},   std::byte{4}};
    file.insert(file.end(), extra.begin(), extra.end());
    const auto size = static_cast<std::uint32_t>(file.size());
    std::memcpy(file.data() + 8, &size, 4);
    CHECK(split(fix_strip(file).output).others == extra);
}
