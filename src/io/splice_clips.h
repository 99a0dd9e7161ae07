// Baked rotations as channels of the file's own animations.
#pragma once

#include <cstddef>
#include <optional>
#include <vector>

#include <tailfix/motion/bake.h>

#include "io/additions.h"
#include "io/document.h"

namespace tailfix::io {

// Adds the tracks of one clip to its animation, all in one buffer view; equal key times are stored once. A node that
// the animation turns already (a chain baked before) has that channel's keys replaced. Returns the bytes added.
std::size_t splice_clip(const Character& character, const BakedClip& clip, const std::vector<int>& node_number,
                        Json& document, Additions& additions);

// The sampler of the channel that turns a node, where no other channel uses it: the one whose keys splice_clip
// replaces.
std::optional<std::size_t> own_rotation_sampler(const Json& animation, int node);

} // namespace tailfix::io
