#include <tailfix/surface/distance_field.h>

#include <cmath>
#include <limits>
#include <numbers>
#include <random>

#include <Eigen/Geometry>

#include "support/catch.h"

using namespace tailfix;
using Eigen::Vector3d;

TEST_CASE("the distance to one bone is that to a segment", "[surface][distance_field]")
{
    const std::vector<Bone> bones{{0, Vector3d(0, 0, 0), Vector3d(0, 2, 0)}};
    CHECK(distance_to_bones(Vector3d(3, 1, 0), bones) == Approx(3));  // beside it
    CHECK(distance_to_bones(Vector3d(3, 6, 0), bones) == Approx(5));  // past its tail
    CHECK(distance_to_bones(Vector3d(0, -2, 0), bones) == Approx(2)); // before its head
    CHECK(distance_to_bones(Vector3d(0, 0.7, 0), bones) == 0);
}

TEST_CASE("a bone without length is a point, and no bone is infinitely far", "[surface][distance_field]")
{
    const double length = GENERATE(0.0, 1e-170);
    const std::vector<Bone> bones{{0, Vector3d(1, 0, 0), Vector3d(1 + length, 0, length)}};
    CHECK(distance_to_bones(Vector3d(4, 4, 0), bones) == Approx(5));
    CHECK(distance_to_bones(Vector3d(0, 0, 0), {}) == std::numeric_limits<double>::infinity());
    CHECK(distance_to_bones(std::vector<Vector3d>{}, bones).empty());
}

TEST_CASE("the field is the least over the bones, and turns, moves and grows with the model",
          "[surface][distance_field]")
{
    std::mt19937 random(1);
    std::uniform_real_distribution<double> coordinate(-1, 1);
    const auto draw = [&] { return Vector3d(coordinate(random), coordinate(random), coordinate(random)); };
    std::vector<Bone> bones;
    for (int i = 0; i < 20; ++i) bones.push_back({i, draw(), draw()});
    std::vector<Vector3d> points;
    for (int i = 0; i < 500; ++i) points.push_back(draw());

    const double scale = 3.7;
    const Eigen::Affine3d move =
        Eigen::Translation3d(5, -2, 9) * Eigen::AngleAxisd(1.1, Vector3d(1, 2, 3).normalized()) * Eigen::Scaling(scale);
    std::vector<Bone> moved_bones(bones.rbegin(), bones.rend());
    for (auto& bone : moved_bones) {
        bone.head = move * bone.head;
        bone.tail = move * bone.tail;
    }
    std::vector<Vector3d> moved_points;
    for (const auto& p : points) moved_points.emplace_back(move * p);

    const auto field = distance_to_bones(points, bones);
    const auto moved = distance_to_bones(moved_points, moved_bones);
    for (std::size_t i = 0; i < points.size(); ++i) {
        double least = std::numeric_limits<double>::infinity();
        for (const auto& bone : bones) least = std::min(least, distance_to_bones(points[i], {bone}));
        REQUIRE(field[i] == least);
        REQUIRE(moved[i] == Approx(scale * field[i]));
    }
}
