// What a piece of skin is, by where it hangs and what shape it has.
//
// Source: method.md 3. A piece hangs from the joint nearest to the centroid of its collar; where that is a limb joint,
// the nearest torso joint (pelvis or spine) wins within 1.5 times the distance. A tail is long and hangs from the
// pelvis. Skin weights are never trusted: the auto-rigger made them without knowing of the piece.
//
// A piece whose centre is near the skeleton is body [A]: thick torso skin wraps a bone, so its centre falls back onto
// it. A cape, skirt or quiver that lies along the body fails that test as well, so a piece that is a shell of its own
// is classed all the same, but is never a tail [T]. All lengths are bind units; nothing here depends on the place, turn
// or size of the model.
#pragma once

#include <cstddef>
#include <string>
#include <string_view>
#include <vector>

#include <Eigen/Core>

#include <tailfix/character.h>
#include <tailfix/options.h>
#include <tailfix/rig/roles.h>
#include <tailfix/surface/cluster.h>
#include <tailfix/surface/test.h>
#include <tailfix/surface/weld.h>

namespace tailfix {

struct ClassifyOptions {
    double collar_bias = 1.5;   // [T]
    double centroid = 0.4;      // [A] of the reach
    double elongation = 1.8;    // [T] tails measure 2.6 and more, capes and skirts near 1
    double merge_overlap = 0.5; // [A] of the smaller box
    int min_points = 12;        // two rings of a six-sided tube
    double min_reach = 0.04;    // of H: the persistence of a tip in detection.md 3 that counts as more than noise
};

template <class Visit>
void fields(ClassifyOptions& o, Visit&& visit)
{
    visit("collar-bias", o.collar_bias, Range{1, 10}, "times",
          "a torso joint this much farther than a limb joint still holds the piece");
    visit("appendage-centroid", o.centroid, Range{0, 1}, "reach",
          "a piece whose centre is nearer to the skeleton is body");
    visit("long", o.elongation, Range{1, 100}, "ratio", "elongation from which a piece is long");
    visit("merge-overlap", o.merge_overlap, Range{0, 1}, "box",
          "pieces of one joint whose boxes overlap by more are one piece");
    visit("appendage-points", o.min_points, Range{1, 10000}, "points", "smaller pieces are noise");
    visit("appendage-reach", o.min_reach, Range{0, 1}, "H", "shorter pieces are noise");
}

// tail: long, on the pelvis. worn: long, on the spine. wide: not long, on the torso. head, limb: hangs from there.
// body: no appendage at all.
enum class AppendageClass { Tail, Worn, Wide, Head, Limb, Body };

std::string_view class_name(AppendageClass kind); // "tail", "worn", ...

struct Appendage {
    AppendageClass kind = AppendageClass::Body;
    std::vector<int> points; // welded points, ascending
    std::vector<int> collar; // welded points it hangs on: beside it, or its own ring nearest to the body
    Eigen::Vector3d collar_centroid = Eigen::Vector3d::Zero();
    double root_radius = 0;               // mean distance of the collar from its centroid
    int attach = kNone;                   // joint it hangs from
    double reach = 0;                     // largest distance of a point from the collar's centroid
    double length = 0;                    // the reach, until a stage measures along the surface
    double elongation = 1;                // sqrt(l1 / l2) of the points' covariance; at most 1000 (points in a line)
    double centroid_distance = 0;         // of the points' centroid from the skeleton
    bool own_shell = false;               // most of shells that are not the body's (classify_far_pieces finds out)
    std::vector<std::string> reasons;     // for its class, with the numbers
    std::string found_by;                 // "article", "sections"
    std::vector<SectionTest> class_tests; // that say of which class it is, where they were made
    std::size_t class_decided = 0;        // which of them did; of a tail, any
    std::vector<SectionTest> tests;       // that say whether it is a tail, where they were made
    double score = 0;                     // the least of them
};

// Measures a piece that any stage proposes; kind and reasons are left for classify_piece. Without a collar, the ring of
// the piece nearest to the rest of the skin takes its place. `points` ascending; the rig has
// bones. No points: no attachment, and body.
Appendage measure_piece(const Character& character, const Roles& roles, const Weld& weld, std::vector<int> points,
                        std::vector<int> collar, const ClassifyOptions& options = {});

// The same appendage with its class and the reasons for it.
Appendage classify_piece(const Character& character, const Roles& roles, Appendage measured,
                         const ClassifyOptions& options = {});

// Measures, merges and classifies the far pieces; noise is left out. Largest first.
std::vector<Appendage> classify_far_pieces(const Character& character, const Roles& roles, const Weld& weld,
                                           const std::vector<FarPiece>& pieces, const ClassifyOptions& options = {});

} // namespace tailfix
