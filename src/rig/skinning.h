// The skin weights of a file as the weight stages read them: per welded point instead of per vertex.
#pragma once

#include <cstddef>
#include <vector>

#include <tailfix/character.h>
#include <tailfix/rig/roles.h>
#include <tailfix/surface/weld.h>

namespace tailfix {

// What the stages read of the input, gathered once. Holds references: the character and the roles must outlive it.
struct Skinning {
    const Character& character;
    const Roles& roles;
    std::vector<int> first; // vertices of point p: vertices[first[p]] .. vertices[first[p + 1] - 1]
    std::vector<int> vertices;

    int vertex_count(int point) const
    {
        return first[static_cast<std::size_t>(point) + 1] - first[static_cast<std::size_t>(point)];
    }
};

Skinning gather_skinning(const Character& character, const Roles& roles, const Weld& weld);

// The weights that all vertices of a point have in common: the least of each joint's. Where they agree, as nearly
// always, these are the file's; where not, their sum is under 1.
std::vector<Influence> common_weights(const Skinning& skinning, int point);

// Joints whose motion tears skin off a tail's root: all but the joint that the tail hangs from and the torso beside it.
// What is above the attachment is not beside it: auto-riggers hand skin to a root joint that stays behind when the hips
// move.
bool tears(const Skinning& skinning, int joint, int attach);

// The sum of the weights of such joints.
double tearing_weight(const Skinning& skinning, const std::vector<Influence>& weights, int attach);

} // namespace tailfix
