#include <tailfix/report/debug_scene.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <tuple>

#include "support/catch.h"
#include "support/characters.h"

#include <tailfix/surface/distance_field.h>

using namespace tailfix;
using namespace tailfix::support;

namespace {

// Where everything on a cat is, and what is shown of it.
struct Shown {
    Cat cat;
    Roles roles;
    Weld weld;
    Detection detection;
    World world;
    DebugRig rig;

    const DebugView& view(const std::string& name) const
    {
        const auto at =
            std::find_if(rig.views.begin(), rig.views.end(), [&](const DebugView& v) { return v.name == name; });
        REQUIRE(at != rig.views.end());
        return *at;
    }
    int point(int vertex) const { return weld.point_of_vertex[static_cast<std::size_t>(vertex)]; }
};

Shown show(const CatOptions& options = {}, const DetectOptions& detect = {})
{
    Shown out;
    out.cat = make_cat(options);
    const Character& character = out.cat.character;
    out.roles = find_roles(character);
    out.weld = weld_vertices(character.mesh);
    out.detection = detect_tails(character, out.roles, out.weld, detect);
    out.world = find_world(character, out.roles);
    std::vector<Centreline> lines;
    for (const auto& chain : fit_chains(out.weld, out.detection.tails, out.roles.height))
        lines.push_back({chain.joints, chain.root_radius, chain.attach});
    out.rig = make_debug_rig({character, out.roles, out.weld, out.detection, out.world, lines}, detect);
    return out;
}

double luminance(Colour c)
{
    const auto linear = [](double v) { return std::pow(v / 255, 2.2); };
    return 0.2126 * linear(c.red) + 0.7152 * linear(c.green) + 0.0722 * linear(c.blue);
}

double apart(Colour a, Colour b)
{
    return std::hypot(a.red - b.red, a.green - b.green, a.blue - b.blue);
}

bool contains(const std::vector<int>& points, int p)
{
    return std::find(points.begin(), points.end(), p) != points.end();
}

} // namespace

TEST_CASE("viridis begins dark violet, ends yellow, and only gets lighter", "[debug]")
{
    CHECK(viridis(0) == Colour{68, 1, 84});
    CHECK(viridis(1) == Colour{253, 231, 37});
    CHECK(viridis(-1) == viridis(0));
    CHECK(viridis(2) == viridis(1));
    CHECK(viridis(NAN) == viridis(0));
    for (int i = 0; i < 100; ++i) CHECK(luminance(viridis(i / 100.0)) < luminance(viridis((i + 1) / 100.0)));
}

TEST_CASE("the far limit is a step in the colours of the distance field", "[debug]")
{
    const double step = apart(field_colour(1 - 1e-6), field_colour(1));
    for (int i = 0; i < 400; ++i) {
        const double here = i / 100.0, next = here + 0.01;
        if (here < 1 && next >= 1) continue;
        CHECK(apart(field_colour(here), field_colour(next)) < 0.1 * step);
    }
    CHECK(field_colour(kFarthestShown) == field_colour(100));
    CHECK(field_colour(INFINITY) == viridis(1));
}

TEST_CASE("classes and the first dozen pieces can be told apart, from the body and the collars too", "[debug]")
{
    std::vector<Colour> pieces{kBodyColour, kTailCollar, kOtherCollar};
    for (std::size_t i = 0; i < 12; ++i) pieces.push_back(piece_colour(i));
    std::vector<Colour> classes{kBodyColour};
    for (const auto kind : {AppendageClass::Tail, AppendageClass::Worn, AppendageClass::Wide, AppendageClass::Head,
                            AppendageClass::Limb, AppendageClass::Body})
        classes.push_back(class_colour(kind));
    for (const auto& colours : {pieces, classes})
        for (std::size_t i = 0; i < colours.size(); ++i)
            for (std::size_t k = 0; k < i; ++k) {
                CAPTURE(i, k);
                CHECK(apart(colours[i], colours[k]) > 40); // of 255; under about 10 two colours look the same
            }
}

TEST_CASE("each vertex has the colour of what was found there", "[debug]")
{
    CatOptions options;
    options.seams = true; // some points are two vertices
    options.shells = {{{0.1, 1.75, 0}, {0.2, 2.1, 0}, 0.04}};
    const Shown s = show(options);
    REQUIRE(s.detection.tails.size() == 1);
    const auto field = distance_to_bones(s.weld.points, s.roles.bones);
    const Appendage& tail = s.detection.appendages.front();
    double longest = 0;
    for (const int p : tail.points)
        longest = std::max(longest, s.detection.tails[0].along[static_cast<std::size_t>(p)]);
    std::set<int> seen_head;
    const int vertices = s.cat.character.mesh.vertex_count();
    for (int v = 0; v < vertices; ++v) {
        const int p = s.point(v);
        const auto at = static_cast<std::size_t>(v);
        REQUIRE(s.view("distance to the bones").colours[at] ==
                field_colour(field[static_cast<std::size_t>(p)] / (0.07 * s.roles.height)));
        const Colour piece = s.view("pieces and collars").colours[at];
        const Colour kind = s.view("classes").colours[at];
        const Colour along = s.view("distance along the tail").colours[at];
        if (contains(tail.points, p)) {
            REQUIRE(kind == class_colour(AppendageClass::Tail));
            REQUIRE((piece == piece_colour(0) || piece == kTailCollar));
            REQUIRE(along == viridis(s.detection.tails[0].along[static_cast<std::size_t>(p)] / longest));
        } else {
            REQUIRE(kind != class_colour(AppendageClass::Tail));
            REQUIRE(piece != piece_colour(0));
            REQUIRE(along.alpha < 255);
        }
        if (contains(tail.collar, p)) REQUIRE(piece == kTailCollar);
        if (s.cat.shell[at] && kind == class_colour(AppendageClass::Head)) seen_head.insert(v);
        REQUIRE(s.view("skeleton").colours[at].alpha < 255);
    }
    CHECK(seen_head.size() > 20); // most of the ear
}

TEST_CASE("the skin stands upright in metres, whatever the file's axes and unit", "[debug]")
{
    CatOptions options;
    const Shown plain = show(options);
    options.bind_from_model = Eigen::Affine3d(Eigen::Scaling(100.0)) *
                              Eigen::AngleAxisd(1.5707963267948966, Eigen::Vector3d::UnitX()) *
                              Eigen::Translation3d(0.3, 0, 0.2);
    const Shown turned = show(options);
    const auto height = [](const DebugRig& rig) {
        double least = INFINITY, most = -INFINITY;
        for (const auto& p : rig.positions) {
            least = std::min(least, p.y());
            most = std::max(most, p.y());
        }
        return most - least;
    };
    CHECK(height(plain.rig) == Approx(plain.roles.height));
    CHECK(height(turned.rig) == Approx(height(plain.rig)).epsilon(1e-6));
    for (const Shown* s : {&plain, &turned}) {
        const DebugRig& rig = s->rig;
        CHECK(rig.positions.size() == s->cat.character.mesh.positions.size());
        CHECK(rig.triangles == s->cat.character.mesh.triangles);
        CHECK(rig.left.y() == Approx(0).margin(1e-12));
        CHECK(rig.left.norm() == Approx(1));
        for (const auto& n : rig.normals) REQUIRE(n.norm() == Approx(1));
        for (const auto& view : rig.views) REQUIRE(view.colours.size() == rig.positions.size());
    }
    // Both show the same, vertex by vertex, but for where one lies within rounding of a limit.
    int differ = 0;
    for (std::size_t v = 0; v < plain.rig.positions.size(); ++v)
        differ += plain.rig.views[2].colours[v] != turned.rig.views[2].colours[v];
    CHECK(differ < 20);
}

TEST_CASE("the skeleton's lines are the bones, the tail's line and marks at the joints", "[debug]")
{
    const Shown s = show();
    const auto& lines = s.view("skeleton").lines;
    REQUIRE(lines.size() > s.roles.bones.size());
    for (std::size_t i = 0; i < s.roles.bones.size(); ++i) {
        const Bone& bone = s.roles.bones[i];
        CHECK((lines[i].from - s.world.world_from_bind * bone.head).norm() < 1e-9);
        CHECK((lines[i].to - s.world.world_from_bind * bone.tail).norm() < 1e-9);
    }
    std::set<std::tuple<int, int, int>> colours;
    for (const auto& line : lines) colours.insert({line.colour.red, line.colour.green, line.colour.blue});
    CHECK(colours.size() == 5);                                // bone, pelvis, joint it hangs from, centreline, root
    CHECK(s.view("skeleton").legend.size() == colours.size()); // and each is told
}

TEST_CASE("a character without a tail is shown all the same", "[debug]")
{
    CatOptions options;
    options.tail.clear();
    const Shown s = show(options);
    REQUIRE(s.detection.tails.empty());
    REQUIRE(s.rig.views.size() == 4);
    CHECK(s.rig.views[0].name == "distance to the bones");
    CHECK(s.rig.views[3].name == "skeleton");
    for (const auto& view : s.rig.views) CHECK_FALSE(view.legend.empty());
}

TEST_CASE("every piece has a marker on it that says what decided", "[debug]")
{
    const Shown s = show();
    const auto& markers = s.view("pieces and collars").markers;
    REQUIRE(markers.size() == s.detection.appendages.size());
    for (std::size_t i = 0; i < markers.size(); ++i) {
        CHECK(markers[i].text.find("decided by \"") == 0);
        const auto& points = s.detection.appendages[i].points;
        CHECK(std::any_of(points.begin(), points.end(), [&](int p) {
            return (s.world.world_from_bind * s.weld.points[static_cast<std::size_t>(p)] - markers[i].place).norm() <
                   1e-9;
        }));
    }
    CHECK(markers.front().name.find("piece 1: tail on Hips") != std::string::npos);
}

TEST_CASE("a rig that is no character shows its skin in grey and its joints", "[debug]")
{
    const Cat cat = make_cat();
    const Weld weld = weld_vertices(cat.character.mesh);
    const std::vector<Centreline> none;
    Roles nobody;
    const DebugRig rig = make_debug_rig({cat.character, nobody, weld, {}, {}, none});
    REQUIRE(rig.views.size() == 4);
    for (const Colour c : rig.views[0].colours) REQUIRE(c == kBodyColour);
    CHECK(rig.views[3].lines.size() == cat.character.joints.size() - 1);
}
