#include <tailfix/rig/rest_pose.h>

#include <algorithm>
#include <array>
#include <cmath>
#include <set>

#include <Eigen/Geometry>
#include <Eigen/LU>

#include "support/catch.h"
#include "support/characters.h"

using namespace tailfix;
using Eigen::Matrix4d;
using Eigen::Vector3d;
using Eigen::Vector4d;

namespace {

std::size_t at(int i)
{
    return static_cast<std::size_t>(i);
}

Matrix4d local_of(const Node& node)
{
    const Eigen::Affine3d local = Eigen::Translation3d(node.translation) * node.rotation * Eigen::Scaling(node.scale);
    return node.matrix.value_or(local.matrix());
}

// A cat whose joints have the given linear part in bind space, with local transforms as matrices (a mirrored or sheared
// bind pose has no rotation and scale).
support::Cat cat_with_binds(const Eigen::Matrix3d& linear)
{
    support::Cat cat = support::make_cat();
    auto& joints = cat.character.joints;
    for (auto& joint : joints) joint.bind_from_joint.topLeftCorner<3, 3>() = linear;
    for (const auto& joint : joints) {
        const Matrix4d parent = joint.parent == kNone ? Matrix4d::Identity() : joints[at(joint.parent)].bind_from_joint;
        cat.character.nodes[at(joint.node)].matrix = parent.inverse() * joint.bind_from_joint;
    }
    return cat;
}

struct Grown {
    Weld weld;
    std::vector<Chain> chains;
    SkinWeights weights;
    Rigged rigged;
};

Grown grow(const support::Cat& cat, int tails = 1)
{
    Grown grown;
    grown.weld = weld_vertices(cat.character.mesh);
    Chain chain;
    chain.name = "Tail";
    chain.attach = cat.roles.pelvis;
    chain.joints = {Vector3d(0, 0.95, -0.1), Vector3d(0, 0.9, -0.3), Vector3d(0.02, 0.78, -0.45),
                    Vector3d(0, 0.66, -0.7)};
    for (int i = 0; i < tails; ++i) grown.chains.push_back(chain);
    // Each vertex of the tail goes to the link that its depth says, half and half with the attachment.
    const int first_link = static_cast<int>(cat.character.joints.size());
    std::set<int> points;
    for (std::size_t v = 0; v < cat.tail.size(); ++v)
        if (cat.tail[v]) points.insert(grown.weld.point_of_vertex[v]);
    for (const int p : points) {
        const double z = grown.weld.points[at(p)].z();
        const int link = first_link + (z > -0.3 ? 0 : z > -0.45 ? 1 : 2);
        grown.weights.points.push_back({p, {{link, 0.5}, {chain.attach, 0.5}}});
    }
    grown.rigged = add_chains(cat.character, grown.weld, grown.chains, grown.weights);
    return grown;
}

std::vector<Matrix4d> pose_of(const Character& character)
{
    std::vector<Matrix4d> world(character.nodes.size());
    for (const int n : character.node_order) {
        const Node& node = character.nodes[at(n)];
        world[at(n)] = local_of(node);
        if (node.parent != kNone) world[at(n)] = world[at(node.parent)] * world[at(n)];
    }
    return world;
}

} // namespace

TEST_CASE("at rest, the grown skin is where it was, under any bind rotation, scale or mirror", "[rig][rest_pose]")
{
    const Eigen::Matrix3d turn = Eigen::AngleAxisd(1.2, Vector3d(1, 2, -1).normalized()).toRotationMatrix();
    const int kind = GENERATE(0, 1, 2, 3, 4);
    const std::array<Eigen::Matrix3d, 5> linears{Eigen::Matrix3d::Identity(), turn, 0.01 * turn,
                                                 turn * Vector3d(-1, 1, 1).asDiagonal(),
                                                 turn * Vector3d(100, 40, 250).asDiagonal() * turn.transpose()};
    const support::Cat cat = cat_with_binds(linears[at(kind)]);
    const Grown grown = grow(cat);
    const Character& character = grown.rigged.character;

    const auto world = pose_of(character);
    const Mesh& mesh = character.mesh;
    for (int v = 0; v < mesh.vertex_count(); ++v) {
        const Vector4d p = mesh.positions[at(v)].homogeneous();
        Vector4d skinned = Vector4d::Zero();
        for (int i = mesh.first_influence[at(v)]; i < mesh.first_influence[at(v) + 1]; ++i) {
            const auto& [joint, weight] = mesh.influences[at(i)];
            skinned += weight * (world[at(character.joints[at(joint)].node)] *
                                 (character.joints[at(joint)].bind_from_joint.inverse() * p));
        }
        REQUIRE((skinned - p).norm() < 1e-9);
    }
}

TEST_CASE("a chain is joints from the attachment to an end, each a translation from its parent", "[rig][rest_pose]")
{
    const support::Cat cat = cat_with_binds(0.01 * Eigen::AngleAxisd(0.7, Vector3d::UnitY()).toRotationMatrix());
    const Grown grown = grow(cat);
    const Character& character = grown.rigged.character;
    const JointChain& chain = grown.rigged.chains.at(0);
    REQUIRE(chain.links.size() == 3);
    CHECK(grown.rigged.first_new_joint == static_cast<int>(cat.character.joints.size()));
    CHECK(grown.rigged.first_new_node == static_cast<int>(cat.character.nodes.size()));

    std::vector<int> joints = chain.links;
    joints.push_back(chain.end);
    const std::vector<std::string> names{"Tail_1", "Tail_2", "Tail_3", "Tail_End"};
    int parent = chain.attach;
    for (std::size_t i = 0; i < joints.size(); ++i) {
        const Joint& joint = character.joints[at(joints[i])];
        const Node& node = character.nodes[at(joint.node)];
        CHECK(joints[i] == grown.rigged.first_new_joint + static_cast<int>(i));
        CHECK(joint.name == names[i]);
        CHECK(node.name == names[i]);
        CHECK(joint.parent == parent);
        CHECK(joint.parent < joints[i]);
        CHECK(node.parent == character.joints[at(parent)].node);
        CHECK_FALSE(node.matrix);
        CHECK(node.rotation.isApprox(Eigen::Quaterniond::Identity()));
        CHECK(node.scale == Vector3d::Ones());
        CHECK(joint.position() == grown.chains[0].joints[i]);
        CHECK((joint.bind_from_joint * joint.bind_from_joint.inverse() - Matrix4d::Identity()).norm() < 1e-9);
        parent = joints[i];
    }
    std::vector<bool> done(character.nodes.size(), false);
    for (const int n : character.node_order) {
        if (character.nodes[at(n)].parent != kNone) REQUIRE(done[at(character.nodes[at(n)].parent)]);
        done[at(n)] = true;
    }
    CHECK(std::count(done.begin(), done.end(), true) == static_cast<int>(done.size()));
}

TEST_CASE("vertices that no new weight names keep theirs bit for bit, seam copies change together", "[rig][rest_pose]")
{
    support::CatOptions options;
    options.seams = true;
    const support::Cat cat = support::make_cat(options);
    const Grown grown = grow(cat);
    const Mesh &before = cat.character.mesh, &after = grown.rigged.character.mesh;
    REQUIRE(grown.rigged.vertex_changed.size() == before.positions.size());
    std::vector<int> changed_of_point(grown.weld.points.size(), kNone);
    for (int v = 0; v < before.vertex_count(); ++v) {
        const bool changed = grown.rigged.vertex_changed[at(v)];
        int& seen = changed_of_point[at(grown.weld.point_of_vertex[at(v)])];
        if (seen != kNone) REQUIRE(seen == static_cast<int>(changed));
        seen = static_cast<int>(changed);
        if (cat.tail[at(v)]) REQUIRE(changed);
        if (changed) continue;
        const int count = before.first_influence[at(v) + 1] - before.first_influence[at(v)];
        REQUIRE(after.first_influence[at(v) + 1] - after.first_influence[at(v)] == count);
        for (int i = 0; i < count; ++i) {
            const Influence& x = before.influences[at(before.first_influence[at(v)] + i)];
            const Influence& y = after.influences[at(after.first_influence[at(v)] + i)];
            REQUIRE(x.joint == y.joint);
            REQUIRE(x.weight == y.weight);
        }
    }
}

TEST_CASE("weights that repeat the file's change nothing", "[rig][rest_pose]")
{
    const support::Cat cat = support::make_cat();
    const Weld weld = weld_vertices(cat.character.mesh);
    const Mesh& mesh = cat.character.mesh;
    PointWeights same{0, {mesh.influences.begin(), mesh.influences.begin() + mesh.first_influence[1]}};
    std::reverse(same.influences.begin(), same.influences.end());
    SkinWeights weights;
    weights.points = {same};
    const Rigged rigged = add_chains(cat.character, weld, {}, weights);
    CHECK(std::count(rigged.vertex_changed.begin(), rigged.vertex_changed.end(), true) == 0);
    CHECK(rigged.character.nodes.size() == cat.character.nodes.size());
    CHECK(rigged.character.skins[0].joints == cat.character.skins[0].joints);
}

TEST_CASE("names that the file has taken are passed over", "[rig][rest_pose]")
{
    support::Cat cat = support::make_cat();
    cat.character.nodes[0].name = GENERATE("Tail_2", "Tail_End", "Tail2_1");
    const bool first_taken = cat.character.nodes[0].name != "Tail2_1";
    const Grown grown = grow(cat, 2);
    CHECK(grown.rigged.chains[0].name == (first_taken ? "Tail2" : "Tail"));
    CHECK(grown.rigged.chains[1].name == "Tail3");
    std::set<std::string> names;
    for (const auto& node : grown.rigged.character.nodes) CHECK(names.insert(node.name).second);
}

TEST_CASE("only skins whose vertices change grow, by all new joints, and by the attachment where they lack it",
          "[rig][rest_pose]")
{
    support::Cat cat = support::make_cat();
    Character& character = cat.character;
    // A second skin for the tail that knows no pelvis, a third for nothing that changes.
    Mesh& mesh = character.mesh;
    const int count = mesh.vertex_count();
    Skin other;
    other.skin = 1;
    other.joints = {3, 2, 1};
    character.skins.push_back(other);
    other.skin = 2;
    character.skins.push_back(other);
    support::Tube tube;
    tube.rings = 5;
    for (int copy = 1; copy <= 2; ++copy) {
        Mesh shell = support::make_tube(tube);
        for (auto& p : shell.positions) p += Vector3d(3 * copy, 0, 0);
        support::append_shell(character, shell, 1);
        mesh.primitives.push_back({0, copy, 0, copy, mesh.vertex_count() - 5 * 24, 5 * 24});
    }
    mesh.primitives[0].vertex_count = count;
    const Weld weld = weld_vertices(mesh);
    Chain chain;
    chain.name = "Tail";
    chain.attach = cat.roles.pelvis;
    chain.joints = {Vector3d(3, 0, 0), Vector3d(3, 0, -0.5), Vector3d(3, 0, -1)};
    const int first = static_cast<int>(character.joints.size());
    SkinWeights weights;
    weights.points = {{weld.point_of_vertex[at(count)], {{chain.attach, 0.5}, {first, 0.5}}}};
    const Rigged rigged = add_chains(character, weld, {chain}, weights);
    CHECK(rigged.character.skins[0].joints == character.skins[0].joints);
    CHECK(rigged.character.skins[1].joints == std::vector<int>{3, 2, 1, chain.attach, first, first + 1, first + 2});
    CHECK(rigged.character.skins[2].joints == std::vector<int>{3, 2, 1});
}
