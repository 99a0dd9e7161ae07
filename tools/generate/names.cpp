#include "generate/names.h"

#include <map>

#include <fmt/format.h>

namespace tailfix::generate {
namespace {

struct Words {
    std::string prefix;
    std::map<std::string, std::string> parts; // {S}: the side's word; a part that is not here keeps its plain name
    std::string left, right;
};

const std::map<std::string, Words>& conventions()
{
    static const std::map<std::string, std::string> mixamo = {{"root", "Root"},
                                                              {"hips", "Hips"},
                                                              {"spine", "Spine"},
                                                              {"spine 2", "Spine1"},
                                                              {"chest", "Spine2"},
                                                              {"neck", "Neck"},
                                                              {"head", "Head"},
                                                              {"head end", "HeadTop_End"},
                                                              {"shoulder", "{S}Shoulder"},
                                                              {"upper arm", "{S}Arm"},
                                                              {"forearm", "{S}ForeArm"},
                                                              {"hand", "{S}Hand"},
                                                              {"hand end", "{S}Hand_End"},
                                                              {"thigh", "{S}UpLeg"},
                                                              {"shin", "{S}Leg"},
                                                              {"foot", "{S}Foot"},
                                                              {"toes", "{S}ToeBase"},
                                                              {"toes end", "{S}Toe_End"},
                                                              {"front thigh", "{S}FrontUpLeg"},
                                                              {"front shin", "{S}FrontLeg"},
                                                              {"front foot", "{S}FrontFoot"},
                                                              {"front toes", "{S}FrontToeBase"}};
    static const std::map<std::string, Words> all = {{"mixamo", {"mixamorig", mixamo, "Left", "Right"}},
                                                     {"mixamo colon", {"mixamorig:", mixamo, "Left", "Right"}},
                                                     {"meshy",
                                                      {"",
                                                       {{"hips", "Hips"},
                                                        {"spine", "Spine02"},
                                                        {"spine 2", "Spine01"},
                                                        {"chest", "Spine"},
                                                        {"neck", "neck"},
                                                        {"head", "Head"},
                                                        {"head end", "headfront"},
                                                        {"shoulder", "{S}Shoulder"},
                                                        {"upper arm", "{S}Arm"},
                                                        {"forearm", "{S}ForeArm"},
                                                        {"hand", "{S}Hand"},
                                                        {"thigh", "{S}UpLeg"},
                                                        {"shin", "{S}Leg"},
                                                        {"foot", "{S}Foot"},
                                                        {"toes", "{S}ToeBase"}},
                                                       "Left",
                                                       "Right"}},
                                                     {"vroid",
                                                      {"J_Bip_",
                                                       {{"root", "C_Root"},
                                                        {"hips", "C_Hips"},
                                                        {"spine", "C_Spine"},
                                                        {"spine 2", "C_Chest"},
                                                        {"chest", "C_UpperChest"},
                                                        {"neck", "C_Neck"},
                                                        {"head", "C_Head"},
                                                        {"shoulder", "{S}_Shoulder"},
                                                        {"upper arm", "{S}_UpperArm"},
                                                        {"forearm", "{S}_LowerArm"},
                                                        {"hand", "{S}_Hand"},
                                                        {"thigh", "{S}_UpperLeg"},
                                                        {"shin", "{S}_LowerLeg"},
                                                        {"foot", "{S}_Foot"},
                                                        {"toes", "{S}_ToeBase"}},
                                                       "L",
                                                       "R"}},
                                                     {"unreal",
                                                      {"",
                                                       {{"root", "root"},
                                                        {"hips", "pelvis"},
                                                        {"spine", "spine_01"},
                                                        {"spine 2", "spine_02"},
                                                        {"chest", "spine_03"},
                                                        {"neck", "neck_01"},
                                                        {"head", "head"},
                                                        {"shoulder", "clavicle_{S}"},
                                                        {"upper arm", "upperarm_{S}"},
                                                        {"forearm", "lowerarm_{S}"},
                                                        {"hand", "hand_{S}"},
                                                        {"thigh", "thigh_{S}"},
                                                        {"shin", "calf_{S}"},
                                                        {"foot", "foot_{S}"},
                                                        {"toes", "ball_{S}"}},
                                                       "l",
                                                       "r"}},
                                                     {"biped",
                                                      {"Bip01 ",
                                                       {{"root", "Footsteps"},
                                                        {"hips", "Pelvis"},
                                                        {"spine", "Spine"},
                                                        {"spine 2", "Spine1"},
                                                        {"chest", "Spine2"},
                                                        {"neck", "Neck"},
                                                        {"head", "Head"},
                                                        {"shoulder", "{S} Clavicle"},
                                                        {"upper arm", "{S} UpperArm"},
                                                        {"forearm", "{S} Forearm"},
                                                        {"hand", "{S} Hand"},
                                                        {"thigh", "{S} Thigh"},
                                                        {"shin", "{S} Calf"},
                                                        {"foot", "{S} Foot"},
                                                        {"toes", "{S} Toe0"}},
                                                       "L",
                                                       "R"}},
                                                     {"rigify",
                                                      {"DEF-",
                                                       {{"root", "root"},
                                                        {"hips", "spine"},
                                                        {"spine", "spine.001"},
                                                        {"spine 2", "spine.002"},
                                                        {"chest", "spine.003"},
                                                        {"neck", "spine.004"},
                                                        {"head", "spine.006"},
                                                        {"shoulder", "shoulder.{S}"},
                                                        {"upper arm", "upper_arm.{S}"},
                                                        {"forearm", "forearm.{S}"},
                                                        {"hand", "hand.{S}"},
                                                        {"thigh", "thigh.{S}"},
                                                        {"shin", "shin.{S}"},
                                                        {"foot", "foot.{S}"},
                                                        {"toes", "toe.{S}"}},
                                                       "L",
                                                       "R"}},
                                                     {"quaternius",
                                                      {"",
                                                       {{"root", "Root"},
                                                        {"hips", "Hips"},
                                                        {"spine", "Abdomen"},
                                                        {"spine 2", "Torso"},
                                                        {"chest", "Chest"},
                                                        {"neck", "Neck"},
                                                        {"head", "Head"},
                                                        {"shoulder", "Shoulder.{S}"},
                                                        {"upper arm", "UpperArm.{S}"},
                                                        {"forearm", "LowerArm.{S}"},
                                                        {"hand", "Palm.{S}"},
                                                        {"thigh", "UpperLeg.{S}"},
                                                        {"shin", "LowerLeg.{S}"},
                                                        {"foot", "Foot.{S}"},
                                                        {"toes", "Toes.{S}"}},
                                                       "L",
                                                       "R"}}};
    return all;
}

} // namespace

std::string joint_name(const std::string& convention, const FigureJoint& joint, int number)
{
    if (convention == "nameless") return {};
    if (convention == "numbered") return fmt::format("joint_{}", number);
    const Words& words = conventions().at(convention);
    const auto known = words.parts.find(joint.part);
    std::string name = known != words.parts.end() ? known->second : joint.side == 0 ? joint.part : joint.part + "_{S}";
    const auto side = name.find("{S}");
    if (side != std::string::npos) name.replace(side, 3, joint.side > 0 ? words.left : words.right);
    return words.prefix + name;
}

} // namespace tailfix::generate
