"""Makes data/fox.glb, mouse.glb and decoys.glb with their truth files. Run by ./make, inside
Blender:

    blender --background --factory-startup --python make_samples.py -- OUTPUT_FOLDER [NAME ...]

The same Blender writes the same bytes every time: no clock, no random numbers, no order that
depends on threads.
"""
import importlib
import sys
from pathlib import Path

import numpy as np

sys.path.insert(0, str(Path(__file__).parent))
import bpy  # noqa: E402

import blender  # noqa: E402
import export  # noqa: E402
import paint  # noqa: E402
import skinning  # noqa: E402
from clips import Actor, frames  # noqa: E402
from surface import Mesh  # noqa: E402
from truth import write_truth  # noqa: E402

TEXTURE = 1024


def make(name, folder):
    """One character from its module to GLB and truth."""
    character = importlib.import_module(name)
    unit = character.UNIT
    blender.empty_scene()
    mesh = character.build()
    rig = blender.armature(character.SKELETON, unit)
    weights = skinning.automatic(mesh, character.heat_body(mesh), rig)

    uv = blender.unwrapped(mesh, character.CHARTS)
    picture = paint.texture(TEXTURE, *blender.triangles_on_texture(mesh, uv), character.paint)
    image = blender.packed_image("Coat", paint.png(picture))
    coats = [blender.material("Coat", image, .85), blender.material("Gloss", image, .18),
             blender.material("Cloth", image, .9, two_sided=True)]
    for title, parts in character.OBJECTS.items():
        piece, used, loops = part_of(mesh, parts)
        ob = blender.mesh_object(title, piece, unit, rig)
        ob.data.uv_layers.new(name="UVMap").data.foreach_set("uv", uv[loops].ravel())
        kinds = [1 if p in character.GLOSSY else 2 if p in character.SHEETS else 0
                 for p in piece.parts]
        slots = sorted(set(kinds))
        for kind in slots:
            ob.data.materials.append(coats[kind])
        ob.data.polygons.foreach_set("material_index", [slots.index(kind) for kind in kinds])
        skinning.bind(ob, weights[used], rig)

    actor = Actor(character.SKELETON, **character.ACTOR)
    # Blender shows the last track, so the clip whose frame the nodes keep comes last.
    last, frame = character.STORED or (None, 0)
    for clip in sorted(character.CLIPS, key=lambda name: name == last):
        blender.action(rig, character.SKELETON, clip, frames(clip, actor), unit)
    bpy.context.scene.frame_set(frame)
    path = folder / f"{name}.glb"
    export.write_glb(path, keep_pose=bool(character.STORED))
    report(path, mesh)


def report(path, mesh):
    tail = np.zeros(len(mesh.points), bool)
    for face, part in zip(mesh.faces, mesh.parts):
        tail[face] |= part.startswith("tail")
    line = f"{path.name}: {path.stat().st_size} bytes, {len(mesh.points)} points"
    if tail.any():
        line += f", {write_truth(path, mesh, tail)} exported tail vertices"
    print(line)


def part_of(mesh, parts):
    """(mesh, points used, loops used) of the faces whose part is listed; None stands for all."""
    keep = [parts is None or p in parts for p in mesh.parts]
    used = sorted({i for f, k in zip(mesh.faces, keep) if k for i in f})
    number = {old: new for new, old in enumerate(used)}
    loops, start = [], 0
    for face, k in zip(mesh.faces, keep):
        if k:
            loops += range(start, start + len(face))
        start += len(face)
    out = Mesh(mesh.points[used], [], "")
    out.faces = [[number[i] for i in f] for f, k in zip(mesh.faces, keep) if k]
    out.parts = [p for p, k in zip(mesh.parts, keep) if k]
    out.sharp = [(number[a], number[b]) for a, b in mesh.sharp if a in number and b in number]
    return out, used, loops


if __name__ == "__main__":
    target, *names = sys.argv[sys.argv.index("--") + 1:]
    for character_name in names or ("fox", "mouse", "decoys"):
        make(character_name, Path(target))
    bpy.ops.wm.quit_blender()
