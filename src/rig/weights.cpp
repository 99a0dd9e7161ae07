#include <tailfix/rig/weights.h>

#include <algorithm>
#include <cmath>
#include <limits>
#include <utility>

#include "rig/link_shares.h"
#include "rig/root_fade.h"
#include "rig/skinning.h"
#include "smoothstep.h"

namespace tailfix {
namespace {

constexpr std::size_t kMaxInfluences = 4; // method.md 5: what every engine reads
// A change of weight below this moves no skin that anyone can see (1e-4 of a joint's own motion); it is not made.
constexpr double kLeastChange = 1e-4;
// The skin that changes without following the tail is a band beside it: fewer than half as many vertices as the tail's.
constexpr double kBandOfTail = 0.48;
// A share of the tail below one step of 8-bit weights is none in some files.
constexpr double kLeastShare = 1.0 / 255;

std::size_t at(int i)
{
    return static_cast<std::size_t>(i);
}

// `kept`, and the rest to 1 for the attachment. More than four influences: the smallest that is no link goes to the
// attachment as well, rather than to all in proportion, so that no other joint gains.
std::vector<Influence> fill_up(std::vector<Influence> kept, int attach, int first_link)
{
    kept.erase(std::remove_if(kept.begin(), kept.end(),
                              [&](const Influence& w) { return w.joint == attach || w.weight < 1e-9; }),
               kept.end());
    std::stable_sort(kept.begin(), kept.end(), [&](const Influence& a, const Influence& b) {
        const bool link_a = a.joint >= first_link, link_b = b.joint >= first_link;
        return link_a != link_b ? link_a : a.weight > b.weight;
    });
    double sum = 0;
    for (const auto& w : kept) sum += w.weight;
    if (kept.size() + (sum < 1 - 1e-9 ? 1 : 0) > kMaxInfluences) kept.resize(kMaxInfluences - 1);
    sum = 0;
    for (const auto& w : kept) sum += w.weight;
    if (sum < 1 - 1e-9) {
        kept.push_back({attach, 1 - sum});
    } else {
        for (auto& w : kept) w.weight /= sum;
    }
    return kept;
}

// One tail, its links, and the widths of its zones (bind units).
struct Root {
    const Tail& tail;
    const Chain* chain = nullptr; // none in rigid mode
    int first_link = 0;           // joint number of the first link
    double outside = 0;           // g = -outside: the attachment's share is 1
    double inside = 0;            // g = inside: it is 0
    double band = 0;              // width of the band beyond the ramp
    double fade_end = 0;          // g from which nothing is left of the file's weights
    WeightRule rule = WeightRule::Smooth;
};

std::vector<Influence> link_weights(const Root& root, double g, double share)
{
    std::vector<Influence> weights;
    const LinkShares shares = root.rule == WeightRule::Article ? share_links_article(g, root.chain->marks)
                                                               : share_links_smooth(g, root.chain->marks);
    for (const auto& [link, part] : shares) {
        const int joint = link < 0 ? root.tail.attach : root.first_link + link;
        if (part * share > 0) weights.push_back({joint, part * share});
    }
    return weights;
}

// The tail's share of the weights along the ramp.
double ramp_share(const Root& root, double g)
{
    return smoothstep(-root.outside, root.inside, g);
}

double tail_share(const Root& root, double g)
{
    return root.chain == nullptr ? 0 : ramp_share(root, g);
}

// A point of the tail or of the body within the ramp: the tail has its share, and the rest is what the file's own
// weights are left with there and the attachment's.
std::vector<Influence> ramp_weights(const Skinning& skinning, const Root& root, const RootFade& fade, int point,
                                    double g)
{
    const double share = tail_share(root, g);
    std::vector<Influence> weights;
    if (share > 0) weights = link_weights(root, std::max(g, 0.0), share);
    for (const auto& w : fade.apply(common_weights(skinning, point), point, g))
        weights.push_back({w.joint, w.weight * (1 - share)});
    return fill_up(std::move(weights), root.tail.attach, root.first_link);
}

std::vector<Influence> tail_weights(const Skinning& skinning, const Root& root, const RootFade& fade, int point,
                                    double g)
{
    if (root.chain == nullptr) return {{root.tail.attach, 1.0}};
    if (root.rule == WeightRule::Article) return link_weights(root, std::max(g, 0.0), 1);
    return ramp_weights(skinning, root, fade, point, g);
}

// Which tail a point of the skin is dealt with by.
struct Place {
    int root = kNone;
    bool in_tail = false;
    double g = -std::numeric_limits<double>::infinity();
};

// A shell of the tail that the geodesic does not reach is as far along as the chain beside it.
double along_chain(const Chain& chain, const Eigen::Vector3d& p)
{
    double best = std::numeric_limits<double>::infinity(), place = 0, walked = 0, total = 0;
    for (int i = 0; i < chain.links(); ++i) total += (chain.joints[at(i) + 1] - chain.joints[at(i)]).norm();
    for (int i = 0; i < chain.links(); ++i) {
        const Eigen::Vector3d span = chain.joints[at(i) + 1] - chain.joints[at(i)];
        const double squared = span.squaredNorm();
        const Eigen::Vector3d from_head = p - chain.joints[at(i)];
        const double t = squared > 0 ? std::clamp(from_head.dot(span) / squared, 0.0, 1.0) : 0;
        const double distance = (from_head - t * span).norm();
        if (distance < best) {
            best = distance;
            place = walked + t * std::sqrt(squared);
        }
        walked += std::sqrt(squared);
    }
    return total > 0 ? place * chain.length / total : 0;
}

// Tails first, in their order; other skin goes to the tail it is nearest to.
std::vector<Place> place_points(const Weld& weld, const std::vector<Root>& roots)
{
    std::vector<Place> places(weld.points.size());
    for (int r = 0; r < static_cast<int>(roots.size()); ++r)
        for (const int p : roots[at(r)].tail.points) {
            if (places[at(p)].in_tail) continue;
            double g = roots[at(r)].tail.along[at(p)];
            if (!std::isfinite(g))
                g = roots[at(r)].chain == nullptr ? 0 : along_chain(*roots[at(r)].chain, weld.points[at(p)]);
            places[at(p)] = {r, true, g};
        }
    for (int r = 0; r < static_cast<int>(roots.size()); ++r) {
        if (roots[at(r)].rule == WeightRule::Article) continue; // the article knows the tail only
        for (std::size_t p = 0; p < places.size(); ++p) {
            const double g = roots[at(r)].tail.along[p];
            if (!places[p].in_tail && std::isfinite(g) && g > places[p].g) places[p] = {r, false, std::min(g, 0.0)};
        }
    }
    return places;
}

// Narrows a root's band until it holds few enough vertices next to the tail's; the same in rigid mode.
double fit_band(const Skinning& skinning, const std::vector<Place>& places, const Root& root, int index)
{
    int in_tail = 0;
    int in_band = 0;
    std::vector<std::pair<double, int>> candidates; // distance beyond the ramp, vertices
    for (int p = 0; p < static_cast<int>(places.size()); ++p) {
        const Place& place = places[at(p)];
        if (place.root != index) continue;
        const double beyond = -root.outside - place.g;
        if (place.in_tail) {
            if (ramp_share(root, place.g) > 0.5) in_tail += skinning.vertex_count(p);
        } else if (beyond < 0) {
            if (ramp_share(root, place.g) < kLeastShare) in_band += skinning.vertex_count(p);
        } else if (beyond < root.band && other_weight(common_weights(skinning, p), root.tail.attach) > kLeastChange) {
            candidates.emplace_back(beyond, skinning.vertex_count(p));
        }
    }
    std::sort(candidates.begin(), candidates.end());
    for (const auto& [beyond, vertices] : candidates) {
        in_band += vertices;
        if (in_band > kBandOfTail * in_tail) return beyond;
    }
    return root.band;
}

// Where the file's weights fade around one root: over the band, the ramp and, under a chain, some way into the tail.
RootFade fade_around(const Skinning& skinning, const Weld& weld, const std::vector<Place>& places, const Root& root,
                     int index)
{
    FadeZone zone{root.tail.attach, root.tail.root_radius, {}, -root.outside - root.band, root.fade_end};
    zone.along.assign(places.size(), -std::numeric_limits<double>::infinity());
    for (std::size_t p = 0; p < places.size(); ++p)
        if (places[p].root == index) zone.along[p] = places[p].g;
    return fade_root(skinning, weld, zone);
}

// How much weight of the point moves to the attachment.
double change_of(const std::vector<Influence>& before, const std::vector<Influence>& after)
{
    double change = 0;
    for (std::size_t i = 0; i < before.size(); ++i) change += before[i].weight - after[i].weight;
    return change;
}

std::vector<Root> prepare_roots(const Character& character, const std::vector<Tail>& tails,
                                const std::vector<Chain>& chains, const WeightOptions& options)
{
    std::vector<Root> roots;
    int first_link = static_cast<int>(character.joints.size());
    for (std::size_t i = 0; i < tails.size(); ++i) {
        const double r = tails[i].root_radius;
        // A rigid tail is of one piece from its ring on.
        const double fade_end = options.mode == Mode::Rigid ? 0 : options.fade_inside * r;
        roots.push_back({tails[i], nullptr, first_link, options.root_outside * r, options.root_inside * r,
                         options.seam_band * r, fade_end, options.rule});
        if (options.mode == Mode::Rigid) continue;
        roots.back().chain = &chains.at(i);
        first_link += chains[i].links() + 1; // and the end joint
    }
    return roots;
}

} // namespace

SkinWeights blend_weights(const Character& character, const Weld& weld, const std::vector<Tail>& tails,
                          const std::vector<Chain>& chains, const WeightOptions& options)
{
    const Skinning skinning = gather_skinning(character, weld);
    std::vector<Root> roots = prepare_roots(character, tails, chains, options);
    const std::vector<Place> places = place_points(weld, roots);
    std::vector<RootFade> fades;
    for (int r = 0; r < static_cast<int>(roots.size()); ++r) {
        roots[at(r)].band = fit_band(skinning, places, roots[at(r)], r);
        fades.push_back(fade_around(skinning, weld, places, roots[at(r)], r));
    }

    SkinWeights weights;
    for (int p = 0; p < static_cast<int>(places.size()); ++p) {
        const Place& place = places[at(p)];
        if (place.root == kNone) continue;
        const Root& root = roots[at(place.root)];
        const RootFade& fade = fades[at(place.root)];
        if (place.in_tail) {
            weights.points.push_back({p, tail_weights(skinning, root, fade, p, place.g)});
        } else if (place.g > -root.outside) {
            weights.points.push_back({p, ramp_weights(skinning, root, fade, p, place.g)});
        } else {
            const auto own = common_weights(skinning, p);
            auto faded = fade.apply(own, p, place.g);
            if (change_of(own, faded) > kLeastChange)
                weights.points.push_back({p, fill_up(std::move(faded), root.tail.attach, root.first_link)});
        }
    }
    return weights;
}

} // namespace tailfix
