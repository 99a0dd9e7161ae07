#include "io/splice_clips.h"

#include <algorithm>
#include <map>

namespace tailfix::io {
namespace {

std::size_t at(int index)
{
    return static_cast<std::size_t>(index);
}

// The data of one clip while it grows: one buffer view, added at the end.
struct ClipData {
    Additions& additions;
    int view = 0;
    std::vector<std::byte> bytes;
    std::map<std::vector<float>, int> inputs; // accessor of each list of times
};

int add_input(ClipData& data, const std::vector<float>& times)
{
    const auto [known, is_new] = data.inputs.try_emplace(times, 0);
    if (!is_new) return known->second;
    Elements shape;
    shape.count = times.size();
    const int accessor = data.additions.add_accessor(data.view, data.bytes.size(), shape, "SCALAR");
    // glTF requires the bounds of key times, and players read a clip's length from them.
    data.additions.set_bounds(double{times.front()}, double{times.back()});
    for (const float time : times) append(data.bytes, time);
    return known->second = accessor;
}

int add_output(ClipData& data, const std::vector<Eigen::Quaternionf>& rotations)
{
    Elements shape;
    shape.count = rotations.size();
    const int accessor = data.additions.add_accessor(data.view, data.bytes.size(), shape, "VEC4");
    for (const Eigen::Quaternionf& q : rotations)
        for (const float number : {q.x(), q.y(), q.z(), q.w()}) append(data.bytes, number);
    return accessor;
}

// The channel that turns a node already, if any; its place in the list.
std::optional<std::size_t> rotation_channel(const Json& animation, int node)
{
    const Json& channels = animation.at("channels");
    for (std::size_t i = 0; i < channels.size(); ++i) {
        const Json& target = channels[i].at("target");
        if (target.contains("node") && target["node"] == node && target["path"] == "rotation") return i;
    }
    return std::nullopt;
}

void add_track(ClipData& data, Json& animation, int node, const BakedTrack& track)
{
    const int input = add_input(data, track.times);
    const int output = add_output(data, track.rotations);
    if (const auto own = own_rotation_sampler(animation, node)) {
        Json& sampler = animation["samplers"][*own];
        sampler["input"] = input;
        sampler["output"] = output;
        if (sampler.contains("interpolation")) sampler["interpolation"] = "LINEAR"; // which is also the default
        return;
    }
    const std::size_t sampler = animation["samplers"].size();
    animation["samplers"].push_back({{"input", input}, {"interpolation", "LINEAR"}, {"output", output}});
    if (const auto channel = rotation_channel(animation, node))
        animation["channels"][*channel]["sampler"] = sampler;
    else
        animation["channels"].push_back({{"sampler", sampler}, {"target", {{"node", node}, {"path", "rotation"}}}});
}

} // namespace

std::optional<std::size_t> own_rotation_sampler(const Json& animation, int node)
{
    const auto channel = rotation_channel(animation, node);
    if (!channel) return std::nullopt;
    const Json& channels = animation.at("channels");
    const Json& sampler = channels[*channel].at("sampler");
    const auto users =
        std::count_if(channels.begin(), channels.end(), [&](const Json& c) { return c.at("sampler") == sampler; });
    if (users > 1) return std::nullopt;
    return sampler.get<std::size_t>();
}

std::size_t splice_clip(const Character& character, const BakedClip& clip, const std::vector<int>& node_number,
                        Json& document, Additions& additions)
{
    const std::size_t before = additions.bytes().size();
    Json& animation = document["animations"][at(character.clips[at(clip.clip)].animation)];
    ClipData data{additions, additions.next_view(), {}, {}};
    for (const BakedTrack& track : clip.tracks)
        if (!track.times.empty())
            add_track(data, animation, node_number[at(character.joints[at(track.joint)].node)], track);
    if (!data.bytes.empty()) additions.add_view(data.bytes);
    return additions.bytes().size() - before;
}

} // namespace tailfix::io
