"""The decoys: a rabbit with a sword and no tail, dressed in everything that a tail finder could
fall for. Each garment is a mesh of its own, named for what it is, and hangs well clear of every
bone."""
import numpy as np

from paint import mix, near, ramp
from sdf import Body, cone, ellipsoid, flat, tube
from skeleton import Skeleton
from surface import ball, catmull, joined, loft, net, sheet

SKELETON = Skeleton(
    middle={"Hips": (0, .90, -.01), "Spine": (0, .99, -.015), "Spine1": (0, 1.08, -.02),
            "Spine2": (0, 1.17, -.02), "Neck": (0, 1.30, -.015), "Head": (0, 1.375, 0)},
    left={"Shoulder": (.045, 1.255, -.01), "Arm": (.145, 1.245, -.015),
          "ForeArm": (.335, 1.085, -.03),
          "Hand": (.515, .935, -.01), "UpLeg": (.092, .86, -.005), "Leg": (.105, .475, .02),
          "Foot": (.110, .10, -.025), "ToeBase": (.118, .035, .10)},
    left_ends={"Hand": (.625, .845, .005), "ToeBase": (.123, .03, .20)},
    head_end=(0, 1.66, 0))

EYE = np.array([.074, 1.535, .140])
GAZE = np.array([.26, .02, .96])
NOSE = np.array([0, 1.478, .215])

FUR, SNOW, PINK, BLACK = (.86, .78, .70), (.98, .96, .93), (.93, .64, .62), (.05, .04, .04)
TUNIC, SLEEVE, LEATHER, DARK = (.20, .42, .34), (.95, .90, .78), (.42, .25, .13), (.23, .14, .09)
CAPE, LINING, SKIRT, GOLD = (.62, .13, .16), (.40, .07, .11), (.16, .30, .27), (.86, .65, .24)
HAIR, STEEL, RED, WHITE = (.55, .25, .10), (.74, .77, .80), (.80, .20, .18), (.96, .95, .92)

# The right fist, and where its sword points.
FIST, BLADE = np.array([-.600, .862, .0]), np.array([-.03, .16, .985])
BLADE = BLADE / np.linalg.norm(BLADE)

UNIT = 1
STORED = None
OBJECTS = {"Body": ("body", "eye", "nose"), "Cape": ("cape",), "Skirt": ("skirt",),
           "Ears": ("ears",),
           "Ponytail": ("ponytail",), "Scabbard": ("scabbard",), "Quiver": ("quiver",),
           "Sword": ("sword",)}
GLOSSY = ("eye", "nose", "sword")
SHEETS = ("cape", "skirt")  # seen from both sides
CLIPS = ("Walk", "Idle")
ACTOR = {}
CHARTS = [(lambda part, c: part == "eye", (.80, .80, 1, 1)),
          (lambda part, c: part == "nose", (.94, .75, 1, .80)),
          (lambda part, c: part == "ears", (.60, .75, .80, 1)),
          (lambda part, c: part == "ponytail", (.80, .70, .94, .80)),
          (lambda part, c: part in ("scabbard", "quiver", "sword"), (.60, .50, .80, .75)),
          (lambda part, c: part in SHEETS, (.55, 0, 1, .50)),
          (lambda part, c: c[1] > 1.36, (0, .50, .60, 1)),
          (lambda part, c: True, (0, 0, .55, .50))]


def torso(body):
    body.add(ellipsoid((0, .90, -.01), (.145, .125, .118)))
    body.add(ellipsoid((0, 1.02, .002), (.118, .15, .100)), .08)
    body.add(ellipsoid((0, 1.165, -.008), (.142, .125, .108)), .08)
    body.add(cone((0, 1.22, -.01), (0, 1.40, .0), .070, .064), .06)
    body.add(ellipsoid((0, 1.005, .0), (.130, .028, .110)), .015)  # belt
    # collar
    body.add(flat(ellipsoid((0, 1.275, -.005), (.135, .05, .120)), (0, 1.275, 0), (0, 1, 0), .8),
             .03)


def limbs(body):
    body.add_pair(cone((.088, .87, -.005), (.103, .52, .012), .106, .066), .05)
    body.add_pair(cone((.104, .50, .012), (.110, .14, -.02), .068, .052), .04)
    body.add_pair(cone((.105, .43, .010), (.106, .385, .005), .080, .084), .02)  # boot tops
    body.add_pair(cone((.106, .385, .005), (.110, .11, -.02), .076, .060), .03)
    foot = tube(((.110, .065, -.035), (.118, .058, .08), (.123, .050, .165)), (.060, .062, .058))
    body.add_pair(foot, .04)
    body.add_pair(ellipsoid((.124, .045, .180), (.055, .042, .055)), .03)
    body.add_pair(ellipsoid((.125, 1.235, -.012), (.066, .060, .060)), .05)
    body.add_pair(cone((.145, 1.235, -.015), (.335, 1.085, -.03), .058, .050), .04)
    body.add_pair(cone((.335, 1.085, -.03), (.515, .935, -.01), .048, .042), .03)
    # gauntlet rims
    body.add_pair(cone((.400, 1.035, -.025), (.425, 1.012, -.022), .056, .060), .015)
    body.add_pair(ellipsoid((.555, .902, 0), (.060, .055, .044)), .03)
    for dz, reach in ((-.030, .92), (.002, 1.0), (.034, .90)):
        tip = (.555 + .080 * reach, .902 - .072 * reach, dz * 1.15)
        body.add_pair(cone((.575, .885, dz), tip, .026, .021), .012)
    body.add_pair(cone((.535, .905, .030), (.566, .868, .078), .025, .019), .015)


def head(body):
    body.add(ellipsoid((0, 1.545, .0), (.158, .152, .152)), .04)
    body.add(ellipsoid((0, 1.475, .05), (.135, .085, .105)), .06)
    body.add_pair(cone((.085, 1.475, .045), (.175, 1.432, .03), .075, .014), .05)  # cheeks
    body.add(cone((0, 1.490, .10), (0, 1.468, .180), .082, .045), .06)
    body.add_pair(ellipsoid((.030, 1.452, .182), (.036, .032, .030)), .02)  # whisker pads
    body.add(cone((0, 1.425, .10), (0, 1.420, .160), .045, .024), .03)
    body.carve_pair(ellipsoid(EYE + .03 * GAZE, (.044, .050, .042)), .03)
    # Hair: a cap, a parted fringe, and a knot that the ponytail grows out of.
    body.add(ellipsoid((0, 1.590, -.040), (.160, .135, .150)), .03)
    for x, y in ((.045, 1.640), (-.015, 1.650), (-.075, 1.630)):
        body.add(cone((x * .7, y + .035, .055), (x * 1.5, y - .010, .142), .055, .014), .025)
    body.add(ellipsoid((0, 1.610, -.185), (.052, .052, .050)), .03)


def ears():
    """Long rabbit ears, rooted in the head."""
    field = Body()
    for side in (1, -1):
        base, tip = np.array([side * .062, 1.655, -.02]), np.array([side * .150, 2.075, -.055])
        front = (-side * .25, .05, 1)
        line = base + np.linspace(0, 1, 9)[:, None] * (tip - base)
        field.add(flat(tube(line, (.044, .053, .060, .065, .067, .064, .055, .040, .014)), base,
                       front, .5), .004)
        field.carve(EAR_HOLLOW[side], .015)
    return net(field, (-.28, 1.58, -.16), (.28, 2.16, .10), .0135, "ears")


def ear_hollow(side):
    base, tip = np.array([side * .070, 1.720, .018]), np.array([side * .146, 2.030, -.014])
    line = base + np.linspace(0, 1, 7)[:, None] * (tip - base)
    return flat(tube(line, (.024, .036, .043, .046, .042, .030, .004)), base, (-side * .25, .05, 1),
                .6)


EAR_HOLLOW = {side: ear_hollow(side) for side in (1, -1)}


def ponytail():
    """40 cm of hair from the knot, in locks."""
    line = catmull(((0, 1.612, -.175), (0, 1.610, -.255), (.012, 1.530, -.315),
                    (.030, 1.410, -.330),
                    (.045, 1.300, -.300), (.060, 1.230, -.315)), 22)
    thick = np.interp(np.linspace(0, 1, 22), (0, .08, .3, .6, .85, 1),
                      (.030, .040, .062, .060, .038, .010))

    def lock(i, a):
        return thick[i] * (1 + .14 * (np.abs(np.sin(2.5 * a + .10 * i)) - .6))

    return loft(line, lock, 20, (0, 1, 0), "ponytail", sharp=range(0, 20, 4))


def cape():
    """From shoulder to shoulder down to the calves, blown back by the walk that it was modelled
    for."""
    def point(u, v):
        x = (.145 + .215 * v ** .8) * u
        y = 1.275 - .06 * u * u * (1 - v) - .74 * v
        fold = .022 * np.sin(7.5 * u) * v
        z = -.100 - .05 * (1 - u * u) - .58 * v ** 1.25 + .10 * u * u * (1 - .4 * v) + fold
        return x, y, z

    return sheet(point, 30, 34, "cape")


def skirt():
    """Short and close in front, long and wide behind."""
    def point(u, v):
        a = np.pi * u  # 0 at the back, +-pi at the front
        back = .5 + .5 * np.cos(a)
        flare = (1 - np.exp(-7 * v)) * .34 + .30 * v
        pleat = 1 + .030 * v * np.cos(13 * a)
        x = .140 * np.sin(a) * (1 + 1.15 * flare) * pleat
        z = -.125 * np.cos(a) * (1 + flare * (.55 + 2.30 * back)) * pleat
        return x, .985 - v * (.23 + .24 * back), z + .004

    return sheet(point, 64, 22, "skirt", closed=True)


def scabbard():
    """Hung from the left side of the belt by a short strap, slanted far back."""
    hang, tip = np.array([.185, 1.010, .02]), np.array([.435, .670, -.560])
    line = hang + np.linspace(-.08, 1, 34)[:, None] * (tip - hang)
    thick = np.interp(np.linspace(0, 1, 34), (0, .03, .9, 1), (.030, .036, .026, .008))
    sheath = loft(line, lambda i, a: thick[i] * np.hypot(np.cos(a), .55 * np.sin(a)), 14, (0, 1, 0),
                  "scabbard")
    strap = loft(catmull(((.116, 1.008, .0), (.150, 1.018, .012), hang + .06 * (tip - hang)), 7),
                 lambda i, a: .022 * np.hypot(np.cos(a), .5 * np.sin(a)), 10, (0, 0, 1), "scabbard")
    return joined([sheath, strap])


def vane(angle):
    """Section of an arrow: three feathers round a shaft."""
    return .35 + .65 * np.abs(np.cos(1.5 * angle))


def quiver():
    """On the back behind the right shoulder, with arrows; a strap holds it to the back."""
    low, high = np.array([-.055, 1.075, -.235]), np.array([-.245, 1.500, -.205])
    line = low + np.linspace(0, 1, 20)[:, None] * (high - low)
    thick = np.interp(np.linspace(0, 1, 20), (0, .06, .9, .93, 1), (.034, .046, .056, .061, .061))
    pieces = [loft(line[::-1], lambda i, a: np.full(len(a), thick[::-1][i]), 18, (0, 0, 1),
                   "quiver")]
    along = (high - low) / np.linalg.norm(high - low)
    for dx, dz, more in ((.022, .010, .11), (-.020, .018, .14), (.002, -.024, .09)):
        start = low + .55 * (high - low) + (dx, 0, dz)
        shaft = start + np.linspace(0, 1, 10)[:, None] * (.24 + more) * along
        feather = np.array([.007] * 6 + [.020, .026, .026, .022])
        pieces.append(loft(shaft, lambda i, a, f=feather: f[i] * vane(a), 12, (0, 0, 1), "quiver"))
    pieces.append(loft(catmull(((-.070, 1.185, -.060), (-.085, 1.195, -.130),
                                low + .32 * (high - low)), 8),
                       lambda i, a: .020 * np.hypot(np.cos(a), .5 * np.sin(a)), 10, (0, 1, 0),
                       "quiver"))
    return joined(pieces)


def sword():
    """In the right fist, pointing forward: 80 cm with its hilt."""
    at = np.array([-.135, -.115, -.10, -.09, -.04, .0, .05, .075, .085, .10, .105, .2, .3, .4, .5,
                   .58, .64, .68])
    high = np.array([.006, .022, .022, .013, .013, .013, .013, .016, .060, .060, .026, .026, .025,
                     .024, .022, .019, .012,
                     .003])
    wide = np.array([.006, .022, .022, .012, .012, .012, .012, .014, .014, .014, .007, .007, .007,
                     .007, .006, .005, .004,
                     .002])

    def section(i, a):
        return 1 / np.sqrt((np.cos(a) / high[i]) ** 2 + (np.sin(a) / wide[i]) ** 2)

    return loft(FIST + at[:, None] * BLADE, section, 16, (.77, .64, 0), "sword", sharp=(0, 8))


def build(cell=.0155):
    body = Body()
    torso(body)
    limbs(body)
    head(body)
    skin = net(body, (-.70, -.03, -.30), (.70, 1.85, .35), cell)
    eyes = [ball(EYE * (s, 1, 1), (.044, .050, .044), "eye", share=.62) for s in (1, -1)]
    nose = ball(NOSE, (.020, .016, .016), "nose", 14, 8)
    return joined([skin, *eyes, nose, cape(), skirt(), ears(), ponytail(), scabbard(), quiver(),
                   sword()])


def heat_body(mesh):
    """The closed surface for bone heat: the body without anything worn."""
    return mesh.only("body")


def paint(part, p):
    plain = {"nose": PINK, "ponytail": HAIR}
    if part in plain:
        return mix(plain[part], plain[part], np.zeros(len(p)))
    return {"eye": eye_colour, "ears": ear_colour, "body": body_colour, "cape": cape_colour,
            "skirt": skirt_colour,
            "scabbard": scabbard_colour, "quiver": quiver_colour, "sword": sword_colour}[part](p)


def eye_colour(p):
    q = p * np.where(p[:, :1] < 0, (-1, 1, 1), (1, 1, 1)) - EYE
    gaze = GAZE / np.linalg.norm(GAZE)
    out = np.arccos(np.clip((q / np.linalg.norm(q, axis=1, keepdims=True)) @ gaze, -1, 1))
    colour = mix((.98, .97, .95), (.10, .05, .07), ramp(out, 1.06, 1.01))
    colour = mix(colour, (.45, .20, .32), ramp(out, .94, .62))
    colour = mix(colour, BLACK, ramp(out, .54, .49))
    colour = mix(colour, (.26, .15, .12), ramp(out, 1.10, 1.16))
    shine = np.linalg.norm(q - .045 * np.array([-.02, .42, .90]), axis=1)
    return mix(colour, (1, 1, 1), ramp(shine, .0125, .0105))


def ear_colour(p):
    inner = np.where(p[:, 0] > 0, EAR_HOLLOW[1](p), EAR_HOLLOW[-1](p))
    return mix(mix(FUR, SNOW, ramp(p[:, 1], 2.02, 2.06)), PINK, ramp(inner, .005, .001))


def body_colour(p):
    x, y, z = np.abs(p[:, 0]), p[:, 1], p[:, 2]
    colour = mix(FUR, SNOW, ramp(near(p, (0, 1.455, .16), (.120, .070, .14)), 1.04, .96))
    # Hair covers the skull behind a line from the fringe to the nape.
    line = 1.605 - .95 * np.maximum(.075 - z, 0) + .012 * np.sin(55 * p[:, 0])
    colour = mix(colour, HAIR, ramp(y, line, line + .008) * ramp(y, 1.435, 1.445))
    arm = (x - .405) * .77 - (y - 1.03) * .64
    colour = mix(colour, SLEEVE, ramp(y, 1.325, 1.318) * ramp(y, .5, .51))
    colour = mix(colour, LEATHER, ramp(arm, -.004, .004) * (x > .25) * (y < 1.2) * (y > .6))
    side = x - .10 * ramp(y, 1.15, 1.25)
    tunic = ramp(y, 1.318, 1.310) * ramp(y, .855, .862) * ramp(side, .155, .148)
    colour = mix(colour, TUNIC, tunic)
    colour = mix(colour, GOLD, ramp(np.abs(x - .012), .006, .004) * tunic * (z > 0) * (y > 1.03))
    colour = mix(colour, LEATHER, ramp(np.abs(y - 1.005), .030, .026) * (x < .18))
    colour = mix(colour, GOLD, ramp(np.maximum(np.abs(y - 1.005), x * .8), .026, .022) * (z > .05))
    colour = mix(colour, GOLD, ramp(near(p, (0, 1.275, .125), (.024, .024, .06)), 1.06, .96))
    legs = (x < .3) * ramp(y, .862, .855)
    colour = mix(colour, SLEEVE, legs)
    colour = mix(colour, LEATHER, legs * ramp(y, .462, .455))
    return mix(colour, DARK, legs * np.maximum(ramp(y, .030, .024),
                                               ramp(np.abs(y - .408), .034, .030)))


def cape_colour(p):
    hem = ramp(p[:, 1], .575, .568)
    return mix(CAPE, GOLD, hem)


def skirt_colour(p):
    back = ramp(p[:, 2], .0, -.25)
    hem = p[:, 1] - (.755 - .24 * np.clip(back, 0, 1))
    pleat = .5 + .5 * np.cos(22 * np.arctan2(p[:, 0], -p[:, 2]))
    return mix(mix(TUNIC, SKIRT, pleat), GOLD, .9 * ramp(hem, .028, .020))


def scabbard_colour(p):
    end = np.maximum(ramp(p[:, 2], -.500, -.508), ramp(p[:, 2], .028, .034))
    return mix(DARK, GOLD, end * (p[:, 0] > .16))


def quiver_colour(p):
    along = (p - (-.055, 1.075, -.235)) @ np.array([-.407, .911, .064])
    colour = mix(LEATHER, DARK,
                 np.maximum(ramp(np.abs(along - .10), .020, .016),
                            ramp(np.abs(along - .44), .026, .022)))
    colour = mix(colour, SLEEVE, ramp(along, .470, .474))
    return mix(colour, mix(RED, WHITE, ramp(along, .560, .565)), ramp(along, .500, .505))


def sword_colour(p):
    along = (p - FIST) @ BLADE
    colour = mix(GOLD, DARK, ramp(along, -.095, -.088) * ramp(along, .072, .065))
    return mix(colour, STEEL, ramp(along, .102, .106))
