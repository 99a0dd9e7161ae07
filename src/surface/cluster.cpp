#include <tailfix/surface/cluster.h>

#include <algorithm>

#include "surface/point_graph.h"
#include "surface/union_find.h"

namespace tailfix {

std::vector<FarPiece> cluster_far_skin(const Weld& weld, const std::vector<double>& distance, double height,
                                       const ClusterOptions& options)
{
    const PointGraph graph = build_point_graph(weld);
    const auto is_far = [&](int p) { return distance[static_cast<std::size_t>(p)] > options.far * height; };

    UnionFind sets(graph.point_count());
    for (int p = 0; p < graph.point_count(); ++p)
        for (const Edge& edge : graph.neighbours(p))
            if (p < edge.to && is_far(p) && is_far(edge.to)) sets.unite(p, edge.to);

    std::vector<FarPiece> pieces;
    std::vector<int> piece_of_set(weld.points.size(), kNone);
    for (int p = 0; p < graph.point_count(); ++p) {
        if (!is_far(p)) continue;
        int& piece = piece_of_set[static_cast<std::size_t>(sets.find(p))];
        if (piece == kNone) {
            piece = static_cast<int>(pieces.size());
            pieces.emplace_back();
        }
        auto& [points, collar] = pieces[static_cast<std::size_t>(piece)];
        points.push_back(p);
        for (const Edge& edge : graph.neighbours(p))
            if (!is_far(edge.to)) collar.push_back(edge.to);
    }
    for (auto& piece : pieces) {
        std::sort(piece.collar.begin(), piece.collar.end());
        piece.collar.erase(std::unique(piece.collar.begin(), piece.collar.end()), piece.collar.end());
    }
    return pieces;
}

} // namespace tailfix
