// What a file no longer needs when the keys of an earlier run are replaced.
//
// Where that run's accessors, buffer views and bytes are the last of the file, as it wrote them, and nothing else uses
// them, they are taken off, so that a file does not grow with every run. Anything else stays where it is: removing it
// would renumber and move what is not ours.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <tailfix/io/write.h>

#include "io/document.h"

namespace tailfix::io {

// Takes them off `document` (a copy of the source's); to be called before anything is added to it. Returns how many
// bytes of the BIN chunk stay; none: all.
std::optional<std::size_t> drop_replaced_keys(const SourceDocument& source, const std::vector<RigEdit>& edits,
                                              Json& document);

} // namespace tailfix::io
