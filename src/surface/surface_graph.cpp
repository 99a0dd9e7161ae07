#include "surface/surface_graph.h"

#include <algorithm>
#include <cmath>
#include <utility>

#include "surface/geodesic_front.h"
#include "surface/point_tree.h"
#include "surface/refine.h"
#include "surface/union_find.h"

namespace tailfix {
namespace {

constexpr double kBridgeReach = 1.25; // of a shell's smallest gap (detection.md 2): bridges span its narrow side

struct Edge {
    int a = 0, b = 0;
    double length = 0;
};

std::vector<Edge> triangle_edges(const SurfaceGraph& graph)
{
    std::vector<std::pair<int, int>> pairs;
    pairs.reserve(3 * graph.triangles.size());
    for (const auto& t : graph.triangles)
        for (int k = 0; k < 3; ++k) pairs.emplace_back(std::minmax({t[k], t[(k + 1) % 3]}));
    std::sort(pairs.begin(), pairs.end());
    pairs.erase(std::unique(pairs.begin(), pairs.end()), pairs.end());
    std::vector<Edge> edges;
    edges.reserve(pairs.size());
    for (const auto& [a, b] : pairs)
        edges.push_back(
            {a, b, (graph.points[static_cast<std::size_t>(a)] - graph.points[static_cast<std::size_t>(b)]).norm()});
    return edges;
}

// Numbers the groups of a union-find in order of their first point. Points of no triangle are groups of their own.
std::vector<int> number_groups(UnionFind& groups, int size, int& count)
{
    std::vector<int> number(static_cast<std::size_t>(size), -1), out(static_cast<std::size_t>(size));
    count = 0;
    for (int p = 0; p < size; ++p) {
        int& n = number[static_cast<std::size_t>(groups.find(p))];
        if (n < 0) n = count++;
        out[static_cast<std::size_t>(p)] = n;
    }
    return out;
}

// One Boruvka round: every group but the largest is bridged to its nearest neighbour. Returns the bridges.
std::vector<Edge> bridge_round(const SurfaceGraph& graph, const std::vector<int>& group, int count, PointTree& tree,
                               double slack)
{
    std::vector<std::vector<int>> members(static_cast<std::size_t>(count));
    for (int p = 0; p < graph.size(); ++p)
        members[static_cast<std::size_t>(group[static_cast<std::size_t>(p)])].push_back(p);
    std::size_t largest = 0;
    for (std::size_t g = 1; g < members.size(); ++g)
        if (members[g].size() > members[largest].size()) largest = g;
    tree.set_groups(group);
    std::vector<Edge> bridges;
    for (std::size_t g = 0; g < members.size(); ++g) {
        if (g == largest) continue;
        double gap = kUnreached;
        for (const int p : members[g]) {
            const auto hit = tree.nearest_foreign(graph.points[static_cast<std::size_t>(p)], static_cast<int>(g), gap);
            if (hit.point >= 0) gap = hit.distance;
        }
        const double reach = kBridgeReach * gap + slack;
        if (!std::isfinite(reach)) continue;
        for (const int p : members[g]) {
            // The limit is exclusive, and a gap of 0 must still be bridged when there is no slack.
            const auto hit = tree.nearest_foreign(graph.points[static_cast<std::size_t>(p)], static_cast<int>(g),
                                                  std::nextafter(reach, kUnreached));
            if (hit.point >= 0) bridges.push_back({std::min(p, hit.point), std::max(p, hit.point), hit.distance});
        }
    }
    return bridges;
}

void add_bridges(SurfaceGraph& graph, std::vector<Edge>& edges, double slack)
{
    UnionFind groups(graph.size());
    for (const auto& e : edges) groups.unite(e.a, e.b);
    graph.shell = number_groups(groups, graph.size(), graph.shell_count);
    std::vector<int> group = graph.shell;
    int count = graph.shell_count;
    if (count < 2) return;
    PointTree tree(graph.points);
    while (count > 1) {
        const auto bridges = bridge_round(graph, group, count, tree, slack);
        if (bridges.empty()) break;
        for (const auto& e : bridges) groups.unite(e.a, e.b);
        edges.insert(edges.end(), bridges.begin(), bridges.end());
        group = number_groups(groups, graph.size(), count);
    }
    const auto order = [](const Edge& x, const Edge& y) { return std::pair(x.a, x.b) < std::pair(y.a, y.b); };
    const auto same = [](const Edge& x, const Edge& y) { return x.a == y.a && x.b == y.b; };
    std::sort(edges.begin(), edges.end(), order);
    edges.erase(std::unique(edges.begin(), edges.end(), same), edges.end());
}

void set_adjacency(SurfaceGraph& graph, const std::vector<Edge>& edges)
{
    graph.first.assign(graph.points.size() + 1, 0);
    for (const auto& e : edges) {
        ++graph.first[static_cast<std::size_t>(e.a) + 1];
        ++graph.first[static_cast<std::size_t>(e.b) + 1];
    }
    for (std::size_t i = 1; i < graph.first.size(); ++i) graph.first[i] += graph.first[i - 1];
    graph.target.resize(2 * edges.size());
    graph.length.resize(2 * edges.size());
    std::vector<int> next(graph.first.begin(), graph.first.end() - 1);
    for (const auto& e : edges) {
        for (const auto& [from, to] : {std::pair(e.a, e.b), std::pair(e.b, e.a)}) {
            const auto at = static_cast<std::size_t>(next[static_cast<std::size_t>(from)]++);
            graph.target[at] = to;
            graph.length[at] = e.length;
        }
    }
}

void set_triangles_around(SurfaceGraph& graph)
{
    graph.first_triangle.assign(graph.points.size() + 1, 0);
    for (const auto& t : graph.triangles)
        for (int k = 0; k < 3; ++k) ++graph.first_triangle[static_cast<std::size_t>(t[k]) + 1];
    for (std::size_t i = 1; i < graph.first_triangle.size(); ++i)
        graph.first_triangle[i] += graph.first_triangle[i - 1];
    graph.triangle_of.resize(3 * graph.triangles.size());
    std::vector<int> next(graph.first_triangle.begin(), graph.first_triangle.end() - 1);
    for (std::size_t i = 0; i < graph.triangles.size(); ++i)
        for (int k = 0; k < 3; ++k)
            graph.triangle_of[static_cast<std::size_t>(next[static_cast<std::size_t>(graph.triangles[i][k])]++)] =
                static_cast<int>(i);
}

} // namespace

SurfaceGraph build_surface_graph(const Weld& weld, const SurfaceGraphOptions& options)
{
    SurfaceGraph graph;
    graph.edges_only = options.edges_only;
    RefinedSurface refined = refine_surface(weld, options.longest_edge);
    graph.points = std::move(refined.points);
    graph.triangles = std::move(refined.triangles);
    graph.welded_count = static_cast<int>(weld.points.size());
    std::vector<Edge> edges = triangle_edges(graph);
    for (const auto& e : edges) graph.longest_edge = std::max(graph.longest_edge, e.length);
    add_bridges(graph, edges, options.bridge_slack);
    set_adjacency(graph, edges);
    set_triangles_around(graph);
    return graph;
}

std::vector<double> distances_from(const SurfaceGraph& graph, const std::vector<Source>& sources, double limit,
                                   const std::vector<bool>& allowed)
{
    GeodesicFront front(graph, allowed);
    for (const auto& source : sources) front.add(source);
    std::vector<double> distance(graph.points.size(), kUnreached);
    front.advance(
        limit, [&](int p) { distance[static_cast<std::size_t>(p)] = front.distance()[static_cast<std::size_t>(p)]; });
    return distance;
}

} // namespace tailfix
