#include "surface/along.h"

#include <algorithm>
#include <cmath>

namespace tailfix {
namespace {

std::vector<double> join(const SurfaceGraph& graph, const std::vector<bool>& inside, const std::vector<Source>& in,
                         const std::vector<Source>& out, double root_radius)
{
    std::vector<bool> outside(inside);
    outside.flip();
    const auto into = distances_from(graph, in, kUnreached, inside);
    const auto away = distances_from(graph, out, kOutsideRadii * root_radius, outside);
    std::vector<double> along(static_cast<std::size_t>(graph.welded_count));
    for (std::size_t p = 0; p < along.size(); ++p) {
        // A part of the piece that no path through the piece reaches (an islet of a second shell) hangs at the root.
        along[p] = inside[p] ? (std::isfinite(into[p]) ? into[p] : 0) : -away[p];
    }
    return along;
}

} // namespace

std::vector<double> distance_along_cut(const SurfaceGraph& graph, const std::vector<bool>& inside,
                                       const std::vector<double>& tip_distance, double cut, double root_radius)
{
    std::vector<Source> in, out;
    for (int p = 0; p < graph.size(); ++p) {
        if (!inside[static_cast<std::size_t>(p)]) continue;
        for (int e = graph.first[static_cast<std::size_t>(p)]; e < graph.first[static_cast<std::size_t>(p) + 1]; ++e) {
            const int q = graph.target[static_cast<std::size_t>(e)];
            if (inside[static_cast<std::size_t>(q)]) continue;
            const double length = graph.length[static_cast<std::size_t>(e)];
            const double a = tip_distance[static_cast<std::size_t>(p)], b = tip_distance[static_cast<std::size_t>(q)];
            const double share = b > a && std::isfinite(b) ? std::clamp((cut - a) / (b - a), 0.0, 1.0) : 0.5;
            in.push_back({p, share * length});
            out.push_back({q, (1 - share) * length});
        }
    }
    return join(graph, inside, in, out, root_radius);
}

std::vector<double> distance_along_collar(const SurfaceGraph& graph, const std::vector<bool>& inside,
                                          const std::vector<int>& collar, double root_radius)
{
    std::vector<bool> piece(inside);
    std::vector<Source> sources, beside;
    for (const int p : collar) {
        sources.push_back({p, 0});
        if (!inside[static_cast<std::size_t>(p)]) beside.push_back({p, 0});
        piece[static_cast<std::size_t>(p)] = true; // the way into the piece begins on its collar
    }
    const auto into = distances_from(graph, sources, kUnreached, piece);
    auto along = join(graph, inside, sources, beside, root_radius);
    for (std::size_t p = 0; p < along.size(); ++p)
        if (inside[p]) along[p] = std::isfinite(into[p]) ? into[p] : 0;
    return along;
}

} // namespace tailfix
