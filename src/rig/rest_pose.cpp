#include <tailfix/rig/rest_pose.h>

#include <algorithm>
#include <cmath>
#include <set>
#include <string>
#include <utility>

#include <Eigen/LU>
#include <fmt/format.h>

namespace tailfix {
namespace {

std::size_t at(int i)
{
    return static_cast<std::size_t>(i);
}

// Tail_1 .. Tail_K, Tail_End
std::vector<std::string> names_of(const std::string& chain, int links)
{
    std::vector<std::string> names;
    for (int i = 1; i <= links; ++i) names.push_back(fmt::format("{}_{}", chain, i));
    names.push_back(chain + "_End");
    return names;
}

// Animation binds nodes by name in every engine, so no new name may be taken: Tail, Tail2, Tail3, ... until all of a
// chain's names are free.
std::string free_chain_name(const Chain& chain, const std::set<std::string>& taken)
{
    std::string name = chain.name;
    const auto is_taken = [&](const std::string& n) { return taken.count(n) > 0; };
    for (int number = 2;; ++number) {
        const auto names = names_of(name, chain.links());
        if (std::none_of(names.begin(), names.end(), is_taken)) return name;
        name = fmt::format("Tail{}", number);
    }
}

// Appends one node and joint under `parent`, at `position` in bind space, with the attachment's bind rotation and
// scale.
int append_joint(Character& character, const std::string& name, int parent, const Eigen::Matrix4d& attach_bind,
                 const Eigen::Vector3d& position)
{
    // local = parent_bind^-1 * bind. Both share the attachment's linear part A, so local is a translation by
    // A^-1 (position - parent's position).
    const Eigen::Vector3d from_parent = position - character.joints[at(parent)].position();
    Node node;
    node.name = name;
    node.parent = character.joints[at(parent)].node;
    node.translation = attach_bind.topLeftCorner<3, 3>().partialPivLu().solve(from_parent);

    Joint joint;
    joint.name = name;
    joint.node = static_cast<int>(character.nodes.size());
    joint.parent = parent;
    joint.bind_from_joint = attach_bind;
    joint.bind_from_joint.topRightCorner<3, 1>() = position;

    character.node_order.push_back(joint.node);
    character.nodes.push_back(std::move(node));
    character.joints.push_back(std::move(joint));
    return static_cast<int>(character.joints.size()) - 1;
}

JointChain append_chain(Character& character, const Chain& chain, const std::string& name)
{
    const Eigen::Matrix4d attach_bind = character.joints[at(chain.attach)].bind_from_joint;
    const auto names = names_of(name, chain.links());
    JointChain added;
    added.name = name;
    added.attach = chain.attach;
    int parent = chain.attach;
    for (int i = 0; i <= chain.links(); ++i) {
        parent = append_joint(character, names[at(i)], parent, attach_bind, chain.joints[at(i)]);
        if (i < chain.links()) added.links.push_back(parent);
    }
    added.end = parent;
    return added;
}

// Equal but for rounding and order: 1e-9 is far below a step of any stored weight.
bool same_influences(const std::vector<Influence>& a, const Influence* begin, const Influence* end)
{
    if (a.size() != static_cast<std::size_t>(end - begin)) return false;
    return std::all_of(a.begin(), a.end(), [&](const Influence& x) {
        return std::any_of(
            begin, end, [&](const Influence& y) { return x.joint == y.joint && std::abs(x.weight - y.weight) < 1e-9; });
    });
}

// Writes each point's new influences to all of its vertices. Returns which vertices changed.
std::vector<bool> replace_influences(Mesh& mesh, const Weld& weld, const SkinWeights& weights)
{
    std::vector<const std::vector<Influence>*> of_point(weld.points.size(), nullptr);
    for (const auto& p : weights.points) of_point[at(p.point)] = &p.influences;

    std::vector<bool> changed(mesh.positions.size(), false);
    std::vector<int> first{0};
    std::vector<Influence> influences;
    for (std::size_t v = 0; v < mesh.positions.size(); ++v) {
        const Influence* begin = mesh.influences.data() + mesh.first_influence[v];
        const Influence* end = mesh.influences.data() + mesh.first_influence[v + 1];
        const auto* fresh = of_point[at(weld.point_of_vertex[v])];
        changed[v] = fresh != nullptr && !same_influences(*fresh, begin, end);
        if (changed[v]) {
            influences.insert(influences.end(), fresh->begin(), fresh->end());
        } else {
            influences.insert(influences.end(), begin, end);
        }
        first.push_back(static_cast<int>(influences.size()));
    }
    mesh.first_influence = std::move(first);
    mesh.influences = std::move(influences);
    return changed;
}

// Skins whose mesh changed get every new joint, and before them any older joint (the attachment) that its vertices now
// follow and the skin has not had: slots are only ever appended.
void extend_skins(Character& character, const std::vector<bool>& changed, int first_new_joint)
{
    std::vector<std::set<int>> used(character.skins.size());
    std::vector<bool> touched(character.skins.size(), false);
    for (const auto& primitive : character.mesh.primitives)
        for (int v = primitive.first_vertex; v < primitive.first_vertex + primitive.vertex_count; ++v) {
            if (!changed[at(v)]) continue;
            touched[at(primitive.skin)] = true;
            for (int i = character.mesh.first_influence[at(v)]; i < character.mesh.first_influence[at(v) + 1]; ++i)
                used[at(primitive.skin)].insert(character.mesh.influences[at(i)].joint);
        }
    for (std::size_t s = 0; s < character.skins.size(); ++s) {
        if (!touched[s]) continue;
        auto& joints = character.skins[s].joints;
        for (const int joint : used[s])
            if (joint < first_new_joint && std::find(joints.begin(), joints.end(), joint) == joints.end())
                joints.push_back(joint);
        for (int joint = first_new_joint; joint < static_cast<int>(character.joints.size()); ++joint)
            joints.push_back(joint);
    }
}

} // namespace

Rigged add_chains(const Character& character, const Weld& weld, const std::vector<Chain>& chains,
                  const SkinWeights& weights)
{
    Rigged rigged;
    rigged.character = character;
    rigged.first_new_node = static_cast<int>(character.nodes.size());
    rigged.first_new_joint = static_cast<int>(character.joints.size());

    std::set<std::string> taken;
    for (const auto& node : character.nodes) taken.insert(node.name);
    for (const auto& chain : chains) {
        const std::string name = free_chain_name(chain, taken);
        rigged.chains.push_back(append_chain(rigged.character, chain, name));
        const auto names = names_of(name, chain.links());
        taken.insert(names.begin(), names.end());
    }
    rigged.vertex_changed = replace_influences(rigged.character.mesh, weld, weights);
    extend_skins(rigged.character, rigged.vertex_changed, rigged.first_new_joint);
    return rigged;
}

} // namespace tailfix
