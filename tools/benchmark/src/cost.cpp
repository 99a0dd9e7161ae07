#include "cost.h"

#include <algorithm>
#include <array>
#include <chrono>
#include <cmath>
#include <cstdlib>
#include <numeric>

#include <fmt/format.h>

#include "markdown.h"
#include "metrics.h"
#include "result.h"
#include "subdivide.h"

namespace tailfix::benchmark {
namespace {

constexpr int kUnitSize = 100000;
constexpr int kCostSchema = 1;

Cost cost_of(const Character& character, const DetectOptions& options)
{
    Cost out;
    out.vertices = character.mesh.vertex_count();
    std::array<double, 3> seconds{};
    for (double& s : seconds) {
        const auto start = std::chrono::steady_clock::now();
        const Roles roles = find_roles(character);
        const Weld weld = weld_vertices(character.mesh);
        const Detection detection = detect_tails(character, roles, weld, options);
        s = std::chrono::duration<double>(std::chrono::steady_clock::now() - start).count();
        const auto areas = point_areas(weld);
        double tail = 0;
        for (const auto& t : detection.tails)
            for (const int p : t.points) tail += areas[static_cast<std::size_t>(p)];
        out.tail_area = tail / std::accumulate(areas.begin(), areas.end(), 0.0);
    }
    std::sort(seconds.begin(), seconds.end());
    out.seconds = seconds[1];
    return out;
}

} // namespace

std::vector<Cost> measure_cost(const Character& character, const std::vector<int>& sizes, const DetectOptions& options)
{
    std::vector<Cost> out = {cost_of(character, options)};
    Character dense = character;
    for (const int size : sizes) {
        dense.mesh = subdivide_to(std::move(dense.mesh), size);
        out.push_back(cost_of(dense, options));
    }
    return out;
}

std::vector<double> cost_ratios(const std::vector<Cost>& costs)
{
    const auto unit = std::min_element(costs.begin(), costs.end(), [](const Cost& a, const Cost& b) {
        return std::abs(a.vertices - kUnitSize) < std::abs(b.vertices - kUnitSize);
    });
    std::vector<double> out;
    for (const Cost& c : costs) out.push_back(c.seconds / unit->seconds);
    return out;
}

double cost_exponent(const std::vector<Cost>& costs)
{
    double x = 0, y = 0, xx = 0, xy = 0;
    for (const Cost& c : costs) {
        const double n = std::log(c.vertices), t = std::log(c.seconds);
        x += n;
        y += t;
        xx += n * n;
        xy += n * t;
    }
    const auto n = static_cast<double>(costs.size());
    return costs.size() < 2 ? 0 : (n * xy - x * y) / (n * xx - x * x);
}

std::string cost_markdown(const std::vector<Cost>& costs)
{
    Table table{{"Vertices", "Seconds", "Times 100,000's", "Tail, share of area"}, {}};
    const auto ratios = cost_ratios(costs);
    for (std::size_t i = 0; i < costs.size(); ++i)
        table.rows.push_back({fmt::format("{}", costs[i].vertices), fmt::format("{:.2f}", costs[i].seconds),
                              fmt::format("{:.2f}", ratios[i]), fmt::format("{:.4f}", costs[i].tail_area)});
    return to_markdown(table) +
           fmt::format("\nTime grows as the number of vertices to the {:.2f}.\n", cost_exponent(costs));
}

std::string cost_json(const std::string& character, const std::vector<Cost>& costs)
{
    Json json = {{"schema", kCostSchema}, {"character", character}, {"exponent", cost_exponent(costs)}};
    const auto ratios = cost_ratios(costs);
    for (std::size_t i = 0; i < costs.size(); ++i)
        json["sizes"].push_back({{"vertices", costs[i].vertices},
                                 {"seconds", costs[i].seconds},
                                 {"ratio", ratios[i]},
                                 {"tail_area", costs[i].tail_area}});
    return json.dump(2) + "\n";
}

} // namespace tailfix::benchmark
