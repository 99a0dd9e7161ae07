// The characters of data/, read and fixed through the library.
#pragma once

#include <string>

#include <tailfix/pipeline.h>

namespace tailfix::test {

// The only rig of data/NAME.glb.
Character sample(const std::string& name);

// fix() with these options; `threads` as in Options.
Fixed fixed(const Character& character, Options options = {}, int threads = 0);

// The baked clip of a name.
const BakedClip& clip_named(const Fixed& fixed, const std::string& name);

// Joint positions of a chain, root to tip with the end, as its local rotations and the joints' places make them: in the
// space of the joint it hangs from.
std::vector<Eigen::Vector3d> chain_points(const Fixed& fixed, int chain,
                                          const std::vector<Eigen::Quaterniond>& rotations);

} // namespace tailfix::test
