// The denser characters of the cost measurement are the same surface.
#include <algorithm>
#include <cmath>
#include <map>
#include <numeric>

#include <Eigen/Geometry>

#include "benchmark/src/cost.h"
#include "benchmark/src/metrics.h"
#include "benchmark/src/subdivide.h"
#include "support/catch.h"
#include "support/fixed_samples.h"

using namespace tailfix;
using namespace tailfix::benchmark;

namespace {

double area_of(const Mesh& mesh)
{
    const auto areas = point_areas(weld_vertices(mesh));
    return std::accumulate(areas.begin(), areas.end(), 0.0);
}

// Edges of an odd number of triangles: a crack adds some.
int open_edges(const Weld& weld)
{
    std::map<std::pair<int, int>, int> count;
    for (const auto& t : weld.triangles)
        for (int k = 0; k < 3; ++k) ++count[std::minmax({t[k], t[(k + 1) % 3]})];
    return static_cast<int>(std::count_if(count.begin(), count.end(), [](const auto& c) { return c.second == 1; }));
}

// Weight of each joint, integrated over the surface.
std::vector<double> weight_of_joints(const Character& character)
{
    const Mesh& mesh = character.mesh;
    std::vector<double> area(mesh.positions.size(), 0), out(character.joints.size(), 0);
    for (const auto& t : mesh.triangles) {
        const auto at = [&](int k) { return mesh.positions[static_cast<std::size_t>(t[k])]; };
        const double third = (at(1) - at(0)).cross(at(2) - at(0)).norm() / 6;
        for (const int v : t) area[static_cast<std::size_t>(v)] += third;
    }
    for (std::size_t v = 0; v < area.size(); ++v)
        for (int i = mesh.first_influence[v]; i < mesh.first_influence[v + 1]; ++i) {
            const Influence& influence = mesh.influences[static_cast<std::size_t>(i)];
            out[static_cast<std::size_t>(influence.joint)] += area[v] * influence.weight;
        }
    return out;
}

} // namespace

TEST_CASE("Subdivision keeps area, seams and the share of each joint", "[benchmark]")
{
    Character fox = test::sample("fox");
    const int vertices = GENERATE(30000, 120000); // a part of the edges once; all once, then a part
    const double area = area_of(fox.mesh);
    const int open = open_edges(weld_vertices(fox.mesh));
    const auto weights = weight_of_joints(fox);
    fox.mesh = subdivide_to(std::move(fox.mesh), vertices);
    CHECK(std::abs(fox.mesh.vertex_count() - vertices) < vertices / 100);
    CHECK(area_of(fox.mesh) == Approx(area).epsilon(1e-9));
    // An open edge that is split is two.
    if (open == 0) CHECK(open_edges(weld_vertices(fox.mesh)) == 0);
    CHECK(open_edges(weld_vertices(fox.mesh)) <= 4 * open);
    const auto denser = weight_of_joints(fox);
    for (std::size_t j = 0; j < weights.size(); ++j) CHECK(denser[j] == Approx(weights[j]).margin(1e-9 * area));
}

TEST_CASE("Vertices stay with their primitive, and weights of each sum to 1", "[benchmark]")
{
    const Character decoys = test::sample("decoys");
    const Mesh mesh = subdivide_to(decoys.mesh, 40000);
    REQUIRE(mesh.primitives.size() == decoys.mesh.primitives.size());
    int next = 0;
    std::vector<int> primitive_of;
    for (std::size_t p = 0; p < mesh.primitives.size(); ++p) {
        CHECK(mesh.primitives[p].first_vertex == next);
        next += mesh.primitives[p].vertex_count;
        primitive_of.resize(static_cast<std::size_t>(next), static_cast<int>(p));
    }
    REQUIRE(next == mesh.vertex_count());
    REQUIRE(mesh.first_influence.size() == mesh.positions.size() + 1);
    bool together = true;
    for (const auto& t : mesh.triangles)
        together = together &&
                   primitive_of[static_cast<std::size_t>(t[0])] == primitive_of[static_cast<std::size_t>(t[1])] &&
                   primitive_of[static_cast<std::size_t>(t[0])] == primitive_of[static_cast<std::size_t>(t[2])];
    CHECK(together);
    double worst = 0;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        double sum = 0;
        for (int i = mesh.first_influence[v]; i < mesh.first_influence[v + 1]; ++i)
            sum += mesh.influences[static_cast<std::size_t>(i)].weight;
        worst = std::max(worst, std::abs(sum - 1));
    }
    CHECK(worst < 1e-12);
}

TEST_CASE("The exponent of a power is that power, and ratios are to 100,000 vertices", "[benchmark]")
{
    std::vector<Cost> costs;
    for (const int n : {10000, 100000, 1000000}) costs.push_back({n, 1e-9 * std::pow(n, 1.5), 0});
    CHECK(cost_exponent(costs) == Approx(1.5));
    CHECK(cost_ratios(costs)[1] == 1);
    CHECK(cost_ratios(costs)[2] == Approx(std::pow(10, 1.5)));
}
