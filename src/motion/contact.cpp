#include <tailfix/motion/contact.h>

#include <algorithm>
#include <cmath>

namespace tailfix {

namespace {

// The part of a unit vector across a unit axis, made unit; nothing when there is none to speak of.
std::optional<Eigen::Vector3d> across(const Eigen::Vector3d& v, const Eigen::Vector3d& axis)
{
    const Eigen::Vector3d part = v - v.dot(axis) * axis;
    const double norm = part.norm();
    if (norm < 1e-9) return std::nullopt;
    return part / norm;
}

Eigen::Vector3d across_or_rest(const LinkSpan& link, const Eigen::Vector3d& axis, const Eigen::Vector3d& last_resort)
{
    if (const auto t = across(link.direction, axis)) return *t;
    if (const auto t = across(link.rest, axis)) return *t;
    if (const auto t = across(last_resort, axis)) return *t;
    return axis.unitOrthogonal();
}

// A direction with component u along the axis and the rest of it along t.
Eigen::Vector3d on_circle(const Eigen::Vector3d& axis, double u, const Eigen::Vector3d& t)
{
    return (std::sqrt(std::max(0.0, 1 - u * u)) * t + u * axis).normalized();
}

// Turns t about the vertical as little as keeps the tip of a link that lies on the floor behind the front plane:
// with rho the radius of the circle of contact, rho t.f <= room, where f is the horizontal part of forward.
Eigen::Vector3d behind_plane(const LinkSpan& link, const Obstacles& obstacles, double u, const Eigen::Vector3d& t)
{
    const Eigen::Vector3d& forward = obstacles.forward;
    const Eigen::Vector3d flat(forward.x(), 0, forward.z());
    const double slope = flat.norm(), rho = link.length * std::sqrt(std::max(0.0, 1 - u * u));
    if (slope * rho < 1e-9 * link.length) return t; // the plane is level, or the link upright: no turn helps
    const double room = link.front - (link.head - obstacles.root).dot(forward) - link.length * u * forward.y();
    const double most = room / (slope * rho);
    const Eigen::Vector3d towards = flat / slope;
    if (t.dot(towards) <= most) return t;
    if (most <= -1) return -towards; // not even straight back: as far as it goes
    const Eigen::Vector3d sideways = Eigen::Vector3d::UnitY().cross(towards);
    // The candidate's side; straight ahead there is none, and the rest direction's is taken.
    double side = t.dot(sideways);
    if (std::abs(side) < 1e-9) side = link.rest.dot(sideways);
    return most * towards + std::copysign(std::sqrt(1 - most * most), side) * sideways;
}

} // namespace

Contact keep_clear(const LinkSpan& link, const Obstacles& obstacles)
{
    Contact out{link.direction, false, false};
    if (!(link.length > 0)) return out;
    LinkSpan now = link;
    if (obstacles.front_plane) {
        const double room = link.front - (link.head - obstacles.root).dot(obstacles.forward);
        if (link.length * link.direction.dot(obstacles.forward) > room) {
            const double u = std::clamp(room / link.length, -1.0, 1.0);
            now.direction =
                on_circle(obstacles.forward, u, across_or_rest(link, obstacles.forward, -Eigen::Vector3d::UnitY()));
            out.front = true;
        }
    }
    // The floor comes last: it outranks the plane where both cannot be kept.
    if (obstacles.floor && link.head.y() + link.length * now.direction.y() < *obstacles.floor) {
        const Eigen::Vector3d up = Eigen::Vector3d::UnitY();
        const double u = std::clamp((*obstacles.floor - link.head.y()) / link.length, -1.0, 1.0);
        Eigen::Vector3d t = across_or_rest(now, up, -obstacles.forward);
        if (obstacles.front_plane) t = behind_plane(now, obstacles, u, t);
        now.direction = on_circle(up, u, t);
        out.floor = true;
    }
    out.direction = now.direction;
    return out;
}

} // namespace tailfix
