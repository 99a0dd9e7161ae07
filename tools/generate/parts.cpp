#include "parts.h"

#include <algorithm>
#include <cmath>
#include <limits>

#include "body.h"
#include "decoys.h"
#include "mesher.h"
#include "tube.h"

namespace tailfix::generate {
namespace {

bool own_shell(const Plan& plan)
{
    return plan.construction == "shell" || plan.construction == "two shells";
}

// A grid fine enough for the body's fingers and for welded tails, which simplification coarsens afterwards.
double grid_spacing(const Plan& plan, const Field& field, double wanted)
{
    double spacing = std::min(wanted, 0.012); // H: a limb is six cells wide
    if (plan.fingers) spacing = std::min(spacing, 0.024 * plan.biped.arm);
    constexpr double kFinest = 0.004; // H: thinner tips end early
    for (const auto& tail : field.tails)
        for (std::size_t i = 0; i < 3 * tail.size() / 4; ++i)
            spacing = std::min(spacing, std::max(0.8 * tail[i].ra, kFinest));
    return std::min(spacing, wanted);
}

// A tip thinner than the grid would come out in crumbs.
void thicken(std::vector<Solid>& tail, double least)
{
    for (Solid& solid : tail) {
        solid.ra = std::max(solid.ra, least);
        solid.rb = std::max(solid.rb, least);
    }
}

std::vector<std::vector<int>> neighbours(const Part& part)
{
    std::vector<std::vector<int>> out(part.positions.size());
    for (const auto& t : part.triangles) {
        for (std::size_t k = 0; k < 3; ++k) {
            out[static_cast<std::size_t>(t[k])].push_back(t[(k + 1) % 3]);
            out[static_cast<std::size_t>(t[k])].push_back(t[(k + 2) % 3]);
        }
    }
    return out;
}

// Tail is what is nearer to the tail than to the body, as far as it hangs together with the tip.
void label_tail(Part& part, const Field& field, std::size_t tail, const Vec& tip,
                const std::vector<std::vector<int>>& around)
{
    std::vector<bool> candidate(part.positions.size());
    int start = -1;
    double best = std::numeric_limits<double>::max();
    for (std::size_t v = 0; v < part.positions.size(); ++v) {
        const Vec& p = part.positions[v];
        const double d = field.tail_distance(tail, p);
        bool nearest = d < field.body_distance(p);
        for (std::size_t other = 0; other < field.tails.size(); ++other)
            if (other != tail && field.tail_distance(other, p) < d) nearest = false;
        candidate[v] = nearest;
        if (nearest && (p - tip).norm() < best) {
            best = (p - tip).norm();
            start = static_cast<int>(v);
        }
    }
    std::vector<int> open;
    if (start >= 0) open.push_back(start);
    while (!open.empty()) {
        const auto v = static_cast<std::size_t>(open.back());
        open.pop_back();
        if (!candidate[v]) continue;
        candidate[v] = false;
        part.tail[v] = static_cast<int>(tail) + 1;
        for (const int n : around[v])
            if (candidate[static_cast<std::size_t>(n)]) open.push_back(n);
    }
}

// The middle of the edges that lead out of a tail.
std::optional<Vec> border_middle(const Part& part, int tail)
{
    Vec sum = Vec::Zero();
    int count = 0;
    for (const auto& t : part.triangles) {
        for (std::size_t k = 0; k < 3; ++k) {
            const auto a = static_cast<std::size_t>(t[k]), b = static_cast<std::size_t>(t[(k + 1) % 3]);
            if (part.tail[a] != tail || part.tail[b] == tail) continue;
            sum += 0.5 * (part.positions[a] + part.positions[b]);
            ++count;
        }
    }
    if (count == 0) return std::nullopt;
    return sum / count;
}

Part make_shell(const TailShape& shape, double spacing, double scale, std::size_t from, int tail)
{
    TubeShape tube;
    for (std::size_t i = from; i < shape.line.size(); ++i) {
        tube.line.push_back(shape.line[i]);
        tube.radii.push_back(scale * shape.radii[i]);
    }
    Part part = make_tube(tube, spacing);
    part.name = "Tail";
    part.tail.assign(part.positions.size(), tail);
    return part;
}

void add_shells(Pieces& pieces, const Plan& plan, double spacing)
{
    for (std::size_t t = 0; t < pieces.tails.size(); ++t) {
        const TailShape& shape = pieces.tails[t];
        const int number = static_cast<int>(t) + 1;
        const double fine = std::min(spacing, plan.tails[t].length / 12); // enough rings to bend
        Part part = make_shell(shape, fine, 1, 0, number);
        if (plan.construction == "two shells") {
            // Skin, and fur over it that begins where the tail leaves the body.
            part = make_shell(shape, fine, 0.8, 0, number);
            append(part, make_shell(shape, fine, 1.05, shape.leaves - 1, number));
        }
        if (plan.tail_skin == "pelvis") part.bind = "pelvis";
        pieces.parts.push_back(std::move(part));
        pieces.roots.emplace_back(shape.line[shape.leaves]);
    }
}

} // namespace

Pieces make_pieces(const Plan& plan, const Rig& rig, bool with_tails)
{
    Field field;
    field.body = make_body(plan, rig);
    Pieces pieces;
    if (with_tails)
        for (const TailPlan& tail : plan.tails) pieces.tails.push_back(make_tail(tail, rig, field));
    if (!own_shell(plan)) {
        for (const TailShape& shape : pieces.tails) {
            field.tails.push_back(solids_of(shape));
            field.tail_blend = shape.blend;
        }
    }
    // Of a surface without shared vertices a sixth of the vertices are different points.
    constexpr double kFewest = 300; // points: fewer do not make arms and legs
    const double wanted = std::max(plan.vertices / (plan.construction == "soup" ? 6.0 : 1.0), kFewest);
    constexpr double kCoarse = 0.02; // H: enough to measure the surface
    const double spacing = std::sqrt(1.15 * area(mesh_field(field, kCoarse)) / wanted);
    // A third finer than asked for, so that simplification has something to choose from.
    const double grid = grid_spacing(plan, field, 0.8 * spacing);
    for (auto& tail : field.tails) thicken(tail, 0.9 * grid);
    Part body = largest_piece(mesh_field(field, grid));
    pieces.parts.emplace_back();
    if (own_shell(plan)) add_shells(pieces, plan, spacing);
    for (Part& part : make_decoys(plan, rig, field, spacing)) pieces.parts.push_back(std::move(part));
    int others = 0;
    for (const Part& part : pieces.parts) others += static_cast<int>(part.positions.size());
    body = simplified(body, std::max(static_cast<int>(wanted) - others, static_cast<int>(0.4 * wanted)));
    body.name = "Body";
    const auto around = neighbours(body);
    for (std::size_t t = 0; t < field.tails.size(); ++t) {
        label_tail(body, field, t, pieces.tails[t].line.back(), around);
        pieces.roots.push_back(border_middle(body, static_cast<int>(t) + 1));
    }
    pieces.parts.front() = std::move(body);
    return pieces;
}

} // namespace tailfix::generate
