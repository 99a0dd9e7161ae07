#include "surface/profile.h"

#include <algorithm>
#include <cmath>
#include <numbers>
#include <utility>

#include <Eigen/Eigenvalues>

#include <tailfix/surface/distance_field.h>

#include "surface/geodesic_front.h"

namespace tailfix {
namespace {

struct Segment {
    Eigen::Vector3d from, to;
};

// Where a triangle crosses level s, oriented by its winding: from the edge that climbs through s to the one that
// descends. Around a closed section the segments then run head to tail.
bool cross(const SurfaceGraph& graph, const std::vector<double>& t, const Eigen::Vector3i& triangle, double s,
           Segment& out)
{
    bool up = false, down = false;
    for (int k = 0; k < 3; ++k) {
        const auto a = static_cast<std::size_t>(triangle[k]), b = static_cast<std::size_t>(triangle[(k + 1) % 3]);
        if ((t[a] < s) == (t[b] < s)) continue;
        const Eigen::Vector3d p = graph.points[a] + (s - t[a]) / (t[b] - t[a]) * (graph.points[b] - graph.points[a]);
        (t[a] < s ? out.from : out.to) = p;
        (t[a] < s ? up : down) = true;
    }
    return up && down;
}

Section summarise(double s, const std::vector<Segment>& segments)
{
    Section section;
    section.s = s;
    Eigen::Vector3d chain = Eigen::Vector3d::Zero();
    for (const auto& g : segments) {
        const double length = (g.to - g.from).norm();
        section.perimeter += length;
        section.centre += 0.5 * length * (g.from + g.to);
        chain += g.to - g.from;
    }
    if (!(section.perimeter > 0)) return section;
    section.centre /= section.perimeter;
    section.openness = chain.norm() / section.perimeter;
    Eigen::Matrix3d covariance = Eigen::Matrix3d::Zero();
    for (const auto& g : segments) {
        const double length = (g.to - g.from).norm();
        const Eigen::Vector3d arm = 0.5 * (g.from + g.to) - section.centre;
        section.radius += length * arm.norm();
        covariance += length * arm * arm.transpose();
    }
    section.radius /= section.perimeter;
    const Eigen::Vector3d values =
        Eigen::SelfAdjointEigenSolver<Eigen::Matrix3d>(covariance, Eigen::EigenvaluesOnly).eigenvalues();
    section.flatness = values[2] > 0 ? std::sqrt(std::max(0.0, values[1]) / values[2]) : 0;
    return section;
}

class Profiler {
public:
    Profiler(const SurfaceGraph& graph, int tip, const std::vector<Bone>& bones, const ProfileOptions& options)
        : graph_(graph), bones_(bones), options_(options), front_(graph), corners_(graph.triangles.size(), 0)
    {
        front_.add({tip, 0});
    }

    Profile run()
    {
        // Balls grow by half again, so that a tail costs little and the whole surface at most three times its own.
        double limit = 25 * options_.step;
        for (;; limit *= 1.5) {
            front_.advance(limit, [&](int p) { settle(p); });
            close_sections(front_.done() ? kUnreached : limit - graph_.longest_edge);
            if (front_.done() || past_body()) break;
        }
        smooth();
        profile_.distance = front_.distance();
        return std::move(profile_);
    }

private:
    void settle(int p)
    {
        ++profile_.reached;
        for (int k = graph_.first_triangle[static_cast<std::size_t>(p)];
             k < graph_.first_triangle[static_cast<std::size_t>(p) + 1]; ++k) {
            const int t = graph_.triangle_of[static_cast<std::size_t>(k)];
            if (++corners_[static_cast<std::size_t>(t)] == 3) bucket(graph_.triangles[static_cast<std::size_t>(t)]);
        }
    }

    // Cuts a triangle at every level that it spans.
    void bucket(const Eigen::Vector3i& triangle)
    {
        double low = kUnreached, high = 0;
        for (int k = 0; k < 3; ++k) {
            const double t = front_.distance()[static_cast<std::size_t>(triangle[k])];
            low = std::min(low, t);
            high = std::max(high, t);
        }
        const auto first = static_cast<std::size_t>(std::max(0.0, std::floor(low / options_.step)));
        for (std::size_t i = first; (static_cast<double>(i) + 1) * options_.step <= high; ++i) {
            Segment segment;
            if (!cross(graph_, front_.distance(), triangle, (static_cast<double>(i) + 1) * options_.step, segment))
                continue;
            if (pending_.size() <= i) pending_.resize(i + 1);
            pending_[i].push_back(segment);
        }
    }

    // Levels up to `limit` have all their triangles.
    void close_sections(double limit)
    {
        auto& sections = profile_.sections;
        while (sections.size() < pending_.size()) {
            const std::size_t i = sections.size();
            const double s = (static_cast<double>(i) + 1) * options_.step;
            if (s > limit) return;
            Section section = summarise(s, pending_[i]);
            if (section.perimeter > 0) {
                section.bone_distance = distance_to_bones(section.centre, bones_);
            } else if (i > 0) {
                // The front crosses a gap between two shells: no skin there, so the last section stands for it.
                section = sections[i - 1];
                section.s = s;
            }
            pending_[i] = {};
            sections.push_back(section);
            const auto inside = [&](std::size_t k) { return sections[k].q() < options_.body_q; };
            if (profile_.body_entry < 0 && i >= 2 && inside(i) && inside(i - 1) && inside(i - 2))
                profile_.body_entry = static_cast<int>(i) - 2;
        }
    }

    // One local diameter past the body entry is known, which the flare looks at.
    bool past_body() const
    {
        if (profile_.body_entry < 0) return false;
        const Section& entry = profile_.sections[static_cast<std::size_t>(profile_.body_entry)];
        double need = entry.s + entry.perimeter / std::numbers::pi;
        for (int i = 0; i <= profile_.body_entry; ++i) {
            const Section& section = profile_.sections[static_cast<std::size_t>(i)];
            need = std::max(need, section.s + section.perimeter / std::numbers::pi);
        }
        return profile_.sections.back().s > need + options_.step;
    }

    void smooth()
    {
        auto& sections = profile_.sections;
        std::vector<double> raw;
        for (const auto& section : sections) raw.push_back(section.perimeter);
        for (std::size_t i = 1; i + 1 < raw.size(); ++i)
            sections[i].perimeter = 0.25 * raw[i - 1] + 0.5 * raw[i] + 0.25 * raw[i + 1];
    }

    const SurfaceGraph& graph_;
    const std::vector<Bone>& bones_;
    const ProfileOptions& options_;
    GeodesicFront front_;
    std::vector<char> corners_;                 // settled corners per triangle
    std::vector<std::vector<Segment>> pending_; // per level
    Profile profile_;
};

} // namespace

Profile measure_profile(const SurfaceGraph& graph, int tip, const std::vector<Bone>& bones,
                        const ProfileOptions& options)
{
    return Profiler(graph, tip, bones, options).run();
}

} // namespace tailfix
