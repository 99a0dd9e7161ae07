// Small glTF files built in code, and a folder to put them in.
#pragma once

#include <cstddef>
#include <cstdint>
#include <cstring>
#include <filesystem>
#include <string>
#include <string_view>
#include <vector>

#include <nlohmann/json.hpp>

#include <tailfix/character.h>
#include <tailfix/rig/rest_pose.h>

namespace tailfix::test {

using Json = nlohmann::ordered_json;
using ByteList = std::vector<std::byte>;

// glTF's numbers.
inline constexpr int kU8 = 5121, kU16 = 5123, kU32 = 5125, kFloat = 5126;

// A document and its buffer while they are built.
struct Gltf {
    Json json;
    ByteList bin;

    int add_view(const ByteList& bytes, int stride = 0);
    int add_accessor(int view, int component, std::size_t count, const char* type, std::size_t offset = 0);
    // In a view of its own. Numbers are converted to the component type; `normalized` ones are given as stored.
    int add_numbers(const std::vector<double>& numbers, int component, const char* type, bool normalized = false);

    std::string text() const; // the JSON with the buffer's length filled in
    ByteList glb() const;
};

ByteList pack_glb(std::string_view json, const ByteList& bin);
void append_number(ByteList& bytes, double number, int component);

// How the skinned strip stores its vertices.
struct StripOptions {
    int joints = kU8;
    int weights = kFloat;
    int indices = kU16; // 0: none
    int sets = 1;
    bool interleaved = false;  // POSITION, JOINTS_0 and WEIGHTS_0 in one view with a stride
    bool sparse = false;       // WEIGHTS_0 of the last vertex by sparse substitution
    bool inverse_binds = true; // false: none in the file, and the joints bind at the origin
    bool clip = true;
};

// A strip of three quads upwards: vertices 2i and 2i + 1 at (-+0.5, i, 0). Nodes: 0 places mesh and skin, 1 "Hips" at
// the origin, 2 "Spine" at (0, 1, 0) below it, 3 "Spine_End" at (0, 3, 0), which is no joint. Vertices 0 to 3 follow
// Hips, 4 and 5 both alike, 6 and 7 Spine. Clip "Nod" turns Spine, 3 keys from 0 to 1 s.
Gltf skinned_strip(const StripOptions& options = {});

// The strip with a chain Tail_1, Tail_2, Tail_End under Hips: vertices 0 and 1 follow Tail_1 (0.7) and Tail_2 (0.3).
Rigged strip_with_tail(const Character& strip);

// A folder of its own that is removed with everything in it.
class TemporaryFolder {
public:
    TemporaryFolder();
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder();

    std::filesystem::path put(const std::string& name, const ByteList& bytes) const;
    std::filesystem::path put(const std::string& name, std::string_view text) const;
    std::filesystem::path operator/(const std::string& name) const { return path_ / name; }
    const std::filesystem::path& path() const { return path_; }

private:
    std::filesystem::path path_;
};

ByteList to_bytes(std::string_view text);
ByteList read_bytes(const std::filesystem::path& path);

// The parts of a GLB, taken apart without the code under test.
struct GlbParts {
    Json json;
    ByteList bin;
    ByteList others;
};
GlbParts split(const ByteList& glb);

} // namespace tailfix::test
