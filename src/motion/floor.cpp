#include <tailfix/motion/floor.h>

#include <algorithm>
#include <cmath>
#include <limits>

#include <fmt/format.h>

#include "motion/kinematics.h"
#include "motion/skin_edges.h"
#include "motion/support_points.h"

namespace tailfix {

namespace {

constexpr int kTimes = 24; // per clip, method.md 7

double lowest(const Mesh& mesh, const std::vector<int>& vertices, const std::vector<Eigen::Affine3d>& matrices)
{
    double out = std::numeric_limits<double>::infinity();
    for (const int vertex : vertices) out = std::min(out, skin_vertex(mesh, matrices, vertex).y());
    return out;
}

double median(std::vector<double> values)
{
    return percentile(std::move(values), 50);
}

// The height the body stands on; infinite when it has no skin but the tail.
double standing_height(const Rigged& rigged, const World& world)
{
    const Character& character = rigged.character;
    const auto tail = tail_weights(character, rigged.chains);
    std::vector<char> skip(tail.size());
    std::transform(tail.begin(), tail.end(), skip.begin(), [](double w) { return static_cast<char>(w > 0.5); });
    const auto vertices = support_points(character.mesh, skip);
    if (character.clips.empty()) {
        const std::vector<Eigen::Affine3d> neutral(character.joints.size(), world.world_from_bind);
        return lowest(character.mesh, vertices, neutral);
    }
    const auto binds = inverse_binds(character);
    std::vector<double> per_clip;
    for (const Clip& clip : character.clips) {
        const ClipSampler sampler(character, &clip);
        double low = std::numeric_limits<double>::infinity();
        for (int i = 0; i < kTimes; ++i) {
            const double time = clip.start + (clip.end - clip.start) * i / (kTimes - 1);
            low = std::min(low, lowest(character.mesh, vertices, skin_matrices(character, binds, sampler.world(time))));
        }
        per_clip.push_back(low);
    }
    return median(std::move(per_clip));
}

} // namespace

Floor find_floor(const Rigged& rigged, const World& world, const FloorOptions& options)
{
    Floor floor;
    floor.clearance = options.clearance_m * world.units_per_meter;
    if (options.floor.is("none")) {
        floor.reason = "no ground, as asked";
        return floor;
    }
    floor.exists = true;
    if (!options.floor.is("auto")) {
        floor.height = options.floor.number;
        floor.reason = fmt::format("the ground is at {:g}, as asked", floor.height);
        return floor;
    }
    const double found = standing_height(rigged, world);
    const char* source = rigged.character.clips.empty() ? "in the neutral pose" : "in most clips";
    if (!std::isfinite(found)) {
        floor.exists = false;
        floor.reason = "no ground: there is no body skin to stand on it";
    } else if (std::abs(found) <= options.snap * world.height) {
        floor.reason = fmt::format("the ground is at 0: {} the body stands at {:.4g}", source, found);
    } else {
        floor.height = found;
        floor.reason = fmt::format("the ground is at {:.4g}, where the body stands {}", found, source);
    }
    return floor;
}

} // namespace tailfix
