// Reads a GLB, glTF or VRM file into characters, keeping the file's own bytes for writing.
//
// Source: the glTF 2.0 specification (container 4.4, accessors 3.6.2, skins 3.7.3, animations 3.11), design.md.
// What a file is, is decided by its content. Nothing of it is used before it is checked: the container, the text
// (UTF-8, no duplicate keys, bounded depth), the type of every property, every index and byte range (in arithmetic that
// cannot overflow), the node trees, sparse indices, component types, joints and vertex indices, finite numbers,
// ascending key times. tinygltf sees the document only after that. What is harmless in real files passes: missing or
// wrong bounds, misaligned views, weights that do not sum to 1, a wrong skeleton root.
//
// Units and spaces are those of character.h; nothing is scaled or turned.
//
//   rigs         skins that share joints, or of which one's joints lie above another's, are one rig. Only skins that a
//                mesh uses count. The rig's first skin in the file gives bind space; another skin is placed by the
//                joints it shares (method.md 0), with a warning where these disagree by over 0.1% of the rig's size.
//   weights      normalised to sum 1. NaN, infinite and negative ones are read as 0, with a warning; elsewhere in what
//   is
//                used numbers that are not finite are invalid.
//   meshes       triangles, strips and fans of skinned meshes, once per node that places them. Points, lines, meshes
//                without a skin and morph targets are left out (and stay in the file).
//   clips        every animation, with the tracks of joints and of the nodes above them. Two keys at one time, which
//                exporters write for a step, become two keys one float apart.
#pragma once

#include <filesystem>
#include <memory>
#include <string>
#include <vector>

#include <tailfix/character.h>

namespace tailfix {

struct SourceDocument; // the file as it was: JSON document, buffers, container; defined in src/io

struct Loaded {
    std::vector<Character> characters; // one per rig, by first skin; empty where the file has no skinned surface
    std::vector<std::string> warnings; // about the file as a whole
    std::shared_ptr<const SourceDocument> source;
};

// External buffers are read from the file's folder and below, never from elsewhere; images are not read.
//
// Throws Error: Unreadable (missing, truncated, not glTF), Invalid (breaks a rule that reading relies on), Unsupported
// (a glTF version, a compression that something read needs, or an unknown required extension: named). Messages name the
// thing and the rule, not the file.
Loaded load(const std::filesystem::path& path);

} // namespace tailfix
