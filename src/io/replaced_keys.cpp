#include "io/replaced_keys.h"

#include <algorithm>
#include <set>
#include <utility>

#include "io/splice_clips.h"

namespace tailfix::io {
namespace {

using Indices = std::set<std::size_t>;

std::size_t at(int index)
{
    return static_cast<std::size_t>(index);
}

std::size_t number(const Json& item, const char* key)
{
    const auto it = item.find(key);
    return it != item.end() && it->is_number_unsigned() ? it->get<std::size_t>() : 0;
}

void add_index(const Json& item, const char* key, Indices& out)
{
    if (const auto it = item.find(key); it != item.end() && it->is_number_unsigned())
        out.insert(it->get<std::size_t>());
}

template <class Visit>
void for_each(const Json& item, const char* list, Visit&& visit)
{
    if (const auto it = item.find(list); it != item.end())
        for (const Json& part : *it) visit(part);
}

// Any whole number inside an extension might be an index. Taking too many of them for one only keeps bytes.
void add_numbers(const Json& item, bool in_extension, Indices& out)
{
    if (in_extension && item.is_number_unsigned()) out.insert(item.get<std::size_t>());
    if (!item.is_structured()) return;
    for (const auto& [key, part] : item.items()) add_numbers(part, in_extension || key == "extensions", out);
}

// The samplers whose keys the edits replace: (animation, sampler).
std::set<std::pair<std::size_t, std::size_t>> replaced_samplers(const std::vector<RigEdit>& edits, const Json& document)
{
    std::set<std::pair<std::size_t, std::size_t>> out;
    for (const RigEdit& edit : edits) {
        if (!edit.clips) continue;
        const Character& character = edit.rigged->character;
        for (const BakedClip& clip : *edit.clips)
            for (const BakedTrack& track : clip.tracks) {
                if (track.joint >= edit.rigged->first_new_joint || track.times.empty()) continue;
                const auto animation = at(character.clips[at(clip.clip)].animation);
                const auto sampler =
                    own_rotation_sampler(document.at("animations")[animation], character.joints[at(track.joint)].node);
                if (sampler) out.emplace(animation, *sampler);
            }
    }
    return out;
}

struct Accessors {
    Indices replaced, used;
};

Accessors accessors_of(const Json& document, const std::set<std::pair<std::size_t, std::size_t>>& replaced)
{
    Accessors out;
    std::size_t animation = 0;
    for_each(document, "animations", [&](const Json& a) {
        std::size_t sampler = 0;
        for_each(a, "samplers", [&](const Json& s) {
            Indices& indices = replaced.contains({animation, sampler++}) ? out.replaced : out.used;
            add_index(s, "input", indices);
            add_index(s, "output", indices);
        });
        ++animation;
    });
    const auto add_attributes = [&](const Json& attributes) {
        for (const auto& [name, accessor] : attributes.items())
            if (accessor.is_number_unsigned()) out.used.insert(accessor.get<std::size_t>());
    };
    for_each(document, "meshes", [&](const Json& mesh) {
        for_each(mesh, "primitives", [&](const Json& primitive) {
            add_index(primitive, "indices", out.used);
            if (primitive.contains("attributes")) add_attributes(primitive["attributes"]);
            for_each(primitive, "targets", add_attributes);
        });
    });
    for_each(document, "skins", [&](const Json& skin) { add_index(skin, "inverseBindMatrices", out.used); });
    return out;
}

Indices used_views(const Json& document, const Indices& in_extensions)
{
    Indices used = in_extensions;
    for_each(document, "accessors", [&](const Json& accessor) {
        add_index(accessor, "bufferView", used);
        if (const auto sparse = accessor.find("sparse"); sparse != accessor.end())
            for (const char* part : {"indices", "values"})
                if (sparse->contains(part)) add_index((*sparse)[part], "bufferView", used);
    });
    for_each(document, "images", [&](const Json& image) { add_index(image, "bufferView", used); });
    return used;
}

// Takes items off the end of a list for as long as they are replaced and not used.
std::vector<Json> take_off(Json& list, const Indices& replaced, const Indices& used)
{
    std::vector<Json> taken;
    while (!list.empty() && replaced.contains(list.size() - 1) && !used.contains(list.size() - 1)) {
        taken.push_back(std::move(list.back()));
        list.erase(list.size() - 1);
    }
    return taken;
}

// A range of a buffer: begin and end.
using Span = std::pair<std::size_t, std::size_t>;

Span span_of(const Json& view)
{
    const std::size_t begin = number(view, "byteOffset");
    return {begin, begin + number(view, "byteLength")};
}

// Where the ranges begin that reach, one behind the other, to the end of a buffer; its end where none do. What lies
// between two is no more than the padding of the first.
std::size_t begin_of_tail(std::vector<Span> spans, std::size_t end)
{
    constexpr std::size_t kPadding = 3;
    std::sort(spans.rbegin(), spans.rend());
    std::size_t begin = end;
    for (const Span& span : spans) {
        if (span.second + kPadding < begin || span.second > end) break;
        begin = std::min(begin, span.first);
    }
    return begin;
}

// The end of what views still use of a buffer; compression extensions name a buffer of their own, the same way.
std::size_t end_of_used(const Json& document, std::size_t buffer)
{
    std::size_t end = 0;
    const auto count = [&](const Json& view) {
        if (number(view, "buffer") == buffer) end = std::max(end, span_of(view).second);
    };
    for_each(document, "bufferViews", [&](const Json& view) {
        count(view);
        for_each(view, "extensions", [&](const Json& extension) {
            if (extension.is_object()) count(extension);
        });
    });
    return end;
}

std::size_t begin_of_dropped(const Json& document, const std::vector<Json>& views, std::size_t buffer)
{
    std::vector<Span> spans;
    for (const Json& view : views)
        if (number(view, "buffer") == buffer) spans.push_back(span_of(view));
    const std::size_t length = number(document["buffers"][buffer], "byteLength");
    const std::size_t begin = begin_of_tail(std::move(spans), length);
    return end_of_used(document, buffer) <= begin ? begin : length;
}

} // namespace

std::optional<std::size_t> drop_replaced_keys(const SourceDocument& source, const std::vector<RigEdit>& edits,
                                              Json& document)
{
    const auto samplers = replaced_samplers(edits, document);
    if (samplers.empty()) return std::nullopt;
    Indices in_extensions;
    add_numbers(document, false, in_extensions);
    Accessors accessors = accessors_of(document, samplers);
    accessors.used.insert(in_extensions.begin(), in_extensions.end());
    Indices replaced_views;
    for (const Json& accessor : take_off(document["accessors"], accessors.replaced, accessors.used))
        add_index(accessor, "bufferView", replaced_views);
    if (replaced_views.empty()) return std::nullopt;
    const auto views = take_off(document["bufferViews"], replaced_views, used_views(document, in_extensions));
    if (views.empty()) return std::nullopt;

    Json& buffers = document["buffers"];
    while (buffers.size() > 1 && begin_of_dropped(document, views, buffers.size() - 1) == 0 &&
           number(buffers.back(), "byteLength") > 0)
        buffers.erase(buffers.size() - 1);
    const std::size_t length = number(buffers[0], "byteLength");
    const std::size_t begin = begin_of_dropped(document, views, 0);
    const bool in_chunk = source.glb && source.glb->bin && !buffers[0].contains("uri");
    // What stands behind the buffer in its chunk, more than padding, is somebody's.
    if (!in_chunk || begin == length || source.glb->bin->size() > (length + 3) / 4 * 4) return std::nullopt;
    buffers[0]["byteLength"] = begin;
    return begin;
}

} // namespace tailfix::io
