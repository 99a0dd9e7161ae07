#include "tail.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tailfix::generate {
namespace {

constexpr int kSteps = 48;            // of the part outside
constexpr int kBuried = 4;            // steps inside the body
constexpr double kAboveFloor = 0.004; // H: lying on it, not in it

struct Angles {
    double pitch, yaw; // above level, to the left; of the way at some share of the length
};

double smooth_step(double from, double to, double x)
{
    const double t = std::clamp((x - from) / (to - from), 0.0, 1.0);
    return t * t * (3 - 2 * t);
}

Angles angles_at(const TailPlan& plan, double u)
{
    const double p = plan.pitch;
    if (plan.direction == "straight") return {p - 0.2 * u, plan.yaw};
    if (plan.direction == "down") return {-0.5 + p - 0.95 * smooth_step(0, 0.35, u), plan.yaw};
    if (plan.direction == "up") return {0.35 + p + 0.9 * smooth_step(0, 0.6, u), plan.yaw};
    if (plan.direction == "swept") return {-0.25 + p, plan.yaw + plan.side * (0.2 + 1.3 * smooth_step(0, 0.7, u))};
    // Over the back and round, one turn and a bit, its tip to one side.
    if (plan.direction == "curled") return {0.6 + 6.5 * u, plan.yaw + plan.side * 0.35};
    if (plan.direction == "S")
        return {-0.7 + p + 2.1 * smooth_step(0.2, 0.7, u) - 0.9 * smooth_step(0.75, 1, u), plan.yaw};
    return {-0.4 + p - 0.6 * smooth_step(0, 0.3, u), plan.yaw + plan.side * 0.5 * u}; // floor
}

Vec way(const Angles& a)
{
    return {std::cos(a.pitch) * std::sin(a.yaw), std::sin(a.pitch), -std::cos(a.pitch) * std::cos(a.yaw)};
}

// Over the root radius; at the tip a ball closes it.
double taper_at(const std::string& taper, double u)
{
    const double thin = 1 - 0.25 * u;
    if (taper == "even") return thin;
    if (taper == "cone") return 1 - 0.88 * u;
    if (taper == "bushy") return 0.75 + 1.35 * std::pow(std::sin(std::numbers::pi * std::pow(u, 0.85)), 1.5) - 0.45 * u;
    // A lion's and a donkey's.
    if (taper == "tuft")
        return 1 - 0.4 * std::min(u / 0.78, 1.0) +
               1.1 * smooth_step(0.75, 0.88, u) * (1 - 0.8 * smooth_step(0.9, 1, u));
    return 1 - 0.3 * smooth_step(0, 0.4, u) + 0.9 * smooth_step(0.55, 0.9, u); // club
}

// Where the middle of the back ends, behind the pelvis: from there on the field is positive.
Vec surface_behind(const Field& body, Vec p)
{
    constexpr double kStep = 0.002; // H
    while (body.body_distance(p) < 0) p.z() -= kStep;
    return p;
}

// The way that keeps `clear` of the body and above the floor.
Vec steered(const Field& body, const Vec& from, const Vec& wanted, double step, double clear, double radius)
{
    Vec to = from + step * wanted;
    const double d = body.body_distance(to);
    if (d < clear) to += (clear - d) * gradient(body, to);
    Vec dir = (to - from).normalized();
    const double room = from.y() - radius - kAboveFloor;
    // Level out over the last bit, as a thing that lies down does.
    const double least = -std::clamp(room / (4 * step), 0.0, 1.0);
    if (dir.y() < least) {
        Vec level(dir.x(), 0, dir.z());
        if (level.norm() < 0.2) level = Vec(0, 0, -1);
        dir = level.normalized() * std::sqrt(1 - least * least) + Vec(0, least, 0);
    }
    return dir;
}

// Without the kinks that steering leaves: each point moves to the middle of its neighbours, a few times.
void smooth(std::vector<Vec>& line, std::size_t first)
{
    constexpr int kTimes = 40; // evens out over about nine steps, a fifth of the length
    for (int i = 0; i < kTimes; ++i) {
        const std::vector<Vec> before = line;
        for (std::size_t k = first; k + 1 < line.size(); ++k)
            line[k] = 0.5 * before[k] + 0.25 * (before[k - 1] + before[k + 1]);
    }
}

} // namespace

TailShape make_tail(const TailPlan& plan, const Rig& rig, const Field& body)
{
    const double step = plan.length / kSteps;
    const Vec inside = rig.at("pelvis").position + Vec(plan.offset * plan.radius, plan.height, 0);
    const Vec surface = surface_behind(body, inside);
    TailShape shape;
    shape.blend = 0.5 * plan.radius;
    // The buried end: towards the pelvis, as deep as the root is wide.
    const double depth = std::min(1.5 * plan.radius, 0.8 * (surface - inside).norm());
    for (int i = kBuried; i > 0; --i) {
        shape.line.push_back(surface + (inside - surface).normalized() * depth * i / kBuried);
        shape.radii.push_back(plan.radius);
    }
    Vec at = surface;
    for (int i = 0; i <= kSteps; ++i) {
        const double u = static_cast<double>(i) / kSteps;
        const double radius = plan.radius * taper_at(plan.taper, u);
        shape.line.push_back(at);
        shape.radii.push_back(radius);
        // Two radii out it is free of the body, and stays so.
        const double out = plan.length * u;
        const double clear = std::min(out * 0.8, radius + 0.02);
        at += step * steered(body, at, way(angles_at(plan, u)), step, clear, radius);
    }
    shape.leaves = kBuried;
    smooth(shape.line, shape.leaves + 1);
    // What thickens towards its tip is lifted as far as it thickens.
    for (std::size_t i = shape.leaves; i < shape.line.size(); ++i)
        shape.line[i].y() = std::max(shape.line[i].y(), shape.radii[i] + kAboveFloor);
    return shape;
}

std::vector<Solid> solids_of(const TailShape& shape)
{
    std::vector<Solid> solids;
    for (std::size_t i = 0; i + 1 < shape.line.size(); ++i)
        solids.push_back(cone(shape.line[i], shape.line[i + 1], shape.radii[i], shape.radii[i + 1], 0));
    return solids;
}

} // namespace tailfix::generate
