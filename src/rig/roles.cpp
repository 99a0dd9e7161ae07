#include <tailfix/rig/roles.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include <tailfix/error.h>

#include "rig/joint_tree.h"
#include "rig/names.h"
#include "rig/symmetry.h"

// detection.md 1 in its order: which joints are live, how the character stands, legs, head, pelvis, roles, bones.
//
// Up needs the legs and the legs need up, so a first guess (the stored pose of the root joint, snapped to an axis of
// the file) finds the legs, and the legs then say where up is.

namespace tailfix {
namespace {

constexpr double kMiddle = 0.05;      // of S: a joint this near to the mirror plane is a middle joint
constexpr double kOffPlane = 0.02;    // of S: a leaf this far from it has a side
constexpr double kMirrorReach = 0.08; // of S: how far a leaf may lie from the mirror image of its twin
constexpr double kLegTop = 0.6;       // of H: legs end below this height
constexpr double kLegHang = 0.05;     // of S: and at least this far below the joint they hang from
constexpr double kHeadBehind = 0.35;  // of S: named sides are swapped only when the head is this far behind the pelvis
constexpr double kHeadAhead = 0.15;   // of S: from here on the head tells the front of an unnamed quadruped
constexpr double kPlainLegs =
    0.6;                       // of S: a pair of legs hangs this far in all on the shortest-legged model seen (the pug)
constexpr double kSole = 0.03; // of H: skin this near to the ground is sole

struct LegPair {
    int left = kNone, right = kNone; // leaves; left is on the positive side of the mirror plane
    int root = kNone;                // their lowest common ancestor
    bool hangs = true; // from that root; else only from their own thighs, as where legs hang on a root at the ground
};

struct Rig {
    const Character& character;
    JointTree tree;
    std::vector<JointName> names;
    std::vector<Eigen::Vector3d> live_positions;
    std::vector<double> own_weight; // per joint: skin that follows it directly
    double size = 0;                // S

    const Eigen::Vector3d& at(int joint) const { return tree.position[static_cast<std::size_t>(joint)]; }
    const JointName& name(int joint) const { return names[static_cast<std::size_t>(joint)]; }
    bool live(int joint) const { return tree.live[static_cast<std::size_t>(joint)]; }
    bool live_leaf(int joint) const { return tree.live_leaf[static_cast<std::size_t>(joint)]; }
    int parent(int joint) const { return character.joints[static_cast<std::size_t>(joint)].parent; }
    int count() const { return tree.size(); }
};

Rig make_rig(const Character& character)
{
    Rig rig{character, make_joint_tree(character), {}, {}, std::vector<double>(character.joints.size(), 0), 0};
    for (const auto& influence : character.mesh.influences)
        rig.own_weight[static_cast<std::size_t>(influence.joint)] += influence.weight;
    for (const auto& joint : character.joints) rig.names.push_back(read_name(joint.name));
    for (int j = 0; j < rig.count(); ++j)
        if (rig.live(j)) rig.live_positions.push_back(rig.at(j));
    Eigen::AlignedBox3d box;
    for (const auto& p : character.mesh.positions) box.extend(p);
    rig.size = box.isEmpty() ? 0 : 0.5 * box.diagonal().norm();
    return rig;
}

Eigen::Vector3d nearest_axis(const Eigen::Vector3d& direction)
{
    Eigen::Index axis = 0;
    direction.cwiseAbs().maxCoeff(&axis);
    return std::copysign(1.0, direction[axis]) * Eigen::Vector3d::Unit(axis);
}

// World up seen from bind space through the root joint's stored pose; some clip's frame, hence only a guess.
Eigen::Vector3d guess_up(const Rig& rig)
{
    const Joint& root = rig.character.joints.front();
    const Eigen::Matrix4d world_from_bind = stored_world(rig.character, root.node) * root.bind_from_joint.inverse();
    const Eigen::Vector3d up = world_from_bind.topLeftCorner<3, 3>().inverse() * Eigen::Vector3d::UnitY();
    return up.allFinite() && up.norm() > 0 ? nearest_axis(up.normalized()) : Eigen::Vector3d::UnitY();
}

void measure_extent(const Rig& rig, const Eigen::Vector3d& up, Roles& roles)
{
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const auto& p : rig.character.mesh.positions) {
        low = std::min(low, p.dot(up));
        high = std::max(high, p.dot(up));
    }
    roles.ground = low;
    roles.height = high - low;
}

// The first joint of a leg below the joint that the legs hang from.
int thigh_of(const Rig& rig, int leaf, int root)
{
    int joint = leaf;
    while (joint != kNone && rig.parent(joint) != root && rig.parent(joint) != kNone) joint = rig.parent(joint);
    return joint;
}

std::vector<LegPair> find_legs(const Rig& rig, const Roles& roles, const MirrorPlane& mirror)
{
    const Eigen::Vector3d& up = roles.frame.up;
    const auto lateral = [&](int j) { return rig.at(j).dot(mirror.normal) - mirror.offset; };
    const auto low = [&](int j) { return rig.at(j).dot(up) - roles.ground < kLegTop * roles.height; };
    std::vector<LegPair> pairs;
    for (int i = 0; i < rig.count(); ++i) {
        if (!rig.live_leaf(i) || lateral(i) <= kOffPlane * rig.size || !low(i)) continue;
        const Eigen::Vector3d image = rig.at(i) - 2 * lateral(i) * mirror.normal;
        LegPair pair{i, kNone, kNone};
        double nearest = kMirrorReach * rig.size;
        for (int j = 0; j < rig.count(); ++j) {
            if (!rig.live_leaf(j) || lateral(j) >= -kOffPlane * rig.size || !low(j)) continue;
            const double d = (rig.at(j) - image).norm();
            if (d < nearest) {
                nearest = d;
                pair.right = j;
            }
        }
        if (pair.right == kNone) continue;
        pair.root = lowest_common_ancestor(rig.character, pair.left, pair.right);
        if (pair.root == kNone) continue;
        const auto height = [&](int j) { return rig.at(j).dot(up); };
        const double foot = std::max(height(pair.left), height(pair.right));
        const double thigh =
            std::min(height(thigh_of(rig, pair.left, pair.root)), height(thigh_of(rig, pair.right, pair.root)));
        pair.hangs = height(pair.root) - foot >= kLegHang * rig.size;
        if (pair.hangs || thigh - foot >= kLegHang * rig.size) pairs.push_back(pair);
    }
    return pairs;
}

struct Stance {
    Eigen::Vector3d up;
    MirrorPlane mirror;
    std::vector<LegPair> legs;
};

Stance stand(const Rig& rig, const Eigen::Vector3d& up, Roles& roles)
{
    roles.frame.up = up;
    measure_extent(rig, up, roles);
    Stance stance{up, find_mirror_plane(rig.live_positions, up, rig.size), {}};
    stance.legs = find_legs(rig, roles, stance.mirror);
    return stance;
}

// From the feet to the heads of the thighs, over all legs; snapped to an axis of the file when near one. The joint that
// the thighs hang from may lie anywhere: on one quadruped it is lower than the knees.
Eigen::Vector3d up_of_legs(const Rig& rig, const Stance& stance, double snap_deg)
{
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (const auto& leg : stance.legs)
        for (const int leaf : {leg.left, leg.right}) sum += rig.at(thigh_of(rig, leaf, leg.root)) - rig.at(leaf);
    if (sum.norm() < 1e-9 * rig.size) return stance.up;
    const Eigen::Vector3d up = sum.normalized();
    const Eigen::Vector3d axis = nearest_axis(up);
    if (up.dot(axis) >= std::cos(snap_deg * EIGEN_PI / 180)) return axis;
    // Feet far in front of or behind the hips (a quadruped's, a sitting model's) say little about up.
    return up.dot(stance.up) > 0.5 ? stance.up : up;
}

double total_hang(const Rig& rig, const Stance& stance)
{
    double sum = 0;
    for (const auto& leg : stance.legs)
        for (const int leaf : {leg.left, leg.right})
            sum += (rig.at(thigh_of(rig, leaf, leg.root)) - rig.at(leaf)).dot(stance.up);
    return sum;
}

Stance find_stance(const Rig& rig, const RoleOptions& options, Roles& roles)
{
    Stance stance = stand(rig, guess_up(rig), roles);
    if (total_hang(rig, stance) < kPlainLegs * rig.size) {
        // The stored pose misled (an upside-down T-pose has arms that hang), or the model has hardly any legs: the axis
        // under which the legs hang farthest, if that is plain.
        Stance best = stance;
        for (const double sign : {1.0, -1.0}) {
            for (const Eigen::Index axis : {1, 2, 0}) {
                const Stance other = stand(rig, sign * Eigen::Vector3d::Unit(axis), roles);
                if (total_hang(rig, other) > 1.5 * total_hang(rig, best)) best = other;
            }
        }
        stance = stand(rig, best.up, roles);
    }
    const Eigen::Vector3d up = up_of_legs(rig, stance, options.up_snap_deg);
    if ((up - stance.up).norm() > 1e-9) {
        const Stance turned = stand(rig, up, roles);
        stance = turned.legs.size() >= stance.legs.size() ? turned : stand(rig, stance.up, roles);
    }
    return stance;
}

bool is_middle(const Rig& rig, const MirrorPlane& mirror, int joint, double reach)
{
    return std::abs(rig.at(joint).dot(mirror.normal) - mirror.offset) < reach * rig.size;
}

int find_head(const Rig& rig, const Stance& stance, std::vector<std::string>& notes, bool& named)
{
    for (int j = 0; j < rig.count(); ++j) {
        if (names_head(rig.name(j)) && is_middle(rig, stance.mirror, j, kMiddle)) {
            named = true;
            return j;
        }
    }
    int head = kNone;
    double best = -std::numeric_limits<double>::infinity();
    for (int j = 0; j < rig.count(); ++j) {
        if (!rig.live_leaf(j) || !is_middle(rig, stance.mirror, j, kMiddle)) continue;
        for (const auto& leg : stance.legs) {
            const Eigen::Vector3d away = rig.at(j) - rig.at(leg.root);
            const double score = away.norm() + 0.3 * away.dot(stance.up);
            if (score > best) {
                best = score;
                head = j;
            }
        }
    }
    if (head != kNone)
        notes.push_back(fmt::format("head: \"{}\", the middle leaf farthest from the legs",
                                    rig.character.joints[static_cast<std::size_t>(head)].name));
    return head;
}

int find_pelvis(const Rig& rig, const Stance& stance, int head, const RoleOptions& options, Roles& roles, bool& named)
{
    const auto& joints = rig.character.joints;
    if (!options.pelvis.empty()) {
        for (int j = 0; j < rig.count(); ++j)
            if (joints[static_cast<std::size_t>(j)].name == options.pelvis) return named = true, j;
        throw Error(Failure::Usage, fmt::format("--pelvis \"{}\": no joint of the rig has this name", options.pelvis));
    }
    int pelvis = kNone;
    for (int j = 0; j < rig.count(); ++j) {
        if (!names_pelvis(rig.name(j)) || !is_middle(rig, stance.mirror, j, kMiddle)) continue;
        // Character Creator has a Hip that carries the whole body and a Pelvis that carries the legs.
        if (pelvis == kNone || rig.name(j).words[0] == "pelvis") pelvis = j;
    }
    if (pelvis != kNone) {
        named = true;
        return pelvis;
    }
    double farthest = -1;
    for (const auto& leg : stance.legs) {
        if (!leg.hangs) continue;
        const double d = head == kNone ? -rig.at(leg.root).dot(stance.up) : (rig.at(leg.root) - rig.at(head)).norm();
        if (pelvis == kNone || d > farthest) {
            farthest = d;
            pelvis = leg.root;
        }
    }
    if (pelvis != kNone) {
        roles.notes.push_back(
            fmt::format("pelvis: \"{}\", where the legs meet", joints[static_cast<std::size_t>(pelvis)].name));
        return pelvis;
    }
    double most = -1;
    for (int j = 0; j < rig.count(); ++j) {
        if (!is_middle(rig, stance.mirror, j, kMiddle)) continue;
        if (rig.tree.subtree_weight[static_cast<std::size_t>(j)] > most) {
            most = rig.tree.subtree_weight[static_cast<std::size_t>(j)];
            pelvis = j;
        }
    }
    if (pelvis != kNone)
        roles.notes.push_back(fmt::format("pelvis: \"{}\", the middle joint that carries most skin",
                                          joints[static_cast<std::size_t>(pelvis)].name));
    return pelvis;
}

// Which way an unnamed biped's feet point along `forward`: over 0 when they point that way.
double feet_point(const Rig& rig, const Roles& roles, const Stance& stance, const Eigen::Vector3d& forward)
{
    double ankle = 0, toes = 0;
    for (const auto& leg : stance.legs) {
        for (const int leaf : {leg.left, leg.right}) {
            const bool is_toe =
                rig.at(leaf).dot(stance.up) - roles.ground < kMiddle * roles.height && rig.parent(leaf) != leg.root;
            const int foot = is_toe ? rig.parent(leaf) : leaf;
            ankle += rig.at(foot).dot(forward);
            toes += (rig.at(leaf) - rig.at(foot)).dot(forward);
        }
    }
    ankle /= 2.0 * static_cast<double>(stance.legs.size());
    double front = -std::numeric_limits<double>::infinity(), back = -front;
    for (const auto& p : rig.character.mesh.positions) {
        if (p.dot(stance.up) - roles.ground > kSole * roles.height) continue;
        front = std::max(front, p.dot(forward));
        back = std::min(back, p.dot(forward));
    }
    return 0.5 * (front + back) - ankle + toes;
}

void find_frame(const Rig& rig, const Stance& stance, Roles& roles)
{
    const Eigen::Vector3d& up = stance.up;
    Eigen::Vector3d lateral = stance.mirror.normal;
    for (const auto& leg : stance.legs) {
        if (leg.root != roles.pelvis) continue;
        const Eigen::Vector3d across =
            rig.at(thigh_of(rig, leg.left, leg.root)) - rig.at(thigh_of(rig, leg.right, leg.root));
        const Eigen::Vector3d level = across - across.dot(up) * up;
        // Thighs that sit one behind the other would turn the frame; the mirror plane already knows the rough
        // direction.
        if (level.norm() > kOffPlane * rig.size && level.normalized().dot(lateral) > 0.9) lateral = level.normalized();
        break;
    }
    double sides = 0;
    for (int j = 0; j < rig.count(); ++j) {
        if (rig.name(j).side == Side::Middle || !rig.live(j)) continue;
        sides += (rig.name(j).side == Side::Left ? 1 : -1) * (rig.at(j).dot(lateral) - stance.mirror.offset);
    }
    Eigen::Vector3d forward = lateral.cross(up);
    const double ahead =
        roles.head == kNone || roles.pelvis == kNone ? 0 : (rig.at(roles.head) - rig.at(roles.pelvis)).dot(forward);
    double sign = 1;
    if (std::abs(sides) > 1e-9 * rig.size) {
        sign = sides > 0 ? 1 : -1;
        if (sign * ahead < -kHeadBehind * rig.size) {
            sign = -sign;
            roles.notes.emplace_back("left and right are named the wrong way round");
        }
    } else if (std::abs(ahead) > kHeadAhead * rig.size) {
        sign = ahead > 0 ? 1 : -1;
    } else if (!stance.legs.empty()) {
        sign = feet_point(rig, roles, stance, forward) >= 0 ? 1 : -1;
    }
    forward *= sign;
    roles.frame = {up.cross(forward), up, forward};
    roles.mirror = fit_mirror_offset(rig.live_positions, roles.frame.left, rig.size).offset;
}

void assign_leg(const Rig& rig, int leaf, int root, Roles& roles)
{
    std::vector<int> path;
    for (int j = leaf; j != kNone && j != root; j = rig.parent(j)) path.push_back(j);
    std::reverse(path.begin(), path.end());
    for (std::size_t i = 0; i < path.size(); ++i) {
        const Role by_order = i == 0 ? Role::Thigh : i == 1 ? Role::Shin : Role::Foot;
        roles.role[static_cast<std::size_t>(path[i])] = by_order;
    }
}

void assign_roles(const Rig& rig, const Stance& stance, Roles& roles)
{
    const int n = rig.count();
    roles.role.assign(static_cast<std::size_t>(n), Role::Other);
    roles.side.assign(static_cast<std::size_t>(n), Side::Middle);
    for (int j = 0; j < n; ++j) {
        const auto at = static_cast<std::size_t>(j);
        const double x = rig.at(j).dot(roles.frame.left) - roles.mirror;
        if (std::abs(x) > kOffPlane * rig.size) roles.side[at] = x > 0 ? Side::Left : Side::Right;
        if (roles.head != kNone && is_above(rig.character, roles.head, j)) roles.role[at] = Role::Head;
    }
    for (const auto& leg : stance.legs) {
        roles.leg_leaves.push_back(leg.left);
        roles.leg_leaves.push_back(leg.right);
        assign_leg(rig, leg.left, leg.root, roles);
        assign_leg(rig, leg.right, leg.root, roles);
    }
    for (int j = roles.head == kNone ? kNone : rig.parent(roles.head); j != kNone && j != roles.pelvis;
         j = rig.parent(j))
        if (is_middle(rig, stance.mirror, j, kMiddle))
            roles.role[static_cast<std::size_t>(j)] = names_neck(rig.name(j)) ? Role::Neck : Role::Spine;
    // Parents come first, so a joint can take after its parent.
    for (int j = 0; j < n; ++j) {
        const auto at = static_cast<std::size_t>(j);
        if (roles.role[at] != Role::Other) continue;
        const Role above = rig.parent(j) == kNone ? Role::Other : roles.role[static_cast<std::size_t>(rig.parent(j))];
        const bool middle = roles.side[at] == Side::Middle && rig.name(j).side == Side::Middle;
        if (names_leg(rig.name(j)) && !middle) {
            roles.role[at] = above == Role::Thigh                         ? Role::Shin
                             : above == Role::Shin || above == Role::Foot ? Role::Foot
                                                                          : Role::Thigh;
        } else if (above == Role::Thigh || above == Role::Shin || above == Role::Foot || above == Role::Arm) {
            roles.role[at] = above;
        } else if (middle && rig.own_weight[at] > 0) {
            roles.role[at] = Role::Spine;
        } else if (middle) {
            roles.role[at] = Role::Other; // a root or control joint: nothing hangs from it
        } else {
            roles.role[at] = Role::Arm;
        }
    }
    if (roles.pelvis != kNone) roles.role[static_cast<std::size_t>(roles.pelvis)] = Role::Pelvis;
}

void find_bones(const Rig& rig, double longest_stub, Roles& roles)
{
    for (int j = 0; j < rig.count(); ++j) {
        if (!rig.live(j)) continue;
        const int parent = rig.parent(j);
        // Root and control lines above the pelvis run through empty space.
        const bool above_pelvis = parent != kNone && roles.pelvis != kNone && parent != roles.pelvis &&
                                  is_above(rig.character, parent, roles.pelvis);
        const bool has_bone = parent != kNone && !above_pelvis;
        if (has_bone) roles.bones.push_back({parent, rig.at(parent), rig.at(j)});
        if (!rig.live_leaf(j)) continue;
        const auto& helper = rig.character.joints[static_cast<std::size_t>(j)].helper_end;
        const Eigen::Vector3d along = helper     ? Eigen::Vector3d(*helper - rig.at(j))
                                      : has_bone ? Eigen::Vector3d(rig.at(j) - rig.at(parent))
                                                 : Eigen::Vector3d::Zero();
        const double length = std::min(along.norm(), longest_stub);
        const Eigen::Vector3d end = length > 0 ? Eigen::Vector3d(rig.at(j) + length * along.normalized()) : rig.at(j);
        roles.bones.push_back({j, rig.at(j), end});
    }
}

} // namespace

Roles find_roles(const Character& character, const RoleOptions& options)
{
    Roles roles;
    if (character.joints.empty() || character.mesh.positions.empty()) {
        roles.why_not = "the rig has no joints or no skin";
        return roles;
    }
    const Rig rig = make_rig(character);
    roles.size = rig.size;
    roles.live = rig.tree.live;
    if (!(rig.size > 0) || rig.live_positions.empty()) {
        roles.why_not = "the skin has no extent or follows no joint";
        return roles;
    }
    const Stance stance = find_stance(rig, options, roles);
    bool named_head = false, named_pelvis = false;
    roles.head = find_head(rig, stance, roles.notes, named_head);
    roles.pelvis = find_pelvis(rig, stance, roles.head, options, roles, named_pelvis);
    find_frame(rig, stance, roles);
    assign_roles(rig, stance, roles);
    find_bones(rig, options.stub * roles.height, roles);
    roles.is_character = roles.pelvis != kNone && (named_head || named_pelvis || !stance.legs.empty());
    if (!roles.is_character) roles.why_not = "no pair of legs, and no joint named as pelvis or head: not a character";
    return roles;
}

} // namespace tailfix
