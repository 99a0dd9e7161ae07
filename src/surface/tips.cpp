#include "surface/tips.h"

#include <algorithm>
#include <cmath>
#include <numeric>

namespace tailfix {
namespace {

// Sets that remember their highest point, which is what decides who lives on at a saddle.
class Peaks {
public:
    explicit Peaks(std::size_t size) : parent_(size), peak_(size)
    {
        std::iota(parent_.begin(), parent_.end(), 0);
        std::iota(peak_.begin(), peak_.end(), 0);
    }

    int find(int i)
    {
        while (parent_[static_cast<std::size_t>(i)] != i) {
            int& up = parent_[static_cast<std::size_t>(i)];
            up = parent_[static_cast<std::size_t>(up)];
            i = up;
        }
        return i;
    }

    int peak(int root) const { return peak_[static_cast<std::size_t>(root)]; }

    void join(int survivor, int other) { parent_[static_cast<std::size_t>(other)] = survivor; }

private:
    std::vector<int> parent_;
    std::vector<int> peak_;
};

} // namespace

std::vector<Tip> find_tips(const SurfaceGraph& graph, const std::vector<double>& distance, double least)
{
    const auto height = [&](int p) { return distance[static_cast<std::size_t>(p)]; };
    const auto higher = [&](int a, int b) { return height(a) != height(b) ? height(a) > height(b) : a < b; };
    std::vector<int> order;
    for (int p = 0; p < graph.size(); ++p)
        if (std::isfinite(height(p))) order.push_back(p);
    std::sort(order.begin(), order.end(), higher);

    std::vector<Tip> tips;
    std::vector<bool> seen(graph.points.size(), false);
    Peaks peaks(graph.points.size());
    for (const int p : order) {
        seen[static_cast<std::size_t>(p)] = true;
        int own = p;
        for (int e = graph.first[static_cast<std::size_t>(p)]; e < graph.first[static_cast<std::size_t>(p) + 1]; ++e) {
            const int q = graph.target[static_cast<std::size_t>(e)];
            if (!seen[static_cast<std::size_t>(q)]) continue;
            const int other = peaks.find(q);
            if (other == own) continue;
            const bool other_lives = higher(peaks.peak(other), peaks.peak(own));
            const int survivor = other_lives ? other : own, loser = other_lives ? own : other;
            const double persistence = height(peaks.peak(loser)) - height(p);
            if (persistence >= least) tips.push_back({peaks.peak(loser), persistence});
            peaks.join(survivor, loser);
            own = survivor;
        }
    }
    // The highest point of all never dies: it persists down to the seed.
    if (!order.empty() && height(order.front()) >= least) tips.push_back({order.front(), height(order.front())});
    std::sort(tips.begin(), tips.end(), [](const Tip& a, const Tip& b) { return a.point < b.point; });
    return tips;
}

} // namespace tailfix
