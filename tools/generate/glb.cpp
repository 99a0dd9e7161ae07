#include "glb.h"

#include <cmath>
#include <cstring>
#include <numbers>

#include <Eigen/Geometry>
#include <nlohmann/json.hpp>

#include "rng.h"

namespace tailfix::generate {
namespace {

using Json = nlohmann::json;

constexpr int kFloat = 5126, kByte = 5121, kShort = 5123, kInt = 5125; // glTF 2.0, accessor.componentType
constexpr int kVertices = 34962, kIndices = 34963;                     // bufferView.target

class Binary {
public:
    // One view and one accessor over the values of an attribute, which are `width` to an element.
    template <typename T>
    int add(const std::vector<T>& values, int width, const char* type, int component, int target = 0)
    {
        while (bytes_.size() % 4 != 0) bytes_.push_back(0);
        Json view = {{"buffer", 0}, {"byteOffset", bytes_.size()}, {"byteLength", values.size() * sizeof(T)}};
        if (target != 0) view["target"] = target;
        views_.push_back(view);
        const std::size_t start = bytes_.size();
        bytes_.resize(start + values.size() * sizeof(T));
        std::memcpy(bytes_.data() + start, values.data(), values.size() * sizeof(T));
        accessors_.push_back({{"bufferView", views_.size() - 1},
                              {"componentType", component},
                              {"count", values.size() / static_cast<std::size_t>(width)},
                              {"type", type}});
        return static_cast<int>(accessors_.size()) - 1;
    }
    Json& accessor(int a) { return accessors_[static_cast<std::size_t>(a)]; }
    void finish(Json& gltf)
    {
        while (bytes_.size() % 4 != 0) bytes_.push_back(0);
        gltf["bufferViews"] = views_;
        gltf["accessors"] = accessors_;
        gltf["buffers"] = Json::array({{{"byteLength", bytes_.size()}}});
    }
    const std::vector<std::uint8_t>& bytes() const { return bytes_; }

private:
    std::vector<std::uint8_t> bytes_;
    Json views_ = Json::array(), accessors_ = Json::array();
};

Json numbers(const Vec& v)
{
    return {static_cast<float>(v.x()), static_cast<float>(v.y()), static_cast<float>(v.z())};
}

Json numbers(const Eigen::Quaterniond& q)
{
    const Eigen::Quaternionf f = q.normalized().cast<float>();
    return {f.x(), f.y(), f.z(), f.w()};
}

std::vector<float> floats(const std::vector<Vec>& vectors)
{
    std::vector<float> out;
    for (const Vec& v : vectors)
        for (int i = 0; i < 3; ++i) out.push_back(static_cast<float>(v[i]));
    return out;
}

int add_positions(Binary& binary, const std::vector<Vec>& positions)
{
    const auto values = floats(positions);
    std::vector<float> least(values.begin(), values.begin() + 3), most = least;
    for (std::size_t i = 0; i < values.size(); ++i) {
        least[i % 3] = std::min(least[i % 3], values[i]);
        most[i % 3] = std::max(most[i % 3], values[i]);
    }
    const int accessor = binary.add(values, 3, "VEC3", kFloat, kVertices);
    binary.accessor(accessor)["min"] = least;
    binary.accessor(accessor)["max"] = most;
    return accessor;
}

template <typename T>
int add_indices(Binary& binary, const std::vector<std::array<int, 3>>& triangles, int component)
{
    std::vector<T> values;
    for (const auto& t : triangles)
        for (const int v : t) values.push_back(static_cast<T>(v));
    return binary.add(values, 1, "SCALAR", component, kIndices);
}

Json write_surface(Binary& binary, const Surface& surface, const Eigen::Matrix3d& map, int material)
{
    std::vector<Vec> positions, normals;
    for (const Vec& p : surface.positions) positions.emplace_back(map * p);
    for (const Vec& n : surface.normals) normals.push_back((map * n).normalized());
    std::vector<float> uvs, weights;
    for (const auto& uv : surface.uvs)
        for (int i = 0; i < 2; ++i) uvs.push_back(static_cast<float>(uv[i]));
    std::vector<std::uint8_t> joints;
    for (const Influences& v : surface.influences) {
        for (std::size_t k = 0; k < 4; ++k) {
            joints.push_back(static_cast<std::uint8_t>(v.weights[k] > 0 ? v.joints[k] : 0));
            weights.push_back(v.weights[k]);
        }
    }
    Json primitive = {{"attributes",
                       {{"POSITION", add_positions(binary, positions)},
                        {"NORMAL", binary.add(floats(normals), 3, "VEC3", kFloat, kVertices)},
                        {"TEXCOORD_0", binary.add(uvs, 2, "VEC2", kFloat, kVertices)},
                        {"JOINTS_0", binary.add(joints, 4, "VEC4", kByte, kVertices)},
                        {"WEIGHTS_0", binary.add(weights, 4, "VEC4", kFloat, kVertices)}}},
                      {"material", material}};
    if (!surface.triangles.empty())
        primitive["indices"] = surface.positions.size() < 65535
                                   ? add_indices<std::uint16_t>(binary, surface.triangles, kShort)
                                   : add_indices<std::uint32_t>(binary, surface.triangles, kInt);
    return primitive;
}

// Global rotation of each joint in bind space.
std::vector<Eigen::Quaterniond> joint_rotations(const Plan& plan, const Rig& rig, const Eigen::Matrix3d& map)
{
    std::vector<Eigen::Quaterniond> out;
    for (const RigJoint& joint : rig.joints) {
        const Vec along = map * (joint.tip - joint.position);
        const bool turned = plan.axes != "world" && along.norm() > 0;
        // Blender's: Y runs along the bone.
        out.push_back(turned ? Eigen::Quaterniond::FromTwoVectors(Vec::UnitY(), along)
                             : Eigen::Quaterniond::Identity());
    }
    return out;
}

// A turn of the stored pose against the bind pose: arms and knees, as in a first frame of an idle clip.
Eigen::Quaterniond pose_turn(const Plan& plan, const RigJoint& joint)
{
    if (!plan.posed) return Eigen::Quaterniond::Identity();
    const bool bends = joint.role.starts_with("forearm") || joint.role.starts_with("upper_arm") ||
                       joint.role.starts_with("thigh") || joint.role.starts_with("shin") || joint.role == "neck";
    if (!bends) return Eigen::Quaterniond::Identity();
    Random random(plan.seed, "pose " + joint.role);
    const Vec axis(random.normal(), random.normal(), random.normal());
    return Eigen::Quaterniond(Eigen::AngleAxisd(random.uniform(0.1, 0.35), axis.normalized()));
}

void write_nodes(Json& gltf, Binary& binary, const Plan& plan, const Rig& rig)
{
    const Eigen::Matrix3d map = bind_from_canonical(plan);
    const auto rotations = joint_rotations(plan, rig, map);
    const auto names = joint_names(rig, plan.convention);
    Json armature = {{"name", "Armature"}, {"children", Json::array()}};
    if (plan.up == "Z")
        armature["rotation"] = numbers(Eigen::Quaterniond(Eigen::AngleAxisd(-std::numbers::pi / 2, Vec::UnitX())));
    if (plan.armature_scale != 1) armature["scale"] = numbers(Vec::Constant(plan.armature_scale));
    Json nodes = Json::array({armature}), joints = Json::array();
    std::vector<float> inverse;
    for (std::size_t j = 0; j < rig.joints.size(); ++j) {
        const RigJoint& joint = rig.joints[j];
        const Vec here = map * joint.position;
        Vec offset = here;
        Eigen::Quaterniond turn = rotations[j];
        if (joint.parent >= 0) {
            const auto p = static_cast<std::size_t>(joint.parent);
            offset = rotations[p].conjugate() * (here - map * rig.joints[p].position);
            turn = rotations[p].conjugate() * rotations[j];
        }
        Json node = {{"translation", numbers(offset)}, {"rotation", numbers(turn * pose_turn(plan, joint))}};
        if (!names[j].empty()) node["name"] = names[j];
        nodes[static_cast<std::size_t>(joint.parent + 1)]["children"].push_back(j + 1);
        nodes.push_back(node);
        joints.push_back(j + 1);
        Eigen::Isometry3d bind = Eigen::Isometry3d::Identity();
        bind.translate(here).rotate(rotations[j]);
        const Eigen::Matrix4f matrix = bind.inverse().matrix().cast<float>();
        inverse.insert(inverse.end(), matrix.data(), matrix.data() + 16);
    }
    gltf["nodes"] = nodes;
    gltf["skins"] =
        Json::array({{{"joints", joints}, {"inverseBindMatrices", binary.add(inverse, 16, "MAT4", kFloat)}}});
}

void put(std::vector<std::uint8_t>& out, std::size_t value)
{
    for (int i = 0; i < 4; ++i) out.push_back(static_cast<std::uint8_t>(value >> (8 * i) & 0xff));
}

} // namespace

Eigen::Matrix3d bind_from_canonical(const Plan& plan)
{
    const Eigen::AngleAxisd facing(plan.facing * std::numbers::pi / 180, Vec::UnitY());
    Eigen::Matrix3d map = facing.toRotationMatrix();
    if (plan.up == "Z") map = Eigen::AngleAxisd(std::numbers::pi / 2, Vec::UnitX()).toRotationMatrix() * map;
    return plan.scale * map;
}

std::vector<std::uint8_t> write_glb(const Plan& plan, const Rig& rig, const Scene& scene)
{
    Binary binary;
    Json gltf = {{"asset", {{"version", "2.0"}, {"generator", "tailfix_generate"}}}, {"scene", 0}};
    write_nodes(gltf, binary, plan, rig);
    gltf["scenes"] = Json::array({{{"nodes", Json::array({0})}}});
    const Eigen::Matrix3d map = bind_from_canonical(plan);
    for (const auto& surfaces : scene.meshes) {
        Json primitives = Json::array();
        for (const Surface& surface : surfaces) {
            const std::size_t material = gltf["materials"].size();
            // Colours tell the pieces apart in a picture, and nothing else.
            const double hue = 0.61803 * static_cast<double>(material);
            const auto channel = [&](double at) { return 0.6 + 0.3 * std::cos(2 * std::numbers::pi * (hue + at)); };
            gltf["materials"].push_back(
                {{"name", surface.name},
                 {"doubleSided", true},
                 {"pbrMetallicRoughness",
                  {{"baseColorFactor", {channel(0.0), channel(0.33), channel(0.67), 1.0}}, {"metallicFactor", 0.0}}}});
            primitives.push_back(write_surface(binary, surface, map, static_cast<int>(material)));
        }
        gltf["meshes"].push_back({{"name", surfaces.front().name}, {"primitives", primitives}});
        gltf["nodes"][0]["children"].push_back(gltf["nodes"].size());
        gltf["nodes"].push_back({{"name", surfaces.front().name}, {"mesh", gltf["meshes"].size() - 1}, {"skin", 0}});
    }
    binary.finish(gltf);
    std::string text = gltf.dump();
    while (text.size() % 4 != 0) text += ' ';
    std::vector<std::uint8_t> out;
    put(out, 0x46546c67); // "glTF"
    put(out, 2);
    put(out, 12 + 8 + text.size() + 8 + binary.bytes().size());
    put(out, text.size());
    put(out, 0x4e4f534a); // "JSON"
    out.insert(out.end(), text.begin(), text.end());
    put(out, binary.bytes().size());
    put(out, 0x004e4942); // "BIN"
    out.insert(out.end(), binary.bytes().begin(), binary.bytes().end());
    return out;
}

} // namespace tailfix::generate
