#include "generate/mesh.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <cstdint>
#include <numbers>
#include <unordered_map>

#include <meshoptimizer.h>

namespace tailfix::generate {
namespace {

using Eigen::Vector3d;
using Eigen::Vector3i;

constexpr int kBlock = 8; // cells across a block

std::int64_t key_of(const Vector3i& cell)
{
    const auto part = [](int v) { return static_cast<std::int64_t>(v + (1 << 20)); };
    return (part(cell.x()) << 42) | (part(cell.y()) << 21) | part(cell.z());
}

// Distances at the corners of a block's cells, one cell more on the upper sides.
class Samples {
public:
    Samples(const Vector3d& origin, double cell, const Distance& distance)
    {
        for (int z = 0; z < kSide; ++z)
            for (int y = 0; y < kSide; ++y)
                for (int x = 0; x < kSide; ++x) at(x, y, z) = distance(origin + cell * Vector3d(x, y, z));
    }

    double& at(int x, int y, int z) { return values_[static_cast<std::size_t>((z * kSide + y) * kSide + x)]; }

    static constexpr int kSide = kBlock + 1;

private:
    std::array<double, static_cast<std::size_t>(kSide* kSide* kSide)> values_;
};

class NetMesher {
public:
    NetMesher(const Eigen::AlignedBox3d& box, double cell, const std::function<Distance(const Vector3d&, double)>& near)
        : origin_(box.min() - Vector3d::Constant(2 * cell)), cell_(cell), near_(near)
    {
        const Vector3d size = box.max() - origin_ + Vector3d::Constant(2 * cell);
        blocks_ = (size / (cell * kBlock)).array().ceil().cast<int>();
    }

    TriangleMesh run()
    {
        for (int z = 0; z < blocks_.z(); ++z)
            for (int y = 0; y < blocks_.y(); ++y)
                for (int x = 0; x < blocks_.x(); ++x) visit({x, y, z});
        for (const auto& edge : edges_) join(edge);
        return std::move(mesh_);
    }

private:
    struct Edge {
        Vector3i cell; // whose lowest corner the edge starts from
        int axis = 0;
        bool inside_first = false;
    };

    void visit(const Vector3i& block)
    {
        const Vector3d low = origin_ + cell_ * kBlock * block.cast<double>();
        const Vector3d centre = low + Vector3d::Constant(0.5 * kBlock * cell_);
        const double reach = 0.5 * (kBlock + 1) * cell_ * std::numbers::sqrt3;
        const Distance distance = near_(centre, reach);
        if (std::abs(distance(centre)) > reach) return;
        Samples samples(low, cell_, distance);
        for (int z = 0; z < kBlock; ++z)
            for (int y = 0; y < kBlock; ++y)
                for (int x = 0; x < kBlock; ++x) cell(samples, kBlock * block, {x, y, z});
    }

    void cell(Samples& samples, const Vector3i& first, const Vector3i& c)
    {
        Vector3d sum = Vector3d::Zero();
        int crossings = 0;
        for (int axis = 0; axis < 3; ++axis) {
            for (int k = 0; k < 4; ++k) {
                Vector3i a = c;
                a[(axis + 1) % 3] += k & 1;
                a[(axis + 2) % 3] += k >> 1;
                Vector3i b = a;
                ++b[axis];
                const double da = samples.at(a.x(), a.y(), a.z()), db = samples.at(b.x(), b.y(), b.z());
                if ((da < 0) == (db < 0)) continue;
                Vector3d p = a.cast<double>();
                p[axis] += da / (da - db);
                sum += p;
                ++crossings;
                if (k == 0) edges_.push_back({first + c, axis, da < 0});
            }
        }
        if (crossings == 0) return;
        vertex_[key_of(first + c)] = static_cast<int>(mesh_.points.size());
        mesh_.points.emplace_back(origin_ + cell_ * (first.cast<double>() + sum / crossings));
        mesh_.tail.push_back(0);
    }

    // The four cells around an edge that crosses the surface make a quad.
    void join(const Edge& edge)
    {
        const int u = (edge.axis + 1) % 3, v = (edge.axis + 2) % 3;
        std::array<int, 4> corner{};
        const std::array<std::pair<int, int>, 4> around = {{{0, 0}, {1, 0}, {1, 1}, {0, 1}}};
        for (std::size_t k = 0; k < 4; ++k) {
            Vector3i c = edge.cell;
            c[u] -= around[k].first;
            c[v] -= around[k].second;
            const auto found = vertex_.find(key_of(c));
            if (found == vertex_.end()) return;
            corner[k] = found->second;
        }
        if (!edge.inside_first) std::swap(corner[1], corner[3]);
        mesh_.triangles.emplace_back(corner[0], corner[1], corner[2]);
        mesh_.triangles.emplace_back(corner[0], corner[2], corner[3]);
    }

    Vector3d origin_;
    double cell_ = 0;
    const std::function<Distance(const Vector3d&, double)>& near_;
    Vector3i blocks_;
    std::unordered_map<std::int64_t, int> vertex_;
    std::vector<Edge> edges_;
    TriangleMesh mesh_;
};

// Only points that a triangle uses, in order.
TriangleMesh compact(const TriangleMesh& mesh)
{
    std::vector<int> number(mesh.points.size(), -1);
    TriangleMesh out;
    for (const auto& t : mesh.triangles) {
        Vector3i own;
        for (int k = 0; k < 3; ++k) {
            int& n = number[static_cast<std::size_t>(t[k])];
            if (n < 0) {
                n = static_cast<int>(out.points.size());
                out.points.push_back(mesh.points[static_cast<std::size_t>(t[k])]);
                out.tail.push_back(mesh.tail[static_cast<std::size_t>(t[k])]);
            }
            own[k] = n;
        }
        out.triangles.push_back(own);
    }
    return out;
}

} // namespace

void TriangleMesh::append(const TriangleMesh& other)
{
    const int first = static_cast<int>(points.size());
    points.insert(points.end(), other.points.begin(), other.points.end());
    tail.insert(tail.end(), other.tail.begin(), other.tail.end());
    for (const auto& t : other.triangles) triangles.emplace_back(t.array() + first);
}

TriangleMesh mesh_solid(const Eigen::AlignedBox3d& box, double cell,
                        const std::function<Distance(const Vector3d&, double)>& near)
{
    return NetMesher(box, cell, near).run();
}

TriangleMesh thin_out(const TriangleMesh& mesh, int vertices)
{
    if (static_cast<int>(mesh.points.size()) <= vertices) return mesh;
    std::vector<float> positions;
    for (const auto& p : mesh.points)
        for (int k = 0; k < 3; ++k) positions.push_back(static_cast<float>(p[k]));
    std::vector<unsigned> indices;
    for (const auto& t : mesh.triangles)
        for (int k = 0; k < 3; ++k) indices.push_back(static_cast<unsigned>(t[k]));
    std::vector<unsigned> fewer(indices.size());
    // Two triangles a vertex, on any closed surface.
    const std::size_t count =
        meshopt_simplify(fewer.data(), indices.data(), indices.size(), positions.data(), mesh.points.size(),
                         3 * sizeof(float), static_cast<std::size_t>(vertices) * 6, 1.0F, 0, nullptr);
    TriangleMesh out = mesh;
    out.triangles.clear();
    for (std::size_t i = 0; i + 2 < count; i += 3)
        out.triangles.emplace_back(static_cast<int>(fewer[i]), static_cast<int>(fewer[i + 1]),
                                   static_cast<int>(fewer[i + 2]));
    return compact(out);
}

TriangleMesh loft(const std::vector<Vector3d>& line, const std::vector<double>& radius, int sides, char tail)
{
    TriangleMesh out;
    const int rings = static_cast<int>(line.size());
    const auto at = [&](int i) { return line[static_cast<std::size_t>(std::clamp(i, 0, rings - 1))]; };
    // A frame that is carried along the line without turning about it.
    Vector3d along = (at(1) - at(0)).normalized();
    Vector3d side = along.unitOrthogonal();
    for (int i = 0; i < rings; ++i) {
        const Vector3d next = (at(i + 1) - at(i - 1)).normalized();
        side = Eigen::Quaterniond::FromTwoVectors(along, next) * side;
        along = next;
        const Vector3d up = along.cross(side);
        for (int s = 0; s < sides; ++s) {
            const double angle = 2 * std::numbers::pi * s / sides;
            out.points.emplace_back(at(i) + radius[static_cast<std::size_t>(i)] *
                                                (std::cos(angle) * side + std::sin(angle) * up));
        }
    }
    const auto point = [&](int i, int s) { return i * sides + s % sides; };
    for (int i = 0; i + 1 < rings; ++i) {
        for (int s = 0; s < sides; ++s) {
            out.triangles.emplace_back(point(i, s), point(i, s + 1), point(i + 1, s));
            out.triangles.emplace_back(point(i + 1, s), point(i, s + 1), point(i + 1, s + 1));
        }
    }
    const int root = static_cast<int>(out.points.size()), tip = root + 1;
    out.points.push_back(line.front());
    out.points.emplace_back(line.back() + 0.6 * radius.back() * along);
    for (int s = 0; s < sides; ++s) {
        out.triangles.emplace_back(root, point(0, s + 1), point(0, s));
        out.triangles.emplace_back(tip, point(rings - 1, s), point(rings - 1, s + 1));
    }
    out.tail.assign(out.points.size(), tail);
    return out;
}

TriangleMesh sheet(const std::function<Vector3d(double u, double v)>& at, int columns, int rows, double thick)
{
    TriangleMesh out;
    const auto layer = [&](double offset, bool flip) {
        const int first = static_cast<int>(out.points.size());
        for (int r = 0; r <= rows; ++r) {
            for (int c = 0; c <= columns; ++c) {
                const double u = static_cast<double>(c) / columns, v = static_cast<double>(r) / rows, d = 1e-3;
                const Vector3d normal = (at(u + d, v) - at(u - d, v)).cross(at(u, v + d) - at(u, v - d)).normalized();
                out.points.emplace_back(at(u, v) + offset * normal);
            }
        }
        for (int r = 0; r < rows; ++r) {
            for (int c = 0; c < columns; ++c) {
                const int a = first + r * (columns + 1) + c, b = a + 1, d = a + columns + 1, e = d + 1;
                out.triangles.emplace_back(flip ? Vector3i(a, d, b) : Vector3i(a, b, d));
                out.triangles.emplace_back(flip ? Vector3i(b, d, e) : Vector3i(b, e, d));
            }
        }
        return first;
    };
    const int front = layer(0.5 * thick, false);
    if (thick > 0) {
        const int back = layer(-0.5 * thick, true);
        std::vector<int> rim; // around the sheet
        for (int c = 0; c < columns; ++c) rim.push_back(c);
        for (int r = 0; r < rows; ++r) rim.push_back(r * (columns + 1) + columns);
        for (int c = columns; c > 0; --c) rim.push_back(rows * (columns + 1) + c);
        for (int r = rows; r > 0; --r) rim.push_back(r * (columns + 1));
        for (std::size_t i = 0; i < rim.size(); ++i) {
            const int a = rim[i], b = rim[(i + 1) % rim.size()];
            out.triangles.emplace_back(front + a, back + a, front + b);
            out.triangles.emplace_back(front + b, back + a, back + b);
        }
    }
    out.tail.assign(out.points.size(), 0);
    return out;
}

} // namespace tailfix::generate
