#include "motion/support_points.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <limits>
#include <map>
#include <numbers>

#include <Eigen/Core>

namespace tailfix {

namespace {

// Evenly spread over the sphere (a Fibonacci lattice). 96 directions lie about 20 degrees apart, so the lowest point of
// a round foot of 5 cm is missed by at most 5 cm (1 - cos 10 degrees) = 0.8 mm.
constexpr int kDirections = 96;

std::array<Eigen::Vector3d, kDirections> directions()
{
    std::array<Eigen::Vector3d, kDirections> out;
    const double golden = std::numbers::pi * (3 - std::sqrt(5.0));
    for (int i = 0; i < kDirections; ++i) {
        const double y = 1 - 2 * (i + 0.5) / kDirections, r = std::sqrt(1 - y * y);
        out[static_cast<std::size_t>(i)] = {r * std::cos(golden * i), y, r * std::sin(golden * i)};
    }
    return out;
}

struct Extremes {
    std::array<double, kDirections> reach;
    std::array<int, kDirections> vertex;
    Extremes()
    {
        reach.fill(-std::numeric_limits<double>::infinity());
        vertex.fill(kNone);
    }
};

} // namespace

int dominant_joint(const Mesh& mesh, int vertex)
{
    const auto v = static_cast<std::size_t>(vertex);
    int joint = kNone;
    double most = 0;
    for (int i = mesh.first_influence[v]; i < mesh.first_influence[v + 1]; ++i) {
        const Influence& influence = mesh.influences[static_cast<std::size_t>(i)];
        if (influence.weight > most) {
            most = influence.weight;
            joint = influence.joint;
        }
    }
    return joint;
}

std::vector<int> support_points(const Mesh& mesh, const std::vector<char>& skip)
{
    const auto towards = directions();
    std::map<int, Extremes> by_joint;
    for (int v = 0; v < mesh.vertex_count(); ++v) {
        if (!skip.empty() && skip[static_cast<std::size_t>(v)]) continue;
        const int joint = dominant_joint(mesh, v);
        if (joint == kNone) continue;
        Extremes& extremes = by_joint[joint];
        for (std::size_t d = 0; d < towards.size(); ++d) {
            const double reach = towards[d].dot(mesh.positions[static_cast<std::size_t>(v)]);
            if (reach <= extremes.reach[d]) continue;
            extremes.reach[d] = reach;
            extremes.vertex[d] = v;
        }
    }
    std::vector<int> out;
    for (const auto& [joint, extremes] : by_joint)
        out.insert(out.end(), extremes.vertex.begin(), extremes.vertex.end());
    std::sort(out.begin(), out.end());
    out.erase(std::unique(out.begin(), out.end()), out.end());
    return out;
}

} // namespace tailfix
