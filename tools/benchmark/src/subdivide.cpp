#include "subdivide.h"

#include <algorithm>
#include <array>
#include <functional>
#include <utility>
#include <vector>

namespace tailfix::benchmark {
namespace {

using Edge = std::pair<int, int>; // smaller vertex first

Edge edge_of(const Eigen::Vector3i& t, int k)
{
    return std::minmax({t[k], t[(k + 1) % 3]});
}

// The same bits from either end, so that both sides of a seam are of one length.
double length_of(const Mesh& mesh, const Edge& edge)
{
    const Eigen::Vector3d d =
        mesh.positions[static_cast<std::size_t>(edge.first)] - mesh.positions[static_cast<std::size_t>(edge.second)];
    return d.norm();
}

// Every edge once, ascending.
std::vector<Edge> edges_of(const Mesh& mesh)
{
    std::vector<Edge> edges;
    edges.reserve(mesh.triangles.size() * 3);
    for (const auto& t : mesh.triangles)
        for (int k = 0; k < 3; ++k)
            if (t[k] != t[(k + 1) % 3]) edges.push_back(edge_of(t, k));
    std::sort(edges.begin(), edges.end());
    edges.erase(std::unique(edges.begin(), edges.end()), edges.end());
    return edges;
}

void append_influences(const Mesh& mesh, const std::vector<std::pair<int, double>>& vertices, Mesh& out)
{
    const std::size_t first = out.influences.size();
    for (const auto& [v, share] : vertices) {
        for (int i = mesh.first_influence[static_cast<std::size_t>(v)];
             i < mesh.first_influence[static_cast<std::size_t>(v) + 1]; ++i) {
            const Influence& influence = mesh.influences[static_cast<std::size_t>(i)];
            const auto begin = out.influences.begin() + static_cast<std::ptrdiff_t>(first);
            const auto it = std::find_if(begin, out.influences.end(),
                                         [&](const Influence& have) { return have.joint == influence.joint; });
            if (it == out.influences.end()) {
                out.influences.push_back({influence.joint, share * influence.weight});
            } else {
                it->weight += share * influence.weight;
            }
        }
    }
    out.first_influence.push_back(static_cast<int>(out.influences.size()));
}

// The triangle with the midpoints of its split edges; kNone on edges that are not split.
void append_triangles(const Eigen::Vector3i& t, const std::array<int, 3>& middle, std::vector<Eigen::Vector3i>& out)
{
    const auto count = 3 - std::count(middle.begin(), middle.end(), kNone);
    if (count == 0) {
        out.push_back(t);
    } else if (count == 3) {
        for (int k = 0; k < 3; ++k)
            out.emplace_back(t[k], middle[static_cast<std::size_t>(k)], middle[static_cast<std::size_t>((k + 2) % 3)]);
        out.emplace_back(middle[0], middle[1], middle[2]);
    } else {
        // Turned so that edge a-b is split, and with two of them b-c as well.
        int k = 0;
        const auto split = [&](int e) { return middle[static_cast<std::size_t>(e % 3)] != kNone; };
        while (!split(k) || (count == 2 && !split(k + 1))) ++k;
        const int a = t[k % 3], b = t[(k + 1) % 3], c = t[(k + 2) % 3];
        const int ab = middle[static_cast<std::size_t>(k % 3)], bc = middle[static_cast<std::size_t>((k + 1) % 3)];
        if (count == 1) {
            out.emplace_back(a, ab, c);
            out.emplace_back(ab, b, c);
        } else {
            out.emplace_back(ab, b, bc);
            out.emplace_back(a, ab, bc);
            out.emplace_back(a, bc, c);
        }
    }
}

} // namespace

Mesh split_longer_edges(const Mesh& mesh, double longest)
{
    std::vector<Edge> edges = edges_of(mesh);
    edges.erase(
        std::remove_if(edges.begin(), edges.end(), [&](const Edge& e) { return length_of(mesh, e) <= longest; }),
        edges.end());
    // Vertices of a primitive lie together; edges ascend by their first vertex, so those of a primitive do as well.
    Mesh out;
    out.first_influence.push_back(0);
    std::vector<int> moved(mesh.positions.size()), middle_of(edges.size());
    auto next = edges.begin();
    for (Primitive p : mesh.primitives) {
        const int first = p.first_vertex, end = p.first_vertex + p.vertex_count;
        p.first_vertex = static_cast<int>(out.positions.size());
        for (int v = first; v < end; ++v) {
            moved[static_cast<std::size_t>(v)] = static_cast<int>(out.positions.size());
            out.positions.push_back(mesh.positions[static_cast<std::size_t>(v)]);
            append_influences(mesh, {{v, 1.0}}, out);
        }
        for (; next != edges.end() && next->first < end; ++next) {
            middle_of[static_cast<std::size_t>(next - edges.begin())] = static_cast<int>(out.positions.size());
            out.positions.push_back((mesh.positions[static_cast<std::size_t>(next->first)] +
                                     mesh.positions[static_cast<std::size_t>(next->second)]) /
                                    2);
            append_influences(mesh, {{next->first, 0.5}, {next->second, 0.5}}, out);
        }
        p.vertex_count = static_cast<int>(out.positions.size()) - p.first_vertex;
        out.primitives.push_back(p);
    }
    for (const auto& t : mesh.triangles) {
        std::array<int, 3> middle{};
        Eigen::Vector3i corners;
        for (int k = 0; k < 3; ++k) {
            corners[k] = moved[static_cast<std::size_t>(t[k])];
            const Edge edge = edge_of(t, k);
            const auto it = std::lower_bound(edges.begin(), edges.end(), edge);
            const bool split = it != edges.end() && *it == edge;
            middle[static_cast<std::size_t>(k)] =
                split ? middle_of[static_cast<std::size_t>(it - edges.begin())] : kNone;
        }
        append_triangles(corners, middle, out.triangles);
    }
    return out;
}

Mesh subdivide_to(Mesh mesh, int vertices)
{
    while (mesh.vertex_count() < vertices) {
        const auto edges = edges_of(mesh);
        const auto wanted = static_cast<std::size_t>(vertices - mesh.vertex_count());
        double longest = -1; // all of them
        if (wanted < edges.size()) {
            std::vector<double> lengths;
            lengths.reserve(edges.size());
            for (const Edge& e : edges) lengths.push_back(length_of(mesh, e));
            const auto limit = lengths.begin() + static_cast<std::ptrdiff_t>(wanted);
            std::nth_element(lengths.begin(), limit, lengths.end(), std::greater<>());
            longest = *limit;
        }
        const int before = mesh.vertex_count();
        mesh = split_longer_edges(mesh, longest);
        if (longest >= 0 || mesh.vertex_count() == before) break; // all the rest are of one length, or there are none
    }
    return mesh;
}

} // namespace tailfix::benchmark
