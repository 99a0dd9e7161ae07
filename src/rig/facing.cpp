#include "rig/facing.h"

#include <algorithm>
#include <limits>
#include <vector>

namespace tailfix {
namespace {

constexpr double kSole = 0.03;     // of H: skin this near to the ground is sole
constexpr double kLow = 0.15;      // of H: a leaf joint off the middle and lower than this is in a foot
constexpr double kAnkle = 0.2;     // of H: it is a toe where its parent is lower than this, and that is the ankle
constexpr double kFootReach = 0.2; // of S: sole this near to a foot's joints is that foot's. A human sole measures 0.3
constexpr int kSolePoints = 3;     // fewer under a foot say nothing of where it points

struct Foot {
    Eigen::Vector3d ankle, toe;
    double front = -std::numeric_limits<double>::infinity(), back = -front;
    int points = 0;
};

// Rigs whose feet are driven from the ground have them as leaves of their own, beside the legs that they belong to.
std::vector<Foot> find_feet(const Rig& rig, const Stance& stance)
{
    std::vector<bool> in_leg(static_cast<std::size_t>(rig.count()), false);
    for (const auto& leg : stance.legs)
        in_leg[static_cast<std::size_t>(leg.left)] = in_leg[static_cast<std::size_t>(leg.right)] = true;
    std::vector<Foot> feet;
    for (int j = 0; j < rig.count(); ++j) {
        const double height = rig.at(j).dot(stance.up) - stance.ground;
        const auto aside = [&](int k) {
            return std::abs(rig.at(k).dot(stance.mirror.normal) - stance.mirror.offset) > kOffPlane * rig.size;
        };
        if (!rig.live_leaf(j) || !aside(j)) continue;
        if (!in_leg[static_cast<std::size_t>(j)] && height > kLow * stance.height) continue;
        const int parent = rig.parent(j);
        const bool is_toe = height < kLow * stance.height && parent != kNone && aside(parent) &&
                            rig.at(parent).dot(stance.up) - stance.ground < kAnkle * stance.height;
        feet.push_back({rig.at(is_toe ? parent : j), rig.at(j)});
    }
    return feet;
}

// On the ground, from the segment between a foot's joints.
double level_distance(const Foot& foot, const Eigen::Vector3d& p, const Eigen::Vector3d& up)
{
    const auto level = [&](const Eigen::Vector3d& v) { return Eigen::Vector3d(v - v.dot(up) * up); };
    const Eigen::Vector3d along = level(foot.toe - foot.ankle), from = level(p - foot.ankle);
    const double length2 = along.squaredNorm();
    const double t = length2 > 0 ? std::clamp(from.dot(along) / length2, 0.0, 1.0) : 0;
    return (from - t * along).norm();
}

} // namespace

double feet_point(const Rig& rig, const Stance& stance, const Eigen::Vector3d& forward)
{
    std::vector<Foot> feet = find_feet(rig, stance);
    if (feet.empty()) return 0;
    for (const auto& p : rig.character.mesh.positions) {
        if (p.dot(stance.up) - stance.ground > kSole * stance.height) continue;
        double nearest = kFootReach * rig.size;
        Foot* own = nullptr;
        for (auto& foot : feet) {
            const double d = level_distance(foot, p, stance.up);
            if (d >= nearest) continue;
            nearest = d;
            own = &foot;
        }
        if (own == nullptr) continue;
        const double ahead = (p - own->ankle).dot(forward);
        own->front = std::max(own->front, ahead);
        own->back = std::min(own->back, ahead);
        ++own->points;
    }
    double sum = 0;
    int standing = 0;
    for (const auto& foot : feet) {
        if (foot.points < kSolePoints) continue;
        sum += 0.5 * (foot.front + foot.back);
        ++standing;
    }
    return standing > 0 ? sum / standing / rig.size : 0;
}

} // namespace tailfix
