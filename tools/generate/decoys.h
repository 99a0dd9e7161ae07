// What sticks out of a character and is not its tail: clothes, gear, hair, ears, wings.
#pragma once

#include "field.h"
#include "part.h"
#include "plan.h"
#include "skeleton.h"

namespace tailfix::generate {

// One part per entry of Plan::decoys; `field` is that of the body.
std::vector<Part> make_decoys(const Plan& plan, const Rig& rig, const Field& field, double spacing);

} // namespace tailfix::generate
