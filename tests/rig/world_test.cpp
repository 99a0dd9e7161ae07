#include <tailfix/rig/world.h>

#include "support/catch.h"
#include "support/rig.h"

using namespace tailfix;
using namespace tailfix::test;
using Eigen::Vector3d;

TEST_CASE("world units per bind unit are those of the armature", "[world]")
{
    RigOptions options;
    options.bind_scale = GENERATE(0.01, 1.0, 100.0);
    options.armature = GENERATE(Eigen::Quaterniond::Identity(), about({1, 0, 0}, -90));
    options.world_mirrored = GENERATE(false, true);
    options.other_stored_pose = GENERATE(false, true);
    const Rig rig = make_rig(options);
    const World world = rig.world();
    CHECK(world.unit_scale == Approx(options.bind_scale));
    CHECK(world.height == Approx(1.8));
    CHECK(world.units_per_meter == 1);
    CHECK(world.meters_per_bind_unit() == Approx(options.bind_scale));
    // The upright bind pose: up is up, and the hips are where they are stored.
    CHECK((world.world_from_bind.linear() * rig.roles.frame.up / world.unit_scale - Vector3d::UnitY()).norm() < 1e-9);
    CHECK((world.world_from_bind * rig.rigged.character.joints[0].position() - Vector3d(0, 1, 0)).norm() < 1e-9);
}

TEST_CASE("a stored pose that leans does not tilt the world", "[world]")
{
    Rig rig = make_rig();
    rig.rigged.character.nodes[1].rotation = about({1, 0, 0}, 50);
    CHECK((rig.world().world_from_bind.linear() * Vector3d::UnitY() - Vector3d::UnitY()).norm() < 1e-9);
}

TEST_CASE("a unit that is plainly not the metre is a power of ten of it", "[world]")
{
    Rig rig = make_rig();
    const auto with_root_scale = [&](double scale) {
        rig.rigged.character.nodes[0].scale.setConstant(scale);
        return find_world(rig.rigged.character, rig.roles);
    };
    CHECK(with_root_scale(10).units_per_meter == 1); // 18 m: a giant
    CHECK(with_root_scale(100).units_per_meter == Approx(100));
    CHECK(with_root_scale(0.01).units_per_meter == Approx(0.01));
    CHECK(with_root_scale(1000).units_per_meter == Approx(1000));
    CHECK(with_root_scale(1).notes.empty());
    CHECK(with_root_scale(100).notes.size() == 1);
}

TEST_CASE("the length of a unit may be given", "[world]")
{
    const Rig rig = make_rig();
    WorldOptions options;
    options.meters_per_unit = WordOr{"", 0.0254};
    CHECK(find_world(rig.rigged.character, rig.roles, options).units_per_meter == Approx(1 / 0.0254));
}
