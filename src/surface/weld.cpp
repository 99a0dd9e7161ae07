#include <tailfix/surface/weld.h>

#include <algorithm>
#include <array>
#include <bit>
#include <cmath>
#include <cstdint>

#include <Eigen/Geometry>

#include "surface/union_find.h"

namespace tailfix {
namespace {

using Cell = std::array<std::int64_t, 3>;

// A hash grid of positions. Buckets keep no cell: two cells in one bucket only cost a few more distance tests.
class Grid {
public:
    // A cell is four radii wide: then a ball of one radius touches 3.4 cells on average (27 with cells of one radius).
    Grid(const Eigen::Vector3d& corner, double radius, double diagonal, std::size_t count)
        : corner_(corner), radius_(radius), buckets_(std::bit_ceil(2 * count + 1), kNone), next_(count, kNone)
    {
        // Radius 0 joins equal positions only; any cell will do, and 1e-9 keeps cell numbers within 64 bits.
        inverse_cell_ = 1 / std::max({4 * radius, 1e-9 * diagonal, 1e-300});
    }

    void insert(int item, const Eigen::Vector3d& p)
    {
        int& bucket = buckets_[index(cell(p))];
        next_[static_cast<std::size_t>(item)] = bucket;
        bucket = item;
    }

    // Calls visit(item) for every item that may lie within one radius of p.
    template <class Visit>
    void near(const Eigen::Vector3d& p, Visit&& visit) const
    {
        const Cell low = cell(p - Eigen::Vector3d::Constant(radius_));
        const Cell high = cell(p + Eigen::Vector3d::Constant(radius_));
        for (std::int64_t x = low[0]; x <= high[0]; ++x)
            for (std::int64_t y = low[1]; y <= high[1]; ++y)
                for (std::int64_t z = low[2]; z <= high[2]; ++z)
                    for (int i = buckets_[index({x, y, z})]; i != kNone; i = next_[static_cast<std::size_t>(i)])
                        visit(i);
    }

private:
    Cell cell(const Eigen::Vector3d& p) const
    {
        const Eigen::Vector3d q = (p - corner_) * inverse_cell_;
        return {std::llround(std::floor(q.x())), std::llround(std::floor(q.y())), std::llround(std::floor(q.z()))};
    }

    std::size_t index(const Cell& c) const
    {
        // Multiply by large odd numbers, then mix (the finaliser of SplitMix64), so that planes of points spread out.
        std::uint64_t h = static_cast<std::uint64_t>(c[0]) * 0x9E3779B97F4A7C15ULL ^
                          static_cast<std::uint64_t>(c[1]) * 0xC2B2AE3D27D4EB4FULL ^
                          static_cast<std::uint64_t>(c[2]) * 0x165667B19E3779F9ULL;
        h = (h ^ (h >> 30)) * 0xBF58476D1CE4E5B9ULL;
        h ^= h >> 31;
        return static_cast<std::size_t>(h) & (buckets_.size() - 1);
    }

    Eigen::Vector3d corner_;
    double radius_ = 0;
    double inverse_cell_ = 1;
    std::vector<int> buckets_; // last item of each bucket
    std::vector<int> next_;    // per item: the one before it in its bucket
};

} // namespace

Weld weld_vertices(const Mesh& mesh, const WeldOptions& options)
{
    const auto& positions = mesh.positions;
    Eigen::AlignedBox3d box;
    for (const auto& p : positions) box.extend(p);
    const double diagonal = positions.empty() ? 0 : box.diagonal().norm();
    const double radius = options.radius * diagonal;

    // A vertex at the very place of an earlier one is joined to it and stays out of the grid, so that the many exact
    // copies along seams never make a bucket long.
    UnionFind sets(mesh.vertex_count());
    Grid grid(positions.empty() ? Eigen::Vector3d::Zero() : Eigen::Vector3d(box.min()), radius, diagonal,
              positions.size());
    for (int v = 0; v < mesh.vertex_count(); ++v) {
        const Eigen::Vector3d& p = positions[static_cast<std::size_t>(v)];
        bool copy = false;
        grid.near(p, [&](int other) {
            const double squared = (positions[static_cast<std::size_t>(other)] - p).squaredNorm();
            if (squared <= radius * radius) sets.unite(v, other);
            copy = copy || squared == 0;
        });
        if (!copy) grid.insert(v, p);
    }

    Weld weld;
    weld.point_of_vertex.resize(positions.size());
    for (int v = 0; v < mesh.vertex_count(); ++v) {
        const auto at = static_cast<std::size_t>(v);
        const int first = sets.find(v); // the smallest member, so it has its number already
        if (first == v) {
            weld.point_of_vertex[at] = static_cast<int>(weld.points.size());
            weld.points.push_back(positions[at]);
        } else {
            weld.point_of_vertex[at] = weld.point_of_vertex[static_cast<std::size_t>(first)];
        }
    }
    for (const auto& t : mesh.triangles) {
        const auto point = [&](int corner) { return weld.point_of_vertex[static_cast<std::size_t>(t[corner])]; };
        const Eigen::Vector3i welded(point(0), point(1), point(2));
        if (welded[0] != welded[1] && welded[1] != welded[2] && welded[2] != welded[0])
            weld.triangles.push_back(welded);
    }
    return weld;
}

} // namespace tailfix
