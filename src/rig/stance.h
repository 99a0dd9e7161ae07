// How a rig stands: up, mirror plane and legs, found together.
//
// Up needs the legs and the legs need up, so a first guess (the stored pose of the root joint, snapped to an axis of
// the file) finds the legs, and the legs then say where up is. Source: detection.md 1; bind space.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <tailfix/character.h>
#include <tailfix/rig/roles.h>

#include "rig/joint_tree.h"
#include "rig/names.h"
#include "rig/symmetry.h"

namespace tailfix {

struct LegPair {
    int left = kNone, right = kNone; // leaves; left is on the positive side of the mirror plane
    int root = kNone;                // their lowest common ancestor
};

struct Rig {
    const Character& character;
    JointTree tree;
    std::vector<JointName> names;
    std::vector<Eigen::Vector3d> live_positions;
    std::vector<double> own_weight; // per joint: skin that follows it directly
    double size = 0;                // S; until the character's own axes are known, of a box along those of the file

    const Eigen::Vector3d& at(int joint) const { return tree.position[static_cast<std::size_t>(joint)]; }
    const JointName& name(int joint) const { return names[static_cast<std::size_t>(joint)]; }
    bool live(int joint) const { return tree.live[static_cast<std::size_t>(joint)]; }
    bool live_leaf(int joint) const { return tree.live_leaf[static_cast<std::size_t>(joint)]; }
    int parent(int joint) const { return character.joints[static_cast<std::size_t>(joint)].parent; }
    int count() const { return tree.size(); }
};

Rig make_rig(const Character& character);

struct Stance {
    Eigen::Vector3d up;
    MirrorPlane mirror;
    std::vector<LegPair> legs;
    double ground = 0; // lowest skin along up
    double height = 0; // extent of the skin along up
};

Stance find_stance(const Rig& rig, const RoleOptions& options);

// The first joint of a leg below the joint that the legs hang from.
int thigh_of(const Rig& rig, int leaf, int root);

// Midway between the heads of a pair's thighs.
Eigen::Vector3d between_thighs(const Rig& rig, const LegPair& leg);

inline constexpr double kOffPlane = 0.02; // of S: a leaf this far from the mirror plane has a side

} // namespace tailfix
