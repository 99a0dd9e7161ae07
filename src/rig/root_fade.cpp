#include "rig/root_fade.h"

#include <algorithm>
#include <map>

#include "rig/harmonic.h"
#include "smoothstep.h"

namespace tailfix {
namespace {

// An edge conducts by r / (r + its distance from the ring): rings widen away from the root, and what a plain harmonic
// function saves on wide rings it takes from the narrow one, where seam edges tear (p99 of the rat's seam 2.3 without).
double conductivity(double radius, double distance)
{
    return radius > 0 ? radius / (radius + std::max(0.0, distance)) : 1;
}

// How much the kept part counts on the body, and from how many radii outside the ring it counts less. Scanned over 11
// rigs: own weights alone leave the rat's steps (1.5% of its true tail's edges torn, against 0.8 to 0.9%), harmonic
// weights alone lose the velociraptor's pattern (p99 of its body 1.04 of before, against 1.01).
constexpr double kOwn = 0.6;
constexpr double kOwnRadii = 4;
// Skin that no distance was measured for counts as this many radii away.
constexpr double kFarRadii = 20;

std::size_t at(int i)
{
    return static_cast<std::size_t>(i);
}

// The points whose weights are sought, and those beside them.
struct Region {
    std::vector<int> row_of_point;
    std::vector<int> points;
    std::vector<bool> free; // per row: its weights are sought
    std::vector<SkinEdge> edges;
    std::vector<int> joints; // that have weight in it, but for the attachment
};

Region region_of(const Skinning& skinning, const Weld& weld, const FadeZone& zone)
{
    Region region;
    region.row_of_point.assign(weld.points.size(), kNone);
    std::vector<bool> has_weight(skinning.character.joints.size(), false);
    const auto is_free = [&](int p) { return zone.along[at(p)] > zone.outer && zone.along[at(p)] < zone.inner; };
    const auto row_of = [&](int p) {
        int& row = region.row_of_point[at(p)];
        if (row == kNone) {
            row = static_cast<int>(region.points.size());
            region.points.push_back(p);
            region.free.push_back(is_free(p));
            for (const auto& w : common_weights(skinning, p)) has_weight[at(w.joint)] = true;
        }
        return row;
    };
    const auto distance = [&](int p) { return std::min(-zone.along[at(p)], kFarRadii * zone.radius); };
    for (const auto& t : weld.triangles) {
        for (int k = 0; k < 3; ++k) {
            const int a = t[k], b = t[(k + 1) % 3];
            if (!is_free(a) && !is_free(b)) continue;
            const double length = (weld.points[at(a)] - weld.points[at(b)]).norm();
            const int row = row_of(a); // in this order, whatever the compiler
            region.edges.push_back(
                {row, row_of(b), length / conductivity(zone.radius, 0.5 * (distance(a) + distance(b)))});
        }
    }
    for (int j = 0; j < static_cast<int>(has_weight.size()); ++j)
        if (has_weight[at(j)] && j != zone.attach) region.joints.push_back(j);
    return region;
}

} // namespace

RootFade fade_root(const Skinning& skinning, const Weld& weld, const FadeZone& zone)
{
    Region region = region_of(skinning, weld, zone);
    const auto rows = static_cast<Eigen::Index>(region.points.size());
    const auto columns = static_cast<Eigen::Index>(region.joints.size());

    // === Known values: the file's on the body, none inside the tail. The last column is the part that is kept.
    Eigen::MatrixXd own = Eigen::MatrixXd::Zero(rows, columns + 1);
    own.col(columns).setOnes();
    std::map<int, Eigen::Index> column;
    for (Eigen::Index j = 0; j < columns; ++j) column[region.joints[static_cast<std::size_t>(j)]] = j;
    for (Eigen::Index i = 0; i < rows; ++i) {
        const int p = region.points[static_cast<std::size_t>(i)];
        for (const auto& w : common_weights(skinning, p))
            if (column.count(w.joint) != 0) own(i, column.at(w.joint)) = w.weight;
        if (zone.along[at(p)] >= zone.inner) own.row(i).setZero();
    }

    // === Between them: harmonic
    const Eigen::MatrixXd filled = fill_harmonic(own, region.free, region.edges);
    RootFade fade;
    fade.attach = zone.attach;
    fade.inner = zone.inner;
    fade.joints = std::move(region.joints);
    fade.row_of_point = std::move(region.row_of_point);
    fade.weights.resize(rows, columns);
    for (Eigen::Index i = 0; i < rows; ++i) {
        const int p = region.points[static_cast<std::size_t>(i)];
        if (!region.free[static_cast<std::size_t>(i)]) fade.row_of_point[at(p)] = kNone;
        const double own_part = kOwn * (1 - smoothstep(-kOwnRadii * zone.radius, 0, zone.along[at(p)]));
        fade.weights.row(i) =
            own_part * filled(i, columns) * own.row(i).head(columns) + (1 - own_part) * filled.row(i).head(columns);
    }
    return fade;
}

std::vector<Influence> RootFade::apply(std::vector<Influence> kept, int point, double along) const
{
    const int row = row_of_point.empty() ? kNone : row_of_point[at(point)];
    if (row == kNone && along < inner) return kept;
    for (auto& w : kept) {
        if (w.joint == attach) continue;
        const auto j = std::lower_bound(joints.begin(), joints.end(), w.joint);
        const bool known = row != kNone && j != joints.end() && *j == w.joint;
        w.weight = std::min(w.weight, known ? std::max(weights(row, j - joints.begin()), 0.0) : 0.0);
    }
    return kept;
}

} // namespace tailfix
