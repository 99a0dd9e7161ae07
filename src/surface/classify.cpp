#include <tailfix/surface/classify.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <numeric>
#include <utility>

#include <Eigen/Eigenvalues>
#include <Eigen/Geometry>
#include <fmt/format.h>

#include <tailfix/surface/distance_field.h>

#include "surface/evidence.h"
#include "surface/point_tree.h"
#include "surface/union_find.h"

namespace tailfix {
namespace {

std::size_t at(int i)
{
    return static_cast<std::size_t>(i);
}

bool is_limb(Role role)
{
    return role == Role::Thigh || role == Role::Shin || role == Role::Foot || role == Role::Arm;
}

bool is_torso(Role role)
{
    return role == Role::Pelvis || role == Role::Spine;
}

// A joint without a role of its own (a prop, a twist bone) counts as the nearest ancestor that has one.
Role effective_role(const Character& character, const Roles& roles, int joint)
{
    while (joint != kNone && roles.role[at(joint)] == Role::Other) joint = character.joints[at(joint)].parent;
    return joint == kNone ? Role::Other : roles.role[at(joint)];
}

std::string joint_label(const Character& character, int joint)
{
    const std::string& name = character.joints[at(joint)].name;
    return name.empty() ? fmt::format("joint {}", joint) : name;
}

Eigen::Vector3d centroid_of(const Weld& weld, const std::vector<int>& points)
{
    Eigen::Vector3d sum = Eigen::Vector3d::Zero();
    for (const int p : points) sum += weld.points[at(p)];
    return sum / static_cast<double>(points.size());
}

double elongation_of(const Weld& weld, const std::vector<int>& points, const Eigen::Vector3d& centroid)
{
    Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();
    for (const int p : points) {
        const Eigen::Vector3d offset = weld.points[at(p)] - centroid;
        covariance += offset * offset.transpose();
    }
    const Eigen::Vector3d l =
        Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(covariance, Eigen::EigenvaluesOnly).eigenvalues();
    constexpr double kLine = 1000; // longer than anything made of skin; keeps the number finite
    if (l[2] <= 0) return 1;       // all points in one place
    return l[1] * kLine * kLine <= l[2] ? kLine : std::sqrt(l[2] / l[1]);
}

// method.md 3: the nearest joint, with a bias from limbs to the torso. Only joints that carry skin count: root and
// control joints stand anywhere.
int find_attachment(const Character& character, const Roles& roles, const Eigen::Vector3d& collar_centroid, double bias)
{
    const double infinity = std::numeric_limits<double>::infinity();
    const bool any_live = std::find(roles.live.begin(), roles.live.end(), true) != roles.live.end();
    int nearest = kNone, nearest_torso = kNone;
    double distance = infinity, torso_distance = infinity;
    for (int j = 0; j < static_cast<int>(character.joints.size()); ++j) {
        if (any_live && !roles.live[at(j)]) continue;
        const double d = (character.joints[at(j)].position() - collar_centroid).norm();
        if (d < distance) {
            distance = d;
            nearest = j;
        }
        if (d < torso_distance && is_torso(roles.role[at(j)])) {
            torso_distance = d;
            nearest_torso = j;
        }
    }
    const bool on_limb = nearest != kNone && is_limb(effective_role(character, roles, nearest));
    return on_limb && torso_distance <= bias * distance ? nearest_torso : nearest;
}

// How wide a ring at the gap of a shell counts: 1.25 times the smallest gap plus 0.002 S (detection.md 2, where shells
// are bridged over the same points).
double ring_limit(double smallest, double size)
{
    return 1.25 * smallest + 0.002 * size;
}

// The points of a loose shell that are nearest to `body`, or to the skeleton where there is no other skin to hang from.
std::vector<int> nearest_ring(const Roles& roles, const Weld& weld, const std::vector<int>& points,
                              const PointTree& body)
{
    constexpr double kBeyond = std::numeric_limits<double>::infinity();
    std::vector<double> gap(points.size(), kBeyond);
    double smallest = kBeyond;
    // No point is looked for farther away than the ring may still reach.
    for (std::size_t i = 0; i < points.size(); ++i) {
        const auto hit = body.nearest(weld.points[at(points[i])], ring_limit(smallest, roles.size));
        if (hit.point < 0) continue;
        gap[i] = hit.distance;
        smallest = std::min(smallest, gap[i]);
    }
    if (std::isinf(smallest)) {
        for (std::size_t i = 0; i < points.size(); ++i)
            gap[i] = distance_to_bones(weld.points[at(points[i])], roles.bones);
        smallest = *std::min_element(gap.begin(), gap.end());
    }
    std::vector<int> ring;
    for (std::size_t i = 0; i < points.size(); ++i)
        if (gap[i] <= ring_limit(smallest, roles.size)) ring.push_back(points[i]);
    return ring.empty() ? std::vector<int>{points.front()} : ring;
}

// The skin that `taken` leaves.
std::vector<Eigen::Vector3d> rest_of_skin(const Weld& weld, const std::vector<bool>& taken)
{
    std::vector<Eigen::Vector3d> rest;
    for (std::size_t p = 0; p < taken.size(); ++p)
        if (!taken[p]) rest.push_back(weld.points[p]);
    return rest;
}

// A box along the character's own axes, so that turning the model turns the box.
Eigen::AlignedBox3d box_of(const Roles& roles, const Weld& weld, const std::vector<int>& points)
{
    Eigen::Matrix3d frame_from_bind;
    frame_from_bind << roles.frame.left.transpose(), roles.frame.up.transpose(), roles.frame.forward.transpose();
    Eigen::AlignedBox3d box;
    for (const int p : points) box.extend(frame_from_bind * weld.points[at(p)]);
    // A flat sheet along an axis has no volume to compare: give every box the thickness at which shells are one skin.
    const Eigen::Vector3d pad = Eigen::Vector3d::Constant(0.001 * roles.size);
    return Eigen::AlignedBox3d(box.min() - pad, box.max() + pad);
}

std::vector<int> united(const std::vector<int>& a, const std::vector<int>& b)
{
    std::vector<int> both;
    std::set_union(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    return both;
}

// Shells: points connected over triangles.
struct Shells {
    std::vector<int> of_point;
    std::vector<int> size; // by shell number (that of its first point)
    int body = kNone;      // the largest
};

Shells find_shells(const Weld& weld)
{
    UnionFind sets(static_cast<int>(weld.points.size()));
    for (const auto& t : weld.triangles) {
        sets.unite(t[0], t[1]);
        sets.unite(t[1], t[2]);
    }
    Shells shells;
    shells.size.resize(weld.points.size(), 0);
    for (int p = 0; p < static_cast<int>(weld.points.size()); ++p) {
        shells.of_point.push_back(sets.find(p));
        ++shells.size[at(shells.of_point.back())];
    }
    if (!shells.size.empty())
        shells.body = static_cast<int>(std::max_element(shells.size.begin(), shells.size.end()) - shells.size.begin());
    return shells;
}

// Whether a piece lies on other shells than the body's, and is more than half of them.
bool is_own_shell(const Shells& shells, const std::vector<int>& points)
{
    std::vector<int> touched;
    for (const int p : points) touched.push_back(shells.of_point[at(p)]);
    std::sort(touched.begin(), touched.end());
    touched.erase(std::unique(touched.begin(), touched.end()), touched.end());
    if (std::binary_search(touched.begin(), touched.end(), shells.body)) return false;
    std::size_t total = 0;
    for (const int shell : touched) total += at(shells.size[at(shell)]);
    return 2 * points.size() > total;
}

bool larger(const Appendage& a, const Appendage& b)
{
    if (a.points.size() != b.points.size()) return a.points.size() > b.points.size();
    return a.points.front() < b.points.front();
}

// Fur over skin: one piece where the boxes of two with one attachment overlap by more than half of the smaller. Largest
// first, so that shells gather around the piece they cover.
std::vector<Appendage> merge_overlapping(const Character& character, const Roles& roles, const Weld& weld,
                                         std::vector<Appendage> pieces, const ClassifyOptions& options)
{
    std::sort(pieces.begin(), pieces.end(), larger);
    std::vector<Appendage> merged;
    std::vector<Eigen::AlignedBox3d> boxes;
    std::vector<bool> grown;
    for (auto& piece : pieces) {
        const Eigen::AlignedBox3d box = box_of(roles, weld, piece.points);
        std::size_t host = 0;
        for (; host < merged.size(); ++host) {
            if (merged[host].attach != piece.attach) continue;
            const Eigen::AlignedBox3d common = boxes[host].intersection(box);
            const double smaller = std::min(boxes[host].volume(), box.volume());
            if (!common.isEmpty() && common.volume() > options.merge_overlap * smaller) break;
        }
        if (host == merged.size()) {
            merged.push_back(std::move(piece));
            boxes.push_back(box);
            grown.push_back(false);
        } else {
            merged[host].points = united(merged[host].points, piece.points);
            merged[host].collar = united(merged[host].collar, piece.collar);
            boxes[host].extend(box);
            grown[host] = true;
        }
    }
    for (std::size_t i = 0; i < merged.size(); ++i)
        if (grown[i])
            merged[i] = measure_piece(character, roles, weld, std::move(merged[i].points), std::move(merged[i].collar),
                                      options);
    return merged;
}

} // namespace

std::string_view class_name(AppendageClass kind)
{
    switch (kind) {
    case AppendageClass::Tail:
        return "tail";
    case AppendageClass::Worn:
        return "worn";
    case AppendageClass::Wide:
        return "wide";
    case AppendageClass::Head:
        return "head";
    case AppendageClass::Limb:
        return "limb";
    case AppendageClass::Body:
        break;
    }
    return "body";
}

Appendage measure_piece(const Character& character, const Roles& roles, const Weld& weld, std::vector<int> points,
                        std::vector<int> collar, const ClassifyOptions& options)
{
    if (points.empty()) return {};
    if (collar.empty()) {
        std::vector<bool> taken(weld.points.size(), false);
        for (const int p : points) taken[at(p)] = true;
        const auto rest = rest_of_skin(weld, taken);
        collar = nearest_ring(roles, weld, points, PointTree(rest));
    }
    Appendage piece;
    piece.points = std::move(points);
    piece.collar = std::move(collar);
    piece.collar_centroid = centroid_of(weld, piece.collar);
    for (const int p : piece.collar) piece.root_radius += (weld.points[at(p)] - piece.collar_centroid).norm();
    piece.root_radius /= static_cast<double>(piece.collar.size());
    piece.attach = find_attachment(character, roles, piece.collar_centroid, options.collar_bias);
    for (const int p : piece.points)
        piece.reach = std::max(piece.reach, (weld.points[at(p)] - piece.collar_centroid).norm());
    piece.length = piece.reach;
    const Eigen::Vector3d centroid = centroid_of(weld, piece.points);
    piece.elongation = elongation_of(weld, piece.points, centroid);
    piece.centroid_distance = distance_to_bones(centroid, roles.bones);
    return piece;
}

Appendage classify_piece(const Character& character, const Roles& roles, Appendage piece,
                         const ClassifyOptions& options)
{
    piece.reasons.clear();
    piece.class_tests.clear();
    piece.class_decided = 0;
    piece.kind = AppendageClass::Body;
    if (piece.attach == kNone) {
        Evidence e;
        e.require("on a joint", false, "no joint to hang from");
        piece.class_tests = e.tests;
        piece.reasons.push_back(e.tests.front().text);
        return piece;
    }
    const double share = piece.reach > 0 ? piece.centroid_distance / piece.reach : 0;
    const bool lies_along = share < options.centroid;
    const std::string centre = fmt::format("its centre is {:.0f}% of its reach from the skeleton, {} {:.0f}%{}",
                                           100 * share, lies_along ? "below" : "at least", 100 * options.centroid,
                                           !lies_along       ? ""
                                           : piece.own_shell ? ": a shell of its own along the body"
                                                             : ": skin around a bone");
    const Role role = effective_role(character, roles, piece.attach);
    const bool on_pelvis = piece.attach == roles.pelvis || role == Role::Pelvis;
    const bool is_long = piece.elongation >= options.elongation;
    const bool on_head = role == Role::Head || role == Role::Neck;
    const std::string joint = joint_label(character, piece.attach);
    const std::string hangs = on_head ? fmt::format("hangs from {}, a joint of the head or neck", joint)
                              : is_limb(role)
                                  ? fmt::format("hangs from {}, a joint of an arm or leg", joint)
                                  : fmt::format("hangs from {}, {}the pelvis", joint, on_pelvis ? "" : "not ");

    // All are made, so that a report can show the others too; the class goes by the first that fails.
    constexpr std::size_t kStandsOut = 0, kOnTorso = 1, kLong = 2, kOnPelvis = 3;
    Evidence e;
    const double doubt = std::max(options.centroid, 1e-3); // the limit may be set to 0
    e.at_least("stands out", share, options.centroid, doubt, centre.c_str());
    e.require("on the torso", !on_head && !is_limb(role), hangs);
    e.at_least("long", piece.elongation, options.elongation, options.elongation,
               is_long ? "elongation {value:.1f} is at least {limit:.1f}"
                       : "elongation {value:.1f} is below {limit:.1f}");
    e.require("on the pelvis", on_pelvis, hangs);
    piece.class_tests = e.tests;

    if (lies_along && !piece.own_shell) {
        piece.reasons.push_back(centre);
        return piece;
    }
    piece.reasons.push_back(hangs);
    if (on_head || is_limb(role)) {
        piece.kind = on_head ? AppendageClass::Head : AppendageClass::Limb;
        piece.class_decided = kOnTorso;
    } else {
        piece.kind = !is_long                   ? AppendageClass::Wide
                     : on_pelvis && !lies_along ? AppendageClass::Tail
                                                : AppendageClass::Worn;
        piece.class_decided = !is_long ? kLong : !on_pelvis ? kOnPelvis : kStandsOut;
        piece.reasons.push_back(e.tests[kLong].text);
    }
    piece.reasons.push_back(centre);
    return piece;
}

std::vector<Appendage> classify_far_pieces(const Character& character, const Roles& roles, const Weld& weld,
                                           const std::vector<FarPiece>& pieces, const ClassifyOptions& options)
{
    if (character.joints.empty() || roles.bones.empty()) return {}; // nothing to hang from

    // === Loose shells hang on the skin that is not far; where all skin is far, on the skeleton.
    std::vector<bool> far(weld.points.size(), false);
    for (const auto& piece : pieces)
        for (const int p : piece.points) far[at(p)] = true;
    const auto body_points = rest_of_skin(weld, far);
    const PointTree body(body_points);

    std::vector<Appendage> measured;
    for (const auto& piece : pieces) {
        std::vector<int> collar = piece.collar;
        if (collar.empty()) collar = nearest_ring(roles, weld, piece.points, body);
        measured.push_back(measure_piece(character, roles, weld, piece.points, std::move(collar), options));
    }
    measured = merge_overlapping(character, roles, weld, std::move(measured), options);

    const Shells shells = find_shells(weld);
    std::vector<Appendage> appendages;
    for (auto& piece : measured) {
        if (static_cast<int>(piece.points.size()) < options.min_points ||
            piece.reach < options.min_reach * roles.height)
            continue;
        piece.own_shell = is_own_shell(shells, piece.points);
        appendages.push_back(classify_piece(character, roles, std::move(piece), options));
        appendages.back().found_by = "article";
    }
    std::sort(appendages.begin(), appendages.end(), larger);
    return appendages;
}

} // namespace tailfix
