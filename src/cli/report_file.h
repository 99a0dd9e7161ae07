// The file that --report names.
#pragma once

#include <string>
#include <vector>

#include <tailfix/batch.h>

#include "cli/arguments.h"

namespace tailfix {

// Throws Error, before anything is done: Usage where the report is in the way of an input or an output, or would
// replace a file that is no report of an earlier run (--force allows that); Unwritable where there is no such folder.
void check_report(const Arguments& arguments, const std::vector<Job>& jobs);

// JSON for one outcome, JSON Lines for several. A file appears only when complete, so that a script never reads half of
// one; devices and pipes are written to. False where that failed.
bool write_report(const std::vector<Outcome>& outcomes, const Arguments& arguments);

} // namespace tailfix
