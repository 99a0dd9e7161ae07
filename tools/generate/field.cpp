#include "field.h"

#include <algorithm>
#include <cmath>
#include <limits>

namespace tailfix::generate {
namespace {

// Quilez, "distance functions": the round cone is a cone tangent to both balls.
double round_cone(const Solid& s, const Vec& p)
{
    const Vec axis = s.b - s.a;
    const double l2 = axis.squaredNorm();
    const double rr = s.ra - s.rb;
    const double a2 = l2 - rr * rr;
    if (a2 <= 1e-18) return std::min((p - s.a).norm() - s.ra, (p - s.b).norm() - s.rb); // one ball holds the other
    const Vec pa = p - s.a;
    const double y = pa.dot(axis);
    const double z = y - l2;
    const double x2 = (pa * l2 - axis * y).squaredNorm();
    const double y2 = y * y * l2;
    const double z2 = z * z * l2;
    const double k = (rr > 0 ? 1 : rr < 0 ? -1 : 0) * rr * rr * x2;
    if ((z > 0 ? 1 : -1) * a2 * z2 > k) return std::sqrt(x2 + z2) / l2 - s.rb;
    if ((y > 0 ? 1 : -1) * a2 * y2 < k) return std::sqrt(x2 + y2) / l2 - s.ra;
    return (std::sqrt(x2 * a2 / l2) + y * rr) / l2 - s.ra;
}

} // namespace

double Solid::distance(const Vec& p) const
{
    if (radii.isZero(0)) return round_cone(*this, p);
    // First order: exact on the surface (Quilez, "ellipsoid").
    const Vec q = p - a;
    const double k1 = q.cwiseQuotient(radii.cwiseProduct(radii)).norm();
    if (k1 < 1e-12) return -radii.minCoeff();
    const double k0 = q.cwiseQuotient(radii).norm();
    return k0 * (k0 - 1) / k1;
}

Solid cone(const Vec& a, const Vec& b, double ra, double rb, double blend)
{
    return {a, b, ra, rb, Vec::Zero(), blend};
}

Solid ellipsoid(const Vec& centre, const Vec& radii, double blend)
{
    return {centre, centre, 0, 0, radii, blend};
}

double smooth_min(double a, double b, double k)
{
    if (k <= 0) return std::min(a, b);
    const double h = std::max(k - std::abs(a - b), 0.0) / k;
    return std::min(a, b) - h * h * k / 4;
}

double Field::body_distance(const Vec& p) const
{
    double d = std::numeric_limits<double>::max();
    for (const Solid& solid : body) d = smooth_min(d, solid.distance(p), solid.blend);
    return d;
}

double Field::tail_distance(std::size_t tail, const Vec& p) const
{
    double d = std::numeric_limits<double>::max();
    for (const Solid& solid : tails[tail]) d = std::min(d, solid.distance(p));
    return d;
}

double Field::distance(const Vec& p) const
{
    double d = body_distance(p);
    for (std::size_t t = 0; t < tails.size(); ++t) d = smooth_min(d, tail_distance(t, p), tail_blend);
    return d;
}

Field Field::near(const Vec& p, double reach) const
{
    // A solid farther than the nearest by more than the widest fillet and twice the reach changes nothing; ellipsoids
    // are first order only, hence three times.
    constexpr double kWidestFillet = 0.06;
    double least = std::numeric_limits<double>::max();
    for (const Solid& solid : body) least = std::min(least, solid.distance(p));
    for (const auto& tail : tails)
        for (const Solid& solid : tail) least = std::min(least, solid.distance(p));
    const double limit = least + 3 * reach + kWidestFillet;
    Field out;
    out.tail_blend = tail_blend;
    const auto keep = [&](const Solid& solid) { return solid.distance(p) <= limit; };
    std::copy_if(body.begin(), body.end(), std::back_inserter(out.body), keep);
    for (const auto& tail : tails) {
        out.tails.emplace_back();
        std::copy_if(tail.begin(), tail.end(), std::back_inserter(out.tails.back()), keep);
    }
    return out;
}

Vec gradient(const Field& field, const Vec& p)
{
    constexpr double kStep = 1e-4; // H: far below any feature
    Vec g;
    for (int i = 0; i < 3; ++i) {
        const Vec step = kStep * Vec::Unit(i);
        g[i] = field.body_distance(p + step) - field.body_distance(p - step);
    }
    const double norm = g.norm();
    return norm > 0 ? Vec(g / norm) : Vec(0, 1, 0);
}

} // namespace tailfix::generate
