// From pieces to the primitives of a file.
#pragma once

#include "glb.h"
#include "parts.h"

namespace tailfix::generate {

Scene make_scene(const Plan& plan, const Rig& rig, const std::vector<Part>& parts);

} // namespace tailfix::generate
