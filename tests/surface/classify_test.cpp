#include <tailfix/surface/classify.h>

#include <algorithm>
#include <cmath>
#include <random>

#include <tailfix/surface/distance_field.h>

#include "support/catch.h"
#include "support/characters.h"

using namespace tailfix;
using Eigen::Vector3d;
using support::Cat;
using support::CatOptions;

namespace {

std::vector<Appendage> find_appendages(const Cat& cat, const ClassifyOptions& options = {})
{
    const Weld weld = weld_vertices(cat.character.mesh);
    const auto pieces = cluster_far_skin(weld, distance_to_bones(weld.points, cat.roles.bones), cat.roles.height);
    return classify_far_pieces(cat.character, cat.roles, weld, pieces, options);
}

std::string attach_name(const Cat& cat, const Appendage& appendage)
{
    return cat.character.joints[static_cast<std::size_t>(appendage.attach)].name;
}

bool says(const Appendage& appendage, const std::string& words)
{
    return std::any_of(appendage.reasons.begin(), appendage.reasons.end(),
                       [&](const std::string& r) { return r.find(words) != std::string::npos; });
}

CatOptions without_tail()
{
    CatOptions options;
    options.tail.clear();
    return options;
}

// A rectangle of skin as a shell of its own, `across` wide and `down` long from its upper middle.
Mesh make_sheet(const Vector3d& top, const Vector3d& across, const Vector3d& down)
{
    Mesh sheet;
    const int n = 16;
    for (int i = 0; i <= n; ++i)
        for (int j = 0; j <= n; ++j)
            sheet.positions.emplace_back(top + (static_cast<double>(j) / n - 0.5) * across +
                                         static_cast<double>(i) / n * down);
    for (int i = 0; i < n; ++i)
        for (int j = 0; j < n; ++j) {
            const int v = i * (n + 1) + j;
            sheet.triangles.emplace_back(v, v + 1, v + n + 2);
            sheet.triangles.emplace_back(v, v + n + 2, v + n + 1);
        }
    return sheet;
}

} // namespace

TEST_CASE("a cat's tail is a tail, welded to the body or a shell of its own", "[surface][classify]")
{
    CatOptions options;
    options.own_shell = GENERATE(false, true);
    options.seams = GENERATE(false, true);
    const Cat cat = support::make_cat(options);
    const auto found = find_appendages(cat);
    REQUIRE(found.size() == 1);
    CHECK(found[0].kind == AppendageClass::Tail);
    CHECK(attach_name(cat, found[0]) == "Hips");
    CHECK(found[0].found_by == "article");
    CHECK(says(found[0], "hangs from Hips, the pelvis"));
    CHECK(found[0].elongation > 2.6); // what method.md 3 says tails measure
    CHECK(found[0].root_radius == Approx(options.tail_radius).epsilon(0.6));
    // Straight from the collar (on the body's surface) to the tip, 0.05 past the last point of the centreline.
    CHECK(found[0].reach > 0.5);
    CHECK(found[0].reach < 0.8);
    const Weld weld = weld_vertices(cat.character.mesh);
    for (std::size_t v = 0; v < cat.tail.size(); ++v)
        if (std::binary_search(found[0].points.begin(), found[0].points.end(), weld.point_of_vertex[v]))
            REQUIRE(cat.tail[v]);
}

TEST_CASE("a cat without a tail has none", "[surface][classify]")
{
    CHECK(find_appendages(support::make_cat(without_tail())).empty());
}

TEST_CASE("what is worn and held is named for where it hangs", "[surface][classify]")
{
    CatOptions options = without_tail();
    SECTION("a quiver on the back is worn")
    {
        options.shells = {{{0.05, 1.1, -0.17}, {-0.1, 1.6, -0.24}, 0.045}};
        const Cat cat = support::make_cat(options);
        const auto found = find_appendages(cat);
        REQUIRE(found.size() == 1);
        CHECK(found[0].kind == AppendageClass::Worn);
        CHECK(says(found[0], "not the pelvis"));
    }
    SECTION("a sword in the hand is on a limb")
    {
        options.shells = {{{0.72, 1.36, 0.05}, {0.72, 1.36, 0.8}, 0.03}};
        const Cat cat = support::make_cat(options);
        const auto found = find_appendages(cat);
        REQUIRE(found.size() == 1);
        CHECK(found[0].kind == AppendageClass::Limb);
        CHECK(attach_name(cat, found[0]) == "LeftHand");
    }
    SECTION("a ponytail is on the head")
    {
        options.shells = {{{0, 1.6, -0.1}, {0, 1.35, -0.45}, 0.03}};
        const auto found = find_appendages(support::make_cat(options));
        REQUIRE(found.size() == 1);
        CHECK(found[0].kind == AppendageClass::Head);
    }
    SECTION("a cape is wide")
    {
        Cat cat = support::make_cat(options);
        support::append_shell(cat.character, make_sheet({0, 1.25, -0.13}, {0.5, 0, 0}, {0, -0.6, -0.25}), 1);
        const auto found = find_appendages(cat);
        REQUIRE(found.size() == 1);
        CHECK(found[0].kind == AppendageClass::Wide);
        CHECK(says(found[0], "is below 1.8"));
    }
}

TEST_CASE("skin around a bone is body", "[surface][classify]")
{
    Cat cat = support::make_cat(without_tail());
    support::Tube barrel; // around the spine, far from it all the way round
    barrel.length = 0.25;
    barrel.radius = [](double) { return 0.3; };
    Mesh shell = support::make_tube(barrel);
    for (auto& p : shell.positions) p = Vector3d(p.x(), 1.0 - p.z(), p.y());
    const int first = cat.character.mesh.vertex_count();
    support::append_shell(cat.character, shell, 1);
    const auto found = find_appendages(cat);
    REQUIRE(found.size() == 1);
    CHECK(found[0].kind == AppendageClass::Wide); // a shell of its own: a coat
    CHECK(says(found[0], "a shell of its own"));

    const Weld weld = weld_vertices(cat.character.mesh);
    CHECK(found[0].points.front() == weld.point_of_vertex[static_cast<std::size_t>(first)]);
    Appendage skin = found[0];
    skin.own_shell = false; // the same skin as part of the body
    skin = classify_piece(cat.character, cat.roles, skin);
    CHECK(skin.kind == AppendageClass::Body);
    CHECK(says(skin, "skin around a bone"));
}

TEST_CASE("what lies along the body is no tail, long as it may be", "[surface][classify]")
{
    CatOptions options = without_tail();
    options.shells = {{{0.28, 0.95, -0.05}, {0.33, 0.35, -0.1}, 0.03}}; // a scabbard at the hip
    const auto found = find_appendages(support::make_cat(options));
    REQUIRE(found.size() == 1);
    CHECK(found[0].elongation > 1.8);
    CHECK(found[0].kind != AppendageClass::Tail);
}

TEST_CASE("a limb joint gives way to a torso joint within 1.5 times its distance", "[surface][classify]")
{
    Character character;
    Roles roles;
    const auto add_joint = [&](double x, Role role) {
        Joint joint;
        joint.bind_from_joint(0, 3) = x;
        character.joints.push_back(joint);
        roles.role.push_back(role);
        roles.live.push_back(true);
    };
    const double torso = GENERATE(1.49, 1.51);
    add_joint(-torso, Role::Pelvis);
    add_joint(1, Role::Thigh);
    roles.pelvis = 0;
    roles.size = 1;
    Weld weld;
    weld.points = {Vector3d(0, 0, 0), Vector3d(0, 3, 0)};
    const Appendage piece = measure_piece(character, roles, weld, {1}, {0});
    CHECK(piece.attach == (torso < 1.5 ? 0 : 1));
    CHECK(piece.reach == 3);
}

TEST_CASE("elongation is the ratio of the two largest spreads", "[surface][classify]")
{
    Cat cat = support::make_cat(without_tail());
    Weld weld;
    std::vector<int> points;
    for (int i = -30; i <= 30; ++i)
        for (int j = -10; j <= 10; ++j) {
            points.push_back(static_cast<int>(weld.points.size()));
            weld.points.emplace_back(i, j, 0);
        }
    // Variance of -n .. n is n (n + 1) / 3.
    const Appendage sheet = measure_piece(cat.character, cat.roles, weld, points, {0});
    CHECK(sheet.elongation == Approx(std::sqrt(30 * 31 / (10.0 * 11))));
    CHECK(measure_piece(cat.character, cat.roles, weld, {0, 1}, {0}).elongation == 1000); // a line
    CHECK(measure_piece(cat.character, cat.roles, weld, {5}, {5}).elongation == 1);       // a point
}

TEST_CASE("a loose shell hangs by its ring nearest to the body", "[surface][classify]")
{
    CatOptions options = without_tail();
    options.shells = {{{0, 0.97, -0.2}, {0, 0.8, -0.8}, 0.04}};
    const Cat cat = support::make_cat(options);
    const auto found = find_appendages(cat);
    REQUIRE(found.size() == 1);
    CHECK(found[0].kind == AppendageClass::Tail);
    CHECK(found[0].collar_centroid.z() > -0.24); // its near end
    for (const int p : found[0].collar) REQUIRE(std::binary_search(found[0].points.begin(), found[0].points.end(), p));
}

TEST_CASE("fur over skin is one piece, tails side by side are two", "[surface][classify]")
{
    CatOptions options;
    SECTION("fur")
    {
        options.shells = {{{0, 0.9, -0.3}, {0, 0.66, -0.7}, 0.09}};
        CHECK(find_appendages(support::make_cat(options)).size() == 1);
    }
    SECTION("side by side")
    {
        options.shells = {{{0.2, 0.9, -0.2}, {0.2, 0.66, -0.7}, 0.04}};
        CHECK(find_appendages(support::make_cat(options)).size() == 2);
    }
}

TEST_CASE("what is found does not depend on place, turn, size, or the order of vertices and joints",
          "[surface][classify]")
{
    CatOptions options;
    options.shells = {{{0.05, 1.1, -0.17}, {-0.1, 1.6, -0.24}, 0.045}};
    const Cat cat = support::make_cat(options);
    const double scale = 100;
    options.bind_from_model = Eigen::Translation3d(30, -70, 11) *
                              Eigen::AngleAxisd(2.1, Vector3d(3, -1, 2).normalized()) * Eigen::Scaling(scale);
    Cat moved = support::make_cat(options);

    // Vertices shuffled; the two last joints, both leaves or parents of later ones, swapped by name order.
    Mesh& mesh = moved.character.mesh;
    std::vector<int> new_of_old(mesh.positions.size());
    for (std::size_t v = 0; v < new_of_old.size(); ++v) new_of_old[v] = static_cast<int>(v);
    std::shuffle(new_of_old.begin(), new_of_old.end(), std::mt19937(2));
    const auto positions = mesh.positions;
    for (std::size_t v = 0; v < positions.size(); ++v)
        mesh.positions[static_cast<std::size_t>(new_of_old[v])] = positions[v];
    for (auto& t : mesh.triangles)
        for (int c = 0; c < 3; ++c) t[c] = new_of_old[static_cast<std::size_t>(t[c])];
    const auto hand = static_cast<std::size_t>(support::joint_named(moved.character, "LeftHand"));
    const auto foot = static_cast<std::size_t>(support::joint_named(moved.character, "RightToeBase"));
    std::swap(moved.character.joints[hand], moved.character.joints[foot]);
    std::swap(moved.roles.role[hand], moved.roles.role[foot]);

    const auto before = find_appendages(cat), after = find_appendages(moved);
    REQUIRE(before.size() == 2);
    REQUIRE(after.size() == 2);
    for (std::size_t i = 0; i < 2; ++i) {
        CHECK(after[i].kind == before[i].kind);
        CHECK(attach_name(moved, after[i]) == attach_name(cat, before[i]));
        CHECK(after[i].points.size() == before[i].points.size());
        CHECK(after[i].elongation == Approx(before[i].elongation));
        CHECK(after[i].reach == Approx(scale * before[i].reach));
        CHECK(after[i].root_radius == Approx(scale * before[i].root_radius));
        CHECK(after[i].centroid_distance == Approx(scale * before[i].centroid_distance));
        CHECK((after[i].collar_centroid - options.bind_from_model * before[i].collar_centroid).norm() < 1e-9 * scale);
        CHECK(after[i].reasons == before[i].reasons);
    }
}

TEST_CASE("degenerate inputs have no appendages", "[surface][classify]")
{
    const std::vector<FarPiece> piece{{{0, 1}, {}}};
    Weld weld;
    weld.points = {Vector3d(0, 0, 0), Vector3d(0, 0, 0)};
    CHECK(classify_far_pieces(Character{}, Roles{}, weld, piece).empty());

    Cat cat = support::make_cat(without_tail());
    CHECK(classify_far_pieces(cat.character, cat.roles, Weld{}, {}).empty());
    CHECK(classify_far_pieces(cat.character, cat.roles, weld, piece).empty()); // all in one place: noise
    ClassifyOptions all;
    all.min_points = 1;
    all.min_reach = 0;
    const auto found = classify_far_pieces(cat.character, cat.roles, weld, piece, all);
    REQUIRE(found.size() == 1);
    CHECK(found[0].kind == AppendageClass::Body);
    CHECK(measure_piece(cat.character, cat.roles, weld, {}, {}).attach == kNone);
}
