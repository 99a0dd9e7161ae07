// Nearest of a set of points (a k-d tree).
#pragma once

#include <vector>

#include <Eigen/Core>

namespace tailfix {

class NearestPoint
{
  public:
    explicit NearestPoint(std::vector<Eigen::Vector3d> points);

    // Distance to the nearest of the points; infinity when there are none.
    double distance(const Eigen::Vector3d& p) const;

  private:
    void arrange(std::size_t begin, std::size_t end, int axis);
    void search(std::size_t begin, std::size_t end, int axis, const Eigen::Vector3d& p, double* best_squared) const;

    std::vector<Eigen::Vector3d> points_; // the middle of every range splits it along the axis of its depth
};

} // namespace tailfix
