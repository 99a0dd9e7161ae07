#include "rig/limb_fade.h"

#include <algorithm>
#include <cmath>
#include <map>

#include "rig/harmonic.h"
#include "smoothstep.h"

namespace tailfix {
namespace {

// Edges conduct less the farther they are from the ring, by this power of r / (r + distance): rings widen away from the
// root, and what a plain harmonic function saves on wide rings it takes from the narrow one where seam edges tear.
// Scanned over 11 rigs: at 0.6 the horse's seam tears (p99 1.90 against 1.76 allowed), at 1 the velociraptor's body
// stretches by more than 2% (1.024 of before); 0.75 leaves all of them within.
constexpr double kNarrowing = 0.75;
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
    std::vector<int> joints; // that tear and have weight in it
};

Region region_of(const Skinning& skinning, const Weld& weld, const LimbZone& zone)
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
    const auto conductivity = [&](int a, int b) {
        const double far = -kFarRadii * zone.radius;
        const double g = 0.5 * (std::max(zone.along[at(a)], far) + std::max(zone.along[at(b)], far));
        return zone.radius > 0 ? std::pow(zone.radius / (zone.radius + std::max(0.0, -g)), kNarrowing) : 1.0;
    };
    for (const auto& t : weld.triangles) {
        for (int k = 0; k < 3; ++k) {
            const int a = t[k], b = t[(k + 1) % 3];
            if (!is_free(a) && !is_free(b)) continue;
            const double length = (weld.points[at(a)] - weld.points[at(b)]).norm();
            const int row = row_of(a); // in this order, whatever the compiler
            region.edges.push_back({row, row_of(b), length / conductivity(a, b)});
        }
    }
    for (int j = 0; j < static_cast<int>(has_weight.size()); ++j)
        if (has_weight[at(j)] && tears(skinning, j, zone.attach)) region.joints.push_back(j);
    return region;
}

} // namespace

LimbFade fade_limbs(const Skinning& skinning, const Weld& weld, const LimbZone& zone)
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
    LimbFade fade;
    fade.inner = zone.inner;
    for (int j = 0; j < static_cast<int>(skinning.character.joints.size()); ++j)
        fade.tearing.push_back(tears(skinning, j, zone.attach));
    fade.joints = std::move(region.joints);
    fade.row_of_point = std::move(region.row_of_point);
    fade.weights.resize(rows, columns);
    for (Eigen::Index i = 0; i < rows; ++i) {
        const int p = region.points[static_cast<std::size_t>(i)];
        if (!region.free[static_cast<std::size_t>(i)]) fade.row_of_point[at(p)] = kNone;
        // From one radius outside the ring, where the tail's own share of the weights begins.
        const double near = smoothstep(-zone.radius, 0, zone.along[at(p)]);
        fade.weights.row(i) =
            near * filled.row(i).head(columns) + (1 - near) * filled(i, columns) * own.row(i).head(columns);
    }
    return fade;
}

std::vector<Influence> LimbFade::apply(std::vector<Influence> kept, int point, double along) const
{
    const int row = row_of_point.empty() ? kNone : row_of_point[at(point)];
    if (row == kNone && along < inner) return kept;
    for (auto& w : kept) {
        if (!tearing[at(w.joint)]) continue;
        const auto j = std::lower_bound(joints.begin(), joints.end(), w.joint);
        const bool known = row != kNone && j != joints.end() && *j == w.joint;
        w.weight = std::min(w.weight, known ? std::max(weights(row, j - joints.begin()), 0.0) : 0.0);
    }
    return kept;
}

} // namespace tailfix
