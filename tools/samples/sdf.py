"""Body shapes as signed distance fields.

A character is a list of soft parts (round cones, ellipsoids) that melt into each other, which is
what makes them look modelled and not stacked. Everything here is in the character frame: metres, x
to the character's left, y up, z forward, the floor at y = 0. A part is a function from (n, 3)
points to (n,) distances, negative inside.
"""
import numpy as np


def vec(*xyz):
    return np.array(xyz, float)


def ellipsoid(centre, radii):
    """Distance to an ellipsoid, first order near its surface, which is where the mesh is cut."""
    centre, radii = vec(*centre), vec(*radii)

    def distance(p):
        q = (p - centre) / radii
        k0 = np.sqrt((q * q).sum(1))
        k1 = np.sqrt(((q / radii) ** 2).sum(1))
        return k0 * (k0 - 1) / np.maximum(k1, 1e-9)

    return distance


def cone(a, b, ra, rb):
    """A capsule from a to b whose radius runs from ra to rb."""
    a, b = vec(*a), vec(*b)
    ab = b - a

    def distance(p):
        t = np.clip((p - a) @ ab / (ab @ ab), 0, 1)
        return np.linalg.norm(p - a - t[:, None] * ab, axis=1) - (ra + t * (rb - ra))

    return distance


def tube(points, radii):
    """Cones along a polyline; radii one per point."""
    parts = [cone(*pair) for pair in zip(points, points[1:], radii, radii[1:])]
    low, high = np.min(points, axis=0) - max(radii), np.max(points, axis=0) + max(radii)

    def distance(p):
        # Far off, the distance to the bounding box (never more than the true one) does as well and
        # costs less.
        d = np.linalg.norm(np.maximum(np.maximum(low - p, p - high), 0), axis=1)
        close = d < .05
        if close.any():
            d[close] = np.min([part(p[close]) for part in parts], axis=0)
        return d

    return distance


def flat(part, origin, normal, factor):
    """The part squeezed along a normal, about the plane through origin (ears, feet)."""
    origin, normal = vec(*origin), vec(*normal)
    normal = normal / np.linalg.norm(normal)

    def distance(p):
        along = (p - origin) @ normal
        return part(p + ((1 / factor - 1) * along)[:, None] * normal) * np.sqrt(factor)

    return distance


def smooth_min(a, b, k):
    """Polynomial smooth minimum: two surfaces closer than k melt into one."""
    h = np.maximum(k - np.abs(a - b), 0) / k
    return np.minimum(a, b) - h * h * k / 4


class Body:
    """Parts in the order in which they are melted on or carved out."""

    def __init__(self):
        self.steps = []

    def add(self, part, blend=0.03):
        self.steps.append((part, blend, False))

    def carve(self, part, blend=0.02):
        self.steps.append((part, blend, True))

    def add_pair(self, part, blend=0.03):
        """The part and its mirror image on the right side."""
        self.add(part, blend)
        self.add(mirrored(part), blend)

    def carve_pair(self, part, blend=0.02):
        self.carve(part, blend)
        self.carve(mirrored(part), blend)

    def __call__(self, p):
        d = np.full(len(p), 1e3)
        for part, blend, carves in self.steps:
            d = -smooth_min(-d, part(p), blend) if carves else smooth_min(d, part(p), blend)
        return np.maximum(d, -p[:, 1])  # soles are flat on the floor


def mirrored(part):
    return lambda p: part(p * vec(-1, 1, 1))
