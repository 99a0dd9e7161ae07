// Everything on the character that might be a tail, what each is, and which of them get a chain.
//
// Source: detection.md, "How the two live together". `sections` and `article` run one method alone. `both` takes the
// sections' tails, adds far pieces that the article's tests call a tail and that pass the sections' tests of place, and
// drops what overlaps. A rig whose tail already has bones is reported and left alone (method.md 3).
#pragma once

#include <string>
#include <vector>

#include <tailfix/character.h>
#include <tailfix/options.h>
#include <tailfix/rig/chain.h>
#include <tailfix/rig/roles.h>
#include <tailfix/surface/classify.h>
#include <tailfix/surface/cluster.h>
#include <tailfix/surface/sections.h>
#include <tailfix/surface/weld.h>

namespace tailfix {

enum class DetectMethod { Both, Sections, Article };

struct DetectOptions {
    DetectMethod method = DetectMethod::Both;
    std::string tail_at;  // "X,Y,Z" or several with ; between: where the tails are, in the scene; empty: found
    double overlap = 0.5; // of the smaller piece: two finds that share more are one
    ClusterOptions cluster;
    ClassifyOptions classify;
    SectionOptions sections;
};

template <class Visit>
void fields(DetectOptions& o, Visit&& visit)
{
    visit("detect", o.method, Choices{{"both", "sections", "article"}}, "how tails are found");
    visit("tail-at", o.tail_at,
          "X,Y,Z of a point on or near the tail, as a viewer shows the character in its bind pose, whatever the tests "
          "say "
          "(several: with ; between)");
    visit("detect-overlap", o.overlap, Range{0, 1}, "fraction", "finds that share more of their skin are one");
    fields(o.cluster, visit);
    fields(o.classify, visit);
    fields(o.sections, visit);
}

struct Detection {
    std::vector<Appendage> appendages;        // all that was considered; tails first, then by size
    std::vector<Tail> tails;                  // those that get a chain: tails[i] is appendages[i]
    std::vector<SectionCandidate> candidates; // what the sections method measured
    std::vector<int> own_tail;                // joints of tails that the rig has already, which are no tails here
    std::string why_none;                     // where tails is empty: the reason in one sentence
};

// `tail_at`: the points of options.tail_at in bind space; where there are any, the protrusions at them are the tails,
// and nothing else is.
Detection detect_tails(const Character& character, const Roles& roles, const Weld& weld,
                       const DetectOptions& options = {}, const std::vector<Eigen::Vector3d>& tail_at = {});

// Reads options.tail_at, in the scene. Throws Error{Usage} for anything but triples of numbers.
std::vector<Eigen::Vector3d> parse_points(const std::string& text);

} // namespace tailfix
