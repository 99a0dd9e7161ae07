#include "metrics.h"

#include <algorithm>

#include <Eigen/Geometry>

#include "surface/point_tree.h"

namespace tailfix::benchmark {
namespace {

// A buried root end is a cap and the ring above it: on tails of 20 rings that is one ring in 20.
constexpr std::size_t kShellRim = 20;

double ratio(double part, double whole)
{
    return whole > 0 ? part / whole : 0;
}

std::vector<bool> rim_of(const Weld& weld, const std::vector<bool>& truth)
{
    std::vector<bool> rim(truth.size(), false);
    for (const auto& t : weld.triangles) {
        const int inside = static_cast<int>(std::count_if(
            t.begin(), t.end(), [&](int p) { return static_cast<bool>(truth[static_cast<std::size_t>(p)]); }));
        if (inside == 0 || inside == 3) continue;
        for (const int p : t) rim[static_cast<std::size_t>(p)] = truth[static_cast<std::size_t>(p)];
    }
    return rim;
}

std::vector<bool> nearest_to_others(const Weld& weld, const std::vector<bool>& truth)
{
    std::vector<Eigen::Vector3d> others;
    std::vector<std::pair<double, std::size_t>> gaps;
    for (std::size_t p = 0; p < truth.size(); ++p)
        if (!truth[p]) others.push_back(weld.points[p]);
    const PointTree tree(others);
    for (std::size_t p = 0; p < truth.size(); ++p)
        if (truth[p]) gaps.emplace_back(tree.nearest(weld.points[p]).distance, p);
    std::sort(gaps.begin(), gaps.end());
    gaps.resize((gaps.size() + kShellRim - 1) / kShellRim);
    std::vector<bool> rim(truth.size(), false);
    for (const auto& [gap, p] : gaps) rim[p] = true;
    return rim;
}

std::vector<Eigen::Vector3d> in_own_box(const std::vector<Eigen::Vector3d>& points)
{
    Eigen::AlignedBox3d box;
    for (const auto& p : points) box.extend(p);
    const double size = box.diagonal().norm();
    std::vector<Eigen::Vector3d> out;
    out.reserve(points.size());
    for (const auto& p : points) out.push_back((p - box.min()) / (size > 0 ? size : 1));
    return out;
}

} // namespace

double Overlap::iou() const
{
    return ratio(both, found + truth - both);
}

double Overlap::precision() const
{
    return ratio(both, found);
}

double Overlap::recall() const
{
    return ratio(both, truth);
}

Overlap operator+(const Overlap& a, const Overlap& b)
{
    return {a.both + b.both, a.found + b.found, a.truth + b.truth};
}

Overlap overlap(const std::vector<bool>& found, const std::vector<bool>& truth, const std::vector<double>& weight)
{
    Overlap out;
    for (std::size_t p = 0; p < truth.size(); ++p) {
        if (found[p]) out.found += weight[p];
        if (truth[p]) out.truth += weight[p];
        if (found[p] && truth[p]) out.both += weight[p];
    }
    return out;
}

std::vector<double> point_areas(const Weld& weld)
{
    std::vector<double> area(weld.points.size(), 0);
    for (const auto& t : weld.triangles) {
        const Eigen::Vector3d& a = weld.points[static_cast<std::size_t>(t[0])];
        const Eigen::Vector3d& b = weld.points[static_cast<std::size_t>(t[1])];
        const Eigen::Vector3d& c = weld.points[static_cast<std::size_t>(t[2])];
        const double third = (b - a).cross(c - a).norm() / 6;
        for (const int p : t) area[static_cast<std::size_t>(p)] += third;
    }
    return area;
}

std::vector<bool> points_of_weights(const Weld& weld, const std::vector<double>& weight_of_vertex)
{
    std::vector<double> sum(weld.points.size(), 0);
    std::vector<int> count(weld.points.size(), 0);
    for (std::size_t v = 0; v < weight_of_vertex.size(); ++v) {
        const auto p = static_cast<std::size_t>(weld.point_of_vertex[v]);
        sum[p] += weight_of_vertex[v];
        ++count[p];
    }
    std::vector<bool> out(weld.points.size(), false);
    for (std::size_t p = 0; p < out.size(); ++p) out[p] = sum[p] > 0.5 * count[p];
    return out;
}

std::vector<bool> points_of_list(const std::vector<int>& points, std::size_t count)
{
    std::vector<bool> out(count, false);
    for (const int p : points) out[static_cast<std::size_t>(p)] = true;
    return out;
}

Eigen::Vector3d rim_centroid(const Weld& weld, const std::vector<bool>& truth)
{
    std::vector<bool> rim = rim_of(weld, truth);
    if (std::find(rim.begin(), rim.end(), true) == rim.end()) rim = nearest_to_others(weld, truth);
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (std::size_t p = 0; p < rim.size(); ++p)
        if (rim[p]) sum += weld.points[p];
    return sum / static_cast<double>(std::count(rim.begin(), rim.end(), true));
}

std::vector<double> transfer_weights(const std::vector<Eigen::Vector3d>& from, const std::vector<double>& weights,
                                     const std::vector<Eigen::Vector3d>& to)
{
    const auto source = in_own_box(from);
    const PointTree tree(source);
    std::vector<double> out;
    out.reserve(to.size());
    for (const auto& p : in_own_box(to)) out.push_back(weights[static_cast<std::size_t>(tree.nearest(p).point)]);
    return out;
}

} // namespace tailfix::benchmark
