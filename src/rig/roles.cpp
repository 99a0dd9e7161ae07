#include <tailfix/rig/roles.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include <tailfix/error.h>

#include "rig/facing.h"
#include "rig/joint_tree.h"
#include "rig/stance.h"

// detection.md 1 in its order: how the character stands, which way it faces, head, pelvis, roles, bones.
//
// Names decide where they are known. What they decide must be what the geometry decides too, wherever the detection of
// a tail would notice: a rig whose joints are renamed to nothing has the same tail.

namespace tailfix {
namespace {

constexpr double kMiddle = 0.05;     // of S: a joint this near to the mirror plane is a middle joint
constexpr double kHeadBehind = 0.35; // of S: named sides are swapped only when the head is this far behind the pelvis
constexpr double kHeadAhead = 0.15;  // of S: from here on the head tells the front of an unnamed quadruped
constexpr double kFeetPoint = 0.02;  // of S: soles this far ahead of their ankles say which way the model faces
constexpr double kHeadLean = 0.3; // of a leaf's height above the legs, and of how far ahead it is, in finding the head
constexpr double kOnTrunk = 0.15; // of S: the joint in which legs meet is the pelvis when it is this near to them
constexpr double kAgree = 0.35;   // of S: two joints this near to each other may both pass for pelvis, or head
constexpr double kGroundLine = 0.5; // of the thighs' height: a control joint lies lower

bool is_middle(const Rig& rig, const MirrorPlane& mirror, int joint, double reach)
{
    return std::abs(rig.at(joint).dot(mirror.normal) - mirror.offset) < reach * rig.size;
}

// Half the diagonal of the skin's box along the character's own axes, so that turning the model does not change it.
double size_along(const Rig& rig, const Frame& frame)
{
    Eigen::Matrix3d axes;
    axes << frame.left, frame.up, frame.forward;
    Eigen::AlignedBox3d box;
    for (const auto& p : rig.character.mesh.positions) box.extend(Eigen::Vector3d(axes.transpose() * p));
    return 0.5 * box.diagonal().norm();
}

// The middle leaf farthest from the legs. Where the feet point, the head is rather in front: a tail with bones of its
// own is a long middle line as well.
int head_by_place(const Rig& rig, const Stance& stance)
{
    const Eigen::Vector3d across = stance.mirror.normal.cross(stance.up);
    const double ahead = feet_point(rig, stance, across);
    const Eigen::Vector3d forward =
        std::abs(ahead) > kFeetPoint ? Eigen::Vector3d(std::copysign(1.0, ahead) * across) : Eigen::Vector3d::Zero();
    int head = kNone;
    double best = -std::numeric_limits<double>::infinity();
    for (int j = 0; j < rig.count(); ++j) {
        if (!rig.live_leaf(j) || !is_middle(rig, stance.mirror, j, kMiddle)) continue;
        for (const auto& leg : stance.legs) {
            const Eigen::Vector3d away = rig.at(j) - between_thighs(rig, leg);
            const double score = away.norm() + kHeadLean * (away.dot(stance.up) + away.dot(forward));
            if (score > best) {
                best = score;
                head = j;
            }
        }
    }
    return head;
}

int find_head(const Rig& rig, const Stance& stance, int by_place, std::vector<std::string>& notes, bool& named)
{
    for (int j = 0; j < rig.count(); ++j) {
        if (names_head(rig.name(j)) && is_middle(rig, stance.mirror, j, kMiddle)) {
            named = true;
            return j;
        }
    }
    if (by_place != kNone)
        notes.push_back(fmt::format("head: \"{}\", the middle leaf farthest from the legs",
                                    rig.character.joints[static_cast<std::size_t>(by_place)].name));
    return by_place;
}

// The pair of legs farthest from the head: the hind legs of a quadruped.
const LegPair* hind_legs(const Rig& rig, const Stance& stance, int head)
{
    const LegPair* hind = nullptr;
    double farthest = -std::numeric_limits<double>::infinity();
    for (const auto& leg : stance.legs) {
        const Eigen::Vector3d top = between_thighs(rig, leg);
        const double d = head == kNone ? -top.dot(stance.up) : (top - rig.at(head)).norm();
        if (d <= farthest) continue;
        farthest = d;
        hind = &leg;
    }
    return hind;
}

// Where the hind legs meet; where that is a control joint somewhere else, the middle joint with skin that is nearest to
// the heads of their thighs.
int pelvis_of_legs(const Rig& rig, const Stance& stance, int head)
{
    const LegPair* legs = hind_legs(rig, stance, head);
    if (legs == nullptr) return kNone;
    const Eigen::Vector3d top = between_thighs(rig, *legs);
    if ((rig.at(legs->root) - top).norm() < kOnTrunk * rig.size) return legs->root;
    int pelvis = legs->root;
    double nearest = std::numeric_limits<double>::infinity();
    for (int j = 0; j < rig.count(); ++j) {
        if (!(rig.own_weight[static_cast<std::size_t>(j)] > 0) || !is_middle(rig, stance.mirror, j, kOffPlane))
            continue;
        if (head != kNone && is_above(rig.character, head, j)) continue;
        const double d = (rig.at(j) - top).norm();
        if (d >= nearest) continue;
        nearest = d;
        pelvis = j;
    }
    return pelvis;
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
    pelvis = pelvis_of_legs(rig, stance, head);
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
    } else {
        const double feet = feet_point(rig, stance, forward);
        const bool by_head = std::abs(feet) <= kFeetPoint && std::abs(ahead) > kHeadAhead * rig.size;
        sign = (by_head ? ahead : feet) >= 0 ? 1 : -1;
    }
    forward *= sign;
    roles.frame = {up.cross(forward), up, forward};
    roles.mirror = fit_mirror_offset(rig.live_positions, roles.frame.left, rig.size).offset;
    roles.size = size_along(rig, roles.frame);
}

// By the joints' places alone where those are near the joints that names say: then hiding the names changes nothing.
Eigen::Vector3d find_middle(const Rig& rig, const Roles& roles, int pelvis_place, int head_place)
{
    const auto agree = [&](int a, int b) {
        return a != kNone && b != kNone && (rig.at(a) - rig.at(b)).norm() < kAgree * rig.size;
    };
    if (agree(roles.pelvis, pelvis_place) && agree(roles.head, head_place))
        return 0.5 * (rig.at(pelvis_place) + rig.at(head_place));
    return roles.head == kNone ? rig.at(roles.pelvis)
                               : Eigen::Vector3d(0.5 * (rig.at(roles.pelvis) + rig.at(roles.head)));
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

// Root and control lines run through empty space: those from above the joint in which pelvis and legs meet, and those
// from a joint near the ground above the pelvis.
bool is_control_line(const Rig& rig, const Stance& stance, const Roles& roles, const LegPair* legs, int parent)
{
    if (roles.pelvis == kNone || parent == roles.pelvis || !is_above(rig.character, parent, roles.pelvis)) return false;
    if (legs == nullptr) return true;
    const int trunk = lowest_common_ancestor(rig.character, roles.pelvis, legs->root);
    if (trunk == kNone || (parent != trunk && is_above(rig.character, parent, trunk))) return true;
    const double thighs = between_thighs(rig, *legs).dot(stance.up) - stance.ground;
    return rig.at(parent).dot(stance.up) - stance.ground < kGroundLine * thighs;
}

void find_bones(const Rig& rig, const Stance& stance, double longest_stub, Roles& roles)
{
    const LegPair* legs = hind_legs(rig, stance, roles.head);
    for (int j = 0; j < rig.count(); ++j) {
        if (!rig.live(j)) continue;
        const int parent = rig.parent(j);
        const bool has_bone = parent != kNone && !is_control_line(rig, stance, roles, legs, parent);
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
    const Stance stance = find_stance(rig, options);
    roles.ground = stance.ground;
    roles.height = stance.height;
    bool named_head = false, named_pelvis = false;
    const int head_place = head_by_place(rig, stance);
    roles.head = find_head(rig, stance, head_place, roles.notes, named_head);
    roles.pelvis = find_pelvis(rig, stance, roles.head, options, roles, named_pelvis);
    find_frame(rig, stance, roles);
    if (roles.pelvis != kNone)
        roles.middle = find_middle(rig, roles, pelvis_of_legs(rig, stance, head_place), head_place);
    assign_roles(rig, stance, roles);
    find_bones(rig, stance, options.stub * roles.height, roles);
    roles.is_character = roles.pelvis != kNone && (named_head || named_pelvis || !stance.legs.empty());
    if (!roles.is_character) roles.why_not = "no pair of legs, and no joint named as pelvis or head: not a character";
    return roles;
}

} // namespace tailfix
