// Disjoint sets of 0 .. n - 1. A set's representative is its smallest member, so that results do not depend on the
// order in which pairs were united.
#pragma once

#include <numeric>
#include <utility>
#include <vector>

namespace tailfix {

class UnionFind {
public:
    explicit UnionFind(int count) : parent_(static_cast<std::size_t>(count))
    {
        std::iota(parent_.begin(), parent_.end(), 0);
    }

    int find(int i)
    {
        while (at(i) != i) {
            at(i) = at(at(i)); // path halving keeps the trees flat without a second pass
            i = at(i);
        }
        return i;
    }

    // Returns the representative of the united set.
    int unite(int a, int b)
    {
        a = find(a);
        b = find(b);
        if (a > b) std::swap(a, b);
        at(b) = a;
        return a;
    }

private:
    int& at(int i) { return parent_[static_cast<std::size_t>(i)]; }

    std::vector<int> parent_;
};

} // namespace tailfix
