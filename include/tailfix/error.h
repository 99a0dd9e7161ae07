// Why a file could not be processed.
//
// One exception type for every stage: a caller acts on the kind, a person reads the message. The message names the
// thing and the rule it breaks: `skin 0 joint 14 ("Tail_03"): inverse bind matrix is not invertible`. Finding no tail
// is an outcome, not an error.
#pragma once

#include <stdexcept>
#include <string>

namespace tailfix {

enum class Failure {
    Unreadable,  // missing, truncated, or not glTF (exit 3)
    Invalid,     // breaks a rule of glTF that a stage relies on (exit 3)
    Unsupported, // valid glTF that needs a feature this build lacks (exit 4)
    Unwritable,  // the output could not be saved (exit 5)
    Usage,       // the request itself is wrong: an option out of range, a joint that does not exist (exit 2)
};

struct Error : std::runtime_error {
    Error(Failure why, const std::string& message) : std::runtime_error(message), kind(why) {}

    Failure kind;
    std::string stage; // filled in by Steps, so that stages need not know their own name
};

} // namespace tailfix
