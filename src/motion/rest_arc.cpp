#include <tailfix/motion/rest_arc.h>

#include <algorithm>
#include <cmath>
#include <numbers>

#include "motion/kinematics.h"

namespace tailfix {

namespace {

constexpr double kRadians = std::numbers::pi / 180;

// A chain's joints in bind space: where each link begins and ends, and its orthogonal frame.
struct BindLink {
    Eigen::Vector3d head, tip;
    Eigen::Matrix3d frame; // bind from link
};

Eigen::Matrix3d bind_frame(const Joint& joint)
{
    return orthogonal_factor(joint.bind_from_joint.topLeftCorner<3, 3>(), Eigen::Matrix3d::Identity());
}

// Without an end joint the last link continues the tangent that comes in. In bind space that is the same whatever frame
// the last joint has: copying components from the parent's frame would not be (method.md 10).
std::vector<BindLink> bind_links(const Character& character, const JointChain& chain, const Joint& attach)
{
    std::vector<BindLink> out;
    for (const int link : chain.links) {
        const Joint& joint = character.joints[static_cast<std::size_t>(link)];
        if (!out.empty()) out.back().tip = joint.position();
        out.push_back({joint.position(), joint.position(), bind_frame(joint)});
    }
    if (out.empty()) return out;
    const Eigen::Vector3d before = out.size() > 1 ? out[out.size() - 2].head : attach.position();
    BindLink& last = out.back();
    last.tip = chain.end != kNone ? character.joints[static_cast<std::size_t>(chain.end)].position()
                                  : Eigen::Vector3d(2 * last.head - before);
    return out;
}

// Turn about x, by C (i + 1) / N but never past straight up. Angles count from hanging through backward to up; a
// direction on the far side of up (forward and above) is past it already, as straight up itself is, for which atan2 may
// say half a turn either way.
double carry_turn(const Eigen::Vector3d& direction, double wanted)
{
    if (direction.z() >= 0 && direction.y() >= 0) return 0;
    const double from_hanging = std::atan2(-direction.z(), -direction.y());
    return std::clamp(std::numbers::pi - from_hanging, 0.0, wanted);
}

Eigen::Vector3d unit_or(const Eigen::Vector3d& v, const Eigen::Vector3d& otherwise)
{
    const double norm = v.norm();
    return norm > 0 ? Eigen::Vector3d(v / norm) : otherwise;
}

Eigen::Vector3d centred_direction(const std::vector<Eigen::Vector3d>& authored)
{
    const Eigen::Vector3d down = -Eigen::Vector3d::UnitY();
    if (authored.empty()) return down;
    const Eigen::Vector3d flat(0, authored[0].y(), authored[0].z());
    // Below float rounding of a direction there is nothing left to centre.
    return flat.norm() > 1e-6 ? Eigen::Vector3d(flat.normalized()) : down;
}

} // namespace

Eigen::Quaterniond link_rotation(const RestLink& link, const Eigen::Vector3d& direction)
{
    return swing(link.neutral, direction) * link.neutral_rotation;
}

// Source: method.md 6. With c the root's direction without its sideways part,
//
//     Q_i = slerp(I, swing(c, a_i), beta)
//     u_i = R_x(C (i+1)/N) rot(Q_i, c)          absolute, pelvis frame
//     r_i = rot(A_i^-1, u_i)                    parent frame; A_i includes the corrections of the links before
RestArc shape_rest_arc(const Rigged& rigged, int chain_index, const Frame& frame, double curve, double carry_deg)
{
    const Character& character = rigged.character;
    const JointChain& chain = rigged.chains[static_cast<std::size_t>(chain_index)];
    const Joint& attach = character.joints[static_cast<std::size_t>(chain.attach)];
    const std::vector<BindLink> bind = bind_links(character, chain, attach);
    Eigen::Matrix3d bind_from_pelvis;
    bind_from_pelvis << frame.left, frame.up, frame.forward;

    RestArc arc;
    arc.chain = chain_index;
    arc.curve = curve;
    arc.carry_deg = carry_deg;
    const Eigen::Matrix3d attach_frame = bind_frame(attach);
    arc.forward = attach_frame.transpose() * frame.forward;
    arc.attach_scale = mean_scale(attach.bind_from_joint.topLeftCorner<3, 3>());
    if (bind.empty()) return arc;
    arc.root = Eigen::Affine3d(attach.bind_from_joint).inverse() * bind[0].head;

    // A link without length takes the direction of the one before it.
    std::vector<Eigen::Vector3d> authored;
    for (const BindLink& link : bind)
        authored.push_back(unit_or(bind_from_pelvis.transpose() * (link.tip - link.head),
                                   authored.empty() ? Eigen::Vector3d(-Eigen::Vector3d::UnitY()) : authored.back()));

    const Eigen::Vector3d centre = centred_direction(authored);
    const double count = static_cast<double>(bind.size());
    Eigen::Matrix3d pelvis_from_parent = bind_from_pelvis.transpose() * attach_frame;
    Eigen::Matrix3d parent_frame = attach_frame;
    double ahead = 0; // of the root, along forward
    for (std::size_t i = 0; i < bind.size(); ++i) {
        const Eigen::Quaterniond towards = Eigen::Quaterniond::Identity().slerp(curve, swing(centre, authored[i]));
        const Eigen::Vector3d curved = towards * centre;
        const double turn = carry_turn(curved, carry_deg * kRadians * static_cast<double>(i + 1) / count);
        const Eigen::Vector3d wanted = Eigen::AngleAxisd(turn, Eigen::Vector3d::UnitX()) * curved;

        RestLink link;
        link.length = (bind[i].tip - bind[i].head).norm();
        link.pelvis_from_parent = pelvis_from_parent;
        link.neutral = parent_frame.transpose() * bind_from_pelvis * authored[i];
        link.rest = (pelvis_from_parent.transpose() * wanted).normalized();
        Eigen::Matrix3d neutral_rotation = parent_frame.transpose() * bind[i].frame;
        if (neutral_rotation.determinant() < 0) neutral_rotation = -neutral_rotation;
        link.neutral_rotation = Eigen::Quaterniond(neutral_rotation).normalized();
        ahead += link.length * wanted.z();
        link.front = std::max(0.0, ahead);
        pelvis_from_parent = pelvis_from_parent * link_rotation(link, link.rest).toRotationMatrix();
        parent_frame = bind[i].frame;
        arc.links.push_back(link);
    }
    arc.root_turn_deg = std::acos(std::clamp(arc.links[0].neutral.dot(arc.links[0].rest), -1.0, 1.0)) / kRadians;
    return arc;
}

} // namespace tailfix
