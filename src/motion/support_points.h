// The few vertices of a skin that can be its lowest point.
//
// The skin that each joint dominates moves nearly as one piece, so its lowest point in any pose is one of its extreme
// points. Source: the article's grounding ("the implementation samples skin grouped by dominant bone instead of
// evaluating every vertex in every frame").
#pragma once

#include <vector>

#include <tailfix/character.h>

namespace tailfix {

// Joint with the largest weight on a vertex, kNone where it has no weights.
int dominant_joint(const Mesh& mesh, int vertex);

// Extreme vertices per dominant joint, ascending. Vertices with skip[v] are left out; an empty skip leaves out none.
std::vector<int> support_points(const Mesh& mesh, const std::vector<char>& skip);

} // namespace tailfix
