#include "rig/symmetry.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <numbers>
#include <numeric>

namespace tailfix {
namespace {

constexpr double kOffPlane = 0.03;       // of size: a joint this far from the plane has a side
constexpr double kWorst = 0.2;           // of size: one odd joint (a sword, a prop) may not outweigh the others
constexpr std::size_t kMostJoints = 256; // more are thinned out evenly: the cost is quadratic in their number

std::vector<Eigen::Vector3d> thin_out(const std::vector<Eigen::Vector3d>& joints)
{
    if (joints.size() <= kMostJoints) return joints;
    std::vector<Eigen::Vector3d> some;
    for (std::size_t i = 0; i < kMostJoints; ++i) some.push_back(joints[i * joints.size() / kMostJoints]);
    return some;
}

double mirror_cost(const std::vector<Eigen::Vector3d>& joints, const Eigen::Vector3d& normal, double offset,
                   double size)
{
    double sum = 0;
    int off_plane = 0;
    for (const auto& p : joints) {
        const double side = p.dot(normal) - offset;
        const Eigen::Vector3d image = p - 2 * side * normal;
        double nearest = kWorst * kWorst * size * size;
        for (const auto& q : joints) nearest = std::min(nearest, (q - image).squaredNorm());
        sum += std::sqrt(nearest) / size;
        off_plane += std::abs(side) > kOffPlane * size;
    }
    return sum / static_cast<double>(joints.size()) + (off_plane < 2 ? kWorst : 0);
}

} // namespace

MirrorPlane fit_mirror_offset(const std::vector<Eigen::Vector3d>& all_joints, const Eigen::Vector3d& normal,
                              double size)
{
    MirrorPlane best{normal, 0, 2 * kWorst};
    if (all_joints.empty() || !(size > 0)) return best;
    const auto joints = thin_out(all_joints);
    std::vector<double> x;
    for (const auto& p : joints) x.push_back(p.dot(normal));
    std::sort(x.begin(), x.end());
    const double mean = std::accumulate(x.begin(), x.end(), 0.0) / static_cast<double>(x.size());
    const double median = 0.5 * (x[(x.size() - 1) / 2] + x[x.size() / 2]);
    for (const double offset : {median, 0.5 * (x.front() + x.back()), 0.0, mean}) {
        const double cost = mirror_cost(joints, normal, offset, size);
        if (cost < best.cost - 1e-9) best = {normal, offset, cost};
    }
    return best;
}

MirrorPlane find_mirror_plane(const std::vector<Eigen::Vector3d>& joints, const Eigen::Vector3d& up, double size)
{
    // Any two directions that span the plane across up; those of the file's axes where up is one.
    Eigen::Vector3d a = Eigen::Vector3d::Unit((static_cast<Eigen::Index>([&] {
                                                   Eigen::Index axis = 0;
                                                   up.cwiseAbs().maxCoeff(&axis);
                                                   return axis;
                                               }()) +
                                               1) %
                                              3);
    a = (a - a.dot(up) * up).normalized();
    const Eigen::Vector3d b = up.cross(a);

    const MirrorPlane along_a = fit_mirror_offset(joints, a, size);
    const MirrorPlane along_b = fit_mirror_offset(joints, b, size);
    MirrorPlane best = along_a.cost <= along_b.cost ? along_a : along_b;

    // A file may hold its character turned by any angle. Scan in 6-degree steps, then halve the step down to 0.1
    // degrees.
    constexpr int kSteps = 30;
    const auto at = [&](double angle) {
        return fit_mirror_offset(joints, std::cos(angle) * a + std::sin(angle) * b, size);
    };
    MirrorPlane turned = best;
    double turned_angle = 0;
    for (int i = 0; i < kSteps; ++i) {
        const double angle = std::numbers::pi * i / kSteps;
        const MirrorPlane plane = at(angle);
        if (plane.cost < turned.cost) {
            turned = plane;
            turned_angle = angle;
        }
    }
    for (double step = std::numbers::pi / kSteps / 2; step > 0.1 * std::numbers::pi / 180; step /= 2) {
        for (const double angle : {turned_angle - step, turned_angle + step}) {
            const MirrorPlane plane = at(angle);
            if (plane.cost < turned.cost) {
                turned = plane;
                turned_angle = angle;
            }
        }
    }
    // Half the cost is asked for, so that a model on its axes never leaves them for noise.
    return turned.cost < 0.5 * best.cost ? turned : best;
}

} // namespace tailfix
