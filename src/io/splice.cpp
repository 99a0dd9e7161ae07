#include "io/splice.h"

#include <algorithm>
#include <array>
#include <map>
#include <set>

#include <Eigen/LU>
#include <fmt/format.h>

#include <tailfix/error.h>

#include "io/encode_weights.h"
#include "io/splice_clips.h"

namespace tailfix::io {
namespace {

constexpr std::array kMatrixTypes = {TINYGLTF_COMPONENT_TYPE_FLOAT};
constexpr std::array kJointTypes = {TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE, TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT};
constexpr std::array kWeightTypes = {TINYGLTF_COMPONENT_TYPE_FLOAT, TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE,
                                     TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT};
constexpr std::size_t kMatrixBytes = 16 * sizeof(float);
constexpr const char* kDraco = "KHR_draco_mesh_compression";

std::size_t at(int index)
{
    return static_cast<std::size_t>(index);
}

// Numbers of the document are written as the floats that every reader turns them into.
Json as_float_list(std::initializer_list<double> numbers)
{
    Json list = Json::array();
    for (const double number : numbers) list.push_back(double{static_cast<float>(number)});
    return list;
}

Json node_of(const Node& node)
{
    Json out = {{"name", node.name}};
    const Eigen::Vector3d& t = node.translation;
    const Eigen::Quaterniond& r = node.rotation;
    const Eigen::Vector3d& s = node.scale;
    out["translation"] = as_float_list({t.x(), t.y(), t.z()});
    if (!r.coeffs().isApprox(Eigen::Quaterniond::Identity().coeffs(), 0))
        out["rotation"] = as_float_list({r.x(), r.y(), r.z(), r.w()});
    if (s != Eigen::Vector3d::Ones()) out["scale"] = as_float_list({s.x(), s.y(), s.z()});
    return out;
}

// Appends the new nodes to the document and each to its parent's children. What a node of the rigged character is
// numbered in the document: edits before this one may have added nodes of their own.
std::vector<int> add_nodes(const Rigged& rigged, Json& document)
{
    const auto& nodes = rigged.character.nodes;
    std::vector<int> number(nodes.size());
    for (std::size_t i = 0; i < nodes.size(); ++i) number[i] = static_cast<int>(i);
    for (std::size_t i = at(rigged.first_new_node); i < nodes.size(); ++i) {
        number[i] = static_cast<int>(document["nodes"].size());
        document["nodes"].push_back(node_of(nodes[i]));
        if (nodes[i].parent == kNone) continue;
        Json& parent = document["nodes"][at(number[at(nodes[i].parent)])];
        if (!parent.contains("children")) parent["children"] = Json::array();
        parent["children"].push_back(number[i]);
    }
    return number;
}

// One edited skin: which slot each joint of the rig has, -1 for none, and what is appended.
struct EditedSkin {
    std::vector<int> slot_of_joint;
    std::vector<int> appended; // joints of the rig, in the order of their slots
};

bool run_changed(const Rigged& rigged, const Primitive& run)
{
    const auto first = rigged.vertex_changed.begin() + run.first_vertex;
    return std::find(first, first + run.vertex_count, true) != first + run.vertex_count;
}

// What the edits go into.
struct Target {
    Json& document;
    Additions& additions;
};

// Gives a skin the joints that the changed vertices of its meshes use. A skin that gets one of a rig's new joints gets
// them all, ends included: importers take a skeleton from the joints of one skin.
EditedSkin edit_skin(const SourceDocument& source, const Rigged& rigged, int skin_index)
{
    const Character& character = rigged.character;
    EditedSkin edited;
    edited.slot_of_joint.assign(character.joints.size(), kNone);
    std::map<int, int> joint_of_node;
    for (std::size_t j = 0; j < character.joints.size(); ++j)
        joint_of_node[character.joints[j].node] = static_cast<int>(j);
    const auto& stored = source.model.skins[at(character.skins[at(skin_index)].skin)].joints;
    for (std::size_t slot = 0; slot < stored.size(); ++slot) {
        int& known = edited.slot_of_joint[at(joint_of_node.at(stored[slot]))];
        if (known == kNone) known = static_cast<int>(slot);
    }

    std::set<int> needed;
    for (const Primitive& run : character.mesh.primitives) {
        if (run.skin != skin_index) continue;
        for (int v = run.first_vertex; v < run.first_vertex + run.vertex_count; ++v) {
            if (!rigged.vertex_changed[at(v)]) continue;
            for (int i = character.mesh.first_influence[at(v)]; i < character.mesh.first_influence[at(v) + 1]; ++i)
                needed.insert(character.mesh.influences[at(i)].joint);
        }
    }
    const auto last_needed = needed.empty() ? kNone : *needed.rbegin();
    if (last_needed >= rigged.first_new_joint)
        for (int j = rigged.first_new_joint; j < static_cast<int>(character.joints.size()); ++j) needed.insert(j);
    for (const int joint : needed) {
        if (edited.slot_of_joint[at(joint)] != kNone) continue;
        edited.slot_of_joint[at(joint)] = static_cast<int>(stored.size() + edited.appended.size());
        edited.appended.push_back(joint);
    }
    return edited;
}

// Appends joints to a skin of the document, with a new accessor that holds the old matrices as they were and the new.
void extend_skin(const SourceDocument& source, const Rigged& rigged, const Skin& skin, const EditedSkin& edited,
                 const std::vector<int>& node_number, Target& target)
{
    if (edited.appended.empty()) return;
    const tinygltf::Skin& stored = source.model.skins[at(skin.skin)];
    Elements matrices;
    matrices.width = 16;
    if (stored.inverseBindMatrices >= 0) {
        matrices = read_elements(source, stored.inverseBindMatrices, {TINYGLTF_TYPE_MAT4, kMatrixTypes},
                                 fmt::format("skin {}: inverse bind matrices", skin.skin));
        matrices.bytes.resize(stored.joints.size() * kMatrixBytes);
    } else {
        const Eigen::Matrix4f identity = Eigen::Matrix4f::Identity();
        for (std::size_t i = 0; i < stored.joints.size() * 16; ++i) append(matrices.bytes, identity.data()[i % 16]);
    }
    Json& grown = target.document["skins"][at(skin.skin)];
    for (const int joint_index : edited.appended) {
        const Joint& joint = rigged.character.joints[at(joint_index)];
        const Eigen::Matrix4d inverse_bind = joint.bind_from_joint.inverse() * skin.bind_from_mesh;
        for (int i = 0; i < 16; ++i) append(matrices.bytes, static_cast<float>(inverse_bind.data()[i]));
        grown["joints"].push_back(node_number[at(joint.node)]);
    }
    matrices.count = grown["joints"].size();
    grown["inverseBindMatrices"] = target.additions.add_accessor(matrices, "MAT4");
}

// A mesh stores joint slots, so all nodes that place it must use one skin.
void refuse_shared_mesh(const SourceDocument& source, const Primitive& run)
{
    const int skin = source.model.nodes[at(run.node)].skin;
    for (std::size_t n = 0; n < source.model.nodes.size(); ++n) {
        const tinygltf::Node& other = source.model.nodes[n];
        if (other.mesh == run.mesh && other.skin >= 0 && other.skin != skin)
            throw Error(
                Failure::Unsupported,
                fmt::format("mesh {}: nodes {} and {} place it with different skins, which cannot both be fixed",
                            run.mesh, run.node, n));
    }
}

InfluenceSets read_influence_sets(const SourceDocument& source, const tinygltf::Primitive& primitive)
{
    InfluenceSets sets;
    for (int n = 0;; ++n) {
        const auto joints = primitive.attributes.find(fmt::format("JOINTS_{}", n));
        if (joints == primitive.attributes.end()) return sets;
        const int weights = primitive.attributes.at(fmt::format("WEIGHTS_{}", n));
        sets.joints.push_back(read_elements(source, joints->second, {TINYGLTF_TYPE_VEC4, kJointTypes}, joints->first));
        sets.weights.push_back(read_elements(source, weights, {TINYGLTF_TYPE_VEC4, kWeightTypes}, "WEIGHTS"));
        sets.weights.back().normalized = true;
    }
}

InfluenceSets new_influence_sets(const SourceDocument& source, const tinygltf::Primitive& primitive,
                                 const Rigged& rigged, const Primitive& run, const EditedSkin& skin)
{
    const Mesh& mesh = rigged.character.mesh;
    InfluenceSets sets = read_influence_sets(source, primitive);
    std::vector<SlotWeight> influences;
    for (int v = 0; v < run.vertex_count; ++v) {
        const std::size_t vertex = at(run.first_vertex + v);
        if (!rigged.vertex_changed[vertex]) continue;
        influences.clear();
        for (int i = mesh.first_influence[vertex]; i < mesh.first_influence[vertex + 1]; ++i)
            influences.push_back({skin.slot_of_joint[at(mesh.influences[at(i)].joint)], mesh.influences[at(i)].weight});
        store_influences(sets, at(v), influences);
    }
    return sets;
}

// Exporters let primitives share one set of vertices; their new accessors are then shared as well.
using SharedAccessors = std::map<int, std::vector<std::pair<std::vector<std::byte>, int>>>; // by old accessor

int add_shared(SharedAccessors& shared, int old_accessor, const Elements& elements, Additions& additions)
{
    auto& versions = shared[old_accessor];
    const auto same =
        std::find_if(versions.begin(), versions.end(), [&](const auto& v) { return v.first == elements.bytes; });
    if (same != versions.end()) return same->second;
    const int accessor = additions.add_accessor(elements, "VEC4", TINYGLTF_TARGET_ARRAY_BUFFER);
    versions.emplace_back(elements.bytes, accessor);
    return accessor;
}

void edit_primitive(const SourceDocument& source, const Rigged& rigged, const Primitive& run, const EditedSkin& skin,
                    SharedAccessors& shared, Target& target)
{
    refuse_shared_mesh(source, run);
    const tinygltf::Primitive& stored = source.model.meshes[at(run.mesh)].primitives[at(run.primitive)];
    const InfluenceSets sets = new_influence_sets(source, stored, rigged, run, skin);
    Json& primitive = target.document["meshes"][at(run.mesh)]["primitives"][at(run.primitive)];
    for (std::size_t n = 0; n < sets.joints.size(); ++n) {
        const std::string joints = fmt::format("JOINTS_{}", n), weights = fmt::format("WEIGHTS_{}", n);
        primitive["attributes"][joints] =
            add_shared(shared, stored.attributes.at(joints), sets.joints[n], target.additions);
        primitive["attributes"][weights] =
            add_shared(shared, stored.attributes.at(weights), sets.weights[n], target.additions);
    }
    // The compressed copy still has the old weights, and readers that know the extension would prefer it.
    if (const auto extensions = primitive.find("extensions");
        extensions != primitive.end() && extensions->contains(kDraco)) {
        extensions->erase(kDraco);
        if (extensions->empty()) primitive.erase("extensions");
    }
}

void edit_meshes(const SourceDocument& source, const Rigged& rigged, const std::vector<int>& node_number, Target target)
{
    const Character& character = rigged.character;
    std::map<int, EditedSkin> skins; // those with changed vertices
    for (const Primitive& run : character.mesh.primitives)
        if (!skins.contains(run.skin) && run_changed(rigged, run))
            skins[run.skin] = edit_skin(source, rigged, run.skin);
    for (const auto& [index, edited] : skins)
        extend_skin(source, rigged, character.skins[at(index)], edited, node_number, target);

    SharedAccessors shared;
    std::set<std::pair<int, int>> seen; // (mesh, primitive): the first instance stands for all
    for (const Primitive& run : character.mesh.primitives)
        if (seen.emplace(run.mesh, run.primitive).second && run_changed(rigged, run))
            edit_primitive(source, rigged, run, skins.at(run.skin), shared, target);
}

} // namespace

std::vector<std::vector<std::size_t>> splice(const SourceDocument& source, const std::vector<RigEdit>& edits,
                                             Json& document, Additions& additions)
{
    std::vector<std::vector<std::size_t>> sizes;
    for (const RigEdit& edit : edits) {
        const std::vector<int> node_number = add_nodes(*edit.rigged, document);
        edit_meshes(source, *edit.rigged, node_number, {document, additions});
        auto& own = sizes.emplace_back();
        if (!edit.clips) continue;
        for (const BakedClip& clip : *edit.clips)
            own.push_back(splice_clip(edit.rigged->character, clip, node_number, document, additions));
    }
    return sizes;
}

} // namespace tailfix::io
