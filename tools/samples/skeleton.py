"""The 22-joint skeleton that Mixamo and its kin give to every biped: no tail, no fingers, no
face."""
import numpy as np

PREFIX = "mixamorig:"

PARENT = {
    "Hips": None, "Spine": "Hips", "Spine1": "Spine", "Spine2": "Spine1", "Neck": "Spine2",
    "Head": "Neck",
    "LeftShoulder": "Spine2", "LeftArm": "LeftShoulder", "LeftForeArm": "LeftArm",
    "LeftHand": "LeftForeArm",
    "RightShoulder": "Spine2", "RightArm": "RightShoulder", "RightForeArm": "RightArm",
    "RightHand": "RightForeArm",
    "LeftUpLeg": "Hips", "LeftLeg": "LeftUpLeg", "LeftFoot": "LeftLeg", "LeftToeBase": "LeftFoot",
    "RightUpLeg": "Hips", "RightLeg": "RightUpLeg", "RightFoot": "RightLeg",
    "RightToeBase": "RightFoot",
}
JOINTS = list(PARENT)

# The joint that a bone points at; a leaf points at its end in Skeleton.ends.
AIM = {
    "Hips": "Spine", "Spine": "Spine1", "Spine1": "Spine2", "Spine2": "Neck", "Neck": "Head",
    **{side + a: side + b for side in ("Left", "Right") for a, b in (
        ("Shoulder", "Arm"), ("Arm", "ForeArm"), ("ForeArm", "Hand"),
        ("UpLeg", "Leg"), ("Leg", "Foot"), ("Foot", "ToeBase"))},
}


class Skeleton:
    """Bind positions (metres, character frame) of the joints and of the four kinds of leaf ends."""

    def __init__(self, middle, left, left_ends, head_end):
        """middle and left: {joint: position}, left without its 'Left'; left_ends: {'Hand':,
        'ToeBase':}."""
        flip = np.array([-1, 1, 1])
        self.at = {name: np.array(p, float) for name, p in middle.items()}
        self.ends = {"Head": np.array(head_end, float)}
        for side, sign in (("Left", np.ones(3)), ("Right", flip)):
            self.at.update({side + name: sign * np.array(p) for name, p in left.items()})
            self.ends.update({side + name: sign * np.array(p) for name, p in left_ends.items()})

    def tail_of(self, joint):
        """Where the bone of a joint ends."""
        return self.at[AIM[joint]] if joint in AIM else self.ends[joint]
