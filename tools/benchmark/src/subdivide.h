// The same surface with more vertices.
#pragma once

#include <tailfix/character.h>

namespace tailfix::benchmark {

// Splits every edge longer than `longest` once, at its midpoint, and its triangles into two, three or four. Edges are
// told apart by their length alone, so that both sides of a seam are split alike: no crack opens. A new vertex has
// half of the weights of both ends of its edge, and belongs to their primitive.
Mesh split_longer_edges(const Mesh& mesh, double longest);

// Splits all edges, then the longest, until there are about as many vertices (edges of one length stay together).
// A mesh that has as many is returned as it is.
Mesh subdivide_to(Mesh mesh, int vertices);

} // namespace tailfix::benchmark
