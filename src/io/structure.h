// Checks the shape of a glTF document: every property that tailfix reads has its type, every index names something,
// every range of bytes lies in its buffer, and the nodes are trees. glTF 2.0, section 5.
//
// What is harmless in real files passes: empty lists, a wrong skeleton root, missing bounds.
#pragma once

#include "io/json_text.h"

namespace tailfix::io {

// Throws Error: Invalid, or Unsupported for a glTF version other than 2.0.
void check_structure(const Json& document);

} // namespace tailfix::io
