#include "mesher.h"

#include <algorithm>
#include <cmath>
#include <cstdint>
#include <limits>

#include <Eigen/Geometry>
#include <meshoptimizer.h>

namespace tailfix::generate {
namespace {

constexpr int kBlock = 4; // grid points along an edge of a block
constexpr int kSuper = 4; // blocks along an edge of a group, which are looked at together first
constexpr int kPoints = kBlock * kBlock * kBlock;

using Index = std::array<int, 3>;

// The values of a field at the points of a grid; blocks far from the surface have one value.
class Grid {
public:
    Grid(const Field& field, double spacing);

    const Index& points() const { return points_; }
    bool crossed(const Index& block) const { return block_start_[number(block)] >= 0; }
    const Index& blocks() const { return blocks_; }
    double value(const Index& p) const
    {
        const std::size_t b = number({p[0] / kBlock, p[1] / kBlock, p[2] / kBlock});
        return block_start_[b] < 0 ? far_value_[b] : values_[slot(p)];
    }
    // Where the value of a point of a crossed block is kept, below slots().
    std::size_t slot(const Index& p) const
    {
        const std::size_t b = number({p[0] / kBlock, p[1] / kBlock, p[2] / kBlock});
        const int inside = ((p[2] % kBlock) * kBlock + p[1] % kBlock) * kBlock + p[0] % kBlock;
        return static_cast<std::size_t>(block_start_[b] + inside);
    }
    std::size_t slots() const { return values_.size(); }
    Vec position(const Vec& p) const { return origin_ + spacing_ * p; }

private:
    std::size_t number(const Index& b) const
    {
        return (static_cast<std::size_t>(b[2]) * static_cast<std::size_t>(blocks_[1]) +
                static_cast<std::size_t>(b[1])) *
                   static_cast<std::size_t>(blocks_[0]) +
               static_cast<std::size_t>(b[0]);
    }
    void fill_group(const Field& field, const Index& first);
    void fill(const Field& field, const Index& block);

    double spacing_;
    Vec origin_;
    Index blocks_{}, points_{};
    std::vector<std::int64_t> block_start_;
    std::vector<float> far_value_;
    std::vector<float> values_;
};

void extend(Eigen::AlignedBox3d& box, const Solid& s)
{
    if (!s.radii.isZero(0)) {
        box.extend(s.a - s.radii);
        box.extend(s.a + s.radii);
        return;
    }
    box.extend(Vec(s.a.array() - s.ra));
    box.extend(Vec(s.a.array() + s.ra));
    box.extend(Vec(s.b.array() - s.rb));
    box.extend(Vec(s.b.array() + s.rb));
}

Grid::Grid(const Field& field, double spacing) : spacing_(spacing)
{
    Eigen::AlignedBox3d box;
    for (const Solid& solid : field.body) extend(box, solid);
    for (const auto& tail : field.tails)
        for (const Solid& solid : tail) extend(box, solid);
    // Room for fillets, which stand out, and for a cell.
    const double room = 0.02 + 2 * spacing;
    origin_ = box.min().array() - room;
    for (int i = 0; i < 3; ++i) {
        const auto a = static_cast<std::size_t>(i);
        blocks_[a] =
            kSuper * (static_cast<int>(std::ceil((box.sizes()[i] + 2 * room) / (spacing * kBlock * kSuper))) + 1);
        points_[a] = blocks_[a] * kBlock;
    }
    const std::size_t count = number({0, 0, blocks_[2]});
    block_start_.assign(count, -1);
    far_value_.assign(count, 0);
    for (int z = 0; z < blocks_[2]; z += kSuper)
        for (int y = 0; y < blocks_[1]; y += kSuper)
            for (int x = 0; x < blocks_[0]; x += kSuper) fill_group(field, {x, y, z});
}

void Grid::fill_group(const Field& field, const Index& first)
{
    const double half = 0.5 * kBlock * kSuper;
    const Vec middle = position(Vec(first[0], first[1], first[2]) * kBlock + Vec::Constant(half));
    const double reach = std::sqrt(3.0) * half * spacing_;
    const double d = field.distance(middle);
    const bool far = std::abs(d) > 2 * reach; // twice: ellipsoids are distances to first order only
    const Field local = far ? Field{} : field.near(middle, reach);
    for (int z = first[2]; z < first[2] + kSuper; ++z)
        for (int y = first[1]; y < first[1] + kSuper; ++y)
            for (int x = first[0]; x < first[0] + kSuper; ++x) {
                if (far)
                    far_value_[number({x, y, z})] = static_cast<float>(d);
                else
                    fill(local, {x, y, z});
            }
}

void Grid::fill(const Field& field, const Index& block)
{
    const double half = 0.5 * kBlock;
    const Vec middle = position(Vec(block[0] * kBlock + half, block[1] * kBlock + half, block[2] * kBlock + half));
    const double reach = std::sqrt(3.0) * half * spacing_;
    const double d = field.distance(middle);
    if (std::abs(d) > 2 * reach) {
        far_value_[number(block)] = static_cast<float>(d);
        return;
    }
    const Field local = field.near(middle, reach);
    block_start_[number(block)] = static_cast<std::int64_t>(values_.size());
    for (int z = 0; z < kBlock; ++z)
        for (int y = 0; y < kBlock; ++y)
            for (int x = 0; x < kBlock; ++x)
                values_.push_back(static_cast<float>(local.distance(
                    position(Vec(block[0] * kBlock + x, block[1] * kBlock + y, block[2] * kBlock + z)))));
}

// The vertex of a cell: the mean of where its edges are crossed. False where none is.
bool cell_vertex(const Grid& grid, const Index& cell, Vec& out)
{
    std::array<double, 8> v{};
    int inside = 0;
    for (int c = 0; c < 8; ++c) {
        v[static_cast<std::size_t>(c)] = grid.value({cell[0] + (c & 1), cell[1] + (c >> 1 & 1), cell[2] + (c >> 2)});
        inside += v[static_cast<std::size_t>(c)] < 0 ? 1 : 0;
    }
    if (inside == 0 || inside == 8) return false;
    Vec sum = Vec::Zero();
    int crossings = 0;
    for (int c = 0; c < 8; ++c) {
        for (int axis = 0; axis < 3; ++axis) {
            if ((c >> axis & 1) != 0) continue;
            const double a = v[static_cast<std::size_t>(c)];
            const double b = v[static_cast<std::size_t>(c | 1 << axis)];
            if ((a < 0) == (b < 0)) continue;
            Vec p(c & 1, c >> 1 & 1, c >> 2);
            p[axis] += a / (a - b);
            sum += p;
            ++crossings;
        }
    }
    out = grid.position(Vec(cell[0], cell[1], cell[2]) + sum / crossings);
    return true;
}

void add_quad(Part& part, int a, int b, int c, int d)
{
    const auto& p = part.positions;
    const auto at = [&](int i) { return p[static_cast<std::size_t>(i)]; };
    if ((at(a) - at(c)).squaredNorm() <= (at(b) - at(d)).squaredNorm()) {
        part.triangles.push_back({a, b, c});
        part.triangles.push_back({a, c, d});
    } else {
        part.triangles.push_back({b, c, d});
        part.triangles.push_back({b, d, a});
    }
}

// The vertices that these triangles use, in their order.
Part with_triangles(const Part& part, const std::vector<unsigned>& indices)
{
    Part out;
    out.name = part.name;
    out.bind = part.bind;
    std::vector<int> number(part.positions.size(), -1);
    for (std::size_t i = 0; i < indices.size(); ++i) {
        int& n = number[indices[i]];
        if (n < 0) {
            n = static_cast<int>(out.positions.size());
            out.positions.push_back(part.positions[indices[i]]);
            out.tail.push_back(part.tail[indices[i]]);
        }
        if (i % 3 == 0) out.triangles.push_back({});
        out.triangles.back()[i % 3] = n;
    }
    return out;
}

} // namespace

Part mesh_field(const Field& field, double spacing)
{
    const Grid grid(field, spacing);
    Part part;
    std::vector<int> vertex_of(grid.slots(), -1);
    std::vector<Index> cells;
    const auto for_cells = [&](const auto& visit) {
        for (int z = 0; z < grid.blocks()[2]; ++z)
            for (int y = 0; y < grid.blocks()[1]; ++y)
                for (int x = 0; x < grid.blocks()[0]; ++x)
                    if (grid.crossed({x, y, z}))
                        for (int i = 0; i < kPoints; ++i)
                            visit(Index{x * kBlock + i % kBlock, y * kBlock + i / kBlock % kBlock,
                                        z * kBlock + i / kBlock / kBlock});
    };
    for_cells([&](const Index& cell) {
        for (std::size_t i = 0; i < 3; ++i)
            if (cell[i] + 1 >= grid.points()[i]) return;
        Vec p;
        if (!cell_vertex(grid, cell, p)) return;
        vertex_of[grid.slot(cell)] = static_cast<int>(part.positions.size());
        part.positions.push_back(p);
        cells.push_back(cell);
    });
    // Each crossed edge of the grid is in four cells, which make a quad.
    for (const Index& cell : cells) {
        for (std::size_t axis = 0; axis < 3; ++axis) {
            Index end = cell;
            ++end[axis];
            const bool in = grid.value(cell) < 0;
            if (in == (grid.value(end) < 0)) continue;
            const std::size_t u = (axis + 1) % 3, v = (axis + 2) % 3;
            if (cell[u] == 0 || cell[v] == 0) continue;
            std::array<int, 4> quad{};
            for (std::size_t k = 0; k < 4; ++k) {
                Index c = cell;
                c[u] -= k == 1 || k == 2 ? 1 : 0;
                c[v] -= k >= 2 ? 1 : 0;
                quad[k] = vertex_of[grid.slot(c)];
            }
            if (in)
                add_quad(part, quad[0], quad[1], quad[2], quad[3]);
            else
                add_quad(part, quad[3], quad[2], quad[1], quad[0]);
        }
    }
    part.tail.assign(part.positions.size(), 0);
    return part;
}

double area(const Part& part)
{
    double sum = 0;
    for (const auto& t : part.triangles) {
        const auto at = [&](std::size_t i) { return part.positions[static_cast<std::size_t>(t[i])]; };
        sum += (at(1) - at(0)).cross(at(2) - at(0)).norm() / 2;
    }
    return sum;
}

Part largest_piece(const Part& part)
{
    std::vector<int> piece(part.positions.size());
    for (std::size_t v = 0; v < piece.size(); ++v) piece[v] = static_cast<int>(v);
    const auto top = [&](int v) {
        while (piece[static_cast<std::size_t>(v)] != v) {
            int& up = piece[static_cast<std::size_t>(v)];
            up = piece[static_cast<std::size_t>(up)];
            v = up;
        }
        return v;
    };
    for (const auto& t : part.triangles)
        for (std::size_t k = 1; k < 3; ++k) piece[static_cast<std::size_t>(top(t[k]))] = top(t[0]);
    std::vector<int> size(piece.size(), 0);
    for (const auto& t : part.triangles) ++size[static_cast<std::size_t>(top(t[0]))];
    const int largest = static_cast<int>(std::max_element(size.begin(), size.end()) - size.begin());
    std::vector<unsigned> indices;
    for (const auto& t : part.triangles)
        if (top(t[0]) == largest)
            for (const int v : t) indices.push_back(static_cast<unsigned>(v));
    return with_triangles(part, indices);
}

Part simplified(const Part& part, int vertices)
{
    std::vector<float> positions;
    for (const Vec& p : part.positions)
        for (int i = 0; i < 3; ++i) positions.push_back(static_cast<float>(p[i]));
    std::vector<unsigned> indices;
    for (const auto& t : part.triangles)
        for (const int v : t) indices.push_back(static_cast<unsigned>(v));
    // A closed surface has twice as many triangles as vertices.
    const std::size_t target = 6 * static_cast<std::size_t>(vertices);
    if (target < indices.size()) {
        std::vector<unsigned> kept(indices.size());
        kept.resize(meshopt_simplify(kept.data(), indices.data(), indices.size(), positions.data(),
                                     part.positions.size(), 3 * sizeof(float), target,
                                     std::numeric_limits<float>::max()));
        indices = std::move(kept);
    }
    return with_triangles(part, indices);
}

} // namespace tailfix::generate
