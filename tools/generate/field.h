// Signed distance fields of bodies and tails: round cones and ellipsoids, joined smoothly.
#pragma once

#include <vector>

#include <Eigen/Core>

namespace tailfix::generate {

using Vec = Eigen::Vector3d;

// A ball of radius `ra` about `a` swept to one of radius `rb` about `b`; an ellipsoid about `a` where `radii` is set.
struct Solid {
    Vec a = Vec::Zero(), b = Vec::Zero();
    double ra = 0, rb = 0;
    Vec radii = Vec::Zero();
    double blend = 0; // width of the fillet with the solids before it

    double distance(const Vec& p) const; // negative inside
};

Solid cone(const Vec& a, const Vec& b, double ra, double rb, double blend);
Solid ellipsoid(const Vec& centre, const Vec& radii, double blend);

// Smooth minimum with a quadratic fillet of width k (Quilez, "smooth minimum").
double smooth_min(double a, double b, double k);

// A body, and tails that stick out of it.
struct Field {
    std::vector<Solid> body;
    std::vector<std::vector<Solid>> tails;
    double tail_blend = 0;

    double body_distance(const Vec& p) const;
    double tail_distance(std::size_t tail, const Vec& p) const;
    double distance(const Vec& p) const;
    // Only the solids that matter within `reach` of p.
    Field near(const Vec& p, double reach) const;
};

Vec gradient(const Field& field, const Vec& p); // of the body's distance, of length 1

} // namespace tailfix::generate
