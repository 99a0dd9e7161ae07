// The skin that a cut through a protrusion takes off.
#pragma once

#include <optional>
#include <vector>

#include "surface/surface_graph.h"

namespace tailfix {

struct Piece {
    std::vector<bool> inside; // per graph point
    // It is made of shells that touch no other skin. Then it ends where they end, and the skin beside it is not its.
    bool own_shells = false;
    // Of own shells: the middle of where they touch other skin, which is where they hang. A quiver ends low, but does
    // not hang there.
    std::optional<Eigen::Vector3d> touch;
};

// Area of each shell of the graph, in square bind units.
std::vector<double> shell_areas(const SurfaceGraph& graph);

// What lies nearer to the tip than `cut`, by the distance from it per graph point, and every shell of which more than
// half does: the buried root end of a tail that is its own shell, or the fur over it (detection.md 6). Where
// all other skin in it lies within `beside` of the cut, the piece is those shells alone.
Piece cut_piece(const SurfaceGraph& graph, const std::vector<double>& shell_area, const std::vector<double>& distance,
                double cut, double beside);

// The signed distance along the piece as in along.h, from its cut; for own shells from the level of the cut on them, or
// from the end that the tip is farthest from where they do not reach it, and -infinity on all other skin.
std::vector<double> distance_along_piece(const SurfaceGraph& graph, const Piece& piece,
                                         const std::vector<double>& distance, int tip, double cut, double root_radius);

} // namespace tailfix
