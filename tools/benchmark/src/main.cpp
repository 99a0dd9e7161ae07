// tailfix_detection_benchmark: which models, measured how, printed, compared.
#include <algorithm>
#include <cstdlib>
#include <exception>
#include <fstream>
#include <random>

#include <fmt/format.h>

#include <tailfix/error.h>
#include <tailfix/io/load.h>

#include "arguments.h"
#include "compare.h"
#include "cost.h"
#include "generated.h"
#include "markdown.h"
#include "measure.h"
#include "models.h"
#include "results_json.h"

namespace tailfix::benchmark {
namespace {

namespace fs = std::filesystem;

// Generated characters pass through it.
class TemporaryFolder {
public:
    TemporaryFolder()
        : path_(fs::temp_directory_path() / fmt::format("tailfix-benchmark-{:08x}", std::random_device()()))
    {
        fs::create_directories(path_);
    }
    TemporaryFolder(const TemporaryFolder&) = delete;
    TemporaryFolder& operator=(const TemporaryFolder&) = delete;
    ~TemporaryFolder()
    {
        std::error_code ignored;
        fs::remove_all(path_, ignored);
    }
    const fs::path& path() const { return path_; }

private:
    fs::path path_;
};

fs::path source_dir()
{
    return TAILFIX_SOURCE_DIR;
}

std::vector<fs::path> default_folders()
{
    const char* given = std::getenv("TAILFIX_MODELS");
    const fs::path models = given != nullptr ? fs::path(given) : source_dir().parent_path() / "shared" / "models";
    std::vector<fs::path> folders = {source_dir() / "data"};
    if (fs::is_directory(models)) {
        folders.push_back(models);
    } else {
        fmt::print(stderr, "skipped: the models (no folder {}; TAILFIX_MODELS names another)\n", models.string());
    }
    return folders;
}

std::vector<Model> choose_models(const Arguments& arguments)
{
    std::vector<Model> models;
    std::vector<std::string> notes;
    auto folders = arguments.folders;
    if (folders.empty() && !arguments.seeds) folders = default_folders();
    for (const auto& folder : folders) {
        const auto some = models_in(folder, notes);
        models.insert(models.end(), some.begin(), some.end());
    }
    expect_attachments(models, source_dir() / "tools" / "benchmark" / "expected.json");
    if (arguments.seeds) {
        if (!has_generator()) throw Error(Failure::Usage, "--generated: this build has no generator");
        const auto some = generated_models(arguments.seeds->first, arguments.seeds->second);
        models.insert(models.end(), some.begin(), some.end());
    }
    for (const auto& note : notes) fmt::print(stderr, "{}\n", note);
    models.erase(std::remove_if(models.begin(), models.end(),
                                [&](const Model& m) { return m.name.find(arguments.only) == std::string::npos; }),
                 models.end());
    if (models.empty()) throw Error(Failure::Usage, "no model to measure");
    return models;
}

void write(const fs::path& path, const std::string& text)
{
    if (path.empty()) return;
    std::ofstream file(path, std::ios::binary);
    if (!(file << text).flush()) throw Error(Failure::Unwritable, fmt::format("{}: cannot be written", path.string()));
}

DetectMethod method_of(const std::string& name)
{
    return name == "both" ? DetectMethod::Both : name == "sections" ? DetectMethod::Sections : DetectMethod::Article;
}

bool print_comparison(const Comparison& comparison)
{
    for (const auto& name : comparison.absent) fmt::print("skipped: {} (in the baseline, not in this run)\n", name);
    for (const auto& gain : comparison.gains) fmt::print("better: {}\n", gain);
    for (const auto& fall : comparison.falls) fmt::print("WORSE: {}\n", fall);
    if (comparison.compared == 0) fmt::print("WORSE: nothing of the baseline is in this run\n");
    // Each model is a check; so is the mean where it fell, and an empty comparison. tools/common.sh counts this line.
    const std::size_t failed = comparison.falls.size() + (comparison.compared == 0 ? 1 : 0);
    fmt::print("{} passed, {} failed\n", comparison.held, failed);
    return comparison.holds();
}

// The one character that everyone has; 300,000 vertices are what a dense scan has, a million is the design's limit.
int run_cost(const Arguments& arguments)
{
    DetectOptions options;
    options.method = method_of(arguments.detect);
    const auto fox = load(source_dir() / "data" / "fox.glb");
    const auto costs = measure_cost(fox.characters.at(0), {30000, 100000, 300000, 1000000}, options);
    fmt::print("{}", cost_markdown(costs));
    write(arguments.json, cost_json("data/fox", costs));
    write(arguments.markdown, cost_markdown(costs));
    return 0;
}

int run_detection(const Arguments& arguments)
{
    Baseline baseline;
    const Settings settings{arguments.detect, arguments.names};
    if (!arguments.baseline.empty()) {
        baseline = parse_baseline(read_json(arguments.baseline));
        if (baseline.settings.detect != settings.detect || baseline.settings.names != settings.names)
            throw Error(Failure::Usage, "--baseline: it was written with another --detect or --no-names");
        std::erase_if(baseline.models,
                      [&](const Result& r) { return r.name.find(arguments.only) == std::string::npos; });
    }
    const TemporaryFolder temporary;
    const auto results = measure_all(choose_models(arguments),
                                     {method_of(arguments.detect), arguments.names, temporary.path()}, arguments.jobs);
    fmt::print("{}", to_markdown(results, true));
    write(arguments.json, to_json(results, settings));
    write(arguments.markdown, to_markdown(results, false));
    if (arguments.baseline.empty()) return 0;
    return print_comparison(compare(baseline.models, results)) ? 0 : 1;
}

int run(const Arguments& arguments)
{
    if (arguments.help) {
        fmt::print("{}", kUsage);
        return 0;
    }
    return arguments.cost ? run_cost(arguments) : run_detection(arguments);
}

} // namespace
} // namespace tailfix::benchmark

int main(int argc, char** argv)
{
    using namespace tailfix;
    try {
        return benchmark::run(benchmark::parse_arguments({argv + 1, argv + argc}));
    } catch (const Error& error) {
        fmt::print(stderr, "{}\n", error.what());
        return error.kind == Failure::Usage ? 2 : 1;
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 1;
    }
}
