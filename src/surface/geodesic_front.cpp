#include "surface/geodesic_front.h"

#include <algorithm>
#include <cmath>

namespace tailfix {
namespace {

// Distance of c through triangle abc, from those of a and b. The source lies in the triangle's plane beyond edge ab, at
// these distances from its ends. kUnreached where there is no such place, or where the line to c leaves through another
// edge.
double across_triangle(const Eigen::Vector3d& a, const Eigen::Vector3d& b, const Eigen::Vector3d& c, double at_a,
                       double at_b)
{
    const Eigen::Vector3d ab = b - a, ac = c - a;
    const double length2 = ab.squaredNorm();
    if (!(length2 > 0)) return kUnreached;
    const double length = std::sqrt(length2);
    // The plane's coordinates: x along ab from a, y towards c.
    const double cx = ac.dot(ab) / length;
    const double cy = std::sqrt(std::max(0.0, ac.squaredNorm() - cx * cx));
    const double sx = (at_a * at_a - at_b * at_b + length2) / (2 * length);
    const double height2 = at_a * at_a - sx * sx;
    if (height2 < 0) return kUnreached; // the two distances differ by more than the edge
    const double sy = std::sqrt(height2);
    // Where the line from (sx, -sy) to (cx, cy) crosses y = 0.
    const double across = sy + cy;
    const double crossing = across > 0 ? sx + (cx - sx) * sy / across : cx;
    if (crossing < 0 || crossing > length) return kUnreached;
    return std::hypot(cx - sx, across);
}

} // namespace

const std::vector<bool>& GeodesicFront::no_limits()
{
    static const std::vector<bool> none;
    return none;
}

GeodesicFront::GeodesicFront(const SurfaceGraph& graph, const std::vector<bool>& allowed)
    : graph_(graph), allowed_(allowed), distance_(graph.points.size(), kUnreached), settled_(graph.points.size(), false)
{
}

void GeodesicFront::add(const Source& source)
{
    offer(source.point, source.distance);
}

void GeodesicFront::offer(int p, double distance)
{
    double& best = distance_[static_cast<std::size_t>(p)];
    if (distance >= best) return;
    best = distance;
    queue_.emplace(distance, p);
}

void GeodesicFront::spread(int p)
{
    const auto at = [&](int i) -> const Eigen::Vector3d& { return graph_.points[static_cast<std::size_t>(i)]; };
    const auto open = [&](int i) {
        return !settled_[static_cast<std::size_t>(i)] && (allowed_.empty() || allowed_[static_cast<std::size_t>(i)]);
    };
    const double here = distance_[static_cast<std::size_t>(p)];
    for (int e = graph_.first[static_cast<std::size_t>(p)]; e < graph_.first[static_cast<std::size_t>(p) + 1]; ++e) {
        const int q = graph_.target[static_cast<std::size_t>(e)];
        if (open(q)) offer(q, here + graph_.length[static_cast<std::size_t>(e)]);
    }
    if (graph_.edges_only) return;
    for (int k = graph_.first_triangle[static_cast<std::size_t>(p)];
         k < graph_.first_triangle[static_cast<std::size_t>(p) + 1]; ++k) {
        const auto& t = graph_.triangles[static_cast<std::size_t>(graph_.triangle_of[static_cast<std::size_t>(k)])];
        const int i = t[0] == p ? 0 : t[1] == p ? 1 : 2;
        const int q = t[(i + 1) % 3], r = t[(i + 2) % 3];
        for (const auto& [known, sought] : {std::pair(q, r), std::pair(r, q)}) {
            if (!settled_[static_cast<std::size_t>(known)] || !open(sought)) continue;
            const double d =
                across_triangle(at(p), at(known), at(sought), here, distance_[static_cast<std::size_t>(known)]);
            // A front never comes from ahead of itself.
            if (d >= here) offer(sought, d);
        }
    }
}

} // namespace tailfix
