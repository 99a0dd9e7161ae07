// The parts of load(): each reads one kind of thing out of a checked document, as plain values.
#pragma once

#include <span>
#include <string>
#include <vector>

#include <tailfix/character.h>

#include "io/document.h"

namespace tailfix::io {

std::vector<Node> read_nodes(const SourceDocument& source);

// All nodes, each tree in preorder, in the file's order of roots and children.
std::vector<int> order_nodes(const SourceDocument& source, const std::vector<Node>& nodes);

// The nodes that place a skinned mesh, in file order.
std::vector<int> skinned_nodes(const SourceDocument& source);

// Sets of skins (indices in the file, ascending; sets by their first) that share joints, or of which one's joints lie
// above another's. Only skins that a mesh uses.
std::vector<std::vector<int>> group_skins(const SourceDocument& source, const std::vector<int>& node_order,
                                          const std::vector<int>& mesh_nodes);

// Fills joints, skins and warnings of a character that has its nodes.
void read_skins(const SourceDocument& source, std::span<const int> skins, Character& character);

// Fills the mesh and warnings of a character that has its skins.
void read_mesh(const SourceDocument& source, const std::vector<int>& mesh_nodes, Character& character);

std::vector<Clip> read_clips(const SourceDocument& source);

// The clips with those tracks only that move the rig: of joints and the nodes above them. `numbers` counts what all
// rigs of the file take together; throws Error{Unsupported} when that is too much.
std::vector<Clip> clips_of_rig(const std::vector<Clip>& clips, const Character& character, std::size_t& numbers);

// How messages call a node or a joint: node 14 ("Tail_03").
std::string label(const char* kind, int index, const std::string& name);

} // namespace tailfix::io
