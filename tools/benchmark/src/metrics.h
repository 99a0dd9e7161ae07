// How well a found set of skin agrees with the true one. Pure functions on sets of welded points.
#pragma once

#include <vector>

#include <Eigen/Core>

#include <tailfix/surface/weld.h>

namespace tailfix::benchmark {

// Sizes of two sets and of what they share, in points or in area; the rigs of one file are added up.
struct Overlap {
    double both = 0;
    double found = 0;
    double truth = 0;

    double iou() const;       // both / either; 0 where both sets are empty
    double precision() const; // both / found; 0 where nothing was found
    double recall() const;    // both / truth; 0 where there is no truth
};

Overlap operator+(const Overlap& a, const Overlap& b);

// `weight` per point: 1 counts points, areas weigh them.
Overlap overlap(const std::vector<bool>& found, const std::vector<bool>& truth, const std::vector<double>& weight);

// A third of the area of every triangle around the point.
std::vector<double> point_areas(const Weld& weld);

// A welded point is tail where the mean of its vertices' weights is over 0.5, the limit of the truths' README.
std::vector<bool> points_of_weights(const Weld& weld, const std::vector<double>& weight_of_vertex);

std::vector<bool> points_of_list(const std::vector<int>& points, std::size_t count);

// Centroid of the truth points with a neighbour that is none. A tail that is a shell of its own has no such points;
// there it is the centroid of the twentieth of its points that lies nearest to other skin. `truth` and its
// complement hold a point each.
Eigen::Vector3d rim_centroid(const Weld& weld, const std::vector<bool>& truth);

// For each of `to`, the weight of the nearest of `from`, both moved and scaled into the box of their own set: the same
// surface in other units and another vertex order. `from` is not empty.
std::vector<double> transfer_weights(const std::vector<Eigen::Vector3d>& from, const std::vector<double>& weights,
                                     const std::vector<Eigen::Vector3d>& to);

} // namespace tailfix::benchmark
