// The article's formulas a second time, written from the method alone: what the tests in this folder hold the library
// to. Slow and plain on purpose; nothing here uses the library's own arithmetic.
#pragma once

#include <algorithm>
#include <cmath>
#include <cstddef>
#include <limits>
#include <numbers>
#include <set>
#include <utility>
#include <vector>

#include <Eigen/Geometry>

#include <tailfix/character.h>
#include <tailfix/rig/roles.h>
#include <tailfix/surface/weld.h>

namespace tailfix::article {

using Eigen::Matrix3d;
using Eigen::Quaterniond;
using Eigen::Vector3d;

inline constexpr double kTolerance = 1e-6; // what the tests ask for; lengths relative to the model's size
inline constexpr double kDegree = std::numbers::pi / 180;

inline std::size_t at(int i)
{
    return static_cast<std::size_t>(i);
}

inline double clamp(double x, double lo, double hi)
{
    return x < lo ? lo : x > hi ? hi : x;
}

// The shortest turn that carries unit vector a to unit vector b (not opposite): Rodrigues' formula.
inline Matrix3d swing(const Vector3d& a, const Vector3d& b)
{
    const Vector3d v = a.cross(b);
    Matrix3d cross;
    cross << 0, -v.z(), v.y(), v.z(), 0, -v.x(), -v.y(), v.x(), 0;
    return Matrix3d::Identity() + cross + cross * cross / (1 + a.dot(b));
}

// Angle and axis of a turn of under half a circle.
inline Vector3d rotation_vector(const Matrix3d& m)
{
    const Vector3d twice_sin(m(2, 1) - m(1, 2), m(0, 2) - m(2, 0), m(1, 0) - m(0, 1));
    const double s = twice_sin.norm() / 2, angle = std::atan2(s, (m.trace() - 1) / 2);
    return s < 1e-300 ? Vector3d(twice_sin / 2) : Vector3d(twice_sin / (2 * s) * angle);
}

inline Matrix3d turn(const Vector3d& rotation_vector)
{
    const double angle = rotation_vector.norm();
    if (angle == 0) return Matrix3d::Identity();
    const Vector3d u = rotation_vector / angle;
    Matrix3d cross;
    cross << 0, -u.z(), u.y(), u.z(), 0, -u.x(), -u.y(), u.x(), 0;
    return Matrix3d::Identity() + std::sin(angle) * cross + (1 - std::cos(angle)) * cross * cross;
}

// Spherical interpolation: a share of the turn from a to b.
inline Matrix3d slerp(const Matrix3d& a, const Matrix3d& b, double t)
{
    return a * turn(t * rotation_vector(a.transpose() * b));
}

// R_x: about the left-right axis, from down to back to up.
inline Matrix3d lift(double radians)
{
    return turn(Vector3d(radians, 0, 0));
}

// Section 1. Least distance to the segments; a bone without length is a point.
inline double skeleton_distance(const Vector3d& p, const std::vector<std::pair<Vector3d, Vector3d>>& bones)
{
    double least = std::numeric_limits<double>::infinity();
    for (const auto& [a, b] : bones) {
        const double length2 = (b - a).dot(b - a);
        const double t = length2 > 0 ? clamp((p - a).dot(b - a) / length2, 0, 1) : 0;
        least = std::min(least, (p - (a + t * (b - a))).norm());
    }
    return least;
}

// Section 1. Every joint with its parent, and a stub past each leaf, along its bone, as long as the bone but no longer
// than 5% of the height.
inline std::vector<std::pair<Vector3d, Vector3d>> skeleton(const std::vector<Joint>& joints, double height)
{
    std::vector<std::pair<Vector3d, Vector3d>> bones;
    for (std::size_t j = 0; j < joints.size(); ++j) {
        if (joints[j].parent == kNone) continue;
        const Vector3d a = joints[at(joints[j].parent)].position(), b = joints[j].position();
        bones.emplace_back(a, b);
        bool leaf = true;
        for (const auto& other : joints) leaf = leaf && other.parent != static_cast<int>(j);
        const double length = (b - a).norm();
        if (leaf && length > 0) bones.emplace_back(b, b + (b - a) / length * std::min(length, 0.05 * height));
    }
    return bones;
}

// H: the extent of the skin along up.
inline double extent(const std::vector<Vector3d>& points, const Vector3d& up)
{
    double lo = std::numeric_limits<double>::infinity(), hi = -lo;
    for (const auto& p : points) {
        lo = std::min(lo, p.dot(up));
        hi = std::max(hi, p.dot(up));
    }
    return hi - lo;
}

inline std::set<std::pair<int, int>> edges_of(const std::vector<Eigen::Vector3i>& triangles)
{
    std::set<std::pair<int, int>> edges;
    for (const auto& t : triangles)
        for (int c = 0; c < 3; ++c) {
            const int a = t[c], b = t[(c + 1) % 3];
            if (a != b) edges.emplace(std::min(a, b), std::max(a, b));
        }
    return edges;
}

// Section 4. Geodesic distance along edges from the sources, over the allowed points: Bellman and Ford, edge by edge
// until nothing gets shorter.
inline std::vector<double> geodesic(const std::vector<Vector3d>& points, const std::set<std::pair<int, int>>& edges,
                                    const std::vector<int>& sources, const std::vector<bool>& allowed)
{
    std::vector<double> g(points.size(), std::numeric_limits<double>::infinity());
    for (const int s : sources) g[at(s)] = 0;
    for (bool changed = true; changed;) {
        changed = false;
        for (const auto& [a, b] : edges) {
            if (!allowed[at(a)] || !allowed[at(b)]) continue;
            const double length = (points[at(a)] - points[at(b)]).norm();
            for (const auto& [from, to] : {std::pair{a, b}, std::pair{b, a}})
                if (g[at(from)] + length < g[at(to)]) {
                    g[at(to)] = g[at(from)] + length;
                    changed = true;
                }
        }
    }
    return g;
}

inline Vector3d centroid(const std::vector<Vector3d>& points, const std::vector<int>& which)
{
    Vector3d sum = Vector3d::Zero();
    for (const int p : which) sum += points[at(p)];
    return sum / static_cast<double>(which.size());
}

// Between the two nearest of the sorted values.
inline double percentile(std::vector<double> values, double percent)
{
    std::sort(values.begin(), values.end());
    const double place = percent / 100 * static_cast<double>(values.size() - 1);
    const auto below = static_cast<std::size_t>(place);
    const auto above = std::min(below + 1, values.size() - 1);
    return values[below] + (place - static_cast<double>(below)) * (values[above] - values[below]);
}

} // namespace tailfix::article
