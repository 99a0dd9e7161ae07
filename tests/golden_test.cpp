// The motion that the characters in data/ get, as hashes: a change to it is seen, and accepted on purpose.
//
// Rotation tracks: per key its time (s) and its quaternion, made unique by sign; chains: joint positions over the
// model's height. Every number is rounded to 1e-5 and hashed as a 64-bit integer, so that the last digits of another
// compiler's mathematics do not show. (They may, once in many thousand numbers, fall on either side of a rounding.)
#include <cmath>
#include <cstdlib>
#include <fstream>

#include <fmt/format.h>
#include <nlohmann/json.hpp>

#include "support/catch.h"
#include "support/fixed_samples.h"

using namespace tailfix;
using namespace tailfix::test;
using Json = nlohmann::ordered_json;

namespace {

constexpr const char* kSamples[] = {"fox", "mouse"};
constexpr const char* kGolden = TAILFIX_SOURCE_DIR "/data/golden.json";

// FNV-1a, 64 bits (Fowler, Noll, Vo; draft-eastlake-fnv), over the 8 bytes of each rounded number, lowest first.
class Hash {
public:
    void add(double number)
    {
        constexpr double kPerUnit = 1e5;
        auto bits = static_cast<std::uint64_t>(std::llround(number * kPerUnit));
        for (int byte = 0; byte < 8; ++byte, bits >>= 8) value_ = (value_ ^ (bits & 0xff)) * 0x100000001b3u;
    }
    std::string text() const { return fmt::format("{:016x}", value_); }

private:
    std::uint64_t value_ = 0xcbf29ce484222325u;
};

// q and -q are one rotation: the first of w, x, y, z that is not 0 after rounding is positive.
void add_rotation(Hash& hash, const Eigen::Quaternionf& rotation)
{
    const Eigen::Quaterniond q = rotation.cast<double>();
    double sign = 1;
    for (const double part : {q.z(), q.y(), q.x(), q.w()})
        if (std::abs(part) >= 0.5e-5) sign = part < 0 ? -1 : 1;
    for (const double part : {q.w(), q.x(), q.y(), q.z()}) hash.add(sign * part);
}

std::string hash_of(const BakedClip& clip)
{
    Hash hash;
    for (const BakedTrack& track : clip.tracks) {
        hash.add(static_cast<double>(track.times.size()));
        for (std::size_t k = 0; k < track.times.size(); ++k) {
            hash.add(static_cast<double>(track.times[k]));
            add_rotation(hash, track.rotations[k]);
        }
    }
    return hash.text();
}

std::string hash_of(const Chain& chain, double height)
{
    Hash hash;
    for (const Eigen::Vector3d& joint : chain.joints)
        for (const double part : joint) hash.add(part / height);
    return hash.text();
}

// "chain 1" and so on, and "clip NAME".
Json hashes_of(const Fixed& result)
{
    Json out = Json::object();
    for (std::size_t i = 0; i < result.chains.size(); ++i)
        out[fmt::format("chain {}", i + 1)] = hash_of(result.chains[i], result.found.roles.height);
    for (const BakedClip& baked : result.clips)
        out["clip " + result.rigged.character.clips[static_cast<std::size_t>(baked.clip)].name] = hash_of(baked);
    return out;
}

const Json& hashes()
{
    static const Json now = [] {
        Json all = Json::object();
        for (const char* name : kSamples) all[name] = hashes_of(fixed(sample(name)));
        return all;
    }();
    return now;
}

BakedClip one_key(float time, const Eigen::Quaternionf& rotation)
{
    BakedClip clip;
    clip.tracks = {{0, {time}, {rotation}}};
    return clip;
}

} // namespace

TEST_CASE("the characters in data/ move as they did", "[golden][data]")
{
    std::ifstream file(kGolden);
    const Json golden = file ? Json::parse(file) : Json::object();
    INFO("if this change is meant, look at the motion, then run tools/accept");
    for (const char* name : kSamples) {
        const Json before = golden.value(name, Json::object());
        CHECK(before.size() == hashes()[name].size());
        for (const auto& [part, now] : hashes()[name].items()) {
            INFO(name << ", " << part << ": was " << before.value(part, "not there") << ", is " << now);
            CHECK(before.value(part, "") == now);
        }
    }
}

TEST_CASE("a hash tells motions apart by 1e-5, and not by a quaternion's sign", "[golden]")
{
    const Eigen::Quaternionf turn(0.8f, 0.36f, -0.48f, 0), half(0, -0.6f, 0.8f, 0);
    const std::string hash = hash_of(one_key(0.5f, turn));
    CHECK(hash_of(one_key(0.5f, Eigen::Quaternionf(-turn.coeffs()))) == hash);
    CHECK(hash_of(one_key(0.5f, half)) == hash_of(one_key(0.5f, Eigen::Quaternionf(-half.coeffs()))));
    CHECK(hash_of(one_key(0.5f + 1e-6f, turn)) == hash);
    CHECK(hash_of(one_key(0.5f + 2e-5f, turn)) != hash);
    CHECK(hash_of(one_key(0.5f, Eigen::Quaternionf(0.8f, 0.36f, -0.48002f, 0))) != hash);
    CHECK(hash_of(one_key(0.5f, turn.conjugate())) != hash);
    CHECK(hash_of(BakedClip()) == "cbf29ce484222325"); // of no bytes at all, by definition
    Chain chain;
    chain.joints = {{0, 1, 0}, {0, 2, 0}};
    Chain large = chain;
    for (auto& joint : large.joints) joint *= 100;
    CHECK(hash_of(chain, 2) == hash_of(large, 200));
    CHECK(hash_of(chain, 2) != hash_of(large, 201));
}

// No test: what tools/accept runs.
TEST_CASE("write the hashes", "[.][golden-write]")
{
    const char* path = std::getenv("TAILFIX_GOLDEN");
    REQUIRE(path != nullptr);
    std::ofstream(path) << hashes().dump(2) << '\n';
}
