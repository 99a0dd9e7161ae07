// How far a tail's skin is from the bones that drive it.
#pragma once

#include <vector>

#include <tailfix/character.h>
#include <tailfix/rig/roles.h>

namespace tailfix {

// Mean over the vertices of the distance to the segments of the joints that move each, weighted by its weights; a joint
// without a segment counts as a point. Bind space.
double mean_bone_distance(const Character& character, const std::vector<Bone>& bones, const std::vector<int>& vertices);

} // namespace tailfix
