#include "skeleton.h"

#include <cmath>

#include <fmt/format.h>

#include <tailfix/error.h>

namespace tailfix::generate {
namespace {

class Builder {
public:
    // Returns the joint; its bone reaches to `tip`.
    int add(const std::string& role, int parent, const Vec& position, const Vec& tip, bool holds_skin = true)
    {
        rig_.joints.push_back({role, parent, position, tip, holds_skin});
        return static_cast<int>(rig_.joints.size()) - 1;
    }
    // A row of joints, each reaching to the next; the last to `points.back()`, where no joint is.
    int add_row(const std::vector<std::string>& roles, int parent, const std::vector<Vec>& points)
    {
        for (std::size_t i = 0; i < roles.size(); ++i) parent = add(roles[i], parent, points[i], points[i + 1]);
        return parent;
    }
    Rig take() { return std::move(rig_); }

private:
    Rig rig_;
};

Vec mirrored(Vec v, double side)
{
    v.x() *= side;
    return v;
}

std::vector<Vec> mirrored(std::vector<Vec> points, double side)
{
    for (Vec& p : points) p.x() *= side;
    return points;
}

std::vector<std::string> with_side(std::vector<std::string> roles, double side)
{
    for (auto& role : roles) role += side > 0 ? ".L" : ".R";
    return roles;
}

void add_fingers(Builder& builder, int hand, const Vec& wrist, const Vec& along, double length, double side)
{
    // From thumb to little finger: over the width of the hand, which is 0.4 of its length.
    const char* const names[] = {"thumb", "index", "middle", "ring", "little"};
    for (int f = 0; f < 5; ++f) {
        const Vec base = wrist + along * length * (f == 0 ? 0.2 : 0.5) + Vec(0, 0, (1.5 - 0.75 * f) * 0.13 * length);
        const Vec way = (along + Vec(0, 0, f == 0 ? 0.8 : 0.1 * (2 - f))).normalized();
        std::vector<std::string> roles;
        std::vector<Vec> points;
        for (int k = 0; k <= 3; ++k) points.push_back(base + way * (0.17 * k * length));
        for (int k = 1; k <= 3; ++k) roles.push_back(fmt::format("{}.{}", names[f], k));
        builder.add_row(with_side(roles, side), hand, mirrored(points, side));
    }
}

void add_arm(Builder& builder, const Plan& plan, int chest, double side)
{
    const Biped& b = plan.biped;
    const double angle = plan.arms == "T" ? 0.03 : plan.arms == "A" ? 0.8 : 1.3; // below level, radians
    const Vec along(std::cos(angle), -std::sin(angle), 0);
    const Vec shoulder(b.shoulder_half, b.shoulder, 0);
    // Upper arm, forearm, hand: 0.42, 0.36 and 0.22 of the arm; the elbow points back a little.
    const Vec elbow = shoulder + 0.42 * b.arm * along + Vec(0, 0, -0.006);
    const Vec wrist = shoulder + 0.78 * b.arm * along;
    const Vec end = shoulder + b.arm * along;
    const int hand = builder.add_row(
        with_side({"clavicle", "upper_arm", "forearm", "hand"}, side), chest,
        mirrored({Vec(0.25 * b.shoulder_half, b.shoulder - 0.01, 0.005), shoulder, elbow, wrist, end}, side));
    if (plan.fingers) add_fingers(builder, hand, wrist, along, 0.22 * b.arm, side);
}

void add_leg(Builder& builder, const Plan& plan, int pelvis, double side)
{
    const Biped& b = plan.biped;
    const double top = b.hip - 0.06 * b.hip / 0.5;
    const double ankle = 0.075 * b.hip / 0.5;
    const double foot = 0.28 * b.hip; // from ankle to the tip of the toes
    const std::vector<Vec> points = {Vec(b.hip_half, top, 0), Vec(1.05 * b.hip_half, 0.52 * (top + ankle), 0.01),
                                     Vec(1.1 * b.hip_half, ankle, -0.01),
                                     Vec(1.15 * b.hip_half, 0.25 * ankle, 0.65 * foot),
                                     Vec(1.18 * b.hip_half, 0.25 * ankle, foot)};
    const int toe = builder.add_row(with_side({"thigh", "shin", "foot", "toe"}, side), pelvis, mirrored(points, side));
    if (plan.end_joints)
        builder.add(side > 0 ? "toe_end.L" : "toe_end.R", toe, mirrored(points[4], side), mirrored(points[4], side),
                    false);
}

void add_head_end(Builder& builder, const Plan& plan, int head, const Vec& top)
{
    if (plan.end_joints) builder.add("head_end", head, top, top, false);
}

void build_biped(Builder& builder, const Plan& plan, int root)
{
    const Biped& b = plan.biped;
    const double trunk = b.shoulder - b.hip;
    const auto middle = [&](double share, double z) { return Vec(0, b.hip + share * trunk, z * trunk); };
    const int pelvis = builder.add("pelvis", root, middle(0, 0), middle(0.22, 0));
    const Vec chin(0, 1 - 2.0 * b.head, 0.01);
    const int chest = builder.add_row({"spine.0", "spine.1", "spine.2"}, pelvis,
                                      {middle(0.22, 0), middle(0.45, -0.02), middle(0.7, -0.03), middle(1.0, -0.03)});
    const int head = builder.add_row({"neck", "head"}, chest, {middle(1.02, -0.02), chin, Vec(0, 0.985, 0.01)});
    add_head_end(builder, plan, head, Vec(0, 0.985, 0.01));
    for (const double side : {1.0, -1.0}) add_arm(builder, plan, chest, side);
    for (const double side : {1.0, -1.0}) add_leg(builder, plan, pelvis, side);
}

void build_quadruped(Builder& builder, const Plan& plan, int root)
{
    const Quadruped& q = plan.quadruped;
    const Vec hip(0, q.hip, -0.5 * q.trunk);
    const Vec wither(0, q.wither, 0.5 * q.trunk);
    const auto spine = [&](double t) -> Vec { return hip + t * (wither - hip); };
    const Vec up(0, std::sin(q.neck_up), std::cos(q.neck_up));
    const Vec neck = wither + Vec(0, 0.2 * q.barrel, 0.3 * q.barrel);
    const Vec poll = neck + q.neck * up;
    const Vec nose = poll + Vec(0, -0.35 * q.muzzle, q.muzzle + q.head);
    const int pelvis = builder.add("pelvis", root, hip, spine(0.15));
    const int chest =
        builder.add_row({"spine.0", "spine.1", "spine.2"}, pelvis, {spine(0.15), spine(0.45), spine(0.75), spine(1)});
    const int head = builder.add_row({"neck", "head"}, chest, {neck, poll, nose});
    add_head_end(builder, plan, head, nose);
    for (const double side : {1.0, -1.0}) {
        const double z = 0.5 * q.trunk;
        builder.add_row(with_side({"clavicle", "upper_arm", "forearm", "hand"}, side), chest,
                        mirrored({Vec(0.5 * q.half, q.wither, z), Vec(q.half, 0.75 * q.wither, z + 0.02),
                                  Vec(q.half, 0.48 * q.wither, z - 0.02), Vec(q.half, 0.1 * q.wither, z),
                                  Vec(q.half, 0.025, z + 0.05)},
                                 side));
        const int toe =
            builder.add_row(with_side({"thigh", "shin", "foot", "toe"}, side), pelvis,
                            mirrored({Vec(0.8 * q.half, 0.92 * q.hip, -z), Vec(q.half, 0.55 * q.hip, -z + 0.04),
                                      Vec(q.half, 0.28 * q.hip, -z - 0.05), Vec(q.half, 0.06 * q.hip, -z - 0.01),
                                      Vec(q.half, 0.025, -z + 0.04)},
                                     side));
        if (plan.end_joints)
            builder.add(side > 0 ? "toe_end.L" : "toe_end.R", toe, mirrored(Vec(q.half, 0.025, -z + 0.04), side),
                        mirrored(Vec(q.half, 0.025, -z + 0.04), side), false);
    }
}

} // namespace

int Rig::find(const std::string& role) const
{
    for (std::size_t i = 0; i < joints.size(); ++i)
        if (joints[i].role == role) return static_cast<int>(i);
    return -1;
}

const RigJoint& Rig::at(const std::string& role) const
{
    const int found = find(role);
    if (found < 0) throw Error(Failure::Usage, fmt::format("the generator's rig has no \"{}\"", role));
    return joints[static_cast<std::size_t>(found)];
}

Rig make_rig(const Plan& plan)
{
    Builder builder;
    const int root = plan.root_joint ? builder.add("root", -1, Vec::Zero(), Vec(0, 0.1, 0), false) : -1;
    if (plan.four_legs())
        build_quadruped(builder, plan, root);
    else
        build_biped(builder, plan, root);
    return builder.take();
}

} // namespace tailfix::generate
