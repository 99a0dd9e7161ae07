#include <tailfix/rig/chain.h>

#include <algorithm>
#include <cmath>
#include <optional>

#include <Eigen/Geometry>
#include <fmt/format.h>

#include <tailfix/error.h>

#include "rig/link_shares.h"

namespace tailfix {
namespace {

std::size_t at(int i)
{
    return static_cast<std::size_t>(i);
}

// Of the mean distance of a joint's skin from its middle. Smoothing cuts corners: on a tail curled tighter than a
// segment's length it left a joint 1.1 of that distance out, in front of the bend (a mouse with its tail swept aside).
constexpr double kInside = 0.5;

// A point of the tail: how far along it is, and how much skin it stands for.
struct Sample {
    double along = 0;
    double area = 0;
    Eigen::Vector3d position = Eigen::Vector3d::Zero();
};

// A third of the area of the triangles around each point: method.md 4 takes centroids "of the skin", and points alone
// would pull joints to where a mesh happens to be fine.
std::vector<double> area_of_points(const Weld& weld)
{
    std::vector<double> area(weld.points.size(), 0);
    for (const auto& t : weld.triangles) {
        const Eigen::Vector3d& a = weld.points[at(t[0])];
        const double third = (weld.points[at(t[1])] - a).cross(weld.points[at(t[2])] - a).norm() / 6;
        for (int corner = 0; corner < 3; ++corner) area[at(t[corner])] += third;
    }
    return area;
}

// The tail's points that its geodesic distance reaches; root side first. Where they carry no area, each counts alike.
std::vector<Sample> sample_tail(const Weld& weld, const Tail& tail, const std::vector<double>& area)
{
    std::vector<Sample> samples;
    double total = 0;
    for (const int p : tail.points) {
        if (!std::isfinite(tail.along[at(p)])) continue;
        samples.push_back({std::max(tail.along[at(p)], 0.0), area[at(p)], weld.points[at(p)]});
        total += area[at(p)];
    }
    if (total <= 0)
        for (auto& sample : samples) sample.area = 1;
    std::stable_sort(samples.begin(), samples.end(),
                     [](const Sample& a, const Sample& b) { return a.along < b.along; });
    return samples;
}

// Linear between the two nearest ranks.
double percentile(const std::vector<Sample>& ascending, double percent)
{
    const double rank = percent / 100 * static_cast<double>(ascending.size() - 1);
    const auto below = static_cast<std::size_t>(rank);
    const std::size_t above = std::min(below + 1, ascending.size() - 1);
    return std::lerp(ascending[below].along, ascending[above].along, rank - static_cast<double>(below));
}

std::optional<Eigen::Vector3d> centroid_between(const std::vector<Sample>& ascending, double low, double high)
{
    auto sample = std::lower_bound(ascending.begin(), ascending.end(), low,
                                   [](const Sample& s, double g) { return s.along < g; });
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    double area = 0;
    for (; sample != ascending.end() && sample->along <= high; ++sample) {
        sum += sample->area * sample->position;
        area += sample->area;
    }
    if (area <= 0) return std::nullopt;
    return sum / area;
}

// Mean distance of the skin in a window from its centroid.
double spread_between(const std::vector<Sample>& ascending, double low, double high, const Eigen::Vector3d& centroid)
{
    double sum = 0, area = 0;
    for (const auto& s : ascending) {
        if (s.along < low || s.along > high) continue;
        sum += s.area * (s.position - centroid).norm();
        area += s.area;
    }
    return area > 0 ? sum / area : 0;
}

// Rings wider apart than a segment leave windows without skin: a joint there lies evenly between the joints beside it.
std::vector<Eigen::Vector3d> fill_gaps(const std::vector<std::optional<Eigen::Vector3d>>& centroids)
{
    std::vector<Eigen::Vector3d> joints;
    for (std::size_t i = 0; i < centroids.size(); ++i) {
        if (centroids[i]) {
            joints.push_back(*centroids[i]);
            continue;
        }
        std::size_t next = i;
        while (!centroids[next]) ++next; // there is one: the last window reaches past the farthest skin counted
        const double t = 1 / static_cast<double>(next - i + 1);
        joints.emplace_back(joints.back() + t * (*centroids[next] - joints.back()));
    }
    return joints;
}

// How far apart the rings of the tail lie: the upper quartile of g over those edges that run along it.
double ring_spacing(const Weld& weld, const Tail& tail)
{
    constexpr double kAlong = 0.7; // of an edge's length: within 45 degrees of the tail's direction
    std::vector<bool> inside(weld.points.size(), false);
    for (const int p : tail.points) inside[at(p)] = true;
    std::vector<double> steps;
    for (const auto& t : weld.triangles) {
        for (int k = 0; k < 3; ++k) {
            const int a = t[k], b = t[(k + 1) % 3];
            if (!inside[at(a)] || !inside[at(b)]) continue;
            const double step = std::abs(tail.along[at(a)] - tail.along[at(b)]);
            if (std::isfinite(step) && step > kAlong * (weld.points[at(a)] - weld.points[at(b)]).norm())
                steps.push_back(step);
        }
    }
    if (steps.empty()) return 0;
    const auto quartile = steps.begin() + static_cast<std::ptrdiff_t>(3 * steps.size() / 4);
    std::nth_element(steps.begin(), quartile, steps.end());
    return *quartile;
}

int count_links(double length, double spacing, double height, const ChainOptions& options)
{
    if (options.segments > 0) return options.segments;
    // === K = clamp(round(L / (0.1 H)), 3, 8), and no more than there are rings
    const double wanted = std::round(length / (options.segment_length * height));
    const double rings = spacing > 0 ? std::floor(length / spacing) : wanted;
    return static_cast<int>(std::clamp(std::min(wanted, rings), static_cast<double>(options.min_segments),
                                       static_cast<double>(options.max_segments)));
}

// === J_i the centroid of the skin with g within half a segment of i L / K, smoothed twice
std::vector<Eigen::Vector3d> place_evenly(const Tail& tail, const std::vector<Sample>& samples, double length,
                                          int links)
{
    const double segment = length / links;
    std::vector<std::optional<Eigen::Vector3d>> centroids{tail.root};
    for (int i = 1; i < links; ++i)
        centroids.push_back(centroid_between(samples, (i - 0.5) * segment, (i + 0.5) * segment));
    const auto tip = centroid_between(samples, length - 0.5 * segment, length + 0.5 * segment);
    centroids.push_back(tip ? *tip : samples.back().position);
    auto joints = fill_gaps(centroids);

    // === twice J_i <- J_i / 2 + (J_(i-1) + J_(i+1)) / 4 for the interior joints
    for (int round = 0; round < 2; ++round) {
        const auto before = joints;
        for (std::size_t i = 1; i + 1 < before.size(); ++i)
            joints[i] = before[i] / 2 + (before[i - 1] + before[i + 1]) / 4;
    }

    // === [T] no farther than half-way out of the skin it bends
    for (int i = 1; i < links; ++i) {
        if (!centroids[at(i)]) continue;
        const Eigen::Vector3d& centre = *centroids[at(i)];
        const Eigen::Vector3d moved = joints[at(i)] - centre;
        const double most = kInside * spread_between(samples, (i - 0.5) * segment, (i + 0.5) * segment, centre);
        if (moved.norm() > most) joints[at(i)] = centre + moved.normalized() * most;
    }
    return joints;
}

// Moves each inner mark to the mean g of the points around it. Windows do not overlap, so the marks stay in order.
void move_marks_to_rings(const std::vector<Sample>& samples, std::vector<double>& marks)
{
    const double segment = marks.back() / static_cast<double>(marks.size() - 1);
    for (std::size_t i = 1; i + 1 < marks.size(); ++i) {
        double sum = 0;
        int count = 0;
        for (const auto& s : samples) {
            if (std::abs(s.along - marks[i]) > 0.5 * segment) continue;
            sum += s.along;
            ++count;
        }
        if (count > 0) marks[i] = sum / count;
    }
}

// J_i the centroid of the points that the links on both sides of it share, each by the smaller of its two shares.
std::vector<Eigen::Vector3d> place_on_rings(const Tail& tail, const std::vector<Sample>& samples,
                                            const std::vector<double>& marks)
{
    const std::size_t links = marks.size() - 1;
    std::vector<Eigen::Vector3d> sums(links + 1, Eigen::Vector3d::Zero());
    std::vector<double> counts(links + 1, 0);
    for (const auto& s : samples) {
        const LinkShares shares = share_links_smooth(s.along, marks);
        const auto shared = [&](int first, int second) {
            const double both = std::min(shares[at(first)].second, shares[at(second)].second);
            const int joint = shares[at(second)].first;
            if (both <= 0 || joint <= 0 || joint >= static_cast<int>(links)) return;
            sums[at(joint)] += s.position;
            counts[at(joint)] += 1;
        };
        shared(0, 1);
        shared(1, 2);
    }
    std::vector<std::optional<Eigen::Vector3d>> centroids{tail.root};
    for (std::size_t i = 1; i < links; ++i)
        centroids.push_back(counts[i] > 0 ? std::optional<Eigen::Vector3d>(sums[i] / counts[i]) : std::nullopt);
    const double half = 0.5 * (marks[links] - marks[links - 1]);
    const auto tip = centroid_between(samples, marks[links] - half, marks[links] + half);
    centroids.push_back(tip ? *tip : samples.back().position);
    return fill_gaps(centroids);
}

Chain fit_chain(const Weld& weld, const Tail& tail, const std::vector<Sample>& samples, double height,
                const ChainOptions& options)
{
    Chain chain;
    chain.attach = tail.attach;
    chain.root_radius = tail.root_radius;
    chain.length = percentile(samples, options.length_percentile);
    if (chain.length <= 0) chain.length = samples.back().along; // all but a few points lie on the root ring

    const double spacing = ring_spacing(weld, tail);
    const int links = count_links(chain.length, spacing, height, options);
    for (int i = 0; i <= links; ++i) chain.marks.push_back(i * chain.length / links);
    if (spacing > options.sparse * chain.length / links) {
        move_marks_to_rings(samples, chain.marks);
        chain.joints = place_on_rings(tail, samples, chain.marks);
    } else {
        chain.joints = place_evenly(tail, samples, chain.length, links);
    }
    return chain;
}

} // namespace

std::vector<Chain> fit_chains(const Weld& weld, const std::vector<Tail>& tails, double height,
                              const ChainOptions& options)
{
    if (options.min_segments > options.max_segments)
        throw Error(Failure::Usage,
                    fmt::format("min-segments {} is over max-segments {}", options.min_segments, options.max_segments));
    const std::vector<double> area = area_of_points(weld);
    std::vector<Chain> chains;
    for (const auto& tail : tails) {
        const std::string name = chains.empty() ? "Tail" : fmt::format("Tail{}", chains.size() + 1);
        const auto samples = sample_tail(weld, tail, area);
        if (samples.empty() || samples.back().along <= 0)
            throw Error(Failure::Invalid, fmt::format("{}: its skin has no length beyond its root", name));
        chains.push_back(fit_chain(weld, tail, samples, height, options));
        chains.back().name = name;
    }
    return chains;
}

} // namespace tailfix
