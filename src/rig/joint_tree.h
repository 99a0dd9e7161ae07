// The joints of a rig as a tree, with what the skin says about each.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <tailfix/character.h>

namespace tailfix {

struct JointTree {
    std::vector<std::vector<int>> children;
    std::vector<double> subtree_weight;    // skin weight of the joint and all below it
    std::vector<bool> live;                // subtree_weight over 0
    std::vector<bool> live_leaf;           // live, and no child is
    std::vector<Eigen::Vector3d> position; // bind space

    int size() const { return static_cast<int>(children.size()); }
};

JointTree make_joint_tree(const Character& character);

// True when `ancestor` is `joint` or above it.
bool is_above(const Character& character, int ancestor, int joint);

// kNone where the two have no common ancestor.
int lowest_common_ancestor(const Character& character, int a, int b);

// World transform of a node in the stored pose.
Eigen::Matrix4d stored_world(const Character& character, int node);

} // namespace tailfix
