// The edges between welded points, with their lengths: what stages that walk along the surface walk on.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <tailfix/surface/weld.h>

namespace tailfix {

struct Edge {
    int to = 0;        // the point at its other end
    double length = 0; // bind units
};

// Neighbours of point p are edges[first[p]] .. edges[first[p + 1] - 1], ascending, each once.
struct PointGraph {
    std::vector<int> first;
    std::vector<Edge> edges;

    int point_count() const { return static_cast<int>(first.size()) - 1; }

    struct Neighbours {
        const Edge* from;
        const Edge* past;
        const Edge* begin() const { return from; }
        const Edge* end() const { return past; }
    };
    Neighbours neighbours(int p) const
    {
        const auto at = static_cast<std::size_t>(p);
        return {edges.data() + first[at], edges.data() + first[at + 1]};
    }
};

PointGraph build_point_graph(const Weld& weld);

} // namespace tailfix
