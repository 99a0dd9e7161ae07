// Solids by their signed distance: smooth unions of round cones.
#pragma once

#include <vector>

#include <Eigen/Core>
#include <Eigen/Geometry>

namespace tailfix::generate {

// A ball of radius ra at a, one of radius rb at b, and all between.
struct RoundCone {
    Eigen::Vector3d a, b;
    double ra = 0, rb = 0;

    double distance(const Eigen::Vector3d& p) const;
};

class Solid {
public:
    explicit Solid(double fillet = 0) : fillet_(fillet) {}

    void add(const RoundCone& part) { parts_.push_back(part); }
    void ball(const Eigen::Vector3d& at, double r) { add({at, at, r, r}); }
    bool empty() const { return parts_.empty(); }

    // Under 0 inside. Lipschitz with constant 1.
    double distance(const Eigen::Vector3d& p) const;
    // The same near a place: only the parts that count within `reach` of `centre`.
    Solid near(const Eigen::Vector3d& centre, double reach) const;
    Eigen::Vector3d gradient(const Eigen::Vector3d& p) const;
    Eigen::AlignedBox3d box() const;
    double fillet() const { return fillet_; }

private:
    std::vector<RoundCone> parts_;
    double fillet_ = 0; // width over which parts run into each other
};

// The smaller of two distances, rounded over a width k (polynomial smooth minimum).
double smooth_min(double a, double b, double k);

} // namespace tailfix::generate
