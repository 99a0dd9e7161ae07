#include "surface/point_tree.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

namespace tailfix {
namespace {

constexpr int kLeafSize = 16;
constexpr int kAnyGroup = -2; // matches no point's group, so that every point is foreign

} // namespace

PointTree::PointTree(const std::vector<Eigen::Vector3d>& points) : points_(points), order_(points.size())
{
    std::iota(order_.begin(), order_.end(), 0);
    group_.assign(points.size(), 0);
    if (!points.empty()) build(0, static_cast<int>(points.size()));
}

int PointTree::build(int begin, int end)
{
    const int at = static_cast<int>(branches_.size());
    Eigen::AlignedBox3d box;
    for (int i = begin; i < end; ++i)
        box.extend(points_[static_cast<std::size_t>(order_[static_cast<std::size_t>(i)])]);
    branches_.push_back({begin, end, box, -1, -1, -1});
    if (end - begin <= kLeafSize) return at;
    Eigen::Index axis = 0;
    box.sizes().maxCoeff(&axis);
    const int middle = begin + (end - begin) / 2;
    const auto coordinate = [&](int p) { return points_[static_cast<std::size_t>(p)][axis]; };
    std::nth_element(order_.begin() + begin, order_.begin() + middle, order_.begin() + end, [&](int a, int b) {
        return coordinate(a) != coordinate(b) ? coordinate(a) < coordinate(b) : a < b;
    });
    const int left = build(begin, middle);
    const int right = build(middle, end);
    branches_[static_cast<std::size_t>(at)].left = left;
    branches_[static_cast<std::size_t>(at)].right = right;
    return at;
}

void PointTree::set_groups(const std::vector<int>& group_of_point)
{
    group_ = group_of_point;
    // Children are stored after their parent.
    for (std::size_t i = branches_.size(); i-- > 0;) {
        Branch& branch = branches_[i];
        if (branch.left >= 0) {
            const int left = branches_[static_cast<std::size_t>(branch.left)].group;
            const int right = branches_[static_cast<std::size_t>(branch.right)].group;
            branch.group = left == right ? left : -1;
            continue;
        }
        branch.group = group_[static_cast<std::size_t>(order_[static_cast<std::size_t>(branch.begin)])];
        for (int k = branch.begin + 1; k < branch.end; ++k)
            if (group_[static_cast<std::size_t>(order_[static_cast<std::size_t>(k)])] != branch.group)
                branch.group = -1;
    }
}

// Nearer boxes first. A box as far away as the best hit may hold a point of the same distance and a smaller number.
void PointTree::search(int at, const Eigen::Vector3d& from, int group, Hit& best) const
{
    const Branch& branch = branches_[static_cast<std::size_t>(at)];
    if (branch.left < 0) {
        for (int k = branch.begin; k < branch.end; ++k) {
            const int p = order_[static_cast<std::size_t>(k)];
            if (group_[static_cast<std::size_t>(p)] == group) continue;
            const double d = (points_[static_cast<std::size_t>(p)] - from).norm();
            if (d < best.distance || (d == best.distance && best.point >= 0 && p < best.point)) best = {p, d};
        }
        return;
    }
    const auto far = [&](int child) {
        const Branch& b = branches_[static_cast<std::size_t>(child)];
        return b.group == group ? std::numeric_limits<double>::infinity() : b.box.exteriorDistance(from);
    };
    int first = branch.left, second = branch.right;
    double near_distance = far(first), far_distance = far(second);
    if (far_distance < near_distance) {
        std::swap(first, second);
        std::swap(near_distance, far_distance);
    }
    if (near_distance <= best.distance && std::isfinite(near_distance)) search(first, from, group, best);
    if (far_distance <= best.distance && std::isfinite(far_distance)) search(second, from, group, best);
}

PointTree::Hit PointTree::nearest_foreign(const Eigen::Vector3d& from, int group, double limit) const
{
    Hit best{-1, limit};
    if (!branches_.empty() && branches_[0].group != group) search(0, from, group, best);
    return best;
}

PointTree::Hit PointTree::nearest(const Eigen::Vector3d& from, double limit) const
{
    return nearest_foreign(from, kAnyGroup, limit);
}

} // namespace tailfix
