#include <tailfix/motion/floor.h>

#include "motion/support_points.h"
#include "support/catch.h"
#include "support/rig.h"

using namespace tailfix;
using namespace tailfix::test;
using Eigen::Vector3d;

namespace {

Rig standing_at(double height, const RigOptions& options = {})
{
    Rig rig = make_rig(options);
    add_clip(rig, "stand", 1, [=](double t) { return HipsPose{Vector3d(0, 1 + height + 0.1 * t, 0)}; });
    return rig;
}

} // namespace

TEST_CASE("feet on the ground are at 0", "[floor]")
{
    RigOptions options;
    options.bind_scale = GENERATE(0.01, 1.0, 100.0);
    options.armature = GENERATE(Eigen::Quaterniond::Identity(), about({1, 0, 0}, -90));
    const Rig rig = standing_at(0.01, options);
    const Floor floor = find_floor(rig.rigged, rig.world());
    CHECK(floor.exists);
    CHECK(floor.height == 0);
    CHECK(floor.clearance == Approx(0.025));
    const Rig raised = standing_at(0.5, options);
    CHECK(find_floor(raised.rigged, raised.world()).height == Approx(0.5).margin(1e-5));
}

TEST_CASE("a clip that dies does not decide, and the tail does not count", "[floor]")
{
    RigOptions options;
    options.tail_direction = Vector3d(0, -1, 0);
    options.link_length = 0.5; // hangs a metre under the soles
    Rig rig = standing_at(0.3, options);
    add_clip(rig, "walk", 1, [](double) { return HipsPose{Vector3d(0, 1.3, 0)}; });
    add_clip(rig, "die", 1, [](double) { return HipsPose{Vector3d(0, 0.2, 0)}; });
    CHECK(find_floor(rig.rigged, rig.world()).height == Approx(0.3).margin(1e-5));
}

TEST_CASE("without clips the neutral pose stands on the floor", "[floor]")
{
    RigOptions options;
    options.hips = Vector3d(0, 1, 0);
    options.armature = about({1, 0, 0}, -90);
    options.other_stored_pose = true;
    const Rig rig = make_rig(options);
    CHECK(find_floor(rig.rigged, rig.world()).height == 0);
}

TEST_CASE("a floor may be given or left out", "[floor]")
{
    const Rig rig = standing_at(0.5);
    FloorOptions options;
    options.floor = WordOr::of("none");
    CHECK_FALSE(find_floor(rig.rigged, rig.world(), options).exists);
    options.floor = WordOr{"", -1.5};
    CHECK(find_floor(rig.rigged, rig.world(), options).height == -1.5);
}

TEST_CASE("the lowest support point is the lowest vertex, however the body is turned", "[floor]")
{
    const Rig rig = make_rig();
    const Mesh& mesh = rig.rigged.character.mesh;
    const auto support = support_points(mesh, {});
    CHECK(support.size() < mesh.positions.size());
    for (int turn = 0; turn < 360; turn += 15) {
        const Eigen::Quaterniond q = about(Vector3d(1, 0.2, 0.5), turn);
        double all = 1e9, few = 1e9;
        for (const auto& p : mesh.positions) all = std::min(all, (q * p).y());
        for (const int v : support) few = std::min(few, (q * mesh.positions[static_cast<std::size_t>(v)]).y());
        CHECK(few == Approx(all).margin(2e-3));
    }
}
