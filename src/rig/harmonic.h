// Weights that change as gently as the skin around allows.
#pragma once

#include <vector>

#include <Eigen/Core>

namespace tailfix {

// An edge of the surface between two numbered points; fixed points and free ones are numbered together.
struct SkinEdge {
    int a = 0, b = 0;
    double length = 0;
};

// Fills in each column of `values` (points x joints) at the free points with the harmonic function of its values at the
// fixed points: the one whose gradient is smallest in the mean square, so that the skin stretches least between them.
// Laplacian weights are 1 / length. A free point that no path joins to a fixed one keeps its value.
Eigen::MatrixXd fill_harmonic(const Eigen::MatrixXd& values, const std::vector<bool>& free,
                              const std::vector<SkinEdge>& edges);

} // namespace tailfix
