#include <tailfix/rig/rigid.h>

#include "support/catch.h"

using namespace tailfix;

TEST_CASE("rigid skin follows one joint, and points that have weights keep them", "[rig][rigid]")
{
    SkinWeights weights;
    weights.points = {{2, {{7, 1.0}}}, {5, {{7, 0.5}, {8, 0.5}}}, {9, {{8, 1.0}}}};
    const SkinWeights both = bind_rigidly(weights, {0, 5, 6}, 3);
    std::vector<int> points;
    for (const auto& p : both.points) points.push_back(p.point);
    CHECK(points == std::vector<int>{0, 2, 5, 6, 9});
    CHECK(both.points[2].influences.size() == 2);
    for (const std::size_t rigid : {0, 3}) {
        REQUIRE(both.points[rigid].influences.size() == 1);
        CHECK(both.points[rigid].influences[0].joint == 3);
        CHECK(both.points[rigid].influences[0].weight == 1);
    }
    CHECK(bind_rigidly({}, {}, 0).points.empty());
}

TEST_CASE("the shells that pieces are most of become rigid, and no corner of another", "[rig][rigid]")
{
    Weld weld; // two shells of six points
    weld.points.resize(12);
    weld.triangles = {{0, 1, 2}, {1, 2, 3}, {3, 4, 5}, {6, 7, 8}, {7, 8, 9}, {9, 10, 11}};
    CHECK(rigid_points(weld, {{0, 1, 2, 3}}) == std::vector<int>{0, 1, 2, 3, 4, 5});
    CHECK(rigid_points(weld, {{0, 1}, {4, 5}}) == std::vector<int>{0, 1, 2, 3, 4, 5}); // two halves of a skirt
    CHECK(rigid_points(weld, {{1, 2, 5}}) == std::vector<int>{1, 2, 5});               // part of a larger shell
    CHECK(rigid_points(weld, {{0, 1, 2, 3, 11}}) == std::vector<int>{0, 1, 2, 3, 4, 5});
    CHECK(rigid_points(weld, {}).empty());
}
