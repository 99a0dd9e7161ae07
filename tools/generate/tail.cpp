#include "generate/tail.h"

#include <algorithm>
#include <cmath>
#include <numbers>

namespace tailfix::generate {
namespace {

using Eigen::Vector3d;

// Share of the root's radius at share u of the length.
double thickness(const std::string& taper, double u)
{
    const double bump = std::sin(std::numbers::pi * std::clamp(u, 0.0, 1.0));
    if (taper == "cone") return 1 - 0.85 * u;
    if (taper == "bushy") return 0.8 + 0.9 * bump * bump - 0.5 * u;
    if (taper == "tuft") return u < 0.8 ? 0.75 - 0.2 * u : 0.6 + 0.9 * std::sin(std::numbers::pi * (u - 0.8) / 0.25);
    if (taper == "club") return u < 0.7 ? 0.85 - 0.1 * u : 0.78 + 1.6 * (u - 0.7);
    return 1 - 0.35 * u;
}

// Direction at share u: pitch is the angle upwards from straight back, yaw to the left.
Vector3d heading(const TailPlan& tail, double u, double turns)
{
    const double turn = std::clamp(u / (0.15 + 0.35 * tail.bend), 0.0, 1.0); // how much of the bend is behind us
    double pitch = tail.lean, yaw = 0;
    if (tail.direction == "down") pitch = tail.lean * (1 - turn) - 1.4 * turn;
    if (tail.direction == "floor") pitch = tail.lean * (1 - turn) - 1.35 * turn;
    if (tail.direction == "up") pitch = tail.lean * (1 - turn) + 1.4 * turn;
    if (tail.direction == "left" || tail.direction == "right") {
        yaw = (tail.direction == "left" ? 1 : -1) * 1.35 * turn;
        pitch = tail.lean * (1 - turn) - 0.5 * turn;
    }
    if (tail.direction == "curled") pitch = tail.lean + turns * std::max(0.0, u - 0.1) / 0.9;
    if (tail.direction == "s-curve") pitch = tail.lean + 1.2 * std::sin(2 * std::numbers::pi * u * 0.9);
    return {std::sin(yaw) * std::cos(pitch), std::sin(pitch), -std::cos(yaw) * std::cos(pitch)};
}

// Where a ray from inside the body leaves it.
Vector3d leave_body(const Solid& body, const Vector3d& from, const Vector3d& along, double most)
{
    double low = 0, high = most;
    for (double t = 0; t < most; t += 0.01 * most) {
        if (body.distance(from + t * along) > 0) {
            high = t;
            break;
        }
        low = t;
    }
    for (int i = 0; i < 40; ++i) {
        const double middle = 0.5 * (low + high);
        (body.distance(from + middle * along) > 0 ? high : low) = middle;
    }
    return from + low * along;
}

} // namespace

Solid TailTube::solid() const
{
    Solid out(0);
    for (std::size_t i = 0; i + 1 < line.size(); ++i) out.add({line[i], line[i + 1], radius[i], radius[i + 1]});
    return out;
}

TailTube TailTube::thicker(double share, double from) const
{
    TailTube out = *this;
    const auto first = static_cast<std::ptrdiff_t>(from * static_cast<double>(line.size()));
    out.line.erase(out.line.begin(), out.line.begin() + first);
    out.radius.erase(out.radius.begin(), out.radius.begin() + first);
    for (double& r : out.radius) r *= 1 + share;
    return out;
}

TailTube make_tail(const Plan& plan, const TailPlan& tail, const Figure& figure)
{
    const double h = plan.height;
    TailTube tube;
    tube.length = tail.length * h;
    const double root_radius = tail.radius * h * thickness(tail.taper, 0);
    tube.root_radius = root_radius;
    const Vector3d hips = figure.at(figure.hips) + h * Vector3d(tail.aside, tail.rise, 0);
    const double fan = tail.aside / std::max(tail.radius, 1e-6) * 0.25; // several spread as they grow
    Vector3d first = heading(tail, 0, 0);
    first = Eigen::AngleAxisd(-fan, Vector3d::UnitY()) * first;
    tube.root = leave_body(figure.body, hips, first, h);

    constexpr int kSteps = 60;
    const double step = tube.length / kSteps;
    // A spiral's turns may not run into each other: 2 pi of turning needs 2 pi (1.6 r + the pitch) of length.
    const double turns = std::min(6.5, 0.9 * tube.length / (2.2 * root_radius));
    const double buried = 1.2 * root_radius;
    for (double back = buried; back > 0; back -= step) tube.line.push_back(tube.root - back * first);
    Vector3d at = tube.root;
    tube.line.push_back(at);
    for (int i = 0; i < kSteps; ++i) {
        const double u = (i + 0.5) / kSteps;
        Vector3d along = Eigen::AngleAxisd(-fan, Vector3d::UnitY()) * heading(tail, u, turns);
        if (tail.direction == "curled") along = Vector3d(along.x() + 0.12, along.y(), along.z()).normalized();
        const double r = tail.radius * h * thickness(tail.taper, u);
        Vector3d next = at + step * along;
        // Clear of the body, but for where it grows out of it.
        const double room = 1.15 * r + 0.01 * h;
        if (step * (i + 1) > 3 * root_radius) {
            const double d = figure.body.distance(next);
            if (d < room) next += (room - d) * figure.body.gradient(next);
        }
        next.y() = std::max(next.y(), 1.05 * r);
        at += step * (next - at).normalized();
        at.y() = std::max(at.y(), 1.05 * r);
        tube.line.push_back(at);
    }
    const std::size_t inside = tube.line.size() - kSteps - 1;
    for (std::size_t i = 0; i < tube.line.size(); ++i) {
        const double u = i <= inside ? 0 : static_cast<double>(i - inside) / kSteps;
        tube.radius.push_back(tail.radius * h * std::max(thickness(tail.taper, u), 0.06));
    }
    return tube;
}

} // namespace tailfix::generate
