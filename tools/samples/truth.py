"""Which exported vertices are tail: known here, because the generator made it."""
import json
from pathlib import Path

import numpy as np

from export import positions, read_glb


def write_truth(glb, mesh, is_tail):
    """NAME.truth.json beside NAME.glb: 1 per exported tail vertex. is_tail: one bool per point of
    the mesh. The exporter writes skinned meshes in metres, whatever the armature's unit; their
    points are told by their place."""
    doc, blob = read_glb(glb)
    known = {key(p): int(t) for p, t in zip(mesh.points, is_tail)}
    primitives = []
    for m, exported in enumerate(doc["meshes"]):
        for k, primitive in enumerate(exported["primitives"]):
            points = positions(doc, blob, primitive["attributes"]["POSITION"])
            tail = [known[key(p)] if key(p) in known else nearest(p, mesh.points, is_tail)
                    for p in points]
            primitives.append({"mesh": m, "primitive": k, "count": len(tail), "tail": tail})
    out = {"file": Path(glb).stem, "label": "from the generator: the faces it made as tail",
           "primitives": primitives}
    Path(glb).with_suffix("").with_suffix(".truth.json").write_text(json.dumps(out) + "\n")
    return sum(sum(p["tail"]) for p in primitives)


def key(p):
    return tuple(np.round(np.asarray(p, float), 5))


def nearest(p, points, is_tail):
    return int(is_tail[np.argmin(((points - p) ** 2).sum(1))])
