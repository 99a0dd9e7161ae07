"""Colour by position: soft masks, and the texture that a paint function makes over a UV layout."""
import struct
import zlib

import numpy as np


def ramp(value, start, stop):
    """0 at start, 1 at stop, smooth between; start may be the larger."""
    t = np.clip((np.asarray(value, float) - start) / (stop - start), 0, 1)
    return t * t * (3 - 2 * t)


def mix(a, b, amount):
    """Colours a and b (each one colour or one per point) blended by an amount per point."""
    amount = np.asarray(amount, float)[:, None]
    return np.asarray(a) * (1 - amount) + np.asarray(b) * amount


def near(p, centre, radii):
    """1 on the surface of an ellipsoid, less within."""
    return np.linalg.norm((p - np.asarray(centre)) / np.asarray(radii), axis=1)


def stripe(p, a, b, ra, rb):
    """1 within a tapered stroke from a to b, mirrored to both sides."""
    a, b = np.asarray(a, float), np.asarray(b, float)
    q = np.abs(p * (1, 0, 0)) + p * (0, 1, 1)
    t = np.clip((q - a) @ (b - a) / ((b - a) @ (b - a)), 0, 1)
    d = np.linalg.norm(q - a - t[:, None] * (b - a), axis=1) - (ra + t * (rb - ra))
    return ramp(d, .004, -.004)


def texture(size, triangles, parts, paint):
    """(size, size, 3) uint8. triangles: (n, 3, 5) corners of u, v, x, y, z; parts: a part name
    each."""
    where, part_of = rasterised(size, triangles)
    image = np.zeros((size, size, 3))
    filled = part_of >= 0
    names = np.array(parts, dtype=object)
    for name in sorted(set(parts)):
        on = filled.copy()
        on[filled] = names[part_of[filled]] == name
        if on.any():
            image[on] = paint(name, where[on])
    spread(image, filled, 6)
    return np.round(np.clip(image, 0, 1) * 255).astype(np.uint8)


def rasterised(size, triangles):
    """Position and triangle index per texel, -1 where no triangle lies."""
    where, index = np.zeros((size, size, 3)), np.full((size, size), -1)
    for k, t in enumerate(triangles):
        uv = t[:, :2] * size - .5
        uv[:, 1] = size - 1 - uv[:, 1]
        lo = np.maximum(np.floor(uv.min(0)).astype(int), 0)
        hi = np.minimum(np.ceil(uv.max(0)).astype(int), size - 1)
        e1, e2 = uv[1] - uv[0], uv[2] - uv[0]
        det = e1[0] * e2[1] - e1[1] * e2[0]
        if abs(det) < 1e-12:
            continue
        u, v = np.meshgrid(np.arange(lo[0], hi[0] + 1) - uv[0, 0],
                           np.arange(lo[1], hi[1] + 1) - uv[0, 1])
        b1 = (u * e2[1] - v * e2[0]) / det
        b2 = (v * e1[0] - u * e1[1]) / det
        inside = (b1 >= -1e-6) & (b2 >= -1e-6) & (b1 + b2 <= 1 + 1e-6)
        position = (t[0, 2:] + b1[..., None] * (t[1, 2:] - t[0, 2:])
                    + b2[..., None] * (t[2, 2:] - t[0, 2:]))
        part = (slice(lo[1], hi[1] + 1), slice(lo[0], hi[0] + 1))
        where[part][inside] = position[inside]
        index[part][inside] = k
    for k, t in enumerate(triangles):  # too small to hold the middle of a texel
        for corner in (*t, t.mean(0)):
            u, v = corner[:2] * size
            at = min(int(size - v), size - 1), min(int(u), size - 1)
            if index[at] < 0:
                where[at], index[at] = corner[2:], k
    return where, index


def spread(image, filled, rounds):
    """Grow the painted islands over their edges, so that filtering finds no gap at a UV seam."""
    for _ in range(rounds):
        total, count = np.zeros_like(image), np.zeros(filled.shape)
        for dy, dx in ((0, 1), (0, -1), (1, 0), (-1, 0)):
            total += np.roll(image * filled[..., None], (dy, dx), (0, 1))
            count += np.roll(filled, (dy, dx), (0, 1))
        grow = ~filled & (count > 0)
        image[grow] = total[grow] / count[grow][:, None]
        filled = filled | grow


def png(image):
    """The bytes of an RGB PNG."""
    def chunk(kind, data):
        checksum = struct.pack(">I", zlib.crc32(kind + data))
        return struct.pack(">I", len(data)) + kind + data + checksum

    height, width, _ = image.shape
    rows = image.astype(np.int16)
    rows[:, 1:] -= image[:, :-1].astype(np.int16)  # filter 1: difference to the left
    raw = b"".join(b"\x01" + row.astype(np.uint8).tobytes() for row in rows)
    return (b"\x89PNG\r\n\x1a\n" + chunk(b"IHDR",
                                         struct.pack(">2I5B", width, height, 8, 2, 0, 0, 0))
            + chunk(b"IDAT", zlib.compress(raw, 9)) + chunk(b"IEND", b""))
