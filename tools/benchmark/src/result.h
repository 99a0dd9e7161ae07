// What the benchmark asks of a model, what it measured, and the sums over many.
#pragma once

#include <cstddef>
#include <filesystem>
#include <map>
#include <optional>
#include <string>
#include <vector>

#include <nlohmann/json.hpp>

namespace tailfix::benchmark {

using Json = nlohmann::ordered_json;

enum class Expect {
    Tail,    // as in the truth
    None,    // there is nothing to find
    OwnTail, // refused, because its tail has bones
};

// A model to be measured: a file, or a character of the generator.
struct Model {
    std::string group; // the folder
    std::string name;  // GROUP/STEM, unique
    Expect expect = Expect::None;
    std::filesystem::path file;
    std::filesystem::path truth;     // empty: none
    std::filesystem::path truth_of;  // the file that the truth was made for, where it is another: same surface
    std::vector<std::string> attach; // names of joints that are right; empty: not known
    std::optional<int> seed;         // of the generator; then file and truth are empty
};

struct Result {
    std::string group, name;
    Expect expect = Expect::None;
    std::string unreadable; // why the file could not be read; then nothing below counts
    int tails_found = 0;
    int tails_truth = 0;
    bool refused = false; // the rig's tail has bones, and no tail was found beside
    double iou = 0, precision = 0, recall = 0, area_iou = 0;
    std::vector<std::string> attach;   // joints of the found tails
    std::optional<bool> attach_right;  // where it is known what is right, and something was found
    std::optional<double> root_error;  // over H, mean over the true tails, where something was found
    std::map<std::string, int> others; // class of appendage -> how many are no tail
    std::string why_none;
    std::string nearest; // where the truth was missed: the appendage that shares most with it, and why it is no tail
    double seconds = 0;  // of roles, weld and detection; never compared
    Json description;    // of a generated character

    bool found() const; // IoU over 0.3
    bool false_tail() const { return expect == Expect::None && tails_found > 0; }
    bool readable() const { return unreadable.empty(); }
};

// "found", "missed", "none", "false tail", "refused", "not refused", "unreadable"
const char* verdict(const Result& result);

// Figures of the models with a tail are over those that could be read.
struct Totals {
    std::string group;
    int models = 0, unreadable = 0;
    int with_tail = 0, found = 0;
    double mean_iou = 0, least_iou = 0, mean_area_iou = 0, mean_precision = 0, mean_recall = 0;
    double mean_root_error = 0; // of the `rooted` models that have one
    int rooted = 0;
    int attach_known = 0, attach_right = 0;
    int without_tail = 0, false_tails = 0; // models without, and those of them on which one was found
    int own_tail = 0, refused = 0;
};

Totals total(const std::string& name, const std::vector<Result>& results);

// One per group in order of appearance, then "all" where there are several.
std::vector<Totals> totals_of_groups(const std::vector<Result>& results);

} // namespace tailfix::benchmark
