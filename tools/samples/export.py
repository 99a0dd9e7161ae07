"""Writing GLB with Blender's glTF exporter, and reading back what the truth files need."""
import json
import struct

import bpy
import numpy as np

np.bool = bool  # the add-on of Blender 3.4 still uses the name that NumPy 1.24 removed


def write_glb(path, keep_pose):
    """keep_pose stores the armature's present pose in the nodes, else the bind pose is stored."""
    bpy.ops.export_scene.gltf(
        filepath=str(path), export_format="GLB", use_selection=False, export_yup=True,
        export_apply=False,
        export_animations=True, export_nla_strips=True, export_force_sampling=True,
        export_frame_range=False,
        export_optimize_animation_size=True, export_def_bones=False, export_all_influences=False,
        export_current_frame=keep_pose, export_skins=True, export_morph=False, export_extras=False,
        export_normals=True, export_texcoords=True, export_tangents=False, export_colors=False,
        export_image_format="AUTO")


def read_glb(path):
    """(document, binary chunk) of a GLB."""
    with open(path, "rb") as f:
        data = f.read()
    size = struct.unpack_from("<I", data, 12)[0]
    return json.loads(data[20:20 + size]), data[28 + size:]


def positions(doc, blob, accessor):
    """(n, 3) of a float accessor as Blender writes them: tightly packed."""
    a = doc["accessors"][accessor]
    start = doc["bufferViews"][a["bufferView"]].get("byteOffset", 0) + a.get("byteOffset", 0)
    return np.frombuffer(blob, np.float32, 3 * a["count"], start).reshape(-1, 3)
