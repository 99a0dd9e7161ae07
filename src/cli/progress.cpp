#include "cli/progress.h"

#include <algorithm>
#include <array>
#include <cstdio>

#include <fmt/format.h>

#ifdef _WIN32
#include <io.h>
#else
#include <unistd.h>
#endif

namespace tailfix {
namespace {

// Stages in their order, each with the share of a typical run that is over when it begins (mouse-sized models, -O2).
struct Begin {
    std::string_view stage;
    double done;
};
constexpr std::array<Begin, 15> kBegins{{{"load", 0.0},
                                         {"grown", 0.05},
                                         {"roles", 0.05},
                                         {"weld", 0.07},
                                         {"detect", 0.1},
                                         {"chain", 0.3},
                                         {"weights", 0.3},
                                         {"wear", 0.31},
                                         {"rig", 0.31},
                                         {"world", 0.32},
                                         {"rest", 0.33},
                                         {"floor", 0.4},
                                         {"bake", 0.45},
                                         {"measure", 0.7},
                                         {"mesh", 0.7}}};
constexpr int kWidth = 24;

bool stderr_is_terminal()
{
#ifdef _WIN32
    return _isatty(_fileno(stderr)) != 0;
#else
    return isatty(STDERR_FILENO) != 0;
#endif
}

} // namespace

Progress::Progress(std::string label, bool enabled)
    : label_(std::move(label)), visible_(enabled && stderr_is_terminal())
{
}

Progress::~Progress()
{
    if (visible_) fmt::print(stderr, "\r\x1b[K");
}

void Progress::stage(std::string_view name)
{
    if (!visible_) return;
    const auto at = std::find_if(kBegins.begin(), kBegins.end(), [&](const Begin& b) { return b.stage == name; });
    const double done = at == kBegins.end() ? 0.95 : at->done;
    const auto filled = static_cast<std::size_t>(done * kWidth);
    fmt::print(stderr, "\r\x1b[K{} [{}{}] {}", label_, std::string(filled, '#'), std::string(kWidth - filled, '.'),
               name);
    std::fflush(stderr);
}

} // namespace tailfix
