// The connected pieces of skin that are far from every bone, and the collar each hangs on.
//
// Source: method.md 2 and 3. Far: D > 0.07 H. Pieces are connected over the edges of the welded triangles, over all
// meshes of the rig together. The collar of a piece is the skin next to it that is not far; a shell that touches no
// other skin has none here (surface/classify.h finds the ring of it that is nearest to the body).
#pragma once

#include <vector>

#include <tailfix/options.h>
#include <tailfix/surface/weld.h>

namespace tailfix {

struct ClusterOptions {
    double far = 0.07; // of H [A]
};

template <class Visit>
void fields(ClusterOptions& o, Visit&& visit)
{
    visit("far", o.far, Range{0.001, 1}, "H", "skin farther than this from every bone may be an appendage");
}

struct FarPiece {
    std::vector<int> points; // welded points, ascending
    std::vector<int> collar; // welded points beside them that are not far, ascending; may be empty
};

// `distance`: D per welded point; `height`: H; both in bind units. Pieces are ordered by their first point.
std::vector<FarPiece> cluster_far_skin(const Weld& weld, const std::vector<double>& distance, double height,
                                       const ClusterOptions& options = {});

} // namespace tailfix
