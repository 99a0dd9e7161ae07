#include "support/fixed_samples.h"

#include <filesystem>
#include <stdexcept>

#include <tailfix/io/load.h>

namespace tailfix::test {

Character sample(const std::string& name)
{
    const auto loaded = load(std::filesystem::path(TAILFIX_SOURCE_DIR) / "data" / (name + ".glb"));
    if (loaded.characters.size() != 1) throw std::runtime_error(name + ": is not one rig");
    return loaded.characters.front();
}

Fixed fixed(const Character& character, Options options, int threads)
{
    options.threads = threads;
    Steps steps;
    return fix(character, options, steps);
}

const BakedClip& clip_named(const Fixed& fixed, const std::string& name)
{
    for (const BakedClip& baked : fixed.clips)
        if (fixed.rigged.character.clips[static_cast<std::size_t>(baked.clip)].name == name) return baked;
    throw std::runtime_error(name + ": no such clip was baked");
}

std::vector<Eigen::Vector3d> chain_points(const Fixed& fixed, int chain,
                                          const std::vector<Eigen::Quaterniond>& rotations)
{
    const Character& character = fixed.rigged.character;
    const JointChain& joints = fixed.rigged.chains[static_cast<std::size_t>(chain)];
    std::vector<int> order = joints.links;
    if (joints.end != kNone) order.push_back(joints.end);
    std::vector<Eigen::Vector3d> points;
    Eigen::Affine3d attach_from_link = Eigen::Affine3d::Identity();
    for (std::size_t i = 0; i < order.size(); ++i) {
        const Joint& joint = character.joints[static_cast<std::size_t>(order[i])];
        attach_from_link.translate(character.nodes[static_cast<std::size_t>(joint.node)].translation);
        points.emplace_back(attach_from_link.translation());
        if (i < rotations.size()) attach_from_link.rotate(rotations[i]);
    }
    return points;
}

} // namespace tailfix::test
