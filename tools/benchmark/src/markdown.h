// Results as tables for GitHub, aligned to be read as text as well.
#pragma once

#include <string>
#include <vector>

#include "result.h"

namespace tailfix::benchmark {

struct Table {
    std::vector<std::string> head;
    std::vector<std::vector<std::string>> rows; // as long as the head
};

// Columns whose cells are all figures (or a dash) are set to the right.
std::string to_markdown(const Table& table);

Table table_of_totals(const std::vector<Totals>& totals);
Table table_of_models(const std::vector<Result>& results, bool with_seconds);

// What was missed, found falsely or could not be read, a line each with its reason; empty where all is well.
std::string list_of_failures(const std::vector<Result>& results);

// Per key of the generated characters' descriptions and value of it: how many, found, mean IoU, false tails. Numbers
// of which there are many are put into four bins of equal count. Empty without descriptions.
Table table_of_descriptions(const std::vector<Result>& results);

// All of it.
std::string to_markdown(const std::vector<Result>& results, bool with_seconds);

} // namespace tailfix::benchmark
