// A fixed character as additions to the file's own document.
#pragma once

#include <vector>

#include <tailfix/io/write.h>

#include "io/additions.h"
#include "io/document.h"

namespace tailfix::io {

// Adds the nodes, joints, inverse bind matrices, vertex attributes and animation channels of the edits to `document`,
// a copy of the source's. Returns the bytes that the tracks of each baked clip of each edit take.
//
// Throws Error{Unsupported} for a mesh that several skins share: one set of joint slots cannot serve them all.
std::vector<std::vector<std::size_t>> splice(const SourceDocument& source, const std::vector<RigEdit>& edits,
                                             Json& document, Additions& additions);

} // namespace tailfix::io
