// The body of a character as a distance field about its skeleton.
#pragma once

#include "field.h"
#include "plan.h"
#include "skeleton.h"

namespace tailfix::generate {

std::vector<Solid> make_body(const Plan& plan, const Rig& rig);

} // namespace tailfix::generate
