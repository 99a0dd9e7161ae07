#include "rig/names.h"

#include <algorithm>
#include <array>
#include <string_view>
#include <utility>

namespace tailfix {
namespace {

bool is_lower(char c)
{
    return c >= 'a' && c <= 'z';
}
bool is_upper(char c)
{
    return c >= 'A' && c <= 'Z';
}
char to_lower(char c)
{
    return is_upper(c) ? static_cast<char>(c - 'A' + 'a') : c;
}

template <std::size_t N>
bool contains(const std::array<std::string_view, N>& list, std::string_view word)
{
    return std::find(list.begin(), list.end(), word) != list.end();
}

template <std::size_t N>
bool any_of(const JointName& name, const std::array<std::string_view, N>& list)
{
    return std::any_of(name.words.begin(), name.words.end(), [&](const auto& w) { return contains(list, w); });
}

// FBX writes characters it does not allow in names as their code: "handFBXASC046L" is "hand.L".
std::string decode_fbx(const std::string& name)
{
    constexpr std::string_view kMark = "FBXASC";
    std::string out;
    for (std::size_t i = 0; i < name.size();) {
        const bool marked = name.compare(i, kMark.size(), kMark) == 0 && i + kMark.size() + 3 <= name.size();
        if (marked) {
            out += ' ';
            i += kMark.size() + 3;
        } else {
            out += name[i++];
        }
    }
    return out;
}

// Words of other scripts are not split at spaces, so they are looked for anywhere and put down as the English one.
constexpr std::array<std::pair<std::string_view, std::string_view>, 16> kOtherScripts{{
    {"下半身", "pelvis"},
    {"骨盤", "pelvis"},
    {"腰", "hips"},
    {"таз", "pelvis"},
    {"頭", "head"},
    {"头", "head"},
    {"голова", "head"},
    {"首", "neck"},
    {"尻尾", "tail"},
    {"しっぽ", "tail"},
    {"尾", "tail"},
    {"хвост", "tail"},
    {"足", "leg"},
    {"腕", "arm"},
    {"左", "left"},
    {"右", "right"},
}};

// Parts of names that say who made the rig, not what the joint is.
constexpr std::array<std::string_view, 22> kPrefixes{
    "mixamorig", "bip", "biped", "bone",     "bones", "j",   "c",     "def", "org", "mch",  "cc",
    "base",      "b",   "rl",    "armature", "rig",   "jnt", "joint", "sk",  "jt",  "skin", "adj"};

std::vector<std::string> split(const std::string& name)
{
    std::vector<std::string> words;
    std::string word;
    const auto flush = [&] {
        if (!word.empty()) words.push_back(word);
        word.clear();
    };
    for (std::size_t i = 0; i < name.size(); ++i) {
        const char c = name[i];
        if (!is_lower(c) && !is_upper(c)) {
            flush();
            continue;
        }
        const bool starts =
            is_upper(c) && i > 0 && (is_lower(name[i - 1]) || (i + 1 < name.size() && is_lower(name[i + 1])));
        if (starts) flush();
        word += to_lower(c);
    }
    flush();
    for (const auto& [foreign, english] : kOtherScripts)
        if (name.find(foreign) != std::string::npos) words.emplace_back(english);
    return words;
}

} // namespace

JointName read_name(const std::string& name)
{
    JointName out;
    for (std::string word : split(decode_fbx(name))) {
        // Mixamo without its colon and in lower case runs into the word that follows.
        constexpr std::string_view kMixamo = "mixamorig";
        if (word.size() > kMixamo.size() && word.compare(0, kMixamo.size(), kMixamo) == 0)
            word.erase(0, kMixamo.size());
        if (word == "l" || word == "left" || word == "lft") {
            out.side = Side::Left;
        } else if (word == "r" || word == "right" || word == "rgt") {
            out.side = Side::Right;
        } else if (!contains(kPrefixes, word)) {
            out.words.push_back(word);
        }
    }
    return out;
}

bool names_pelvis(const JointName& name)
{
    constexpr std::array<std::string_view, 6> kWords{"pelvis", "hip", "hips", "becken", "cadera", "bassin"};
    return name.side == Side::Middle && name.words.size() == 1 && contains(kWords, name.words[0]);
}

bool names_head(const JointName& name)
{
    constexpr std::array<std::string_view, 5> kWords{"head", "skull", "kopf", "cabeza", "tete"};
    constexpr std::array<std::string_view, 6> kEnds{"end", "tip", "top", "nub", "leaf", "headtip"};
    return name.side == Side::Middle && any_of(name, kWords) && !any_of(name, kEnds);
}

bool names_neck(const JointName& name)
{
    constexpr std::array<std::string_view, 4> kWords{"neck", "hals", "cuello", "cou"};
    return any_of(name, kWords);
}

bool names_leg(const JointName& name)
{
    constexpr std::array<std::string_view, 21> kWords{
        "leg",  "thigh", "calf", "shin", "foot", "femur",    "knee",     "ankle", "toe",  "toes",   "upleg",
        "feet", "tibia", "paw",  "hoof", "heel", "upperleg", "lowerleg", "hock",  "crus", "toebase"};
    return any_of(name, kWords);
}

bool names_arm(const JointName& name)
{
    constexpr std::array<std::string_view, 16> kWords{"arm",      "hand",    "forearm", "upperarm", "lowerarm", "elbow",
                                                      "wrist",    "thumb",   "pinky",   "finger",   "fist",     "palm",
                                                      "clavicle", "scapula", "humerus", "shoulder"};
    return any_of(name, kWords);
}

bool names_tail(const JointName& name)
{
    constexpr std::array<std::string_view, 6> kWords{"tail", "tails", "schwanz", "cola", "queue", "coda"};
    return any_of(name, kWords);
}

} // namespace tailfix
