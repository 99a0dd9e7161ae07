// What is no tail: clothing, hair, weapons, wings. Shells of their own, on both variants of a seed.
#pragma once

#include "generate/figure.h"
#include "generate/mesh.h"

namespace tailfix::generate {

// Ears belong to the body's solid and are not here. `detail`: quads across a sheet.
TriangleMesh make_decoys(const Plan& plan, const Figure& figure, int detail);

} // namespace tailfix::generate
