#include <tailfix/rig/grown.h>

#include <algorithm>
#include <string>
#include <string_view>
#include <utility>

#include <Eigen/LU>
#include <fmt/format.h>

namespace tailfix {
namespace {

// Bind matrices went through a file's floats and an inversion, which leave 1e-6 of them; and a chain that someone
// turned or stretched differs by more than this.
constexpr double kSame = 1e-4;

std::size_t at(int i)
{
    return static_cast<std::size_t>(i);
}

// "Tail" of Tail_1, "Tail2" of Tail2_1; empty for any other name.
std::string chain_of_first(std::string_view name)
{
    constexpr std::string_view kBase = "Tail", kFirst = "_1";
    if (name.size() < kBase.size() + kFirst.size() || !name.starts_with(kBase) || !name.ends_with(kFirst)) return {};
    const std::string_view number = name.substr(kBase.size(), name.size() - kBase.size() - kFirst.size());
    const bool digits = std::all_of(number.begin(), number.end(), [](char c) { return c >= '0' && c <= '9'; });
    if (!digits || number.starts_with('0') || number == "1") return {};
    return std::string(name.substr(0, name.size() - kFirst.size()));
}

// The joints of a chain by their names, from its first; no links where they do not make one.
JointChain follow_names(const Character& character, const std::vector<std::vector<int>>& children, int first)
{
    JointChain chain;
    chain.name = chain_of_first(character.joints[at(first)].name);
    chain.attach = character.joints[at(first)].parent;
    if (chain.name.empty() || chain.attach == kNone) return {};
    for (int joint = first;;) {
        const Joint& here = character.joints[at(joint)];
        if (character.nodes[at(here.node)].parent != character.joints[at(here.parent)].node) return {};
        if (here.name == chain.name + "_End") {
            chain.end = joint;
            return children[at(joint)].empty() ? chain : JointChain();
        }
        chain.links.push_back(joint);
        if (here.name != fmt::format("{}_{}", chain.name, chain.links.size()) || children[at(joint)].size() != 1)
            return {};
        joint = children[at(joint)].front();
    }
}

std::vector<int> all_joints(const JointChain& chain)
{
    std::vector<int> joints = chain.links;
    joints.push_back(chain.end);
    return joints;
}

// Every joint is its parent moved, in the bind pose and as stored (where a pose may have turned it).
bool only_moved(const Character& character, const JointChain& chain)
{
    const Eigen::Matrix4d& attach = character.joints[at(chain.attach)].bind_from_joint;
    const Eigen::Matrix3d axes = attach.topLeftCorner<3, 3>();
    const Eigen::PartialPivLU<Eigen::Matrix3d> joint_from_bind(axes);
    const auto joints = all_joints(chain);
    double length = 0;
    std::vector<Eigen::Vector3d> steps;
    for (const int j : joints) {
        const Joint& joint = character.joints[at(j)];
        if ((joint.bind_from_joint.topLeftCorner<3, 3>() - axes).norm() > kSame * axes.norm()) return false;
        steps.push_back(joint_from_bind.solve(joint.position() - character.joints[at(joint.parent)].position()));
        length += steps.back().norm();
    }
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const Node& node = character.nodes[at(character.joints[at(joints[i])].node)];
        if (node.matrix || (node.scale - Eigen::Vector3d::Ones()).norm() > kSame ||
            (node.translation - steps[i]).norm() > kSame * length)
            return false;
    }
    return length > 0;
}

// Per node: on one of the chains.
std::vector<bool> nodes_of(const Character& character, const std::vector<JointChain>& chains)
{
    std::vector<bool> out(character.nodes.size(), false);
    for (const JointChain& chain : chains)
        for (const int j : all_joints(chain)) out[at(character.joints[at(j)].node)] = true;
    return out;
}

bool only_turned(const Character& character, const JointChain& chain)
{
    const auto ours = nodes_of(character, {chain});
    for (const Clip& clip : character.clips)
        for (const Track& track : clip.tracks)
            if (ours[at(track.node)] && track.path != Path::Rotation) return false;
    return true;
}

bool skin_is_on_links(const Character& character, const JointChain& chain)
{
    bool any = false;
    for (const Influence& influence : character.mesh.influences) {
        if (influence.joint == chain.end) return false;
        any = any || std::find(chain.links.begin(), chain.links.end(), influence.joint) != chain.links.end();
    }
    return any;
}

void drop_keys(Character& character, const std::vector<JointChain>& chains)
{
    const auto ours = nodes_of(character, chains);
    for (Clip& clip : character.clips)
        std::erase_if(clip.tracks, [&](const Track& track) { return ours[at(track.node)]; });
}

// Weight on the chains' links goes to the joints they hang from.
void return_skin(Mesh& mesh, const std::vector<JointChain>& chains, std::size_t joints)
{
    std::vector<int> holder(joints);
    for (std::size_t j = 0; j < joints; ++j) holder[j] = static_cast<int>(j);
    for (const JointChain& chain : chains)
        for (const int link : chain.links) holder[at(link)] = chain.attach;
    std::vector<Influence> influences;
    std::vector<int> first{0};
    for (std::size_t v = 0; v + 1 < mesh.first_influence.size(); ++v) {
        const auto begin = static_cast<std::ptrdiff_t>(influences.size());
        for (int i = mesh.first_influence[v]; i < mesh.first_influence[v + 1]; ++i) {
            const Influence& old = mesh.influences[at(i)];
            const int joint = holder[at(old.joint)];
            const auto known = std::find_if(influences.begin() + begin, influences.end(),
                                            [&](const Influence& other) { return other.joint == joint; });
            if (known == influences.end())
                influences.push_back({joint, old.weight});
            else
                known->weight += old.weight;
        }
        first.push_back(static_cast<int>(influences.size()));
    }
    mesh.influences = std::move(influences);
    mesh.first_influence = std::move(first);
}

} // namespace

Grown find_grown_chains(const Character& character)
{
    Grown grown;
    std::vector<std::vector<int>> children(character.joints.size());
    for (std::size_t j = 0; j < character.joints.size(); ++j)
        if (character.joints[j].parent != kNone)
            children[at(character.joints[j].parent)].push_back(static_cast<int>(j));
    for (int j = 0; j < static_cast<int>(character.joints.size()); ++j) {
        if (chain_of_first(character.joints[at(j)].name).empty()) continue;
        JointChain chain = follow_names(character, children, j);
        const bool ours = !chain.links.empty() && only_moved(character, chain) && only_turned(character, chain) &&
                          skin_is_on_links(character, chain);
        if (ours) grown.chains.push_back(std::move(chain));
    }
    if (grown.chains.empty()) return grown;
    grown.without = character;
    drop_keys(*grown.without, grown.chains);
    return_skin(grown.without->mesh, grown.chains, character.joints.size());
    return grown;
}

Rigged take_up_chains(Rigged rigged, const std::vector<JointChain>& chains)
{
    drop_keys(rigged.character, chains);
    for (const JointChain& chain : chains) {
        for (const int j : all_joints(chain))
            rigged.character.nodes[at(rigged.character.joints[at(j)].node)].rotation.setIdentity();
        rigged.chains.push_back(chain);
    }
    return rigged;
}

} // namespace tailfix
