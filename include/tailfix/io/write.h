// Writes a fixed character by splicing: the output is the input's own JSON with additions, and its own BIN chunk with
// bytes appended.
//
// Source: design.md, "Writing". Whatever tailfix does not know survives value for value and byte for byte, other GLB
// chunks included. Nodes are appended at the end; joints are only ever appended to a skin, with a new accessor that
// holds the old inverse bind matrices bit for bit; a shared accessor is never changed in place: a primitive with
// changed vertices gets new JOINTS and WEIGHTS in the file's own component types (joints of 8 bits grow to 16 past
// 256), in which unchanged vertices keep their bits and changed ones sum to exactly 1 in that type. A changed vertex
// keeps its four largest influences, or as many as the file has sets for. Where an animation turns a link already, that
// channel's keys are replaced; the old ones are taken off where they are the last of the file and nothing else uses
// them.
#pragma once

#include <cstddef>
#include <filesystem>
#include <vector>

#include <tailfix/io/load.h>
#include <tailfix/motion/bake.h>
#include <tailfix/rig/rest_pose.h>

namespace tailfix {

// What is added to one rig of the file.
struct RigEdit {
    const Rigged* rigged = nullptr;                // made from one of Loaded::characters
    const std::vector<BakedClip>* clips = nullptr; // may be null
};

// edits: one per rig that changed. The container follows the output's extension:
//   .gltf          the input's buffers and images are copied beside it under their own names, and one buffer is added:
//   a
//                  file named after the output, or a data URI where the input keeps all its data inside.
//   anything else  a GLB. A .gltf is packed: its buffers become the BIN chunk, the first at its beginning; images stay
//   files.
//
// Every file is written to a temporary name in its folder and synced, and all are renamed at the end, the model last.
// Missing folders are made. An existing output is replaced; a side file with other content never is.
//
// Throws Error: Unwritable (and then nothing is left behind), Usage when the output is the input or one of its files,
// under whatever name, Unsupported for a changed mesh that nodes place with different skins. Returns, per baked clip of
// each edit, the bytes of buffer its tracks added.
std::vector<std::vector<std::size_t>> write_fixed(const Loaded& loaded, const std::vector<RigEdit>& edits,
                                                  const std::filesystem::path& output);

// Copies the input byte for byte, a .gltf with its side files; the same guarantees. Where the output's extension asks
// for the other container (.gltf for a GLB, or the reverse) the file is repacked, with the same values and bytes.
void write_copy(const Loaded& loaded, const std::filesystem::path& output);

} // namespace tailfix
