// The centre line of a tail, and its radius along it.
#pragma once

#include <vector>

#include "field.h"
#include "plan.h"
#include "skeleton.h"

namespace tailfix::generate {

struct TailShape {
    std::vector<Vec> line;     // evenly spaced; the first points are inside the body
    std::vector<double> radii; // one per point
    std::size_t leaves = 0;    // first point outside the body
    double blend = 0;          // of the fillet where it is welded
};

// The body's field steers it: it does not come back into the body it has left, nor does it go through the floor.
TailShape make_tail(const TailPlan& plan, const Rig& rig, const Field& body);

std::vector<Solid> solids_of(const TailShape& shape);

} // namespace tailfix::generate
