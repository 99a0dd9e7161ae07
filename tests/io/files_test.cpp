// Containers and files: what is written where, and what never happens to a file.
#include <tailfix/io/write.h>

#include <algorithm>
#include <filesystem>
#include <functional>

#include "support/catch.h"
#include "support/glb.h"

#include <tailfix/error.h>

using namespace tailfix;
using namespace tailfix::test;
namespace fs = std::filesystem;

namespace {

std::vector<std::string> listing(const fs::path& folder)
{
    std::vector<std::string> names;
    for (const auto& entry : fs::recursive_directory_iterator(folder))
        if (entry.is_regular_file()) names.push_back(fs::relative(entry.path(), folder).generic_string());
    std::sort(names.begin(), names.end());
    return names;
}

Gltf strip_beside(const TemporaryFolder& folder)
{
    Gltf gltf = skinned_strip();
    gltf.json["buffers"][0]["byteLength"] = gltf.bin.size();
    gltf.json["buffers"][0]["uri"] = "data/strip.bin";
    gltf.json["images"] = {{{"uri", "skin.png"}}, {{"uri", "missing.png"}}, {{"uri", "../outside.png"}}};
    folder.put("data/strip.bin", gltf.bin);
    folder.put("skin.png", std::string_view("not decoded"));
    folder.put("strip.gltf", std::string_view(gltf.json.dump(4)));
    return gltf;
}

Failure failure_of(const std::function<void()>& action)
{
    try {
        action();
    } catch (const Error& error) {
        return error.kind;
    }
    FAIL("nothing was thrown");
    return {};
}

void write_with_tail(const Loaded& loaded, const fs::path& output)
{
    const Rigged rigged = strip_with_tail(loaded.characters.at(0));
    write_fixed(loaded, {{&rigged, nullptr}}, output);
}

} // namespace

TEST_CASE("a glTF stays one: its files beside it, its own bytes as they were, and one buffer more", "[write][files]")
{
    const TemporaryFolder folder;
    const Gltf gltf = strip_beside(folder);
    write_with_tail(load(folder / "strip.gltf"), folder / "out/deep/strip.gltf");
    CHECK(listing(folder / "out/deep") ==
          std::vector<std::string>{"data/strip.bin", "skin.png", "strip.bin", "strip.gltf"});
    CHECK(read_bytes(folder / "out/deep/data/strip.bin") == gltf.bin);
    const ByteList text = read_bytes(folder / "out/deep/strip.gltf");
    const std::string json(reinterpret_cast<const char*>(text.data()), text.size());
    CHECK(json.substr(0, 7) == "{\n    \"");
    const Json document = Json::parse(json);
    REQUIRE(document["buffers"].size() == 2);
    CHECK(document["buffers"][0] == gltf.json["buffers"][0]);
    CHECK(load(folder / "out/deep/strip.gltf").characters.at(0).joints.size() == 5);
}

TEST_CASE("a glTF with its data inside keeps it there, and what is added too", "[write][files]")
{
    const TemporaryFolder folder;
    Gltf gltf = skinned_strip();
    gltf.json["buffers"][0] = {{"byteLength", 4}, {"uri", "data:application/octet-stream;base64,AAAAAA=="}};
    gltf.json.erase("bufferViews");
    for (Json& accessor : gltf.json["accessors"]) accessor.erase("bufferView"); // all zeros
    gltf.json["skins"][0].erase("inverseBindMatrices");
    gltf.json.erase("animations");
    folder.put("strip.gltf", std::string_view(gltf.json.dump()));
    write_with_tail(load(folder / "strip.gltf"), folder / "out/strip.gltf");
    CHECK(listing(folder / "out") == std::vector<std::string>{"strip.gltf"});
    const Character c = load(folder / "out/strip.gltf").characters.at(0);
    CHECK(c.joints.size() == 5);
    CHECK(c.mesh.influences.at(0).weight == Approx(0.7));
}

TEST_CASE("a glTF packs into a GLB and unpacks again", "[write][files]")
{
    const TemporaryFolder folder;
    Gltf gltf = skinned_strip();
    gltf.json["buffers"][0] = {{"byteLength", gltf.bin.size()}, {"uri", "strip.bin"}};
    folder.put("strip.bin", gltf.bin);
    folder.put("strip.gltf", std::string_view(gltf.text()));
    write_with_tail(load(folder / "strip.gltf"), folder / "packed.glb");
    write_with_tail(load(folder / "strip.gltf"), folder / "same.gltf");
    CHECK(fs::exists(folder / "same.bin"));

    SECTION("packed into a GLB it needs no file, and its bytes come first")
    {
        const GlbParts parts = split(read_bytes(folder / "packed.glb"));
        CHECK_FALSE(parts.json["buffers"][0].contains("uri"));
        CHECK(std::equal(gltf.bin.begin(), gltf.bin.end(), parts.bin.begin()));
        fs::remove(folder / "strip.bin");
        CHECK(load(folder / "packed.glb").characters.at(0).joints.size() == 5);
    }
    SECTION("unpacked again it has a file of its own")
    {
        const TemporaryFolder other;
        write_fixed(load(folder / "packed.glb"), {}, other / "open.gltf");
        CHECK(listing(other.path()) == std::vector<std::string>{"open.bin", "open.gltf"});
        CHECK(load(other / "open.gltf").characters.at(0).joints.size() == 5);
    }
}

TEST_CASE("several buffers are packed behind one another", "[write][files]")
{
    const TemporaryFolder folder;
    Gltf gltf = skinned_strip();
    // The first five bytes of the second buffer are another's; the views of the last accessors move there.
    ByteList second(8, std::byte{7});
    Json& views = gltf.json["bufferViews"];
    for (Json& view : views) {
        if (view["byteOffset"] == 0) continue;
        view["buffer"] = 1;
        view["byteOffset"] = view["byteOffset"].get<std::size_t>() + second.size();
    }
    second.insert(second.end(), gltf.bin.begin(), gltf.bin.end());
    gltf.json["buffers"] = {{{"byteLength", gltf.bin.size()}, {"uri", "a.bin"}},
                            {{"byteLength", second.size()}, {"uri", "b.bin"}}};
    folder.put("a.bin", gltf.bin);
    folder.put("b.bin", second);
    folder.put("strip.gltf", std::string_view(gltf.json.dump()));
    const Loaded before = load(folder / "strip.gltf");
    const TemporaryFolder other;
    write_with_tail(before, other / "strip.glb");
    const Loaded after = load(other / "strip.glb");
    CHECK(after.characters.at(0).mesh.positions == before.characters.at(0).mesh.positions);
    CHECK(after.characters.at(0).clips.at(0).tracks.at(0).values ==
          before.characters.at(0).clips.at(0).tracks.at(0).values);
    CHECK(listing(other.path()) == std::vector<std::string>{"strip.glb"});
}

TEST_CASE("a copy is the input byte for byte, with its side files", "[write][files]")
{
    const TemporaryFolder folder;
    const ByteList glb = skinned_strip().glb();
    write_copy(load(folder.put("strip.glb", glb)), folder / "out/strip.vrm");
    CHECK(read_bytes(folder / "out/strip.vrm") == glb);

    strip_beside(folder);
    write_copy(load(folder / "strip.gltf"), folder / "copy/strip.gltf");
    CHECK(listing(folder / "copy") == std::vector<std::string>{"data/strip.bin", "skin.png", "strip.gltf"});
    CHECK(read_bytes(folder / "copy/strip.gltf") == read_bytes(folder / "strip.gltf"));
}

TEST_CASE("the output is never the input, under whatever name", "[write][files]")
{
    const TemporaryFolder folder;
    const fs::path input = folder.put("strip.glb", skinned_strip().glb());
    const ByteList before = read_bytes(input);
    fs::create_symlink(input, folder / "link.glb");
    fs::create_hard_link(input, folder / "hard.glb");
    const Loaded loaded = load(input);
    fs::create_directory(folder / "x");
    const fs::path output = folder / GENERATE("strip.glb", "link.glb", "hard.glb", "x/../strip.glb");
    CHECK(failure_of([&] { write_with_tail(loaded, output); }) == Failure::Usage);
    CHECK(failure_of([&] { write_copy(loaded, output); }) == Failure::Usage);
    CHECK(read_bytes(input) == before);
}

TEST_CASE("an output that replaces the input's own buffer is refused", "[write][files]")
{
    const TemporaryFolder folder;
    strip_beside(folder);
    CHECK(failure_of([&] { write_with_tail(load(folder / "strip.gltf"), folder / "data/strip.bin"); }) ==
          Failure::Usage);
}

TEST_CASE("a failure to write leaves nothing behind", "[write][files]")
{
    const TemporaryFolder folder;
    strip_beside(folder);
    const Loaded loaded = load(folder / "strip.gltf");
    SECTION("a file where a folder should be")
    {
        folder.put("out", std::string_view("a file"));
        CHECK(failure_of([&] { write_with_tail(loaded, folder / "out/strip.gltf"); }) == Failure::Unwritable);
        CHECK(fs::is_regular_file(folder / "out"));
    }
    SECTION("a folder where the file should be")
    {
        fs::create_directories(folder / "out/strip.gltf");
        CHECK(failure_of([&] { write_with_tail(loaded, folder / "out/strip.gltf"); }) == Failure::Unwritable);
        CHECK(listing(folder / "out").empty());
    }
    SECTION("another model's file in the way of a side file")
    {
        folder.put("out/skin.png", std::string_view("another's"));
        CHECK(failure_of([&] { write_with_tail(loaded, folder / "out/strip.gltf"); }) == Failure::Unwritable);
        CHECK(listing(folder / "out") == std::vector<std::string>{"skin.png"});
    }
    SECTION("in a folder that had to be made")
    {
        CHECK(failure_of([&] { write_with_tail(loaded, folder / ("new/" + std::string(300, 'n') + ".gltf")); }) ==
              Failure::Unwritable);
        CHECK_FALSE(fs::exists(folder / "new"));
    }
}

TEST_CASE("an existing output is replaced whole", "[write][files]")
{
    const TemporaryFolder folder;
    const Loaded loaded = load(folder.put("strip.glb", skinned_strip().glb()));
    folder.put("out.glb", std::string_view("an older output"));
    write_with_tail(loaded, folder / "out.glb");
    CHECK(load(folder / "out.glb").characters.at(0).joints.size() == 5);
    CHECK(listing(folder.path()) == std::vector<std::string>{"out.glb", "strip.glb"});
}
