// The skin as a graph on which distances are measured: refined triangles, and bridges between shells that do not touch.
#pragma once

#include <limits>
#include <vector>

#include <Eigen/Core>

#include <tailfix/surface/weld.h>

namespace tailfix {

struct SurfaceGraph {
    std::vector<Eigen::Vector3d> points; // the welded points first, then those of the refinement
    std::vector<Eigen::Vector3i> triangles;
    std::vector<int> first; // edges of point p are [first[p], first[p + 1])
    std::vector<int> target;
    std::vector<double> length;
    std::vector<int>
        first_triangle; // triangles around point p are triangle_of[first_triangle[p] .. first_triangle[p + 1])
    std::vector<int> triangle_of;
    std::vector<int> shell; // per point: connected piece of the triangles alone
    int shell_count = 0;
    int welded_count = 0;    // points below this number are those of the weld
    double longest_edge = 0; // of the triangles
    bool edges_only = false; // distances are measured along edges, as the article does, and not across triangles

    int size() const { return static_cast<int>(points.size()); }
};

struct SurfaceGraphOptions {
    double longest_edge = 0; // bind units; longer ones are split
    double bridge_slack =
        0; // bind units: bridges are made where the gap is at most 1.25 of a shell's smallest, plus this
    bool edges_only = false; // see SurfaceGraph
};

SurfaceGraph build_surface_graph(const Weld& weld, const SurfaceGraphOptions& options);

inline constexpr double kUnreached = std::numeric_limits<double>::infinity();

struct Source {
    int point = 0;
    double distance = 0; // that it starts from
};

// Geodesic distance from the sources (surface/geodesic_front.h), no farther than `limit`, and only through points where
// `allowed` holds (empty: all).
std::vector<double> distances_from(const SurfaceGraph& graph, const std::vector<Source>& sources,
                                   double limit = kUnreached, const std::vector<bool>& allowed = {});

} // namespace tailfix
