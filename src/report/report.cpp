#include <tailfix/report/report.h>

#include <algorithm>
#include <iterator>

#include <fmt/format.h>

#include "report/explain.h"

namespace tailfix {
namespace {

std::string joint_name(const Character& character, int joint)
{
    if (joint == kNone) return {};
    const std::string& name = character.joints[static_cast<std::size_t>(joint)].name;
    return name.empty() ? fmt::format("joint {}", joint) : name;
}

ModelFigures model_of(const Character& input, const Fixed& fixed)
{
    const Roles& roles = fixed.found.roles;
    ModelFigures model;
    model.unit_scale = fixed.world.meters_per_bind_unit();
    model.height = roles.height * model.unit_scale;
    model.vertices = input.mesh.vertex_count();
    model.welded_vertices = static_cast<int>(fixed.found.weld.points.size());
    model.triangles = static_cast<int>(input.mesh.triangles.size());
    model.joints = static_cast<int>(input.joints.size());
    model.skins = static_cast<int>(input.skins.size());
    model.up = roles.frame.up;
    model.forward = roles.frame.forward;
    model.pelvis = joint_name(input, roles.pelvis);
    return model;
}

// What was done, or would be, about a piece.
std::string action_of(const Found& found, std::size_t i, const Options& options)
{
    const Appendage& piece = found.detection.appendages[i];
    const std::size_t tails = found.detection.tails.size();
    const bool chain = options.weights.mode == Mode::Chain;
    if (i < tails) return chain ? "chain" : "rigid";
    if (i < tails + found.grown.size()) return chain ? "rebaked" : "untouched";
    const bool worn = piece.kind == AppendageClass::Worn && options.wear.worn == WearAction::Rigid;
    const bool wide = piece.kind == AppendageClass::Wide && options.wear.wide == WearAction::Rigid;
    return worn || wide ? "rigid" : "untouched";
}

AppendageFigures appendage_of(const Character& input, const Fixed& fixed, std::size_t i, const Options& options)
{
    const Detection& detection = fixed.found.detection;
    const Appendage& piece = detection.appendages[i];
    const double unit = fixed.world.meters_per_bind_unit();
    AppendageFigures out;
    out.kind = class_name(piece.kind);
    out.action = action_of(fixed.found, i, options);
    out.found_by = piece.found_by;
    out.reasons = piece.reasons;
    out.attach = joint_name(input, piece.attach);
    out.length = piece.length * unit;
    out.elongation = piece.elongation;
    out.centroid_distance = piece.centroid_distance * unit;
    out.reach = piece.reach * unit;
    for (const int p : fixed.found.weld.point_of_vertex)
        out.vertices += std::binary_search(piece.points.begin(), piece.points.end(), p);
    const Explanation why = explain(piece, options.detect.sections.least_score);
    out.score = piece.score;
    out.tests = why.tests;
    out.decided_by = why.decisive().name;
    if (i >= fixed.rigged.chains.size()) return out;
    std::vector<int> joints = fixed.rigged.chains[i].links;
    joints.push_back(fixed.rigged.chains[i].end);
    ChainFigures figures;
    for (const int joint : joints) {
        figures.names.push_back(joint_name(fixed.rigged.character, joint));
        figures.joints.push_back(fixed.rigged.character.joints[static_cast<std::size_t>(joint)].position());
    }
    if (i < fixed.rest.size()) {
        figures.rest_curve = fixed.rest[i].curve;
        figures.carry_deg = fixed.rest[i].carry_deg;
        figures.rest_reason = fixed.rest[i].reason;
    }
    out.chain = figures;
    return out;
}

std::size_t shared_points(const std::vector<int>& a, const std::vector<int>& b)
{
    std::vector<int> both;
    std::set_intersection(a.begin(), a.end(), b.begin(), b.end(), std::back_inserter(both));
    return both.size();
}

// `first`: where the rig's pieces begin among the report's.
CandidateFigures candidate_of(const Fixed& fixed, const SectionCandidate& candidate, std::size_t first,
                              const Options& options)
{
    const Explanation why = explain(candidate, options.detect.sections.least_score);
    CandidateFigures out;
    out.tip = candidate.tip;
    out.length = candidate.length * fixed.world.meters_per_bind_unit();
    out.points = static_cast<int>(candidate.points.size());
    out.is_tail = candidate.is_tail;
    out.score = candidate.score;
    out.tests = why.tests;
    out.decided_by = why.decisive().name;
    std::size_t most = 0;
    const auto& pieces = fixed.found.detection.appendages;
    for (std::size_t i = 0; i < pieces.size(); ++i) {
        const std::size_t shared = shared_points(candidate.points, pieces[i].points);
        if (shared <= most) continue;
        most = shared;
        out.appendage = static_cast<int>(first + i);
    }
    return out;
}

ClipFigures clip_of(const Character& input, const Fixed& fixed, const BakedClip& baked)
{
    const Clip& clip = input.clips[static_cast<std::size_t>(baked.clip)];
    ClipFigures out;
    out.name = clip.name;
    out.duration = clip.end - clip.start;
    for (const auto& track : baked.tracks) out.keys += static_cast<int>(track.times.size());
    for (const auto& m : fixed.measures.clips)
        if (m.clip == baked.clip) out.measure = m;
    out.baked = baked;
    out.baked.tracks.clear();
    return out;
}

std::string percent(double value)
{
    return value > 0 && value < 0.01 ? "<0.01%" : fmt::format("{:.2f}%", value);
}

int count_tails(const Report& report)
{
    return static_cast<int>(std::count_if(report.appendages.begin(), report.appendages.end(),
                                          [](const auto& a) { return a.kind == "tail" && a.action != "untouched"; }));
}

const SectionTest& decisive(const std::vector<SectionTest>& tests, const std::string& decided_by)
{
    return *std::find_if(tests.begin(), tests.end(), [&](const SectionTest& t) { return t.name == decided_by; });
}

// `accepted`: a tail, so that all tests were passed and the one that decided is the one that was passed by least.
void add_decision(const std::vector<SectionTest>& tests, const std::string& decided_by, bool accepted, Detail detail,
                  std::string& out)
{
    const SectionTest& test = decisive(tests, decided_by);
    out += accepted && test.name != "tail-at" ? fmt::format("        every test passed, \"{}\" by least: ", test.name)
                                              : fmt::format("        decided by \"{}\": ", test.name);
    out += test.text + "\n";
    if (detail == Detail::Decisive) return;
    out += fmt::format("          {:<18} {:>8}  {:>8}  {:>5}\n", "test", "value", "limit", "score");
    for (const auto& t : tests) {
        // Where there was nothing to measure, 0 and 1 say no more than the words behind them.
        const bool measured = t.limit != 0 || (t.value != 0 && t.value != 1);
        out += fmt::format("        {} {:<18} {:>8}  {:>8}  {:5.2f}  {:<6}  {}\n", &t == &test ? '>' : ' ', t.name,
                           measured ? fmt::format("{:.3f}", t.value) : "-",
                           measured ? fmt::format("{:.3f}", t.limit) : "-", t.score, t.passed ? "passed" : "failed",
                           t.text);
    }
}

void add_candidate_lines(const Report& report, Detail detail, std::string& out)
{
    const auto among_pieces = std::count_if(report.candidates.begin(), report.candidates.end(),
                                            [](const CandidateFigures& c) { return c.appendage.has_value(); });
    if (report.candidates.empty()) return;
    out += fmt::format("  {} tips of the skin were looked at, {} of them on the pieces above{}\n",
                       report.candidates.size(), among_pieces, detail == Detail::Decisive ? " (-v: each of them)" : "");
    if (detail == Detail::Decisive) return;
    for (const auto& c : report.candidates) {
        out +=
            fmt::format("  tip at ({:.3g}, {:.3g}, {:.3g}){}: {} points, {:.2f} m long, score {:.2f}, {}\n", c.tip.x(),
                        c.tip.y(), c.tip.z(), c.appendage ? fmt::format(", on piece {}", *c.appendage + 1) : "",
                        c.points, c.length, c.score, c.is_tail ? "a tail" : "no tail");
        add_decision(c.tests, c.decided_by, c.is_tail, detail, out);
    }
}

void add_appendage_lines(const Report& report, Detail detail, std::string& out)
{
    int number = 0;
    for (const auto& a : report.appendages) {
        out += fmt::format("  {}. {:<5} on {}: {} vertices, {:.2f} m long, {}\n", ++number, a.kind, a.attach,
                           a.vertices, a.length,
                           a.action == "chain"     ? "gets a chain"
                           : a.action == "rebaked" ? "keeps its chain"
                           : a.action == "rigid"   ? "made rigid"
                                                   : "left as it is");
        const bool accepted = a.kind == "tail" && a.found_by != "joints";
        add_decision(a.tests, a.decided_by, accepted, detail, out);
        // What the tests that are shown say is not said again.
        const auto said = [&](const std::string& reason) {
            return std::any_of(a.tests.begin(), a.tests.end(), [&](const SectionTest& t) {
                return (detail == Detail::EveryTest || t.name == a.decided_by) && reason.ends_with(t.text);
            });
        };
        for (const auto& reason : a.reasons)
            if (!said(reason)) out += fmt::format("        {}\n", reason);
        if (!a.chain) continue;
        out += fmt::format("        {} links, {} to {}; {}\n", a.chain->names.size() - 1, a.chain->names.front(),
                           a.chain->names.back(), a.chain->rest_reason);
    }
}

void add_stretch_lines(const Measures& m, std::string& out)
{
    out += "  skin stretch over all clips    p95     p99     max    torn\n";
    const auto line = [&](const char* name, const Stretch& s) {
        out += fmt::format("    {:<24} {:7.2f} {:7.2f} {:7.2f}  {:>6}\n", name, s.p95, s.p99, s.max,
                           percent(s.torn_percent));
    };
    line("tail, as it was", m.before.tail);
    line("tail, rigid", m.rigid.tail);
    line("tail, now", m.after.tail);
    line("root, as it was", m.before.seam);
    line("root, now", m.after.seam);
    line("body, for comparison", m.after.body);
    out += fmt::format("  tail skin is {:.2f} m from the bones that drive it; it was {:.2f} m\n", m.bone_distance_after,
                       m.bone_distance_before);
}

} // namespace

void add_rig(Report& report, const Character& input, const Fixed& fixed)
{
    report.warnings.insert(report.warnings.end(), input.warnings.begin(), input.warnings.end());
    const auto note = [&](const std::vector<std::string>& notes) {
        report.notes.insert(report.notes.end(), notes.begin(), notes.end());
    };
    note(fixed.found.roles.notes);
    note(fixed.world.notes);
    if (!fixed.floor.reason.empty()) note({fixed.floor.reason});
    // A file of several rigs is described by the one with a tail, or else the first.
    const bool tail = fixed.found.has_tail();
    const bool first_tail = tail && count_tails(report) == 0;
    if (first_tail) {
        const auto unmatched = unmatched_clip_names(input, report.options.motion.bake);
        report.warnings.insert(report.warnings.end(), unmatched.begin(), unmatched.end());
    }
    if (!report.model || first_tail) report.model = model_of(input, fixed);
    for (std::size_t i = 0; i < fixed.found.detection.appendages.size(); ++i)
        report.appendages.push_back(appendage_of(input, fixed, i, report.options));
    const std::size_t first_piece = report.appendages.size() - fixed.found.detection.appendages.size();
    for (const auto& candidate : fixed.found.detection.candidates)
        report.candidates.push_back(candidate_of(fixed, candidate, first_piece, report.options));
    for (const auto& baked : fixed.clips) report.clips.push_back(clip_of(input, fixed, baked));
    if (fixed.changed && first_tail) report.measures = fixed.measures;
}

std::string to_line(const Report& report)
{
    const auto name = [](const std::string& path) { return path.substr(path.find_last_of("/\\") + 1); };
    double ms = 0;
    for (const auto& timing : report.timings) ms += timing.ms;
    if (report.status == Status::Failed)
        return fmt::format("{}: failed: {}", name(report.input), report.error ? report.error->message : "");
    if (report.status == Status::NoTail)
        return fmt::format("{}: no tail ({}){}", name(report.input), report.reason,
                           report.output.empty() ? "" : fmt::format("; copied to {}", report.output));
    int joints = 0;
    for (const auto& a : report.appendages) joints += a.chain ? static_cast<int>(a.chain->names.size()) : 0;
    const int tails = count_tails(report);
    if (report.output.empty()) return fmt::format("{}: {} tail{}", name(report.input), tails, tails == 1 ? "" : "s");
    return fmt::format("{}: {} tail{}, {} joints, {} clips, {:.0f} ms -> {}", name(report.input), tails,
                       tails == 1 ? "" : "s", joints, report.clips.size(), ms, report.output);
}

std::string to_summary(const Report& report, Detail detail)
{
    std::string out;
    if (report.model) {
        const ModelFigures& m = *report.model;
        out += fmt::format("  {:.2f} m tall, {} vertices ({} points), {} joints, pelvis {}\n", m.height, m.vertices,
                           m.welded_vertices, m.joints, m.pelvis);
    }
    for (const auto& note : report.notes) out += fmt::format("  {}\n", note);
    add_appendage_lines(report, detail, out);
    add_candidate_lines(report, detail, out);
    if (report.status == Status::NoTail) out += fmt::format("  {}\n", report.reason);
    if (report.measures && !report.measures->clips.empty()) add_stretch_lines(*report.measures, out);
    const auto unsettled = std::count_if(report.clips.begin(), report.clips.end(),
                                         [](const ClipFigures& c) { return !c.baked.converged; });
    if (unsettled > 0)
        out += fmt::format("  {} of {} clips did not settle into a loop\n", unsettled, report.clips.size());
    if (!report.mesh.empty()) out += fmt::format("  what was seen: {}\n", report.mesh);
    return out;
}

} // namespace tailfix
