#include "surface/surface_graph.h"

#include <cmath>
#include <map>
#include <random>

#include <Eigen/Geometry>

#include "support/catch.h"
#include "support/characters.h"
#include "surface/point_tree.h"
#include "surface/profile.h"
#include "surface/refine.h"
#include "surface/tips.h"

using namespace tailfix;
using namespace tailfix::support;

namespace {

// A unit sphere from an icosahedron's poles outwards: rings of latitude, which is enough for distances.
Weld sphere(int rings, int sides)
{
    Mesh mesh;
    for (int r = 0; r <= rings; ++r) {
        const double polar = EIGEN_PI * r / rings;
        for (int s = 0; s < sides; ++s) {
            const double around = 2 * EIGEN_PI * s / sides;
            mesh.positions.emplace_back(std::sin(polar) * std::cos(around), std::cos(polar),
                                        std::sin(polar) * std::sin(around));
        }
    }
    for (int r = 0; r < rings; ++r) {
        for (int s = 0; s < sides; ++s) {
            const int a = r * sides + s, b = r * sides + (s + 1) % sides;
            mesh.triangles.emplace_back(a, a + sides, b);
            mesh.triangles.emplace_back(b, a + sides, b + sides);
        }
    }
    return weld_vertices(mesh);
}

double area(const std::vector<Eigen::Vector3d>& p, const std::vector<Eigen::Vector3i>& triangles)
{
    double sum = 0;
    for (const auto& t : triangles)
        sum += 0.5 * (p[static_cast<std::size_t>(t[1])] - p[static_cast<std::size_t>(t[0])])
                         .cross(p[static_cast<std::size_t>(t[2])] - p[static_cast<std::size_t>(t[0])])
                         .norm();
    return sum;
}

Weld tube_weld(double length, double radius, int rings)
{
    Tube tube;
    tube.length = length;
    tube.rings = rings;
    tube.radius = [radius](double) { return radius; };
    tube.tip = true;
    return weld_vertices(make_tube(tube));
}

} // namespace

TEST_CASE("refining keeps the surface and leaves no long edge and no gap", "[surface]")
{
    const Weld coarse = sphere(6, 8);
    const double longest = 0.1;
    const RefinedSurface fine = refine_surface(coarse, longest);
    CHECK(area(fine.points, fine.triangles) == Approx(area(coarse.points, coarse.triangles)).epsilon(1e-9));
    std::map<std::pair<int, int>, int> triangles_of_edge;
    for (const auto& t : fine.triangles) {
        for (int k = 0; k < 3; ++k) {
            const auto& a = fine.points[static_cast<std::size_t>(t[k])];
            const auto& b = fine.points[static_cast<std::size_t>(t[(k + 1) % 3])];
            REQUIRE((a - b).norm() <= longest);
            ++triangles_of_edge[std::minmax(t[k], t[(k + 1) % 3])];
        }
    }
    for (const auto& [edge, count] : triangles_of_edge) REQUIRE(count == 2); // closed before, closed after
    for (std::size_t p = 0; p < coarse.points.size(); ++p) REQUIRE(fine.points[p] == coarse.points[p]);
}

TEST_CASE("refining a soup of huge triangles stays within memory", "[surface]")
{
    Weld soup;
    for (int i = 0; i < 300; ++i) {
        const double z = i;
        soup.points.insert(soup.points.end(), {{0, 0, z}, {1000, 0, z}, {0, 1000, z}});
        soup.triangles.emplace_back(3 * i, 3 * i + 1, 3 * i + 2);
    }
    CHECK(refine_surface(soup, 0.5).triangles.size() < 4000000);
}

TEST_CASE("distance over a sphere is the angle, symmetric, and never less than the straight line", "[geodesic]")
{
    const Weld weld = sphere(60, 80);
    const SurfaceGraph graph = build_surface_graph(weld, {0, 0});
    const auto from_pole = distances_from(graph, {{0, 0}});
    for (int p = 0; p < graph.size(); p += 7) {
        const auto& at = graph.points[static_cast<std::size_t>(p)];
        const double angle = std::acos(std::clamp(at.y(), -1.0, 1.0));
        REQUIRE(from_pole[static_cast<std::size_t>(p)] >= (at - graph.points[0]).norm() - 1e-12);
        // Meridians are edges of this mesh, so that Dijkstra's path is the geodesic up to the chords.
        REQUIRE(from_pole[static_cast<std::size_t>(p)] == Approx(angle).margin(2e-3));
    }
    const int a = 700, b = 3100;
    CHECK(distances_from(graph, {{a, 0}})[static_cast<std::size_t>(b)] ==
          Approx(distances_from(graph, {{b, 0}})[static_cast<std::size_t>(a)]).epsilon(1e-12));
}

TEST_CASE("shells that do not touch are bridged at their narrowest gap, and only there", "[surface]")
{
    Weld two = tube_weld(1, 0.1, 41);
    const int count = static_cast<int>(two.points.size());
    const std::size_t triangles = two.triangles.size();
    // A second tube beyond the first one's tip, along the same axis.
    for (int p = 0; p < count; ++p)
        two.points.emplace_back(two.points[static_cast<std::size_t>(p)] + Eigen::Vector3d(0, 0, -1.05));
    for (std::size_t t = 0; t < triangles; ++t)
        two.triangles.emplace_back(two.triangles[t] + Eigen::Vector3i::Constant(count));
    const SurfaceGraph graph = build_surface_graph(two, {0, 0.002});
    CHECK(graph.shell_count == 2);
    const auto d = distances_from(graph, {{0, 0}});
    CHECK(d.back() == Approx(2.05).epsilon(0.1));
    for (int p = 0; p < count; ++p) {
        for (int e = graph.first[static_cast<std::size_t>(p)]; e < graph.first[static_cast<std::size_t>(p) + 1]; ++e) {
            if (graph.target[static_cast<std::size_t>(e)] < count) continue;
            REQUIRE(graph.length[static_cast<std::size_t>(e)] <= 1.25 * 0.05 + 0.002 + 1e-12);
        }
    }
}

TEST_CASE("the nearest foreign point is the one a full search finds", "[surface]")
{
    std::mt19937 random(7);
    std::uniform_real_distribution<double> at(0, 1);
    std::vector<Eigen::Vector3d> points;
    std::vector<int> group;
    for (int i = 0; i < 500; ++i) {
        points.emplace_back(at(random), at(random), at(random));
        group.push_back(points.back().x() < 0.5 ? 0 : i % 3);
    }
    PointTree tree(points);
    tree.set_groups(group);
    for (std::size_t i = 0; i < points.size(); ++i) {
        double nearest = 10;
        for (std::size_t k = 0; k < points.size(); ++k)
            if (group[k] != group[i]) nearest = std::min(nearest, (points[k] - points[i]).norm());
        REQUIRE(tree.nearest_foreign(points[i], group[i], 10).distance == nearest);
    }
    CHECK(tree.nearest_foreign(points[0], group[0], 0).point == -1);
}

TEST_CASE("a tube has one tip at its closed end, as prominent as it is long", "[tips]")
{
    const Weld tube = tube_weld(1, 0.05, 101);
    const SurfaceGraph graph = build_surface_graph(tube, {0.02, 0});
    const auto tips = find_tips(graph, distances_from(graph, {{0, 0}}), 0.1);
    REQUIRE(tips.size() == 1);
    CHECK(graph.points[static_cast<std::size_t>(tips[0].point)].z() == Approx(-1).margin(0.02));
    CHECK(tips[0].persistence == Approx(1).epsilon(0.1));
}

TEST_CASE("sections of a tube are circles: perimeter, radius, closed and round", "[profile]")
{
    const double radius = 0.1;
    const Weld tube = tube_weld(2, radius, 201);
    const SurfaceGraph graph = build_surface_graph(tube, {0, 0});
    const int tip = static_cast<int>(tube.points.size()) - 1;
    const std::vector<Bone> bones{{0, {0, 0, 5}, {0, 0, 6}}}; // far beyond the root
    const Profile profile = measure_profile(graph, tip, bones, {0.02, 1});
    CHECK(profile.body_entry == -1); // no section encloses a bone
    REQUIRE(profile.sections.size() > 60);
    for (std::size_t i = 15; i < 80; ++i) {
        const Section& section = profile.sections[i];
        REQUIRE(section.perimeter == Approx(2 * EIGEN_PI * radius).epsilon(0.02));
        REQUIRE(section.radius == Approx(radius).epsilon(0.02));
        REQUIRE(section.openness < 1e-6);
        REQUIRE(section.flatness > 0.95);
        REQUIRE(section.bone_distance == Approx(5 - section.centre.z()).epsilon(1e-6));
    }
}

TEST_CASE("the body is entered where a section comes to enclose a bone", "[profile]")
{
    const Weld tube = tube_weld(2, 0.1, 201);
    const SurfaceGraph graph = build_surface_graph(tube, {0, 0});
    const std::vector<Bone> bones{{0, {0, 0, 0}, {0, 0, -0.5}}}; // in the first quarter from the root
    const Profile profile = measure_profile(graph, static_cast<int>(tube.points.size()) - 1, bones, {0.02, 1});
    REQUIRE(profile.body_entry >= 0);
    // From the rim of the tip, a section one radius in front of the bone's end is the first nearer to it than its
    // radius.
    CHECK(profile.sections[static_cast<std::size_t>(profile.body_entry)].centre.z() == Approx(-0.6).margin(0.04));
}

TEST_CASE("half a tube is open", "[profile]")
{
    Weld half = tube_weld(2, 0.1, 201);
    std::vector<Eigen::Vector3i> kept;
    for (const auto& t : half.triangles) {
        const Eigen::Vector3d middle =
            (half.points[static_cast<std::size_t>(t[0])] + half.points[static_cast<std::size_t>(t[1])] +
             half.points[static_cast<std::size_t>(t[2])]) /
            3;
        if (middle.x() > 0) kept.push_back(t);
    }
    half.triangles = kept;
    const SurfaceGraph graph = build_surface_graph(half, {0, 0});
    const Profile profile =
        measure_profile(graph, static_cast<int>(half.points.size()) - 1, {{0, {0, 0, 5}, {0, 0, 6}}}, {0.02, 1});
    REQUIRE(profile.sections.size() > 40);
    CHECK(profile.sections[40].openness > 0.5);
}
