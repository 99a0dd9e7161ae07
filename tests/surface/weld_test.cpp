#include <tailfix/surface/weld.h>

#include <algorithm>
#include <numeric>
#include <random>

#include <Eigen/Geometry>

#include "support/catch.h"

using namespace tailfix;
using Eigen::Vector3d;
using Eigen::Vector3i;

namespace {

// Two vertices far apart set the bounding box's diagonal to 1, so that a radius is a length.
Mesh unit_box_with(const std::vector<Vector3d>& more)
{
    Mesh mesh;
    mesh.positions = {Vector3d(0, 0, 0), Vector3d(1, 0, 0)};
    mesh.positions.insert(mesh.positions.end(), more.begin(), more.end());
    return mesh;
}

std::vector<Vector3d> random_points(int count, unsigned seed)
{
    std::mt19937 random(seed);
    std::uniform_real_distribution<double> coordinate(-1, 1);
    std::vector<Vector3d> points;
    for (int i = 0; i < count; ++i) points.emplace_back(coordinate(random), coordinate(random), coordinate(random));
    return points;
}

// The definition: a vertex is one point with every vertex that a chain of near ones links to it.
std::vector<int> weld_by_definition(const Mesh& mesh, double radius)
{
    const std::size_t count = mesh.positions.size();
    std::vector<int> label(count, -1);
    int next = 0;
    for (std::size_t seed = 0; seed < count; ++seed) {
        if (label[seed] >= 0) continue;
        std::vector<std::size_t> open{seed};
        label[seed] = next;
        while (!open.empty()) {
            const std::size_t v = open.back();
            open.pop_back();
            for (std::size_t w = 0; w < count; ++w) {
                if (label[w] >= 0 || (mesh.positions[v] - mesh.positions[w]).norm() > radius) continue;
                label[w] = next;
                open.push_back(w);
            }
        }
        ++next;
    }
    return label;
}

} // namespace

TEST_CASE("welding joins copies and keeps neighbours apart", "[surface][weld]")
{
    Mesh mesh = unit_box_with(
        {Vector3d(0.5, 0, 0), Vector3d(0.5, 0, 0), Vector3d(0.5 + 5e-6, 0, 0), Vector3d(0.5 + 1e-4, 0, 0)});
    mesh.triangles = {Vector3i(0, 1, 2), Vector3i(0, 3, 5), Vector3i(2, 3, 4), Vector3i(0, 2, 4)};
    const Weld weld = weld_vertices(mesh);
    CHECK(weld.point_of_vertex == std::vector<int>{0, 1, 2, 2, 2, 3});
    REQUIRE(weld.points.size() == 4);
    CHECK(weld.points[2] == Vector3d(0.5, 0, 0));
    REQUIRE(weld.triangles.size() == 2); // the two that lost a corner are dropped
    CHECK(weld.triangles[0] == Vector3i(0, 1, 2));
    CHECK(weld.triangles[1] == Vector3i(0, 2, 3));
}

TEST_CASE("welding is transitive along a chain of near vertices", "[surface][weld]")
{
    std::vector<Vector3d> chain;
    for (int i = 0; i < 50; ++i) chain.emplace_back(0.3, 0.9e-5 * i, 0.2);
    std::shuffle(chain.begin(), chain.end(), std::mt19937(3));
    Mesh mesh = unit_box_with(chain);
    mesh.positions[1] = Vector3d(std::sqrt(1 - 0.04), 0, 0.2); // diagonal 1 again
    CHECK(weld_vertices(mesh).points.size() == 3);
}

TEST_CASE("welding agrees with its definition at every radius", "[surface][weld]")
{
    const double radius = GENERATE(1e-6, 0.003, 0.01);
    const Mesh mesh = unit_box_with(random_points(1500, 11));
    Eigen::AlignedBox3d box;
    for (const auto& p : mesh.positions) box.extend(p);
    WeldOptions options;
    options.radius = radius;
    CHECK(weld_vertices(mesh, options).point_of_vertex == weld_by_definition(mesh, radius * box.diagonal().norm()));
}

TEST_CASE("the partition does not depend on vertex order, place or size", "[surface][weld]")
{
    Mesh mesh = unit_box_with(random_points(2000, 5));
    WeldOptions options;
    options.radius = 0.008;
    const Weld weld = weld_vertices(mesh, options);

    std::vector<std::size_t> order(mesh.positions.size());
    std::iota(order.begin(), order.end(), 0);
    std::shuffle(order.begin(), order.end(), std::mt19937(7));
    Mesh moved;
    for (const auto i : order)
        moved.positions.push_back(mesh.positions[i] * 4 + Vector3d(8, -16, 2)); // exact in binary
    const Weld again = weld_vertices(moved, options);
    REQUIRE(again.points.size() == weld.points.size());
    std::vector<int> match(weld.points.size(), -1);
    for (std::size_t i = 0; i < order.size(); ++i) {
        int& point = match[static_cast<std::size_t>(again.point_of_vertex[i])];
        if (point < 0) point = weld.point_of_vertex[order[i]];
        REQUIRE(point == weld.point_of_vertex[order[i]]);
    }
}

TEST_CASE("radius 0 joins equal positions only", "[surface][weld]")
{
    WeldOptions options;
    options.radius = 0;
    const Mesh mesh =
        unit_box_with({Vector3d(0.5, 0, 0), Vector3d(0.5, 0, 0), Vector3d(0.5, 1e-15, 0), Vector3d(-0.0, 0, 0)});
    CHECK(weld_vertices(mesh, options).point_of_vertex == std::vector<int>{0, 1, 2, 2, 3, 0});
}

TEST_CASE("degenerate meshes weld", "[surface][weld]")
{
    CHECK(weld_vertices(Mesh{}).points.empty());

    Mesh one_place;
    one_place.positions.assign(1000, Vector3d(3, 4, 5));
    one_place.triangles = {Vector3i(0, 1, 2)};
    const Weld weld = weld_vertices(one_place);
    CHECK(weld.points.size() == 1);
    CHECK(weld.triangles.empty());
}
