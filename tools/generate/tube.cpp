#include "tube.h"

#include <algorithm>
#include <cmath>
#include <numbers>

#include <Eigen/Geometry>

namespace tailfix::generate {
namespace {

int parts_of(double length, double spacing, int least, int most)
{
    return std::clamp(static_cast<int>(std::lround(length / spacing)), least, most);
}

struct Station {
    Vec centre, first, second; // of a ring: its axes as long as its radii
};

// The line at even steps, with frames that turn as little as they can (double reflection, Wang et al. 2008, here by
// projection, which is as good for fine steps).
std::vector<Station> stations_of(const TubeShape& shape, int rings)
{
    std::vector<double> along(shape.line.size(), 0);
    for (std::size_t i = 1; i < along.size(); ++i) along[i] = along[i - 1] + (shape.line[i] - shape.line[i - 1]).norm();
    std::vector<Station> out;
    Vec across = shape.across;
    std::size_t k = 0;
    for (int r = 0; r < rings; ++r) {
        const double s = along.back() * r / (rings - 1);
        while (k + 2 < along.size() && along[k + 1] < s) ++k;
        const double t = std::clamp((s - along[k]) / std::max(along[k + 1] - along[k], 1e-12), 0.0, 1.0);
        const Vec tangent = (shape.line[k + 1] - shape.line[k]).normalized();
        across = (across - across.dot(tangent) * tangent).normalized();
        const double radius = shape.radii[k] + t * (shape.radii[k + 1] - shape.radii[k]);
        out.push_back({shape.line[k] + t * (shape.line[k + 1] - shape.line[k]), radius * across,
                       radius * shape.flat * tangent.cross(across)});
    }
    return out;
}

// A dome over the far end: the end of a swept tube is rounded off.
void add_dome(std::vector<Station>& stations)
{
    const Station end = stations.back();
    const Vec outward = end.first.cross(end.second).normalized() * std::min(end.first.norm(), end.second.norm());
    for (const double angle : {0.5, 1.0, 1.35}) // radians of a quarter circle
        stations.push_back(
            {end.centre + std::sin(angle) * outward, std::cos(angle) * end.first, std::cos(angle) * end.second});
}

} // namespace

Part make_tube(const TubeShape& shape, double spacing)
{
    double length = 0;
    for (std::size_t i = 1; i < shape.line.size(); ++i) length += (shape.line[i] - shape.line[i - 1]).norm();
    const double widest = *std::max_element(shape.radii.begin(), shape.radii.end());
    const int sides =
        parts_of(2 * std::numbers::pi * widest * std::sqrt((1 + shape.flat * shape.flat) / 2), spacing, 6, 400);
    auto stations = stations_of(shape, parts_of(length, spacing, 6, 2000));
    add_dome(stations);
    const int rings = static_cast<int>(stations.size());
    Part part;
    for (const Station& s : stations) {
        for (int k = 0; k < sides; ++k) {
            const double angle = 2 * std::numbers::pi * k / sides;
            part.positions.push_back(s.centre + std::cos(angle) * s.first + std::sin(angle) * s.second);
        }
    }
    for (int r = 0; r + 1 < rings; ++r) {
        for (int k = 0; k < sides; ++k) {
            const int a = r * sides + k, b = r * sides + (k + 1) % sides;
            part.triangles.push_back({a, b, b + sides});
            part.triangles.push_back({a, b + sides, a + sides});
        }
    }
    // A point closes each end, a third of a radius out: the last stations are the dome.
    for (const bool last : {false, true}) {
        const Station& s = last ? stations.back() : stations.front();
        const Vec outward = (last ? 1.0 : -1.0) * s.first.cross(s.second).normalized();
        const int tip = static_cast<int>(part.positions.size());
        part.positions.push_back(s.centre + 0.3 * std::min(s.first.norm(), s.second.norm()) * outward);
        for (int k = 0; k < sides; ++k) {
            const int a = (last ? (rings - 1) * sides : 0) + k;
            const int b = (last ? (rings - 1) * sides : 0) + (k + 1) % sides;
            if (last)
                part.triangles.push_back({a, b, tip});
            else
                part.triangles.push_back({b, a, tip});
        }
    }
    part.tail.assign(part.positions.size(), 0);
    return part;
}

Part make_sheet(const std::function<Vec(double, double)>& at, const Eigen::Vector2d& size, double spacing)
{
    const int nu = parts_of(size.x(), spacing, 3, 600), nv = parts_of(size.y(), spacing, 3, 600);
    Part part;
    for (int j = 0; j <= nv; ++j)
        for (int i = 0; i <= nu; ++i)
            part.positions.push_back(at(static_cast<double>(i) / nu, static_cast<double>(j) / nv));
    for (int j = 0; j < nv; ++j) {
        for (int i = 0; i < nu; ++i) {
            const int a = j * (nu + 1) + i, b = a + nu + 1;
            part.triangles.push_back({a, a + 1, b + 1});
            part.triangles.push_back({a, b + 1, b});
        }
    }
    part.tail.assign(part.positions.size(), 0);
    return part;
}

void append(Part& to, const Part& part)
{
    const int first = static_cast<int>(to.positions.size());
    to.positions.insert(to.positions.end(), part.positions.begin(), part.positions.end());
    to.tail.insert(to.tail.end(), part.tail.begin(), part.tail.end());
    for (const auto& t : part.triangles) to.triangles.push_back({t[0] + first, t[1] + first, t[2] + first});
}

} // namespace tailfix::generate
