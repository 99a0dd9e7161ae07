#include "generate/decoys.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include "generate/rng.h"

namespace tailfix::generate {
namespace {

using Eigen::Vector3d;

constexpr double kTau = 2 * std::numbers::pi;

std::vector<Vector3d> straight(const Vector3d& from, const Vector3d& to, int rings)
{
    std::vector<Vector3d> line;
    for (int i = 0; i < rings; ++i) line.emplace_back(from + (to - from) * i / (rings - 1));
    return line;
}

TriangleMesh rod(const Vector3d& from, const Vector3d& to, double ra, double rb, int sides)
{
    std::vector<double> radius;
    for (int i = 0; i < 8; ++i) radius.push_back(ra + (rb - ra) * i / 7);
    return loft(straight(from, to, 8), radius, sides, 0);
}

// Pushed off the body, so that cloth lies on it and not in it.
Vector3d off_body(const Figure& figure, const Vector3d& p, double room)
{
    const double d = figure.body.distance(p);
    return d < room ? Vector3d(p + (room - d) * figure.body.gradient(p)) : p;
}

struct Wardrobe {
    const Plan& plan;
    const Figure& figure;
    int detail;
    Random& random;

    double h() const { return plan.height; }
    Vector3d hips() const { return figure.at(figure.hips); }
    Vector3d chest() const { return figure.at(figure.chest); }
    Vector3d head() const { return figure.at(figure.head) + Vector3d(0, 0.8 * figure.skull, 0); }
    double cloth() const { return random.chance(0.5) ? 0.004 * h() : 0; }

    // A cone of cloth from the waist down, over the angles from a to b (0 is in front, a half turn behind).
    TriangleMesh around(double a, double b, double length, double flare) const
    {
        const Vector3d waist = hips() + Vector3d(0, 0.03 * h(), 0);
        const double start = 1.1 * figure.waist;
        const auto at = [=, this](double u, double v) {
            const double angle = a + (b - a) * u, r = start + flare * v;
            const Vector3d p = waist + Vector3d(r * std::sin(angle), -length * v, r * std::cos(angle));
            return off_body(figure, p, 0.012 * h());
        };
        return sheet(at, detail, std::max(3, detail / 2), cloth());
    }

    TriangleMesh cape() const
    {
        const double width = 0.13 * h(), length = random.between(0.35, 0.65) * h();
        const Vector3d top = chest() + Vector3d(0, 0.05 * h(), -0.06 * h());
        const auto at = [=, this](double u, double v) {
            const double x = (2 * u - 1) * width * (0.7 + 0.8 * v);
            return off_body(figure,
                            top + Vector3d(x, -length * v, -0.06 * h() * v - 0.15 * width * std::cos(3 * x / width)),
                            0.015 * h());
        };
        return sheet(at, detail, detail, cloth());
    }

    TriangleMesh strip(const Vector3d& from, const Vector3d& to, double width) const
    {
        const auto at = [=, this](double u, double v) {
            return off_body(figure, from + (to - from) * v + Vector3d((2 * u - 1) * 0.5 * width, 0, 0), 0.01 * h());
        };
        return sheet(at, 2, std::max(4, detail / 2), 0.004 * h());
    }

    TriangleMesh wings() const
    {
        TriangleMesh out;
        const double span = random.between(0.3, 0.6) * h();
        for (const double side : {1.0, -1.0}) {
            const Vector3d root = chest() + Vector3d(side * 0.03 * h(), 0.02 * h(), -0.08 * h());
            const auto at = [=, this](double u, double v) {
                return Vector3d(root + Vector3d(side * span * u, (0.2 * u - (0.1 + 0.35 * std::sin(u * 2.2)) * v) * h(),
                                                -0.1 * h() * u));
            };
            out.append(sheet(at, detail, detail / 2 + 2, cloth()));
        }
        return out;
    }

    TriangleMesh mane() const
    {
        const Vector3d back = chest() + Vector3d(0, 0.06 * h(), -0.05 * h()),
                       top = head() + Vector3d(0, figure.skull, -0.3 * figure.skull);
        const auto at = [=, this](double u, double v) {
            const Vector3d p = off_body(figure, back + (top - back) * u, 0.002 * h());
            return Vector3d(p + v * 0.05 * h() * Vector3d(0, 0.5, -0.85));
        };
        return sheet(at, detail, 3, cloth());
    }

    TriangleMesh ponytail() const
    {
        const Vector3d from = head() + figure.skull * Vector3d(0, 0.35, -0.9);
        const double length = random.between(0.15, 0.4) * h();
        std::vector<Vector3d> line;
        std::vector<double> radius;
        for (int i = 0; i < 14; ++i) {
            const double u = i / 13.0;
            line.push_back(off_body(figure, from + Vector3d(0, -length * u * u, -0.08 * h() * std::sqrt(u)),
                                    i < 2 ? -1 : 0.03 * h()));
            radius.push_back(0.022 * h() * (0.6 + 0.8 * std::sin(2.4 * u)));
        }
        return loft(line, radius, std::max(5, detail / 2), 0);
    }

    TriangleMesh hat() const
    {
        const Vector3d at = head() + Vector3d(0, 0.75 * figure.skull, 0);
        TriangleMesh out = rod(at, at + Vector3d(0, random.between(1, 2.5) * figure.skull, -0.3 * figure.skull),
                               0.75 * figure.skull, 0.1 * figure.skull, std::max(6, detail));
        const auto brim = [=, this](double u, double v) {
            const double r = figure.skull * (0.6 + 0.9 * v);
            return Vector3d(at + Vector3d(r * std::sin(kTau * u), 0, r * std::cos(kTau * u)));
        };
        out.append(sheet(brim, std::max(8, detail), 2, 0));
        return out;
    }

    double back_of_chest() const
    {
        double z = 0;
        while (figure.body.distance(chest() + Vector3d(0, -0.04 * h(), -z)) < 0.01 * h()) z += 0.005 * h();
        return z;
    }

    TriangleMesh box(const Vector3d& at, const Vector3d& half) const
    {
        return rod(at - Vector3d(0, half.y(), 0), at + Vector3d(0, half.y(), 0), half.x(), half.x() * 0.9,
                   4 * std::max(2, detail / 6));
    }

    TriangleMesh make(const std::string& name) const
    {
        const int sides = std::max(5, detail / 2);
        const double side = random.chance(0.5) ? 1 : -1, waist = figure.waist;
        if (name == "skirt") return around(0, kTau, random.between(0.12, 0.35) * h(), random.between(0.02, 0.12) * h());
        if (name == "cape") return cape();
        if (name == "coat tails") {
            TriangleMesh out = around(0.55 * kTau, 0.7 * kTau, random.between(0.2, 0.4) * h(), 0.05 * h());
            out.append(around(0.3 * kTau, 0.45 * kTau, random.between(0.2, 0.4) * h(), 0.05 * h()));
            return out;
        }
        if (name == "belt ends") {
            const Vector3d knot =
                hips() + Vector3d(side * 0.5 * waist, 0.02 * h(), (random.chance(0.5) ? 1 : -1) * 1.05 * waist);
            TriangleMesh out = strip(knot, knot + Vector3d(0.02 * h(), -0.25 * h(), 0), 0.025 * h());
            out.append(strip(knot, knot + Vector3d(-0.03 * h(), -0.2 * h(), 0), 0.025 * h()));
            return out;
        }
        if (name == "scabbard") {
            const Vector3d at = hips() + Vector3d(side * 1.25 * waist, 0, 0);
            return rod(at + Vector3d(0, 0.04 * h(), 0.06 * h()),
                       at + Vector3d(side * 0.03 * h(), -0.25 * h(), -0.22 * h()), 0.018 * h(), 0.01 * h(), sides);
        }
        // On the back, wherever the body ends there.
        const double behind = back_of_chest();
        if (name == "quiver")
            return rod(chest() + Vector3d(-0.09 * h(), -0.18 * h(), -behind),
                       chest() + Vector3d(0.06 * h(), 0.12 * h(), -behind), 0.03 * h(), 0.035 * h(), sides);
        if (name == "backpack")
            return box(chest() + Vector3d(0, -0.05 * h(), -behind - 0.05 * h()), {0.075 * h(), 0.1 * h(), 0});
        if (name == "ponytail") return ponytail();
        if (name == "hat") return hat();
        if (name == "wings") return wings();
        if (name == "mane") return mane();
        if (name == "sword" && !figure.hands.empty()) {
            const Vector3d hand = figure.hands.back();
            const Vector3d along = (Vector3d(-0.1, 0.3, 1)).normalized();
            return rod(hand - 0.06 * h() * along, hand + 0.5 * h() * along, 0.012 * h(), 0.006 * h(), 4);
        }
        return {};
    }
};

} // namespace

TriangleMesh make_decoys(const Plan& plan, const Figure& figure, int detail)
{
    Random random(static_cast<std::uint64_t>(plan.seed) * 7919 + 5);
    const Wardrobe wardrobe{plan, figure, detail, random};
    TriangleMesh out;
    for (const auto& name : plan.decoys) out.append(wardrobe.make(name));
    return out;
}

} // namespace tailfix::generate
