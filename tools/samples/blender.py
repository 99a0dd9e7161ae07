"""Numbers into Blender objects: armature, meshes, UV layout, materials, actions. Blender is z up
and its characters face -y, so the character frame (x left, y up, z forward) enters it as (x, -z,
y)."""
import bpy
import numpy as np
from mathutils import Matrix

from skeleton import JOINTS, PARENT, PREFIX

TO_BLENDER = np.array([[1, 0, 0], [0, 0, -1], [0, 1, 0]], float)


def empty_scene():
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.context.scene.render.fps = 30


def chosen(active, *others):
    """Select exactly these objects, the first one active."""
    bpy.ops.object.select_all(action="DESELECT")
    for ob in (active, *others):
        ob.select_set(True)
    bpy.context.view_layer.objects.active = active


def armature(skeleton, unit):
    """An armature object of the joints; unit is armature units per metre (100 for centimetres)."""
    ob = bpy.data.objects.new("Armature", bpy.data.armatures.new("Armature"))
    bpy.context.collection.objects.link(ob)
    ob.scale = (1 / unit,) * 3
    chosen(ob)
    bpy.ops.object.mode_set(mode="EDIT")
    for joint in JOINTS:
        bone = ob.data.edit_bones.new(PREFIX + joint)
        bone.head = unit * TO_BLENDER @ skeleton.at[joint]
        bone.tail = unit * TO_BLENDER @ skeleton.tail_of(joint)
        if PARENT[joint]:
            bone.parent = ob.data.edit_bones[PREFIX + PARENT[joint]]
    bpy.ops.object.mode_set(mode="OBJECT")
    return ob


def mesh_object(name, mesh, unit=1.0, parent=None):
    """A smooth-shaded object of a surface.Mesh, its sharp edges split in the normals."""
    data = bpy.data.meshes.new(name)
    data.from_pydata([tuple(p) for p in unit * mesh.points @ TO_BLENDER.T], [], mesh.faces)
    data.polygons.foreach_set("use_smooth", [True] * len(data.polygons))
    data.use_auto_smooth, data.auto_smooth_angle = True, np.pi
    sharp = set(mesh.sharp)
    for edge in data.edges:
        edge.use_edge_sharp = tuple(sorted(edge.vertices)) in sharp
    ob = bpy.data.objects.new(name, data)
    bpy.context.collection.objects.link(ob)
    ob.parent = parent
    return ob


def unwrapped(mesh, charts):
    """(loops, 2) UVs. charts: list of (predicate of part and face centre, (u0, v0, u1, v1)); each
    takes the faces that no chart before took and gets its own rectangle of the texture. Eyes are
    laid flat as seen from the front, both on one place; everything else is laid out by Smart UV
    Project."""
    ob = mesh_object("layout", mesh)
    ob.data.uv_layers.new(name="UVMap")
    centres = np.array([mesh.points[f].mean(0) for f in mesh.faces])
    left = np.ones(len(mesh.faces), bool)
    uv = np.zeros((len(ob.data.loops), 2))
    loops = [list(p.loop_indices) for p in ob.data.polygons]
    vertex = np.array([loop.vertex_index for loop in ob.data.loops])
    for wanted, (u0, v0, u1, v1) in charts:
        take = left & np.array([wanted(part, c) for part, c in zip(mesh.parts, centres)])
        left &= ~take
        on = np.concatenate([loops[i] for i in np.flatnonzero(take)])
        if all(part == "eye" for part, t in zip(mesh.parts, take) if t):
            uv[on] = (u0, v0) + from_front(mesh.points[vertex[on]]) * (u1 - u0, v1 - v0)
            continue
        ob.data.polygons.foreach_set("select", take)
        chosen(ob)
        bpy.ops.object.mode_set(mode="EDIT")
        bpy.ops.uv.smart_project(angle_limit=np.radians(60), island_margin=.012, area_weight=.6)
        bpy.ops.object.mode_set(mode="OBJECT")
        flat = np.empty(2 * len(uv))
        ob.data.uv_layers[0].data.foreach_get("uv", flat)
        uv[on] = (u0, v0) + flat.reshape(-1, 2)[on] * (u1 - u0, v1 - v0)
    assert not left.any(), "every face needs a chart"
    bpy.data.objects.remove(ob)
    return uv


def from_front(points):
    """x and y scaled to fill 0.02 .. 0.98, left and right folded together."""
    flat = np.abs(points[:, :2] * (1, 0)) + points[:, :2] * (0, 1)
    low, high = flat.min(0), flat.max(0)
    return .02 + .96 * (flat - low) / (high - low)


def triangles_on_texture(mesh, uv):
    """((n, 3, 5) of u, v, x, y, z; part names): the faces fanned into triangles, for
    paint.texture."""
    out, parts, start = [], [], 0
    for face, part in zip(mesh.faces, mesh.parts):
        corner = np.hstack([uv[start:start + len(face)], mesh.points[face]])
        for k in range(1, len(face) - 1):
            out.append(corner[[0, k, k + 1]])
            parts.append(part)
        start += len(face)
    return np.array(out), parts


def packed_image(name, png):
    """The bytes of a PNG as an image; the exporter copies them as they are."""
    image = bpy.data.images.new(name, 1, 1)
    image.pack(data=png, data_len=len(png))
    image.source = "FILE"
    return image


def material(name, image, roughness, two_sided=False):
    """Base colour from an image, dielectric."""
    mat = bpy.data.materials.new(name)
    mat.use_nodes = True
    mat.use_backface_culling = not two_sided
    shader = mat.node_tree.nodes["Principled BSDF"]
    shader.inputs["Roughness"].default_value = roughness
    texture = mat.node_tree.nodes.new("ShaderNodeTexImage")
    texture.image = image
    mat.node_tree.links.new(texture.outputs["Color"], shader.inputs["Base Color"])
    return mat


def action(ob, skeleton, name, poses, unit):
    """An action of these poses, one key a frame, on an NLA track of its own."""
    act = bpy.data.actions.new(name)
    act.use_fake_user = True
    act.id_root = "OBJECT"
    samples = [pose.locals() for pose in poses]
    for joint in JOINTS:
        bone = ob.data.bones[PREFIX + joint]
        to_bone = np.array(bone.matrix_local.to_3x3()).T @ TO_BLENDER
        quats = [Matrix(to_bone @ turns[joint] @ to_bone.T).to_quaternion() for turns, _ in samples]
        for a, b in zip(quats, quats[1:]):
            b.make_compatible(a)
        path = f'pose.bones["{PREFIX}{joint}"].'
        curves(act, path + "rotation_quaternion", np.array([list(q) for q in quats]),
               PREFIX + joint)
        if PARENT[joint] is None:
            moves = [unit * to_bone @ (place - skeleton.at[joint]) for _, place in samples]
            curves(act, path + "location", np.array(moves), PREFIX + joint)
    track = ob.animation_data_create().nla_tracks.new()
    track.name = name
    track.strips.new(name, 0, act)
    return act


def curves(act, path, values, group):
    for axis in range(values.shape[1]):
        curve = act.fcurves.new(path, index=axis, action_group=group)
        curve.keyframe_points.add(len(values))
        flat = np.stack([np.arange(len(values)), values[:, axis]], axis=1).ravel()
        curve.keyframe_points.foreach_set("co", flat)
        curve.keyframe_points.foreach_set("interpolation", [1] * len(values))  # linear
        curve.update()
