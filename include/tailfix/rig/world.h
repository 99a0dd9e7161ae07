// How bind space lies in the scene: its scale, its up, and how long a metre is.
//
// Source: method.md 0. Motion happens in world space, in metres; a rig's own units may be anything (armatures scaled
// 0.01 or 100, Z-up roots, negative scales, centimetre files). The stored pose decides scale and place only: the
// skeleton says which way is up, so that no stored pose tilts the model.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Geometry>

#include <tailfix/character.h>
#include <tailfix/options.h>
#include <tailfix/rig/roles.h>

namespace tailfix {

struct WorldOptions {
    WordOr meters_per_unit = WordOr::of("auto");
};

template <class Visit>
void fields(WorldOptions& o, Visit&& visit)
{
    visit("meters-per-unit", o.meters_per_unit, Words{{"auto"}}, Range{1e-6, 1e6}, "m",
          "length of one unit of the file (auto: a metre, or a power of ten of it where the height says so)");
}

struct World {
    double unit_scale = 1;                                         // world units per bind unit
    double units_per_meter = 1;                                    // world units per metre
    double height = 0;                                             // H in world units
    Eigen::Affine3d world_from_bind = Eigen::Affine3d::Identity(); // of the upright bind pose: a similarity
    std::vector<std::string> notes;                                // when the unit is not the metre

    double meters_per_bind_unit() const { return unit_scale / units_per_meter; }
};

World find_world(const Character& character, const Roles& roles, const WorldOptions& options = {});

} // namespace tailfix
