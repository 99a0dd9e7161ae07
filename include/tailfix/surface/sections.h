// Finds tails by their cross-sections.
//
// A tail is a protrusion whose cross-sections do not contain the skeleton. Sections are level sets of the geodesic
// distance from the protrusion's tip; the skeleton's distance from a section is compared with the section's own radius,
// not with the height of the body, and the root is where the perimeter flares. So fat bodies, quadrupeds and tails that
// hang beside the legs need no special case.
//
// Source: detection.md, all of it; every limit below is one of its constants, scanned there on 37 rigs and checked on
// 18 held-out ones. Bind space; S is Roles::size. Results do not depend on the place, turn or size of the model.
#pragma once

#include <string>
#include <vector>

#include <tailfix/character.h>
#include <tailfix/options.h>
#include <tailfix/rig/chain.h>
#include <tailfix/rig/roles.h>
#include <tailfix/surface/test.h>
#include <tailfix/surface/weld.h>

namespace tailfix {

struct SectionOptions {
    double longest_edge = 0.02;  // of S
    double step = 0.01;          // of S
    double bridge_slack = 0.002; // of S
    double persistence = 0.04;   // of S
    double tip_distance = 0.05;  // of S
    double body_q = 1.0;
    double flare = 2.5;
    double flare_least = 2.2;  // a cone of 37 degrees
    double flare_window = 1.0; // diameters
    double cut_fillet = 0.08;  // of S
    double cut_radii = 0.75;
    double cut_q = 0.9;
    double min_length = 0.08; // of S
    double slender = 1.6;
    double slender_no_flare = 3.0;
    double unexplained = 0.6;
    double axis = 0.4;
    double middle = 0.10; // of S
    double low = 0.65;
    double behind = -0.02; // of S
    double flat = 0.3;
    double prominent = 0.5;
    double open = 0.2;
    double side_leaf = 0.02; // of S
    double sibling_radii = 2.5;
    double sibling_length = 0.5;
    double attach_middle = 0.04; // of S
    double least_score = 0.5;    // every test passed
};

template <class Visit>
void fields(SectionOptions& o, Visit&& visit)
{
    visit("sections-edge", o.longest_edge, Range{0.002, 0.5}, "S",
          "longer edges are split before the surface is measured");
    visit("sections-step", o.step, Range{0.001, 0.1}, "S", "distance between cross-sections");
    visit("sections-bridge", o.bridge_slack, Range{0, 0.1}, "S", "slack of the bridges between shells");
    visit("sections-persistence", o.persistence, Range{0, 1}, "S", "least prominence of a tip");
    visit("sections-tip", o.tip_distance, Range{0, 1}, "S", "least distance of a tip from the skeleton");
    visit("sections-body", o.body_q, Range{0.1, 5}, "radii", "a section nearer to the skeleton is body");
    visit("sections-flare", o.flare, Range{1, 10}, "times", "growth of the perimeter that marks the root");
    visit("sections-flare-least", o.flare_least, Range{1, 10}, "times", "the same where nothing grows as much");
    visit("sections-flare-window", o.flare_window, Range{0.25, 2}, "diameters", "how far ahead the growth is measured");
    visit("sections-fillet", o.cut_fillet, Range{0, 0.5}, "S", "the cut lies this far past the flare...");
    visit("sections-cut", o.cut_radii, Range{0, 5}, "radii", "...less this many radii of the tail there");
    visit("sections-cut-body", o.cut_q, Range{0.1, 5}, "radii",
          "and not past where the skeleton is nearer than this to a section's centre");
    visit("sections-length", o.min_length, Range{0, 2}, "S", "least length of a tail");
    visit("sections-slender", o.slender, Range{0, 20}, "diameters", "least length over thickness");
    visit("sections-slender-no-flare", o.slender_no_flare, Range{0, 20}, "diameters",
          "the same where no flare marks the root");
    visit("sections-unexplained", o.unexplained, Range{0, 1}, "fraction", "sections that must not contain a bone");
    visit("sections-axis", o.axis, Range{0, 1}, "pelvis-head", "highest root along the line from pelvis to head");
    visit("sections-middle", o.middle, Range{0, 1}, "S", "farthest root from the mirror plane");
    visit("sections-low", o.low, Range{0, 2}, "leg", "lowest root between pelvis and ground");
    visit("sections-behind", o.behind, Range{-1, 1}, "S", "least distance of the root behind the pelvis");
    visit("sections-flat", o.flat, Range{0, 1}, "ratio", "flatter sections are panels");
    visit("sections-prominent", o.prominent, Range{0, 1}, "fraction",
          "share of the way from tip to skeleton before the flare");
    visit("sections-open", o.open, Range{0, 1}, "ratio", "sections more open than this are sheets");
    visit("sections-side-leaf", o.side_leaf, Range{0, 1}, "S", "leaf joints farther from the mirror plane end limbs");
    visit("sections-sibling-radii", o.sibling_radii, Range{0, 10}, "radii",
          "how far roots of several tails may lie apart");
    visit("sections-sibling-length", o.sibling_length, Range{0, 1}, "fraction",
          "least length of a second tail, of the longest");
    visit("sections-attach-middle", o.attach_middle, Range{0, 1}, "S",
          "a tail hangs from a joint this near to the mirror plane");
    visit("no-detect-below", o.least_score, Range{0, 1}, "score",
          "pieces with a lower score are no tails: 0.5 is every test just passed, 1 no doubt in any");
}

struct SectionCandidate {
    Eigen::Vector3d tip = Eigen::Vector3d::Zero();
    std::vector<int> points;                         // welded points nearer to the tip than the cut
    double length = 0;                               // from the tip to the cut
    Eigen::Vector3d onset = Eigen::Vector3d::Zero(); // centre of the section from which it flares into the body
    std::vector<SectionTest> tests;
    double score = 0; // the least of its tests: how sure it is that this is a tail
    bool is_tail = false;
    std::string why_not; // the first test that failed, or that it is part of a longer tail
    Tail tail;           // filled in for a tail
};

// Every tip that was looked at, longest first; those with is_tail are tails. Empty where the rig is not a character.
//
// `tail_at`: points of bind space on or near the tails, where the caller knows better. Then the smallest protrusion at
// each point is a tail, whatever its tests say, and nothing else is. Throws Error{Usage} for a point farther than a
// tenth of S from all skin.
std::vector<SectionCandidate> find_section_tails(const Character& character, const Roles& roles, const Weld& weld,
                                                 const SectionOptions& options = {},
                                                 const std::vector<Eigen::Vector3d>& tail_at = {});

} // namespace tailfix
