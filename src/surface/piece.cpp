#include "surface/piece.h"

#include <algorithm>
#include <cmath>

#include "surface/along.h"

namespace tailfix {
namespace {

double triangle_area(const SurfaceGraph& graph, const Eigen::Vector3i& t)
{
    const auto& a = graph.points[static_cast<std::size_t>(t[0])];
    return 0.5 * (graph.points[static_cast<std::size_t>(t[1])] - a)
                     .cross(graph.points[static_cast<std::size_t>(t[2])] - a)
                     .norm();
}

// See Piece::touch.
std::optional<Eigen::Vector3d> touch_of(const SurfaceGraph& graph, const std::vector<bool>& inside)
{
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    int count = 0;
    for (std::size_t p = 0; p < inside.size(); ++p) {
        if (!inside[p]) continue;
        bool touches = false;
        for (int e = graph.first[p]; e < graph.first[p + 1]; ++e)
            touches = touches || !inside[static_cast<std::size_t>(graph.target[static_cast<std::size_t>(e)])];
        if (!touches) continue;
        sum += graph.points[p];
        ++count;
    }
    if (count == 0) return {};
    return Eigen::Vector3d(sum / count);
}

std::size_t shell_of(const SurfaceGraph& graph, const Eigen::Vector3i& t)
{
    return static_cast<std::size_t>(graph.shell[static_cast<std::size_t>(t[0])]);
}

} // namespace

std::vector<double> shell_areas(const SurfaceGraph& graph)
{
    std::vector<double> areas(static_cast<std::size_t>(graph.shell_count), 0);
    for (const auto& t : graph.triangles) areas[shell_of(graph, t)] += triangle_area(graph, t);
    return areas;
}

Piece cut_piece(const SurfaceGraph& graph, const std::vector<double>& shell_area, const std::vector<double>& distance,
                double cut, double beside)
{
    Piece piece;
    piece.inside.resize(graph.points.size());
    for (std::size_t p = 0; p < piece.inside.size(); ++p) piece.inside[p] = distance[p] < cut;
    std::vector<double> area(shell_area.size(), 0);
    for (const auto& t : graph.triangles) {
        const bool in = piece.inside[static_cast<std::size_t>(t[0])] && piece.inside[static_cast<std::size_t>(t[1])] &&
                        piece.inside[static_cast<std::size_t>(t[2])];
        if (in) area[shell_of(graph, t)] += triangle_area(graph, t);
    }
    std::vector<bool> is_own(area.size());
    for (std::size_t s = 0; s < area.size(); ++s) is_own[s] = area[s] > 0.5 * shell_area[s];
    double nearest = cut; // to the tip, of the other skin that is cut off
    for (std::size_t p = 0; p < piece.inside.size(); ++p)
        if (piece.inside[p] && !is_own[static_cast<std::size_t>(graph.shell[p])])
            nearest = std::min(nearest, distance[p]);
    piece.own_shells = std::find(is_own.begin(), is_own.end(), true) != is_own.end() && cut - nearest < beside;
    for (std::size_t p = 0; p < piece.inside.size(); ++p) {
        const bool on_own = is_own[static_cast<std::size_t>(graph.shell[p])];
        piece.inside[p] = on_own || (piece.inside[p] && !piece.own_shells);
    }
    if (piece.own_shells) piece.touch = touch_of(graph, piece.inside);
    return piece;
}

std::vector<double> distance_along_piece(const SurfaceGraph& graph, const Piece& piece,
                                         const std::vector<double>& distance, int tip, double cut, double root_radius)
{
    if (!piece.own_shells) return distance_along_cut(graph, piece.inside, distance, cut, root_radius);
    const auto from_tip = distances_from(graph, {{tip, 0}}, kUnreached, piece.inside);
    double end = 0;
    for (const double d : from_tip)
        if (std::isfinite(d)) end = std::max(end, d);
    // Half an edge back from the farthest point, so that a ring of them is found and not that one alone.
    const double root = std::min(cut, end - 0.5 * graph.longest_edge);
    std::vector<Source> sources;
    for (std::size_t p = 0; p < from_tip.size(); ++p)
        if (piece.inside[p] && std::isfinite(from_tip[p]) && from_tip[p] >= root)
            sources.push_back({static_cast<int>(p), 0});
    const auto along = distances_from(graph, sources, kUnreached, piece.inside);
    std::vector<double> out(static_cast<std::size_t>(graph.welded_count), -kUnreached);
    for (std::size_t p = 0; p < out.size(); ++p)
        if (piece.inside[p]) out[p] = std::isfinite(along[p]) ? along[p] : 0;
    return out;
}

} // namespace tailfix
