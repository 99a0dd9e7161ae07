// The only header that includes tinygltf: the typed model of what tailfix reads of a file.
#pragma once

// Neither images nor files are tinygltf's to read here.
#define TINYGLTF_NO_STB_IMAGE
#define TINYGLTF_NO_STB_IMAGE_WRITE
#define TINYGLTF_NO_FS
#include <tiny_gltf.h>

#include "io/json_text.h"

namespace tailfix::io {

// Where the typed model keeps a primitive's index accessor (see typed_model).
inline constexpr const char* kIndices = "INDICES";

// The nodes, meshes, skins, animations, accessors and buffer views of a document that check_structure() has passed,
// without anything that is not read: buffers, images, materials, extras, other attributes, the content of extensions.
// Index accessors are under attributes[kIndices].
tinygltf::Model typed_model(const Json& document);

} // namespace tailfix::io
