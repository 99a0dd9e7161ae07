// The report as JSON; data/report.schema.json describes it.
#include <cmath>
#include <map>

#include <nlohmann/json.hpp>

#include <tailfix/report/report.h>

namespace tailfix {
namespace {

using Json = nlohmann::ordered_json;

const char* status_name(Status status)
{
    switch (status) {
    case Status::Fixed:
        return "fixed";
    case Status::NoTail:
        return "no_tail";
    case Status::Failed:
        return "failed";
    }
    return "";
}

const char* clip_kind(ClipKind kind)
{
    switch (kind) {
    case ClipKind::Loop:
        return "loop";
    case ClipKind::LoopRootMotion:
        return "loop_root_motion";
    case ClipKind::OneShot:
        return "one_shot";
    case ClipKind::Static:
        return "static";
    }
    return "";
}

// Floating point noise past the 9th digit is no figure; infinity has no JSON.
Json number(double value)
{
    if (!std::isfinite(value)) return nullptr;
    if (value == 0) return 0.0;
    const double scale = std::pow(10.0, 8 - std::floor(std::log10(std::abs(value))));
    return std::isfinite(scale) && scale > 0 ? std::round(value * scale) / scale : value;
}

Json vector(const Eigen::Vector3d& v)
{
    return {number(v.x()), number(v.y()), number(v.z())};
}

Json stretch(const Stretch& s)
{
    return {{"samples", s.samples},
            {"p95", number(s.p95)},
            {"p99", number(s.p99)},
            {"max", number(s.max)},
            {"torn_percent", number(s.torn_percent)}};
}

// The layout of design.md: before, rigid and after of the tail, with body and seam next to them.
Json stretch_table(const SkinStretch& before, const SkinStretch& rigid, const SkinStretch& after)
{
    return {{"before", stretch(before.tail)},
            {"rigid", stretch(rigid.tail)},
            {"after", stretch(after.tail)},
            {"seam", {{"before", stretch(before.seam)}, {"after", stretch(after.seam)}}},
            {"body", {{"before", stretch(before.body)}, {"after", stretch(after.body)}}}};
}

Json model(const ModelFigures& m)
{
    return {{"height", number(m.height)},
            {"unit_scale", number(m.unit_scale)},
            {"vertices", m.vertices},
            {"welded_vertices", m.welded_vertices},
            {"triangles", m.triangles},
            {"joints", m.joints},
            {"skins", m.skins},
            {"up", vector(m.up)},
            {"forward", vector(m.forward)},
            {"pelvis", m.pelvis}};
}

Json tests(const std::vector<SectionTest>& made)
{
    Json out = Json::array();
    for (const auto& t : made)
        out.push_back({{"name", t.name},
                       {"value", number(t.value)},
                       {"limit", number(t.limit)},
                       {"passed", t.passed},
                       {"score", number(t.score)},
                       {"text", t.text}});
    return out;
}

Json candidate(const CandidateFigures& c)
{
    Json out = {{"tip", vector(c.tip)},   {"length", number(c.length)}, {"points", c.points},
                {"is_tail", c.is_tail},   {"score", number(c.score)},   {"decided_by", c.decided_by},
                {"tests", tests(c.tests)}};
    out["appendage"] = c.appendage ? Json(*c.appendage) : Json(nullptr);
    return out;
}

Json appendage(const AppendageFigures& a)
{
    Json out = {{"class", a.kind},
                {"action", a.action},
                {"found_by", a.found_by},
                {"reasons", a.reasons},
                {"attach", a.attach},
                {"vertices", a.vertices},
                {"length", number(a.length)},
                {"elongation", number(a.elongation)},
                {"centroid_distance", number(a.centroid_distance)},
                {"reach", number(a.reach)},
                {"score", number(a.score)},
                {"decided_by", a.decided_by},
                {"tests", tests(a.tests)}};
    if (a.chain) {
        Json joints = Json::array();
        for (const auto& j : a.chain->joints) joints.push_back(vector(j));
        out["chain"] = {{"names", a.chain->names},
                        {"joints", joints},
                        {"rest_curve", number(a.chain->rest_curve)},
                        {"carry_deg", number(a.chain->carry_deg)},
                        {"rest_reason", a.chain->rest_reason}};
    }
    return out;
}

Json clip(const ClipFigures& c)
{
    Json out = {{"name", c.name},
                {"duration", number(c.duration)},
                {"kind", clip_kind(c.baked.kind)},
                {"warmup_passes", c.baked.warmup_passes},
                {"converged", c.baked.converged},
                {"seam_deg", number(c.baked.seam_deg)},
                {"seam_speed_deg_s", number(c.baked.seam_speed_deg_s)},
                {"contact_frames", c.baked.contact_frames},
                {"max_bend_deg", number(c.baked.max_bend_deg)}};
    if (c.measure) {
        out["stretch"] = stretch_table(c.measure->before, c.measure->rigid, c.measure->after);
        out["grounding"] = {{"lift_tail_counted", number(c.measure->grounding.lift_tail_counted)},
                            {"lift_tail_excluded", number(c.measure->grounding.lift_tail_excluded)}};
    }
    out["keys"] = c.keys;
    out["bytes"] = c.bytes;
    return out;
}

// Echoes every option by its flag's name.
struct Echo {
    Json& out;

    void operator()(const char* name, const double& value, Range, const char*, const char*) const
    {
        out[name] = number(value);
    }
    void operator()(const char* name, const int& value, Range, const char*, const char*) const { out[name] = value; }
    void operator()(const char* name, const bool& value, const char*) const { out[name] = value ? "on" : "off"; }
    void operator()(const char* name, const std::string& value, const char*) const { out[name] = value; }
    void operator()(const char* name, const WordOr& value, const Words&, Range, const char*, const char*) const
    {
        if (value.word.empty()) {
            out[name] = number(value.number);
        } else {
            out[name] = value.word;
        }
    }
    template <class Enum>
    void operator()(const char* name, const Enum& value, const Choices& choices, const char*) const
    {
        out[name] = choices.names[static_cast<std::size_t>(value)];
    }
};

Json options(Options given)
{
    Json out = Json::object();
    groups(given, [&](const char*, auto& part) { fields(part, Echo{out}); });
    return out;
}

} // namespace

std::string to_json(const Report& report, int indent)
{
    Json out = {{"tool", {{"name", "tailfix"}, {"version", TAILFIX_VERSION}}}, {"input", report.input}};
    out["output"] = report.output.empty() ? Json(nullptr) : Json(report.output);
    if (!report.mesh.empty()) out["mesh"] = report.mesh;
    out["status"] = status_name(report.status);
    if (!report.reason.empty()) out["reason"] = report.reason;
    if (report.error)
        out["error"] = {
            {"kind", report.error->kind}, {"stage", report.error->stage}, {"message", report.error->message}};
    out["warnings"] = report.warnings;
    out["notes"] = report.notes;
    if (report.model) out["model"] = model(*report.model);
    out["appendages"] = Json::array();
    for (const auto& a : report.appendages) out["appendages"].push_back(appendage(a));
    out["candidates"] = Json::array();
    for (const auto& c : report.candidates) out["candidates"].push_back(candidate(c));
    out["clips"] = Json::array();
    for (const auto& c : report.clips) out["clips"].push_back(clip(c));
    if (report.measures) {
        out["stretch"] = stretch_table(report.measures->before, report.measures->rigid, report.measures->after);
        out["bone_distance"] = {{"before", number(report.measures->bone_distance_before)},
                                {"after", number(report.measures->bone_distance_after)}};
    }
    out["options"] = options(report.options);
    out["timings_ms"] = Json::object();
    std::map<std::string, double> spent; // a file of several rigs runs a stage once for each
    for (const auto& t : report.timings) spent[t.stage] += t.ms;
    for (const auto& t : report.timings) out["timings_ms"][t.stage] = number(spent[t.stage]);
    // Names come from the file and may be any bytes: what is not UTF-8 becomes U+FFFD.
    return out.dump(indent, ' ', false, Json::error_handler_t::replace);
}

} // namespace tailfix
