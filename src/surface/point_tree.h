// A k-d tree that finds the nearest point of another group.
#pragma once

#include <vector>

#include <Eigen/Core>

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

    // Nearest point of any group.
    Hit nearest(const Eigen::Vector3d& from) const;

private:
    struct Branch {
        int begin = 0, end = 0; // of order_
        int axis = -1;          // -1: leaf
        double split = 0;
        int left = -1, right = -1;
        int group = -1; // of all points below, or -1 when they differ
    };

    int build(int begin, int end);
    void search(int branch, const Eigen::Vector3d& from, int group, Hit& best) const;

    const std::vector<Eigen::Vector3d>& points_;
    std::vector<int> order_;
    std::vector<int> group_;
    std::vector<Branch> branches_;
};

} // namespace tailfix
