// Writes what `inspect --mesh` shows as a GLB that any viewer opens.
//
// One node per view, named after it, with its legend in `extras`; the views stand side by side along the first
// character's left, the first of them where the file has the character, so that it can be laid over the original. Below
// each view one node per rig, with the skin as triangles (POSITION, NORMAL, COLOR_0 as normalized u8 RGBA, linear as
// glTF wants vertex colours) and lines, and a node without a mesh at each marker. The views share positions, normals
// and triangles. Metres, +Y up; no skin, no clip, no texture.
#pragma once

#include <filesystem>
#include <vector>

#include <tailfix/io/load.h>
#include <tailfix/report/debug_scene.h>

namespace tailfix {

// `rigs`: of `loaded`, in order. Written to a temporary name, synced and renamed; an existing file is replaced.
// Throws Error: Invalid when there is no rig, Usage when the output is the input or one of its files, under whatever
// name, or is named .gltf; Unwritable.
void write_debug_mesh(const Loaded& loaded, const std::vector<DebugRig>& rigs, const std::filesystem::path& output);

} // namespace tailfix
