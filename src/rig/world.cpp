#include <tailfix/rig/world.h>

#include <algorithm>
#include <cmath>

#include <fmt/format.h>

#include "motion/kinematics.h"

namespace tailfix {

namespace {

// World heights between these are taken at their word: from a mouse to a dragon, in metres (method.md 0).
constexpr double kSmallest = 0.1, kTallest = 20;
constexpr double kPerson = 1.8; // metres: what a character of unknown unit is compared with

// Median over the joints: a clip that scales one bone must not decide.
double median_scale(const std::vector<Eigen::Affine3d>& world_from_bind_by_joint)
{
    std::vector<double> scales;
    for (const Eigen::Affine3d& map : world_from_bind_by_joint) {
        const double scale = mean_scale(map.linear());
        if (std::isfinite(scale) && scale > 0) scales.push_back(scale);
    }
    if (scales.empty()) return 1;
    const auto middle = scales.begin() + static_cast<std::ptrdiff_t>(scales.size() / 2);
    std::nth_element(scales.begin(), middle, scales.end());
    if (scales.size() % 2 == 1) return *middle;
    return 0.5 * (*middle + *std::max_element(scales.begin(), middle));
}

// The root joint's stored place, turned upright the shortest way.
Eigen::Affine3d upright_map(const Eigen::Affine3d& stored_map, const Eigen::Vector3d& root, const Eigen::Vector3d& up,
                            double scale)
{
    const Eigen::Matrix3d axes = orthogonal_factor(stored_map.linear(), Eigen::Matrix3d::Identity());
    const Eigen::Matrix3d upright = swing(axes * up, Eigen::Vector3d::UnitY()).toRotationMatrix() * axes;
    Eigen::Affine3d out = Eigen::Affine3d::Identity();
    out.linear() = scale * upright;
    out.translation() = stored_map * root - out.linear() * root;
    return out;
}

} // namespace

World find_world(const Character& character, const Roles& roles, const WorldOptions& options)
{
    World world;
    if (character.joints.empty()) return world;
    const ClipSampler stored(character);
    const auto maps = skin_matrices(character, inverse_binds(character), stored.world(0));
    world.unit_scale = median_scale(maps);
    world.height = roles.height * world.unit_scale;
    world.world_from_bind = upright_map(maps[0], character.joints[0].position(), roles.frame.up, world.unit_scale);
    if (!options.meters_per_unit.is("auto")) {
        world.units_per_meter = 1 / options.meters_per_unit.number;
        world.notes.push_back(fmt::format("one unit is taken as {:g} m, as asked", options.meters_per_unit.number));
    } else if (world.height > 0 && (world.height < kSmallest || world.height > kTallest)) {
        world.units_per_meter = std::pow(10.0, std::round(std::log10(world.height / kPerson)));
        world.notes.push_back(fmt::format("the character is {:.3g} units tall: one metre is taken as {:g} units",
                                          world.height, world.units_per_meter));
    }
    return world;
}

} // namespace tailfix
