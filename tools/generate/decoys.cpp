#include "decoys.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <fmt/format.h>

#include <tailfix/error.h>

#include "rng.h"
#include "tube.h"

namespace tailfix::generate {
namespace {

constexpr double kPi = std::numbers::pi;
constexpr double kCloth = 0.008; // H: cloth lies this far off the skin

struct Wearer {
    const Plan& plan;
    const Rig& rig;
    const Field& field;
    double spacing;
    Random random; // of this decoy

    Vec joint(const char* role) const { return rig.at(role).position; }
    double leg() const { return joint("pelvis").y(); }
    double head() const { return plan.four_legs() ? plan.quadruped.head : plan.biped.head; }
    Vec head_centre() const
    {
        if (plan.four_legs()) return joint("head") + Vec(0, 0, 0.3 * head());
        return {0, 1 - 1.12 * head(), 0.012};
    }
    // From a point inside the body along a direction to where it is `off` outside.
    Vec skin(Vec p, const Vec& direction, double off = kCloth) const
    {
        constexpr double kStep = 0.003; // H
        const Vec step = kStep * direction.normalized();
        while (field.body_distance(p) < off) p += step;
        return p;
    }
    // Not in the body: moved along a direction out of it.
    Vec clear(const Vec& p, const Vec& direction) const
    {
        return field.body_distance(p) < kCloth ? skin(p, direction) : p;
    }
};

Part tube(const Wearer& w, const std::vector<Vec>& line, const std::vector<double>& radii,
          const Vec& across = Vec(1, 0, 0), double flat = 1)
{
    const double widest = *std::max_element(radii.begin(), radii.end());
    return make_tube({line, radii, across, flat}, std::min(w.spacing, widest));
}

Part skirt(Wearer& w)
{
    const Biped& b = w.plan.biped;
    const double top = w.leg() + 0.05, bottom = w.leg() * w.random.uniform(0.25, 0.7);
    const double flare = w.random.uniform(1.3, 2.0);
    const Eigen::Vector2d radii(b.hip_half + 0.75 * b.limb + 0.01, 0.85 * b.torso + 0.015);
    const auto at = [&](double u, double v) {
        const double angle = 2 * kPi * u;
        const Vec out(radii.x() * std::cos(angle), 0, radii.y() * std::sin(angle));
        const Vec p = Vec(0, top + v * (bottom - top), 0) + (1 + v * (flare - 1)) * out;
        return w.clear(p, out);
    };
    return make_sheet(at, {2 * kPi * radii.mean() * flare, top - bottom}, w.spacing);
}

// A sheet on the back from one height to another; `edges` are its sides, at the top and the bottom.
Part back_sheet(const Wearer& w, const Eigen::Vector2d& heights, const Eigen::Vector2d& top_edges,
                const Eigen::Vector2d& bottom_edges, double away)
{
    const auto at = [&](double u, double v) {
        const double left = top_edges.x() + v * (bottom_edges.x() - top_edges.x());
        const double right = top_edges.y() + v * (bottom_edges.y() - top_edges.y());
        const Vec inside(left + u * (right - left), heights.x() + v * (heights.y() - heights.x()), 0);
        const Vec back(0, 0, -1);
        return Vec(w.clear(inside + (0.05 + away * v) * back, back));
    };
    const double width =
        std::max(std::abs(top_edges.y() - top_edges.x()), std::abs(bottom_edges.y() - bottom_edges.x()));
    return make_sheet(at, {width, heights.x() - heights.y()}, w.spacing);
}

Part cape(Wearer& w)
{
    const Biped& b = w.plan.biped;
    const double half = 0.9 * b.shoulder_half, wide = half * w.random.uniform(1.0, 1.7);
    return back_sheet(w, {b.shoulder, w.leg() * w.random.uniform(0.15, 0.7)}, {-half, half}, {-wide, wide},
                      w.random.uniform(0.03, 0.15));
}

Part coat_tails(Wearer& w)
{
    const Biped& b = w.plan.biped;
    const Eigen::Vector2d heights(w.leg() + 0.03, w.leg() * w.random.uniform(0.3, 0.6));
    const double away = w.random.uniform(0.03, 0.1), half = b.hip_half + 0.5 * b.limb;
    Part part = back_sheet(w, heights, {0.1 * half, half}, {0.3 * half, 1.2 * half}, away);
    append(part, back_sheet(w, heights, {-half, -0.1 * half}, {-1.2 * half, -0.3 * half}, away));
    return part;
}

Part belt_ends(Wearer& w)
{
    const double length = w.leg() * w.random.uniform(0.25, 0.6);
    const double where = w.random.uniform(-1, 1) * w.plan.biped.hip_half;
    Part part;
    for (const double side : {-1.0, 1.0}) {
        std::vector<Vec> line;
        for (int i = 0; i <= 8; ++i)
            line.push_back(w.skin(Vec(where + side * (0.012 + 0.002 * i), w.leg() + 0.02 - length * i / 8, 0),
                                  Vec(0, 0, 1), 0.01));
        append(part, tube(w, line, std::vector<double>(line.size(), 0.013), Vec(1, 0, 0), 0.3));
    }
    return part;
}

Part scabbard(Wearer& w)
{
    const double side = w.random.chance(0.7) ? 1 : -1;
    const double length = std::min(w.random.uniform(0.3, 0.5), 1.1 * w.leg());
    const double down = w.random.uniform(0.4, 1.1); // radians below level, towards the back
    const Vec hip = w.skin(Vec(0, w.leg() + 0.01, 0), Vec(side, 0, 0), 0.02);
    const Vec way(0.15 * side, -std::sin(down), -std::cos(down));
    return tube(w, {hip - 0.25 * length * way, hip, hip + 0.7 * length * way, hip + 0.75 * length * way},
                {0.017, 0.016, 0.012, 0.005}, Vec(0, 1, 0), 0.5);
}

Part quiver(Wearer& w)
{
    if (w.plan.four_legs()) {
        const Vec middle = 0.5 * (w.joint("spine.1") + w.joint("spine.2"));
        const Vec flank = w.skin(middle - Vec(0, 0.3 * w.plan.quadruped.barrel, 0), Vec(1, 0, 0), 0.03);
        return tube(w, {flank + Vec(0, 0.05, 0.08), flank - Vec(0, 0.03, 0.12)}, {0.03, 0.026});
    }
    const Biped& b = w.plan.biped;
    const double trunk = b.shoulder - b.hip;
    const Vec back = w.skin(Vec(0, b.hip + 0.65 * trunk, 0), Vec(0, 0, -1), 0.03);
    const Vec way(-0.45, -1, 0.05);
    return tube(w, {back - 0.55 * trunk * way, back, back + 0.4 * trunk * way}, {0.034, 0.032, 0.026});
}

Part backpack(Wearer& w)
{
    const double size = w.random.uniform(0.8, 1.3);
    if (w.plan.four_legs()) {
        const Quadruped& q = w.plan.quadruped;
        const Vec top = w.skin(w.joint("spine.1"), Vec(0, 1, 0), 0.2 * q.barrel * size);
        const double half = 0.5 * q.barrel * size;
        return tube(
            w, {top - Vec(0, 0, half), top - Vec(0, 0, 0.9 * half), top + Vec(0, 0, 0.9 * half), top + Vec(0, 0, half)},
            {0.6 * half, half, half, 0.6 * half}, Vec(1, 0, 0), 0.7);
    }
    const Biped& b = w.plan.biped;
    const double trunk = b.shoulder - b.hip, half = 0.4 * trunk * size, radius = 0.9 * b.torso * size;
    const Vec c = w.skin(Vec(0, b.hip + 0.65 * trunk, 0), Vec(0, 0, -1), 0.6 * radius);
    return tube(w, {c - Vec(0, half, 0), c - Vec(0, 0.85 * half, 0), c + Vec(0, 0.8 * half, 0), c + Vec(0, half, 0)},
                {0.7 * radius, radius, 0.9 * radius, 0.5 * radius}, Vec(1, 0, 0), 0.65);
}

Part ponytail(Wearer& w)
{
    const double r = w.head(), length = w.random.uniform(1.5, 4.5) * std::min(r, 0.12);
    Vec p = w.head_centre() + Vec(0, 0.35 * r, -0.8 * r);
    Vec way(0, 0.25, -1);
    std::vector<Vec> line;
    std::vector<double> radii;
    for (int i = 0; i <= 14; ++i) {
        line.push_back(p);
        radii.push_back(0.22 * r * (0.1 + 1.5 * std::sin(kPi * (0.15 + 0.83 * i / 14))));
        way = (way + Vec(0, -0.28, 0)).normalized();
        p = w.clear(p + length / 14 * way, Vec(0, 0, -1));
    }
    return tube(w, line, radii);
}

Part long_ears(Wearer& w)
{
    const double r = w.head(), length = r * w.random.uniform(0.8, 2.2), lean = w.random.uniform(0.1, 0.9);
    Part part;
    for (const double side : {1.0, -1.0}) {
        const Vec base = w.head_centre() + r * Vec(0.45 * side, 0.75, -0.1);
        const Vec way = Vec(side * lean, 1, -0.15).normalized();
        append(part, tube(w, {base, base + 0.25 * length * way, base + 0.6 * length * way, base + length * way},
                          {0.22 * r, 0.3 * r, 0.26 * r, 0.06 * r}, Vec(1, 0, 0.2 * side), 0.35));
    }
    return part;
}

Part hat(Wearer& w)
{
    const double r = w.head(), brim = w.random.uniform(1.2, 2.0), high = w.random.uniform(0.6, 2.0);
    const Vec base = w.head_centre() + Vec(0, 0.55 * r, -0.05 * r);
    const auto up = [&](double y) -> Vec { return base + Vec(0, y * r, 0); };
    return tube(w, {up(0), up(0.08), up(0.12), up(0.2), up(0.2 + 0.6 * high), up(0.2 + high)},
                {brim * r, brim * r, 0.95 * r, 0.92 * r, 0.6 * r, w.random.uniform(0.08, 0.6) * r});
}

Part wings(Wearer& w)
{
    const double span = w.random.uniform(0.25, 0.55), up = w.random.uniform(-0.2, 0.8);
    const Vec inside = w.plan.four_legs() ? w.joint("spine.2") : Vec(0, 0.8 * w.plan.biped.shoulder + 0.2 * w.leg(), 0);
    const Vec outward = w.plan.four_legs() ? Vec(0, 1, 0) : Vec(0, 0, -1);
    Part part;
    for (const double side : {1.0, -1.0}) {
        const Vec base = w.skin(inside + Vec(0.025 * side, 0, 0), outward, 0);
        const auto at = [&](double u, double v) -> Vec {
            // A leading edge that rises and falls, and a trailing edge that narrows to the tip.
            const Vec lead(side * u, up * std::sin(0.8 * kPi * u) * 0.6, -0.25 * u);
            return base + span * (lead + Vec(0, -v * (0.2 + 0.45 * std::sin(kPi * std::min(u + 0.15, 1.0))), -0.1 * v));
        };
        append(part, make_sheet(at, {span, 0.6 * span}, w.spacing));
    }
    return part;
}

Part sword(Wearer& w)
{
    const RigJoint& hand = w.rig.at("hand.R");
    const Vec grip = hand.position + 0.6 * (hand.tip - hand.position);
    const double length = w.random.uniform(0.3, 0.6);
    const Vec way = Vec(0, w.random.uniform(-0.3, 0.6), 1).normalized();
    return tube(w,
                {grip - 0.07 * way, grip + 0.04 * way, grip + 0.045 * way, grip + 0.06 * way, grip + 0.07 * way,
                 grip + 0.9 * length * way, grip + length * way},
                {0.012, 0.012, 0.045, 0.045, 0.022, 0.018, 0.003}, Vec(0, 1, 0), 0.3);
}

// Along the crest of the neck, as of a horse; of a two-legged one, hair from the crown to between the shoulders.
Part mane(Wearer& w)
{
    const bool four = w.plan.four_legs();
    const Vec from = w.head_centre() + (four ? Vec(0, 0.5, 0) : Vec(0, 0.9, -0.2)) * w.head();
    const Vec to = four ? w.joint("spine.2") : Vec(0, 0.85 * w.plan.biped.shoulder + 0.15 * w.leg(), 0);
    const Vec out = four ? Vec(0, 1, -0.3) : Vec(0, 0.05, -1);
    const double thick = w.random.uniform(0.15, 0.3) * w.head();
    std::vector<Vec> line;
    std::vector<double> radii;
    for (int i = 0; i <= 12; ++i) {
        const double t = i / 12.0;
        line.push_back(w.skin(from + t * (to - from), out, 0.2 * thick));
        radii.push_back(thick * (0.6 + 0.5 * std::sin(kPi * t)));
    }
    radii.back() *= 0.5;
    return tube(w, line, radii, Vec(1, 0, 0), four ? 2.2 : 1.2);
}

// What a part may hang on rigidly, when it does not follow the nearest bones.
struct Decoy {
    const char* name;
    Part (*make)(Wearer&);
    const char* carrier;
    double rigid; // share that hangs on the carrier
};

constexpr Decoy kDecoys[] = {{"skirt", skirt, "pelvis", 0.1},
                             {"cape", cape, "spine.2", 0.3},
                             {"coat tails", coat_tails, "pelvis", 0.3},
                             {"belt ends", belt_ends, "pelvis", 0.4},
                             {"scabbard", scabbard, "pelvis", 0.6},
                             {"quiver", quiver, "spine.2", 0.6},
                             {"backpack", backpack, "spine.2", 0.6},
                             {"ponytail", ponytail, "head", 0.5},
                             {"long ears", long_ears, "head", 0.7},
                             {"hat", hat, "head", 1.0},
                             {"wings", wings, "spine.2", 0.6},
                             {"sword", sword, "hand.R", 1.0},
                             {"mane", mane, "neck", 0.1}};

} // namespace

std::vector<Part> make_decoys(const Plan& plan, const Rig& rig, const Field& field, double spacing)
{
    std::vector<Part> parts;
    for (const auto& name : plan.decoys) {
        const auto* decoy =
            std::find_if(std::begin(kDecoys), std::end(kDecoys), [&](const Decoy& d) { return name == d.name; });
        if (decoy == std::end(kDecoys)) throw Error(Failure::Usage, fmt::format("the generator knows no \"{}\"", name));
        Wearer wearer{plan, rig, field, spacing, Random(plan.seed, "decoy " + name)};
        Part part = decoy->make(wearer);
        part.name = name;
        if (wearer.random.chance(decoy->rigid)) part.bind = decoy->carrier;
        parts.push_back(std::move(part));
    }
    return parts;
}

} // namespace tailfix::generate
