// A k-d tree that finds the nearest point of another group.
#pragma once

#include <limits>
#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace tailfix {

class PointTree {
public:
    explicit PointTree(const std::vector<Eigen::Vector3d>& points);

    // Groups may change between queries; call this when they have.
    void set_groups(const std::vector<int>& group_of_point);

    struct Hit {
        int point = -1;
        double distance = 0;
    };

    // Nearest point whose group is not `group`, nearer than `limit`; ties go to the smaller number. point is -1 when
    // none.
    Hit nearest_foreign(const Eigen::Vector3d& from, int group, double limit) const;

    // Nearest point of any group, nearer than `limit`.
    Hit nearest(const Eigen::Vector3d& from, double limit = std::numeric_limits<double>::infinity()) const;

private:
    struct Branch {
        int begin = 0, end = 0;    // of order_
        Eigen::AlignedBox3d box;   // of its points
        int left = -1, right = -1; // -1: leaf
        int group = -1;            // of all points below, or -1 when they differ
    };

    int build(int begin, int end);
    void search(int branch, const Eigen::Vector3d& from, int group, Hit& best) const;

    const std::vector<Eigen::Vector3d>& points_;
    std::vector<int> order_;
    std::vector<int> group_;
    std::vector<Branch> branches_;
};

} // namespace tailfix
