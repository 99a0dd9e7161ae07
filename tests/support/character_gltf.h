// A character built in code, as a file that the program can read.
#pragma once

#include "support/glb.h"

#include <tailfix/character.h>

namespace tailfix::test {

// One mesh and one skin of all joints; mesh space is bind space. A vertex keeps its four largest influences. The clips
// come along, with their names and tracks.
Gltf gltf_of(const Character& character);

// An upright cat with a tail and an auto-rigger's weights (support/characters.h), and the clip "Turn", in which the
// hips turn to and fro within a second. Small: about 5,000 vertices.
Gltf cat_gltf();

} // namespace tailfix::test
