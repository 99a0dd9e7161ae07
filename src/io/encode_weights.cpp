#include "io/encode_weights.h"

#include <algorithm>
#include <cmath>
#include <cstring>

#include <fmt/format.h>

#include <tailfix/error.h>

namespace tailfix::io {
namespace {

constexpr std::size_t kPerSet = 4;

template <class Number>
void put(Elements& elements, std::size_t index, Number value)
{
    std::memcpy(elements.bytes.data() + index * sizeof value, &value, sizeof value);
}

void put_whole(Elements& elements, std::size_t index, std::uint32_t value)
{
    if (component_size(elements.component) == 1)
        put(elements, index, static_cast<std::uint8_t>(value));
    else
        put(elements, index, static_cast<std::uint16_t>(value));
}

void grow_to_u16(Elements& joints)
{
    Elements wide = joints;
    wide.component = TINYGLTF_COMPONENT_TYPE_UNSIGNED_SHORT;
    wide.bytes.resize(joints.bytes.size() * 2);
    for (std::size_t i = 0; i < joints.bytes.size(); ++i) put(wide, i, std::to_integer<std::uint16_t>(joints.bytes[i]));
    joints = std::move(wide);
}

// Sets whose weights are of one type can share a vertex's influences; otherwise only the first can have an exact sum.
std::size_t usable_sets(const InfluenceSets& sets)
{
    const auto same = [&](const Elements& weights) { return weights.component == sets.weights.front().component; };
    return std::all_of(sets.weights.begin(), sets.weights.end(), same) ? sets.weights.size() : 1;
}

// Integers in the proportion of the weights whose sum is `whole`: rounded down, then one more each for the largest
// remainders.
std::vector<std::uint32_t> apportion(const std::vector<SlotWeight>& influences, std::uint32_t whole)
{
    std::vector<std::uint32_t> shares;
    std::vector<std::size_t> order;
    std::vector<double> remainder;
    std::uint32_t given = 0;
    for (const SlotWeight& influence : influences) {
        const double exact = influence.weight * whole;
        shares.push_back(static_cast<std::uint32_t>(exact));
        remainder.push_back(exact - std::floor(exact));
        order.push_back(order.size());
        given += shares.back();
    }
    std::stable_sort(order.begin(), order.end(),
                     [&](std::size_t a, std::size_t b) { return remainder[a] > remainder[b]; });
    for (std::size_t i = 0; given < whole; ++i, ++given) ++shares[order[i % order.size()]];
    return shares;
}

// Floats whose sum, taken in doubles, is 1 up to the rounding of the largest: that one takes what the others leave.
std::vector<float> as_floats(const std::vector<SlotWeight>& influences)
{
    std::vector<float> weights;
    double others = 0;
    for (const SlotWeight& influence : influences) weights.push_back(static_cast<float>(influence.weight));
    for (std::size_t i = 1; i < weights.size(); ++i) others += double{weights[i]};
    weights.front() = static_cast<float>(1 - others);
    return weights;
}

// Largest first, no more than fit, sum 1.
void choose(std::vector<SlotWeight>& influences, std::size_t most)
{
    std::stable_sort(influences.begin(), influences.end(),
                     [](const SlotWeight& a, const SlotWeight& b) { return a.weight > b.weight; });
    if (influences.size() > most) influences.resize(most);
    double sum = 0;
    for (const SlotWeight& influence : influences) sum += influence.weight;
    for (SlotWeight& influence : influences) influence.weight /= sum;
}

} // namespace

void store_influences(InfluenceSets& sets, std::size_t vertex, std::vector<SlotWeight> influences)
{
    choose(influences, usable_sets(sets) * kPerSet);
    const bool is_float = sets.weights.front().component == TINYGLTF_COMPONENT_TYPE_FLOAT;
    const std::uint32_t whole = component_size(sets.weights.front().component) == 1 ? 255 : 65535;
    std::vector<float> floats;
    std::vector<std::uint32_t> shares;
    if (!influences.empty() && is_float) floats = as_floats(influences);
    if (!influences.empty() && !is_float) shares = apportion(influences, whole);

    for (std::size_t n = 0; n < sets.joints.size(); ++n)
        for (std::size_t k = 0; k < kPerSet; ++k) {
            const std::size_t i = n * kPerSet + k, index = vertex * kPerSet + k;
            const bool used = i < influences.size() && (is_float ? floats[i] > 0 : shares[i] > 0);
            const int slot = used ? influences[i].slot : 0;
            if (slot > 65535)
                throw Error(Failure::Unsupported, fmt::format("joint {} of a skin cannot be stored in 16 bits", slot));
            if (slot > 255 && component_size(sets.joints[n].component) == 1) grow_to_u16(sets.joints[n]);
            put_whole(sets.joints[n], index, static_cast<std::uint32_t>(slot));
            if (sets.weights[n].component == TINYGLTF_COMPONENT_TYPE_FLOAT)
                put(sets.weights[n], index,
                    used ? (is_float ? floats[i] : static_cast<float>(shares[i]) / static_cast<float>(whole)) : 0.0f);
            else
                put_whole(sets.weights[n], index, used ? shares[i] : 0);
        }
}

} // namespace tailfix::io
