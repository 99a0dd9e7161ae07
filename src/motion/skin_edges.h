// Edges of the welded skin, by where they lie: what stretch is measured on.
//
// Source: method.md 9. An edge belongs to the tail when both ends have more than half their weight on tail joints, to
// the seam when one has, to the body otherwise. Body edges may be sampled: every n-th triangle, so that the choice does
// not depend on anything but the file.
#pragma once

#include <span>
#include <vector>

#include <tailfix/rig/rest_pose.h>
#include <tailfix/surface/weld.h>

namespace tailfix {

struct SkinEdge {
    int a = 0, b = 0;  // indices into SkinEdges::vertices
    double length = 0; // bind units
};

struct SkinEdges {
    std::vector<int> vertices; // mesh vertices that the edges need, one per welded point
    std::vector<SkinEdge> tail, seam, body;
    int body_stride = 1; // one body triangle of so many was taken
};

// Weight on the joints of some chains, per vertex; tail-dominated is over 0.5.
std::vector<double> tail_weights(const Character& character, std::span<const JointChain> chains);

// At most about `most_body` body edges; 0: all.
SkinEdges skin_edges(const Mesh& mesh, const std::vector<double>& tail_weight, const Weld& weld, int most_body);

// The p-th percentile, 0 to 100, interpolated between samples; 1 for no samples.
double percentile(std::vector<double> samples, double p);

} // namespace tailfix
