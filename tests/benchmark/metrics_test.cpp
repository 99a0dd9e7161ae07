// The figures of the detection benchmark on sets made by hand.
#include <numeric>

#include "benchmark/src/metrics.h"
#include "support/catch.h"

using namespace tailfix;
using namespace tailfix::benchmark;

namespace {

// A strip of n quads of side 1 along x; points 2i and 2i + 1 at (i, 0, 0) and (i, 1, 0).
Weld strip(int quads, double x = 0)
{
    Weld weld;
    for (int i = 0; i <= quads; ++i) {
        weld.points.emplace_back(x + i, 0, 0);
        weld.points.emplace_back(x + i, 1, 0);
    }
    for (int i = 0; i < quads; ++i) {
        weld.triangles.emplace_back(2 * i, 2 * i + 2, 2 * i + 1);
        weld.triangles.emplace_back(2 * i + 1, 2 * i + 2, 2 * i + 3);
    }
    return weld;
}

const std::vector<double> kOnes(8, 1.0);

} // namespace

TEST_CASE("IoU, precision and recall of two sets that share a part", "[benchmark]")
{
    const auto o = overlap(points_of_list({0, 1, 2, 3}, 8), points_of_list({2, 3, 4, 5, 6, 7}, 8), kOnes);
    CHECK(o.iou() == Approx(2.0 / 8));
    CHECK(o.precision() == Approx(2.0 / 4));
    CHECK(o.recall() == Approx(2.0 / 6));
}

TEST_CASE("A set agrees fully with itself, not at all with its complement, and with nothing not at all", "[benchmark]")
{
    const auto some = points_of_list({1, 4}, 8), rest = points_of_list({0, 2, 3, 5, 6, 7}, 8);
    const auto none = points_of_list({}, 8);
    CHECK(overlap(some, some, kOnes).iou() == 1);
    CHECK(overlap(some, rest, kOnes).iou() == 0);
    CHECK(overlap(none, some, kOnes).precision() == 0);
    CHECK(overlap(some, none, kOnes).recall() == 0);
    CHECK(overlap(none, none, kOnes).iou() == 0);
}

TEST_CASE("The overlaps of two rigs add up to that of both together", "[benchmark]")
{
    const auto found = points_of_list({0, 1, 2, 6}, 8), truth = points_of_list({1, 2, 3, 7}, 8);
    const auto half = [](const std::vector<bool>& set, int from) {
        return std::vector<bool>(set.begin() + from, set.begin() + from + 4);
    };
    const std::vector<double> ones(4, 1.0);
    const auto sum = overlap(half(found, 0), half(truth, 0), ones) + overlap(half(found, 4), half(truth, 4), ones);
    CHECK(sum.iou() == overlap(found, truth, kOnes).iou());
}

TEST_CASE("Areas of points add up to the area of the triangles, and weigh the overlap", "[benchmark]")
{
    Weld weld = strip(3);
    for (int i = 6; i < 8; ++i) weld.points[static_cast<std::size_t>(i)].x() = 12; // the last quad is ten long
    const auto area = point_areas(weld);
    CHECK(std::accumulate(area.begin(), area.end(), 0.0) == Approx(12));
    // Half of the points, and a twentieth of the area around them.
    const auto left = points_of_list({0, 1, 2, 3}, 8), all = points_of_list({0, 1, 2, 3, 4, 5, 6, 7}, 8);
    CHECK(overlap(left, all, kOnes).iou() == Approx(0.5));
    CHECK(overlap(left, all, area).iou() == Approx((area[0] + area[1] + area[2] + area[3]) / 12));
    CHECK(overlap(left, all, area).iou() < 0.2);
}

TEST_CASE("A point is tail where the mean of its vertices is over a half", "[benchmark]")
{
    Weld weld = strip(1);
    weld.point_of_vertex = {0, 0, 1, 1, 2, 3};
    const auto points = points_of_weights(weld, {1, 0, 1, 0.02, 0.5, 0.51});
    CHECK(points == std::vector<bool>{false, true, false, true});
}

TEST_CASE("The rim of a tail that grows out of the body is its points beside the body", "[benchmark]")
{
    const Weld weld = strip(6);
    std::vector<int> tail(8);
    std::iota(tail.begin(), tail.end(), 6); // from x = 3 on
    CHECK((rim_centroid(weld, points_of_list(tail, 14)) - Eigen::Vector3d(3, 0.5, 0)).norm() < 1e-12);
}

TEST_CASE("The rim of a tail that is a shell of its own is its end next to the body", "[benchmark]")
{
    Weld weld = strip(4);
    const Weld shell = strip(19, 4.25); // 40 points, the 2 nearest to the body at x = 4.25
    const int first = static_cast<int>(weld.points.size());
    std::vector<int> tail;
    for (std::size_t p = 0; p < shell.points.size(); ++p) tail.push_back(first + static_cast<int>(p));
    weld.points.insert(weld.points.end(), shell.points.begin(), shell.points.end());
    for (const auto& t : shell.triangles) weld.triangles.push_back(t.array() + first);
    const auto truth = points_of_list(tail, weld.points.size());
    CHECK((rim_centroid(weld, truth) - Eigen::Vector3d(4.25, 0.5, 0)).norm() < 1e-12);
}

TEST_CASE("A truth is brought over to the same surface in other units and another order", "[benchmark]")
{
    const auto points = strip(6).points;
    std::vector<double> weights(points.size());
    std::iota(weights.begin(), weights.end(), 0.0);
    std::vector<Eigen::Vector3d> other;
    for (auto it = points.rbegin(); it != points.rend(); ++it)
        other.emplace_back(100 * *it + Eigen::Vector3d(7, -3, 1));
    const auto moved = transfer_weights(points, weights, other);
    CHECK(std::vector<double>(moved.rbegin(), moved.rend()) == weights);
}
