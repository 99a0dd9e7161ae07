// How the time of detection grows with the number of vertices.
#pragma once

#include <string>
#include <vector>

#include <tailfix/character.h>
#include <tailfix/surface/detect.h>

namespace tailfix::benchmark {

struct Cost {
    int vertices = 0;
    double seconds = 0;   // of roles, weld and detection: median of three runs
    double tail_area = 0; // share of the surface that was found to be tail: the shape is the same, so should this be
};

// The character as it is, then subdivided to the sizes given; one after the other, so that none disturbs another.
std::vector<Cost> measure_cost(const Character& character, const std::vector<int>& sizes,
                               const DetectOptions& options = {});

// Time over the time at the size nearest to 100,000 vertices.
std::vector<double> cost_ratios(const std::vector<Cost>& costs);

// p of time ~ vertices^p, by least squares in logarithms over all sizes; 0 for fewer than two.
double cost_exponent(const std::vector<Cost>& costs);

std::string cost_markdown(const std::vector<Cost>& costs);
std::string cost_json(const std::string& character, const std::vector<Cost>& costs);

} // namespace tailfix::benchmark
