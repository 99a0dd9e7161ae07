#include "generate/generate.h"

#include <algorithm>
#include <cmath>
#include <map>
#include <queue>

#include <fmt/format.h>

#include "generate/decoys.h"
#include "generate/figure.h"
#include "generate/file.h"
#include "generate/mesh.h"
#include "generate/names.h"
#include "generate/plan.h"
#include "generate/tail.h"

namespace tailfix::generate {
namespace {

using Eigen::Vector3d;

constexpr double kSkinArea = 1.1;   // of the height squared: a body's, roughly
constexpr int kMostBase = 120000;   // vertices of the fine mesh that is thinned out, where fewer are asked for
constexpr double kTailFillet = 0.5; // of the tail's radius: how softly it runs into the body

struct Grown {
    TriangleMesh mesh;
    std::vector<TailTube> tails;
};

double cell_for(const Plan& plan, const std::vector<TailTube>& tails)
{
    double cell = plan.height * std::sqrt(kSkinArea / std::max(plan.vertices * 1.3, 20000.0));
    // A tube is round from three cells of radius on.
    for (const auto& tail : tails) {
        const double thinnest = *std::min_element(tail.radius.begin(), tail.radius.end());
        cell = std::min(cell, std::max(thinnest, 0.25 * tail.root_radius) / 1.5);
    }
    return std::max(cell, plan.height * std::sqrt(kSkinArea / std::max(kMostBase, plan.vertices)));
}

// A point is a tail's where the tail's own surface is nearer than the body's, and connected to its tip over such
// points: the border is the crease.
void label_tails(TriangleMesh& mesh, const Figure& figure, const std::vector<TailTube>& tails)
{
    std::vector<std::vector<int>> beside(mesh.points.size());
    for (const auto& t : mesh.triangles)
        for (int k = 0; k < 3; ++k) beside[static_cast<std::size_t>(t[k])].push_back(t[(k + 1) % 3]);
    for (std::size_t i = 0; i < tails.size(); ++i) {
        const Solid solid = tails[i].solid();
        const Vector3d& tip = tails[i].line.back();
        const auto is_tail = [&](int p) {
            const Vector3d& at = mesh.points[static_cast<std::size_t>(p)];
            return solid.distance(at) < figure.body.distance(at);
        };
        const auto nearer = [&](const Vector3d& a, const Vector3d& b) { return (a - tip).norm() < (b - tip).norm(); };
        const auto first = std::min_element(mesh.points.begin(), mesh.points.end(), nearer) - mesh.points.begin();
        std::queue<int> open;
        std::vector<bool> seen(mesh.points.size(), false);
        open.push(static_cast<int>(first));
        seen[static_cast<std::size_t>(first)] = true;
        while (!open.empty()) {
            const int p = open.front();
            open.pop();
            if (!is_tail(p)) continue;
            mesh.tail[static_cast<std::size_t>(p)] = static_cast<char>(i + 1);
            for (const int q : beside[static_cast<std::size_t>(p)]) {
                if (seen[static_cast<std::size_t>(q)]) continue;
                seen[static_cast<std::size_t>(q)] = true;
                open.push(q);
            }
        }
    }
}

TriangleMesh mesh_body(const Figure& figure, const std::vector<TailTube>& welded, double cell)
{
    std::vector<Solid> tails;
    Eigen::AlignedBox3d box = figure.body.box();
    for (const auto& tail : welded) {
        tails.push_back(tail.solid());
        box.extend(tails.back().box());
    }
    const auto near = [&](const Vector3d& centre, double reach) -> Distance {
        std::vector<std::pair<Solid, double>> close;
        for (std::size_t i = 0; i < tails.size(); ++i)
            close.emplace_back(tails[i].near(centre, reach), kTailFillet * welded[i].root_radius);
        return [body = figure.body.near(centre, reach), close](const Vector3d& p) {
            double d = body.distance(p);
            for (const auto& [solid, fillet] : close) d = smooth_min(d, solid.distance(p), fillet);
            return d;
        };
    };
    return mesh_solid(box, cell, near);
}

// A tail of shells: rings about as far apart as the body's points.
TriangleMesh shell(const TailTube& tube, double spacing, char number)
{
    const int sides = std::clamp(static_cast<int>(6.3 * tube.root_radius / spacing), 5, 48);
    const double step = (tube.line[1] - tube.line[0]).norm();
    const int stride = std::clamp(static_cast<int>(spacing / step), 1, 12);
    std::vector<Vector3d> line;
    std::vector<double> radius;
    for (std::size_t i = 0; i < tube.line.size(); i += static_cast<std::size_t>(stride)) {
        line.push_back(tube.line[i]);
        radius.push_back(tube.radius[i]);
    }
    return loft(line, radius, sides, number);
}

Grown grow(const Plan& plan, const Figure& figure, bool with_tails)
{
    Grown out;
    if (with_tails)
        for (const auto& tail : plan.tails) out.tails.push_back(make_tail(plan, tail, figure));
    const bool welded = plan.construction == "welded";
    const std::vector<TailTube> none;
    out.mesh = mesh_body(figure, welded ? out.tails : none, cell_for(plan, welded ? out.tails : none));
    if (welded) label_tails(out.mesh, figure, out.tails);
    out.mesh = thin_out(out.mesh, plan.vertices);
    const double spacing = plan.height * std::sqrt(kSkinArea / plan.vertices);
    if (!welded) {
        for (std::size_t i = 0; i < out.tails.size(); ++i) {
            out.mesh.append(shell(out.tails[i], spacing, static_cast<char>(i + 1)));
            if (plan.construction == "two shells")
                out.mesh.append(shell(out.tails[i].thicker(0.2, 0.25), spacing, static_cast<char>(i + 1)));
        }
    }
    const int detail = std::clamp(static_cast<int>(0.3 * plan.height / spacing), 6, 60);
    out.mesh.append(make_decoys(plan, figure, detail));
    return out;
}

// Triangles by part: the head and what is above it may be a mesh of its own.
std::vector<Part> split_parts(const Plan& plan, const Figure& figure, const TriangleMesh& mesh)
{
    const double neck = figure.at(figure.head).y();
    std::vector<Part> parts(plan.parts ? 2 : 1);
    std::vector<std::map<std::pair<int, bool>, int>> number(parts.size());
    for (const auto& t : mesh.triangles) {
        const Vector3d centre =
            (mesh.points[static_cast<std::size_t>(t[0])] + mesh.points[static_cast<std::size_t>(t[1])] +
             mesh.points[static_cast<std::size_t>(t[2])]) /
            3;
        const bool tail = mesh.tail[static_cast<std::size_t>(t[0])] != 0;
        const std::size_t i = plan.parts && !tail && centre.y() > neck ? 1 : 0;
        const bool left = plan.seams && centre.x() > 0; // vertices on the seam exist once on either side
        for (int k = 0; k < 3; ++k) {
            if (plan.soup) {
                parts[i].point_of_vertex.push_back(t[k]);
                continue;
            }
            const auto [entry, fresh] =
                number[i].try_emplace({t[k], left}, static_cast<int>(parts[i].point_of_vertex.size()));
            if (fresh) parts[i].point_of_vertex.push_back(t[k]);
            parts[i].indices.push_back(entry->second);
        }
    }
    parts.erase(std::remove_if(parts.begin(), parts.end(), [](const Part& p) { return p.point_of_vertex.empty(); }),
                parts.end());
    return parts;
}

std::string name_of(const Plan& plan, const Figure& figure, int joint)
{
    const std::string name = joint_name(plan.convention, figure.joints[static_cast<std::size_t>(joint)], joint);
    return name.empty() ? fmt::format("node {}", joint) : name;
}

nlohmann::json tails_of(const Plan& plan, const Figure& figure, const Grown& grown)
{
    const Eigen::Affine3d from_metres = mesh_from_metres(plan);
    nlohmann::json tails = nlohmann::json::array();
    for (const auto& tail : grown.tails) {
        const Vector3d root = from_metres * tail.root;
        tails.push_back({{"attach", name_of(plan, figure, figure.hips)},
                         {"attach_also", {name_of(plan, figure, figure.spine)}},
                         {"root", {root.x(), root.y(), root.z()}},
                         {"root_radius", tail.root_radius * plan.scale},
                         {"length", tail.length * plan.scale}});
    }
    return tails;
}

} // namespace

Generated generate(int seed, bool with_tails)
{
    const Plan plan = make_plan(seed);
    const Figure figure = make_figure(plan);
    const Grown grown = grow(plan, figure, with_tails);
    const auto parts = split_parts(plan, figure, grown.mesh);

    Generated out;
    out.name = fmt::format("seed-{:03}{}", seed, with_tails ? "" : "-tailless");
    out.glb = write_glb(plan, figure, grown.mesh, parts);
    nlohmann::json primitives = nlohmann::json::array();
    for (std::size_t i = 0; i < parts.size(); ++i) {
        nlohmann::json tail = nlohmann::json::array();
        for (const int p : parts[i].point_of_vertex)
            tail.push_back(grown.mesh.tail[static_cast<std::size_t>(p)] != 0 ? 1 : 0);
        primitives.push_back(
            {{"mesh", i}, {"primitive", 0}, {"count", parts[i].point_of_vertex.size()}, {"tail", tail}});
    }
    nlohmann::json description = plan.describe();
    if (!with_tails) description["tails"] = 0;
    out.truth = {{"file", out.name},
                 {"label", "from the generator: what it made as tail, up to the crease"},
                 {"description", description},
                 {"primitives", primitives},
                 {"tails", tails_of(plan, figure, grown)}};
    return out;
}

} // namespace tailfix::generate
