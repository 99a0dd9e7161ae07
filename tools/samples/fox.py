"""The fox: upright, about 1.9 m to the ear tips, with a bushy tail of two shells."""
import numpy as np

from paint import mix, near, ramp, stripe
from sdf import Body, cone, ellipsoid, flat, tube
from skeleton import Skeleton
from surface import ball, catmull, joined, loft, net

# Low, wide thigh heads and a long bone of the hips leave the skin around the tail's root to the
# hips.
SKELETON = Skeleton(
    middle={"Hips": (0, .865, -.020), "Spine": (0, 1.010, -.015), "Spine1": (0, 1.107, -.02),
            "Spine2": (0, 1.203, -.02), "Neck": (0, 1.30, -.015), "Head": (0, 1.375, 0)},
    left={"Shoulder": (.045, 1.255, -.01), "Arm": (.155, 1.245, -.015),
          "ForeArm": (.345, 1.085, -.03),
          "Hand": (.525, .935, -.01), "UpLeg": (.118, .765, .020), "Leg": (.114, .455, .02),
          "Foot": (.118, .10, -.025), "ToeBase": (.125, .035, .10)},
    left_ends={"Hand": (.635, .845, .005), "ToeBase": (.13, .03, .20)},
    head_end=(0, 1.68, 0))

EYE = np.array([.082, 1.515, .158])
GAZE = np.array([.33, .02, .94])
NOSE = np.array([0, 1.456, .322])

ORANGE, RUST, CREAM = (.89, .42, .10), (.66, .24, .05), (.98, .92, .80)
SOCK, PINK, BLACK = (.16, .10, .09), (.93, .66, .56), (.05, .04, .04)


def torso(body):
    body.add(ellipsoid((0, .89, -.012), (.170, .145, .142)))
    body.add(ellipsoid((0, 1.02, .005), (.135, .16, .115)), .08)
    body.add(ellipsoid((0, 1.17, -.01), (.160, .135, .120)), .08)
    body.add(cone((0, 1.22, -.01), (0, 1.40, .005), .088, .080), .06)
    body.add(ellipsoid((0, 1.20, .070), (.105, .115, .065)), .05)  # chest ruff
    for x, y, z in ((0, 1.085, .125), (.055, 1.125, .115), (-.055, 1.125, .115)):
        body.add(cone((x * .6, y + .10, z - .035), (x, y, z - .015), .045, .008), .035)  # its locks


def limbs(body):
    body.add_pair(cone((.095, .87, -.005), (.110, .52, .012), .122, .074), .05)
    body.add_pair(cone((.111, .50, .012), (.117, .14, -.02), .076, .047), .04)
    body.add_pair(ellipsoid((.112, .37, -.03), (.055, .12, .06)), .05)  # calf
    foot = tube(((.118, .065, -.035), (.124, .055, .08), (.130, .045, .165)), (.058, .062, .056))
    body.add_pair(foot, .04)
    for dx in (-.045, 0, .045):
        body.add_pair(ellipsoid((.130 + dx, .038, .195 - abs(dx) * .35), (.028, .036, .045)), .015)
    body.add_pair(ellipsoid((.135, 1.235, -.012), (.075, .065, .068)), .05)  # shoulder
    body.add_pair(cone((.155, 1.235, -.015), (.345, 1.085, -.03), .062, .050), .04)
    body.add_pair(cone((.345, 1.085, -.03), (.525, .935, -.01), .052, .044), .03)
    body.add_pair(ellipsoid((.395, 1.040, -.03), (.062, .058, .052)), .05)  # forearm
    body.add_pair(ellipsoid((.565, .902, 0), (.064, .058, .046)), .03)
    for dz, reach in ((-.030, .92), (.002, 1.0), (.034, .90)):  # three fingers and a thumb
        tip = (.565 + .088 * reach, .902 - .078 * reach, dz * 1.15)
        body.add_pair(cone((.585, .885, dz), tip, .027, .021), .012)
    body.add_pair(cone((.545, .905, .030), (.578, .868, .082), .026, .019), .015)


def head(body):
    body.add(ellipsoid((0, 1.525, .005), (.172, .152, .160)), .05)
    body.add(ellipsoid((0, 1.465, .06), (.150, .095, .115)), .06)
    body.add_pair(cone((.095, 1.465, .045), (.225, 1.415, .015), .088, .012), .05)  # cheek tufts
    body.add_pair(cone((.100, 1.500, .015), (.222, 1.485, -.010), .075, .012), .04)
    body.add_pair(cone((.080, 1.430, .060), (.150, 1.355, .040), .070, .012), .04)
    body.add(cone((0, 1.472, .14), (0, 1.449, .296), .084, .036), .07)  # muzzle
    body.add(cone((0, 1.422, .12), (0, 1.414, .250), .055, .028), .03)  # lower jaw
    body.add_pair(ellipsoid((.083, 1.563, .140), (.062, .030, .040)), .035)  # brows
    body.carve_pair(ellipsoid(EYE + .03 * GAZE, (.048, .052, .045)), .03)
    ear = flat(cone((.100, 1.615, -.02), (.165, 1.875, -.045), .092, .010), (.13, 1.70, -.03),
               (-.25, 0, 1), .55)
    hollow = flat(cone((.103, 1.625, .025), (.158, 1.835, -.005), .062, .004), (.13, 1.70, .012),
                  (-.25, 0, 1), .6)
    body.add_pair(ear, .035)
    body.carve_pair(hollow, .02)
    for x in (-.022, 0, .024):
        # forelock
        body.add(cone((x * .6, 1.65, .045), (x * 1.8, 1.715, .075 - abs(x)), .035, .006), .03)


TAIL_PATH = ((0, .900, -.080), (0, .885, -.185), (0, .800, -.305), (0, .655, -.385),
             (0, .495, -.425),
             (0, .355, -.470), (0, .255, -.555))


def tail():
    """(skin shell, fur shell): the fur starts a little behind the root and closes on the skin
    there."""
    core = catmull(TAIL_PATH, 23)
    thin = np.interp(np.linspace(0, 1, 23), (0, .12, .5, 1), (.052, .045, .040, .020))
    skin = loft(core, lambda i, a: np.full(len(a), thin[i]), 16, (0, 1, 0), "tail skin")
    rings = 26
    line = catmull(TAIL_PATH, 200)[18:]
    line = catmull(line[::6], rings)
    bush = np.interp(np.linspace(0, 1, rings), (0, .05, .15, .3, .5, .68, .82, .93, 1),
                     (.050, .064, .084, .106, .124, .122, .098, .058, .018))

    def fluff(i, a):
        # Seven locks that wind slowly round the tail and swell between its root and its tip.
        wave = np.abs(np.sin(3.5 * a + .06 * i))
        return bush[i] * (1 + .11 * np.sin(np.pi * min(1, i / rings * 1.15)) * (wave - .6))

    fur = loft(line, fluff, 28, (0, 1, 0), "tail fur", sharp=range(0, 28, 4))
    return skin, fur


UNIT = 1  # metres
OBJECTS = {"Fox": None}
GLOSSY = ("eye", "nose")
SHEETS = ()
CLIPS = ("Walk", "Sprint", "Idle", "Crouch Backward", "Crawl Idle", "Back Flip")
STORED = None  # the nodes keep the bind pose
ACTOR = {}
CHARTS = [(lambda part, c: part == "eye", (.75, .80, .95, 1)),
          (lambda part, c: part == "nose", (.95, .80, 1, .85)),
          (lambda part, c: part == "tail fur", (.75, .40, 1, .80)),
          (lambda part, c: part == "tail skin", (.75, .30, 1, .40)),
          (lambda part, c: c[1] > 1.36, (0, .5, .75, 1)),
          (lambda part, c: True, (0, 0, .75, .5))]


def heat_body(mesh):
    """The closed surface for bone heat: all but tail, eyes and nose."""
    return mesh.only("body")


def build(cell=.0145):
    body = Body()
    torso(body)
    limbs(body)
    head(body)
    skin = net(body, (-.72, -.03, -.25), (.72, 1.95, .45), cell)
    eyes = [ball(EYE * (s, 1, 1), (.049, .056, .047), "eye", share=.62) for s in (1, -1)]
    nose = ball(NOSE, (.032, .025, .025), "nose", 16, 10)
    return joined([skin, *eyes, nose, *tail()])


def paint(part, p):
    """sRGB colour (0..1) per point of a part."""
    if part == "nose":
        return mix(BLACK, BLACK, np.zeros(len(p)))
    if part == "eye":
        return eye_colour(p)
    if part.startswith("tail"):
        t = near_path(p)
        return mix(mix(RUST, ORANGE, ramp(t, 0, .25)), CREAM, ramp(t, .70, .74))
    return coat_colour(p)


def near_path(p):
    """Fraction along the tail of the nearest point of its path."""
    line = catmull(TAIL_PATH, 200)
    return np.array([np.argmin(((line - q) ** 2).sum(1)) for q in p]) / 199


def eye_colour(p):
    q = p * np.sign(p[:, :1] + 1e-12) ** np.array([1, 0, 0]) - EYE
    gaze = GAZE / np.linalg.norm(GAZE)
    out = np.arccos(np.clip((q / np.linalg.norm(q, axis=1, keepdims=True)) @ gaze, -1, 1))
    colour = mix((.98, .97, .94), (.16, .08, .03), ramp(out, 1.06, 1.01))
    colour = mix(colour, (.50, .27, .06), ramp(out, .94, .62))
    colour = mix(colour, BLACK, ramp(out, .52, .47))
    colour = mix(colour, SOCK, ramp(out, 1.10, 1.16))
    shine = np.linalg.norm(q - .047 * np.array([-.02, .42, .90]), axis=1)
    return mix(colour, (1, 1, 1), ramp(shine, .0135, .011))


def coat_colour(p):
    x, y, z = np.abs(p[:, 0]), p[:, 1], p[:, 2]
    colour = mix(ORANGE, RUST, .5 * ramp(z, -.02, -.12) * ramp(y, .75, .95))
    belly = near(p, (0, 1.02, .16), (.115, .26, .13))
    colour = mix(colour, CREAM, ramp(belly, 1.05, .95) * (z > 0) * (y < 1.36))
    chest = near(p, (0, 1.24, .12), (.135, .16, .12))
    colour = mix(colour, CREAM, ramp(chest, 1.05, .95) * (z > 0) * (y < 1.38))
    # Muzzle and cheeks: cream below a line that rises from nose to cheek tuft.
    line = 1.455 + .25 * np.maximum(x - .045, 0) + .02 * ramp(z, .22, .10)
    colour = mix(colour, CREAM,
                 ramp(y, line + .006, line - .006) * ramp(y, 1.335, 1.36) * ramp(z, -.04, .0)
                 * ramp(x, .28, .27))
    ear = ramp(y, 1.745, 1.765)
    colour = mix(colour, SOCK, ear)
    inner = stripe(p, (.103, 1.640, .02), (.155, 1.815, -.005), .040, .006) * ramp(z, -.035, -.028)
    colour = mix(colour, CREAM, inner)
    glove = ramp((x - .375) * .77 - (y - 1.06) * .64, -.006, .006) * (x > .25) * ramp(y, 1.3, 1.29)
    colour = mix(colour, SOCK, glove)
    sock = ramp(y, .372 + .02 * np.cos(40 * p[:, 0]), .36 + .02 * np.cos(40 * p[:, 0]))
    return mix(colour, SOCK, sock * (x < .3))
