// Runs one chain through a clip: warm-up until passes repeat, then the recorded pass.
#pragma once

#include <vector>

#include "motion/drive.h"

namespace tailfix {

// A recorded pass on the drive's grid.
struct Recording {
    std::size_t links = 0;
    std::vector<Eigen::Quaterniond> local; // [grid time][link], parent_from_joint
    std::vector<char> on_floor;            // per grid time: some link touches
    double max_bend_rad = 0;

    std::size_t times() const { return on_floor.size(); }
    const Eigen::Quaterniond& at(std::size_t time, std::size_t link) const { return local[time * links + link]; }
};

struct Performance {
    Recording recording; // one grid time only for a static clip
    int warmup_passes = 0;
    bool converged = true;
    double seam_deg = 0, seam_speed_deg_s = 0;
};

Performance perform(const Drive& drive, ClipKind kind, const RestArc& arc, const StepRules& rules,
                    const BakeOptions& options);

} // namespace tailfix
