#include "support/character_gltf.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "support/characters.h"

namespace tailfix::test {
namespace {

std::size_t at(int index)
{
    return static_cast<std::size_t>(index);
}

template <class Vector>
Json array_of(const Vector& v)
{
    return std::vector<double>(v.data(), v.data() + v.size());
}

void add_nodes(Gltf& gltf, const Character& character)
{
    Json& nodes = gltf.json["nodes"];
    for (const Node& node : character.nodes)
        nodes.push_back({{"name", node.name},
                         {"translation", array_of(node.translation)},
                         {"rotation", array_of(node.rotation.coeffs())},
                         {"scale", array_of(node.scale)}});
    Json roots = Json::array();
    for (std::size_t n = 0; n < character.nodes.size(); ++n) {
        const int parent = character.nodes[n].parent;
        (parent == kNone ? roots : nodes[at(parent)]["children"]).push_back(n);
    }
    roots.push_back(nodes.size());
    nodes.push_back({{"name", "Body"}, {"mesh", 0}, {"skin", 0}});
    gltf.json["scenes"] = {{{"nodes", roots}}};
}

void add_skin(Gltf& gltf, const Character& character)
{
    Json joints = Json::array();
    std::vector<double> binds;
    for (const Joint& joint : character.joints) {
        joints.push_back(joint.node);
        const Eigen::Matrix4d inverse = joint.bind_from_joint.inverse();
        binds.insert(binds.end(), inverse.data(), inverse.data() + inverse.size());
    }
    gltf.json["skins"] = {{{"joints", joints}, {"inverseBindMatrices", gltf.add_numbers(binds, kFloat, "MAT4")}}};
}

void add_mesh(Gltf& gltf, const Mesh& mesh)
{
    std::vector<double> positions, joints, weights, corners;
    for (int v = 0; v < mesh.vertex_count(); ++v) {
        const Eigen::Vector3d& p = mesh.positions[at(v)];
        positions.insert(positions.end(), {p.x(), p.y(), p.z()});
        std::vector<Influence> largest(mesh.influences.begin() + mesh.first_influence[at(v)],
                                       mesh.influences.begin() + mesh.first_influence[at(v) + 1]);
        std::sort(largest.begin(), largest.end(),
                  [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
        largest.resize(4);
        for (const Influence& i : largest) {
            joints.push_back(i.joint);
            weights.push_back(i.weight);
        }
    }
    for (const Eigen::Vector3i& t : mesh.triangles)
        for (const int corner : t) corners.push_back(corner);
    const Json attributes = {{"POSITION", gltf.add_numbers(positions, kFloat, "VEC3")},
                             {"JOINTS_0", gltf.add_numbers(joints, kU8, "VEC4")},
                             {"WEIGHTS_0", gltf.add_numbers(weights, kFloat, "VEC4")}};
    const Json primitive = {{"attributes", attributes}, {"indices", gltf.add_numbers(corners, kU32, "SCALAR")}};
    gltf.json["meshes"] = {{{"primitives", Json::array({primitive})}}};
}

void add_clip(Gltf& gltf, const Clip& clip)
{
    constexpr const char* kPaths[] = {"translation", "rotation", "scale"};
    constexpr const char* kInterpolations[] = {"STEP", "LINEAR", "CUBICSPLINE"};
    Json samplers = Json::array(), channels = Json::array();
    for (const Track& track : clip.tracks) {
        channels.push_back(
            {{"sampler", samplers.size()},
             {"target", {{"node", track.node}, {"path", kPaths[static_cast<std::size_t>(track.path)]}}}});
        const int input = gltf.add_numbers({track.times.begin(), track.times.end()}, kFloat, "SCALAR");
        gltf.json["accessors"].back()["min"] = {track.times.front()};
        gltf.json["accessors"].back()["max"] = {track.times.back()};
        const int output = gltf.add_numbers({track.values.begin(), track.values.end()}, kFloat,
                                            track.path == Path::Rotation ? "VEC4" : "VEC3");
        samplers.push_back({{"input", input},
                            {"output", output},
                            {"interpolation", kInterpolations[static_cast<std::size_t>(track.interpolation)]}});
    }
    gltf.json["animations"].push_back({{"name", clip.name}, {"samplers", samplers}, {"channels", channels}});
}

} // namespace

Gltf gltf_of(const Character& character)
{
    Gltf gltf;
    gltf.json = Json::parse(R"({"asset": {"version": "2.0", "generator": "tests"}, "scene": 0, "scenes": [],
        "nodes": [], "meshes": [], "skins": [], "buffers": [{}], "bufferViews": [], "accessors": []})");
    add_nodes(gltf, character);
    add_skin(gltf, character);
    add_mesh(gltf, character.mesh);
    for (const Clip& clip : character.clips) add_clip(gltf, clip);
    return gltf;
}

Gltf cat_gltf()
{
    support::CatOptions options;
    options.step = 0.04;
    Character cat = support::make_cat(options).character;
    Clip turn;
    turn.name = "Turn";
    turn.end = 1;
    Track track;
    track.node = cat.joints[at(support::joint_named(cat, "Hips"))].node;
    constexpr int kKeys = 31;
    for (int k = 0; k < kKeys; ++k) {
        const double time = k / (kKeys - 1.0), half = 0.15 * std::sin(2 * std::numbers::pi * time);
        track.times.push_back(static_cast<float>(time));
        track.values.insert(track.values.end(),
                            {0, static_cast<float>(std::sin(half)), 0, static_cast<float>(std::cos(half))});
    }
    turn.tracks.push_back(track);
    cat.clips.push_back(turn);
    return gltf_of(cat);
}

} // namespace tailfix::test
