// The skinned primitives of a rig as one mesh in bind space.
#include "io/read.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <set>

#include "io/accessor.h"
#include "io/property.h"

namespace tailfix::io {
namespace {

constexpr std::array kJointTypes = {TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE, TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT};
constexpr std::array kWeightTypes = {TINYGLTF_COMPONENT_TYPE_FLOAT, TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE,
                                     TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT};
constexpr std::array kIndexTypes = {TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE, TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT,
                                    TINYGLTF_COMPONENT_TYPE_UNSIGNED_INT};
// Integers where KHR_mesh_quantization is declared; floats otherwise.
constexpr std::array kPositionTypes = {TINYGLTF_COMPONENT_TYPE_FLOAT, TINYGLTF_COMPONENT_TYPE_BYTE,
                                       TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE, TINYGLTF_COMPONENT_TYPE_SHORT,
                                       TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT};

// Nodes may place one mesh any number of times at no cost to the file. This many vertices are read of one rig, twenty
// times the most that the tool is measured for; they take about 1 GB.
constexpr std::size_t kMostVertices = 20'000'000;

// And sets of influences may be as many as there are names for them, all of one accessor.
constexpr std::size_t kMostSets = 2 * kMostVertices; // over all vertices

constexpr const char* kDraco = "KHR_draco_mesh_compression";

std::size_t at(int index)
{
    return static_cast<std::size_t>(index);
}

// One primitive as it is read: where, of what, and what was odd.
struct Reading {
    const SourceDocument& source;
    const tinygltf::Primitive& primitive;
    const Skin& skin;
    std::string what; // mesh 0 primitive 1
    int weights_not_finite = 0;
    int weights_negative = 0;
    int vertices_without_weight = 0;

    int attribute(const std::string& name) const
    {
        const auto it = primitive.attributes.find(name);
        return it == primitive.attributes.end() ? -1 : it->second;
    }
};

bool is_quantized(const SourceDocument& source)
{
    const auto& used = source.model.extensionsUsed;
    return std::find(used.begin(), used.end(), "KHR_mesh_quantization") != used.end();
}

void refuse_draco(const Reading& reading)
{
    if (!reading.primitive.extensions.contains(kDraco)) return;
    const int positions = reading.attribute("POSITION");
    // With a buffer view there is a plain copy for readers that do not know the extension.
    if (positions >= 0 && reading.source.model.accessors[at(positions)].bufferView >= 0) return;
    throw Error(Failure::Unsupported,
                fmt::format("{}: is compressed with {}, which is not supported", reading.what, kDraco));
}

std::size_t append_positions(const Reading& reading, Mesh& mesh)
{
    const std::span<const int> types =
        is_quantized(reading.source) ? kPositionTypes : std::span(kPositionTypes).first(1);
    const Elements stored = read_elements(reading.source, reading.attribute("POSITION"), {TINYGLTF_TYPE_VEC3, types},
                                          reading.what + " POSITION");
    if (stored.count > kMostVertices - mesh.positions.size())
        throw Error(Failure::Unsupported,
                    fmt::format("{}: the rig has more than {} vertices", reading.what, kMostVertices));
    const Eigen::Matrix3d turn = reading.skin.bind_from_mesh.topLeftCorner<3, 3>();
    const Eigen::Vector3d shift = reading.skin.bind_from_mesh.topRightCorner<3, 1>();
    mesh.positions.reserve(mesh.positions.size() + stored.count);
    for (std::size_t v = 0; v < stored.count; ++v) {
        const Eigen::Vector3d p(stored.number(v, 0), stored.number(v, 1), stored.number(v, 2));
        if (!p.allFinite()) refuse("{}: POSITION of vertex {} is not finite", reading.what, v);
        mesh.positions.push_back(turn * p + shift);
    }
    return stored.count;
}

struct Sets {
    std::vector<Elements> joints, weights; // one of each per set
};

Sets read_sets(const Reading& reading, std::size_t vertices)
{
    Sets sets;
    for (int n = 0;; ++n) {
        const std::string joints = fmt::format("JOINTS_{}", n), weights = fmt::format("WEIGHTS_{}", n);
        const int j = reading.attribute(joints), w = reading.attribute(weights);
        if (j < 0 && w < 0) return sets;
        if ((sets.joints.size() + 1) * vertices > kMostSets)
            throw Error(Failure::Unsupported, fmt::format("{}: has more influences than are read", reading.what));
        if (j < 0 || w < 0)
            refuse("{}: has {} without {}", reading.what, j < 0 ? weights : joints, j < 0 ? joints : weights);
        sets.joints.push_back(
            read_elements(reading.source, j, {TINYGLTF_TYPE_VEC4, kJointTypes}, reading.what + " " + joints));
        sets.weights.push_back(
            read_elements(reading.source, w, {TINYGLTF_TYPE_VEC4, kWeightTypes}, reading.what + " " + weights));
        // Integer weights are fractions, whether the file remembers to say so or not.
        sets.weights.back().normalized = true;
        if (sets.joints.back().count != vertices || sets.weights.back().count != vertices)
            refuse("{}: {} and {} have {} and {} elements for {} vertices", reading.what, joints, weights,
                   sets.joints.back().count, sets.weights.back().count, vertices);
    }
}

// A weight as it counts: NaN, infinities and negative ones as 0.
double counted(double weight, Reading& reading)
{
    if (!std::isfinite(weight))
        ++reading.weights_not_finite;
    else if (weight < 0)
        ++reading.weights_negative;
    return std::isfinite(weight) ? std::max(weight, 0.0) : 0;
}

void append_influences(Reading& reading, std::size_t vertices, Mesh& mesh)
{
    const Sets sets = read_sets(reading, vertices);
    std::vector<Influence> own;
    for (std::size_t v = 0; v < vertices; ++v) {
        own.clear();
        double sum = 0;
        for (std::size_t n = 0; n < sets.joints.size(); ++n)
            for (int k = 0; k < 4; ++k) {
                const double weight = counted(sets.weights[n].number(v, k), reading);
                if (weight <= 0) continue;
                const std::size_t slot = sets.joints[n].whole(v, k);
                if (slot >= reading.skin.joints.size())
                    refuse("{}: vertex {} names joint {}, but skin {} has {} joints", reading.what, v, slot,
                           reading.skin.skin, reading.skin.joints.size());
                const int joint = reading.skin.joints[slot];
                const auto same =
                    std::find_if(own.begin(), own.end(), [&](const Influence& i) { return i.joint == joint; });
                if (same == own.end())
                    own.push_back({joint, weight});
                else
                    same->weight += weight;
                sum += weight;
            }
        if (own.empty()) ++reading.vertices_without_weight;
        if (mesh.influences.size() > 4 * kMostSets)
            throw Error(Failure::Unsupported,
                        fmt::format("{}: the rig has more influences than are read", reading.what));
        for (const Influence& influence : own) mesh.influences.push_back({influence.joint, influence.weight / sum});
        mesh.first_influence.push_back(static_cast<int>(mesh.influences.size()));
    }
}

// The corners of the triangles in the order of the file: index accessor, or every vertex in turn.
std::vector<int> read_corners(const Reading& reading, std::size_t vertices)
{
    std::vector<int> corners;
    const int accessor = reading.attribute(kIndices);
    if (accessor < 0) {
        corners.resize(vertices);
        for (std::size_t i = 0; i < vertices; ++i) corners[i] = static_cast<int>(i);
        return corners;
    }
    const Elements stored =
        read_elements(reading.source, accessor, {TINYGLTF_TYPE_SCALAR, kIndexTypes}, reading.what + " indices");
    corners.resize(stored.count);
    for (std::size_t i = 0; i < stored.count; ++i) {
        const std::uint32_t corner = stored.whole(i, 0);
        if (corner >= vertices)
            refuse("{}: index {} names vertex {}, but there are {} vertices", reading.what, i, corner, vertices);
        corners[i] = static_cast<int>(corner);
    }
    return corners;
}

void append_triangles(const Reading& reading, std::size_t vertices, int first_vertex, Mesh& mesh)
{
    const std::vector<int> c = read_corners(reading, vertices);
    const auto add = [&](std::size_t i, std::size_t j, std::size_t k) {
        mesh.triangles.emplace_back(first_vertex + c[i], first_vertex + c[j], first_vertex + c[k]);
    };
    switch (reading.primitive.mode) {
    case TINYGLTF_MODE_TRIANGLE_STRIP:
        // Every second one is turned over, so that all face the same way (glTF 2.0, 3.7.2.1).
        for (std::size_t i = 0; i + 2 < c.size(); ++i) add(i, i + 1 + i % 2, i + 2 - i % 2);
        break;
    case TINYGLTF_MODE_TRIANGLE_FAN:
        for (std::size_t i = 1; i + 1 < c.size(); ++i) add(i, i + 1, 0);
        break;
    default:
        mesh.triangles.reserve(mesh.triangles.size() + c.size() / 3);
        for (std::size_t i = 0; i + 2 < c.size(); i += 3) add(i, i + 1, i + 2);
    }
}

void warn(const Reading& reading, std::vector<std::string>& warnings)
{
    if (reading.weights_not_finite > 0)
        warnings.push_back(
            fmt::format("{}: {} weights are not finite; read as 0", reading.what, reading.weights_not_finite));
    if (reading.weights_negative > 0)
        warnings.push_back(
            fmt::format("{}: {} weights are negative; read as 0", reading.what, reading.weights_negative));
    if (reading.vertices_without_weight > 0)
        warnings.push_back(fmt::format("{}: {} vertices follow no joint (all their weights are 0)", reading.what,
                                       reading.vertices_without_weight));
}

// A skinned mesh of triangles, strips or fans. Points and lines have no surface that could be a tail's.
bool is_read(const tinygltf::Primitive& primitive)
{
    const int mode = primitive.mode < 0 ? TINYGLTF_MODE_TRIANGLES : primitive.mode;
    return primitive.attributes.contains("POSITION") && primitive.attributes.contains("JOINTS_0") &&
           mode >= TINYGLTF_MODE_TRIANGLES;
}

} // namespace

void read_mesh(const SourceDocument& source, const std::vector<int>& mesh_nodes, Character& character)
{
    Mesh& mesh = character.mesh;
    mesh.first_influence.assign(1, 0);
    std::set<std::pair<int, int>> told; // (mesh, primitive) that warnings have been given for
    for (const int node_index : mesh_nodes) {
        const tinygltf::Node& node = source.model.nodes[at(node_index)];
        const auto skin = std::find_if(character.skins.begin(), character.skins.end(),
                                       [&](const Skin& s) { return s.skin == node.skin; });
        if (skin == character.skins.end()) continue;
        const auto& primitives = source.model.meshes[at(node.mesh)].primitives;
        for (std::size_t p = 0; p < primitives.size(); ++p) {
            if (!is_read(primitives[p])) continue;
            Reading reading{source, primitives[p], *skin, fmt::format("mesh {} primitive {}", node.mesh, p)};
            refuse_draco(reading);
            Primitive run;
            run.node = node_index;
            run.mesh = node.mesh;
            run.primitive = static_cast<int>(p);
            run.skin = static_cast<int>(skin - character.skins.begin());
            run.first_vertex = mesh.vertex_count();
            const std::size_t vertices = append_positions(reading, mesh);
            run.vertex_count = static_cast<int>(vertices);
            append_influences(reading, vertices, mesh);
            append_triangles(reading, vertices, run.first_vertex, mesh);
            mesh.primitives.push_back(run);
            if (told.emplace(node.mesh, run.primitive).second) warn(reading, character.warnings);
        }
    }
}

} // namespace tailfix::io
