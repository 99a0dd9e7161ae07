#include "rig/stance.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include <Eigen/Geometry>

namespace tailfix {
namespace {

constexpr double kMirrorReach = 0.08; // of S: how far a leaf may lie from the mirror image of its twin
constexpr double kLegTop = 0.6;       // of H: legs end below this height
constexpr double kLegHang = 0.05;     // of S: and at least this far below the joint they hang from
constexpr double kPlainLegs =
    0.6; // of S: a pair of legs hangs this far in all on the shortest-legged model seen (the pug)
constexpr double kPlainlyFarther = 1.5; // times: from here on another axis is believed before the stored pose

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

void measure_extent(const Rig& rig, Stance& stance)
{
    double low = std::numeric_limits<double>::infinity(), high = -low;
    for (const auto& p : rig.character.mesh.positions) {
        low = std::min(low, p.dot(stance.up));
        high = std::max(high, p.dot(stance.up));
    }
    stance.ground = low;
    stance.height = high - low;
}

std::vector<LegPair> find_legs(const Rig& rig, const Stance& stance)
{
    const Eigen::Vector3d& up = stance.up;
    const MirrorPlane& mirror = stance.mirror;
    const auto lateral = [&](int j) { return rig.at(j).dot(mirror.normal) - mirror.offset; };
    const auto low = [&](int j) { return rig.at(j).dot(up) - stance.ground < kLegTop * stance.height; };
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
        // From that joint, or from their own thighs alone, as where legs hang on a root at the ground.
        if (std::max(height(pair.root), thigh) - foot >= kLegHang * rig.size) pairs.push_back(pair);
    }
    return pairs;
}

Stance stand(const Rig& rig, const Eigen::Vector3d& up)
{
    Stance stance;
    stance.up = up;
    stance.mirror = find_mirror_plane(rig.live_positions, up, rig.size);
    measure_extent(rig, stance);
    stance.legs = find_legs(rig, stance);
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

int depth_of(const Rig& rig, int joint)
{
    int depth = 0;
    for (int j = rig.parent(joint); j != kNone; j = rig.parent(j)) ++depth;
    return depth;
}

// How far the legs hang in all; `near_root`: those that hang from deep in the tree count less. Legs hang from the
// pelvis, which is at or near the root of every rig; arms and ears, which hang when a model is held upside down, do
// not.
double total_hang(const Rig& rig, const Stance& stance, bool near_root)
{
    double sum = 0;
    for (const auto& leg : stance.legs) {
        const double share = near_root ? 1.0 / (1 + depth_of(rig, leg.root)) : 1.0;
        for (const int leaf : {leg.left, leg.right})
            sum += share * (rig.at(thigh_of(rig, leaf, leg.root)) - rig.at(leaf)).dot(stance.up);
    }
    return sum;
}

} // namespace

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

int thigh_of(const Rig& rig, int leaf, int root)
{
    int joint = leaf;
    while (joint != kNone && rig.parent(joint) != root && rig.parent(joint) != kNone) joint = rig.parent(joint);
    return joint;
}

Eigen::Vector3d between_thighs(const Rig& rig, const LegPair& leg)
{
    return 0.5 * (rig.at(thigh_of(rig, leg.left, leg.root)) + rig.at(thigh_of(rig, leg.right, leg.root)));
}

Stance find_stance(const Rig& rig, const RoleOptions& options)
{
    Stance stance = stand(rig, guess_up(rig));
    if (total_hang(rig, stance, false) < kPlainLegs * rig.size) {
        // The stored pose misled (an upside-down T-pose has arms that hang), or the model has hardly any legs: the axis
        // under which the legs hang farthest, if that is plain.
        for (const double sign : {1.0, -1.0}) {
            for (const Eigen::Index axis : {1, 2, 0}) {
                const Stance other = stand(rig, sign * Eigen::Vector3d::Unit(axis));
                if (total_hang(rig, other, true) > kPlainlyFarther * total_hang(rig, stance, true)) stance = other;
            }
        }
    }
    const Eigen::Vector3d up = up_of_legs(rig, stance, options.up_snap_deg);
    if ((up - stance.up).norm() > 1e-9) {
        const Stance turned = stand(rig, up);
        if (turned.legs.size() >= stance.legs.size()) stance = turned;
    }
    return stance;
}

} // namespace tailfix
