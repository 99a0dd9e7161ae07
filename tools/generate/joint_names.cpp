// What common tools call their joints: exporters of Mixamo, Meshy, VRoid Studio, the Unreal mannequin, 3ds Max Biped,
// Rigify's deforming bones and Quaternius' packs.
#include <array>
#include <map>

#include <fmt/format.h>

#include <tailfix/error.h>

#include "skeleton.h"

namespace tailfix::generate {
namespace {

// {S} stands for the side, {1} for a finger's number, {01} for it with two digits.
struct Convention {
    std::string prefix, left, right;
    std::array<const char*, 8> middle; // root, pelvis, spine.0 to 2, neck, head, head_end
    std::array<const char*, 9> sided;  // clavicle, upper_arm, forearm, hand, thigh, shin, foot, toe, toe_end
    const char* finger;                // {F}: its name
    std::array<const char*, 5> fingers;
};

constexpr std::array<const char*, 8> kMiddle = {"root",    "pelvis", "spine.0", "spine.1",
                                                "spine.2", "neck",   "head",    "head_end"};
constexpr std::array<const char*, 9> kSided = {"clavicle", "upper_arm", "forearm", "hand",   "thigh",
                                               "shin",     "foot",      "toe",     "toe_end"};
constexpr std::array<const char*, 5> kFingers = {"thumb", "index", "middle", "ring", "little"};

const std::map<std::string, Convention>& conventions()
{
    static const Convention mixamo = {
        "mixamorig:",
        "Left",
        "Right",
        {"Root", "Hips", "Spine", "Spine1", "Spine2", "Neck", "Head", "HeadTop_End"},
        {"{S}Shoulder", "{S}Arm", "{S}ForeArm", "{S}Hand", "{S}UpLeg", "{S}Leg", "{S}Foot", "{S}ToeBase", "{S}Toe_End"},
        "{S}Hand{F}{1}",
        {"Thumb", "Index", "Middle", "Ring", "Pinky"}};
    Convention bare = mixamo;
    bare.prefix = "mixamorig";
    Convention meshy = mixamo;
    meshy.prefix.clear();
    meshy.middle = {"Root", "Hips", "Spine02", "Spine01", "Spine", "neck", "Head", "head_end"};
    static const std::map<std::string, Convention> all = {
        {"mixamo", mixamo},
        {"mixamo without colon", bare},
        {"meshy", meshy},
        {"vroid",
         {"J_Bip_",
          "L",
          "R",
          {"C_Root", "C_Hips", "C_Spine", "C_Chest", "C_UpperChest", "C_Neck", "C_Head", "C_HeadTop"},
          {"{S}_Shoulder", "{S}_UpperArm", "{S}_LowerArm", "{S}_Hand", "{S}_UpperLeg", "{S}_LowerLeg", "{S}_Foot",
           "{S}_ToeBase", "{S}_ToeEnd"},
          "{S}_{F}{1}",
          {"Thumb", "Index", "Middle", "Ring", "Little"}}},
        {"unreal",
         {"",
          "l",
          "r",
          {"root", "pelvis", "spine_01", "spine_02", "spine_03", "neck_01", "head", "head_end"},
          {"clavicle_{S}", "upperarm_{S}", "lowerarm_{S}", "hand_{S}", "thigh_{S}", "calf_{S}", "foot_{S}", "ball_{S}",
           "ball_end_{S}"},
          "{F}_{01}_{S}",
          {"thumb", "index", "middle", "ring", "pinky"}}},
        {"biped",
         {"Bip01",
          " L ",
          " R ",
          {"", " Pelvis", " Spine", " Spine1", " Spine2", " Neck", " Head", " HeadNub"},
          {"{S}Clavicle", "{S}UpperArm", "{S}Forearm", "{S}Hand", "{S}Thigh", "{S}Calf", "{S}Foot", "{S}Toe0",
           "{S}Toe0Nub"},
          "{S}Finger{F}{1}",
          {"0", "1", "2", "3", "4"}}},
        {"rigify",
         {"DEF-",
          "L",
          "R",
          {"root", "spine", "spine.001", "spine.002", "spine.003", "spine.004", "spine.006", "spine.006_end"},
          {"shoulder.{S}", "upper_arm.{S}", "forearm.{S}", "hand.{S}", "thigh.{S}", "shin.{S}", "foot.{S}", "toe.{S}",
           "toe.{S}_end"},
          "{F}.{01}.{S}",
          {"thumb", "f_index", "f_middle", "f_ring", "f_pinky"}}},
        {"quaternius",
         {"",
          "L",
          "R",
          {"Body", "Hips", "Abdomen", "Torso", "Chest", "Neck", "Head", "Head_end"},
          {"Shoulder.{S}", "UpperArm.{S}", "LowerArm.{S}", "Palm.{S}", "UpperLeg.{S}", "LowerLeg.{S}", "Foot.{S}",
           "Toes.{S}", "Toes.{S}_end"},
          "{F}{1}.{S}",
          {"Thumb", "Index", "Middle", "Ring", "Pinky"}}},
    };
    return all;
}

void replace(std::string& text, const std::string& what, const std::string& with)
{
    if (const auto at = text.find(what); at != std::string::npos) text.replace(at, what.size(), with);
}

std::string name_of(const std::string& role, const Convention& convention)
{
    for (std::size_t i = 0; i < kMiddle.size(); ++i)
        if (role == kMiddle[i]) return convention.prefix + convention.middle[i];
    const std::string side = role.ends_with(".L") ? convention.left : convention.right;
    const std::string part = role.substr(0, role.find('.'));
    for (std::size_t i = 0; i < kSided.size(); ++i) {
        if (part != kSided[i]) continue;
        std::string name = convention.sided[i];
        replace(name, "{S}", side);
        return convention.prefix + name;
    }
    for (std::size_t i = 0; i < kFingers.size(); ++i) {
        if (part != kFingers[i]) continue;
        const std::string number = role.substr(part.size() + 1, 1);
        std::string name = convention.finger;
        replace(name, "{S}", side);
        replace(name, "{F}", convention.fingers[i]);
        replace(name, "{1}", number);
        replace(name, "{01}", "0" + number);
        return convention.prefix + name;
    }
    throw Error(Failure::Usage, fmt::format("the generator has no name for a \"{}\"", role));
}

} // namespace

std::vector<std::string> joint_names(const Rig& rig, const std::string& convention)
{
    std::vector<std::string> names;
    for (std::size_t i = 0; i < rig.joints.size(); ++i) {
        if (convention == "nameless")
            names.emplace_back();
        else if (convention == "joint_N")
            names.push_back(fmt::format("joint_{}", i));
        else
            names.push_back(name_of(rig.joints[i].role, conventions().at(convention)));
    }
    return names;
}

} // namespace tailfix::generate
