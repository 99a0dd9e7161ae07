#include <tailfix/surface/detect.h>

#include <tailfix/error.h>

#include <algorithm>
#include <cmath>
#include <numeric>
#include <random>

#include "support/catch.h"
#include "support/characters.h"

using namespace tailfix;
using namespace tailfix::support;

namespace {

Detection detect(const Character& character, const DetectOptions& options = {})
{
    const Roles roles = find_roles(character);
    return detect_tails(character, roles, weld_vertices(character.mesh), options);
}

// Of the vertices found against the truth.
double overlap_with_truth(const Cat& cat, const Detection& found)
{
    const Weld weld = weld_vertices(cat.character.mesh);
    std::vector<bool> tail(weld.points.size(), false);
    for (const auto& t : found.tails)
        for (const int p : t.points) tail[static_cast<std::size_t>(p)] = true;
    int both = 0, either = 0;
    for (std::size_t v = 0; v < cat.tail.size(); ++v) {
        const bool in = tail[static_cast<std::size_t>(weld.point_of_vertex[v])];
        both += in && cat.tail[v];
        either += in || cat.tail[v];
    }
    return either == 0 ? 0 : static_cast<double>(both) / either;
}

std::string attach_name(const Cat& cat, const Detection& found)
{
    return cat.character.joints[static_cast<std::size_t>(found.tails.at(0).attach)].name;
}

} // namespace

TEST_CASE("a cat has one tail, on its hips", "[detect]")
{
    CatOptions options;
    SECTION("welded to the body") {}
    SECTION("as a shell of its own")
    {
        options.own_shell = true;
    }
    SECTION("with seams that split vertices")
    {
        options.seams = true;
    }
    SECTION("swept to the left")
    {
        options.tail = {{0, 0.95, -0.05}, {0.15, 0.9, -0.2}, {0.35, 0.8, -0.3}, {0.55, 0.75, -0.35}};
    }
    SECTION("standing up")
    {
        options.tail = {{0, 0.95, -0.05}, {0, 0.98, -0.25}, {0, 1.15, -0.35}, {0, 1.4, -0.36}};
    }
    SECTION("hanging down")
    {
        options.tail = {{0, 0.95, -0.05}, {0, 0.88, -0.2}, {0, 0.7, -0.26}, {0, 0.35, -0.28}};
    }
    const Cat cat = make_cat(options);
    const Detection found = detect(cat.character);
    REQUIRE(found.tails.size() == 1);
    CHECK(overlap_with_truth(cat, found) > 0.8);
    CHECK(attach_name(cat, found) == "Hips");
    CHECK(found.appendages.front().kind == AppendageClass::Tail);
    CHECK_FALSE(found.appendages.front().reasons.empty());
}

TEST_CASE("nothing is found on a cat without a tail", "[detect]")
{
    CatOptions options;
    options.tail.clear();
    const Detection found = detect(make_cat(options).character);
    CHECK(found.tails.empty());
    CHECK_FALSE(found.why_none.empty());
}

TEST_CASE("what is worn or grows elsewhere is no tail, and what it is is said", "[detect]")
{
    CatOptions options;
    options.tail.clear();
    AppendageClass expected{};
    SECTION("ears")
    {
        options.shells = {{{0.06, 1.62, 0}, {0.12, 2.0, -0.05}, 0.035}, {{-0.06, 1.62, 0}, {-0.12, 2.0, -0.05}, 0.035}};
        expected = AppendageClass::Head;
    }
    SECTION("a scabbard beside the thigh")
    {
        options.shells = {{{0.24, 0.95, -0.05}, {0.35, 0.45, -0.5}, 0.03}};
        expected = AppendageClass::Limb;
    }
    SECTION("a quiver on the back")
    {
        options.shells = {{{0.1, 1.15, -0.3}, {-0.1, 1.6, -0.32}, 0.06}};
        expected = AppendageClass::Worn;
    }
    SECTION("a held sword")
    {
        options.shells = {{{0.8, 1.4, 0}, {0.8, 1.4, 0.9}, 0.02}};
        expected = AppendageClass::Limb;
    }
    const Detection found = detect(make_cat(options).character);
    CHECK(found.tails.empty());
    const auto is = [&](const Appendage& a) { return a.kind == expected; };
    std::string seen;
    for (const auto& a : found.appendages) {
        seen += std::string(class_name(a.kind)) + ":";
        for (const auto& r : a.reasons) seen += " " + r + ";";
        seen += "\n";
    }
    INFO(seen);
    CHECK(std::any_of(found.appendages.begin(), found.appendages.end(), is));
}

TEST_CASE("the tail does not depend on place, turn, size, mirror or vertex order", "[detect]")
{
    CatOptions options;
    options.tail = {{0, 0.95, -0.05}, {0.1, 0.9, -0.22}, {0.2, 0.75, -0.4}, {0.25, 0.6, -0.62}};
    const Cat cat = make_cat(options);
    const Detection expected = detect(cat.character);
    REQUIRE(expected.tails.size() == 1);
    SECTION("moved, turned and scaled")
    {
        const double scale = GENERATE(0.01, 1.0, 100.0);
        options.bind_from_model.linear() =
            scale * Eigen::AngleAxisd(-EIGEN_PI / 2, Eigen::Vector3d::UnitX()).toRotationMatrix();
        options.bind_from_model.translation() = scale * Eigen::Vector3d(2, -1, 3);
        const Detection moved = detect(make_cat(options).character);
        REQUIRE(moved.tails.size() == 1);
        CHECK((moved.tails[0].points == expected.tails[0].points));
        CHECK(moved.tails[0].root_radius == Approx(scale * expected.tails[0].root_radius).epsilon(1e-6));
    }
    SECTION("vertices shuffled")
    {
        Cat shuffled = cat;
        std::vector<int> order(cat.character.mesh.positions.size());
        std::iota(order.begin(), order.end(), 0);
        std::shuffle(order.begin(), order.end(), std::mt19937(3));
        Mesh& mesh = shuffled.character.mesh;
        const Mesh& old = cat.character.mesh;
        std::vector<int> place(order.size());
        mesh.influences.clear();
        mesh.first_influence = {0};
        for (std::size_t i = 0; i < order.size(); ++i) {
            const auto from = static_cast<std::size_t>(order[i]);
            place[from] = static_cast<int>(i);
            mesh.positions[i] = old.positions[from];
            shuffled.tail[i] = cat.tail[from];
            mesh.influences.insert(mesh.influences.end(), old.influences.begin() + old.first_influence[from],
                                   old.influences.begin() + old.first_influence[from + 1]);
            mesh.first_influence.push_back(static_cast<int>(mesh.influences.size()));
        }
        for (auto& t : mesh.triangles)
            for (int k = 0; k < 3; ++k) t[k] = place[static_cast<std::size_t>(t[k])];
        const Detection found = detect(shuffled.character);
        REQUIRE(found.tails.size() == 1);
        CHECK(found.tails[0].points.size() == expected.tails[0].points.size());
        CHECK(overlap_with_truth(shuffled, found) == Approx(overlap_with_truth(cat, expected)));
    }
    SECTION("mirrored")
    {
        Cat mirrored = cat;
        const Eigen::Matrix4d flip = Eigen::Vector4d(-1, 1, 1, 1).asDiagonal();
        for (auto& p : mirrored.character.mesh.positions) p.x() = -p.x();
        for (auto& t : mirrored.character.mesh.triangles) std::swap(t[1], t[2]);
        for (auto& joint : mirrored.character.joints) {
            joint.bind_from_joint = flip * joint.bind_from_joint * flip;
            const auto left = joint.name.find("Left"), right = joint.name.find("Right");
            if (left != std::string::npos) joint.name.replace(left, 4, "Right");
            if (right != std::string::npos) joint.name.replace(right, 5, "Left");
        }
        const Detection found = detect(mirrored.character);
        REQUIRE(found.tails.size() == 1);
        std::vector<int> both;
        std::set_intersection(found.tails[0].points.begin(), found.tails[0].points.end(),
                              expected.tails[0].points.begin(), expected.tails[0].points.end(),
                              std::back_inserter(both));
        // The tip is a vertex, and which of two equally far ones it is depends on their order: the cut moves by up to a
        // section.
        const auto larger =
            static_cast<double>(std::max(found.tails[0].points.size(), expected.tails[0].points.size()));
        CHECK(static_cast<double>(both.size()) > 0.98 * larger);
    }
}

TEST_CASE("the distance along a tail is 0 at its root, grows to its length at the tip, and is negative on the body",
          "[detect]")
{
    const Cat cat = make_cat();
    const Detection found = detect(cat.character);
    REQUIRE(found.tails.size() == 1);
    const Tail& tail = found.tails[0];
    double longest = 0;
    for (const int p : tail.points) {
        REQUIRE(tail.along[static_cast<std::size_t>(p)] >= 0);
        longest = std::max(longest, tail.along[static_cast<std::size_t>(p)]);
    }
    CHECK(longest == Approx(found.appendages[0].length).epsilon(0.25));
    for (std::size_t p = 0; p < tail.along.size(); ++p)
        if (!std::binary_search(tail.points.begin(), tail.points.end(), static_cast<int>(p)))
            REQUIRE(tail.along[p] <= 0);
}

TEST_CASE("a tail of shells that touch no other skin is those shells, and no skin beside them", "[detect]")
{
    CatOptions options;
    options.own_shell = true;
    SECTION("one shell") {}
    SECTION("with a shell of fur over it")
    {
        options.shells = {{{0, 0.9, -0.3}, {0, 0.72, -0.58}, 0.08}};
    }
    Cat cat = make_cat(options);
    for (std::size_t v = 0; v < cat.shell.size(); ++v) cat.tail[v] = cat.tail[v] || cat.shell[v];
    const Detection found = detect(cat.character);
    REQUIRE(found.tails.size() == 1);
    CHECK(overlap_with_truth(cat, found) > 0.99); // where the surfaces meet, the truth is a toss-up
    const Tail& tail = found.tails[0];
    for (std::size_t p = 0; p < tail.along.size(); ++p) {
        const bool in = std::binary_search(tail.points.begin(), tail.points.end(), static_cast<int>(p));
        REQUIRE(std::isfinite(tail.along[p]) == in);
    }
}

TEST_CASE("fur over a tail that grows out of the body is of that tail", "[detect]")
{
    CatOptions options;
    options.shells = {{{0, 0.88, -0.36}, {0, 0.72, -0.58}, 0.08}};
    const Cat cat = make_cat(options);
    const Detection found = detect(cat.character);
    REQUIRE(found.tails.size() == 1);
    const Weld weld = weld_vertices(cat.character.mesh);
    const auto& points = found.tails[0].points;
    std::size_t skin = 0;
    for (std::size_t v = 0; v < cat.shell.size(); ++v) {
        const bool in = std::binary_search(points.begin(), points.end(), weld.point_of_vertex[v]);
        if (cat.shell[v]) REQUIRE(in);
        skin += in && cat.tail[v];
    }
    CHECK(skin > 0);
    CHECK(std::any_of(found.tails[0].along.begin(), found.tails[0].along.end(),
                      [](double g) { return g < 0 && std::isfinite(g); })); // the body beside it blends
}

TEST_CASE("a tail that has bones already is left alone and named", "[detect]")
{
    Cat cat = make_cat();
    // Hand the tail's skin to a joint of its own.
    Joint joint;
    joint.name = "Tail_Base";
    joint.node = static_cast<int>(cat.character.nodes.size());
    joint.parent = joint_named(cat.character, "Hips");
    joint.bind_from_joint.topRightCorner<3, 1>() = Eigen::Vector3d(0, 0.9, -0.2);
    Node node;
    node.name = joint.name;
    node.parent = cat.character.joints[static_cast<std::size_t>(joint.parent)].node;
    cat.character.nodes.push_back(node);
    cat.character.joints.push_back(joint);
    Mesh& mesh = cat.character.mesh;
    for (std::size_t v = 0; v < cat.tail.size(); ++v)
        if (cat.tail[v])
            mesh.influences[static_cast<std::size_t>(mesh.first_influence[v])].joint =
                static_cast<int>(cat.character.joints.size()) - 1;
    const Detection found = detect(cat.character);
    CHECK(found.tails.empty());
    REQUIRE(found.own_tail.size() == 1);
    CHECK(found.why_none.find("Tail_Base") != std::string::npos);
}

TEST_CASE("each method can be run alone", "[detect]")
{
    const Cat cat = make_cat();
    for (const auto method : {DetectMethod::Sections, DetectMethod::Article}) {
        DetectOptions options;
        options.method = method;
        const Detection found = detect(cat.character, options);
        REQUIRE(found.tails.size() == 1);
        CHECK(found.appendages[0].found_by == (method == DetectMethod::Sections ? "sections" : "article"));
    }
}

TEST_CASE("a point on the tail finds it, and a point elsewhere is believed", "[detect]")
{
    const Cat cat = make_cat({});
    const Weld weld = weld_vertices(cat.character.mesh);
    const Detection found = detect_tails(cat.character, cat.roles, weld);
    REQUIRE(found.tails.size() == 1);
    const Eigen::Vector3d tip = found.candidates[0].tip;
    const Detection told = detect_tails(cat.character, cat.roles, weld, {}, {tip});
    REQUIRE(told.tails.size() == 1);
    CHECK(told.tails[0].points == found.tails[0].points);

    // The head is no tail to any test, but someone may know better.
    const Eigen::Vector3d head = cat.character.joints[static_cast<std::size_t>(cat.roles.head)].position();
    const Detection forced = detect_tails(cat.character, cat.roles, weld, {}, {head});
    for (const auto& tail : forced.tails)
        CHECK_FALSE(std::binary_search(tail.points.begin(), tail.points.end(), found.tails[0].points.back()));

    CHECK_THROWS_AS(detect_tails(cat.character, cat.roles, weld, {}, {Eigen::Vector3d(50, 0, 0)}), Error);
}

TEST_CASE("points are three numbers each", "[detect]")
{
    CHECK(parse_points("").empty());
    CHECK(parse_points("0,0.9,-0.3")[0].isApprox(Eigen::Vector3d(0, 0.9, -0.3)));
    CHECK(parse_points("1,2,3;4,5,6").size() == 2);
    for (const char* bad : {"1,2", "1,2,3,4", "a,b,c", "1 2 3", "1,2,nan", ";"})
        CHECK_THROWS_AS(parse_points(bad), Error);
}
