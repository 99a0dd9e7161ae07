#include "measure.h"

#include <algorithm>
#include <chrono>

#include <fmt/format.h>
#include <tbb/parallel_for.h>
#include <tbb/task_arena.h>

#include <tailfix/error.h>
#include <tailfix/io/load.h>

#include "generated.h"
#include "metrics.h"
#include "models.h"
#include "truth.h"

namespace tailfix::benchmark {
namespace {

namespace fs = std::filesystem;

// One rig of a file, and what was found on it.
struct Finding {
    Character character; // with its names
    Roles roles;
    Weld weld;
    Detection detection;
    std::vector<bool> truth; // per welded point
};

// What the rigs of a file add up to.
struct Sums {
    Overlap points, area;
    double root_error = 0;
    int roots = 0;
    int attach_known = 0, attach_right = 0;
    double best_overlap = 0; // of Result::nearest
};

Character without_names(Character character)
{
    for (auto& joint : character.joints) joint.name.clear();
    for (auto& node : character.nodes) node.name.clear();
    return character;
}

Finding find(const Character& character, const MeasureOptions& options, double& seconds)
{
    const Character seen = options.names ? character : without_names(character);
    DetectOptions detect;
    detect.method = options.method;
    const auto start = std::chrono::steady_clock::now();
    Finding out;
    out.roles = find_roles(seen);
    out.weld = weld_vertices(seen.mesh);
    out.detection = detect_tails(seen, out.roles, out.weld, detect);
    seconds += std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
    out.character = character;
    return out;
}

std::vector<bool> found_points(const Finding& finding)
{
    std::vector<bool> out(finding.weld.points.size(), false);
    for (const Tail& tail : finding.detection.tails)
        for (const int p : tail.points) out[static_cast<std::size_t>(p)] = true;
    return out;
}

std::string joint_name(const Character& character, int joint)
{
    if (joint == kNone) return "";
    const Joint& j = character.joints[static_cast<std::size_t>(joint)];
    return j.name.empty() ? fmt::format("node {}", j.node) : j.name;
}

// The tails of this rig as the truth lists them; where it does not, all of it is one.
std::vector<TruthTail> true_tails(const Finding& finding, const Truth& truth, const Model& model)
{
    std::vector<TruthTail> tails = truth.tails;
    const auto true_points = std::count(finding.truth.begin(), finding.truth.end(), true);
    if (true_points == 0) return {};
    if (tails.empty()) tails.push_back({std::nullopt, model.attach});
    // Other skin than tail is needed to see where the tail begins.
    if (static_cast<std::size_t>(true_points) < finding.truth.size())
        for (auto& tail : tails)
            if (!tail.root) tail.root = rim_centroid(finding.weld, finding.truth);
    return tails;
}

// Where each true tail begins and hangs, against the nearest found one.
void compare_roots(const Finding& finding, const std::vector<TruthTail>& tails, Sums& sums)
{
    for (const TruthTail& truth : tails) {
        if (!truth.root || finding.detection.tails.empty()) continue;
        const auto nearest = std::min_element(finding.detection.tails.begin(), finding.detection.tails.end(),
                                              [&](const Tail& a, const Tail& b) {
                                                  return (a.root - *truth.root).norm() < (b.root - *truth.root).norm();
                                              });
        sums.root_error += (nearest->root - *truth.root).norm() / finding.roles.height;
        ++sums.roots;
        if (truth.attach.empty()) continue;
        const std::string name = joint_name(finding.character, nearest->attach);
        ++sums.attach_known;
        sums.attach_right += std::find(truth.attach.begin(), truth.attach.end(), name) != truth.attach.end() ? 1 : 0;
    }
}

std::string explain(const Appendage& piece, double iou)
{
    std::string reasons;
    for (const auto& reason : piece.reasons) reasons += (reasons.empty() ? "" : "; ") + reason;
    return fmt::format("{} (IoU {:.2f}, {}): {}", class_name(piece.kind), iou, piece.found_by, reasons);
}

void add(const Finding& finding, Result& result, Sums& sums)
{
    const auto found = found_points(finding);
    const std::vector<double> ones(found.size(), 1.0);
    sums.points = sums.points + overlap(found, finding.truth, ones);
    sums.area = sums.area + overlap(found, finding.truth, point_areas(finding.weld));
    result.tails_found += static_cast<int>(finding.detection.tails.size());
    for (const Tail& tail : finding.detection.tails)
        result.attach.push_back(joint_name(finding.character, tail.attach));
    if (!finding.detection.why_none.empty()) result.why_none = finding.detection.why_none;
    if (!finding.detection.own_tail.empty()) result.refused = true;
    const auto& pieces = finding.detection.appendages;
    for (std::size_t i = finding.detection.tails.size(); i < pieces.size(); ++i) {
        ++result.others[std::string(class_name(pieces[i].kind))];
        const double iou = overlap(points_of_list(pieces[i].points, found.size()), finding.truth, ones).iou();
        if (iou <= sums.best_overlap) continue;
        sums.best_overlap = iou;
        result.nearest = explain(pieces[i], iou);
    }
}

void finish(const Sums& sums, Result& result)
{
    result.iou = sums.points.iou();
    result.precision = sums.points.precision();
    result.recall = sums.points.recall();
    result.area_iou = sums.area.iou();
    if (sums.roots > 0) result.root_error = sums.root_error / sums.roots;
    if (sums.attach_known > 0) result.attach_right = sums.attach_right == sums.attach_known;
    result.refused = result.refused && result.tails_found == 0;
    if (result.found()) result.nearest.clear();
    if (result.tails_found > 0) result.why_none.clear();
}

// Truth of another file of the same surface, brought over by position.
Truth truth_by_position(const Truth& truth, const fs::path& of, const Loaded& loaded)
{
    std::vector<Eigen::Vector3d> from, to;
    std::vector<double> weights;
    for (const auto& character : load(of).characters) {
        from.insert(from.end(), character.mesh.positions.begin(), character.mesh.positions.end());
        const auto some = weights_of_vertices(truth, character.mesh);
        weights.insert(weights.end(), some.begin(), some.end());
    }
    for (const auto& character : loaded.characters)
        to.insert(to.end(), character.mesh.positions.begin(), character.mesh.positions.end());
    const auto moved = transfer_weights(from, weights, to);
    Truth out;
    auto next = moved.begin();
    for (const auto& character : loaded.characters)
        for (const auto& p : character.mesh.primitives) {
            out.parts.push_back({p.mesh, p.primitive, {next, next + p.vertex_count}});
            next += p.vertex_count;
        }
    return out;
}

} // namespace

Result measure(const Model& model, const MeasureOptions& options)
{
    Result result;
    result.group = model.group;
    result.name = model.name;
    result.expect = model.expect;
    Truth truth;
    Loaded loaded;
    try {
        if (model.seed) {
            const Generated made = generate_character(model, options.temporary);
            truth = made.truth;
            loaded = made.loaded;
        } else {
            loaded = load(model.file);
        }
    } catch (const Error& error) {
        result.unreadable = error.what();
        return result;
    }
    if (!model.truth.empty()) truth = parse_truth(read_json(model.truth));
    if (!model.truth_of.empty()) truth = truth_by_position(truth, model.truth_of, loaded);
    if (result.expect == Expect::Tail && !truth.any()) result.expect = Expect::None;
    result.description = truth.description;
    Sums sums;
    for (const auto& character : loaded.characters) {
        Finding finding = find(character, options, result.seconds);
        finding.truth = points_of_weights(finding.weld, weights_of_vertices(truth, character.mesh));
        const auto tails = true_tails(finding, truth, model);
        result.tails_truth += static_cast<int>(tails.size());
        add(finding, result, sums);
        compare_roots(finding, tails, sums);
    }
    finish(sums, result);
    return result;
}

std::vector<Result> measure_all(const std::vector<Model>& models, const MeasureOptions& options, int threads)
{
    std::vector<Result> results(models.size());
    tbb::task_arena arena(threads > 0 ? threads : tbb::task_arena::automatic);
    arena.execute([&] {
        tbb::parallel_for(std::size_t{0}, models.size(),
                          [&](std::size_t i) { results[i] = measure(models[i], options); });
    });
    return results;
}

} // namespace tailfix::benchmark
