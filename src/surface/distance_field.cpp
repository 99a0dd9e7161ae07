#include <tailfix/surface/distance_field.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <tbb/blocked_range.h>
#include <tbb/parallel_for.h>

namespace tailfix {
namespace {

struct Segment {
    Eigen::Vector3d head;
    Eigen::Vector3d span;
    double inverse_squared_length; // 0 for a point, which makes t = 0
};

std::vector<Segment> prepare_segments(const std::vector<Bone>& bones)
{
    std::vector<Segment> segments;
    segments.reserve(bones.size());
    for (const auto& bone : bones) {
        const Eigen::Vector3d span = bone.tail - bone.head;
        const double squared = span.squaredNorm();
        // Below the smallest normal number the inverse would not be finite; such a bone is a point.
        segments.push_back({bone.head, span, squared < std::numeric_limits<double>::min() ? 0 : 1 / squared});
    }
    return segments;
}

// d = |p - (a + t (b - a))|, t = clamp((p - a).(b - a) / |b - a|^2, 0, 1)
double least_distance(const Eigen::Vector3d& p, const std::vector<Segment>& segments)
{
    double least_squared = std::numeric_limits<double>::infinity();
    for (const auto& s : segments) {
        const Eigen::Vector3d from_head = p - s.head;
        const double t = std::clamp(from_head.dot(s.span) * s.inverse_squared_length, 0.0, 1.0);
        least_squared = std::min(least_squared, (from_head - t * s.span).squaredNorm());
    }
    return std::sqrt(least_squared);
}

} // namespace

double distance_to_bones(const Eigen::Vector3d& point, const std::vector<Bone>& bones)
{
    return least_distance(point, prepare_segments(bones));
}

std::vector<double> distance_to_bones(const std::vector<Eigen::Vector3d>& points, const std::vector<Bone>& bones)
{
    const auto segments = prepare_segments(bones);
    std::vector<double> distance(points.size());
    tbb::parallel_for(tbb::blocked_range<std::size_t>(0, points.size()), [&](const auto& range) {
        for (std::size_t i = range.begin(); i < range.end(); ++i) distance[i] = least_distance(points[i], segments);
    });
    return distance;
}

} // namespace tailfix
