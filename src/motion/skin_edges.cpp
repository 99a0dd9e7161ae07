#include "motion/skin_edges.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <utility>

namespace tailfix {

namespace {

using Key = std::uint64_t; // the two welded points of an edge, smaller first

// One vertex per welded point: the first that has influences, or kNone where none has.
std::vector<int> vertex_of_point(const Mesh& mesh, const Weld& weld)
{
    std::vector<int> out(weld.points.size(), kNone);
    for (std::size_t v = 0; v < weld.point_of_vertex.size(); ++v) {
        int& vertex = out[static_cast<std::size_t>(weld.point_of_vertex[v])];
        if (vertex == kNone && mesh.first_influence[v] < mesh.first_influence[v + 1]) vertex = static_cast<int>(v);
    }
    return out;
}

void add_edges(const Eigen::Vector3i& triangle, std::vector<Key>& keys)
{
    for (int c = 0; c < 3; ++c) {
        const auto a = static_cast<Key>(triangle[c]), b = static_cast<Key>(triangle[(c + 1) % 3]);
        keys.push_back(std::min(a, b) << 32 | std::max(a, b));
    }
}

void make_unique(std::vector<Key>& keys)
{
    std::sort(keys.begin(), keys.end());
    keys.erase(std::unique(keys.begin(), keys.end()), keys.end());
}

double longest_side(const std::vector<Eigen::Vector3d>& points)
{
    if (points.empty()) return 0;
    Eigen::Vector3d low = points[0], high = points[0];
    for (const auto& p : points) {
        low = low.cwiseMin(p);
        high = high.cwiseMax(p);
    }
    return (high - low).maxCoeff();
}

class EdgeCollector {
public:
    EdgeCollector(const Mesh& mesh, const Weld& weld)
        : mesh_(mesh),
          vertex_of_point_(vertex_of_point(mesh, weld)),
          slot_(weld.points.size(), kNone),
          shortest_(1e-6 * longest_side(weld.points)) // shorter is noise of the file's floats
    {
    }

    std::vector<SkinEdge> collect(const std::vector<Key>& keys, SkinEdges& out)
    {
        std::vector<SkinEdge> edges;
        edges.reserve(keys.size());
        for (const Key key : keys) {
            const auto a = static_cast<std::size_t>(key >> 32), b = static_cast<std::size_t>(key & 0xffffffffu);
            const int va = vertex_of_point_[a], vb = vertex_of_point_[b];
            if (va == kNone || vb == kNone) continue;
            const double length =
                (mesh_.positions[static_cast<std::size_t>(va)] - mesh_.positions[static_cast<std::size_t>(vb)]).norm();
            if (length <= shortest_) continue;
            edges.push_back({slot(a, out), slot(b, out), length});
        }
        return edges;
    }

private:
    int slot(std::size_t point, SkinEdges& out)
    {
        if (slot_[point] == kNone) {
            slot_[point] = static_cast<int>(out.vertices.size());
            out.vertices.push_back(vertex_of_point_[point]);
        }
        return slot_[point];
    }

    const Mesh& mesh_;
    std::vector<int> vertex_of_point_, slot_;
    double shortest_;
};

} // namespace

std::vector<double> tail_weights(const Character& character, std::span<const JointChain> chains)
{
    std::vector<char> on_tail(character.joints.size(), 0);
    for (const JointChain& chain : chains)
        for (const int link : chain.links) on_tail[static_cast<std::size_t>(link)] = 1;
    const Mesh& mesh = character.mesh;
    std::vector<double> out(mesh.positions.size(), 0);
    for (std::size_t v = 0; v < out.size(); ++v)
        for (int i = mesh.first_influence[v]; i < mesh.first_influence[v + 1]; ++i) {
            const Influence& influence = mesh.influences[static_cast<std::size_t>(i)];
            if (on_tail[static_cast<std::size_t>(influence.joint)]) out[v] += influence.weight;
        }
    return out;
}

SkinEdges skin_edges(const Mesh& mesh, const std::vector<double>& tail_weight, const Weld& weld, int most_body)
{
    // Vertices of one welded point share their tail weight; where a file disagrees, the first decides.
    std::vector<char> tail(weld.points.size(), 0);
    for (std::size_t v = weld.point_of_vertex.size(); v-- > 0;)
        tail[static_cast<std::size_t>(weld.point_of_vertex[v])] = tail_weight[v] > 0.5;
    const auto tail_corners = [&](const Eigen::Vector3i& t) {
        return tail[static_cast<std::size_t>(t[0])] + tail[static_cast<std::size_t>(t[1])] +
               tail[static_cast<std::size_t>(t[2])];
    };

    std::vector<Key> near_tail, body;
    std::size_t body_triangles = 0;
    for (const auto& t : weld.triangles) body_triangles += tail_corners(t) == 0;
    SkinEdges out;
    // A triangle has 1.5 edges of its own on a closed surface; a lone sampled one has all three.
    if (most_body > 0)
        out.body_stride = std::max(1, static_cast<int>(3 * body_triangles / static_cast<std::size_t>(most_body)));
    std::size_t seen = 0;
    for (const auto& t : weld.triangles) {
        if (tail_corners(t) > 0)
            add_edges(t, near_tail);
        else if (seen++ % static_cast<std::size_t>(out.body_stride) == 0)
            add_edges(t, body);
    }
    make_unique(near_tail);
    std::vector<Key> inside, seam;
    for (const Key key : near_tail) {
        const int ends = tail[static_cast<std::size_t>(key >> 32)] + tail[static_cast<std::size_t>(key & 0xffffffffu)];
        (ends == 2 ? inside : ends == 1 ? seam : body).push_back(key);
    }
    make_unique(body);
    EdgeCollector collector(mesh, weld);
    out.tail = collector.collect(inside, out);
    out.seam = collector.collect(seam, out);
    out.body = collector.collect(body, out);
    return out;
}

double percentile(std::vector<double> samples, double p)
{
    if (samples.empty()) return 1;
    const double place = p / 100 * static_cast<double>(samples.size() - 1);
    const auto below = samples.begin() + static_cast<std::ptrdiff_t>(std::floor(place));
    std::nth_element(samples.begin(), below, samples.end());
    if (below + 1 == samples.end()) return *below;
    const double above = *std::min_element(below + 1, samples.end());
    return *below + (place - std::floor(place)) * (above - *below);
}

} // namespace tailfix
