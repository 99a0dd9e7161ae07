#include "generate/weights.h"

#include <algorithm>
#include <cmath>

namespace tailfix::generate {
namespace {

struct Bone {
    int joint;
    Eigen::Vector3d from, to;
};

std::vector<Bone> bones_of(const Figure& figure)
{
    std::vector<Bone> bones;
    std::vector<bool> has_child(figure.joints.size(), false);
    for (std::size_t j = 0; j < figure.joints.size(); ++j) {
        const int parent = figure.joints[j].parent;
        if (parent < 0 || figure.joints[static_cast<std::size_t>(parent)].part == "root") continue;
        bones.push_back({parent, figure.at(parent), figure.joints[j].at});
        has_child[static_cast<std::size_t>(parent)] = true;
    }
    for (std::size_t j = 0; j < figure.joints.size(); ++j)
        if (!has_child[j] && !figure.joints[j].end && figure.joints[j].part != "root")
            bones.push_back({static_cast<int>(j), figure.joints[j].at, figure.joints[j].at});
    return bones;
}

double distance(const Bone& bone, const Eigen::Vector3d& p)
{
    const Eigen::Vector3d along = bone.to - bone.from;
    const double length2 = along.squaredNorm();
    const double t = length2 > 0 ? std::clamp((p - bone.from).dot(along) / length2, 0.0, 1.0) : 0;
    return (p - bone.from - t * along).norm();
}

} // namespace

std::vector<PointWeights> skin_weights(const Figure& figure, const std::vector<Eigen::Vector3d>& points)
{
    const auto bones = bones_of(figure);
    std::vector<PointWeights> out;
    out.reserve(points.size());
    std::vector<double> of_joint(figure.joints.size());
    for (const auto& p : points) {
        std::fill(of_joint.begin(), of_joint.end(), 0);
        for (const auto& bone : bones) {
            const double d = std::max(distance(bone, p), 1e-3 * figure.height) / figure.height;
            double& w = of_joint[static_cast<std::size_t>(bone.joint)];
            w = std::max(w, 1 / (d * d * d * d));
        }
        PointWeights weights;
        double sum = 0;
        for (std::size_t k = 0; k < 4; ++k) {
            const auto most = std::max_element(of_joint.begin(), of_joint.end());
            weights.joint[k] = static_cast<int>(most - of_joint.begin());
            weights.weight[k] = *most;
            sum += *most;
            *most = 0;
        }
        for (std::size_t k = 0; k < 4; ++k) {
            weights.weight[k] /= sum;
            if (weights.weight[k] < 0.02) weights.weight[k] = 0, weights.joint[k] = 0; // as exporters prune
        }
        sum = weights.weight[0] + weights.weight[1] + weights.weight[2] + weights.weight[3];
        for (double& w : weights.weight) w /= sum;
        out.push_back(weights);
    }
    return out;
}

} // namespace tailfix::generate
