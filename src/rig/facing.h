// Which way a character faces, from what its feet show.
#pragma once

#include <Eigen/Core>

#include "rig/stance.h"

namespace tailfix {

// How far the soles reach ahead of their ankles along `forward` (unit), mean over the feet, of S: over 0 when the feet
// point that way. 0 where no foot has a sole.
double feet_point(const Rig& rig, const Stance& stance, const Eigen::Vector3d& forward);

} // namespace tailfix
