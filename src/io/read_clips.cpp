#include "io/read.h"

#include <algorithm>
#include <array>
#include <cmath>
#include <map>

#include "io/accessor.h"
#include "io/property.h"

namespace tailfix::io {
namespace {

constexpr std::array kFloats = {TINYGLTF_COMPONENT_TYPE_FLOAT};
constexpr std::array kValueTypes = {TINYGLTF_COMPONENT_TYPE_FLOAT, TINYGLTF_COMPONENT_TYPE_BYTE,
                                    TINYGLTF_COMPONENT_TYPE_UNSIGNED_BYTE, TINYGLTF_COMPONENT_TYPE_SHORT,
                                    TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT};

// Channels, and rigs, may share one accessor at no cost to the file. This many numbers are read in all: half a
// gigabyte, hours of motion of a hundred joints.
constexpr std::size_t kMostNumbers = std::size_t{1} << 27;

void count_numbers(const Track& track, std::size_t& numbers)
{
    numbers += track.times.size() + track.values.size();
    if (numbers > kMostNumbers)
        throw Error(Failure::Unsupported,
                    fmt::format("the animations hold more than {} numbers, which are too many", kMostNumbers));
}

std::size_t at(int index)
{
    return static_cast<std::size_t>(index);
}

// The keys of a sampler's input. Exporters do write two keys at one time, where a motion steps: the first is then taken
// to be one float earlier, and any between the two are left out, so that times ascend and the step stays.
struct Keys {
    std::vector<float> times;
    std::vector<std::size_t> element; // of the output, per time
    std::size_t stored = 0;           // keys in the file
};

// Many samplers share one input: each is read once.
using KeysOfAccessor = std::map<int, Keys>;

void append_key(Keys& keys, float time, std::size_t element)
{
    auto& times = keys.times;
    const std::size_t n = times.size();
    if (n > 0 && times[n - 1] == time) {
        const float earlier = std::nextafter(time, -1.0f);
        const bool first_of_pair = earlier >= 0 && (n == 1 || times[n - 2] < earlier);
        if (first_of_pair) {
            times[n - 1] = earlier;
        } else {
            times.pop_back();
            keys.element.pop_back();
        }
    }
    times.push_back(time);
    keys.element.push_back(element);
}

const Keys& read_keys(const SourceDocument& source, int accessor, const std::string& what, KeysOfAccessor& known)
{
    const auto [it, is_new] = known.try_emplace(accessor);
    Keys& keys = it->second;
    if (!is_new) return keys;
    const Elements stored = read_elements(source, accessor, {TINYGLTF_TYPE_SCALAR, kFloats}, what + " input");
    keys.stored = stored.count;
    keys.times.reserve(stored.count);
    keys.element.reserve(stored.count);
    for (std::size_t k = 0; k < stored.count; ++k) {
        const float time = static_cast<float>(stored.number(k, 0));
        if (!std::isfinite(time)) refuse("{}: key {} has a time that is not finite", what, k);
        if (time < 0) refuse("{}: key {} has the negative time {}", what, k, time);
        if (k > 0 && time < keys.times.back())
            refuse("{}: key {} at {} s comes before the one in front of it, at {} s", what, k, time, keys.times.back());
        append_key(keys, time, k);
    }
    return keys;
}

Interpolation interpolation_of(const std::string& name)
{
    if (name == "STEP") return Interpolation::Step;
    return name == "CUBICSPLINE" ? Interpolation::CubicSpline : Interpolation::Linear;
}

std::optional<Path> path_of(const std::string& name)
{
    if (name == "translation") return Path::Translation;
    if (name == "rotation") return Path::Rotation;
    if (name == "scale") return Path::Scale;
    return std::nullopt; // morph weights, and what extensions animate
}

std::vector<float> read_values(const SourceDocument& source, const Track& track, const Keys& keys, int accessor,
                               const std::string& what)
{
    const int type = track.path == Path::Rotation ? TINYGLTF_TYPE_VEC4 : TINYGLTF_TYPE_VEC3;
    const Elements stored = read_elements(source, accessor, {type, kValueTypes}, what + " output");
    const std::size_t groups = track.interpolation == Interpolation::CubicSpline ? 3 : 1;
    // Not a product: a count may be as large as the file likes to say.
    if (stored.count % groups != 0 || stored.count / groups != keys.stored)
        refuse("{}: {} outputs for {} keys", what, stored.count, keys.stored);
    std::vector<float> values;
    values.reserve(stored.count * at(stored.width));
    for (const std::size_t element : keys.element)
        for (std::size_t g = element * groups; g < (element + 1) * groups; ++g)
            for (int c = 0; c < stored.width; ++c) {
                const float value = static_cast<float>(stored.number(g, c));
                if (!std::isfinite(value)) refuse("{}: output {} is not finite", what, g);
                values.push_back(value);
            }
    return values;
}

Clip read_clip(const SourceDocument& source, int index, KeysOfAccessor& known, std::size_t& numbers)
{
    const tinygltf::Animation& animation = source.model.animations[at(index)];
    Clip clip;
    clip.name = animation.name;
    clip.animation = index;
    const std::string what = label("animation", index, clip.name);

    bool any = false;
    for (const auto& sampler : animation.samplers) {
        const auto& times = read_keys(source, sampler.input, what, known).times;
        if (times.empty()) continue;
        clip.start = any ? std::min(clip.start, double{times.front()}) : times.front();
        clip.end = any ? std::max(clip.end, double{times.back()}) : times.back();
        any = true;
    }
    for (std::size_t c = 0; c < animation.channels.size(); ++c) {
        const auto& channel = animation.channels[c];
        const auto path = path_of(channel.target_path);
        if (channel.target_node < 0 || !path) continue;
        const auto& sampler = animation.samplers[at(channel.sampler)];
        const std::string where = fmt::format("{} channel {}", what, c);
        Track track;
        track.node = channel.target_node;
        track.path = *path;
        track.interpolation = interpolation_of(sampler.interpolation);
        const Keys& keys = read_keys(source, sampler.input, where, known);
        track.times = keys.times;
        track.values = read_values(source, track, keys, sampler.output, where);
        count_numbers(track, numbers);
        if (!track.times.empty()) clip.tracks.push_back(std::move(track));
    }
    return clip;
}

} // namespace

std::vector<Clip> read_clips(const SourceDocument& source)
{
    KeysOfAccessor known;
    std::size_t numbers = 0;
    std::vector<Clip> clips;
    for (std::size_t i = 0; i < source.model.animations.size(); ++i)
        clips.push_back(read_clip(source, static_cast<int>(i), known, numbers));
    return clips;
}

std::vector<Clip> clips_of_rig(const std::vector<Clip>& clips, const Character& character, std::size_t& numbers)
{
    std::vector<bool> moves_rig(character.nodes.size(), false);
    for (const Joint& joint : character.joints)
        for (int node = joint.node; node != kNone && !moves_rig[at(node)]; node = character.nodes[at(node)].parent)
            moves_rig[at(node)] = true;
    std::vector<Clip> own;
    for (const Clip& clip : clips) {
        Clip& copy = own.emplace_back(Clip{clip.name, clip.animation, clip.start, clip.end, {}});
        for (const Track& track : clip.tracks)
            if (moves_rig[at(track.node)]) {
                count_numbers(track, numbers);
                copy.tracks.push_back(track);
            }
    }
    return own;
}

} // namespace tailfix::io
