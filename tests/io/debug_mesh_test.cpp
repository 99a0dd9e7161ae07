#include <tailfix/io/debug_mesh.h>

#include "support/catch.h"
#include "support/glb.h"
#include "support/program.h"

#include <tailfix/error.h>
#include <tailfix/io/load.h>

using namespace tailfix;
using namespace tailfix::test;
using Catch::Matchers::Contains;

namespace {

// A square of two triangles; the second view shows one of them see-through, and has a line and a marker.
DebugRig square(double x = 0)
{
    DebugRig rig;
    rig.positions = {{x, 0, 0}, {x + 2, 0, 0}, {x + 2, 2, 0}, {x, 2, 0}};
    rig.normals.assign(4, Eigen::Vector3d::UnitZ());
    rig.triangles = {{0, 1, 2}, {0, 2, 3}};
    const Colour red{255, 0, 0}, grey{188, 188, 188};
    rig.views.push_back({"first", {{"red things", red}}, {red, red, grey, {0, 0, 0}}, {}, {}});
    rig.views.push_back({"second",
                         {{"line", grey}},
                         {{10, 20, 30, 70}, {10, 20, 30, 70}, {10, 20, 30, 70}, red},
                         {{{x, 0, 0}, {x, 3, 0}, grey}},
                         {{"here", "a place", {x, 1, 0}}}});
    return rig;
}

struct Written {
    TemporaryFolder folder;
    Loaded loaded;

    Written() { loaded = load(folder.put("strip.glb", skinned_strip().glb())); }
    GlbParts write(const std::vector<DebugRig>& rigs) const
    {
        write_debug_mesh(loaded, rigs, folder / "seen.glb");
        return split(read_bytes(folder / "seen.glb"));
    }
};

const Json& named(const Json& document, const char* list, const std::string& name)
{
    for (const Json& item : document.at(list))
        if (item.value("name", "") == name) return item;
    FAIL("no " << list << " \"" << name << "\"");
    return document;
}

std::vector<std::uint8_t> bytes_of(const GlbParts& glb, const Json& accessor)
{
    const Json& view = glb.json["bufferViews"].at(accessor["bufferView"].get<std::size_t>());
    std::vector<std::uint8_t> out;
    for (std::size_t i = 0; i < view["byteLength"].get<std::size_t>(); ++i)
        out.push_back(std::to_integer<std::uint8_t>(glb.bin.at(view["byteOffset"].get<std::size_t>() + i)));
    return out;
}

} // namespace

TEST_CASE("a debug mesh holds every view of every rig, side by side", "[debug][io]")
{
    const Written w;
    const GlbParts glb = w.write({square(), square(10)});
    const Json& scene = glb.json["scenes"][0];
    REQUIRE(scene["nodes"].size() == 2);
    const Json& first = named(glb.json, "nodes", "first");
    const Json& second = named(glb.json, "nodes", "second");
    CHECK(first["children"].size() == 2);
    CHECK(first["extras"]["legend"] == Json({{"red things", "#ff0000"}}));
    // The first stays where the file has the character; the next is past everything.
    CHECK(first["translation"] == Json::array({0.0, 0.0, 0.0}));
    CHECK(second["translation"][0].get<double>() > 12);
    CHECK(second["translation"][1] == 0.0);
    const Json& marker = named(glb.json, "nodes", "here");
    CHECK(marker["extras"]["text"] == "a place");
    CHECK_FALSE(marker.contains("mesh"));
}

TEST_CASE("colours are written as linear bytes, one per vertex of the file", "[debug][io]")
{
    const Written w;
    const GlbParts glb = w.write({square()});
    const Json& mesh = named(glb.json, "meshes", "first: skin");
    REQUIRE(mesh["primitives"].size() == 1);
    const Json& attributes = mesh["primitives"][0]["attributes"];
    const Json& colours = glb.json["accessors"].at(attributes["COLOR_0"].get<std::size_t>());
    CHECK(colours["componentType"] == kU8);
    CHECK(colours["normalized"] == true);
    CHECK(colours["type"] == "VEC4");
    // sRGB 188 is half the light of white.
    CHECK(bytes_of(glb, colours) ==
          std::vector<std::uint8_t>{255, 0, 0, 255, 255, 0, 0, 255, 128, 128, 128, 255, 0, 0, 0, 255});
    const Json& positions = glb.json["accessors"].at(attributes["POSITION"].get<std::size_t>());
    CHECK(positions["count"] == 4);
    CHECK(positions["min"] == Json::array({0.0, 0.0, 0.0}));
    CHECK(positions["max"] == Json::array({2.0, 2.0, 0.0}));
    // Views share what they have in common.
    CHECK(named(glb.json, "meshes", "second: skin")["primitives"][0]["attributes"]["POSITION"] ==
          attributes["POSITION"]);
}

TEST_CASE("see-through skin is a primitive of its own, and lines are another", "[debug][io]")
{
    const Written w;
    const GlbParts glb = w.write({square()});
    const Json& primitives = named(glb.json, "meshes", "second: skin")["primitives"];
    REQUIRE(primitives.size() == 3);
    const auto count = [&](const Json& accessor) {
        return glb.json["accessors"].at(accessor.get<std::size_t>())["count"];
    };
    const auto material = [&](std::size_t i) {
        return glb.json["materials"].at(primitives[i]["material"].get<std::size_t>());
    };
    CHECK(count(primitives[0]["indices"]) == 3); // the triangle with the opaque corner
    CHECK_FALSE(material(0).contains("alphaMode"));
    CHECK(count(primitives[1]["indices"]) == 3);
    CHECK(material(1)["alphaMode"] == "BLEND");
    CHECK(primitives[2]["mode"] == 1);
    CHECK(count(primitives[2]["attributes"]["POSITION"]) == 2);
    CHECK(material(2)["extensions"].contains("KHR_materials_unlit"));
}

TEST_CASE("a debug mesh opens again, and has no skin", "[debug][io]")
{
    const Written w;
    w.write({square()});
    CHECK(load(w.folder / "seen.glb").characters.empty());
}

TEST_CASE("a skin without triangles still has its lines", "[debug][io]")
{
    const Written w;
    DebugRig rig = square();
    rig.triangles.clear();
    const GlbParts glb = w.write({rig});
    CHECK_FALSE(named(glb.json, "nodes", "first: skin").contains("mesh"));
    CHECK(named(glb.json, "meshes", "second: skin")["primitives"].size() == 1);
}

TEST_CASE("a debug mesh is refused where it would replace the input, promise a .gltf, or show nothing", "[debug][io]")
{
    const Written w;
    const ByteList before = read_bytes(w.folder / "strip.glb");
    std::filesystem::create_symlink(w.folder / "strip.glb", w.folder / "link.glb");
    const auto refusal = [&](const std::vector<DebugRig>& rigs, const std::string& name) -> std::string {
        try {
            write_debug_mesh(w.loaded, rigs, w.folder / name);
        } catch (const Error& error) {
            return error.what();
        }
        return "written";
    };
    CHECK_THAT(refusal({square()}, "strip.glb"), Contains("replace the input"));
    CHECK_THAT(refusal({square()}, "link.glb"), Contains("replace the input"));
    CHECK_THAT(refusal({square()}, "seen.gltf"), Contains("name it .glb"));
    CHECK_THAT(refusal({}, "seen.glb"), Contains("no skinned mesh"));
    CHECK(read_bytes(w.folder / "strip.glb") == before);
    CHECK(everything_in(w.folder.path()) == std::vector<std::string>{"link.glb", "strip.glb"});
}
