#include "generate/shape.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tailfix::generate {

double smooth_min(double a, double b, double k)
{
    if (!(k > 0)) return std::min(a, b);
    const double h = std::max(k - std::abs(a - b), 0.0) / k;
    return std::min(a, b) - 0.25 * h * h * k;
}

// The cone that touches both balls: in the plane through the axis, the distance from its slanted side where the foot of
// the perpendicular lies between the circles of contact, else from the nearer ball.
double RoundCone::distance(const Eigen::Vector3d& p) const
{
    const Eigen::Vector3d axis = b - a;
    const double length = axis.norm();
    const double slope = length > 0 ? (ra - rb) / length : 2;
    if (std::abs(slope) >= 1) return std::min((p - a).norm() - ra, (p - b).norm() - rb); // one ball holds the other
    const Eigen::Vector3d from = p - a;
    const double along = from.dot(axis) / length;
    const double off = std::sqrt(std::max(0.0, from.squaredNorm() - along * along));
    const double cosine = std::sqrt(1 - slope * slope);
    // Along the axis, the place whose normal to the slanted side runs through p.
    const double foot = along - off * slope / cosine;
    if (foot <= 0) return from.norm() - ra;
    if (foot >= length) return (p - b).norm() - rb;
    return off * cosine + along * slope - ra;
}

double Solid::distance(const Eigen::Vector3d& p) const
{
    double d = std::numeric_limits<double>::infinity();
    for (const auto& part : parts_) {
        const double own = part.distance(p);
        d = std::isinf(d) ? own : smooth_min(d, own, fillet_);
    }
    return d;
}

Solid Solid::near(const Eigen::Vector3d& centre, double reach) const
{
    double least = std::numeric_limits<double>::infinity();
    std::vector<double> own;
    for (const auto& part : parts_) {
        own.push_back(part.distance(centre));
        least = std::min(least, own.back());
    }
    Solid out(fillet_);
    for (std::size_t i = 0; i < parts_.size(); ++i)
        if (own[i] <= least + 2 * reach + fillet_) out.parts_.push_back(parts_[i]);
    return out;
}

Eigen::Vector3d Solid::gradient(const Eigen::Vector3d& p) const
{
    const double h = 1e-5;
    Eigen::Vector3d g;
    for (int i = 0; i < 3; ++i) {
        const Eigen::Vector3d step = h * Eigen::Vector3d::Unit(i);
        g[i] = distance(p + step) - distance(p - step);
    }
    return g.norm() > 0 ? Eigen::Vector3d(g.normalized()) : Eigen::Vector3d::UnitY();
}

Eigen::AlignedBox3d Solid::box() const
{
    Eigen::AlignedBox3d box;
    for (const auto& part : parts_) {
        box.extend(Eigen::AlignedBox3d(part.a.array() - part.ra, part.a.array() + part.ra));
        box.extend(Eigen::AlignedBox3d(part.b.array() - part.rb, part.b.array() + part.rb));
    }
    return box;
}

} // namespace tailfix::generate
