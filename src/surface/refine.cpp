#include "surface/refine.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <unordered_map>

#include <Eigen/Geometry>

namespace tailfix {
namespace {

// A soup of large triangles could be split into more than memory and time hold. A character of the coarsest kind needs
// some 40,000 triangles at the usual length of edges, and a mesh that comes near the limit is dense enough without.
constexpr double kMostTriangles = 1.5e5;

std::uint64_t edge_key(int a, int b)
{
    const auto low = static_cast<std::uint64_t>(std::min(a, b)), high = static_cast<std::uint64_t>(std::max(a, b));
    return high << 32U | low;
}

// Triangles that a split to edges of length h will leave, roughly: each triangle becomes max(1, (longest / h)^2).
double count_after(const RefinedSurface& surface, double h)
{
    double count = 0;
    for (const auto& t : surface.triangles) {
        double longest = 0;
        for (int k = 0; k < 3; ++k) {
            const auto& a = surface.points[static_cast<std::size_t>(t[k])];
            const auto& b = surface.points[static_cast<std::size_t>(t[(k + 1) % 3])];
            longest = std::max(longest, (a - b).norm());
        }
        const double parts = std::ceil(longest / h);
        count += std::max(1.0, parts * parts);
    }
    return count;
}

class Splitter {
public:
    Splitter(RefinedSurface& surface, double longest) : surface_(surface), longest_(longest) {}

    bool pass()
    {
        midpoints_.clear();
        std::vector<Eigen::Vector3i> out;
        out.reserve(surface_.triangles.size());
        bool split = false;
        for (const auto& t : surface_.triangles) {
            std::array<int, 3> mid{};
            int count = 0;
            for (int k = 0; k < 3; ++k) {
                mid[static_cast<std::size_t>(k)] = midpoint(t[k], t[(k + 1) % 3]);
                count += mid[static_cast<std::size_t>(k)] >= 0;
            }
            split = split || count > 0;
            emit(t, mid, count, out);
        }
        surface_.triangles = std::move(out);
        return split;
    }

private:
    // The new point on an edge, or -1 where the edge is short enough.
    int midpoint(int a, int b)
    {
        const Eigen::Vector3d pa = surface_.points[static_cast<std::size_t>(a)];
        const Eigen::Vector3d pb = surface_.points[static_cast<std::size_t>(b)];
        if ((pa - pb).squaredNorm() <= longest_ * longest_) return -1;
        const auto [at, fresh] = midpoints_.try_emplace(edge_key(a, b), static_cast<int>(surface_.points.size()));
        if (fresh) surface_.points.emplace_back(0.5 * (pa + pb));
        return at->second;
    }

    // Corner k and midpoint k, which lies between corners k and k + 1; winding is kept.
    static void emit(const Eigen::Vector3i& t, const std::array<int, 3>& m, int count,
                     std::vector<Eigen::Vector3i>& out)
    {
        if (count == 0) {
            out.push_back(t);
        } else if (count == 3) {
            out.emplace_back(t[0], m[0], m[2]);
            out.emplace_back(m[0], t[1], m[1]);
            out.emplace_back(m[2], m[1], t[2]);
            out.emplace_back(m[0], m[1], m[2]);
        } else if (count == 1) {
            const int k = m[0] >= 0 ? 0 : m[1] >= 0 ? 1 : 2;
            const int mid = m[static_cast<std::size_t>(k)];
            out.emplace_back(t[k], mid, t[(k + 2) % 3]);
            out.emplace_back(mid, t[(k + 1) % 3], t[(k + 2) % 3]);
        } else {
            // Edge k stays whole; the corner opposite to it is cut off and the quadrilateral left is halved.
            const int k = m[0] < 0 ? 0 : m[1] < 0 ? 1 : 2;
            const int a = t[k], b = t[(k + 1) % 3], c = t[(k + 2) % 3];
            const int bc = m[static_cast<std::size_t>((k + 1) % 3)], ca = m[static_cast<std::size_t>((k + 2) % 3)];
            out.emplace_back(ca, bc, c);
            out.emplace_back(a, b, bc);
            out.emplace_back(a, bc, ca);
        }
    }

    RefinedSurface& surface_;
    double longest_;
    std::unordered_map<std::uint64_t, int> midpoints_;
};

} // namespace

RefinedSurface refine_surface(const Weld& weld, double longest)
{
    RefinedSurface surface{weld.points, weld.triangles};
    if (!(longest > 0)) return surface;
    const double most = std::max(kMostTriangles, 1.5 * static_cast<double>(surface.triangles.size()));
    while (count_after(surface, longest) > most) longest *= 1.2;
    Splitter splitter(surface, longest);
    while (splitter.pass()) {
    }
    return surface;
}

} // namespace tailfix
