// A tail as a tube: a line that leaves the body behind the pelvis, and a radius along it.
#pragma once

#include <vector>

#include <Eigen/Core>

#include "generate/figure.h"

namespace tailfix::generate {

struct TailTube {
    std::vector<Eigen::Vector3d> line; // evenly spaced; the first points lie inside the body
    std::vector<double> radius;
    Eigen::Vector3d root = Eigen::Vector3d::Zero(); // where the line leaves the body
    double root_radius = 0;
    double length = 0; // from there to the tip

    Solid solid() const;
    // The same `share` of its radius thicker, from `from` of its length on: fur over the skin.
    TailTube thicker(double share, double from) const;
};

TailTube make_tail(const Plan& plan, const TailPlan& tail, const Figure& figure);

} // namespace tailfix::generate
