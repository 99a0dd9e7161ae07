"""blender --background --factory-startup --python blender_import.py -- FILE

Does a fixed file import into Blender? The tail's bones must be there, each the child of the one before; every link must
have a vertex group that weighs skin; and every action that moves bones must move the tail's.
Exit code 0 when it is so, else 1 with the reasons.
"""
import os
import re
import sys
import traceback

import numpy

# Blender's glTF add-on of Debian 12 uses an alias that Debian's numpy has dropped.
if "bool" not in numpy.__dict__:
    numpy.bool = bool

import bpy  # noqa: E402

LINK = re.compile(r"^Tail\d*_\d+$")
CURVE = re.compile(r'^pose\.bones\["(.+)"\]\.rotation_quaternion$')


def curves_of(action):
    """F-curves of an action, in Blender's old and new (layered) form."""
    if hasattr(action, "fcurves"):
        return list(action.fcurves)
    return [curve for layer in action.layers for strip in layer.strips for bag in strip.channelbags for curve in bag.fcurves]


def check(path):
    failures = []
    bpy.ops.wm.read_factory_settings(use_empty=True)
    bpy.ops.import_scene.gltf(filepath=path)

    bones = {b.name: b for o in bpy.data.objects if o.type == "ARMATURE" for b in o.data.bones if LINK.match(b.name)}
    if len(bones) < 3:
        failures.append(f"{len(bones)} tail bones")
    for name, bone in bones.items():
        chain, number = name.rsplit("_", 1)
        above = bone.parent.name if bone.parent else None
        if above is None or (int(number) > 1 and above != f"{chain}_{int(number) - 1}"):
            failures.append(f"{name} is the child of {above}")

    weighed = {}
    for mesh in (o for o in bpy.data.objects if o.type == "MESH"):
        names = {g.index: g.name for g in mesh.vertex_groups}
        for vertex in mesh.data.vertices:
            for g in vertex.groups:
                name = names[g.group]
                weighed[name] = max(weighed.get(name, 0), g.weight)
    for name in bones:
        if weighed.get(name, 0) < 0.5:
            failures.append(f"{name} weighs no skin (most {weighed.get(name, 0):.2f})")

    moving = 0
    for action in bpy.data.actions:
        turned = {m.group(1) for m in (CURVE.match(c.data_path) for c in curves_of(action)) if m}
        if not turned:
            continue
        moving += 1
        missing = sorted(set(bones) - turned)
        if missing:
            failures.append(f"action {action.name} does not turn {', '.join(missing)}")
    return failures, f"{len(bones)} tail bones, {moving} actions"


def main():
    path = sys.argv[sys.argv.index("--") + 1]
    try:
        failures, what = check(path)
    except Exception:  # Blender would exit 0 after it
        failures, what = [traceback.format_exc().strip().splitlines()[-1]], "import failed"
    print(f"{'FAIL' if failures else 'ok  '} blender {os.path.basename(path)}: {what}")
    for failure in failures[:10]:
        print(f"     {failure}")
    sys.stdout.flush()
    sys.exit(1 if failures else 0)


main()
