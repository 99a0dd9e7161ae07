#include "arguments.h"

#include <algorithm>
#include <charconv>

#include <fmt/format.h>

#include <tailfix/error.h>

namespace tailfix::benchmark {
namespace {

constexpr int kMostSeeds = 100000;

int number(const std::string& text, const std::string& flag)
{
    int out = 0;
    const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), out);
    if (error != std::errc() || end != text.data() + text.size() || out < 0)
        throw Error(Failure::Usage, fmt::format("{}: \"{}\" is no number from 0", flag, text));
    return out;
}

std::pair<int, int> seeds(const std::string& text)
{
    const auto dots = text.find("..");
    if (dots == std::string::npos) throw Error(Failure::Usage, "--generated: expected FIRST..LAST, such as 0..99");
    const std::pair out{number(text.substr(0, dots), "--generated"), number(text.substr(dots + 2), "--generated")};
    if (out.second < out.first || out.second - out.first >= kMostSeeds)
        throw Error(Failure::Usage, fmt::format("--generated: {} to {} is no range", out.first, out.second));
    return out;
}

} // namespace

const char* const kUsage = R"(Measures the detection of tails on models whose tails are known.

  tools/benchmark/detection [FOLDER...] [options]

  FOLDER                  subfolders auto-rigged, stripped (NAME.truth.json beside each model), no-tail, own-tail;
                          or flat, with NAME.truth.json beside each model (default: data/, and the models in
                          TAILFIX_MODELS or ../shared/models)
  --generated FIRST..LAST the generator's characters of these seeds, each with its tail and without
  --only WORD             models whose name holds it
  --detect METHOD         both, sections or article
  --no-names              joints and nodes lose their names first
  --baseline FILE         exit 1 where a figure is worse than in this JSON of an earlier run
  --json FILE             write every figure
  --markdown FILE         write the tables
  --cost                  the time of detection on one character at several densities instead
  -j N                    threads (default: one per core)
)";

Arguments parse_arguments(const std::vector<std::string>& words)
{
    Arguments out;
    for (std::size_t i = 0; i < words.size(); ++i) {
        const std::string& word = words[i];
        const auto value = [&]() -> const std::string& {
            if (i + 1 == words.size()) throw Error(Failure::Usage, word + ": a value is missing");
            return words[++i];
        };
        if (word == "--generated") {
            out.seeds = seeds(value());
        } else if (word == "--json") {
            out.json = value();
        } else if (word == "--markdown") {
            out.markdown = value();
        } else if (word == "--baseline") {
            out.baseline = value();
        } else if (word == "--only") {
            out.only = value();
        } else if (word == "--detect") {
            out.detect = value();
        } else if (word == "-j") {
            out.jobs = number(value(), "-j");
        } else if (word == "--no-names") {
            out.names = false;
        } else if (word == "--cost") {
            out.cost = true;
        } else if (word == "--help" || word == "-h") {
            out.help = true;
        } else if (word.empty() || word.front() == '-') {
            throw Error(Failure::Usage, fmt::format("\"{}\": no such option", word));
        } else {
            out.folders.emplace_back(word);
        }
    }
    if (out.detect != "both" && out.detect != "sections" && out.detect != "article")
        throw Error(Failure::Usage, fmt::format("--detect: \"{}\" is none of both, sections, article", out.detect));
    return out;
}

} // namespace tailfix::benchmark
