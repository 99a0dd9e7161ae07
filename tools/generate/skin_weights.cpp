#include "skin_weights.h"

#include <algorithm>
#include <cmath>

namespace tailfix::generate {
namespace {

double squared_distance(const RigJoint& bone, const Vec& p)
{
    const Vec axis = bone.tip - bone.position;
    const double l2 = axis.squaredNorm();
    const double t = l2 > 0 ? std::clamp((p - bone.position).dot(axis) / l2, 0.0, 1.0) : 0;
    return (p - bone.position - t * axis).squaredNorm();
}

Influences nearest(const std::vector<int>& bones, const Rig& rig, const Vec& p)
{
    std::vector<std::pair<double, int>> all;
    all.reserve(bones.size());
    for (const int b : bones) all.emplace_back(squared_distance(rig.joints[static_cast<std::size_t>(b)], p), b);
    std::partial_sort(all.begin(), all.begin() + 4, all.end());
    constexpr double kLeast = 0.02; // share below which exporters drop an influence
    Influences out;
    double sum = 0;
    const auto weight = [&](std::size_t i) { return 1 / (all[i].first * all[i].first + 1e-12); };
    for (std::size_t i = 0; i < 4 && weight(i) > kLeast * weight(0); ++i) sum += weight(i);
    for (std::size_t i = 0; i < 4 && weight(i) > kLeast * weight(0); ++i) {
        out.joints[i] = all[i].second;
        out.weights[i] = static_cast<float>(weight(i) / sum);
    }
    return out;
}

} // namespace

std::vector<Influences> make_weights(const Part& part, const Rig& rig)
{
    if (!part.bind.empty()) {
        const Influences rigid{{rig.find(part.bind), 0, 0, 0}, {1, 0, 0, 0}};
        return std::vector<Influences>(part.positions.size(), rigid);
    }
    std::vector<int> bones;
    for (std::size_t j = 0; j < rig.joints.size(); ++j)
        if (rig.joints[j].holds_skin) bones.push_back(static_cast<int>(j));
    std::vector<Influences> out;
    for (const Vec& p : part.positions) out.push_back(nearest(bones, rig, p));
    return out;
}

} // namespace tailfix::generate
