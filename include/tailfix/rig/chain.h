// Lays a chain of joints along a tail.
//
// Source: method.md 4. g is the geodesic distance of every point of the tail from its root ring, L the 99th percentile
// of g; K = clamp(round(L / (0.1 H)), 3, 8) links; J_0 the centroid of the root ring, J_i the centroid of the skin with
// g within half a segment of i L / K, then smoothed twice, but not out of the skin that bends around it [T].
//
// [T] Low-poly tails have a ring of points every segment or so, and a joint between two rings bends neither. Where
// rings lie wider apart than a third of a segment, joints go to where the skin is: g_i is the mean g of the points
// within half a segment, J_i the centroid of the points that both links will share, and there are no more links than
// rings. Smoothing would pull such joints off their rings again (worst seen: 3.5 ring radii), so it is left out there.
#pragma once

#include <string>
#include <vector>

#include <Eigen/Core>

#include <tailfix/character.h>
#include <tailfix/options.h>
#include <tailfix/surface/weld.h>

namespace tailfix {

// Where a tail is and how it hangs, whatever found it (bind space, lengths in bind units).
struct Tail {
    int attach = kNone;        // joint it hangs from
    std::vector<int> points;   // welded points of the tail, ascending
    std::vector<double> along; // per welded point of the whole mesh: signed geodesic distance from the
                               // root ring, positive into the tail, negative on the body beside it;
                               // -infinity on skin that is not reached, and farther than the band
    Eigen::Vector3d root = Eigen::Vector3d::Zero(); // centroid of the root ring
    double root_radius = 0;                         // ring perimeter / 2 pi
};

struct ChainOptions {
    int segments = 0;            // 0: from the length
    double segment_length = 0.1; // of H
    int min_segments = 3;
    int max_segments = 8;
    double length_percentile = 99;
    double sparse = 1.0 / 3; // of a segment
};

template <class Visit>
void fields(ChainOptions& o, Visit&& visit)
{
    visit("segments", o.segments, Range{0, 64}, "links", "number of links (0: from the tail's length)");
    visit("segment-length", o.segment_length, Range{0.01, 1}, "H", "length of a link when their number is not given");
    visit("min-segments", o.min_segments, Range{1, 64}, "links", "fewest links");
    visit("max-segments", o.max_segments, Range{1, 64}, "links", "most links");
    visit("length-percentile", o.length_percentile, Range{50, 100}, "%",
          "percentile of the geodesic distance taken as the tail's length");
    visit("sparse-rings", o.sparse, Range{0, 100}, "segments",
          "rings wider apart than this pull joints onto themselves (100: never)");
}

struct Chain {
    std::string name;                    // "Tail", "Tail2", ...
    int attach = kNone;                  // joint it hangs from
    std::vector<Eigen::Vector3d> joints; // J_0 .. J_K, bind space; K + 1 of them
    std::vector<double> marks; // g at each joint, ascending from 0 to L: where the links' skin meets, bind units
    double length = 0;         // L, bind units
    double root_radius = 0;    // bind units

    int links() const { return static_cast<int>(joints.size()) - 1; }
};

// One chain per tail, in the order given. `height` is H in bind units.
std::vector<Chain> fit_chains(const Weld& weld, const std::vector<Tail>& tails, double height,
                              const ChainOptions& options = {});

} // namespace tailfix
