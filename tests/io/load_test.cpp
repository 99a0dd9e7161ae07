// What load() reads, against files whose content is known.
#include <tailfix/io/load.h>

#include <cmath>

#include "support/catch.h"
#include "support/glb.h"

#include <tailfix/error.h>

using namespace tailfix;
using namespace tailfix::test;

namespace {

Character load_one(const ByteList& file)
{
    const TemporaryFolder folder;
    const Loaded loaded = load(folder.put("strip.glb", file));
    REQUIRE(loaded.characters.size() == 1);
    return loaded.characters.front();
}

void check_is_strip(const Character& c)
{
    REQUIRE(c.joints.size() == 2);
    CHECK(c.joints[0].name == "Hips");
    CHECK(c.joints[1].name == "Spine");
    CHECK(c.joints[1].parent == 0);
    CHECK(c.joints[0].parent == kNone);
    REQUIRE(c.mesh.vertex_count() == 8);
    CHECK(c.mesh.positions[5] == Eigen::Vector3d(0.5, 2, 0));
    REQUIRE(c.mesh.triangles.size() == 6);
    CHECK(c.mesh.triangles[1] == Eigen::Vector3i(0, 3, 2));
    REQUIRE(c.mesh.first_influence == std::vector<int>{0, 1, 2, 3, 4, 6, 8, 9, 10});
    CHECK(c.mesh.influences[0].joint == 0);
    CHECK(c.mesh.influences[0].weight == 1);
    CHECK(c.mesh.influences[4].weight == Approx(0.5).margin(0.002));
    CHECK(c.mesh.influences[4].weight + c.mesh.influences[5].weight == Approx(1).epsilon(1e-12));
    CHECK(c.mesh.influences[9].joint == 1);
}

} // namespace

TEST_CASE("a strip reads the same however its vertices are stored", "[load]")
{
    StripOptions options;
    options.joints = GENERATE(kU8, kU16);
    options.weights = GENERATE(kFloat, kU8, kU16);
    options.indices = GENERATE(kU8, kU16, kU32);
    SECTION("each attribute by itself") {}
    SECTION("interleaved")
    {
        options.interleaved = true;
    }
    SECTION("sparse")
    {
        options.sparse = true;
    }
    SECTION("two sets of influences")
    {
        options.sets = 2;
    }
    check_is_strip(load_one(skinned_strip(options).glb()));
}

TEST_CASE("joints bind where their inverse bind matrices say, whatever the nodes are posed like", "[load]")
{
    Gltf gltf = skinned_strip();
    gltf.json["nodes"][2]["translation"] = {5, 6, 7};
    const Character c = load_one(gltf.glb());
    CHECK(c.joints[1].position().isApprox(Eigen::Vector3d(0, 1, 0)));
    CHECK(c.nodes[2].translation == Eigen::Vector3d(5, 6, 7));
    REQUIRE(c.joints[1].helper_end);
    CHECK(c.joints[1].helper_end->isApprox(Eigen::Vector3d(0, 3, 0)));
    CHECK_FALSE(c.joints[0].helper_end);
}

TEST_CASE("without inverse bind matrices every joint binds at the origin of mesh space", "[load]")
{
    StripOptions options;
    options.inverse_binds = false;
    const Character c = load_one(skinned_strip(options).glb());
    CHECK(c.joints[1].bind_from_joint == Eigen::Matrix4d::Identity());
}

TEST_CASE("strips and fans become triangles that face the same way", "[load]")
{
    Gltf gltf = skinned_strip();
    Json& primitive = gltf.json["meshes"][0]["primitives"][0];
    primitive["indices"] = gltf.add_numbers({0, 1, 2, 3}, kU8, "SCALAR");
    SECTION("strip")
    {
        primitive["mode"] = 5;
        const Character c = load_one(gltf.glb());
        CHECK(c.mesh.triangles == std::vector<Eigen::Vector3i>{{0, 1, 2}, {1, 3, 2}});
    }
    SECTION("fan")
    {
        primitive["mode"] = 6;
        const Character c = load_one(gltf.glb());
        CHECK(c.mesh.triangles == std::vector<Eigen::Vector3i>{{1, 2, 0}, {2, 3, 0}});
    }
}

TEST_CASE("a file whose only skinned primitive is lines has no character", "[load]")
{
    Gltf gltf = skinned_strip();
    gltf.json["meshes"][0]["primitives"][0]["mode"] = GENERATE(0, 1, 2, 3);
    const TemporaryFolder folder;
    CHECK(load(folder.put("lines.glb", gltf.glb())).characters.empty());
}

TEST_CASE("weights that are not numbers count as 0, with a warning", "[load]")
{
    Gltf gltf = skinned_strip();
    const auto view = gltf.json["meshes"][0]["primitives"][0]["attributes"]["WEIGHTS_0"].get<std::size_t>();
    const auto offset = gltf.json["bufferViews"][view]["byteOffset"].get<std::size_t>();
    const float bad = GENERATE(std::nanf(""), HUGE_VALF, -1.0f);
    std::memcpy(gltf.bin.data() + offset + 16 * 4, &bad, 4); // vertex 4 has two influences, and this is the first
    std::memcpy(gltf.bin.data() + offset, &bad, 4);          // vertex 0 has no other
    const Character c = load_one(gltf.glb());
    CHECK(c.mesh.first_influence[1] == 0);
    const Influence left = c.mesh.influences[static_cast<std::size_t>(c.mesh.first_influence[4])];
    CHECK(left.joint == 1);
    CHECK(left.weight == 1);
    CHECK(c.warnings.size() == 2);
}

TEST_CASE("skins that share a joint are one rig, in the space of the first", "[load]")
{
    // The second skin's mesh lies 10 higher and is twice as large; its Spine is the first skin's.
    Gltf gltf = skinned_strip();
    const int matrices = gltf.add_numbers({2, 0, 0, 0, 0, 2, 0, 0, 0, 0, 2, 0, 0, 9, 0, 1}, kFloat, "MAT4");
    gltf.json["skins"].push_back({{"joints", {2}}, {"inverseBindMatrices", matrices}});
    gltf.json["nodes"].push_back({{"name", "Coat"}, {"mesh", 1}, {"skin", 1}});
    Json coat = gltf.json["meshes"][0];
    coat["primitives"][0]["attributes"]["JOINTS_0"] = gltf.add_numbers(std::vector<double>(32, 0), kU8, "VEC4");
    gltf.json["meshes"].push_back(coat);
    const Character c = load_one(gltf.glb());
    REQUIRE(c.skins.size() == 2);
    CHECK(c.joints.size() == 2);
    CHECK(c.skins[1].joints == std::vector<int>{1});
    REQUIRE(c.mesh.vertex_count() == 16);
    CHECK(c.mesh.positions[8 + 5].isApprox(Eigen::Vector3d(1, 14, 0)));
    CHECK(c.warnings.empty());
}

TEST_CASE("skins of separate joint trees are separate rigs", "[load]")
{
    Gltf gltf = skinned_strip();
    gltf.json["nodes"].push_back({{"name", "Other"}});
    gltf.json["nodes"].push_back({{"mesh", 1}, {"skin", 1}});
    gltf.json["skins"].push_back({{"joints", {4}}});
    Json mesh = gltf.json["meshes"][0];
    mesh["primitives"][0]["attributes"]["JOINTS_0"] = gltf.add_numbers(std::vector<double>(32, 0), kU8, "VEC4");
    gltf.json["meshes"].push_back(mesh);
    const TemporaryFolder folder;
    const Loaded loaded = load(folder.put("two.glb", gltf.glb()));
    REQUIRE(loaded.characters.size() == 2);
    CHECK(loaded.characters[0].clips[0].tracks.size() == 1);
    CHECK(loaded.characters[1].clips[0].tracks.empty());
    CHECK(loaded.characters[1].clips[0].end == 1);
}

TEST_CASE("a skin below another's joints belongs to its rig", "[load]")
{
    Gltf gltf = skinned_strip();
    gltf.json["nodes"][3].erase("extras");
    gltf.json["skins"].push_back({{"joints", {3}}});
    gltf.json["nodes"].push_back({{"mesh", 1}, {"skin", 1}});
    Json mesh = gltf.json["meshes"][0];
    mesh["primitives"][0]["attributes"]["JOINTS_0"] = gltf.add_numbers(std::vector<double>(32, 0), kU8, "VEC4");
    gltf.json["meshes"].push_back(mesh);
    const Character c = load_one(gltf.glb());
    REQUIRE(c.joints.size() == 3);
    CHECK(c.joints[2].parent == 1);
}

TEST_CASE("two keys at one time keep the step between them", "[load]")
{
    Gltf gltf = skinned_strip();
    const int input = gltf.add_numbers({0, 0.5, 0.5, 1}, kFloat, "SCALAR");
    const int output = gltf.add_numbers({0, 0, 0, 1, 0, 0, 0, 1, 0, 0, 1, 0, 0, 0, 1, 0}, kFloat, "VEC4");
    gltf.json["animations"][0]["samplers"][0] = {{"input", input}, {"output", output}};
    const Track track = load_one(gltf.glb()).clips.at(0).tracks.at(0);
    REQUIRE(track.times.size() == 4);
    CHECK(track.times[1] < 0.5f);
    CHECK(track.times[1] == Approx(0.5));
    CHECK(track.times[2] == 0.5f);
    CHECK(track.values[4 + 3] == 1);
    CHECK(track.values[8 + 2] == 1);
}

TEST_CASE("a glTF reads the same from a GLB, beside its buffer, and with it inside", "[load]")
{
    const TemporaryFolder folder;
    Gltf gltf = skinned_strip();
    gltf.json["buffers"][0]["byteLength"] = gltf.bin.size();
    SECTION("beside, in a folder, with an escaped name")
    {
        gltf.json["buffers"][0]["uri"] = "data%20files/strip.bin";
        folder.put("data files/strip.bin", gltf.bin);
    }
    SECTION("inside")
    {
        std::string uri = "data:application/octet-stream;base64,";
        const char* digits = "ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/";
        while (gltf.bin.size() % 3 != 0) gltf.bin.push_back(std::byte{0});
        for (std::size_t i = 0; i < gltf.bin.size(); i += 3) {
            const unsigned bits = std::to_integer<unsigned>(gltf.bin[i]) << 16 |
                                  std::to_integer<unsigned>(gltf.bin[i + 1]) << 8 |
                                  std::to_integer<unsigned>(gltf.bin[i + 2]);
            for (const int shift : {18, 12, 6, 0}) uri += digits[bits >> shift & 63];
        }
        gltf.json["buffers"][0]["uri"] = uri;
    }
    // By content, not by name.
    const Loaded loaded = load(folder.put("strip.glb", std::string_view(gltf.text())));
    REQUIRE(loaded.characters.size() == 1);
    check_is_strip(loaded.characters[0]);
}
