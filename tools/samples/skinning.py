"""Automatic weights, the way auto-riggers that know no tails give them.

Blender's bone heat is solved on the body alone, a closed surface. Whatever is not body (tail, fur,
eyes, garments) has no bone that it could see, so heat finds nothing for it; it takes the weights of
the nearest body skin, as Blender's weight transfer does, softened over its own surface. A tail that
hangs behind the legs thereby goes to the left and the right leg: the fault that tailfix repairs.
Nothing here is adjusted by hand afterwards.
"""
import bpy
import numpy as np
from mathutils.bvhtree import BVHTree

from blender import chosen, mesh_object
from skeleton import JOINTS, PREFIX

# Rounds of averaging over transferred skin. Learned riggers hand out weights that vary smoothly;
# raw nearest-surface weights jump from leg to leg within one edge (fox, Walk: p99 16.5). Thirty
# rounds spread the jump over some 10 cm (p99 3.1).
SOFTENING = 30


def bone_heat(body, rig):
    """(points, joints) weights of a closed body by Blender's automatic weights."""
    ob = mesh_object("heat", body, unit=1 / rig.scale[0], parent=None)
    ob.scale = rig.scale
    chosen(rig, ob)
    bpy.ops.object.parent_set(type="ARMATURE_AUTO")
    column = {g.index: JOINTS.index(g.name[len(PREFIX):]) for g in ob.vertex_groups}
    weights = np.zeros((len(body.points), len(JOINTS)))
    for v in ob.data.vertices:
        for g in v.groups:
            weights[v.index, column[g.group]] = g.weight
    bpy.data.objects.remove(ob)
    bare = np.flatnonzero(weights.sum(1) < 1e-6)
    if len(bare) > len(weights) // 100:
        raise RuntimeError(f"bone heat left {len(bare)} of {len(weights)} points without weights")
    for i in bare:  # a few points in folds that see no bone: as the nearest point that does
        distance = ((body.points - body.points[i]) ** 2).sum(1)
        distance[bare] = np.inf
        weights[i] = weights[np.argmin(distance)]
    return weights / weights.sum(1, keepdims=True)


def transferred(points, body, weights):
    """Weights at points from the nearest place on the body's surface, interpolated over its
    triangle."""
    triangles = [[f[0], f[k], f[k + 1]] for f in body.faces for k in range(1, len(f) - 1)]
    tree = BVHTree.FromPolygons([tuple(p) for p in body.points], triangles)
    out = np.empty((len(points), weights.shape[1]))
    for i, p in enumerate(points):
        place, _, k, _ = tree.find_nearest(tuple(p))
        corners = triangles[k]
        share = barycentric(np.array(place), *body.points[corners])
        out[i] = share @ weights[corners]
    return out


def barycentric(p, a, b, c):
    m = np.stack([b - a, c - a], axis=1)
    u, v = np.linalg.lstsq(m, p - a, rcond=None)[0]
    share = np.clip([1 - u - v, u, v], 0, 1)
    return share / share.sum()


def softened(weights, mesh, on, rounds):
    """The weights of the chosen points blended with their neighbours' along the mesh edges."""
    pairs = {(a, b) for f in mesh.faces for a, b in zip(f, f[1:] + f[:1])}
    pairs = np.array(sorted(pairs | {(b, a) for a, b in pairs}))
    degree = np.maximum(np.bincount(pairs[:, 0], minlength=len(weights)), 1)[:, None]
    for _ in range(rounds):
        mean = np.zeros_like(weights)
        for j in range(weights.shape[1]):
            mean[:, j] = np.bincount(pairs[:, 0], weights[pairs[:, 1], j], len(weights))
        weights = np.where(on[:, None], .5 * weights + .5 * mean / degree, weights)
    return weights


def four_largest(weights):
    """At most four joints a point, sums exactly one. The fifth weight is taken off the four, so that
    none jumps where two joints change places in that order."""
    order = np.argsort(-weights, axis=1, kind="stable")
    keep = order[:, :4]
    out = np.zeros_like(weights)
    fifth = np.take_along_axis(weights, order[:, 4:5], 1)
    np.put_along_axis(out, keep, np.take_along_axis(weights, keep, 1) - fifth, 1)
    out = out / out.sum(1, keepdims=True)
    out[out < 1e-3] = 0
    return out / out.sum(1, keepdims=True)


def automatic(mesh, body, rig):
    """Weights of every point of a character; body is the closed surface that heat is solved on."""
    weights = transferred(mesh.points, body, bone_heat(body, rig))
    other = np.zeros(len(mesh.points), bool)
    for face, part in zip(mesh.faces, mesh.parts):
        other[face] |= part != "body"
    return four_largest(softened(weights, mesh, other, SOFTENING))


def bind(ob, weights, rig):
    """Vertex groups and the armature modifier."""
    groups = [ob.vertex_groups.new(name=PREFIX + j) for j in JOINTS]
    for i, row in enumerate(weights):
        for j in np.flatnonzero(row):
            groups[j].add([i], float(row[j]), "REPLACE")
    ob.modifiers.new("Armature", "ARMATURE").object = rig
