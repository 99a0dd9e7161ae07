#include <tailfix/rig/chain.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include <tailfix/error.h>

#include "support/catch.h"
#include "support/characters.h"

using namespace tailfix;
using Eigen::Vector3d;
using support::Tube;

namespace {

struct TubeTail {
    Weld weld;
    Tail tail;
};

// The whole tube is the tail; g is the length along its centreline, exactly.
TubeTail tail_of(const Tube& tube)
{
    TubeTail made;
    made.weld = weld_vertices(support::make_tube(tube));
    for (int p = 0; p < static_cast<int>(made.weld.points.size()); ++p) {
        const int ring = std::min(p / tube.sides, tube.rings - 1);
        made.tail.points.push_back(p);
        made.tail.along.push_back(tube.length * ring / (tube.rings - 1));
    }
    made.tail.root_radius = tube.radius(0);
    made.tail.attach = 0;
    return made;
}

Chain fit(const TubeTail& made, double height = 2.5, const ChainOptions& options = {})
{
    return fit_chains(made.weld, {made.tail}, height, options).front();
}

ChainOptions whole_length()
{
    ChainOptions options;
    options.length_percentile = 100;
    return options;
}

} // namespace

TEST_CASE("joints of a straight tube lie on its axis at the windows' centroids", "[rig][chain]")
{
    Tube tube;
    tube.rings = 2001;
    const Chain chain = fit(tail_of(tube), 2.5, whole_length()); // L = 1, 0.1 H = 0.25
    REQUIRE(chain.links() == 4);
    CHECK(chain.length == Approx(1));
    CHECK(chain.name == "Tail");
    // Centroids at 1/4, 2/4, 3/4; the last window is cut by the tip: [7/8, 1], so 15/16. Smoothed twice by hand.
    double place[5] = {0, 0.25, 0.5, 0.75, 15.0 / 16};
    for (int round = 0; round < 2; ++round) {
        const double before[5] = {place[0], place[1], place[2], place[3], place[4]};
        for (int i = 1; i < 4; ++i) place[i] = before[i] / 2 + (before[i - 1] + before[i + 1]) / 4;
    }
    for (std::size_t i = 0; i < 5; ++i) CHECK((chain.joints[i] - Vector3d(0, 0, -place[i])).norm() < 1e-3);
}

TEST_CASE("the number of links follows the length, within its limits", "[rig][chain]")
{
    const TubeTail made = tail_of(Tube{});
    const double length = fit(made).length;
    CHECK(length == Approx(0.99)); // 99th percentile of evenly spaced rings
    CHECK(fit(made, length / 0.549).links() == 5);
    CHECK(fit(made, length / 0.551).links() == 6);
    CHECK(fit(made, 1000).links() == 3);
    CHECK(fit(made, 0.001).links() == 8);
    ChainOptions options;
    options.segments = 13;
    CHECK(fit(made, 2.5, options).links() == 13);
}

TEST_CASE("joints of a bent tube lie inside it, evenly spaced", "[rig][chain]")
{
    Tube tube;
    tube.bend = GENERATE(0.8, std::numbers::pi);
    tube.rings = 401;
    const Chain chain = fit(tail_of(tube), 1.5, whole_length());
    REQUIRE(chain.links() == 7);
    for (std::size_t i = 0; i < chain.joints.size(); ++i) {
        double distance = std::numeric_limits<double>::infinity();
        for (int k = 0; k <= 1000; ++k)
            distance = std::min(distance, (support::tube_centre(tube, k / 1000.0) - chain.joints[i]).norm());
        CHECK(distance <
              0.5 * tube.radius(0)); // chords cut the corner by s^2 / 8r = 0.01 here, smoothing by as much again
    }
    // From the second to the last but one: the ends are half windows.
    for (std::size_t i = 2; i + 1 < chain.joints.size(); ++i) {
        const double link = (chain.joints[i] - chain.joints[i - 1]).norm();
        CHECK(link == Approx(tube.length / 7).epsilon(0.12)); // chords of a half circle, and the half window at the tip
    }
}

TEST_CASE("a bushy tip and an uneven mesh leave the joints on the axis", "[rig][chain]")
{
    Tube tube;
    tube.tip = true;
    tube.radius = [](double s) { return 0.04 + 0.2 * s * s * (1 - s * s); };
    TubeTail made = tail_of(tube);
    const Chain even = fit(made);
    for (const auto& joint : even.joints) CHECK(Vector3d(joint.x(), joint.y(), 0).norm() < 1e-9);

    // One side three times as fine: points alone would pull the joints over, area does not.
    Mesh mesh = support::make_tube(tube);
    const std::size_t triangles = mesh.triangles.size();
    std::vector<double> along = made.tail.along;
    for (std::size_t t = 0; t < triangles; ++t) {
        const Eigen::Vector3i triangle = mesh.triangles[t];
        const Vector3d centre = (mesh.positions[static_cast<std::size_t>(triangle[0])] +
                                 mesh.positions[static_cast<std::size_t>(triangle[1])] +
                                 mesh.positions[static_cast<std::size_t>(triangle[2])]) /
                                3;
        if (centre.x() < 0.02) continue;
        const int v = mesh.vertex_count();
        mesh.positions.push_back(centre);
        along.push_back(-centre.z());
        mesh.triangles[t] = Eigen::Vector3i(triangle[0], triangle[1], v);
        mesh.triangles.emplace_back(triangle[1], triangle[2], v);
        mesh.triangles.emplace_back(triangle[2], triangle[0], v);
        made.tail.points.push_back(v);
    }
    made.weld = weld_vertices(mesh);
    made.tail.along = along;
    const Chain uneven = fit(made);
    for (const auto& joint : uneven.joints) CHECK(std::abs(joint.x()) < 0.005);
}

TEST_CASE("windows without skin are bridged", "[rig][chain]")
{
    Tube tube;
    tube.rings = 3; // rings at 0, 0.5 and 1 for eight links
    tube.sides = 6;
    ChainOptions options = whole_length();
    options.segments = 8;
    const Chain chain = fit(tail_of(tube), 1, options);
    REQUIRE(chain.links() == 8);
    for (std::size_t i = 1; i < chain.joints.size(); ++i) {
        CHECK(chain.joints[i].z() < chain.joints[i - 1].z());
        CHECK(chain.joints[i].head<2>().norm() < 1e-9);
    }
    CHECK(chain.joints.back().z() == Approx(-1));
}

TEST_CASE("points without triangles count alike, and skin that is not reached not at all", "[rig][chain]")
{
    TubeTail made = tail_of(Tube{});
    const Chain with = fit(made);
    made.weld.triangles.clear();
    made.weld.points.emplace_back(9, 9, 9);
    made.tail.points.push_back(static_cast<int>(made.tail.along.size()));
    made.tail.along.push_back(-std::numeric_limits<double>::infinity());
    const Chain without = fit(made);
    REQUIRE(without.links() == with.links());
    for (std::size_t i = 0; i < with.joints.size(); ++i) CHECK((with.joints[i] - without.joints[i]).norm() < 0.01);
}

TEST_CASE("a chain turns, moves and grows with its tail, whatever the order of vertices", "[rig][chain]")
{
    Tube tube;
    tube.bend = 1;
    const TubeTail made = tail_of(tube);
    const double scale = 50;
    const Eigen::Affine3d move =
        Eigen::Translation3d(4, 5, 6) * Eigen::AngleAxisd(2, Vector3d(1, 1, -1).normalized()) * Eigen::Scaling(scale);
    std::vector<int> order(made.tail.points);
    std::shuffle(order.begin(), order.end(), std::mt19937(4));
    TubeTail moved;
    moved.tail = made.tail;
    moved.tail.root = move * made.tail.root;
    moved.weld.points.resize(order.size());
    for (std::size_t p = 0; p < order.size(); ++p) {
        const auto to = static_cast<std::size_t>(order[p]);
        moved.weld.points[to] = move * made.weld.points[p];
        moved.tail.along[to] = scale * made.tail.along[p];
    }
    for (const auto& t : made.weld.triangles)
        moved.weld.triangles.emplace_back(order[static_cast<std::size_t>(t[0])], order[static_cast<std::size_t>(t[1])],
                                          order[static_cast<std::size_t>(t[2])]);
    const Chain before = fit(made), after = fit(moved, 2.5 * scale);
    REQUIRE(after.links() == before.links());
    CHECK(after.length == Approx(scale * before.length));
    for (std::size_t i = 0; i < before.joints.size(); ++i)
        CHECK((after.joints[i] - move * before.joints[i]).norm() < 1e-9 * scale);
}

TEST_CASE("several tails are numbered, and a tail without length is refused", "[rig][chain]")
{
    const TubeTail made = tail_of(Tube{});
    const auto chains = fit_chains(made.weld, {made.tail, made.tail, made.tail}, 2.5);
    REQUIRE(chains.size() == 3);
    CHECK(chains[1].name == "Tail2");
    CHECK(chains[2].name == "Tail3");
    CHECK(fit_chains(made.weld, {}, 2.5).empty());

    Tail flat = made.tail;
    std::fill(flat.along.begin(), flat.along.end(), 0.0);
    CHECK_THROWS_AS(fit_chains(made.weld, {flat}, 2.5), Error);
    flat.points.clear();
    CHECK_THROWS_AS(fit_chains(made.weld, {flat}, 2.5), Error);
    ChainOptions options;
    options.min_segments = 9;
    CHECK_THROWS_AS(fit_chains(made.weld, {made.tail}, 2.5, options), Error);
}
