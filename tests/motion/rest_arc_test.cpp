#include <cmath>
#include <numbers>

#include <tailfix/motion/rest_arc.h>

#include "motion/kinematics.h"
#include "support/catch.h"
#include "support/rig.h"

using namespace tailfix;
using namespace tailfix::test;
using Eigen::Vector3d;

namespace {

constexpr double kRadians = std::numbers::pi / 180;

Vector3d about_x(double angle, const Vector3d& v)
{
    return {v.x(), v.y() * std::cos(angle) - v.z() * std::sin(angle),
            v.y() * std::sin(angle) + v.z() * std::cos(angle)};
}

// Where the links point at rest, in the pelvis frame, found by forward kinematics from the hips' bind frame.
std::vector<Vector3d> rest_directions(const Rig& rig, const RestArc& arc)
{
    const Joint& hips = rig.rigged.character.joints[0];
    Eigen::Matrix3d pelvis;
    pelvis << rig.roles.frame.left, rig.roles.frame.up, rig.roles.frame.forward;
    Eigen::Matrix3d frame = pelvis.transpose() * orthogonal_factor(hips.bind_from_joint.topLeftCorner<3, 3>(), pelvis);
    std::vector<Vector3d> out;
    for (const RestLink& link : arc.links) {
        const Eigen::Quaterniond local = link_rotation(link, link.rest);
        // The link's own direction in its own frame, turned by the local rotation.
        out.push_back(frame * (local * (link.neutral_rotation.conjugate() * link.neutral)));
        frame = frame * local.toRotationMatrix();
    }
    return out;
}

} // namespace

TEST_CASE("a centred rest arc follows the formulas of the article", "[rest]")
{
    RigOptions options;
    options.links = GENERATE(1, 4, 8);
    options.tail_direction = Vector3d(0.5, -1, -0.6);
    options.tail_curl_deg = 4;
    options.bind_scale = GENERATE(0.01, 1.0, 100.0);
    options.hips_frame = about({1, 1, 0}, 40);
    options.armature = GENERATE(Eigen::Quaterniond::Identity(), about({1, 0, 0}, -90), about({0, 1, 0}, 130));
    const Rig rig = make_rig(options);
    const auto found = rest_directions(rig, article_arc(rig));
    const Vector3d centre = Vector3d(0, -1, -0.6).normalized();
    for (int i = 0; i < options.links; ++i) {
        const Vector3d wanted = about_x(50 * kRadians * (i + 1) / options.links, centre);
        CHECK((found[static_cast<std::size_t>(i)] - wanted).norm() < 1e-9);
    }
}

TEST_CASE("the whole modelled curve without carry is the bind pose", "[rest]")
{
    RigOptions options;
    options.tail_direction = Vector3d(0.8, -0.3, -0.2);
    options.tail_curl_deg = 20;
    options.hips_frame = about({0, 1, 1}, 75);
    const Rig rig = make_rig(options);
    for (const RestLink& link : shape_rest_arc(rig.rigged, 0, rig.roles.frame, 1, 0).links) {
        CHECK((link.neutral - link.rest).norm() < 1e-12);
        CHECK(link_rotation(link, link.rest).angularDistance(link.neutral_rotation) < 1e-12);
    }
}

TEST_CASE("half the curve lies half way between centred and modelled", "[rest]")
{
    RigOptions options;
    options.links = 1;
    options.tail_direction = Vector3d(1, -1, 0);
    const Rig rig = make_rig(options);
    const auto found = rest_directions(rig, shape_rest_arc(rig.rigged, 0, rig.roles.frame, 0.5, 0));
    // 45 degrees aside, halved, about the axis that joins straight down and the modelled direction.
    CHECK((found[0] - Vector3d(std::sin(22.5 * kRadians), -std::cos(22.5 * kRadians), 0)).norm() < 1e-9);
}

TEST_CASE("carry lifts backward, and stops at straight up", "[rest]")
{
    RigOptions options;
    options.links = 4;
    options.tail_direction = Vector3d(0, 1, -0.2); // stands already
    const Rig rig = make_rig(options);
    const auto found = rest_directions(rig, shape_rest_arc(rig.rigged, 0, rig.roles.frame, 0, 50));
    CHECK((found.back() - Vector3d::UnitY()).norm() < 1e-9);
    for (const Vector3d& u : found) CHECK(u.z() < 1e-9);

    options.tail_direction = Vector3d(0, -1, 0);
    const Rig hanging = make_rig(options);
    const auto lifted = rest_directions(hanging, shape_rest_arc(hanging.rigged, 0, hanging.roles.frame, 0, 90));
    CHECK((lifted.back() - Vector3d(0, 0, -1)).norm() < 1e-9);
}

TEST_CASE("a tail that leans over the back is not folded further", "[rest]")
{
    RigOptions options;
    options.tail_direction = Vector3d(0, 1, 0.3);
    const Rig rig = make_rig(options);
    for (const Vector3d& u : rest_directions(rig, article_arc(rig)))
        CHECK((u - Vector3d(0, 1, 0.3).normalized()).norm() < 1e-9);
}

TEST_CASE("a tail straight to the side hangs down when centred", "[rest]")
{
    RigOptions options;
    options.tail_direction = Vector3d(1, 0, 0);
    const Rig rig = make_rig(options);
    CHECK((rest_directions(rig, shape_rest_arc(rig.rigged, 0, rig.roles.frame, 0, 0))[0] + Vector3d::UnitY()).norm() <
          1e-9);
}

TEST_CASE("without an end joint the last link goes on in its own frame", "[rest]")
{
    RigOptions options;
    options.end_joint = false;
    options.terminal_frame = about({1, 2, 0}, 65);
    const Rig rig = make_rig(options);
    options.end_joint = true;
    const Rig with_end = make_rig(options);
    const RestArc a = article_arc(rig), b = article_arc(with_end);
    REQUIRE(a.links.size() == b.links.size());
    for (std::size_t i = 0; i < a.links.size(); ++i) {
        CHECK((a.links[i].rest - b.links[i].rest).norm() < 1e-9);
        CHECK(a.links[i].length == Approx(b.links[i].length));
        CHECK(a.links[i].neutral_rotation.angularDistance(b.links[i].neutral_rotation) < 1e-9);
    }
}

TEST_CASE("the stored pose does not shape the rest", "[rest]")
{
    RigOptions options;
    const RestArc bind = article_arc(make_rig(options));
    options.other_stored_pose = true;
    const RestArc other = article_arc(make_rig(options));
    for (std::size_t i = 0; i < bind.links.size(); ++i) CHECK(bind.links[i].rest == other.links[i].rest);
}

TEST_CASE("the automatic rest keeps the bind pose where nothing else is within bounds", "[rest]")
{
    RigOptions options;
    options.tail_direction = Vector3d(1, -0.2, -0.1); // swept aside: centring turns the root by nearly 90 degrees
    Rig rig = make_rig(options);
    RestOptions rest;
    rest.root_turn_deg = 30;
    const RestArc arc = fit_rest_arcs(rig.rigged, rig.weld, rig.roles, rig.world(), rest)[0];
    CHECK(arc.root_turn_deg <= 30);
    CHECK(arc.curve > 0);
    CHECK_FALSE(arc.reason.empty());

    // With clips it is measured: a body that hardly stretches leaves little room, a share of none leaves none.
    add_clip(rig, "sway", 1, [](double t) { return swaying(t, 1); });
    rest.share = 0;
    const RestArc still = fit_rest_arcs(rig.rigged, rig.weld, rig.roles, rig.world(), rest)[0];
    CHECK(still.curve == 1);
    CHECK(still.carry_deg == 0);
}

TEST_CASE("the automatic rest centres and carries a tail that allows it", "[rest]")
{
    RigOptions options;
    options.tail_direction = Vector3d(0, -0.6, -1);
    Rig rig = make_rig(options);
    RestOptions rest;
    const RestArc arc = fit_rest_arcs(rig.rigged, rig.weld, rig.roles, rig.world(), rest)[0];
    CHECK(arc.curve == 0);
    CHECK(arc.carry_deg == 50);
    rest.curve = WordOr{"", 0.4};
    rest.carry_deg = 20;
    const RestArc fixed = fit_rest_arcs(rig.rigged, rig.weld, rig.roles, rig.world(), rest)[0];
    CHECK(fixed.curve == 0.4);
    CHECK(fixed.carry_deg == 20);
}
