#include "body.h"

#include <algorithm>

namespace tailfix::generate {
namespace {

constexpr double kFillet = 0.03; // H, between a limb and the trunk

void add_bone(std::vector<Solid>& body, const RigJoint& joint, double ra, double rb, double blend)
{
    body.push_back(cone(joint.position, joint.tip, ra, rb, blend));
}

void add_fingers(std::vector<Solid>& body, const Rig& rig, double radius)
{
    for (const RigJoint& joint : rig.joints)
        for (const char* name : {"thumb", "index", "middle", "ring", "little"})
            if (joint.role.starts_with(name)) add_bone(body, joint, radius, 0.85 * radius, 0.3 * radius);
}

void add_trunk(std::vector<Solid>& body, const Biped& b, const Rig& rig)
{
    const Vec hip = rig.at("pelvis").position;
    const double trunk = b.shoulder - b.hip;
    const auto at = [&](double share, double z) -> Vec { return hip + Vec(0, share * trunk, z); };
    body.push_back(ellipsoid(at(-0.06, 0), Vec(b.hip_half + 0.75 * b.limb, 0.3 * trunk, 0.85 * b.torso), 0));
    body.push_back(ellipsoid(at(0.3, 0), Vec(1.1 * b.waist, 0.35 * trunk, 0.85 * b.waist), 0.04));
    body.push_back(ellipsoid(at(0.75, -0.005), Vec(1.15 * b.torso, 0.33 * trunk, 0.85 * b.torso), 0.04));
    for (const double side : {1.0, -1.0}) {
        // Seat and shoulder.
        body.push_back(ellipsoid(at(-0.14, -0.45 * b.torso) + Vec(side * 0.75 * b.hip_half, 0, 0),
                                 Vec(0.8, 0.85, 0.75) * 1.25 * b.limb, 0.02));
        body.push_back(
            cone(at(0.9, 0), Vec(side * 0.85 * b.shoulder_half, b.shoulder, 0), 0.5 * b.torso, 0.75 * b.limb, 0.03));
    }
    if (b.belly > 0) body.push_back(ellipsoid(at(0.22, 0.35 * b.belly), Vec(1, 0.95, 0.95) * b.belly, 0.05));
}

std::vector<Solid> make_biped(const Plan& plan, const Rig& rig)
{
    const Biped& b = plan.biped;
    std::vector<Solid> body;
    add_trunk(body, b, rig);
    const double neck = std::min(0.55 * b.head, 0.045);
    body.push_back(cone(rig.at("spine.2").tip, rig.at("head").position, 1.1 * neck, neck, kFillet));
    body.push_back(ellipsoid(Vec(0, 1 - 1.12 * b.head, 0.012), Vec(0.9, 1.12, 1) * b.head, 0.02));
    const bool drawn = b.head > 0.1; // a drawn animal has a muzzle
    if (plan.body == "toon" && drawn)
        body.push_back(cone(Vec(0, 1 - 1.4 * b.head, 0.6 * b.head), Vec(0, 1 - 1.45 * b.head, 1.5 * b.head),
                            0.5 * b.head, 0.16 * b.head, 0.04));
    for (const char* side : {".L", ".R"}) {
        const auto of = [&](const char* role) -> const RigJoint& { return rig.at(std::string(role) + side); };
        const double arm = 0.72 * b.limb;
        add_bone(body, of("upper_arm"), arm, 0.85 * arm, kFillet);
        add_bone(body, of("forearm"), 0.85 * arm, 0.62 * arm, 0.01);
        const RigJoint& hand = of("hand");
        const double palm = plan.fingers ? 0.55 : 0.85; // a mitten without fingers
        body.push_back(cone(hand.position, hand.position + palm * (hand.tip - hand.position), 0.6 * arm,
                            (plan.fingers ? 0.7 : 0.6) * arm, 0.012));
        add_bone(body, of("thigh"), b.limb, 0.75 * b.limb, kFillet);
        add_bone(body, of("shin"), 0.75 * b.limb, 0.5 * b.limb, 0.012);
        const RigJoint& foot = of("foot");
        const double sole = std::min(0.5 * b.limb, 0.8 * foot.position.y());
        const Vec heel(foot.position.x(), sole, foot.position.z() - 0.2 * b.limb);
        body.push_back(cone(foot.position, heel, 0.5 * b.limb, sole, 0.01));
        body.push_back(cone(heel, Vec(of("toe").tip.x(), 0.75 * sole, of("toe").tip.z()), sole, 0.75 * sole, 0.015));
    }
    if (plan.fingers) add_fingers(body, rig, 0.024 * b.arm);
    return body;
}

std::vector<Solid> make_quadruped(const Plan& plan, const Rig& rig)
{
    const Quadruped& q = plan.quadruped;
    const Vec hip = rig.at("pelvis").position;
    const Vec wither = rig.at("spine.2").tip;
    // The spine runs near the back, the trunk hangs below it.
    const Vec low(0, -0.55 * q.barrel, 0);
    const RigJoint& neck = rig.at("neck");
    const RigJoint& head = rig.at("head");
    std::vector<Solid> body;
    body.push_back(cone(hip + low + Vec(0, 0, 0.1 * q.barrel), wither + low, 0.88 * q.barrel, q.barrel, 0));
    body.push_back(cone(wither + low, neck.tip, 0.85 * q.barrel, 0.75 * q.head, 0.05));
    body.push_back(ellipsoid(head.position + Vec(0, 0, 0.3 * q.head), Vec(0.85, 0.9, 1.1) * q.head, 0.02));
    body.push_back(
        cone(head.position + Vec(0, -0.1 * q.head, 0.5 * q.head), head.tip, 0.6 * q.head, 0.35 * q.head, 0.03));
    for (const char* side : {".L", ".R"}) {
        const auto of = [&](const char* role) -> const RigJoint& { return rig.at(std::string(role) + side); };
        add_bone(body, of("upper_arm"), 1.15 * q.limb, 0.85 * q.limb, kFillet);
        add_bone(body, of("forearm"), 0.85 * q.limb, 0.55 * q.limb, 0.012);
        add_bone(body, of("thigh"), 1.5 * q.limb, 0.95 * q.limb, kFillet);
        add_bone(body, of("shin"), 0.95 * q.limb, 0.6 * q.limb, 0.012);
        add_bone(body, of("foot"), 0.6 * q.limb, 0.55 * q.limb, 0.01);
        for (const char* role : {"hand", "toe"}) add_bone(body, of(role), 0.65 * q.limb, 0.025, 0.01);
    }
    return body;
}

} // namespace

std::vector<Solid> make_body(const Plan& plan, const Rig& rig)
{
    return plan.four_legs() ? make_quadruped(plan, rig) : make_biped(plan, rig);
}

} // namespace tailfix::generate
