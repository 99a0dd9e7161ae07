#include "surface/nearest.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

namespace tailfix {

NearestPoint::NearestPoint(std::vector<Eigen::Vector3d> points) : points_(std::move(points))
{
    arrange(0, points_.size(), 0);
}

double NearestPoint::distance(const Eigen::Vector3d& p) const
{
    double best_squared = std::numeric_limits<double>::infinity();
    search(0, points_.size(), 0, p, &best_squared);
    return std::sqrt(best_squared);
}

void NearestPoint::arrange(std::size_t begin, std::size_t end, int axis)
{
    if (end - begin < 2) return;
    const std::size_t middle = begin + (end - begin) / 2;
    const auto it = [&](std::size_t i) { return points_.begin() + static_cast<std::ptrdiff_t>(i); };
    std::nth_element(it(begin), it(middle), it(end),
                     [axis](const Eigen::Vector3d& a, const Eigen::Vector3d& b) { return a[axis] < b[axis]; });
    arrange(begin, middle, (axis + 1) % 3);
    arrange(middle + 1, end, (axis + 1) % 3);
}

void NearestPoint::search(std::size_t begin, std::size_t end, int axis, const Eigen::Vector3d& p, double* best_squared) const
{
    if (begin == end) return;
    const std::size_t middle = begin + (end - begin) / 2;
    const Eigen::Vector3d& split = points_[middle];
    *best_squared = std::min(*best_squared, (split - p).squaredNorm());
    const double beyond = p[axis] - split[axis];
    const int next = (axis + 1) % 3;
    if (beyond < 0) {
        search(begin, middle, next, p, best_squared);
        if (beyond * beyond < *best_squared) search(middle + 1, end, next, p, best_squared);
    } else {
        search(middle + 1, end, next, p, best_squared);
        if (beyond * beyond < *best_squared) search(begin, middle, next, p, best_squared);
    }
}

} // namespace tailfix
