// A front that spreads over the skin from its sources, nearest points first: geodesic distance by fast marching.
//
// A path along edges alone is up to a sixth too long and depends on how the surface happens to be cut into triangles,
// which a subdivision does not cure. So a point is reached across the triangle as well: from the distances of its two
// other corners the source is laid out in the triangle's plane, and the straight line from it counts where it crosses
// the edge between them (M. Novotni, R. Klein, "Computing geodesic distances on triangular meshes", WSCG 2002). Exact
// on a flat surface and one source; the order of Kimmel and Sethian's fast marching, "Computing geodesic paths on
// manifolds", PNAS 1998. Where the triangle is too obtuse for that, and over bridges between shells, paths along edges
// are what is left.
#pragma once

#include <queue>
#include <utility>
#include <vector>

#include "surface/surface_graph.h"

namespace tailfix {

class GeodesicFront {
public:
    // Only through points where `allowed` holds (empty: all). Both must outlive the front.
    explicit GeodesicFront(const SurfaceGraph& graph, const std::vector<bool>& allowed = no_limits());

    void add(const Source& source);

    // Settles every point up to `limit`, nearest first, and calls visit(point) for each. Can be taken up again.
    template <class Visit>
    void advance(double limit, Visit&& visit)
    {
        while (!queue_.empty() && queue_.top().first <= limit) {
            const auto [d, p] = queue_.top();
            queue_.pop();
            if (settled_[static_cast<std::size_t>(p)]) continue;
            settled_[static_cast<std::size_t>(p)] = true;
            visit(p);
            spread(p);
        }
    }

    bool done() const { return queue_.empty(); }

    // Per point: final where it is settled, an upper bound ahead of the front, kUnreached beyond.
    const std::vector<double>& distance() const { return distance_; }
    bool settled(int p) const { return settled_[static_cast<std::size_t>(p)]; }

private:
    static const std::vector<bool>& no_limits();

    void spread(int p);
    void offer(int p, double distance);

    using Entry = std::pair<double, int>;
    const SurfaceGraph& graph_;
    const std::vector<bool>& allowed_;
    std::vector<double> distance_;
    std::vector<bool> settled_;
    std::priority_queue<Entry, std::vector<Entry>, std::greater<>> queue_;
};

} // namespace tailfix
