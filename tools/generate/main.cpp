// Writes generated characters and their truths.
#include <cstdio>
#include <filesystem>
#include <fstream>
#include <string>

#include <fmt/format.h>

#include "generate/generate.h"
#include "generate/plan.h"

namespace {

constexpr const char* kUsage = "usage: tailfix_generate FIRST..LAST (-o DIR [--tailless | --both] | --list)\n";

void write(const std::filesystem::path& folder, int seed, bool with_tails)
{
    const auto made = tailfix::generate::generate(seed, with_tails);
    std::ofstream glb(folder / (made.name + ".glb"), std::ios::binary);
    glb.write(reinterpret_cast<const char*>(made.glb.data()), static_cast<std::streamsize>(made.glb.size()));
    std::ofstream(folder / (made.name + ".truth.json")) << made.truth.dump() << '\n';
    if (!glb) throw std::runtime_error(fmt::format("{} cannot be written", (folder / (made.name + ".glb")).string()));
}

} // namespace

int main(int argc, char** argv)
{
    int first = 0, last = 0;
    if (argc < 3 || std::sscanf(argv[1], "%d..%d", &first, &last) != 2) {
        std::fputs(kUsage, stderr);
        return 2;
    }
    if (std::string(argv[2]) == "--list") {
        for (int seed = first; seed <= last; ++seed)
            fmt::print("{:3} {} vertices {}\n", seed, tailfix::generate::make_plan(seed).vertices,
                       tailfix::generate::make_plan(seed).describe().dump());
        return 0;
    }
    if (argc < 4 || std::string(argv[2]) != "-o") {
        std::fputs(kUsage, stderr);
        return 2;
    }
    const std::string which = argc > 4 ? argv[4] : "";
    try {
        std::filesystem::create_directories(argv[3]);
        for (int seed = first; seed <= last; ++seed) {
            if (which != "--tailless") write(argv[3], seed, true);
            if (which == "--tailless" || which == "--both") write(argv[3], seed, false);
        }
    } catch (const std::exception& error) {
        fmt::print(stderr, "{}\n", error.what());
        return 5;
    }
    return 0;
}
