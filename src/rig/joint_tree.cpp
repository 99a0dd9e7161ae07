#include "rig/joint_tree.h"

namespace tailfix {

JointTree make_joint_tree(const Character& character)
{
    const auto n = character.joints.size();
    JointTree tree;
    tree.children.resize(n);
    tree.subtree_weight.assign(n, 0);
    tree.live.assign(n, false);
    tree.live_leaf.assign(n, false);
    tree.position.resize(n);
    for (const auto& influence : character.mesh.influences)
        tree.subtree_weight[static_cast<std::size_t>(influence.joint)] += influence.weight;
    // Joints are stored parents first, so a backward pass sees every child before its parent.
    for (std::size_t i = n; i-- > 0;) {
        tree.position[i] = character.joints[i].position();
        tree.live[i] = tree.subtree_weight[i] > 0;
        const int parent = character.joints[i].parent;
        if (parent != kNone) tree.subtree_weight[static_cast<std::size_t>(parent)] += tree.subtree_weight[i];
    }
    for (std::size_t i = 0; i < n; ++i) {
        const int parent = character.joints[i].parent;
        if (parent != kNone) tree.children[static_cast<std::size_t>(parent)].push_back(static_cast<int>(i));
    }
    for (std::size_t i = 0; i < n; ++i) {
        bool leaf = tree.live[i];
        for (const int child : tree.children[i]) leaf = leaf && !tree.live[static_cast<std::size_t>(child)];
        tree.live_leaf[i] = leaf;
    }
    return tree;
}

bool is_above(const Character& character, int ancestor, int joint)
{
    while (joint > ancestor) joint = character.joints[static_cast<std::size_t>(joint)].parent;
    return joint == ancestor;
}

int lowest_common_ancestor(const Character& character, int a, int b)
{
    // Parents have smaller indices: lift the larger of the two until they meet. kNone is smaller than any joint.
    while (a != b) {
        int& deeper = a > b ? a : b;
        deeper = character.joints[static_cast<std::size_t>(deeper)].parent;
    }
    return a;
}

Eigen::Matrix4d stored_world(const Character& character, int node)
{
    Eigen::Matrix4d world = Eigen::Matrix4d::Identity();
    for (; node != kNone; node = character.nodes[static_cast<std::size_t>(node)].parent) {
        const Node& n = character.nodes[static_cast<std::size_t>(node)];
        Eigen::Matrix4d local;
        if (n.matrix) {
            local = *n.matrix;
        } else {
            local = Eigen::Matrix4d::Identity();
            local.topLeftCorner<3, 3>() = n.rotation.toRotationMatrix() * n.scale.asDiagonal();
            local.topRightCorner<3, 1>() = n.translation;
        }
        world = local * world;
    }
    return world;
}

} // namespace tailfix
