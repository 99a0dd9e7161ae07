// The skin weights of a file as the weight stages read them: per welded point instead of per vertex.
#pragma once

#include <cstddef>
#include <vector>

#include <tailfix/character.h>
#include <tailfix/surface/weld.h>

namespace tailfix {

// What the stages read of the input, gathered once. Holds a reference: the character must outlive it.
struct Skinning {
    const Character& character;
    std::vector<int> first; // vertices of point p: vertices[first[p]] .. vertices[first[p + 1] - 1]
    std::vector<int> vertices;

    int vertex_count(int point) const
    {
        return first[static_cast<std::size_t>(point) + 1] - first[static_cast<std::size_t>(point)];
    }
};

Skinning gather_skinning(const Character& character, const Weld& weld);

// The weights that all vertices of a point have in common: the least of each joint's. Where they agree, as nearly
// always, these are the file's; where not, their sum is under 1.
std::vector<Influence> common_weights(const Skinning& skinning, int point);

// What of them does not follow `joint`.
double other_weight(const std::vector<Influence>& weights, int joint);

} // namespace tailfix
