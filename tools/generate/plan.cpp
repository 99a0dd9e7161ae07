#include "plan.h"

#include <algorithm>
#include <cmath>

#include "rng.h"

namespace tailfix::generate {
namespace {

// Proportions are those of drawing manuals (an adult is 7.5 heads high, a chibi figure 2 to 3), varied by a few
// percent.
Biped make_biped(const std::string& body, Random random)
{
    Biped b;
    if (body == "slender") b = {0.53, 0, 0.062, 0.05, 0.10, 0.066, 0.052, 0, 0.034, 0.42};
    if (body == "average") b = {0.51, 0, 0.068, 0.055, 0.12, 0.082, 0.072, 0, 0.042, 0.40};
    if (body == "stout") b = {0.46, 0, 0.08, 0.07, 0.145, 0.115, 0.12, 0.125, 0.055, 0.38};
    if (body == "chibi") b = {0.27, 0, 0.2, 0.06, 0.11, 0.09, 0.085, 0, 0.05, 0.24};
    if (body == "toon") b = {0.29, 0, 0.15, 0.075, 0.12, 0.12, 0.14, 0.15, 0.045, 0.33};
    const auto vary = [&](double& value, double by) { value *= random.uniform(1 - by, 1 + by); };
    vary(b.hip, 0.06);
    vary(b.head, 0.08);
    vary(b.hip_half, 0.12);
    vary(b.shoulder_half, 0.12);
    vary(b.torso, 0.1);
    vary(b.waist, 0.1);
    vary(b.limb, 0.15);
    vary(b.arm, 0.08);
    // The neck shows by a fifth of a head or so; drawn figures hardly have one.
    const double neck = b.head > 0.1 ? 0.01 : 0.05;
    b.shoulder = 1 - 2.24 * b.head - neck;
    return b;
}

// Horse, dog, cat, mouse and lizard, roughly.
Quadruped make_quadruped(Random random)
{
    Quadruped q = random.pick<Quadruped>({{{0.62, 0.64, 0.50, 0.135, 0.30, 0.85, 0.07, 0.14, 0.05, 0.075}, 1},
                                          {{0.52, 0.54, 0.48, 0.115, 0.18, 0.85, 0.08, 0.10, 0.04, 0.065}, 1},
                                          {{0.40, 0.40, 0.50, 0.105, 0.13, 0.70, 0.085, 0.05, 0.035, 0.06}, 1},
                                          {{0.31, 0.29, 0.42, 0.140, 0.10, 0.30, 0.10, 0.08, 0.035, 0.085}, 1},
                                          {{0.20, 0.20, 0.55, 0.085, 0.12, 0.15, 0.07, 0.08, 0.03, 0.10}, 1}});
    const auto vary = [&](double& value, double by) { value *= random.uniform(1 - by, 1 + by); };
    vary(q.hip, 0.08);
    vary(q.wither, 0.05);
    vary(q.trunk, 0.1);
    vary(q.barrel, 0.12);
    vary(q.neck, 0.15);
    vary(q.neck_up, 0.15);
    vary(q.head, 0.1);
    vary(q.limb, 0.15);
    return q;
}

TailPlan make_tail(const Plan& plan, Random& random)
{
    TailPlan tail;
    tail.direction = random.pick<std::string>(
        {{"straight", 15}, {"down", 20}, {"up", 15}, {"swept", 15}, {"curled", 10}, {"S", 15}, {"floor", 10}});
    tail.taper = random.pick<std::string>({{"even", 20}, {"cone", 35}, {"bushy", 20}, {"tuft", 13}, {"club", 12}});
    // Three in a hundred are stubs, as of a bear or a rabbit.
    tail.length = random.chance(0.03) ? random.uniform(0.12, 0.2) : 0.2 + 1.1 * std::pow(random.uniform(), 1.7);
    // A whip to a lizard's, on the thin side; stout bodies have thicker ones.
    const double thick = plan.four_legs() ? plan.quadruped.barrel / 0.12 : plan.biped.torso / 0.085;
    tail.radius = (0.01 + 0.05 * std::pow(random.uniform(), 1.5)) * std::sqrt(thick);
    tail.radius = std::min(tail.radius, tail.length / 5);
    if (tail.direction == "curled") { // its turns hardly touch
        tail.length = std::min(tail.length, 0.6);
        tail.radius = std::min(tail.radius, tail.length / 14);
    }
    if (tail.taper == "bushy" || tail.taper == "tuft" || tail.taper == "club")
        tail.radius = std::min({tail.radius, 0.035, tail.length / 7}); // what is widest is not the root
    tail.side = random.chance(0.5) ? 1 : -1;
    tail.pitch = random.uniform(-0.25, 0.25);
    tail.yaw = random.normal() * 0.05;
    tail.height = random.uniform(-0.01, 0.04) * (plan.four_legs() ? 1 : plan.biped.hip / 0.5);
    return tail;
}

// Most have one; two or three fan out from roots side by side, as the tails of a nekomata or a kitsune.
std::vector<TailPlan> make_tails(const Plan& plan, Random random)
{
    const int count = random.pick<int>({{1, 92}, {2, 5}, {3, 3}});
    std::vector<TailPlan> tails(static_cast<std::size_t>(count), make_tail(plan, random));
    for (int i = 0; i < count && count > 1; ++i) {
        auto& tail = tails[static_cast<std::size_t>(i)];
        const double across = i - 0.5 * (count - 1);
        tail.radius = std::min(tail.radius, 0.03);
        tail.offset = 1.7 * across;
        tail.yaw = across * random.uniform(0.6, 0.8);
        tail.pitch += random.uniform(-0.1, 0.1);
        tail.length = std::max(tail.length, 0.35) * random.uniform(0.9, 1.1);
        if (tail.direction == "swept" || tail.direction == "down" || tail.direction == "curled")
            tail.direction = "straight";
    }
    return tails;
}

std::vector<std::string> make_decoys(const Plan& plan, Random random)
{
    std::vector<std::string> all = {"skirt",  "cape",     "coat tails", "belt ends", "scabbard",
                                    "quiver", "backpack", "ponytail",   "long ears", "hat",
                                    "wings",  "sword",    "mane"};
    if (plan.four_legs()) all = {"long ears", "wings", "mane", "backpack", "quiver", "hat"};
    const int count = random.pick<int>({{0, 35}, {1, 30}, {2, 20}, {3, 10}, {4, 5}});
    const auto has = [&](const std::vector<std::string>& some, const char* what) {
        return std::find(some.begin(), some.end(), what) != some.end();
    };
    std::vector<std::string> out;
    while (static_cast<int>(out.size()) < count) {
        const std::string next = all[static_cast<std::size_t>(random.below(static_cast<int>(all.size())))];
        if (has(out, next.c_str())) continue;
        // Nobody wears two things in one place.
        const bool on_back = next == "cape" || next == "backpack" || next == "quiver" || next == "wings";
        if (on_back && (has(out, "cape") || has(out, "backpack") || has(out, "quiver") || has(out, "wings"))) continue;
        if (next == "skirt" && has(out, "coat tails")) continue;
        if (next == "coat tails" && has(out, "skirt")) continue;
        out.push_back(next);
    }
    std::sort(out.begin(), out.end());
    return out;
}

void choose_space(Plan& plan, Random random)
{
    plan.facing = random.chance(0.4) ? 0 : random.chance(0.3) ? 90.0 * random.below(4) : random.uniform(0, 360);
    plan.up = random.chance(0.7) ? "Y" : "Z";
    plan.scale = random.pick<double>({{1.7, 50}, {170, 15}, {0.017, 10}, {0, 25}});
    if (plan.scale == 0) plan.scale = std::pow(10.0, random.uniform(-2, 2));
    plan.armature_scale = random.chance(0.5) ? 1 : 1.7 / plan.scale;
    plan.posed = random.chance(0.25);
}

} // namespace

std::string density_class(std::size_t vertices)
{
    return vertices <= 2000 ? "few" : vertices <= 20000 ? "usual" : vertices <= 100000 ? "many" : "most";
}

Plan make_plan(int seed)
{
    Plan plan;
    plan.seed = seed;
    Random random(seed, "body");
    plan.body = random.pick<std::string>(
        {{"slender", 18}, {"average", 20}, {"stout", 12}, {"chibi", 15}, {"toon", 12}, {"quadruped", 23}});
    if (plan.four_legs())
        plan.quadruped = make_quadruped(Random(seed, "quadruped"));
    else
        plan.biped = make_biped(plan.body, Random(seed, "biped"));
    plan.tails = make_tails(plan, Random(seed, "tails"));
    plan.decoys = make_decoys(plan, Random(seed, "decoys"));

    Random mesh(seed, "mesh");
    plan.construction =
        mesh.pick<std::string>({{"welded", 42}, {"shell", 26}, {"two shells", 10}, {"soup", 10}, {"seams", 12}});
    plan.tail_skin = mesh.chance(0.75) ? "nearest" : "pelvis";
    // Log-normal with a mean near 12,000 and two in a hundred above 100,000.
    plan.vertices = static_cast<int>(std::clamp(4500 * std::exp(1.4 * mesh.normal()), 500.0, 300000.0));
    plan.pieces = mesh.pick<std::string>({{"one primitive", 5}, {"primitives", 3}, {"meshes", 2}});

    Random rig(seed, "rig");
    plan.convention = rig.pick<std::string>({{"mixamo", 12},
                                             {"mixamo without colon", 10},
                                             {"meshy", 12},
                                             {"vroid", 10},
                                             {"unreal", 10},
                                             {"biped", 10},
                                             {"rigify", 10},
                                             {"quaternius", 10},
                                             {"joint_N", 8},
                                             {"nameless", 8}});
    plan.axes = rig.chance(0.5) ? "world" : "along the bone";
    plan.root_joint = rig.chance(0.3);
    plan.end_joints = rig.chance(0.4);
    plan.fingers = !plan.four_legs() && rig.chance(0.35);
    plan.arms = rig.pick<std::string>({{"T", 4}, {"A", 4}, {"hanging", 2}});
    choose_space(plan, Random(seed, "space"));
    return plan;
}

} // namespace tailfix::generate
