// Files that load() must refuse, and bytes that it must survive.
#include <tailfix/io/load.h>

#include <algorithm>
#include <functional>
#include <limits>
#include <optional>

#include "support/catch.h"
#include "support/glb.h"

#include <tailfix/error.h>

using namespace tailfix;
using namespace tailfix::test;

namespace {

// The failure that loading ends with; none when it succeeds. Anything but an Error leaves the test.
std::optional<Error> error_of(const ByteList& file)
{
    static const TemporaryFolder folder;
    try {
        load(folder.put("strip.glb", file));
    } catch (const Error& error) {
        return error;
    }
    return std::nullopt;
}

std::optional<Error> error_of(const std::string& text)
{
    return error_of(to_bytes(text));
}

struct Fault {
    const char* name;
    const char* says; // part of the message
    std::function<void(Gltf&)> make;
};

Json& attributes(Gltf& g)
{
    return g.json["meshes"][0]["primitives"][0]["attributes"];
}
Json& accessor(Gltf& g, const Json& index)
{
    return g.json["accessors"][index.get<std::size_t>()];
}
Json& accessor_of(Gltf& g, const char* attribute)
{
    return accessor(g, attributes(g)[attribute]);
}
Json& indices(Gltf& g)
{
    return accessor(g, g.json["meshes"][0]["primitives"][0]["indices"]);
}
Json& sampler(Gltf& g)
{
    return g.json["animations"][0]["samplers"][0];
}

// Overwrites one number of an accessor in a view of its own.
void poke(Gltf& g, const Json& accessor, std::size_t at, double number)
{
    const int component = accessor["componentType"].get<int>();
    ByteList bytes;
    append_number(bytes, number, component);
    const std::size_t begin =
        g.json["bufferViews"][accessor["bufferView"].get<std::size_t>()]["byteOffset"].get<std::size_t>();
    std::copy(bytes.begin(), bytes.end(), g.bin.begin() + static_cast<std::ptrdiff_t>(begin + at * bytes.size()));
}

void sparse(Gltf& g, const std::vector<double>& where, std::size_t count)
{
    const int at = g.add_numbers(where, kU16, "SCALAR");
    const int values = g.add_numbers(std::vector<double>(4 * where.size(), 0.25), kFloat, "VEC4");
    accessor_of(g, "WEIGHTS_0")["sparse"] = {
        {"count", count},
        {"indices",
         {{"bufferView", g.json["accessors"][static_cast<std::size_t>(at)]["bufferView"]}, {"componentType", kU16}}},
        {"values", {{"bufferView", g.json["accessors"][static_cast<std::size_t>(values)]["bufferView"]}}}};
}

const double kInf = std::numeric_limits<double>::infinity();

const std::vector<Fault> kFaults = {
    {"no asset", "asset", [](Gltf& g) { g.json.erase("asset"); }},
    {"no accessors that are named", "accessors",
     [](Gltf& g) {
         g.json["accessors"].erase(0);
         g.json["skins"][0]["inverseBindMatrices"] = 99;
     }},
    {"child that is not there", "children", [](Gltf& g) { g.json["nodes"][1]["children"] = {99}; }},
    {"negative child", "children", [](Gltf& g) { g.json["nodes"][1]["children"] = {-1}; }},
    {"child that is a string", "children", [](Gltf& g) { g.json["nodes"][1]["children"] = {"2"}; }},
    {"cycle", "ancestor", [](Gltf& g) { g.json["nodes"][3]["children"] = {1}; }},
    {"its own child", "ancestor", [](Gltf& g) { g.json["nodes"][0]["children"] = {0}; }},
    {"two parents", "child of node", [](Gltf& g) { g.json["nodes"][0]["children"] = {2}; }},
    {"matrix and rotation", "matrix", [](Gltf& g) { g.json["nodes"][2]["matrix"] = std::vector<double>(16, 1); }},
    {"rotation that is not unit", "length",
     [](Gltf& g) {
         g.json["nodes"][2]["rotation"] = {1, 1, 1, 1};
     }},
    {"translation of two numbers", "translation",
     [](Gltf& g) {
         g.json["nodes"][2]["translation"] = {1, 1};
     }},
    {"skin without joints", "no joints", [](Gltf& g) { g.json["skins"][0]["joints"] = Json::array(); }},
    {"joint that is not a node", "joints",
     [](Gltf& g) {
         g.json["skins"][0]["joints"] = {1, 50};
     }},
    {"fewer matrices than joints", "inverse bind",
     [](Gltf& g) {
         g.json["skins"][0]["joints"] = {1, 2, 3};
     }},
    {"matrices of shorts", "inverse bind",
     [](Gltf& g) { accessor(g, g.json["skins"][0]["inverseBindMatrices"])["componentType"] = kU16; }},
    {"matrix that is flat", "(\"Spine\"): inverse bind matrix is not invertible",
     [](Gltf& g) { poke(g, accessor(g, g.json["skins"][0]["inverseBindMatrices"]), 16, 0); }},
    {"matrix that is not finite", "inverse bind matrix is not finite",
     [](Gltf& g) { poke(g, accessor(g, g.json["skins"][0]["inverseBindMatrices"]), 16, kInf); }},
    {"position that is not finite", "POSITION of vertex 1",
     [](Gltf& g) { poke(g, accessor_of(g, "POSITION"), 3, kInf); }},
    {"positions past their view", "pass the end", [](Gltf& g) { accessor_of(g, "POSITION")["count"] = 9; }},
    {"a count that overflows", "pass the end", [](Gltf& g) { accessor_of(g, "POSITION")["count"] = 1ull << 53; }},
    {"an offset that overflows", "pass the end",
     [](Gltf& g) { accessor_of(g, "POSITION")["byteOffset"] = 1ull << 53; }},
    {"a count beyond whole numbers", "whole number",
     [](Gltf& g) { accessor_of(g, "POSITION")["count"] = 18446744073709551615ull; }},
    {"zeros without end", "without a buffer view",
     [](Gltf& g) {
         accessor_of(g, "POSITION").erase("bufferView");
         accessor_of(g, "POSITION")["count"] = 4'000'000'000ull;
     }},
    {"positions of doubles", "component type", [](Gltf& g) { accessor_of(g, "POSITION")["componentType"] = 5130; }},
    {"quantized positions, undeclared", "component type",
     [](Gltf& g) { accessor_of(g, "POSITION")["componentType"] = kU16; }},
    {"joints of floats", "component type", [](Gltf& g) { accessor_of(g, "JOINTS_0")["componentType"] = kFloat; }},
    {"weights of unsigned ints", "component type",
     [](Gltf& g) { accessor_of(g, "WEIGHTS_0")["componentType"] = kU32; }},
    {"weights of three numbers", "type", [](Gltf& g) { accessor_of(g, "WEIGHTS_0")["type"] = "VEC3"; }},
    {"fewer weights than vertices", "elements for 8 vertices",
     [](Gltf& g) { accessor_of(g, "WEIGHTS_0")["count"] = 7; }},
    {"joints without weights", "without", [](Gltf& g) { attributes(g).erase("WEIGHTS_0"); }},
    {"a joint past the skin", "names joint 9", [](Gltf& g) { poke(g, accessor_of(g, "JOINTS_0"), 0, 9); }},
    {"an index past the vertices", "names vertex 8", [](Gltf& g) { poke(g, indices(g), 3, 8); }},
    {"primitive restart", "names vertex 65535", [](Gltf& g) { poke(g, indices(g), 3, 65535); }},
    {"indices of floats", "component type", [](Gltf& g) { indices(g)["componentType"] = kFloat; }},
    {"sparse index past the count", "sparse index",
     [](Gltf& g) {
         sparse(g, {3, 8}, 2);
     }},
    {"sparse indices that fall", "do not ascend",
     [](Gltf& g) {
         sparse(g, {3, 2}, 2);
     }},
    {"sparse indices that repeat", "do not ascend",
     [](Gltf& g) {
         sparse(g, {3, 3}, 2);
     }},
    {"more sparse values than there are", "pass the end",
     [](Gltf& g) {
         sparse(g, {3, 4}, 3);
     }},
    {"view past its buffer", "pass the end of buffer 0",
     [](Gltf& g) { g.json["bufferViews"][0]["byteLength"] = 1'000'000; }},
    {"view that overflows", "pass the end of buffer 0",
     [](Gltf& g) { g.json["bufferViews"][1]["byteOffset"] = 1ull << 53; }},
    {"stride less than an element", "byteStride 4", [](Gltf& g) { g.json["bufferViews"][0]["byteStride"] = 4; }},
    {"buffer longer than the file", "byteLength",
     [](Gltf& g) { g.json["buffers"][0]["byteLength"] = g.bin.size() + 4; }},
    {"times that fall", "comes before", [](Gltf& g) { poke(g, accessor(g, sampler(g)["input"]), 1, 2); }},
    {"a negative time", "negative time", [](Gltf& g) { poke(g, accessor(g, sampler(g)["input"]), 0, -1); }},
    {"a time that is not finite", "not finite", [](Gltf& g) { poke(g, accessor(g, sampler(g)["input"]), 2, kInf); }},
    {"a rotation key that is not finite", "not finite",
     [](Gltf& g) { poke(g, accessor(g, sampler(g)["output"]), 2, kInf); }},
    {"fewer outputs than keys", "outputs for 3 keys", [](Gltf& g) { accessor(g, sampler(g)["output"])["count"] = 2; }},
    {"one output per key of a spline", "outputs for 3 keys",
     [](Gltf& g) { sampler(g)["interpolation"] = "CUBICSPLINE"; }},
    {"unknown interpolation", "interpolation", [](Gltf& g) { sampler(g)["interpolation"] = "EASE"; }},
    {"a channel of no sampler", "sampler", [](Gltf& g) { g.json["animations"][0]["channels"][0]["sampler"] = 7; }},
    {"a channel of no node", "node", [](Gltf& g) { g.json["animations"][0]["channels"][0]["target"]["node"] = 70; }},
};

} // namespace

TEST_CASE("a fault in what is read is refused, by the thing and the rule", "[load][refuse]")
{
    const std::size_t at = GENERATE(range(std::size_t{0}, kFaults.size()));
    const Fault& fault = kFaults[at];
    Gltf gltf = skinned_strip();
    fault.make(gltf);
    INFO(fault.name);
    const auto error = error_of(gltf.glb());
    REQUIRE(error);
    INFO(error->what());
    CHECK(error->kind == Failure::Invalid);
    CHECK(std::string(error->what()).find(fault.says) != std::string::npos);
}

TEST_CASE("JSON that cannot be written back as it was is not read", "[load][refuse]")
{
    const std::string good = skinned_strip().text();
    const std::string deep = std::string(100'000, '[') + std::string(100'000, ']');
    std::string many = "{\"asset\":{\"version\":\"2.0\"},\"extras\":{";
    for (int i = 0; i < 200'000; ++i)
        many += "\"" + std::to_string(i) + "\":0,"; // 2e10 comparisons, taken pair by pair
    const auto with_extras = [&](const std::string& extras) { return "{\"extras\":" + extras + "," + good.substr(1); };
    REQUIRE_FALSE(error_of(pack_glb(with_extras("[]"), skinned_strip().bin)));
    for (const std::string& text :
         {std::string(), std::string("{"), std::string("[]x"), "\xEF\xBB\xBF" + good, with_extras(deep),
          with_extras("{\"a\":1,\"a\":1}"), with_extras("\"\xff\""), with_extras("\"\\ud800\""), with_extras("1e999"),
          many + "\"7\":0}}", good + good, std::string("not JSON at all")}) {
        const auto error = error_of(text);
        REQUIRE(error);
        CHECK(error->kind == Failure::Unreadable);
    }
}

TEST_CASE("a buffer is only read from beside the file", "[load][refuse]")
{
    const std::string uri = GENERATE("../strip.bin", "/etc/hostname", "a/../../strip.bin", "%2e%2e/strip.bin",
                                     "file:///etc/hostname", "http://example.com/strip.bin", "..%5Cstrip.bin", "",
                                     "data:,x", "data:application/octet-stream;base64,A",
                                     "data:application/octet-stream;base64,A*==", "data:image/png;base64,AAAA");
    Gltf gltf = skinned_strip();
    gltf.json["buffers"][0] = {{"byteLength", gltf.bin.size()}, {"uri", uri}};
    const auto error = error_of(gltf.text());
    REQUIRE(error);
    CHECK(error->kind == Failure::Invalid);
}

TEST_CASE("a file or buffer that is not there cannot be read", "[load][refuse]")
{
    const TemporaryFolder folder;
    CHECK_THROWS_AS(load(folder / "none.glb"), Error);
    CHECK_THROWS_AS(load(folder.path()), Error);
    Gltf gltf = skinned_strip();
    gltf.json["buffers"][0] = {{"byteLength", gltf.bin.size()}, {"uri", "none.bin"}};
    const auto error = error_of(gltf.text());
    REQUIRE(error);
    CHECK(error->kind == Failure::Unreadable);
    CHECK(std::string(error->what()).find("none.bin") != std::string::npos);
}

TEST_CASE("what this build cannot decode is named", "[load][refuse]")
{
    Gltf gltf = skinned_strip();
    std::string name;
    SECTION("Draco")
    {
        name = "KHR_draco_mesh_compression";
        gltf.json["meshes"][0]["primitives"][0]["extensions"][name] = {{"bufferView", 0},
                                                                       {"attributes", Json::object()}};
        for (auto& [key, index] : attributes(gltf).items()) accessor(gltf, index).erase("bufferView");
        indices(gltf).erase("bufferView");
        gltf.json["extensionsRequired"] = {name};
    }
    SECTION("meshopt")
    {
        name = GENERATE("EXT_meshopt_compression", "KHR_meshopt_compression");
        gltf.json["buffers"].push_back({{"byteLength", 1000}});
        gltf.json["bufferViews"][0] = {{"buffer", 1}, {"byteLength", 96}, {"extensions", {{name, {{"buffer", 0}}}}}};
        gltf.json["extensionsRequired"] = {name};
    }
    SECTION("something not heard of")
    {
        name = "ACME_bones";
        gltf.json["extensionsRequired"] = {name};
    }
    const auto error = error_of(gltf.glb());
    REQUIRE(error);
    CHECK(error->kind == Failure::Unsupported);
    CHECK(std::string(error->what()).find(name) != std::string::npos);
}

TEST_CASE("an extension that leaves rig and clips alone is no obstacle", "[load]")
{
    Gltf gltf = skinned_strip();
    gltf.json["extensionsRequired"] = {"KHR_materials_unlit", "KHR_texture_transform", "EXT_texture_webp", "VRMC_vrm"};
    CHECK_FALSE(error_of(gltf.glb()));
}

TEST_CASE("a truncated file is refused, at whatever length", "[load][refuse]")
{
    const ByteList whole = skinned_strip().glb();
    for (std::size_t size = 0; size < whole.size(); size += size < 64 || size + 64 > whole.size() ? 1 : 7)
        if (!error_of(ByteList(whole.begin(), whole.begin() + static_cast<std::ptrdiff_t>(size))))
            FAIL("read at length " << size);
}

TEST_CASE("any byte may be wrong: the file is read or refused", "[load][refuse]")
{
    StripOptions options;
    options.sparse = true;
    const ByteList whole = skinned_strip(options).glb();
    int read = 0, refused = 0;
    for (std::size_t at = 0; at < whole.size(); ++at)
        for (const std::byte value : {whole[at] ^ std::byte{1}, at % 2 == 0 ? std::byte{'9'} : std::byte{0xFF}}) {
            ByteList bad = whole;
            bad[at] = value;
            if (error_of(bad))
                ++refused;
            else
                ++read;
        }
    // Both happen: names and positions may change, structure may not.
    CHECK(read > 0);
    CHECK(refused > read / 10);
}
