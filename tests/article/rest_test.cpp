// Section 6 of the method: the rest pose, with the article's centred curve and 50 degrees of carry.
#include <tailfix/motion/rest_arc.h>

#include "article/reference.h"
#include "support/catch.h"
#include "support/rig.h"

using namespace tailfix;
using namespace tailfix::article;
using namespace tailfix::test;

namespace {

struct ReferenceLink {
    Vector3d neutral;  // n: unit, parent frame
    Vector3d rest;     // r
    Vector3d absolute; // u: pelvis frame
    Matrix3d parent;   // A: pelvis frame from the parent's rest frame
    double length = 0;
};

// Turn about the left-right axis that brings the direction to straight up.
double left_to_up(const Vector3d& direction)
{
    double angle = std::atan2(-direction.z(), -direction.y()); // from down, by way of back, as R_x turns
    if (angle < -std::numbers::pi / 2) angle += 2 * std::numbers::pi;
    return std::max(std::numbers::pi - angle, 0.0);
}

Matrix3d rotation_of(const Joint& joint)
{
    const Matrix3d m = joint.bind_from_joint.topLeftCorner<3, 3>();
    return m / std::cbrt(std::abs(m.determinant()));
}

// Section 6 by the letter.
std::vector<ReferenceLink> rest_pose(const Rigged& rigged, const Frame& frame, double beta, double carry)
{
    const JointChain& chain = rigged.chains[0];
    const auto& joints = rigged.character.joints;
    const int n = static_cast<int>(chain.links.size());
    Matrix3d pelvis; // pelvis frame from bind space
    pelvis << frame.left.transpose(), frame.up.transpose(), frame.forward.transpose();

    std::vector<Vector3d> ends; // bind space
    for (const int link : chain.links) ends.push_back(joints[at(link)].position());
    if (chain.end != kNone) {
        ends.push_back(joints[at(chain.end)].position());
    } else {
        // The incoming tangent, expressed in the last link's own frame: it turns with the frame, not copied into it.
        const Vector3d incoming = ends[at(n - 1)] - ends[at(n - 2)];
        ends.push_back(ends.back() + incoming);
    }
    std::vector<Vector3d> authored;
    for (int i = 0; i < n; ++i) authored.push_back(pelvis * (ends[at(i + 1)] - ends[at(i)]).normalized());

    Vector3d c(0, authored[0].y(), authored[0].z());
    if (c.norm() < 1e-9) c = Vector3d(0, -1, 0);
    c.normalize();

    std::vector<ReferenceLink> out;
    Matrix3d a = pelvis * rotation_of(joints[at(chain.attach)]);
    for (int i = 0; i < n; ++i) {
        ReferenceLink link;
        const Joint& joint = joints[at(chain.links[at(i)])];
        const Matrix3d parent_bind = rotation_of(joints[at(i == 0 ? chain.attach : chain.links[at(i - 1)])]);
        link.length = (ends[at(i + 1)] - ends[at(i)]).norm();
        link.neutral = parent_bind.transpose() * (ends[at(i + 1)] - ends[at(i)]).normalized();
        const Matrix3d q = slerp(Matrix3d::Identity(), swing(c, authored[at(i)]), beta);
        const double turned = std::min(carry * (i + 1) / n, left_to_up(q * c));
        link.absolute = lift(turned) * q * c;
        link.parent = a;
        link.rest = a.transpose() * link.absolute;
        // The correction of this link, and then its own frame, for the next.
        a = a * swing(link.neutral, link.rest) * parent_bind.transpose() * rotation_of(joint);
        out.push_back(link);
    }
    return out;
}

double worst_difference(const RestArc& arc, const std::vector<ReferenceLink>& expected, double size)
{
    REQUIRE(arc.links.size() == expected.size());
    double worst = 0;
    for (std::size_t i = 0; i < expected.size(); ++i) {
        const RestLink& link = arc.links[i];
        worst = std::max({worst, (link.neutral - expected[i].neutral).norm(), (link.rest - expected[i].rest).norm(),
                          (link.pelvis_from_parent - expected[i].parent).cwiseAbs().maxCoeff(),
                          std::abs(link.length - expected[i].length) / size,
                          (link.pelvis_from_parent * link.rest - expected[i].absolute).norm()});
    }
    return worst;
}

} // namespace

TEST_CASE("article 6: rest directions with a centred curve and 50 degrees of carry", "[article]")
{
    RigOptions options;
    options.links = GENERATE(1, 3, 4, 8);
    options.tail_direction = GENERATE(Vector3d(0, -1, -0.5), Vector3d(0.6, -0.8, -0.2), Vector3d(1, 0, 0),
                                      Vector3d(-0.3, 0.2, -0.7), Vector3d(0, -1, 0.4));
    options.tail_curl_deg = GENERATE(0.0, 17.0, -12.0);
    options.end_joint = options.links == 1 || GENERATE(true, false);
    options.hips_frame = GENERATE(Quaterniond::Identity(), about({1, 2, -1}, 73));
    options.terminal_frame = about({0, 1, 1}, options.hips_frame.w() < 1 ? 40 : 0);
    options.bind_scale = options.links == 3 ? 0.01 : 1;
    options.armature = about({1, 0, 0}, options.links == 3 ? -90 : 0);
    const Rig rig = make_rig(options);
    const RestArc arc = shape_rest_arc(rig.rigged, 0, rig.roles.frame, 0, 50);
    CHECK(worst_difference(arc, rest_pose(rig.rigged, rig.roles.frame, 0, 50 * kDegree), rig.roles.height) <
          kTolerance);
}

TEST_CASE("article 6: an authored or half-authored curve", "[article]")
{
    RigOptions options;
    options.tail_direction = GENERATE(Vector3d(0, -1, -0.5), Vector3d(0.6, -0.8, -0.2));
    options.tail_curl_deg = GENERATE(0.0, 15.0);
    const double beta = GENERATE(1.0, 0.5, 0.2);
    const double carry = GENERATE(0.0, 50.0, 25.0);
    const Rig rig = make_rig(options);
    const RestArc arc = shape_rest_arc(rig.rigged, 0, rig.roles.frame, beta, carry);
    CHECK(worst_difference(arc, rest_pose(rig.rigged, rig.roles.frame, beta, carry * kDegree), rig.roles.height) <
          kTolerance);
    // Nothing is lifted and the curve is the modelled one: the bind pose.
    if (beta == 1 && carry == 0)
        for (const auto& link : arc.links) CHECK((link.rest - link.neutral).norm() < kTolerance);
}

TEST_CASE("article 6: carry lifts the whole tail once, and stops at straight up", "[article]")
{
    RigOptions options;
    options.tail_direction = GENERATE(Vector3d(0, -1, 0), Vector3d(0, 0.8, -0.6), Vector3d(0, 1, 0));
    const double carry = GENERATE(50.0, 120.0);
    const Rig rig = make_rig(options);
    const RestArc arc = shape_rest_arc(rig.rigged, 0, rig.roles.frame, 0, carry);
    CHECK(worst_difference(arc, rest_pose(rig.rigged, rig.roles.frame, 0, carry * kDegree), rig.roles.height) <
          kTolerance);
    for (int i = 0; i < 4; ++i) {
        const Vector3d u = arc.links[at(i)].pelvis_from_parent * arc.links[at(i)].rest;
        const double start = std::acos(-options.tail_direction.y()) / kDegree; // from down, backward
        const double angle = std::min(start + carry * (i + 1) / 4, 180.0) * kDegree;
        CHECK((u - Vector3d(0, -std::cos(angle), -std::sin(angle))).norm() < kTolerance);
    }
}

TEST_CASE("article 6: --rest-curve 0 --carry 50 is that pose and nothing else", "[article]")
{
    RigOptions options;
    options.tail_direction = Vector3d(0.6, -0.8, -0.2);
    const Rig rig = make_rig(options);
    RestOptions rest;
    rest.curve.word.clear();
    rest.curve.number = 0;
    rest.carry_deg = 50;
    rest.skin_limit = false;
    const auto arcs = fit_rest_arcs(rig.rigged, rig.weld, rig.roles, rig.world(), rest);
    REQUIRE(arcs.size() == 1);
    CHECK(worst_difference(arcs[0], rest_pose(rig.rigged, rig.roles.frame, 0, 50 * kDegree), rig.roles.height) <
          kTolerance);
    CHECK(arcs[0].curve == 0);
    CHECK(arcs[0].carry_deg == 50);
    CHECK(arcs[0].bend_limit_deg >= 30); // skin-limit off: the spring's own 30 degrees decide
}
