#include "surface/own_tail.h"

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include <Eigen/Eigenvalues>
#include <fmt/format.h>

#include "rig/joint_tree.h"
#include "rig/names.h"
#include "surface/collar.h"
#include "surface/place.h"
#include "surface/point_tree.h"

namespace tailfix {
namespace {

// A vertex follows joints that have more than half of its weight, and a tail joints that most of its skin follows.
constexpr double kFollows = 0.5;

std::size_t at(int i)
{
    return static_cast<std::size_t>(i);
}

OwnTail named(const Character& character, std::vector<int> joints)
{
    OwnTail own{std::move(joints), {}};
    for (const int j : own.joints) {
        const std::string& name = character.joints[at(j)].name;
        const std::string shown = name.empty() ? fmt::format("joint {}", j) : fmt::format("\"{}\"", name);
        own.names += own.names.empty() ? shown : ", " + shown;
    }
    return own;
}

// Per welded point, the weight on some joints; where its vertices disagree, the most.
std::vector<double> share_of_points(const Character& character, const Weld& weld, const std::vector<int>& joints)
{
    std::vector<bool> is_own(character.joints.size(), false);
    for (const int j : joints) is_own[at(j)] = true;
    const Mesh& mesh = character.mesh;
    std::vector<double> share(weld.points.size(), 0);
    for (int v = 0; v < mesh.vertex_count(); ++v) {
        double own = 0;
        for (int i = mesh.first_influence[at(v)]; i < mesh.first_influence[at(v) + 1]; ++i)
            if (is_own[at(mesh.influences[at(i)].joint)]) own += mesh.influences[at(i)].weight;
        double& most = share[at(weld.point_of_vertex[at(v)])];
        most = std::max(most, own);
    }
    return share;
}

// Joints that the body is made of, whatever they are called: the line from the pelvis to the head and all above the
// pelvis, the head with what hangs from it, and legs.
bool is_body(const Character& character, const Roles& roles, int joint)
{
    const Role role = roles.role[at(joint)];
    return role == Role::Pelvis || role == Role::Head || role == Role::Neck || role == Role::Thigh ||
           role == Role::Shin || role == Role::Foot || is_above(character, joint, roles.pelvis) ||
           (roles.head != kNone && is_above(character, joint, roles.head));
}

// Whether a joint hangs from the pelvis, from what is above it, or from the spine as low as a tail may grow.
bool hangs_from_pelvis(const Character& character, const Roles& roles, int joint, double highest)
{
    int above = joint;
    while (above != kNone && !is_body(character, roles, above)) above = character.joints[at(above)].parent;
    if (above == kNone || above == joint) return false;
    if (is_above(character, above, roles.pelvis)) return true;
    const bool spine = roles.head != kNone && above != roles.head && is_above(character, above, roles.head);
    return spine && place_of(character, roles, character.joints[at(above)].position()).axis <= highest;
}

double distance_to_bones(const Roles& roles, const std::vector<bool>& skip, const Eigen::Vector3d& p)
{
    double nearest = std::numeric_limits<double>::infinity();
    for (const Bone& bone : roles.bones) {
        if (skip[at(bone.joint)]) continue;
        const Eigen::Vector3d along = bone.tail - bone.head;
        const double length2 = along.squaredNorm();
        const double t = length2 > 0 ? std::clamp((p - bone.head).dot(along) / length2, 0.0, 1.0) : 0;
        nearest = std::min(nearest, (p - bone.head - t * along).norm());
    }
    return nearest;
}

// How thick skin is around the bones of a chain, across its width: 1 for a round tail, near 0 for a panel of cloth.
double roundness(const Roles& roles, const Weld& weld, const std::vector<int>& points, const std::vector<bool>& chain)
{
    Eigen::Matrix2d covariance = Eigen::Matrix2d::Zero();
    for (const int p : points) {
        double nearest = std::numeric_limits<double>::infinity();
        Eigen::Vector2d offset = Eigen::Vector2d::Zero();
        for (const Bone& bone : roles.bones) {
            const Eigen::Vector3d along = bone.tail - bone.head;
            if (!chain[at(bone.joint)] || along.norm() <= 0) continue;
            const Eigen::Vector3d axis = along.normalized(), from_head = weld.points[at(p)] - bone.head;
            const double t = std::clamp(from_head.dot(axis), 0.0, along.norm());
            const Eigen::Vector3d away = from_head - t * axis;
            if (away.norm() >= nearest) continue;
            nearest = away.norm();
            const Eigen::Vector3d side = (roles.frame.left - roles.frame.left.dot(axis) * axis).normalized();
            offset = {away.dot(side), away.dot(axis.cross(side))};
        }
        covariance += offset * offset.transpose();
    }
    const Eigen::Vector2d spread = Eigen::SelfAdjointEigenSolver<Eigen::Matrix2d>(covariance).eigenvalues();
    return spread[1] > 0 ? std::sqrt(std::max(spread[0], 0.0) / spread[1]) : 0;
}

// Whether a joint has a twin on the other side, as arms and the sides of a skirt have.
bool has_twin(const Character& character, const Roles& roles, int joint)
{
    constexpr double kOffMiddle = 0.02, kReach = 0.08; // of S: as far as legs may be from mirror images (roles)
    const Eigen::Vector3d here = character.joints[at(joint)].position();
    const double lateral = here.dot(roles.frame.left) - roles.mirror;
    if (std::abs(lateral) <= kOffMiddle * roles.size) return false;
    const Eigen::Vector3d image = here - 2 * lateral * roles.frame.left;
    for (std::size_t j = 0; j < character.joints.size(); ++j) {
        const Eigen::Vector3d there = character.joints[j].position();
        const bool other_side = (there.dot(roles.frame.left) - roles.mirror) * lateral < 0;
        if (roles.live[j] && other_side && (there - image).norm() < kReach * roles.size) return true;
    }
    return false;
}

// The live joints at and below `root`.
std::vector<int> chain_below(const Character& character, const Roles& roles, int root)
{
    std::vector<int> chain;
    for (int j = root; j < static_cast<int>(character.joints.size()); ++j)
        if (roles.live[at(j)] && is_above(character, root, j)) chain.push_back(j);
    return chain;
}

// Those that hang from the pelvis, or near it, and are no part of the body.
std::vector<std::vector<int>> chains_on_pelvis(const Character& character, const Roles& roles,
                                               const SectionOptions& options)
{
    std::vector<std::vector<int>> chains;
    for (int j = 0; j < static_cast<int>(character.joints.size()); ++j) {
        const int parent = character.joints[at(j)].parent;
        const bool root = parent != kNone && is_body(character, roles, parent) && !is_body(character, roles, j);
        if (root && roles.live[at(j)] && hangs_from_pelvis(character, roles, j, options.axis))
            chains.push_back(chain_below(character, roles, j));
    }
    return chains;
}

// Whether most of some skin follows some joints.
bool follows(const Character& character, const Weld& weld, const std::vector<int>& points,
             const std::vector<int>& joints)
{
    const auto share = share_of_points(character, weld, joints);
    const auto follow = std::count_if(points.begin(), points.end(), [&](int p) { return share[at(p)] > kFollows; });
    return static_cast<double>(follow) > kFollows * static_cast<double>(points.size());
}

// The tests of shape that tails without bones pass. The skin of a joint of the body fails them, also where a tail is
// most of it.
bool is_long(const Appendage& piece, const DetectOptions& options)
{
    return static_cast<int>(piece.points.size()) >= options.classify.min_points && piece.root_radius > 0 &&
           piece.reach >= 2 * piece.root_radius * options.sections.slender &&
           piece.elongation >= options.classify.elongation;
}

// The joint of a chain that lies farthest from its first.
int tip_of(const Character& character, const std::vector<int>& chain)
{
    const auto away = [&](int j) {
        return (character.joints[at(j)].position() - character.joints[at(chain.front())].position()).norm();
    };
    return *std::max_element(chain.begin(), chain.end(), [&](int a, int b) { return away(a) < away(b); });
}

// Whether a chain leaves the body and holds skin shaped like a tail.
bool has_tail_shape(const Character& character, const Roles& roles, const Weld& weld, const std::vector<int>& chain,
                    const DetectOptions& options)
{
    const int tip = tip_of(character, chain);
    std::vector<bool> in_chain(character.joints.size(), false);
    for (const int j : chain) in_chain[at(j)] = true;
    if (has_twin(character, roles, tip) ||
        distance_to_bones(roles, in_chain, character.joints[at(tip)].position()) <= options.cluster.far * roles.height)
        return false;
    const Appendage piece = piece_of_joints(character, roles, weld, chain, options);
    return is_long(piece, options) && roundness(roles, weld, piece.points, in_chain) >= options.sections.flat;
}

bool grows_where_tails_do(const Character& character, const Roles& roles, const std::vector<int>& chain,
                          const SectionOptions& o)
{
    const BodyPlace root = place_of(character, roles, character.joints[at(chain.front())].position());
    const BodyPlace tip = place_of(character, roles, character.joints[at(tip_of(character, chain))].position());
    return root.lateral <= o.middle && root.behind >= o.behind && root.down <= o.low && tip.behind > 0;
}

// Without names, the head is the middle leaf farthest from the legs, and that may be a long tail's tip. It is where it
// ends a line without branches that hangs from the joint of a pair of legs, while another line along the middle does
// branch: into arms, ears or a jaw. Empty where the head is one.
std::vector<int> chain_to_false_head(const Character& character, const Roles& roles, double middle)
{
    if (roles.head == kNone || names_head(read_name(character.joints[at(roles.head)].name))) return {};
    const JointTree tree = make_joint_tree(character);
    const auto live_children = [&](int j) {
        return std::count_if(tree.children[at(j)].begin(), tree.children[at(j)].end(),
                             [&](int child) { return tree.live[at(child)]; });
    };
    std::vector<int> chain{roles.head};
    int holder = character.joints[at(roles.head)].parent;
    for (; holder != kNone && live_children(holder) == 1; holder = character.joints[at(holder)].parent)
        chain.insert(chain.begin(), holder);
    const auto is_of_leg = [&](int leaf) { return holder != kNone && is_above(character, holder, leaf); };
    if (std::none_of(roles.leg_leaves.begin(), roles.leg_leaves.end(), is_of_leg)) return {};
    for (int j = 0; j < tree.size(); ++j) {
        const int parent = character.joints[at(j)].parent;
        if (!tree.live[at(j)] || parent == kNone || !is_above(character, parent, roles.head) ||
            is_above(character, j, roles.head) || place_of(character, roles, tree.position[at(j)]).lateral > middle)
            continue;
        int leaves = 0;
        for (int k = j; k < tree.size(); ++k) leaves += tree.live_leaf[at(k)] && is_above(character, j, k);
        if (leaves > 1) return chain;
    }
    return {};
}

} // namespace

// A pony tail is hair, and coat tails are clothing.
std::optional<OwnTail> find_own_tail_by_name(const Character& character, const Roles& roles)
{
    std::vector<int> joints;
    for (std::size_t j = 0; j < character.joints.size(); ++j) {
        const JointName name = read_name(character.joints[j].name);
        const bool other = std::any_of(name.words.begin(), name.words.end(), [](const std::string& w) {
            return w == "pony" || w == "pig" || w == "hair" || w == "coat" || w == "shirt" || w == "jacket" ||
                   w == "dress";
        });
        if (!roles.live[j] || !names_tail(name) || other || roles.role[j] == Role::Head) continue;
        joints.push_back(static_cast<int>(j));
    }
    if (joints.empty()) return std::nullopt;
    return named(character, std::move(joints));
}

std::optional<OwnTail> own_tail_of_skin(const Character& character, const Roles& roles, const Weld& weld,
                                        const Tail& tail, const DetectOptions& options)
{
    const PointTree tree(weld.points);
    const auto& points = tail.points;
    std::vector<int> inside;
    for (int j = 0; j < static_cast<int>(character.joints.size()); ++j) {
        if (!roles.live[at(j)] || is_body(character, roles, j) ||
            !hangs_from_pelvis(character, roles, j, options.sections.axis))
            continue;
        // Thighs and hips lie in other skin than the tail's.
        const int nearest = tree.nearest(character.joints[at(j)].position()).point;
        if (std::binary_search(points.begin(), points.end(), nearest)) inside.push_back(j);
    }
    if (!inside.empty() && follows(character, weld, points, inside)) return named(character, std::move(inside));
    // Bones explain the part of a tail that is near them: what was found may be no more than its end.
    for (auto& chain : chains_on_pelvis(character, roles, options.sections))
        if (follows(character, weld, points, chain) &&
            is_long(piece_of_joints(character, roles, weld, chain, options), options))
            return named(character, std::move(chain));
    return std::nullopt;
}

std::optional<OwnTail> find_own_tail_by_place(const Character& character, const Roles& roles, const Weld& weld,
                                              const DetectOptions& options)
{
    for (auto& chain : chains_on_pelvis(character, roles, options.sections))
        if (grows_where_tails_do(character, roles, chain, options.sections) &&
            has_tail_shape(character, roles, weld, chain, options))
            return named(character, std::move(chain));
    return std::nullopt;
}

std::optional<OwnTail> own_tail_for_head(const Character& character, const Roles& roles, const Weld& weld,
                                         const DetectOptions& options)
{
    auto chain = chain_to_false_head(character, roles, options.sections.middle);
    if (chain.empty() || !has_tail_shape(character, roles, weld, chain, options)) return std::nullopt;
    return named(character, std::move(chain));
}

Appendage piece_of_joints(const Character& character, const Roles& roles, const Weld& weld,
                          const std::vector<int>& joints, const DetectOptions& options)
{
    const auto share = share_of_points(character, weld, joints);
    std::vector<int> points;
    for (std::size_t p = 0; p < share.size(); ++p)
        if (share[p] > kFollows) points.push_back(static_cast<int>(p));
    Appendage piece;
    if (!points.empty()) {
        const auto collar = collar_of(weld, points);
        piece = measure_piece(character, roles, weld, std::move(points), collar, options.classify);
    }
    piece.kind = AppendageClass::Tail;
    piece.found_by = "joints";
    piece.attach = character.joints[at(joints.front())].parent;
    return piece;
}

void report_own_tail(const Character& character, const Roles& roles, const Weld& weld, const OwnTail& own,
                     const DetectOptions& options, Detection& out)
{
    Appendage piece = piece_of_joints(character, roles, weld, own.joints, options);
    piece.reasons.push_back("it already has bones: " + own.names);
    out.appendages.insert(out.appendages.begin() + static_cast<std::ptrdiff_t>(out.tails.size()), std::move(piece));
    out.own_tail.insert(out.own_tail.end(), own.joints.begin(), own.joints.end());
    if (out.tails.empty()) out.why_none = "the rig's tail already has bones: " + own.names;
}

void leave_own_tails(const Character& character, const Roles& roles, const Weld& weld, const DetectOptions& options,
                     Detection& out)
{
    // Where the head is a tail's tip, front is behind, and what was found is no tail.
    if (const auto own = own_tail_for_head(character, roles, weld, options)) {
        for (std::size_t i = 0; i < out.tails.size(); ++i) out.appendages[i].kind = AppendageClass::Head;
        out.tails.clear();
        report_own_tail(character, roles, weld, *own, options, out);
        return;
    }
    const bool none = out.tails.empty();
    for (std::size_t i = 0; i < out.tails.size();) {
        const auto own = own_tail_of_skin(character, roles, weld, out.tails[i], options);
        if (!own) {
            ++i;
            continue;
        }
        out.tails.erase(out.tails.begin() + static_cast<std::ptrdiff_t>(i));
        out.appendages.erase(out.appendages.begin() + static_cast<std::ptrdiff_t>(i));
        report_own_tail(character, roles, weld, *own, options, out);
    }
    if (!none) return;
    if (const auto own = find_own_tail_by_place(character, roles, weld, options))
        report_own_tail(character, roles, weld, *own, options, out);
}

} // namespace tailfix
