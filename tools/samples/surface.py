"""Meshes from shapes: surface nets over a distance field, and lofts along a centreline."""
import numpy as np


class Mesh:
    """Points (n, 3), faces (lists of point indices), a part name per face, and edges to be kept
    sharp."""

    def __init__(self, points, faces, part, sharp=()):
        self.points = np.asarray(points, float)
        self.faces = [list(map(int, f)) for f in faces]
        self.parts = [part] * len(self.faces)
        self.sharp = [tuple(sorted(map(int, e))) for e in sharp]

    def only(self, part):
        """The faces of one part, with the points that they use."""
        faces = [f for f, p in zip(self.faces, self.parts) if p == part]
        used = sorted({i for f in faces for i in f})
        number = {old: new for new, old in enumerate(used)}
        return Mesh(self.points[used], [[number[i] for i in f] for f in faces], part)


def joined(meshes):
    """One mesh of all, unwelded."""
    out = Mesh(np.vstack([m.points for m in meshes]), [], "")
    start = 0
    for m in meshes:
        out.faces += [[i + start for i in f] for f in m.faces]
        out.parts += m.parts
        out.sharp += [(a + start, b + start) for a, b in m.sharp]
        start += len(m.points)
    return out


def net(field, low, high, cell, part="body"):
    """The zero surface of a field as quads of about cell x cell (naive surface nets, then relaxed
    on the field)."""
    low = np.asarray(low, float)
    shape = np.ceil((np.asarray(high) - low) / cell).astype(int) + 1
    value = _sample(field, low, cell, shape)
    points, ids = _cell_points(value, low, cell)
    faces = _crossing_quads(value, ids)
    return Mesh(_relaxed(field, points, np.array(faces), cell), faces, part)


def _sample(field, low, cell, shape):
    """Field values on the grid, slab by slab to keep memory small."""
    y, z = np.meshgrid(np.arange(shape[1]), np.arange(shape[2]), indexing="ij")
    slab = np.stack([np.zeros(y.size), y.ravel(), z.ravel()], axis=1) * cell + low
    out = np.empty(shape)
    for i in range(shape[0]):
        slab[:, 0] = low[0] + i * cell
        out[i] = field(slab).reshape(shape[1:])
    return out


def _cell_points(value, low, cell):
    """One point per grid cell that the surface crosses: the mean of the crossings on its twelve
    edges."""
    corners = [(i, j, k) for i in (0, 1) for j in (0, 1) for k in (0, 1)]
    n = np.array(value.shape) - 1
    at = {c: value[c[0]:c[0] + n[0], c[1]:c[1] + n[1], c[2]:c[2] + n[2]] for c in corners}
    total, count = np.zeros((*n, 3)), np.zeros(n)
    for c in corners:
        for axis in range(3):
            if c[axis]:
                continue
            e = tuple(1 if i == axis else v for i, v in enumerate(c))
            a, b = at[c], at[e]
            cross = (a < 0) != (b < 0)
            t = np.where(cross, a / np.where(cross, a - b, 1), 0)
            for i in range(3):
                total[..., i] += np.where(cross, c[i] + (t if i == axis else 0), 0)
            count += cross
    where = np.argwhere(count > 0)
    ids = np.full(n, -1)
    ids[count > 0] = np.arange(len(where))
    return low + cell * (where + total[count > 0] / count[count > 0][:, None]), ids


def _crossing_quads(value, ids):
    """Around every grid edge that the surface crosses, the quad of its four cells, facing
    outward."""
    faces = []
    for axis in range(3):
        u, v = (axis + 1) % 3, (axis + 2) % 3
        inside = value < 0
        first = np.take(inside, range(value.shape[axis] - 1), axis)
        second = np.take(inside, range(1, value.shape[axis]), axis)
        for edge in np.argwhere(first != second):
            cells = []
            for du, dv in ((-1, -1), (0, -1), (0, 0), (-1, 0)):
                c = edge.copy()
                c[u] += du
                c[v] += dv
                cells.append(ids[tuple(c)])
            faces.append(cells if first[tuple(edge)] else cells[::-1])
    return faces


def _relaxed(field, points, quads, cell, rounds=6):
    """Even out the net along the surface and pull it back onto the field (Newton steps)."""
    pairs = np.vstack([quads[:, [0, 1]], quads[:, [1, 2]], quads[:, [2, 3]], quads[:, [3, 0]]])
    pairs = np.vstack([pairs, pairs[:, ::-1]])
    degree = np.bincount(pairs[:, 0], minlength=len(points))[:, None]
    for _ in range(rounds):
        mean = np.zeros_like(points)
        for i in range(3):
            mean[:, i] = np.bincount(pairs[:, 0], points[pairs[:, 1], i], len(points))
        points = points + 0.6 * (mean / degree - points)
        points = _onto(field, points, cell)
    return points


def _onto(field, points, cell):
    """One damped Newton step; never more than half a cell, so that thin parts do not fold."""
    h = 0.1 * cell
    d = field(points)
    g = np.stack([field(points + h * e) - field(points - h * e) for e in np.eye(3)],
                 axis=1) / (2 * h)
    step = (d / np.maximum((g * g).sum(1), 0.05))[:, None] * g
    length = np.linalg.norm(step, axis=1, keepdims=True)
    return points - step * np.minimum(1, 0.5 * cell / np.maximum(length, 1e-12))


def frames_along(line, up):
    """(tangents, sides, ups) of a centreline, turned as little as possible from the first to the
    last point."""
    t = np.gradient(line, axis=0)
    t /= np.linalg.norm(t, axis=1, keepdims=True)
    sides, ups = [], []
    for d in t:
        up = up - (up @ d) * d
        up = up / np.linalg.norm(up)
        ups.append(up)
        sides.append(np.cross(up, d))
    return t, np.array(sides), np.array(ups)


def loft(line, radius, around, up, part, tip=True, sharp=()):
    """Rings along a centreline. radius(i, angles) gives the radii of ring i; sharp lists the
    columns whose lengthwise edges keep a hard normal; the last ring closes in a point when tip is
    set."""
    line = np.asarray(line, float)
    _, sides, ups = frames_along(line, np.asarray(up, float))
    angle = 2 * np.pi * np.arange(around) / around
    points, faces, creases = [], [], []
    for i, c in enumerate(line):
        r = radius(i, angle)
        spokes = np.outer(np.cos(angle), ups[i]) + np.outer(np.sin(angle), sides[i])
        points += list(c + r[:, None] * spokes)
    for i in range(len(line) - 1):
        for j in range(around):
            k = (j + 1) % around
            a, b = i * around, (i + 1) * around
            faces.append([a + j, b + j, b + k, a + k])
        creases += [(i * around + j, (i + 1) * around + j) for j in sharp]
    if tip:
        last = len(points) - around
        end = (line[-1] - line[-2]) / np.linalg.norm(line[-1] - line[-2])
        points.append(line[-1] + 0.35 * np.mean(r) * end)
        faces += [[last + j, len(points) - 1, last + (j + 1) % around] for j in range(around)]
    return Mesh(points, _outward(points, faces, line), part, creases)


def _outward(points, faces, line):
    """Turn all faces over when most of them look at the centreline."""
    p = np.asarray(points)
    votes = 0
    for f in faces:
        a, b, c = p[f[0]], p[f[1]], p[f[2]]
        centre = (a + b + c) / 3
        nearest = line[np.argmin(((line - centre) ** 2).sum(1))]
        votes += np.sign(np.cross(b - a, c - a) @ (centre - nearest))
    return faces if votes >= 0 else [f[::-1] for f in faces]


def sheet(point, across, down, part, closed=False):
    """An open sheet of point(u, v), u from -1 to 1, v from 0 (where it hangs) to 1; closed joins u
    = -1 to u = 1. It faces away from the character's vertical axis."""
    u = np.linspace(-1, 1, across, endpoint=not closed)
    points = np.array([point(a, v) for v in np.linspace(0, 1, down) for a in u], float)
    faces = []
    for i in range(down - 1):
        for j in range(across if closed else across - 1):
            k = (j + 1) % across
            faces.append([i * across + j, i * across + k, (i + 1) * across + k,
                          (i + 1) * across + j])
    axis = np.stack([np.zeros(2), points[:, 1].min() * np.ones(2) + (0, 1), np.zeros(2)], axis=1)
    return Mesh(points, _outward(points, faces, axis), part)


def ball(centre, radii, part, around=24, rings=14, share=1.0):
    """An ellipsoid with its poles along z. A share under 1 leaves the back open: an eye, whose back
    is inside the head."""
    points, faces = [[0, 0, 1]], []
    for i in range(1, rings):
        polar = np.pi * share * i / rings
        for j in range(around):
            a = 2 * np.pi * j / around
            points.append([np.sin(polar) * np.cos(a), np.sin(polar) * np.sin(a), np.cos(polar)])
    for j in range(around):
        k = (j + 1) % around
        faces.append([0, 1 + j, 1 + k])
        for i in range(1, rings - 1):
            row, below = 1 + (i - 1) * around, 1 + i * around
            faces.append([row + j, below + j, below + k, row + k])
    if share == 1:
        points.append([0, 0, -1])
        last = 1 + (rings - 2) * around
        faces += [[len(points) - 1, last + (j + 1) % around, last + j] for j in range(around)]
    return Mesh(np.asarray(centre) + np.asarray(radii) * np.array(points), faces, part)


def catmull(points, count):
    """A smooth curve through the points, resampled to count points at equal arc length."""
    p = np.asarray(points, float)
    p = np.vstack([2 * p[0] - p[1], p, 2 * p[-1] - p[-2]])
    fine = []
    for a, b, c, d in zip(p, p[1:], p[2:], p[3:]):
        t = np.linspace(0, 1, 40, endpoint=False)[:, None]
        fine.append(0.5 * (2 * b + (c - a) * t + (2 * a - 5 * b + 4 * c - d) * t ** 2
                           + (3 * b - a - 3 * c + d) * t ** 3))
    fine = np.vstack(fine + [p[-2:-1]])
    arc = np.concatenate([[0], np.cumsum(np.linalg.norm(np.diff(fine, axis=0), axis=1))])
    at = np.linspace(0, arc[-1], count)
    return np.stack([np.interp(at, arc, fine[:, i]) for i in range(3)], axis=1)
