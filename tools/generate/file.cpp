#include "generate/file.h"

#include <algorithm>
#include <cstring>
#include <numbers>

#include <nlohmann/json.hpp>

#include "generate/names.h"
#include "generate/rng.h"
#include "generate/weights.h"

namespace tailfix::generate {
namespace {

using Eigen::Affine3d;
using Eigen::Vector3d;
using nlohmann::json;

constexpr int kFloat = 5126, kShort = 5123, kInt = 5125, kByte = 5121;

// Collects accessors, one buffer view each.
class Buffer {
public:
    template <class T>
    int add(const std::vector<T>& values, int component, const char* type, int width, json extra = json::object())
    {
        while (bytes.size() % 4 != 0) bytes.push_back(0);
        const std::size_t at = bytes.size(), size = values.size() * sizeof(T);
        bytes.resize(at + size);
        std::memcpy(bytes.data() + at, values.data(), size);
        views.push_back({{"buffer", 0}, {"byteOffset", at}, {"byteLength", size}});
        json accessor = {{"bufferView", views.size() - 1},
                         {"componentType", component},
                         {"count", values.size() / static_cast<std::size_t>(width)},
                         {"type", type}};
        accessor.update(extra);
        accessors.push_back(accessor);
        return static_cast<int>(accessors.size()) - 1;
    }

    std::vector<std::uint8_t> bytes;
    json views = json::array(), accessors = json::array();
};

// Joint space to metres: bones lie along their own y axis in some rigs, and along the world's axes in others.
std::vector<Affine3d> bind_transforms(const Plan& plan, const Figure& figure)
{
    std::vector<Affine3d> out;
    for (std::size_t j = 0; j < figure.joints.size(); ++j) {
        Affine3d bind = Affine3d::Identity();
        bind.translation() = figure.joints[j].at;
        if (plan.aligned_joints) {
            Vector3d along = Vector3d::UnitY();
            for (const auto& child : figure.joints)
                if (child.parent == static_cast<int>(j) && (child.at - figure.joints[j].at).norm() > 1e-6) {
                    along = (child.at - figure.joints[j].at).normalized();
                    break;
                }
            bind.linear() = Eigen::Quaterniond::FromTwoVectors(Vector3d::UnitY(), along).toRotationMatrix();
        }
        out.push_back(bind);
    }
    return out;
}

void set_transform(json& node, const Affine3d& t)
{
    const double scale = std::cbrt(std::abs(t.linear().determinant()));
    const Eigen::Quaterniond q(Eigen::Matrix3d(t.linear() / scale));
    node["translation"] = {t.translation().x(), t.translation().y(), t.translation().z()};
    node["rotation"] = {q.x(), q.y(), q.z(), q.w()};
    if (std::abs(scale - 1) > 1e-9) node["scale"] = {scale, scale, scale};
}

void add_joints(const Plan& plan, const Figure& figure, json& nodes)
{
    const auto bind = bind_transforms(plan, figure);
    const Affine3d mesh = mesh_from_metres(plan);
    const double scale = plan.scale;
    Random random(static_cast<std::uint64_t>(plan.seed) * 31 + 3);
    for (std::size_t j = 0; j < figure.joints.size(); ++j) {
        const FigureJoint& joint = figure.joints[j];
        // The joints of a rig have no scale of their own; only places and turns follow the mesh.
        const auto placed = [&](std::size_t k) {
            Affine3d t = mesh * bind[k];
            t.linear() /= scale;
            return t;
        };
        Affine3d local = placed(j);
        if (joint.parent >= 0) local = placed(static_cast<std::size_t>(joint.parent)).inverse() * local;
        if (plan.posed && joint.parent >= 0)
            local.rotate(Eigen::AngleAxisd(random.between(-0.5, 0.5),
                                           Vector3d(random.unit(), random.unit(), random.unit() + 0.01).normalized()));
        json node = json::object();
        const std::string name = joint_name(plan.convention, joint, static_cast<int>(j));
        if (!name.empty()) node["name"] = name;
        set_transform(node, local);
        json children = json::array();
        for (std::size_t k = 0; k < figure.joints.size(); ++k)
            if (figure.joints[k].parent == static_cast<int>(j)) children.push_back(k);
        if (!children.empty()) node["children"] = children;
        nodes.push_back(node);
    }
}

json make_skin(const Plan& plan, const Figure& figure, Buffer& buffer)
{
    const auto bind = bind_transforms(plan, figure);
    const Affine3d mesh = mesh_from_metres(plan);
    std::vector<float> inverse;
    json joints = json::array();
    for (std::size_t j = 0; j < figure.joints.size(); ++j) {
        if (figure.joints[j].end) continue; // a node beside the skin
        joints.push_back(j);
        Affine3d t = mesh * bind[j];
        t.linear() /= plan.scale;
        const Eigen::Matrix4d m = t.inverse().matrix();
        for (int c = 0; c < 4; ++c)
            for (int r = 0; r < 4; ++r) inverse.push_back(static_cast<float>(m(r, c)));
    }
    return {{"joints", joints}, {"inverseBindMatrices", buffer.add(inverse, kFloat, "MAT4", 16)}};
}

json make_primitive(const Plan& plan, const Figure& figure, const TriangleMesh& mesh, const Part& part,
                    const std::vector<PointWeights>& weights, Buffer& buffer)
{
    const Affine3d from_metres = mesh_from_metres(plan);
    std::vector<int> slot(figure.joints.size(), 0);
    int next = 0;
    for (std::size_t j = 0; j < figure.joints.size(); ++j)
        if (!figure.joints[j].end) slot[j] = next++;
    std::vector<float> positions, shares;
    std::vector<std::uint8_t> joints;
    std::vector<std::uint32_t> indices(part.indices.begin(), part.indices.end());
    Eigen::AlignedBox3f box;
    for (const int p : part.point_of_vertex) {
        const Eigen::Vector3f at = (from_metres * mesh.points[static_cast<std::size_t>(p)]).cast<float>();
        box.extend(at);
        for (int k = 0; k < 3; ++k) positions.push_back(at[k]);
        const PointWeights& w = weights[static_cast<std::size_t>(p)];
        for (std::size_t k = 0; k < 4; ++k) {
            joints.push_back(w.weight[k] > 0 ? static_cast<std::uint8_t>(slot[static_cast<std::size_t>(w.joint[k])])
                                             : std::uint8_t{0});
            shares.push_back(static_cast<float>(w.weight[k]));
        }
    }
    json extent = {{"min", {box.min().x(), box.min().y(), box.min().z()}},
                   {"max", {box.max().x(), box.max().y(), box.max().z()}}};
    json attributes = {{"POSITION", buffer.add(positions, kFloat, "VEC3", 3, extent)}};
    attributes["JOINTS_0"] = buffer.add(joints, kByte, "VEC4", 4);
    attributes["WEIGHTS_0"] = buffer.add(shares, kFloat, "VEC4", 4);
    json primitive = {{"attributes", attributes}};
    if (!plan.soup) primitive["indices"] = buffer.add(indices, kInt, "SCALAR", 1);
    return primitive;
}

std::vector<std::uint8_t> pack(json document, std::vector<std::uint8_t> bin)
{
    while (bin.size() % 4 != 0) bin.push_back(0);
    document["buffers"] = {{{"byteLength", bin.size()}}};
    std::string text = document.dump();
    while (text.size() % 4 != 0) text += ' ';
    std::vector<std::uint8_t> out;
    const auto word = [&](std::size_t v) {
        for (int k = 0; k < 4; ++k) out.push_back(static_cast<std::uint8_t>(v >> (8 * k)));
    };
    word(0x46546C67);
    word(2);
    word(12 + 8 + text.size() + 8 + bin.size());
    word(text.size());
    word(0x4E4F534A);
    out.insert(out.end(), text.begin(), text.end());
    word(bin.size());
    word(0x004E4942);
    out.insert(out.end(), bin.begin(), bin.end());
    return out;
}

} // namespace

Affine3d mesh_from_metres(const Plan& plan)
{
    Affine3d out = Affine3d::Identity();
    if (plan.z_up) out.rotate(Eigen::AngleAxisd(std::numbers::pi / 2, Vector3d::UnitX()));
    out.rotate(Eigen::AngleAxisd(plan.facing, Vector3d::UnitY()));
    out.linear() *= plan.scale;
    return out;
}

std::vector<std::uint8_t> write_glb(const Plan& plan, const Figure& figure, const TriangleMesh& mesh,
                                    const std::vector<Part>& parts)
{
    Buffer buffer;
    json nodes = json::array();
    add_joints(plan, figure, nodes);
    const auto weights = skin_weights(figure, mesh.points);
    json document = {{"asset", {{"version", "2.0"}, {"generator", "tailfix_generate"}}}, {"scene", 0}};
    json roots = json::array({0});
    for (const auto& part : parts) {
        document["meshes"].push_back({{"primitives", {make_primitive(plan, figure, mesh, part, weights, buffer)}}});
        nodes.push_back({{"mesh", document["meshes"].size() - 1}, {"skin", 0}});
        roots.push_back(nodes.size() - 1);
    }
    document["skins"] = {make_skin(plan, figure, buffer)};
    // Above the joints: turns Z-up data upright, and may bring the model back to metres.
    json armature = {{"name", "Armature"}, {"children", {0}}};
    Affine3d upright = Affine3d::Identity();
    if (plan.armature_scale) upright.linear() *= 1 / plan.scale;
    if (plan.z_up) upright.rotate(Eigen::AngleAxisd(-std::numbers::pi / 2, Vector3d::UnitX()));
    set_transform(armature, upright);
    nodes.push_back(armature);
    roots[0] = nodes.size() - 1;
    document["scenes"] = {{{"nodes", roots}}};
    document["nodes"] = nodes;
    document["bufferViews"] = buffer.views;
    document["accessors"] = buffer.accessors;
    return pack(std::move(document), std::move(buffer.bytes));
}

} // namespace tailfix::generate
