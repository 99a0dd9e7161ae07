#include "support/characters.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>
#include <string>

#include "support/marching.h"

namespace tailfix::support {
namespace {

using Eigen::Vector3d;

std::size_t at(int i)
{
    return static_cast<std::size_t>(i);
}

struct JointPlan {
    const char* name;
    const char* parent;
    Vector3d position;
    Role role;
    Side side;
    double skin; // radius of the body around the bone to the parent
};

const std::vector<JointPlan>& plan()
{
    static const std::vector<JointPlan> joints = [] {
        std::vector<JointPlan> all{{"Hips", "", {0, 0.95, 0}, Role::Pelvis, Side::Middle, 0},
                                   {"Spine", "Hips", {0, 1.08, 0}, Role::Spine, Side::Middle, 0.105},
                                   {"Spine1", "Spine", {0, 1.22, 0}, Role::Spine, Side::Middle, 0.1},
                                   {"Neck", "Spine1", {0, 1.42, 0}, Role::Neck, Side::Middle, 0.09},
                                   {"Head", "Neck", {0, 1.5, 0}, Role::Head, Side::Middle, 0.06}};
        const auto side = [&](const char* up_leg, const char* leg, const char* foot, const char* toe, const char* arm,
                              const char* fore_arm, const char* hand, double x, Side s) {
            all.push_back({arm, "Spine1", {0.16 * x, 1.36, 0}, Role::Arm, s, 0.06});
            all.push_back({fore_arm, arm, {0.42 * x, 1.36, 0}, Role::Arm, s, 0.05});
            all.push_back({hand, fore_arm, {0.66 * x, 1.36, 0}, Role::Arm, s, 0.045});
            all.push_back({up_leg, "Hips", {0.11 * x, 0.88, 0}, Role::Thigh, s, 0.08});
            all.push_back({leg, up_leg, {0.12 * x, 0.5, 0.01}, Role::Shin, s, 0.075});
            all.push_back({foot, leg, {0.12 * x, 0.09, 0}, Role::Foot, s, 0.06});
            all.push_back({toe, foot, {0.12 * x, 0.05, 0.12}, Role::Foot, s, 0.05});
        };
        side("LeftUpLeg", "LeftLeg", "LeftFoot", "LeftToeBase", "LeftArm", "LeftForeArm", "LeftHand", 1, Side::Left);
        side("RightUpLeg", "RightLeg", "RightFoot", "RightToeBase", "RightArm", "RightForeArm", "RightHand", -1,
             Side::Right);
        return all;
    }();
    return joints;
}

const Vector3d kHeadTop(0, 1.68, 0); // HeadTop_End, a node outside the skin

int planned(const std::string& name)
{
    for (std::size_t i = 0; i < plan().size(); ++i)
        if (plan()[i].name == name) return static_cast<int>(i);
    return kNone;
}

double capsule_distance(const Vector3d& p, const Vector3d& from, const Vector3d& to)
{
    const Vector3d span = to - from;
    const double t = std::clamp((p - from).dot(span) / std::max(span.squaredNorm(), 1e-30), 0.0, 1.0);
    return (p - from - t * span).norm();
}

// A minimum that rounds the crease between two surfaces over about k metres.
double smooth_minimum(double a, double b, double k)
{
    const double h = std::max(k - std::abs(a - b), 0.0) / k;
    return std::min(a, b) - h * h * k / 4;
}

// The body's bones with the radius of the skin around them.
const std::vector<Capsule>& body_capsules()
{
    static const std::vector<Capsule> capsules = [] {
        std::vector<Capsule> all;
        for (const auto& joint : plan())
            if (joint.skin > 0) all.push_back({plan()[at(planned(joint.parent))].position, joint.position, joint.skin});
        all.push_back({{0, 1.56, 0.02}, {0, 1.6, 0.02}, 0.1}); // head
        for (const double x : {1.0, -1.0}) all.push_back({{0.66 * x, 1.36, 0}, {0.72 * x, 1.36, 0}, 0.045});
        return all;
    }();
    return capsules;
}

double body_distance(const Vector3d& p)
{
    double d = 1e9;
    for (const auto& c : body_capsules()) d = smooth_minimum(d, capsule_distance(p, c.from, c.to) - c.radius, 0.03);
    return d;
}

double tail_distance(const Vector3d& p, const CatOptions& options)
{
    double d = std::numeric_limits<double>::infinity();
    for (std::size_t i = 1; i < options.tail.size(); ++i)
        d = std::min(d, capsule_distance(p, options.tail[i - 1], options.tail[i]) - options.tail_radius);
    return d;
}

// All in model space; make_cat moves it to bind space at the end.
std::vector<Bone> bones_of_plan()
{
    std::vector<Bone> bones;
    for (const auto& joint : plan())
        if (const int parent = planned(joint.parent); parent != kNone)
            bones.push_back({parent, plan()[at(parent)].position, joint.position});
    bones.push_back({planned("Head"), plan()[at(planned("Head"))].position, kHeadTop});
    for (const double x : {1.0, -1.0}) {
        const int hand = planned(x > 0 ? "LeftHand" : "RightHand"),
                  toe = planned(x > 0 ? "LeftToeBase" : "RightToeBase");
        bones.push_back({hand, plan()[at(hand)].position, plan()[at(hand)].position + Vector3d(0.085 * x, 0, 0)});
        bones.push_back({toe, plan()[at(toe)].position, plan()[at(toe)].position + Vector3d(0, -0.02, 0.06)});
    }
    return bones;
}

void add_joints(Character& character)
{
    character.nodes.push_back({});
    character.nodes.back().name = "Armature";
    character.node_order.push_back(0);
    character.skins.emplace_back();
    for (int j = 0; j < static_cast<int>(plan().size()); ++j) {
        const auto& planned_joint = plan()[at(j)];
        Joint joint;
        joint.name = planned_joint.name;
        joint.node = j + 1;
        joint.parent = planned(planned_joint.parent);
        joint.bind_from_joint.topRightCorner<3, 1>() = planned_joint.position;
        if (joint.name == "Head") joint.helper_end = kHeadTop;
        character.joints.push_back(joint);
        character.skins[0].joints.push_back(j);
    }
}

void add_nodes(Character& character)
{
    for (const auto& joint : character.joints) {
        const Eigen::Affine3d bind(joint.bind_from_joint);
        const Eigen::Affine3d local =
            joint.parent == kNone
                ? bind
                : Eigen::Affine3d(character.joints[at(joint.parent)].bind_from_joint).inverse() * bind;
        Node node;
        node.name = joint.name;
        node.parent = joint.parent == kNone ? 0 : character.joints[at(joint.parent)].node;
        node.translation = local.translation();
        node.scale = Vector3d::Constant(std::cbrt(local.linear().determinant()));
        node.rotation = Eigen::Quaterniond(Eigen::Matrix3d(local.linear() / node.scale.x()));
        character.nodes.push_back(node);
        character.node_order.push_back(joint.node);
    }
}

// The four nearest bones by 1/d^4, as auto-riggers do: a tail falls to thighs, shins and pelvis.
void skin_by_distance(Mesh& mesh, const std::vector<Bone>& bones)
{
    mesh.first_influence = {0};
    for (const auto& p : mesh.positions) {
        std::map<int, double> weight;
        for (const auto& bone : bones) {
            const double d = capsule_distance(p, bone.head, bone.tail);
            weight[bone.joint] = std::max(weight[bone.joint], std::pow(std::max(d, 1e-3), -4));
        }
        std::vector<Influence> influences;
        for (const auto& [joint, w] : weight) influences.push_back({joint, w});
        std::stable_sort(influences.begin(), influences.end(),
                         [](const Influence& a, const Influence& b) { return a.weight > b.weight; });
        influences.resize(std::min<std::size_t>(influences.size(), 4));
        double sum = 0;
        for (const auto& i : influences) sum += i.weight;
        for (const auto& i : influences) mesh.influences.push_back({i.joint, i.weight / sum});
        mesh.first_influence.push_back(static_cast<int>(mesh.influences.size()));
    }
}

// Triangles on the left use copies of the vertices that they share with the right.
void split_seam(Mesh& mesh)
{
    std::vector<bool> on_right(mesh.positions.size(), false);
    const auto is_left = [&](const Eigen::Vector3i& t) {
        return mesh.positions[at(t[0])].x() + mesh.positions[at(t[1])].x() + mesh.positions[at(t[2])].x() > 0;
    };
    for (const auto& t : mesh.triangles)
        for (int c = 0; c < 3; ++c)
            if (!is_left(t)) on_right[at(t[c])] = true;
    std::vector<int> copy(mesh.positions.size(), kNone);
    for (auto& t : mesh.triangles) {
        if (!is_left(t)) continue;
        for (int c = 0; c < 3; ++c) {
            const int v = t[c];
            if (!on_right[at(v)]) continue;
            if (copy[at(v)] == kNone) {
                copy[at(v)] = mesh.vertex_count();
                mesh.positions.push_back(Vector3d(mesh.positions[at(v)]));
            }
            t[c] = copy[at(v)];
        }
    }
}

void append(Mesh& mesh, const Mesh& more)
{
    const int offset = mesh.vertex_count();
    mesh.positions.insert(mesh.positions.end(), more.positions.begin(), more.positions.end());
    for (const auto& t : more.triangles) mesh.triangles.emplace_back(t + Eigen::Vector3i::Constant(offset));
}

Mesh build_surface(const CatOptions& options, std::size_t* first_shell_vertex)
{
    Eigen::AlignedBox3d box(Vector3d(-0.85, -0.1, -0.25), Vector3d(0.85, 1.8, 0.3));
    const Vector3d room = Vector3d::Constant(options.tail_radius + 2 * options.step);
    for (const auto& p : options.tail) box.extend(Eigen::AlignedBox3d(p - room, p + room));
    const bool welded_tail = !options.tail.empty() && !options.own_shell;
    Mesh mesh = march(
        [&](const Vector3d& p) {
            const double body = body_distance(p);
            return welded_tail ? smooth_minimum(body, tail_distance(p, options), 0.03) : body;
        },
        box, options.step);
    if (options.own_shell) {
        // On a grid of its own: on the body's, the two surfaces meet in grid points, and are one when welded.
        const Vector3d aside = Vector3d::Constant(0.37 * options.step);
        const Eigen::AlignedBox3d own(box.min() - aside, box.max() - aside);
        append(mesh, march([&](const Vector3d& p) { return tail_distance(p, options); }, own, options.step));
    }
    *first_shell_vertex = mesh.positions.size();
    for (const auto& c : options.shells) {
        const Vector3d margin = Vector3d::Constant(c.radius + 2 * options.step);
        const Eigen::AlignedBox3d around(c.from.cwiseMin(c.to) - margin, c.from.cwiseMax(c.to) + margin);
        append(mesh, march([&](const Vector3d& p) { return capsule_distance(p, c.from, c.to) - c.radius; }, around,
                           options.step));
    }
    return mesh;
}

void move_to_bind_space(Cat& cat, const Eigen::Affine3d& bind_from_model)
{
    const double scale = std::cbrt(bind_from_model.linear().determinant());
    const Eigen::Matrix3d turn = bind_from_model.linear() / scale;
    for (auto& p : cat.character.mesh.positions) p = bind_from_model * p;
    for (auto& joint : cat.character.joints) {
        joint.bind_from_joint = bind_from_model.matrix() * joint.bind_from_joint;
        if (joint.helper_end) joint.helper_end = bind_from_model * *joint.helper_end;
    }
    Roles& roles = cat.roles;
    for (auto& bone : roles.bones) {
        bone.head = bind_from_model * bone.head;
        bone.tail = bind_from_model * bone.tail;
    }
    roles.frame = {turn.col(0), turn.col(1), turn.col(2)};
    double top = -std::numeric_limits<double>::infinity();
    roles.ground = -top;
    Eigen::AlignedBox3d box;
    for (const auto& p : cat.character.mesh.positions) {
        roles.ground = std::min(roles.ground, p.dot(roles.frame.up));
        top = std::max(top, p.dot(roles.frame.up));
        box.extend(p);
    }
    roles.height = top - roles.ground;
    roles.size = box.diagonal().norm() / 2;
    roles.mirror = bind_from_model.translation().dot(roles.frame.left);
}

} // namespace

Vector3d tube_centre(const Tube& tube, double share)
{
    const double angle = tube.bend * share;
    if (std::abs(tube.bend) < 1e-9) return {0, 0, -tube.length * share};
    const double radius = tube.length / tube.bend;
    return {0, radius * (1 - std::cos(angle)), -radius * std::sin(angle)};
}

Mesh make_tube(const Tube& tube)
{
    Mesh mesh;
    for (int ring = 0; ring < tube.rings; ++ring) {
        const double share = static_cast<double>(ring) / (tube.rings - 1);
        const double angle = tube.bend * share;
        const Vector3d across(1, 0, 0), upward(0, std::cos(angle), std::sin(angle));
        for (int side = 0; side < tube.sides; ++side) {
            const double turn = 2 * std::numbers::pi * side / tube.sides;
            mesh.positions.emplace_back(tube_centre(tube, share) +
                                        tube.radius(share) * (std::cos(turn) * across + std::sin(turn) * upward));
        }
    }
    const auto vertex = [&](int ring, int side) { return ring * tube.sides + side % tube.sides; };
    for (int ring = 0; ring + 1 < tube.rings; ++ring)
        for (int side = 0; side < tube.sides; ++side) {
            mesh.triangles.emplace_back(vertex(ring, side), vertex(ring, side + 1), vertex(ring + 1, side + 1));
            mesh.triangles.emplace_back(vertex(ring, side), vertex(ring + 1, side + 1), vertex(ring + 1, side));
        }
    if (tube.tip) {
        for (int side = 0; side < tube.sides; ++side)
            mesh.triangles.emplace_back(vertex(tube.rings - 1, side), vertex(tube.rings - 1, side + 1),
                                        mesh.vertex_count());
        mesh.positions.push_back(tube_centre(tube, 1));
    }
    mesh.first_influence.assign(mesh.positions.size() + 1, 0);
    return mesh;
}

Cat make_cat(const CatOptions& options)
{
    Cat cat;
    std::size_t first_shell_vertex = 0;
    cat.character.mesh = build_surface(options, &first_shell_vertex);
    Mesh& mesh = cat.character.mesh;
    const std::size_t unsplit = mesh.positions.size();
    for (std::size_t v = 0; v < unsplit; ++v) cat.shell.push_back(v >= first_shell_vertex);
    if (options.seams) split_seam(mesh); // copies come last; none of them lie on shells off the middle plane
    cat.shell.resize(mesh.positions.size(), false);
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const double tail = tail_distance(mesh.positions[v], options), body = body_distance(mesh.positions[v]);
        // The root end of an own shell lies inside the body, and is of the tail as well.
        const bool nearer = options.own_shell ? std::abs(tail) < std::abs(body) : tail < body;
        cat.tail.push_back(!cat.shell[v] && nearer);
    }
    cat.roles.bones = bones_of_plan();
    skin_by_distance(mesh, cat.roles.bones);
    mesh.primitives.push_back({0, 0, 0, 0, 0, mesh.vertex_count()});

    add_joints(cat.character);
    for (const auto& joint : plan()) {
        cat.roles.role.push_back(joint.role);
        cat.roles.side.push_back(joint.side);
        cat.roles.live.push_back(true);
    }
    cat.roles.is_character = true;
    cat.roles.pelvis = planned("Hips");
    cat.roles.head = planned("Head");
    cat.roles.leg_leaves = {planned("LeftToeBase"), planned("RightToeBase")};
    move_to_bind_space(cat, options.bind_from_model);
    add_nodes(cat.character);
    return cat;
}

void append_shell(Character& character, const Mesh& shell, int joint)
{
    Mesh& mesh = character.mesh;
    append(mesh, shell);
    for (std::size_t v = 0; v < shell.positions.size(); ++v) {
        mesh.influences.push_back({joint, 1.0});
        mesh.first_influence.push_back(static_cast<int>(mesh.influences.size()));
    }
    mesh.primitives.front().vertex_count = mesh.vertex_count();
}

int joint_named(const Character& character, const std::string& name)
{
    for (std::size_t j = 0; j < character.joints.size(); ++j)
        if (character.joints[j].name == name) return static_cast<int>(j);
    return kNone;
}

} // namespace tailfix::support
