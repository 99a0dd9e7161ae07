"""Poses as world rotations: turning, two-bone reach, planting of feet.

A pose is a turn per joint: the rotation, in the character frame, that carries the joint's bind
orientation to its pose, plus the place of the hips. Positions follow from the bind offsets: p_child
= p + R (b_child - b).
"""
import numpy as np

from skeleton import JOINTS, PARENT

SIDES = ("Left", "Right")


def turn(axis, degrees):
    """Rotation matrix about 'x' (positive: bow forward), 'y' (turn left) or 'z' (lean to the
    right)."""
    c, s = np.cos(np.radians(degrees)), np.sin(np.radians(degrees))
    i = "xyz".index(axis)
    j, k = (i + 1) % 3, (i + 2) % 3
    m = np.eye(3)
    m[j, j], m[j, k], m[k, j], m[k, k] = c, -s, s, c
    return m


def bend(x=0, y=0, z=0):
    """Yaw, then pitch, then roll, in the turned frame (degrees)."""
    return turn("y", y) @ turn("x", x) @ turn("z", z)


def frame(along, pole):
    """Orthonormal columns: along, and the pole made orthogonal to it."""
    a = along / np.linalg.norm(along)
    b = pole - (pole @ a) * a
    b = b / np.linalg.norm(b)
    return np.stack([a, b, np.cross(a, b)], axis=1)


class Pose:
    """Turns and positions of one frame, filled from the hips outward."""

    def __init__(self, skeleton, hips, hips_turn):
        self.skeleton = skeleton
        self.turn = {"Hips": hips_turn}
        self.at = {"Hips": np.array(hips, float)}

    def place(self, joint):
        """Position of a joint whose parent is done."""
        parent, bind = PARENT[joint], self.skeleton.at
        self.at[joint] = self.at[parent] + self.turn[parent] @ (bind[joint] - bind[parent])
        return self.at[joint]

    def set(self, joint, rotation):
        """Give a joint its world turn; its parent must be done."""
        self.place(joint)
        self.turn[joint] = rotation

    def follow(self, joint, rotation=None):
        """A turn relative to the parent's."""
        self.set(joint, self.turn[PARENT[joint]] @ (np.eye(3) if rotation is None else rotation))

    def reach(self, upper, lower, end, target, pole, bind_pole):
        """Two-bone reach: the joint `end` comes to the target, the middle joint bends toward the
        pole. A target out of reach is approached softly, so that no knee or elbow snaps
        straight."""
        bind = self.skeleton.at
        root = self.place(upper)
        la, lb = np.linalg.norm(bind[lower] - bind[upper]), np.linalg.norm(bind[end] - bind[lower])
        to = np.asarray(target, float) - root
        distance = soft_reach(np.linalg.norm(to), la + lb)
        direction = to / np.linalg.norm(to)
        side = np.asarray(pole) - (np.asarray(pole) @ direction) * direction
        side = side / np.linalg.norm(side)
        cosine = np.clip((la * la + distance * distance - lb * lb) / (2 * la * distance), -1, 1)
        knee = la * (cosine * direction + np.sqrt(1 - cosine * cosine) * side)
        # Both bones keep the bend plane; a straight bind limb has its plane from bind_pole.
        plane = frame(direction, side)
        for joint, along, child in ((upper, knee, lower),
                                    (lower, distance * direction - knee, end)):
            rest = frame(bind[child] - bind[joint], np.asarray(bind_pole, float))
            normal = plane[:, 2]
            a = along / np.linalg.norm(along)
            now = np.stack([a, np.cross(normal, a), normal], axis=1)
            self.set(joint, now @ rest.T)
        self.place(end)

    def locals(self):
        """{joint: rotation relative to the parent's turn}, and the hips' place."""
        out = {j: self.turn[j] if PARENT[j] is None else self.turn[PARENT[j]].T @ self.turn[j]
               for j in JOINTS}
        return out, self.at["Hips"]


def soft_reach(wanted, longest):
    """The wanted length up to 94% of the longest, beyond that eased toward 99.5% of it."""
    knee, top = .94 * longest, .995 * longest
    if wanted <= knee:
        return wanted
    return knee + (top - knee) * (1 - np.exp(-(wanted - knee) / (top - knee)))


class Foot:
    """Where a sole touches the floor: heel, ball and toe tip about the ankle, in bind."""

    def __init__(self, skeleton, side, heel_back, heel_high, toe_thick, toe_reach):
        at = skeleton.at
        ankle, ball = at[side + "Foot"], at[side + "ToeBase"]
        self.side, self.ankle, self.ball = side, ankle, ball
        self.heel = np.array([ankle[0], heel_high, ankle[2] - heel_back])
        self.sole = np.array([ball[0], 0, ball[2]])
        # Toes are round and reach past the end of their bone.
        self.tip = np.array([ball[0], toe_thick, skeleton.ends[side + "ToeBase"][2] + toe_reach])

    def ankle_height(self, foot_turn, toe_turn):
        """Height of the ankle at which the lowest of the three just touches the floor."""
        ball = foot_turn @ (self.ball - self.ankle)
        low = [foot_turn @ (self.heel - self.ankle), foot_turn @ (self.sole - self.ankle),
               ball + toe_turn @ (self.sole - self.ball), ball + toe_turn @ (self.tip - self.ball)]
        return -min(p[1] for p in low)
