// Real files, where the models folder is there (it is not part of the project).
#include <tailfix/io/load.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>

#include "support/catch.h"
#include "support/glb.h"

#include <tailfix/error.h>
#include <tailfix/io/write.h>

using namespace tailfix;
using namespace tailfix::test;
namespace fs = std::filesystem;

namespace {

std::optional<fs::path> models()
{
    const char* named = std::getenv("TAILFIX_MODELS");
    const fs::path folder = named ? fs::path(named) : fs::path(TAILFIX_SOURCE_DIR) / "../shared/models";
    if (fs::is_directory(folder)) return folder;
    WARN("skipped: no models in " << folder.string() << " (set TAILFIX_MODELS)");
    return std::nullopt;
}

bool is_model(const fs::path& path)
{
    return path.extension() == ".glb" || path.extension() == ".vrm" || path.extension() == ".gltf";
}

} // namespace

TEST_CASE("every real model is read, or the compression it needs is named", "[load][models]")
{
    const auto folder = models();
    if (!folder) return;
    for (const char* part : {"auto-rigged", "stripped", "own-tail", "no-tail", "odd"})
        for (const auto& entry : fs::recursive_directory_iterator(*folder / part)) {
            if (!is_model(entry.path())) continue;
            INFO(entry.path().string());
            const std::string name = entry.path().filename().string();
            if (name == "astronaut.draco.glb" || name == "mouse-jerry.meshopt.glb") {
                CHECK_THROWS_WITH(load(entry.path()), Catch::Contains("compression"));
            } else {
                const Loaded loaded = load(entry.path());
                CHECK_FALSE(loaded.characters.empty());
                for (const Character& c : loaded.characters) {
                    CHECK(c.mesh.vertex_count() > 0);
                    CHECK(c.node_order.size() == c.nodes.size());
                    CHECK(c.mesh.first_influence.size() == c.mesh.positions.size() + 1);
                }
            }
        }
}

TEST_CASE("valid files are read, and invalid ones are never misread", "[load][models]")
{
    const auto folder = models();
    if (!folder) return;
    std::ifstream list(*folder / "broken/expected.tsv");
    std::string line;
    std::getline(list, line);
    int files = 0;
    while (std::getline(list, line)) {
        const std::string name = line.substr(0, line.find('\t'));
        const bool valid = line.find("\tvalid") != std::string::npos;
        INFO(line);
        ++files;
        try {
            const Loaded loaded = load(*folder / "broken" / name);
            // The fault, if any, lies in what tailfix does not read: no character came of it.
            if (!valid) CHECK(loaded.characters.empty());
        } catch (const Error& error) {
            CHECK_FALSE(valid);
            CHECK((error.kind == Failure::Unreadable || error.kind == Failure::Invalid ||
                   error.kind == Failure::Unsupported));
        }
    }
    CHECK(files > 50);
}

TEST_CASE("writing a real model with nothing to add keeps its JSON and its bytes", "[write][models]")
{
    const auto folder = models();
    if (!folder) return;
    const TemporaryFolder out;
    for (const char* name :
         {"auto-rigged/unicorn.vrm", "no-tail/cape.vrm", "odd/tentacle-840-joints.glb", "no-tail/king.glb"}) {
        INFO(name);
        write_fixed(load(*folder / name), {}, out / "out.glb");
        const GlbParts a = split(read_bytes(*folder / name)), b = split(read_bytes(out / "out.glb"));
        CHECK(a.json == b.json);
        CHECK(a.bin == b.bin);
    }
}
