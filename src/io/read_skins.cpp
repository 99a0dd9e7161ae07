// Rigs: which skins are one, and their joints in one bind space (method.md 0).
#include "io/read.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>
#include <numeric>

#include <Eigen/LU>

#include "io/accessor.h"
#include "io/property.h"

namespace tailfix::io {
namespace {

// How far two shared joints may disagree about where another skin's mesh lies before it is worth a word: of the size of
// the rig. Exporters round inverse bind matrices to floats, about 1e-6.
constexpr double kAgreement = 1e-3;

// Enough shared joints to tell an outlier from the rule; all pairs of them are compared.
constexpr std::size_t kMostCompared = 64;

// |determinant| over the product of the column lengths: below this a matrix flattens space beyond what floats resolve.
constexpr double kFlat = 1e-9;

// A last row this near to 0 0 0 1 was meant to be it.
constexpr double kAffine = 1e-3;

const tinygltf::Skin& skin_of(const SourceDocument& source, int skin)
{
    return source.model.skins[static_cast<std::size_t>(skin)];
}

std::size_t at(int index)
{
    return static_cast<std::size_t>(index);
}

// joint_from_mesh of every slot of a skin, and whether each can be inverted.
std::vector<Eigen::Matrix4d> read_inverse_binds(const SourceDocument& source, int skin_index,
                                                const Character& character)
{
    const tinygltf::Skin& skin = skin_of(source, skin_index);
    std::vector<Eigen::Matrix4d> inverse_binds(skin.joints.size(), Eigen::Matrix4d::Identity());
    if (skin.inverseBindMatrices < 0) return inverse_binds;
    static constexpr std::array floats = {TINYGLTF_COMPONENT_TYPE_FLOAT};
    const Elements stored = read_elements(source, skin.inverseBindMatrices, {TINYGLTF_TYPE_MAT4, floats},
                                          fmt::format("skin {}: inverse bind matrices", skin_index));
    for (std::size_t slot = 0; slot < inverse_binds.size(); ++slot) {
        Eigen::Matrix4d& m = inverse_binds[slot];
        for (int k = 0; k < 16; ++k) m(k % 4, k / 4) = stored.number(slot, k);
        const int node = skin.joints[slot];
        const auto what = [&] {
            return fmt::format("skin {} {}", skin_index,
                               label("joint", static_cast<int>(slot), character.nodes[at(node)].name));
        };
        if (!m.allFinite()) refuse("{}: inverse bind matrix is not finite", what());
        if ((m.row(3) - Eigen::RowVector4d(0, 0, 0, 1)).cwiseAbs().maxCoeff() > kAffine)
            refuse("{}: inverse bind matrix has a last row that is not 0 0 0 1", what());
        m.row(3) = Eigen::RowVector4d(0, 0, 0, 1);
        const Eigen::Matrix3d turn = m.topLeftCorner<3, 3>();
        const double whole = turn.col(0).norm() * turn.col(1).norm() * turn.col(2).norm();
        if (!(std::abs(turn.determinant()) > kFlat * whole))
            refuse("{}: inverse bind matrix is not invertible", what());
        if (!m.inverse().allFinite()) refuse("{}: inverse bind matrix is not invertible", what());
    }
    return inverse_binds;
}

// Distance of two maps of a mesh, as a fraction of the rig's size.
double disagreement(const Eigen::Matrix4d& a, const Eigen::Matrix4d& b, double size)
{
    const Eigen::Matrix4d d = (a - b).cwiseAbs();
    const double scale = a.topLeftCorner<3, 3>().cwiseAbs().maxCoeff();
    return std::max(d.topLeftCorner<3, 3>().maxCoeff() / scale, d.topRightCorner<3, 1>().maxCoeff() / size);
}

// Of several answers to one question, the one that agrees best with the others, and how far the worst is from it.
struct Agreed {
    Eigen::Matrix4d map = Eigen::Matrix4d::Identity();
    double worst = 0;
};

Agreed agree(const std::vector<Eigen::Matrix4d>& maps, double size)
{
    const std::size_t step = std::max<std::size_t>(1, (maps.size() + kMostCompared - 1) / kMostCompared);
    Agreed best;
    double least = std::numeric_limits<double>::infinity();
    for (std::size_t i = 0; i < maps.size(); i += step) {
        double sum = 0;
        for (std::size_t k = 0; k < maps.size(); k += step) sum += disagreement(maps[i], maps[k], size);
        if (sum < least) {
            least = sum;
            best.map = maps[i];
        }
    }
    for (const Eigen::Matrix4d& map : maps) best.worst = std::max(best.worst, disagreement(best.map, map, size));
    return best;
}

// The bind matrices of one rig while its skins are brought together.
struct Placing {
    std::map<int, Eigen::Matrix4d> bind_from_joint; // by node
    double size = 0;                                // extent of the first skin's joints
};

// Every map that a shared joint gives from the skin's mesh space to bind space.
std::vector<Eigen::Matrix4d> shared_maps(const Placing& placing, const tinygltf::Skin& skin,
                                         const std::vector<Eigen::Matrix4d>& inverse_binds)
{
    std::vector<Eigen::Matrix4d> maps;
    for (std::size_t slot = 0; slot < skin.joints.size(); ++slot)
        if (const auto it = placing.bind_from_joint.find(skin.joints[slot]); it != placing.bind_from_joint.end())
            maps.push_back(it->second * inverse_binds[slot]);
    return maps;
}

Eigen::Matrix4d place_skin(const SourceDocument& source, int skin_index,
                           const std::vector<Eigen::Matrix4d>& inverse_binds, Placing& placing,
                           std::vector<std::string>& warnings)
{
    const tinygltf::Skin& skin = skin_of(source, skin_index);
    const auto maps = shared_maps(placing, skin, inverse_binds);
    const Agreed agreed = agree(maps, placing.size);
    if (agreed.worst > kAgreement)
        warnings.push_back(
            fmt::format("skin {}: the joints it shares with other skins of the rig disagree about where its "
                        "mesh lies by {:.2g} of the rig's size",
                        skin_index, agreed.worst));
    for (std::size_t slot = 0; slot < skin.joints.size(); ++slot)
        placing.bind_from_joint.emplace(skin.joints[slot], agreed.map * inverse_binds[slot].inverse());
    return agreed.map;
}

double extent(const std::map<int, Eigen::Matrix4d>& bind_from_joint)
{
    Eigen::AlignedBox3d box;
    for (const auto& [node, bind] : bind_from_joint) box.extend(Eigen::Vector3d(bind.topRightCorner<3, 1>()));
    const double diagonal = box.diagonal().norm();
    return diagonal > 0 ? diagonal : 1;
}

// Places the skins, always next one that shares a joint with those placed.
std::vector<Eigen::Matrix4d> place_skins(const SourceDocument& source, std::span<const int> skins, Character& character,
                                         Placing& placing)
{
    std::vector<std::vector<Eigen::Matrix4d>> inverse_binds;
    for (const int skin : skins) inverse_binds.push_back(read_inverse_binds(source, skin, character));
    std::vector<Eigen::Matrix4d> bind_from_mesh(skins.size());
    std::vector<std::size_t> waiting(skins.size());
    std::iota(waiting.begin(), waiting.end(), 0);
    while (!waiting.empty()) {
        const auto shares = [&](std::size_t i) {
            return !shared_maps(placing, skin_of(source, skins[i]), inverse_binds[i]).empty();
        };
        auto next = std::find_if(waiting.begin(), waiting.end(), shares);
        if (next == waiting.end()) next = waiting.begin();
        bind_from_mesh[*next] = place_skin(source, skins[*next], inverse_binds[*next], placing, character.warnings);
        if (waiting.size() == skins.size()) placing.size = extent(placing.bind_from_joint);
        waiting.erase(next);
    }
    return bind_from_mesh;
}

// The file's own end of a leaf bone: a child node outside the skin that is nothing else, at its stored offset.
std::optional<Eigen::Vector3d> helper_end(const SourceDocument& source, const Character& character, const Joint& joint,
                                          const std::vector<int>& joint_of_node)
{
    std::optional<Eigen::Vector3d> end;
    for (const int child : source.model.nodes[at(joint.node)].children) {
        const tinygltf::Node& stored = source.model.nodes[at(child)];
        if (joint_of_node[at(child)] != kNone) return std::nullopt;
        if (stored.mesh >= 0 || stored.camera >= 0) continue;
        const Node& node = character.nodes[at(child)];
        const Eigen::Vector3d offset =
            node.matrix ? Eigen::Vector3d(node.matrix->topRightCorner<3, 1>()) : node.translation;
        if (!end && offset.norm() > 0) end = (joint.bind_from_joint * offset.homogeneous()).head<3>();
    }
    return end;
}

} // namespace

std::vector<std::vector<int>> group_skins(const SourceDocument& source, const std::vector<int>& node_order,
                                          const std::vector<int>& mesh_nodes)
{
    const std::size_t count = source.model.skins.size();
    std::vector<int> group(count); // union-find: the smallest skin of each set is its root
    std::iota(group.begin(), group.end(), 0);
    const auto root = [&](int skin) {
        while (group[at(skin)] != skin) skin = group[at(skin)] = group[at(group[at(skin)])];
        return skin;
    };
    const auto join = [&](int a, int b) {
        a = root(a), b = root(b);
        group[at(std::max(a, b))] = std::min(a, b);
    };

    std::vector<bool> used(count, false);
    for (const int node : mesh_nodes) used[at(source.model.nodes[at(node)].skin)] = true;
    std::vector<int> skin_of_node(source.model.nodes.size(), kNone);
    for (std::size_t skin = 0; skin < count; ++skin) {
        if (!used[skin]) continue;
        for (const int joint : source.model.skins[skin].joints) {
            int& owner = skin_of_node[at(joint)];
            if (owner == kNone) owner = static_cast<int>(skin);
            join(owner, static_cast<int>(skin));
        }
    }
    // Down the trees: what hangs below a joint belongs to that joint's rig.
    for (const int node : node_order)
        for (const int child : source.model.nodes[at(node)].children) {
            if (skin_of_node[at(node)] == kNone) continue;
            if (skin_of_node[at(child)] == kNone) skin_of_node[at(child)] = skin_of_node[at(node)];
            join(skin_of_node[at(node)], skin_of_node[at(child)]);
        }

    std::map<int, std::vector<int>> sets;
    for (std::size_t skin = 0; skin < count; ++skin)
        if (used[skin]) sets[root(static_cast<int>(skin))].push_back(static_cast<int>(skin));
    std::vector<std::vector<int>> groups;
    for (auto& [first, members] : sets) groups.push_back(std::move(members));
    return groups;
}

void read_skins(const SourceDocument& source, std::span<const int> skins, Character& character)
{
    Placing placing;
    const std::vector<Eigen::Matrix4d> bind_from_mesh = place_skins(source, skins, character, placing);

    std::vector<int> joint_of_node(character.nodes.size(), kNone);
    std::vector<int> above(character.nodes.size(), kNone); // nearest joint at or above a node
    for (const int node : character.node_order) {
        const int parent = character.nodes[at(node)].parent;
        above[at(node)] = parent == kNone ? kNone : above[at(parent)];
        const auto bind = placing.bind_from_joint.find(node);
        if (bind == placing.bind_from_joint.end()) continue;
        Joint joint;
        joint.name = character.nodes[at(node)].name;
        joint.node = node;
        joint.parent = above[at(node)];
        joint.bind_from_joint = bind->second;
        joint_of_node[at(node)] = above[at(node)] = static_cast<int>(character.joints.size());
        character.joints.push_back(std::move(joint));
    }
    std::vector<bool> is_parent(character.joints.size(), false);
    for (const Joint& joint : character.joints)
        if (joint.parent != kNone) is_parent[at(joint.parent)] = true;
    for (std::size_t j = 0; j < character.joints.size(); ++j)
        if (!is_parent[j])
            character.joints[j].helper_end = helper_end(source, character, character.joints[j], joint_of_node);

    for (std::size_t i = 0; i < skins.size(); ++i) {
        Skin skin;
        skin.skin = skins[i];
        skin.bind_from_mesh = bind_from_mesh[i];
        for (const int node : skin_of(source, skins[i]).joints) skin.joints.push_back(joint_of_node[at(node)]);
        character.skins.push_back(std::move(skin));
    }
}

} // namespace tailfix::io
