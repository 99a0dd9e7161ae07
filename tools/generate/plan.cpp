#include "generate/plan.h"

#include <algorithm>
#include <cmath>

#include "generate/rng.h"

namespace tailfix::generate {
namespace {

TailPlan make_tail(Random& random, const Plan& plan)
{
    TailPlan tail;
    tail.direction = random.one_of<std::string>(
        {"back", "back", "down", "down", "up", "left", "right", "curled", "s-curve", "floor"});
    tail.taper = random.one_of<std::string>({"even", "cone", "cone", "bushy", "tuft", "club"});
    // Log-uniform: whips and short brushes are as usual as middling tails. Below 0.2 it is a stub.
    tail.length = 0.2 * std::pow(1.2 / 0.2, random.unit());
    if (random.chance(0.03)) tail.length = random.between(0.12, 0.2);
    tail.radius = 0.012 * std::pow(0.05 / 0.012, random.unit());
    if (tail.taper == "cone" && random.chance(0.4)) tail.radius *= 1.5;
    tail.radius = std::min(tail.radius, tail.length / 6); // a tail is longer than thick
    tail.rise = random.between(-0.02, 0.05);
    tail.lean = random.between(-0.6, 0.5);
    tail.bend = random.unit();
    if (plan.body == "raptor") {
        tail.direction = random.one_of<std::string>({"back", "back", "s-curve", "left", "right"});
        tail.lean = random.between(-0.2, 0.3);
    }
    // A spiral needs room between its turns.
    if (tail.direction == "curled") tail.radius = std::min(tail.radius, tail.length / 14);
    return tail;
}

void choose_tails(Random& random, Plan& plan)
{
    const int count = random.chance(0.9) ? 1 : random.chance(0.6) ? 2 : 3;
    const TailPlan first = make_tail(random, plan);
    for (int i = 0; i < count; ++i) {
        TailPlan tail = first;
        if (count > 1) {
            // Side by side from one root, spread like a fan.
            tail.radius = std::min(first.radius, 0.022);
            tail.length = std::max(first.length, 0.3) * random.between(0.8, 1.0);
            tail.aside = 2.6 * tail.radius * (i - 0.5 * (count - 1));
            tail.direction = "back";
            tail.lean = first.lean;
        }
        plan.tails.push_back(tail);
    }
}

void choose_decoys(Random& random, Plan& plan)
{
    std::vector<std::string> choice = {"long ears", "hat", "mane"};
    if (!plan.quadruped() && plan.body != "raptor")
        choice = {"skirt",    "cape",      "coat tails", "belt ends", "scabbard", "quiver", "backpack",
                  "ponytail", "long ears", "hat",        "wings",     "sword",    "mane"};
    const int count = random.below(5);
    for (int i = 0; i < count; ++i) {
        const std::string one = choice[static_cast<std::size_t>(random.below(static_cast<int>(choice.size())))];
        const auto has = [&](const char* name) {
            return std::find(plan.decoys.begin(), plan.decoys.end(), name) != plan.decoys.end();
        };
        // One garment below the belt: a skirt under coat tails is a costume, and nobody could say what is what.
        const bool garment = one == "skirt" || one == "coat tails" || one == "cape";
        if (has(one.c_str()) || (garment && (has("skirt") || has("coat tails") || has("cape")))) continue;
        plan.decoys.push_back(one);
    }
}

} // namespace

Plan make_plan(int seed)
{
    Random random(static_cast<std::uint64_t>(seed) * 1000003 + 17);
    random.next();
    Plan plan;
    plan.seed = seed;
    plan.body = random.one_of<std::string>(
        {"slender", "average", "average", "stout", "chibi", "toon", "cat", "horse", "raptor"});
    plan.height = plan.body == "cat" ? random.between(0.35, 0.8) : random.between(1.0, 2.2);
    plan.limbs = random.between(0.8, 1.25);
    plan.trunk = random.between(0.85, 1.2);
    plan.rump = random.between(0.85, 1.2);
    plan.arms = random.one_of<std::string>({"T", "A", "A", "hanging"});
    plan.construction = random.one_of<std::string>({"welded", "welded", "welded", "own shell", "two shells"});
    plan.soup = random.chance(0.1);
    plan.seams = !plan.soup && random.chance(0.3);
    plan.parts = random.chance(0.2);
    // 500 to 300,000, most of them under 15,000.
    const double dense = random.unit();
    plan.vertices = static_cast<int>(500 * std::pow(600.0, dense * dense));
    choose_tails(random, plan);
    // Three tails of a few triangles each are no tails.
    if (plan.tails.size() > 1) plan.vertices = std::max(plan.vertices, 4000);
    // The fewer triangles a model has, the plumper its tail: nobody models a whip of nine points.
    if (plan.vertices < 1500)
        for (auto& tail : plan.tails) tail.radius = std::max(tail.radius, std::min(0.025, tail.length / 10));
    choose_decoys(random, plan);
    plan.convention = random.one_of<std::string>({"mixamo", "mixamo colon", "meshy", "vroid", "unreal", "biped",
                                                  "rigify", "quaternius", "numbered", "nameless"});
    plan.root_joint = random.chance(0.5);
    plan.fingers = random.chance(0.3);
    plan.end_joints = random.chance(0.4);
    plan.aligned_joints = random.chance(0.5);
    plan.facing = random.chance(0.4) ? 0 : random.between(-3.14159, 3.14159);
    plan.scale = random.chance(0.4) ? 1 : std::pow(10.0, random.between(-2, 2));
    plan.z_up = random.chance(0.3);
    plan.armature_scale = random.chance(0.5);
    plan.posed = random.chance(0.3);
    return plan;
}

nlohmann::json Plan::describe() const
{
    const auto& tail = tails.front();
    std::string worn;
    for (const auto& name : decoys) worn += (worn.empty() ? "" : ", ") + name;
    const char* density = vertices < 1500    ? "under 1,500"
                          : vertices < 10000 ? "to 10,000"
                          : vertices < 50000 ? "to 50,000"
                                             : "over 50,000";
    const auto class_of = [](double value, double low, double high, const char* a, const char* b, const char* c) {
        return std::string(value < low ? a : value < high ? b : c);
    };
    return {{"body", body},
            {"direction", tail.direction},
            {"taper", tail.taper},
            {"length", class_of(tail.length, 0.2, 0.6, "stub", "middling", "long")},
            {"thickness", class_of(tail.radius, 0.018, 0.035, "whip", "middling", "thick")},
            {"construction", construction + (soup    ? ", soup"
                                             : seams ? ", seams"
                                                     : "")},
            {"tails", static_cast<int>(tails.size())},
            {"density", density},
            {"arms", quadruped() ? "none" : arms},
            {"convention", convention},
            {"decoys", worn.empty() ? "none" : worn},
            {"facing", facing == 0 ? "front" : "turned"},
            {"up", z_up ? "Z" : "Y"},
            {"scale", class_of(scale, 0.5, 2, "small", "metre", "large")},
            {"pose", posed ? "posed" : "bind"}};
}

} // namespace tailfix::generate
