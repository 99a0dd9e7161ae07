// What is told about one file: plain values, and two pure functions that print them.
//
// Source: design.md, "Report". The names in the JSON are stable; data/report.schema.json describes them and a test
// holds them to it. Lengths are metres of the model's world unless a name says otherwise; stretch is a ratio.
#pragma once

#include <optional>
#include <string>
#include <vector>

#include <tailfix/pipeline.h>

namespace tailfix {

enum class Status { Fixed, NoTail, Failed };

struct ReportedError {
    std::string kind; // unreadable, invalid, unsupported, unwritable, usage, no_tail
    std::string stage;
    std::string message;
};

struct ModelFigures {
    double height = 0;     // H in metres
    double unit_scale = 1; // metres per unit of bind space
    int vertices = 0;
    int welded_vertices = 0;
    int triangles = 0;
    int joints = 0;
    int skins = 0;
    Eigen::Vector3d up = Eigen::Vector3d::UnitY(); // bind space
    Eigen::Vector3d forward = Eigen::Vector3d::UnitZ();
    std::string pelvis;
};

struct ChainFigures {
    std::vector<std::string> names;
    std::vector<Eigen::Vector3d> joints; // bind space of the rig's first skin
    double rest_curve = 0;
    double carry_deg = 0;
    std::string rest_reason;
};

struct AppendageFigures {
    std::string kind;   // tail, worn, wide, head, limb, body
    std::string action; // chain, rebaked, rigid, untouched
    std::string found_by;
    std::vector<std::string> reasons;
    std::string attach;
    int vertices = 0;
    double length = 0; // metres
    double elongation = 0;
    double centroid_distance = 0; // metres
    double reach = 0;             // metres
    std::optional<ChainFigures> chain;
    double score = 0;               // the least of the tests that say whether it is a tail; 0 where none was made
    std::vector<SectionTest> tests; // of its class, then of whether it is a tail
    std::string decided_by;         // the name of one of them
};

// A tip of the skin that the sections method looked at. Most are other tips of a piece that is reported as well.
struct CandidateFigures {
    Eigen::Vector3d tip = Eigen::Vector3d::Zero(); // bind space of the rig's first skin
    double length = 0;                             // metres, from the tip to where it was cut
    int points = 0;                                // welded points that the cut takes off
    bool is_tail = false;
    double score = 0;
    std::vector<SectionTest> tests;
    std::string decided_by;
    std::optional<int> appendage; // index in Report::appendages of the piece that holds most of it
};

struct ClipFigures {
    std::string name;
    double duration = 0; // seconds
    BakedClip baked;     // without its tracks
    std::optional<ClipMeasure> measure;
    int keys = 0;
    std::size_t bytes = 0;
};

struct Report {
    std::string input;
    std::string output; // empty where none was written
    std::string mesh;   // what --mesh wrote; empty where it did not
    Status status = Status::NoTail;
    std::string reason; // why there is no tail; empty when fixed
    std::optional<ReportedError> error;
    std::vector<std::string> warnings;
    std::vector<std::string> notes; // what was decided: pelvis, unit, floor, rest curve
    std::optional<ModelFigures> model;
    std::vector<AppendageFigures> appendages;
    std::vector<CandidateFigures> candidates;
    std::vector<ClipFigures> clips;
    std::optional<Measures> measures; // over all clips
    Options options;
    std::vector<Timing> timings;
};

// The figures of one rig, added to a report.
void add_rig(Report& report, const Character& input, const Fixed& fixed);

// As a JSON object on one line, or indented.
std::string to_json(const Report& report, int indent = -1);

// One line for stdout: "cat.glb: 1 tail, 6 joints, 3 clips, 412 ms".
std::string to_line(const Report& report);

// What is shown of the tests: the one that decided, or all.
enum class Detail { Decisive, EveryTest };

// A few lines for a person: what was found and why, what was done, and the stretch before and after.
std::string to_summary(const Report& report, Detail detail = Detail::Decisive);

} // namespace tailfix
