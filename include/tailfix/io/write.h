// Writes a fixed character by splicing: the output is the input's own JSON with additions, and its own BIN chunk with
// bytes appended.
//
// Source: design.md, "Writing". Whatever tailfix does not know survives value for value and byte for byte. Joints are
// only ever appended to a skin; a shared accessor is never changed in place. Writing is to a temporary name in the
// target's folder, synced, then renamed.
#pragma once

#include <filesystem>
#include <vector>

#include <tailfix/io/load.h>
#include <tailfix/motion/bake.h>
#include <tailfix/rig/rest_pose.h>

namespace tailfix {

// What is added to one rig of the file.
struct RigEdit {
    const Rigged* rigged = nullptr; // of Loaded::characters[character]
    const std::vector<BakedClip>* clips = nullptr;
};

// edits: one per rig that changed. The container follows the output's extension (.gltf: buffers copied beside it and
// one new buffer added; otherwise a GLB). Throws Error{Unwritable}; then nothing is left behind. Returns, per baked clip of each
// edit, the bytes of buffer its tracks added.
std::vector<std::vector<std::size_t>> write_fixed(const Loaded& loaded, const std::vector<RigEdit>& edits,
                                                  const std::filesystem::path& output);

// Copies the input byte for byte (a .gltf with its side files). Throws Error{Unwritable}.
void write_copy(const Loaded& loaded, const std::filesystem::path& output);

} // namespace tailfix
