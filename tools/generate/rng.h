// Random numbers that are the same with every standard library.
#pragma once

#include <cstddef>
#include <cstdint>
#include <initializer_list>
#include <vector>

namespace tailfix::generate {

// SplitMix64 (G. Steele, D. Lea, C. Flood, "Fast splittable pseudorandom number generators", OOPSLA 2014).
class Random {
public:
    explicit Random(std::uint64_t seed) : state_(seed) {}

    std::uint64_t next()
    {
        std::uint64_t z = state_ += 0x9e3779b97f4a7c15ULL;
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }

    double unit() { return static_cast<double>(next() >> 11) * 0x1.0p-53; } // [0, 1)
    double between(double low, double high) { return low + (high - low) * unit(); }
    bool chance(double share) { return unit() < share; }
    int below(int count) { return static_cast<int>(next() % static_cast<std::uint64_t>(count)); }

    template <class T>
    T one_of(std::initializer_list<T> values)
    {
        return *(values.begin() + below(static_cast<int>(values.size())));
    }

private:
    std::uint64_t state_;
};

} // namespace tailfix::generate
