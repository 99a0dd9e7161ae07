// The same input gives the same output: however often, on however many threads, in whatever order, at whatever rate.
#include <algorithm>

#include "support/catch.h"
#include "support/fixed_samples.h"

using namespace tailfix;
using namespace tailfix::test;

namespace {

// Measuring changes nothing, and takes the longest.
Options quick()
{
    Options options;
    options.measure.times = 2;
    options.measure.body_edges = 1;
    return options;
}

Options every_key(double rate)
{
    Options options = quick();
    options.motion.bake.rate_hz = rate;
    options.motion.bake.key_tolerance_percent = 0;
    return options;
}

const Character& fox()
{
    static const Character loaded = sample("fox");
    return loaded;
}

const Fixed& fixed_fox()
{
    static const Fixed once = fixed(fox(), quick(), 1);
    return once;
}

// Bit for bit.
bool identical(const BakedTrack& a, const BakedTrack& b)
{
    const auto same = [](const Eigen::Quaternionf& p, const Eigen::Quaternionf& q) { return p.coeffs() == q.coeffs(); };
    return a.joint == b.joint && a.times == b.times &&
           std::equal(a.rotations.begin(), a.rotations.end(), b.rotations.begin(), b.rotations.end(), same);
}

bool identical(const BakedClip& a, const BakedClip& b)
{
    return a.kind == b.kind && a.warmup_passes == b.warmup_passes && a.contact_frames == b.contact_frames &&
           std::equal(a.tracks.begin(), a.tracks.end(), b.tracks.begin(), b.tracks.end(),
                      [](const BakedTrack& s, const BakedTrack& t) { return identical(s, t); });
}

void check_same_fox(const Fixed& other)
{
    const Fixed& fox = fixed_fox();
    CHECK(fox.found.detection.tails[0].points == other.found.detection.tails[0].points);
    CHECK((fox.chains.at(0).joints == other.chains.at(0).joints));
    const Mesh &a = fox.rigged.character.mesh, &b = other.rigged.character.mesh;
    CHECK(a.first_influence == b.first_influence);
    CHECK(
        std::equal(a.influences.begin(), a.influences.end(), b.influences.begin(), b.influences.end(),
                   [](const Influence& x, const Influence& y) { return x.joint == y.joint && x.weight == y.weight; }));
    REQUIRE(other.clips.size() == fox.clips.size());
    for (const Clip& clip : fox.rigged.character.clips) {
        INFO(clip.name);
        CHECK(identical(clip_named(fox, clip.name), clip_named(other, clip.name)));
    }
}

} // namespace

TEST_CASE("every clip of the fox has a track for every link of its tail", "[determinism][data]")
{
    const Fixed& result = fixed_fox();
    REQUIRE(result.rigged.chains.size() == 1);
    const auto& links = result.rigged.chains[0].links;
    REQUIRE(links.size() >= 3);
    REQUIRE(result.clips.size() == fox().clips.size());
    for (std::size_t c = 0; c < result.clips.size(); ++c) {
        const BakedClip& baked = result.clips[c];
        const Clip& clip = fox().clips[static_cast<std::size_t>(baked.clip)];
        INFO(clip.name);
        CHECK(baked.clip == static_cast<int>(c));
        REQUIRE(baked.tracks.size() == links.size());
        for (std::size_t i = 0; i < links.size(); ++i) {
            const BakedTrack& track = baked.tracks[i];
            CHECK(track.joint == links[i]);
            REQUIRE(track.times.size() == track.rotations.size());
            REQUIRE(track.times.size() >= 2);
            CHECK(track.times.front() == static_cast<float>(clip.start));
            CHECK(track.times.back() == static_cast<float>(clip.end));
            CHECK(std::is_sorted(track.times.begin(), track.times.end()));
            // They move: a tail that holds still in every clip would pass all else.
            CHECK(std::any_of(track.rotations.begin(), track.rotations.end(), [&](const Eigen::Quaternionf& q) {
                return q.angularDistance(track.rotations.front()) > 1e-4f;
            }));
        }
    }
}

TEST_CASE("the fox comes out the same on every run and any number of threads", "[determinism][data]")
{
    const int threads = GENERATE(1, 2);
    CAPTURE(threads);
    check_same_fox(fixed(sample("fox"), quick(), threads));
}

TEST_CASE("a clip's tracks do not depend on the order of the clips", "[determinism][data]")
{
    Character reversed = fox();
    std::reverse(reversed.clips.begin(), reversed.clips.end());
    REQUIRE(reversed.clips.front().name != fox().clips.front().name);
    check_same_fox(fixed(reversed, quick(), 2));
}

TEST_CASE("key rates agree at shared times to 1e-5 of the tail's length", "[determinism][data]")
{
    const Fixed slow = fixed(fox(), every_key(30)), fast = fixed(fox(), every_key(60));
    const std::size_t links = slow.rigged.chains.at(0).links.size();
    const auto straight = chain_points(slow, 0, {});
    double length = 0;
    for (std::size_t i = 1; i < straight.size(); ++i) length += (straight[i] - straight[i - 1]).norm();
    for (const Clip& clip : fox().clips) {
        INFO(clip.name);
        const BakedClip &at30 = clip_named(slow, clip.name), &at60 = clip_named(fast, clip.name);
        const auto& times = at60.tracks.at(0).times;
        std::size_t shared = 0;
        double apart = 0, moved = 0;
        std::vector<Eigen::Vector3d> first;
        for (std::size_t k = 0; k < at30.tracks.at(0).times.size(); ++k) {
            const auto same = std::find(times.begin(), times.end(), at30.tracks[0].times[k]);
            if (same == times.end()) continue;
            const auto at = static_cast<std::size_t>(same - times.begin());
            std::vector<Eigen::Quaterniond> a, b;
            for (std::size_t i = 0; i < links; ++i) {
                REQUIRE(at30.tracks[i].times == at30.tracks[0].times);
                REQUIRE(at60.tracks[i].times == times);
                a.push_back(at30.tracks[i].rotations[k].cast<double>());
                b.push_back(at60.tracks[i].rotations[at].cast<double>());
            }
            const auto p = chain_points(slow, 0, a), q = chain_points(fast, 0, b);
            if (first.empty()) first = p;
            for (std::size_t i = 0; i < p.size(); ++i) {
                apart = std::max(apart, (p[i] - q[i]).norm() / length);
                moved = std::max(moved, (p[i] - first[i]).norm() / length);
            }
            ++shared;
        }
        CHECK(apart <= 1e-5);
        CHECK(moved > 1e-3); // so that agreeing says something
        CHECK(times.size() > at30.tracks[0].times.size());
        CHECK(shared > 0.9 * static_cast<double>(at30.tracks[0].times.size()));
    }
}
