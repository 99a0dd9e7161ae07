#include "surfaces.h"

#include <algorithm>
#include <map>

#include <Eigen/Geometry>

namespace tailfix::generate {
namespace {

Vec cross_of(const std::vector<Vec>& p, const std::array<int, 3>& t)
{
    const Vec& a = p[static_cast<std::size_t>(t[0])];
    return (p[static_cast<std::size_t>(t[1])] - a).cross(p[static_cast<std::size_t>(t[2])] - a);
}

Vec unit(const Vec& v)
{
    return v.norm() > 0 ? Vec(v.normalized()) : Vec(0, 1, 0);
}

Surface surface_of(const Part& part, const Rig& rig)
{
    Surface out;
    out.name = part.name;
    out.positions = part.positions;
    out.triangles = part.triangles;
    out.tail = part.tail;
    out.influences = make_weights(part, rig);
    out.normals.assign(part.positions.size(), Vec::Zero());
    for (const auto& t : part.triangles)
        for (const int v : t) out.normals[static_cast<std::size_t>(v)] += cross_of(part.positions, t);
    for (Vec& n : out.normals) n = unit(n);
    for (const Vec& p : part.positions) out.uvs.emplace_back(0.5 + 0.4 * p.x(), 0.9 - 0.8 * p.y()); // from the front
    return out;
}

void append(Surface& to, const Surface& from)
{
    const int first = static_cast<int>(to.positions.size());
    const auto add = [](auto& a, const auto& b) { a.insert(a.end(), b.begin(), b.end()); };
    add(to.positions, from.positions);
    add(to.normals, from.normals);
    add(to.uvs, from.uvs);
    add(to.influences, from.influences);
    add(to.tail, from.tail);
    for (const auto& t : from.triangles) to.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
}

void copy_vertex(Surface& to, const Surface& from, int vertex)
{
    const auto v = static_cast<std::size_t>(vertex);
    to.positions.push_back(from.positions[v]);
    to.normals.push_back(from.normals[v]);
    to.uvs.push_back(from.uvs[v]);
    to.influences.push_back(from.influences[v]);
    to.tail.push_back(from.tail[v]);
}

// Charts as a box projection makes them: one per side that triangles face; vertices on their borders are split.
Surface with_seams(const Surface& from)
{
    Surface out;
    out.name = from.name;
    std::map<std::pair<int, int>, int> copies; // (vertex, chart)
    for (const auto& t : from.triangles) {
        const Vec n = cross_of(from.positions, t);
        Eigen::Index axis = 0;
        n.cwiseAbs().maxCoeff(&axis);
        const int chart = 2 * static_cast<int>(axis) + (n[axis] < 0 ? 1 : 0);
        std::array<int, 3> triangle{};
        for (std::size_t k = 0; k < 3; ++k) {
            const auto [found, fresh] = copies.try_emplace({t[k], chart}, static_cast<int>(out.positions.size()));
            if (fresh) {
                copy_vertex(out, from, t[k]);
                const Vec& p = out.positions.back();
                // Three columns and two rows of charts.
                out.uvs.back() = {(axis + 0.5 + 0.3 * p[(axis + 1) % 3]) / 3,
                                  ((n[axis] < 0) + 0.5 + 0.3 * p[(axis + 2) % 3]) / 2};
            }
            triangle[k] = found->second;
        }
        out.triangles.push_back(triangle);
    }
    return out;
}

// Every triangle with vertices and a normal of its own.
Surface as_soup(const Surface& from)
{
    Surface out;
    out.name = from.name;
    for (const auto& t : from.triangles) {
        for (const int v : t) {
            copy_vertex(out, from, v);
            out.normals.back() = unit(cross_of(from.positions, t));
        }
    }
    return out;
}

} // namespace

Scene make_scene(const Plan& plan, const Rig& rig, const std::vector<Part>& parts)
{
    std::vector<Surface> surfaces;
    for (const Part& part : parts) {
        const Surface surface = surface_of(part, rig);
        if (plan.pieces == "one primitive" && !surfaces.empty())
            append(surfaces.front(), surface);
        else
            surfaces.push_back(surface);
    }
    for (Surface& surface : surfaces) {
        if (plan.construction == "seams") surface = with_seams(surface);
        if (plan.construction == "soup") surface = as_soup(surface);
    }
    Scene scene;
    for (const Surface& surface : surfaces) {
        if (scene.meshes.empty() || plan.pieces == "meshes") scene.meshes.emplace_back();
        scene.meshes.back().push_back(surface);
    }
    return scene;
}

} // namespace tailfix::generate
