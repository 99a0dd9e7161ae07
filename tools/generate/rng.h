// Random numbers that are the same on every machine: splitmix64 (Steele, Lea, Flood 2014), one stream per topic, so
// that a new choice in one topic does not move the others.
#pragma once

#include <cmath>
#include <cstdint>
#include <initializer_list>
#include <numbers>
#include <string_view>
#include <utility>
#include <vector>

namespace tailfix::generate {

class Random {
public:
    Random(int seed, std::string_view topic) : state_(0xcbf29ce484222325ULL)
    {
        for (const char c : topic) state_ = (state_ ^ static_cast<unsigned char>(c)) * 0x100000001b3ULL; // FNV-1a
        state_ += static_cast<std::uint64_t>(static_cast<std::int64_t>(seed)) * 0x9e3779b97f4a7c15ULL;
        next();
    }

    // In [0, 1).
    double uniform() { return static_cast<double>(next() >> 11) * 0x1p-53; }
    double uniform(double least, double most) { return least + (most - least) * uniform(); }
    bool chance(double p) { return uniform() < p; }
    int below(int n) { return static_cast<int>(uniform() * n); }

    // Standard normal (Box and Muller 1958).
    double normal()
    {
        const double radius = std::sqrt(-2 * std::log(1 - uniform()));
        return radius * std::cos(2 * std::numbers::pi * uniform());
    }

    // One of the values, by its share.
    template <typename T>
    T pick(std::initializer_list<std::pair<T, double>> shares)
    {
        double sum = 0;
        for (const auto& share : shares) sum += share.second;
        double at = uniform() * sum;
        for (const auto& [value, share] : shares) {
            if (at < share) return value;
            at -= share;
        }
        return (shares.end() - 1)->first;
    }

private:
    std::uint64_t next()
    {
        std::uint64_t z = (state_ += 0x9e3779b97f4a7c15ULL);
        z = (z ^ (z >> 30)) * 0xbf58476d1ce4e5b9ULL;
        z = (z ^ (z >> 27)) * 0x94d049bb133111ebULL;
        return z ^ (z >> 31);
    }

    std::uint64_t state_;
};

} // namespace tailfix::generate
