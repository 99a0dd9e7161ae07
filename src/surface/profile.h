// The cross-sections of a protrusion, from its tip into the body: level sets of the geodesic distance from the tip.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <tailfix/rig/roles.h>

#include "surface/surface_graph.h"

namespace tailfix {

// One level set {t = s}, all lengths in bind units.
struct Section {
    double s = 0;                                     // geodesic distance from the tip
    double perimeter = 0;                             // smoothed along s
    Eigen::Vector3d centre = Eigen::Vector3d::Zero(); // length-weighted
    double radius = 0;                                // mean distance of the curve from its centre
    double openness = 0;      // |sum of oriented segments| / perimeter: 0 closed, towards 1 a strip
    double flatness = 0;      // sqrt(middle / largest eigenvalue) of the curve's covariance
    double bone_distance = 0; // of the centre from the skeleton

    double q() const { return radius > 0 ? bone_distance / radius : 0; } // under 1: the skeleton is inside
};

struct ProfileOptions {
    double step = 0;   // distance between sections
    double body_q = 1; // the body begins at the first of three sections in a row with q below this
};

struct Profile {
    std::vector<Section> sections; // s = step, 2 step, ...
    int body_entry = -1;           // index of the first section inside the body; -1: none
    std::vector<double> distance;  // per point: t, or kUnreached beyond what was needed
    int reached = 0;               // points that the ball held in the end: the work it took
};

// Grows a ball from `tip` until one local diameter past the
// body entry, or over the whole surface where there is none. Source: detection.md 4.
Profile measure_profile(const SurfaceGraph& graph, int tip, const std::vector<Bone>& bones,
                        const ProfileOptions& options);

} // namespace tailfix
