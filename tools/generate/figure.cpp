#include "generate/figure.h"

#include <algorithm>
#include <cmath>

namespace tailfix::generate {
namespace {

using Eigen::Vector3d;

// Shares of the height; radii of what the parts are made of.
struct Build {
    double hips = 0.52, chest = 0.74, neck = 0.83, head = 0.87; // heights
    double shoulder = 0.11, hip_width = 0.055;
    double waist = 0.075, ribs = 0.085, skull = 0.07, belly = 0.07;
    double arm = 0.026, leg = 0.042, arm_length = 0.34;
    double seat = 0.07; // radius of what lies behind the hips
    double foot = 0.085;
    double muzzle = 0;
};

Build build_of(const Plan& plan)
{
    Build b;
    if (plan.body == "slender")
        b.waist = 0.06, b.ribs = 0.07, b.belly = 0.055, b.arm = 0.02, b.leg = 0.035, b.seat = 0.06;
    if (plan.body == "stout")
        b.waist = 0.11, b.ribs = 0.105, b.belly = 0.13, b.leg = 0.055, b.arm = 0.035, b.seat = 0.1, b.hip_width = 0.07;
    if (plan.body == "chibi")
        b = {0.30, 0.43, 0.50, 0.55, 0.10, 0.055, 0.08, 0.09, 0.2, 0.09, 0.03, 0.045, 0.24, 0.08, 0.08, 0};
    if (plan.body == "toon")
        b = {0.36, 0.52, 0.62, 0.66, 0.12, 0.07, 0.13, 0.11, 0.15, 0.15, 0.025, 0.04, 0.3, 0.12, 0.13, 0.06};
    for (double* r : {&b.waist, &b.ribs, &b.belly}) *r *= plan.trunk;
    for (double* r : {&b.arm, &b.leg}) *r *= plan.limbs;
    b.seat *= plan.rump;
    return b;
}

class Builder {
public:
    explicit Builder(const Plan& plan)
        : plan_(plan), figure_{{}, Solid(0.03 * plan.height), plan.height, 0, 0, 0, 0, 0, 0, {}}
    {
    }

    int joint(const std::string& part, int side, int parent, const Vector3d& at, bool end = false)
    {
        figure_.joints.push_back({part, side, parent, plan_.height * at, end});
        return static_cast<int>(figure_.joints.size()) - 1;
    }

    void cone(const Vector3d& a, const Vector3d& b, double ra, double rb)
    {
        figure_.body.add({plan_.height * a, plan_.height * b, plan_.height * ra, plan_.height * rb});
    }

    // Round and flattened at once: a row of balls from left to right.
    void broad(const Vector3d& at, double half_width, double r)
    {
        cone(at - Vector3d(half_width, 0, 0), at + Vector3d(half_width, 0, 0), r, r);
    }

    int root() { return plan_.root_joint ? joint("root", 0, -1, Vector3d::Zero()) : -1; }

    Figure& figure() { return figure_; }
    const Plan& plan() const { return plan_; }

private:
    const Plan& plan_;
    Figure figure_;
};

void add_leg(Builder& b, const Build& s, int side, int hips, double hip_height)
{
    const double x = side * s.hip_width;
    const Vector3d thigh(x, hip_height - 0.02, 0), knee(x * 1.05, 0.5 * hip_height, 0.01), ankle(x * 1.1, 0.055, -0.01),
        toe(x * 1.15, 0.02, -0.01 + s.foot);
    const int upper = b.joint("thigh", side, hips, thigh);
    const int shin = b.joint("shin", side, upper, knee);
    const int foot = b.joint("foot", side, shin, ankle);
    const int toes = b.joint("toes", side, foot, toe);
    if (b.plan().end_joints) b.joint("toes end", side, toes, toe + Vector3d(0, 0, 0.3 * s.foot), true);
    b.cone(thigh, knee, s.leg * 1.15, s.leg * 0.85);
    b.cone(knee, ankle, s.leg * 0.85, s.leg * 0.6);
    b.cone({ankle.x(), 0.028, ankle.z() - 0.01}, {toe.x(), 0.02, toe.z() + 0.02}, 0.028, 0.02);
}

void add_arm(Builder& b, const Build& s, int side, int chest)
{
    const Vector3d shoulder(side * s.shoulder, s.chest + 0.03, 0);
    const double droop = b.plan().arms == "T" ? 0 : b.plan().arms == "A" ? 0.75 : 1.4;
    const Vector3d along(side * std::cos(droop), -std::sin(droop), 0.03);
    const Vector3d out = shoulder + Vector3d(side * s.arm, 0, 0);
    const Vector3d elbow = out + 0.48 * s.arm_length * along, wrist = out + 0.9 * s.arm_length * along,
                   tip = out + 1.12 * s.arm_length * along;
    const int collar = b.joint("shoulder", side, chest, {side * 0.3 * s.shoulder, s.chest + 0.04, 0});
    const int upper = b.joint("upper arm", side, collar, out);
    const int fore = b.joint("forearm", side, upper, elbow);
    const int hand = b.joint("hand", side, fore, wrist);
    if (b.plan().fingers) {
        for (int f = 0; f < 5; ++f) {
            const Vector3d base = wrist + 0.4 * (tip - wrist) + Vector3d(0, 0, 0.012 * (2 - f));
            const int first = b.joint("finger " + std::to_string(f) + " 1", side, hand, base);
            b.joint("finger " + std::to_string(f) + " 2", side, first, base + 0.3 * (tip - wrist));
        }
    } else if (b.plan().end_joints) {
        b.joint("hand end", side, hand, tip, true);
    }
    b.cone(shoulder, out, s.arm * 1.3, s.arm * 1.2);
    b.cone(out, elbow, s.arm * 1.2, s.arm);
    b.cone(elbow, wrist, s.arm, s.arm * 0.75);
    b.cone(wrist, tip, s.arm * 0.9, s.arm * 0.8);
    b.figure().hands.push_back(b.plan().height * wrist);
}

void add_head(Builder& b, const Vector3d& at, double skull, double muzzle, int neck, const Vector3d& up_along)
{
    Figure& f = b.figure();
    f.head = b.joint("head", 0, neck, at);
    const Vector3d middle = at + 0.8 * skull * up_along;
    if (b.plan().end_joints) b.joint("head end", 0, f.head, at + 1.8 * skull * up_along, true);
    b.cone(middle, middle + Vector3d(0, 0.2 * skull, 0), skull, 0.9 * skull);
    if (muzzle > 0)
        b.cone(middle - Vector3d(0, 0.3 * skull, 0), middle + Vector3d(0, -0.35 * skull, skull + muzzle), 0.55 * skull,
               0.3 * skull);
    f.skull = b.plan().height * skull;
}

void make_biped(Builder& b, const Build& s)
{
    Figure& f = b.figure();
    f.hips = b.joint("hips", 0, b.root(), {0, s.hips, 0});
    f.spine = b.joint("spine", 0, f.hips, {0, s.hips + 0.3 * (s.chest - s.hips), 0});
    const int middle = b.joint("spine 2", 0, f.spine, {0, s.hips + 0.65 * (s.chest - s.hips), 0});
    f.chest = b.joint("chest", 0, middle, {0, s.chest, 0});
    const int neck = b.joint("neck", 0, f.chest, {0, s.neck, 0});
    add_head(b, {0, s.head, 0.01}, s.skull, s.muzzle, neck, Vector3d::UnitY());
    for (const int side : {1, -1}) add_arm(b, s, side, f.chest);
    for (const int side : {1, -1}) add_leg(b, s, side, f.hips, s.hips);
    b.broad({0, s.hips, 0}, 0.55 * s.hip_width, s.waist);
    for (const int side : {1, -1})
        b.cone({side * 0.6 * s.hip_width, s.hips - 0.01, -0.35 * s.seat},
               {side * 0.6 * s.hip_width, s.hips - 0.03, -0.3 * s.seat}, s.seat * 0.85, s.seat * 0.75);
    b.cone({0, s.hips + 0.03, 0.1 * s.belly}, {0, s.hips + 0.6 * (s.chest - s.hips), 0.1 * s.belly}, s.belly,
           0.9 * s.belly);
    b.broad({0, s.chest, 0}, 0.45 * s.shoulder, s.ribs);
    b.cone({0, s.chest, 0}, {0, s.head, 0}, 0.6 * s.ribs, std::min(0.045, 0.5 * s.skull));
    f.waist = b.plan().height * std::max(s.waist, s.belly);
}

// Hips behind, chest in front, four legs. `lift`: how far the chest is above the hips.
void make_quadruped(Builder& b)
{
    const Plan& plan = b.plan();
    const bool horse = plan.body == "horse";
    const double back = horse ? 0.62 : 0.6, half = horse ? 0.36 : 0.42, leg = (horse ? 0.03 : 0.035) * plan.limbs;
    const double trunk = (horse ? 0.13 : 0.12) * plan.trunk, rump = (horse ? 0.13 : 0.105) * plan.rump, width = 0.08;
    Figure& f = b.figure();
    f.hips = b.joint("hips", 0, b.root(), {0, back, -half});
    f.spine = b.joint("spine", 0, f.hips, {0, back + 0.01, -0.4 * half});
    const int middle = b.joint("spine 2", 0, f.spine, {0, back + 0.01, 0.2 * half});
    f.chest = b.joint("chest", 0, middle, {0, back, 0.8 * half});
    const int neck = b.joint("neck", 0, f.chest, {0, back + 0.06, half + 0.04});
    const Vector3d skull_at(0, horse ? 0.9 : 0.82, half + (horse ? 0.2 : 0.14));
    add_head(b, skull_at, horse ? 0.06 : 0.1, horse ? 0.16 : 0.05, neck, Vector3d(0, 0.5, 0.85).normalized());
    for (const bool front : {true, false}) {
        for (const int side : {1, -1}) {
            const double z = front ? 0.78 * half : -0.92 * half, x = side * width;
            const Vector3d top(x, back - 0.06, z), elbow(x, 0.55 * back, z + (front ? -0.03 : 0.05)),
                ankle(x, 0.12, z + (front ? 0.0 : -0.05)), paw(x, 0.025, z + (front ? 0.04 : 0.0));
            const std::string name = front ? "front " : "";
            const int a = b.joint(name + "thigh", side, front ? f.chest : f.hips, top);
            const int c = b.joint(name + "shin", side, a, elbow);
            const int d = b.joint(name + "foot", side, c, ankle);
            b.joint(name + "toes", side, d, paw);
            b.cone(top, elbow, leg * 1.8, leg * 1.1);
            b.cone(elbow, ankle, leg * 1.1, leg * 0.75);
            b.cone(ankle, paw, leg * 0.75, leg * 0.8);
            b.cone(paw, paw + Vector3d(0, -0.003, 0.035), leg * 0.75, leg * 0.6);
        }
    }
    b.cone({0, back - 0.02, -half}, {0, back - 0.03, 0.8 * half}, rump, trunk);
    b.cone({0, back - 0.02, 0.8 * half}, skull_at, 0.85 * trunk, 0.05);
    for (const int side : {1, -1})
        b.cone({side * 0.6 * width, back - 0.03, -0.95 * half}, {side * 0.8 * width, back - 0.1, -0.95 * half},
               0.8 * rump, 0.6 * rump);
    f.waist = plan.height * rump;
}

// A dinosaur's stance: two strong legs under a level spine.
void make_raptor(Builder& b)
{
    const Plan& plan = b.plan();
    const double hips = 0.55, trunk = 0.12 * plan.trunk, rump = 0.105 * plan.rump;
    Build s;
    s.leg = 0.05 * plan.limbs;
    s.foot = 0.12;
    s.hip_width = 0.09;
    s.skull = 0.075;
    Figure& f = b.figure();
    f.hips = b.joint("hips", 0, b.root(), {0, hips, 0});
    f.spine = b.joint("spine", 0, f.hips, {0, hips + 0.03, 0.1});
    const int middle = b.joint("spine 2", 0, f.spine, {0, hips + 0.06, 0.2});
    f.chest = b.joint("chest", 0, middle, {0, hips + 0.1, 0.3});
    const int neck = b.joint("neck", 0, f.chest, {0, hips + 0.2, 0.38});
    add_head(b, {0, 0.9, 0.42}, s.skull, 0.1, neck, Vector3d(0, 0.6, 0.8));
    for (const int side : {1, -1}) {
        const Vector3d shoulder(side * 0.09, hips + 0.06, 0.33), elbow(side * 0.11, hips - 0.03, 0.31),
            hand(side * 0.11, hips - 0.08, 0.38);
        const int upper = b.joint("upper arm", side, f.chest, shoulder);
        const int fore = b.joint("forearm", side, upper, elbow);
        b.joint("hand", side, fore, hand);
        b.cone(shoulder, elbow, 0.03, 0.022);
        b.cone(elbow, hand, 0.022, 0.018);
    }
    for (const int side : {1, -1}) add_leg(b, s, side, f.hips, hips);
    b.cone({0, hips, -0.02}, {0, hips + 0.1, 0.3}, rump, trunk);
    b.cone({0, hips + 0.1, 0.3}, {0, 0.9, 0.42}, 0.8 * trunk, 0.05);
    for (const int side : {1, -1}) b.cone({side * 0.06, hips - 0.03, -0.02}, {side * 0.09, hips - 0.1, 0}, 0.09, 0.06);
    f.waist = plan.height * rump;
}

void add_ears(Builder& b)
{
    Figure& f = b.figure();
    const auto& decoys = b.plan().decoys;
    if (std::find(decoys.begin(), decoys.end(), "long ears") == decoys.end()) return;
    const Vector3d head = f.at(f.head) + Vector3d(0, 0.8 * f.skull, 0);
    for (const int side : {1, -1}) {
        const Vector3d base = head + f.skull * Vector3d(side * 0.5, 0.8, -0.1);
        const Vector3d tip = base + f.skull * Vector3d(side * 0.5, 2.4, -0.6);
        f.body.add({base, tip, 0.28 * f.skull, 0.12 * f.skull});
    }
}

} // namespace

Figure make_figure(const Plan& plan)
{
    Builder b(plan);
    if (plan.quadruped()) {
        make_quadruped(b);
    } else if (plan.body == "raptor") {
        make_raptor(b);
    } else {
        make_biped(b, build_of(plan));
    }
    add_ears(b);
    return std::move(b.figure());
}

} // namespace tailfix::generate
