"""The clips, as functions of time that return poses. Gaits are sums of a few harmonics of the step,
so that they close without a seam; feet are planted by reaching with the legs to points on the
floor."""
import numpy as np

from motion import SIDES, Foot, Pose, bend, frame, turn

FPS = 30


def wave(phase, harmonic=1, shift=0):
    """Cosine of a phase in turns; 1 at phase = shift."""
    return np.cos(2 * np.pi * harmonic * (phase - shift))


def ease(t, start, stop):
    """0 before start, 1 after stop, with no jump in speed or acceleration."""
    t = np.clip((t - start) / (stop - start), 0, 1)
    return t ** 3 * (10 - 15 * t + 6 * t * t)


def keyed(t, keys):
    """Through (time, value) pairs with speed zero at each: pose-to-pose timing."""
    value = np.asarray(keys[0][1], float)
    for (t0, a), (t1, b) in zip(keys, keys[1:]):
        value = value + (np.asarray(b, float) - np.asarray(a, float)) * ease(t, t0, t1)
    return value


class Actor:
    """A skeleton with what the clips need to know of its body."""

    def __init__(self, skeleton, heel_back=.07, heel_high=.012, toe_thick=0, toe_reach=.02,
                 palm=.056, knee=.064, instep=.080, crawl_pitch=72,
                 crawl_hand=.52):
        self.skeleton = skeleton
        self.bind = skeleton.at
        self.feet = {s: Foot(skeleton, s, heel_back, heel_high, toe_thick, toe_reach)
                     for s in SIDES}
        self.palm, self.knee, self.instep = palm, knee, instep
        self.crawl_pitch, self.crawl_hand = crawl_pitch, crawl_hand
        up, low, end = (self.bind["Left" + j] for j in ("UpLeg", "Leg", "Foot"))
        self.leg = np.linalg.norm(low - up) + np.linalg.norm(end - low)
        up, low, end = (self.bind["Left" + j] for j in ("Arm", "ForeArm", "Hand"))
        self.arm = np.linalg.norm(low - up) + np.linalg.norm(end - low)
        self.stand = self.bind["Hips"].copy()

    def torso(self, pose, spine, chest_turn, gaze):
        """Three spine joints share one bend; the head looks along gaze (world), the neck
        half-way."""
        for joint in ("Spine", "Spine1", "Spine2"):
            pose.follow(joint, bend(*(np.asarray(spine) / 3 + np.asarray(chest_turn) / 3)))
        chest = pose.turn["Spine2"]
        pose.set("Neck", halfway(chest, gaze))
        pose.set("Head", gaze)

    def arms(self, pose, targets, poles, hands=None):
        """Hands to targets: {side: offset from the shoulder in arm lengths, in the chest's
        frame}."""
        chest = pose.turn["Spine2"]
        for side in SIDES:
            out = np.array([1 if side == "Left" else -1, 1, 1])
            pose.follow(side + "Shoulder")
            shoulder = pose.place(side + "Arm")
            target = shoulder + chest @ (self.arm * out * targets[side])
            pose.reach(side + "Arm", side + "ForeArm", side + "Hand", target,
                       chest @ (out * poles[side]),
                       out * np.array([.3, -.1, -1]))
            pose.follow(side + "Hand", hands and hands[side])

    def legs(self, pose, steps, pole=(0, 0, 1)):
        """steps: {side: (x, lift, z, pitch, toe pitch, yaw)}; ankles reach to where the sole rests
        `lift` over the floor. Pitch is positive with the toes down; the toe pitch is of the toes in
        the world."""
        for side in SIDES:
            x, lift, z, pitch, toe, yaw = steps[side]
            sign = 1 if side == "Left" else -1
            foot = turn("y", sign * yaw) @ turn("x", pitch)
            toes = turn("y", sign * yaw) @ turn("x", toe)
            height = self.feet[side].ankle_height(foot, toes) + lift
            knee = np.asarray(pole) + np.array([sign * np.sin(np.radians(yaw)), 0, 0])
            pose.reach(side + "UpLeg", side + "Leg", side + "Foot", (sign * x, height, z), knee,
                       (0, 0, 1))
            pose.set(side + "Foot", foot)
            pose.set(side + "ToeBase", toes)


def halfway(a, b):
    """The rotation in the middle between two that are not opposite."""
    u, _, v = np.linalg.svd(a + b)
    return u @ v


def step_path(phase, stance):
    """(travel, flight) of a foot: travel falls evenly from 1 to -1 while it stands (phase 0 ..
    stance) and comes back in the air; flight is 0 on the ground and rises to 1 and back. Speeds
    match at lift-off and landing."""
    phase = phase % 1
    if phase < stance:
        return 1 - 2 * phase / stance, 0.0
    u, air = (phase - stance) / (1 - stance), 1 - stance
    slope = -2 * air / stance  # the stance's speed in units of the swing
    h10, h11 = u - 2 * u * u + u ** 3, u ** 3 - u * u
    travel = -1 + 2 * (3 * u * u - 2 * u ** 3) + slope * (h10 + h11)
    return travel, np.sin(np.pi * u) ** 2


def walk(actor, t, seconds=1.0):
    """One left and one right step."""
    phase = t / seconds
    a, leg, stand = actor, actor.leg, actor.stand
    hips = stand + (.022 * wave(phase, 1, .31), leg * (-.055 + .024 * wave(phase, 2, .32)),
                    .008 * wave(phase, 2, .1))
    pose = Pose(a.skeleton, hips, bend(3, -9 * wave(phase, 1, .02), 3.5 * wave(phase, 1, .17)))
    a.torso(pose, (2 + 1.5 * wave(phase, 2, .1), 0, 0),
            (0, 17 * wave(phase, 1, .04), -6 * wave(phase, 1, .17)),
            bend(2 + 1.2 * wave(phase, 2, .2), 1.5 * wave(phase, 1, .05), 0))
    steps, hands = {}, {}
    for side, shift in zip(SIDES, (0, .5)):
        p = (phase + shift) % 1
        travel, flight = step_path(p, .6)
        pitch = keyed(p, ((0, -20), (.10, 0), (.34, 0), (.64, 46), (.86, -12), (1, -20)))
        toe = keyed(p, ((0, -24), (.10, 0), (.56, 0), (.68, 34), (.86, -18), (1, -24)))
        steps[side] = (a.bind["LeftFoot"][0] * .78, .07 * leg * flight,
                       stand[2] + .36 * leg * travel - .01, pitch, toe, 2)
        s = wave(p, 1, .52)
        hands[side] = np.array([.30 - .06 * s * s, -.86 + .06 * s, .06 + .42 * s])
    a.legs(pose, steps)
    a.arms(pose, hands, {s: np.array([.5, -.1, -1]) for s in SIDES})
    return pose


def sprint(actor, t, seconds=.6):
    """Fast run with a flight phase, elbows bent."""
    phase = t / seconds
    a, leg, stand = actor, actor.leg, actor.stand
    hips = stand + (.010 * wave(phase, 1, .2), leg * (-.085 + .058 * wave(phase, 2, .45)), 0)
    pose = Pose(a.skeleton, hips, bend(13, -13 * wave(phase, 1, .0), 4 * wave(phase, 1, .12)))
    a.torso(pose, (9 + 2 * wave(phase, 2, .1), 0, 0),
            (0, 27 * wave(phase, 1, .02), -6 * wave(phase, 1, .12)),
            bend(5 + 2 * wave(phase, 2, .2), 2 * wave(phase, 1, .05), 0))
    steps, hands = {}, {}
    for side, shift in zip(SIDES, (0, .5)):
        p = (phase + shift) % 1
        travel, flight = step_path(p, .34)
        # In the air the heel first swings up behind, then the knee carries it forward.
        lift = flight * (.26 + .20 * wave(p, 1, .52)) * leg
        pitch = keyed(p, ((0, -6), (.12, 4), (.38, 58), (.58, 62), (.88, -10), (1, -6)))
        toe = keyed(p, ((0, -8), (.12, 0), (.30, 8), (.46, 60), (.62, 54), (.88, -12), (1, -8)))
        steps[side] = (a.bind["LeftFoot"][0] * .66, lift, stand[2] + leg * (.50 * travel - .06),
                       pitch, toe, 1)
        s = wave(p, 1, .54)
        hands[side] = np.array([.24 - .16 * max(s, 0), -.50 + .28 * s, .20 + .50 * s])
    a.legs(pose, steps)
    a.arms(pose, hands, {s: np.array([.55, -.35, -1]) for s in SIDES})
    return pose


def idle(actor, t, seconds=4.0):
    """Breathing, with the weight moving from one leg to the other."""
    phase = t / seconds
    a, stand = actor, actor.stand
    breath = wave(phase, 2, .2)
    hips = stand + (.020 * wave(phase, 1), -.022 * a.leg + .003 * breath, 0)
    pose = Pose(a.skeleton, hips, bend(1, 2 * wave(phase, 1, .1), -2.2 * wave(phase, 1)))
    a.torso(pose, (1 - 1.6 * breath, 0, 0), (0, 2 * wave(phase, 1, .2), 2.6 * wave(phase, 1)),
            bend(1 - .8 * breath, 7 * wave(phase, 1, .25), 1.5 * wave(phase, 1, .1)))
    foot = a.bind["LeftFoot"]
    stagger = {"Left": .02, "Right": -.02}
    a.legs(pose, {s: (foot[0] * 1.08, 0, foot[2] + stagger[s], 0, 0, 6) for s in SIDES})
    a.arms(pose, {s: np.array([.36 + .012 * breath, -.86 + .01 * breath, .10]) for s in SIDES},
           {s: np.array([.6, 0, -1]) for s in SIDES})
    return pose


def crouch_backward(actor, t, seconds=1.2):
    """Stealing backward on bent knees: the walk's feet run the other way."""
    phase = t / seconds
    a, leg, stand = actor, actor.leg, actor.stand
    hips = stand + (.024 * wave(phase, 1, .68), -.26 * leg + .014 * wave(phase, 2, .3), -.05)
    pose = Pose(a.skeleton, hips, bend(21, 7 * wave(phase, 1, .05), 3 * wave(phase, 1, .8)))
    a.torso(pose, (16 + 2 * wave(phase, 2, .1), 0, 0),
            (0, -9 * wave(phase, 1, .07), -4 * wave(phase, 1, .8)),
            bend(6 + 1.5 * wave(phase, 2, .2), 10 * wave(phase, 1, .3), 0))
    steps, hands = {}, {}
    for side, shift in zip(SIDES, (0, .5)):
        p = (phase + shift) % 1
        travel, flight = step_path(p, .62)
        pitch = keyed(p, ((0, 26), (.16, 0), (.50, 0), (.66, -8), (.84, 18), (1, 26)))
        toe = keyed(p, ((0, 4), (.12, 0), (.50, 0), (.66, -8), (.84, 16), (1, 4)))
        steps[side] = (a.bind["LeftFoot"][0] * 1.25, .09 * leg * flight,
                       stand[2] - .02 - .26 * leg * travel, pitch, toe, 14)
        s = wave(p, 1, .05)
        hands[side] = np.array([.34, -.52 + .03 * s, .44 + .13 * s])
    a.legs(pose, steps)
    a.arms(pose, hands, {s: np.array([.9, -.5, -.6]) for s in SIDES})
    return pose


# Thighs of one who crawls, degrees off the vertical: upright ones would fold the hip by 90.
CRAWL_SLANT = 22


def crawl_idle(actor, t, seconds=3.0):
    """On hands and knees, breathing and looking about."""
    phase = t / seconds
    a = actor
    breath = wave(phase, 2, .1)
    thigh = np.linalg.norm(a.bind["LeftLeg"] - a.bind["LeftUpLeg"])
    shin = np.linalg.norm(a.bind["LeftFoot"] - a.bind["LeftLeg"])
    slant = np.radians(CRAWL_SLANT)
    hips = turn("x", a.crawl_pitch) @ (a.bind["Hips"] - a.bind["LeftUpLeg"])  # from a thigh's head
    hips = np.array([.012 * wave(phase, 1),
                     hips[1] + a.knee + .985 * thigh * np.cos(slant) + .004 * breath,
                     hips[2] + thigh * np.sin(slant) - .08])
    pose = Pose(a.skeleton, hips,
                bend(a.crawl_pitch + 1.2 * breath, 1.2 * wave(phase, 1, .1), 1.5 * wave(phase, 1)))
    a.torso(pose, (4 - 2.5 * breath, 0, 0), (0, 0, -1.5 * wave(phase, 1)),
            bend(12 + 2 * breath, 12 * wave(phase, 1, .2), 3 * wave(phase, 1)))
    for side in SIDES:
        out = np.array([1 if side == "Left" else -1, 1, 1])
        # The knee rests behind the hip, the shin lies back along the floor on its instep.
        back = np.sqrt(shin ** 2 - (a.knee - a.instep) ** 2) + .08
        ankle = out * np.array([1.15 * a.bind["LeftUpLeg"][0], a.instep, -back])
        pose.reach(side + "UpLeg", side + "Leg", side + "Foot", ankle,
                   out * np.array([.12, -.6, 1]), (0, 0, 1))
        pose.set(side + "Foot", turn("x", 152))
        pose.set(side + "ToeBase", turn("x", 172))
        pose.follow(side + "Shoulder")
        wrist = out * np.array([1.12 * a.bind["LeftArm"][0], a.palm, a.crawl_hand])
        pose.reach(side + "Arm", side + "ForeArm", side + "Hand", wrist,
                   out * np.array([1, 0, -.55]),
                   out * np.array([.3, -.1, -1]))
        pose.set(side + "Hand", palm_down(a, side, out))
    return pose


def palm_down(actor, side, out):
    """The turn that lays a hand flat on the floor with its fingers forward."""
    fingers = actor.skeleton.ends[side + "Hand"] - actor.bind[side + "Hand"]
    # down and inward, square to the fingers
    palm = np.array([fingers[1] * out[0], -abs(fingers[0]), 0])
    return frame(np.array([.18 * out[0], 0, 1]), np.array([0, -1.0, 0])) @ frame(fingers, palm).T


def back_flip(actor, t, seconds=2.0):
    """Crouch, jump, one turn backward about the lateral axis, land, rise. Legs are given relative to
    the hips while they are in the air and on the floor otherwise."""
    a, leg, stand = actor, actor.leg, actor.stand
    up, down = .60, 1.27  # take-off and landing, s
    air = (t - up) / (down - up)
    rest, crouch, stretched = -.022 * leg, -.40 * leg, -.02 * leg
    if up < t < down:
        gravity = .62 * 9.81  # a floaty jump reads better
        height = stretched + .5 * gravity * (down - t) * (t - up)
    elif t <= up:
        height = keyed(t, ((0, rest), (.40, crouch), (up, stretched)))
    else:
        height = keyed(t, ((down, stretched), (down + .22, .95 * crouch), (1.85, rest)))
    spin = -360 * (.80 * ease(t, up - .06, down + .02) + .20 * np.clip(air, 0, 1))
    lean = keyed(t, ((0, 0), (.40, 26), (.62, -6), (down - .05, 4), (down + .2, 24), (1.85, 0)))
    hips = stand + (0, height,
                    keyed(t, ((0, 0), (.40, -.05), (.62, 0), (down, 0), (down + .2, -.05),
                              (1.85, 0))))
    spinning = turn("x", spin)
    pose = Pose(a.skeleton, hips, spinning @ turn("x", lean))
    tuck = ease(t, up + .02, up + .24) * (1 - ease(t, down - .24, down - .03))
    thrown_back = ease(t, .42, .58) * (1 - ease(t, .7, .85))
    gaze = spinning @ turn("x", .5 * lean + 18 * tuck - 10 * thrown_back)
    a.torso(pose, (.5 * lean + 26 * tuck, 0, 0), (0, 0, 0), gaze)
    flying = ease(t, up, up + .06) * (1 - ease(t, down - .06, down))
    foot = a.bind["LeftFoot"]
    for side in SIDES:
        sign = 1 if side == "Left" else -1
        point = keyed(t, ((0, 0), (.50, 0), (up + .04, 48), (up + .3, 25), (down - .10, 30),
                          (down + .03, 0)))
        toe = keyed(t, ((0, 0), (.56, 0), (up + .08, 48), (up + .3, 25), (down - .08, 30),
                        (down + .03, 0)))
        floor = a.feet[side].ankle_height(turn("x", point), turn("x", toe))
        planted = np.array([sign * foot[0] * 1.05, floor, foot[2]])
        hip = pose.place(side + "UpLeg")
        tucked = np.array([sign * .01, -.44 * leg, .40 * leg])
        straight = np.array([sign * .012, -.88 * leg, foot[2]])
        flight = hip + spinning @ (straight + (tucked - straight) * tuck)
        target = planted + (flight - planted) * flying
        pose.reach(side + "UpLeg", side + "Leg", side + "Foot", target,
                   spinning @ np.array([.15 * sign, 0, 1]), (0, 0, 1))
        base = spinning if up < t < down else np.eye(3)
        pose.set(side + "Foot", base @ turn("x", point))
        pose.set(side + "ToeBase", base @ turn("x", toe))
    hand = keyed(t, ((0, (.36, -.86, .10)), (.38, (.34, -.66, -.58)), (.60, (.30, .85, .30)),
                     (.84, (.22, -.50, .66)), (1.12, (.42, -.30, .70)),
                     (down + .20, (.50, -.55, .50)),
                     (1.85, (.36, -.86, .10))))
    a.arms(pose, {s: hand for s in SIDES}, {s: np.array([.9, -.2, -.8]) for s in SIDES})
    return pose


CLIPS = {"Walk": (walk, 1.0), "Sprint": (sprint, .6), "Idle": (idle, 4.0),
         "Crouch Backward": (crouch_backward, 1.2),
         "Crawl Idle": (crawl_idle, 3.0), "Back Flip": (back_flip, 2.0)}


def frames(name, actor):
    """Poses of a clip at 30 a second, both ends included."""
    function, seconds = CLIPS[name]
    return [function(actor, k / FPS) for k in range(round(seconds * FPS) + 1)]

