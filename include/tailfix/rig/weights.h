// Skin weights for the new joints, and the band beside the root where the file's own weights give way.
//
// Source: method.md 5. `article` is exactly the article's rule; `smooth` (default) replaces its step at the root by a
// ramp on both sides of the ring, blends over half a segment, and blends the file's weights towards the attachment over
// a band of body skin.
#pragma once

#include <vector>

#include <tailfix/character.h>
#include <tailfix/options.h>
#include <tailfix/rig/chain.h>
#include <tailfix/surface/weld.h>

namespace tailfix {

enum class Mode { Chain, Rigid };
enum class WeightRule { Smooth, Article };

struct WeightOptions {
    Mode mode = Mode::Chain;
    WeightRule rule = WeightRule::Smooth;
    // The ramp, of the root radius: outside the ring, where the attachment's share reaches 1, and inside, where it
    // reaches 0. method.md 5 has 1 and 1.5. Half of the weight, which decides what counts as tail, lies 0.05 r inside
    // the ring here, where the artists of 9 rigs put it, and not 0.25 r: the tail's mean IoU with their weights is 0.89
    // instead of 0.86, and on the worst, a thick tail, 0.70 instead of 0.68. A ramp of 2.6 r instead of 2.1 r takes the
    // seam's p99 from 1.17 to 1.14 (velociraptor) and from 1.51 to 1.47 (fox).
    double root_outside = 1.25;
    double root_inside = 1.35;
    // Of the root radius: inside the ring, where nothing is left of the file's weights. Where the tail's share is
    // whole, so that what the links leave of the skin at the ring still passes gently into the thighs.
    double fade_inside = 1.35;
    // Of the root radius: width of the band beyond the ramp in which the file's weights are blended back in, at most.
    // It holds fewer than half as many vertices as the tail, which is what ends it on most rigs; where that allows it,
    // 6 radii keep the seam within the body's own stretch and 4 do not (horse).
    double seam_band = 6.0;
};

template <class Visit>
void fields(WeightOptions& o, Visit&& visit)
{
    visit("mode", o.mode, Choices{{"chain", "rigid"}},
          "chain: joints along the tail; rigid: the whole tail follows the joint it hangs from");
    visit("weights", o.rule, Choices{{"smooth", "article"}}, "how links share the skin");
    visit("root-outside", o.root_outside, Range{0, 10}, "radii",
          "outside the root ring, where the tail's share of the weights begins");
    visit("root-inside", o.root_inside, Range{0.01, 10}, "radii",
          "inside the root ring, where the tail's share is whole");
    visit("fade-inside", o.fade_inside, Range{0, 10}, "radii",
          "inside the root ring, where the file's own weights have gone");
    visit("seam-band", o.seam_band, Range{0, 20}, "radii",
          "beyond that, the band in which other weights give way to the joint it hangs from");
}

// The new influences of one welded point. `links` of chain c are numbered as joints character.joints.size() + offset,
// where the offset counts through all chains in order, each with its links() joints followed by its end joint.
struct PointWeights {
    int point = 0;
    std::vector<Influence> influences; // distinct joints, weights over 0, sum 1
};

struct SkinWeights {
    std::vector<PointWeights> points; // ascending; only those that change
};

SkinWeights blend_weights(const Character& character, const Weld& weld, const std::vector<Tail>& tails,
                          const std::vector<Chain>& chains, const WeightOptions& options = {});

} // namespace tailfix
