// tailfix_generate: writes characters of a range of seeds, each with its truth beside it.
#include <filesystem>
#include <fstream>
#include <iostream>

#include <CLI/CLI.hpp>
#include <fmt/format.h>

#include <tailfix/error.h>

#include "generate.h"
#include "plan.h"

namespace {

namespace fs = std::filesystem;
using tailfix::generate::Generated;

// "7" or "0..39"
std::pair<int, int> parse_range(const std::string& text)
{
    const auto dots = text.find("..");
    try {
        std::size_t used = 0;
        const std::string last_text = dots == std::string::npos ? text : text.substr(dots + 2);
        const int first = std::stoi(text.substr(0, dots));
        const int last = std::stoi(last_text, &used);
        if (used == last_text.size() && first >= 0 && last >= first) return {first, last};
    } catch (const std::logic_error&) { // not a number, or too large for one
    }
    throw tailfix::Error(tailfix::Failure::Usage, fmt::format("\"{}\": seeds are written FIRST..LAST, from 0", text));
}

template <typename Bytes>
void write_file(const fs::path& path, const Bytes& bytes)
{
    std::ofstream file(path, std::ios::binary);
    std::copy(bytes.begin(), bytes.end(), std::ostreambuf_iterator<char>(file));
    if (!file.flush())
        throw tailfix::Error(tailfix::Failure::Unwritable, fmt::format("{}: cannot be written", path.string()));
}

void write_character(const Generated& made, const fs::path& folder)
{
    write_file(folder / (made.name + ".glb"), made.glb);
    write_file(folder / (made.name + ".truth.json"), made.truth.dump() + "\n");
}

void list(int seed)
{
    const auto plan = tailfix::generate::make_plan(seed);
    std::string decoys;
    for (const auto& decoy : plan.decoys) decoys += (decoys.empty() ? "" : ", ") + decoy;
    const auto& tail = plan.tails.front();
    fmt::print("{:5} {:9} {:10} {:8} {:5} {:.2f} H x {:.3f} H, {} of them; {} vertices, {}, {}; [{}]\n", seed,
               plan.body, plan.construction, tail.direction, tail.taper, tail.length, tail.radius, plan.tails.size(),
               plan.vertices, plan.convention, plan.arms, decoys);
}

} // namespace

int main(int argc, char** argv)
{
    CLI::App app{"Writes characters with known tails, NAME.glb and NAME.truth.json, one per seed."};
    std::string range;
    fs::path folder = ".";
    bool tailless = false, with_tails = false, both = false, only_list = false;
    app.add_option("SEEDS", range, "FIRST..LAST, or one seed")->required();
    app.add_option("-o,--output", folder, "folder to write to");
    auto* variant = app.add_option_group("variant", "which characters (--with-tails)");
    variant->add_flag("--with-tails", with_tails, "those with tails");
    variant->add_flag("--tailless", tailless, "the same without their tails");
    variant->add_flag("--both", both, "both");
    variant->require_option(0, 1);
    app.add_flag("--list", only_list, "print what each seed is, write nothing");
    try {
        app.parse(argc, argv);
    } catch (const CLI::ParseError& error) {
        return app.exit(error) == 0 ? 0 : 2;
    }
    try {
        const auto [first, last] = parse_range(range);
        if (!only_list) fs::create_directories(folder);
        for (int seed = first; seed <= last; ++seed) {
            if (only_list) {
                list(seed);
                continue;
            }
            if (!tailless) write_character(tailfix::generate::generate(seed, true), folder);
            if (tailless || both) write_character(tailfix::generate::generate(seed, false), folder);
        }
    } catch (const tailfix::Error& error) {
        std::cerr << "tailfix_generate: " << error.what() << "\n";
        return error.kind == tailfix::Failure::Usage ? 2 : 5;
    } catch (const fs::filesystem_error& error) {
        std::cerr << "tailfix_generate: " << error.what() << "\n";
        return 5;
    }
    return 0;
}
