// Skin weights as an auto-rigger without knowledge of tails gives them.
#pragma once

#include <array>
#include <vector>

#include "generate/figure.h"
#include "generate/mesh.h"

namespace tailfix::generate {

struct PointWeights {
    std::array<int, 4> joint{};
    std::array<double, 4> weight{}; // sum 1
};

// Inverse fourth power of the distance to the nearest bones, each moved by the joint at its head.
std::vector<PointWeights> skin_weights(const Figure& figure, const std::vector<Eigen::Vector3d>& points);

} // namespace tailfix::generate
