#include "support/marching.h"

#include <algorithm>
#include <array>
#include <cstdint>
#include <unordered_map>
#include <vector>

namespace tailfix::support {
namespace {

// Corners are numbered by bits x = 1, y = 2, z = 4; all six tetrahedra share the diagonal 0-7, so that neighbouring
// cubes agree on the diagonals of their common faces.
constexpr std::array<std::array<int, 4>, 6> kTetrahedra{
    {{0, 1, 3, 7}, {0, 3, 2, 7}, {0, 2, 6, 7}, {0, 6, 4, 7}, {0, 4, 5, 7}, {0, 5, 1, 7}}};

struct Corner {
    std::int64_t id;
    Eigen::Vector3d position;
    double value;
};

class Surface {
public:
    void add_tetrahedron(const std::array<Corner, 4>& corners)
    {
        std::vector<const Corner*> in, out;
        for (const auto& c : corners) (c.value < 0 ? in : out).push_back(&c);
        if (in.empty() || out.empty()) return;
        Eigen::Vector3d outward = Eigen::Vector3d::Zero();
        for (const auto* c : out) outward += c->position / static_cast<double>(out.size());
        for (const auto* c : in) outward -= c->position / static_cast<double>(in.size());
        if (in.size() == 2) {
            const int a = cross(*in[0], *out[0]), b = cross(*in[0], *out[1]);
            const int c = cross(*in[1], *out[1]), d = cross(*in[1], *out[0]);
            add_triangle(a, b, c, outward);
            add_triangle(a, c, d, outward);
        } else {
            const auto& alone = in.size() == 1 ? *in[0] : *out[0];
            const auto& others = in.size() == 1 ? out : in;
            add_triangle(cross(alone, *others[0]), cross(alone, *others[1]), cross(alone, *others[2]), outward);
        }
    }

    Mesh mesh;

private:
    int cross(const Corner& a, const Corner& b)
    {
        const auto [low, high] = std::minmax(a.id, b.id);
        const auto [found, fresh] = vertex_of_edge_.try_emplace(
            static_cast<std::uint64_t>(low) << 32 | static_cast<std::uint64_t>(high), mesh.vertex_count());
        if (fresh) {
            // Kept off the corners, where tiny triangles would pile up.
            const double t = std::clamp(a.value / (a.value - b.value), 0.08, 0.92);
            mesh.positions.emplace_back(a.position + t * (b.position - a.position));
        }
        return found->second;
    }

    void add_triangle(int a, int b, int c, const Eigen::Vector3d& outward)
    {
        const auto& p = mesh.positions;
        const auto at = [](int i) { return static_cast<std::size_t>(i); };
        const Eigen::Vector3d normal = (p[at(b)] - p[at(a)]).cross(p[at(c)] - p[at(a)]);
        if (normal.dot(outward) < 0) std::swap(b, c);
        mesh.triangles.emplace_back(a, b, c);
    }

    std::unordered_map<std::uint64_t, int> vertex_of_edge_;
};

} // namespace

Mesh march(const std::function<double(const Eigen::Vector3d&)>& f, const Eigen::AlignedBox3d& box, double step)
{
    const Eigen::Array3i n = (box.diagonal() / step).array().ceil().cast<int>() + 1;
    const auto id = [&](int x, int y, int z) { return static_cast<std::int64_t>((z * n.y() + y) * n.x() + x); };
    std::vector<Corner> grid;
    for (int z = 0; z < n.z(); ++z)
        for (int y = 0; y < n.y(); ++y)
            for (int x = 0; x < n.x(); ++x) {
                const Eigen::Vector3d p = box.min() + step * Eigen::Vector3d(x, y, z);
                grid.push_back({id(x, y, z), p, f(p)});
            }

    Surface surface;
    for (int z = 0; z + 1 < n.z(); ++z)
        for (int y = 0; y + 1 < n.y(); ++y)
            for (int x = 0; x + 1 < n.x(); ++x) {
                const auto corner = [&](int i) -> const Corner& {
                    return grid[static_cast<std::size_t>(id(x + (i & 1), y + (i >> 1 & 1), z + (i >> 2)))];
                };
                int inside = 0;
                for (int i = 0; i < 8; ++i) inside += corner(i).value < 0 ? 1 : 0;
                if (inside == 0 || inside == 8) continue; // as nearly all cubes are
                for (const auto& t : kTetrahedra)
                    surface.add_tetrahedron({corner(t[0]), corner(t[1]), corner(t[2]), corner(t[3])});
            }
    return surface.mesh;
}

} // namespace tailfix::support
