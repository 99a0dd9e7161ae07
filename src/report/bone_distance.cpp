#include "report/bone_distance.h"

#include <algorithm>
#include <limits>

namespace tailfix {

namespace {

double distance_to_segment(const Eigen::Vector3d& p, const Bone& bone)
{
    const Eigen::Vector3d along = bone.tail - bone.head;
    const double length2 = along.squaredNorm();
    const double t = length2 > 0 ? std::clamp((p - bone.head).dot(along) / length2, 0.0, 1.0) : 0;
    return (p - bone.head - t * along).norm();
}

} // namespace

double mean_bone_distance(const Character& character, const std::vector<Bone>& bones, const std::vector<int>& vertices)
{
    std::vector<std::vector<const Bone*>> of_joint(character.joints.size());
    for (const Bone& bone : bones) of_joint[static_cast<std::size_t>(bone.joint)].push_back(&bone);
    const Mesh& mesh = character.mesh;
    double sum = 0, weight = 0;
    for (const int vertex : vertices) {
        const auto v = static_cast<std::size_t>(vertex);
        for (int i = mesh.first_influence[v]; i < mesh.first_influence[v + 1]; ++i) {
            const Influence& influence = mesh.influences[static_cast<std::size_t>(i)];
            const auto joint = static_cast<std::size_t>(influence.joint);
            double nearest = std::numeric_limits<double>::infinity();
            for (const Bone* bone : of_joint[joint])
                nearest = std::min(nearest, distance_to_segment(mesh.positions[v], *bone));
            if (of_joint[joint].empty()) nearest = (mesh.positions[v] - character.joints[joint].position()).norm();
            sum += influence.weight * nearest;
            weight += influence.weight;
        }
    }
    return weight > 0 ? sum / weight : 0;
}

} // namespace tailfix
