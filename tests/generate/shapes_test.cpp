// The generator's fields, surfaces and plans.
#include <cmath>
#include <map>
#include <numbers>
#include <set>

#include <Eigen/Geometry>

#include "generate/mesher.h"
#include "generate/plan.h"
#include "generate/tube.h"
#include "support/catch.h"

using namespace tailfix::generate;

namespace {

// Positive where triangles are counter-clockwise from outside.
double volume(const Part& part)
{
    double sum = 0;
    for (const auto& t : part.triangles) {
        const auto at = [&](std::size_t i) { return part.positions[static_cast<std::size_t>(t[i])]; };
        sum += at(0).dot(at(1).cross(at(2))) / 6;
    }
    return sum;
}

// Every edge has one triangle on each side.
bool closed(const Part& part)
{
    std::map<std::pair<int, int>, int> sides;
    for (const auto& t : part.triangles)
        for (std::size_t k = 0; k < 3; ++k) ++sides[{t[k], t[(k + 1) % 3]}];
    for (const auto& [edge, count] : sides) {
        const auto back = sides.find({edge.second, edge.first});
        if (count != 1 || back == sides.end() || back->second != 1) return false;
    }
    return !sides.empty();
}

Field ball(double radius)
{
    Field field;
    field.body.push_back(cone(Vec(0, 0, 0), Vec(0, 0, 0), radius, radius, 0));
    return field;
}

} // namespace

TEST_CASE("the generator's round cone is tangent to both of its balls", "[generate]")
{
    const Solid solid = cone(Vec(0, 0, 0), Vec(0, 1, 0), 0.3, 0.1, 0);
    CHECK(solid.distance(Vec(0, -0.5, 0)) == Approx(0.2)); // below the large ball
    CHECK(solid.distance(Vec(0, 1.5, 0)) == Approx(0.4));  // above the small one
    // Beside: the surface is the tangent line of both circles, whose normal rises by asin((0.3 - 0.1) / 1).
    const Vec normal(std::sqrt(1 - 0.04), 0.2, 0);
    const Vec on = Vec(0, 0.5, 0) + 0.2 * normal;
    CHECK(solid.distance(on) == Approx(0).margin(1e-12));
    CHECK(solid.distance(on + 0.05 * normal) == Approx(0.05));
}

TEST_CASE("the generator's smooth minimum is the minimum beyond its fillet and a quarter lower in its middle",
          "[generate]")
{
    CHECK(smooth_min(1, 3, 0.5) == 1);
    CHECK(smooth_min(1, 1, 0.5) == Approx(1 - 0.125));
    CHECK(smooth_min(1, 1.2, 0.5) == smooth_min(1.2, 1, 0.5));
}

TEST_CASE("a meshed ball is closed, faces outwards and has the ball's area and volume", "[generate]")
{
    const double radius = 0.25;
    const Part part = mesh_field(ball(radius), 0.01);
    CHECK(closed(part));
    CHECK(volume(part) == Approx(4.0 / 3 * std::numbers::pi * std::pow(radius, 3)).epsilon(0.01));
    CHECK(area(part) == Approx(4 * std::numbers::pi * radius * radius).epsilon(0.01));
}

TEST_CASE("a simplified surface keeps some of its own vertices", "[generate]")
{
    const Part part = mesh_field(ball(0.25), 0.01);
    const Part few = simplified(part, 500);
    CHECK(few.positions.size() <= 520);
    CHECK(few.positions.size() >= 450);
    CHECK(closed(few));
    std::set<std::array<double, 3>> all;
    for (const Vec& p : part.positions) all.insert({p.x(), p.y(), p.z()});
    for (const Vec& p : few.positions) CHECK(all.count({p.x(), p.y(), p.z()}) == 1);
}

TEST_CASE("the largest piece of two balls is the larger ball", "[generate]")
{
    Field field = ball(0.2);
    field.body.push_back(cone(Vec(1, 0, 0), Vec(1, 0, 0), 0.1, 0.1, 0));
    const Part part = largest_piece(mesh_field(field, 0.02));
    CHECK(closed(part));
    for (const Vec& p : part.positions) CHECK(p.norm() < 0.25);
}

TEST_CASE("a tube is closed, faces outwards and has a cylinder's volume between its domes", "[generate]")
{
    const double radius = 0.1, length = 2;
    const Part part = make_tube({{Vec(0, 0, 0), Vec(0, length, 0)}, {radius, radius}}, 0.01);
    CHECK(closed(part));
    const double cylinder = std::numbers::pi * radius * radius * length;
    CHECK(volume(part) > cylinder * 0.99);
    CHECK(volume(part) < cylinder * 1.06); // a half ball more is a thirtieth
}

TEST_CASE("plans cover what the issue lists, most of them with one tail and few vertices", "[generate]")
{
    constexpr int kSeeds = 2000;
    std::set<std::string> seen;
    double vertices = 0;
    int large = 0, one_tail = 0;
    for (int seed = 0; seed < kSeeds; ++seed) {
        const Plan plan = make_plan(seed);
        seen.insert(plan.decoys.begin(), plan.decoys.end());
        for (const auto& word :
             {plan.body, plan.construction, plan.arms, plan.up, plan.tails[0].direction, plan.tails[0].taper})
            seen.insert(word);
        vertices += plan.vertices;
        large += plan.vertices > 100000 ? 1 : 0;
        one_tail += plan.tails.size() == 1 ? 1 : 0;
        CHECK(plan.vertices >= 500);
        CHECK(plan.vertices <= 300000);
        CHECK(plan.decoys.size() <= 4);
    }
    for (const char* word :
         {"slender",   "average", "stout",  "chibi",      "toon",      "quadruped", "welded", "shell",    "two shells",
          "soup",      "seams",   "T",      "A",          "hanging",   "Y",         "Z",      "straight", "down",
          "up",        "swept",   "curled", "S",          "floor",     "even",      "cone",   "bushy",    "tuft",
          "club",      "skirt",   "cape",   "coat tails", "belt ends", "scabbard",  "quiver", "backpack", "ponytail",
          "long ears", "hat",     "wings",  "sword",      "mane"}) {
        INFO(word);
        CHECK(seen.count(word) == 1);
    }
    CHECK(vertices / kSeeds == Approx(12000).epsilon(0.2));
    CHECK(large >= kSeeds / 100);
    CHECK(large <= kSeeds / 25);
    CHECK(one_tail > kSeeds * 8 / 10);
}
