// From a distance field to triangles: naive surface nets (Gibson 1998) on the blocks of a grid that the surface
// crosses.
#pragma once

#include "field.h"
#include "part.h"

namespace tailfix::generate {

// Closed, with edges of about `spacing`. The part's tail is all 0.
Part mesh_field(const Field& field, double spacing);

double area(const Part& part);

// Without what does not hang together with the largest piece: crumbs at tips thinner than the grid.
Part largest_piece(const Part& part);

// The same surface with about `vertices` vertices, which are some of its own.
Part simplified(const Part& part, int vertices);

} // namespace tailfix::generate
