#include "support/glb.h"

#include <fstream>
#include <random>

namespace tailfix::test {
namespace {

template <class Number>
void append(ByteList& bytes, Number value)
{
    const std::size_t end = bytes.size();
    bytes.resize(end + sizeof value);
    std::memcpy(bytes.data() + end, &value, sizeof value);
}

void pad(ByteList& bytes, std::byte filler)
{
    bytes.resize((bytes.size() + 3) / 4 * 4, filler);
}

std::uint32_t u32(const ByteList& bytes, std::size_t at)
{
    std::uint32_t value = 0;
    std::memcpy(&value, bytes.data() + at, sizeof value);
    return value;
}

constexpr int kVertices = 8;

double position_of(int vertex, int axis)
{
    if (axis == 0) return vertex % 2 == 0 ? -0.5 : 0.5;
    return axis == 1 ? vertex / 2 : 0;
}

// Hips to 3, both at 4 and 5, Spine from 6 on; as fractions.
std::vector<double> weights_of(int vertex)
{
    if (vertex < 4) return {1, 0, 0, 0};
    return vertex < 6 ? std::vector<double>{0.5, 0.5, 0, 0} : std::vector<double>{1, 0, 0, 0};
}

std::vector<double> joints_of(int vertex)
{
    if (vertex < 4) return {0, 0, 0, 0};
    return vertex < 6 ? std::vector<double>{0, 1, 0, 0} : std::vector<double>{1, 0, 0, 0};
}

// A weight as the component type stores it. Halves of 255 and 65535 round to one up and one down, so that sums hold.
double stored(double weight, int component, int at)
{
    if (component == kFloat) return weight;
    const int whole = component == kU8 ? 255 : 65535;
    return weight == 0.5 ? whole / 2 + (at == 0 ? 1 : 0) : weight * whole;
}

void add_interleaved(Gltf& gltf, Json& attributes, const StripOptions& options)
{
    ByteList bytes;
    std::size_t joints = 0, weights = 0, stride = 0;
    for (int v = 0; v < kVertices; ++v) {
        const std::size_t begin = bytes.size();
        for (int axis = 0; axis < 3; ++axis) append_number(bytes, position_of(v, axis), kFloat);
        joints = bytes.size() - begin;
        for (const double j : joints_of(v)) append_number(bytes, j, options.joints);
        weights = bytes.size() - begin;
        for (int k = 0; k < 4; ++k)
            append_number(bytes, stored(weights_of(v)[static_cast<std::size_t>(k)], options.weights, k),
                          options.weights);
        stride = bytes.size() - begin;
    }
    const int view = gltf.add_view(bytes, static_cast<int>(stride));
    attributes["POSITION"] = gltf.add_accessor(view, kFloat, kVertices, "VEC3");
    attributes["JOINTS_0"] = gltf.add_accessor(view, options.joints, kVertices, "VEC4", joints);
    attributes["WEIGHTS_0"] = gltf.add_accessor(view, options.weights, kVertices, "VEC4", weights);
    if (options.weights != kFloat) gltf.json["accessors"].back()["normalized"] = true;
}

void add_separate(Gltf& gltf, Json& attributes, const StripOptions& options)
{
    std::vector<double> positions, joints, weights, none;
    for (int v = 0; v < kVertices; ++v) {
        for (int axis = 0; axis < 3; ++axis) positions.push_back(position_of(v, axis));
        for (int k = 0; k < 4; ++k) {
            joints.push_back(joints_of(v)[static_cast<std::size_t>(k)]);
            const double weight = options.sparse && v == kVertices - 1 ? 0 : weights_of(v)[static_cast<std::size_t>(k)];
            weights.push_back(stored(weight, options.weights, k));
            none.push_back(0);
        }
    }
    const bool normalized = options.weights != kFloat;
    attributes["POSITION"] = gltf.add_numbers(positions, kFloat, "VEC3");
    attributes["JOINTS_0"] = gltf.add_numbers(joints, options.joints, "VEC4");
    attributes["WEIGHTS_0"] = gltf.add_numbers(weights, options.weights, "VEC4", normalized);
    for (int set = 1; set < options.sets; ++set) {
        attributes["JOINTS_" + std::to_string(set)] = gltf.add_numbers(none, options.joints, "VEC4");
        attributes["WEIGHTS_" + std::to_string(set)] = gltf.add_numbers(none, options.weights, "VEC4", normalized);
    }
    if (!options.sparse) return;
    ByteList index, value;
    append_number(index, kVertices - 1, kU16);
    for (int k = 0; k < 4; ++k) append_number(value, stored(k == 0 ? 1 : 0, options.weights, k), options.weights);
    const int indices = gltf.add_view(index), values = gltf.add_view(value);
    gltf.json["accessors"][attributes["WEIGHTS_0"].get<std::size_t>()]["sparse"] = {
        {"count", 1},
        {"indices", {{"bufferView", indices}, {"componentType", kU16}}},
        {"values", {{"bufferView", values}}}};
}

} // namespace

void append_number(ByteList& bytes, double number, int component)
{
    switch (component) {
    case kU8:
        append(bytes, static_cast<std::uint8_t>(number));
        break;
    case kU16:
        append(bytes, static_cast<std::uint16_t>(number));
        break;
    case kU32:
        append(bytes, static_cast<std::uint32_t>(number));
        break;
    default:
        append(bytes, static_cast<float>(number));
    }
}

int Gltf::add_view(const ByteList& bytes, int stride)
{
    pad(bin, std::byte{0});
    Json view = {{"buffer", 0}, {"byteOffset", bin.size()}, {"byteLength", bytes.size()}};
    if (stride > 0) view["byteStride"] = stride;
    bin.insert(bin.end(), bytes.begin(), bytes.end());
    json["bufferViews"].push_back(view);
    return static_cast<int>(json["bufferViews"].size()) - 1;
}

int Gltf::add_accessor(int view, int component, std::size_t count, const char* type, std::size_t offset)
{
    Json accessor = {{"bufferView", view}, {"componentType", component}, {"count", count}, {"type", type}};
    if (offset > 0) accessor["byteOffset"] = offset;
    json["accessors"].push_back(accessor);
    return static_cast<int>(json["accessors"].size()) - 1;
}

int Gltf::add_numbers(const std::vector<double>& numbers, int component, const char* type, bool normalized)
{
    ByteList bytes;
    for (const double number : numbers) append_number(bytes, number, component);
    const std::string name = type;
    const std::size_t width = name == "SCALAR" ? 1 : name == "VEC3" ? 3 : name == "VEC4" ? 4 : 16;
    const int accessor = add_accessor(add_view(bytes), component, numbers.size() / width, type);
    if (normalized) json["accessors"].back()["normalized"] = true;
    return accessor;
}

std::string Gltf::text() const
{
    Json whole = json;
    if (!bin.empty() && !whole["buffers"][0].contains("byteLength")) whole["buffers"][0]["byteLength"] = bin.size();
    return whole.dump();
}

ByteList Gltf::glb() const
{
    return pack_glb(text(), bin);
}

ByteList pack_glb(std::string_view json, const ByteList& bin)
{
    ByteList text = to_bytes(json), data = bin, glb;
    pad(text, std::byte{' '});
    pad(data, std::byte{0});
    const std::size_t size = 12 + 8 + text.size() + (data.empty() ? 0 : 8 + data.size());
    for (const std::uint32_t word :
         {0x46546C67u, 2u, static_cast<std::uint32_t>(size), static_cast<std::uint32_t>(text.size()), 0x4E4F534Au})
        append(glb, word);
    glb.insert(glb.end(), text.begin(), text.end());
    if (data.empty()) return glb;
    append(glb, static_cast<std::uint32_t>(data.size()));
    append(glb, 0x004E4942u);
    glb.insert(glb.end(), data.begin(), data.end());
    return glb;
}

Gltf skinned_strip(const StripOptions& options)
{
    Gltf gltf;
    gltf.json = Json::parse(R"({
        "asset": {"version": "2.0", "generator": "tests"},
        "scene": 0,
        "scenes": [{"nodes": [0, 1]}],
        "nodes": [{"name": "Body", "mesh": 0, "skin": 0, "extras": {"kept": [], "number": 1e-7}},
                  {"name": "Hips", "children": [2]},
                  {"name": "Spine", "translation": [0, 1, 0], "rotation": [0.0, 0.0, 0.0, 1.0], "children": [3]},
                  {"name": "Spine_End", "translation": [0, 2, 0]}],
        "skins": [{"joints": [1, 2]}],
        "buffers": [{}], "bufferViews": [], "accessors": []})");
    Json attributes = Json::object();
    if (options.interleaved)
        add_interleaved(gltf, attributes, options);
    else
        add_separate(gltf, attributes, options);
    Json primitive = {{"attributes", attributes}};
    const std::vector<double> corners = {0, 1, 3, 0, 3, 2, 2, 3, 5, 2, 5, 4, 4, 5, 7, 4, 7, 6};
    if (options.indices != 0) primitive["indices"] = gltf.add_numbers(corners, options.indices, "SCALAR");
    gltf.json["meshes"] = Json::array({{{"primitives", Json::array({primitive})}}});

    if (options.inverse_binds) {
        std::vector<double> matrices(32, 0);
        for (std::size_t k = 0; k < 4; ++k) matrices[5 * k] = matrices[16 + 5 * k] = 1;
        matrices[16 + 13] = -1; // Spine is at (0, 1, 0)
        gltf.json["skins"][0]["inverseBindMatrices"] = gltf.add_numbers(matrices, kFloat, "MAT4");
    }
    if (options.clip) {
        const int input = gltf.add_numbers({0, 0.5, 1}, kFloat, "SCALAR");
        gltf.json["accessors"].back()["min"] = {0.0};
        gltf.json["accessors"].back()["max"] = {1.0};
        const int output = gltf.add_numbers({0, 0, 0, 1, 0, 0, 0.6, 0.8, 0, 0, 0, 1}, kFloat, "VEC4");
        gltf.json["animations"] = Json::array(
            {{{"name", "Nod"},
              {"samplers", Json::array({{{"input", input}, {"output", output}}})},
              {"channels", Json::array({{{"sampler", 0}, {"target", {{"node", 2}, {"path", "rotation"}}}}})}}});
    }
    return gltf;
}

Rigged strip_with_tail(const Character& strip)
{
    Rigged rigged;
    rigged.character = strip;
    Character& c = rigged.character;
    rigged.first_new_node = static_cast<int>(c.nodes.size());
    rigged.first_new_joint = static_cast<int>(c.joints.size());
    int parent_node = 1, parent_joint = 0;
    const Eigen::Vector3d step(0, 0, -0.5);
    for (int k = 1; k <= 3; ++k) {
        Node node;
        node.name = k < 3 ? "Tail_" + std::to_string(k) : "Tail_End";
        node.parent = parent_node;
        node.translation = step;
        parent_node = static_cast<int>(c.nodes.size());
        c.nodes.push_back(node);
        c.node_order.push_back(parent_node);
        Joint joint;
        joint.name = node.name;
        joint.node = parent_node;
        joint.parent = parent_joint;
        joint.bind_from_joint.topRightCorner<3, 1>() = k * step;
        parent_joint = static_cast<int>(c.joints.size());
        c.joints.push_back(joint);
        for (Skin& skin : c.skins) skin.joints.push_back(parent_joint);
    }
    const int first = rigged.first_new_joint;
    rigged.chains.push_back({"Tail", 0, {first, first + 1}, first + 2});

    Mesh mesh = strip.mesh;
    mesh.influences.clear();
    mesh.first_influence.assign(1, 0);
    rigged.vertex_changed.assign(static_cast<std::size_t>(mesh.vertex_count()), false);
    for (std::size_t v = 0; v < rigged.vertex_changed.size(); ++v) {
        const auto old = strip.mesh.influences.begin();
        rigged.vertex_changed[v] = v < 2;
        if (v < 2)
            mesh.influences.insert(mesh.influences.end(), {{first, 0.7}, {first + 1, 0.3}});
        else
            mesh.influences.insert(mesh.influences.end(), old + strip.mesh.first_influence[v],
                                   old + strip.mesh.first_influence[v + 1]);
        mesh.first_influence.push_back(static_cast<int>(mesh.influences.size()));
    }
    c.mesh = mesh;
    return rigged;
}

TemporaryFolder::TemporaryFolder()
{
    std::random_device seed;
    do path_ = std::filesystem::temp_directory_path() / ("tailfix-test-" + std::to_string(seed()));
    while (!std::filesystem::create_directory(path_));
}

TemporaryFolder::~TemporaryFolder()
{
    std::error_code ignored;
    std::filesystem::remove_all(path_, ignored);
}

std::filesystem::path TemporaryFolder::put(const std::string& name, const ByteList& bytes) const
{
    const std::filesystem::path path = path_ / name;
    std::filesystem::create_directories(path.parent_path());
    std::ofstream(path, std::ios::binary)
        .write(reinterpret_cast<const char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return path;
}

std::filesystem::path TemporaryFolder::put(const std::string& name, std::string_view text) const
{
    return put(name, to_bytes(text));
}

ByteList to_bytes(std::string_view text)
{
    const auto* first = reinterpret_cast<const std::byte*>(text.data());
    return ByteList(first, first + text.size());
}

ByteList read_bytes(const std::filesystem::path& path)
{
    std::ifstream in(path, std::ios::binary);
    ByteList bytes(in ? std::filesystem::file_size(path) : 0);
    in.read(reinterpret_cast<char*>(bytes.data()), static_cast<std::streamsize>(bytes.size()));
    return bytes;
}

GlbParts split(const ByteList& glb)
{
    GlbParts parts;
    for (std::size_t at = 12; at + 8 <= glb.size();) {
        const std::size_t size = u32(glb, at);
        const std::uint32_t type = u32(glb, at + 4);
        const char* data = reinterpret_cast<const char*>(glb.data() + at + 8);
        if (type == 0x4E4F534A)
            parts.json = Json::parse(data, data + size);
        else if (type == 0x004E4942)
            parts.bin.assign(glb.begin() + static_cast<std::ptrdiff_t>(at + 8),
                             glb.begin() + static_cast<std::ptrdiff_t>(at + 8 + size));
        else {
            parts.others.assign(glb.begin() + static_cast<std::ptrdiff_t>(at), glb.end());
            break;
        }
        at += 8 + size;
    }
    return parts;
}

} // namespace tailfix::test
