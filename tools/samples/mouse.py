"""The mouse: about 1.45 m to the ear tips, big-headed, with a long thin tail that grows out of the
body in one piece, reaches the floor and lies there in a curve to its left. Its armature is in
centimetres at scale 0.01, and the pose left in its nodes is a frame of Walk."""
import numpy as np

from paint import mix, near, ramp
from sdf import Body, cone, ellipsoid, flat, tube
from skeleton import Skeleton
from surface import ball, catmull, joined, net

# The thighs turn about heads that lie low and far out, and the hips' bone is long: on a body this
# wide and short that is what leaves the skin around the tail's root to the hips.
SKELETON = Skeleton(
    middle={"Hips": (0, .550, -.012), "Spine": (0, .660, -.015), "Spine1": (0, .722, -.020),
            "Spine2": (0, .783, -.020), "Neck": (0, .845, -.010), "Head": (0, .900, .005)},
    left={"Shoulder": (.035, .815, -.01), "Arm": (.118, .805, -.01), "ForeArm": (.245, .695, -.02),
          "Hand": (.365, .590, -.005), "UpLeg": (.100, .470, .012), "Leg": (.098, .285, .020),
          "Foot": (.101, .075, -.02), "ToeBase": (.115, .028, .085)},
    left_ends={"Hand": (.450, .515, .005), "ToeBase": (.123, .022, .175)},
    head_end=(0, 1.22, 0))

EYE = np.array([.078, 1.045, .160])
GAZE = np.array([.22, .02, .97])
NOSE = np.array([0, .985, .285])

GREY, SLATE, CREAM = (.62, .60, .62), (.42, .40, .44), (.95, .92, .87)
PINK, BLACK = (.93, .62, .60), (.05, .04, .05)
BLUE, NAVY, YELLOW, RED = (.18, .36, .62), (.11, .23, .43), (.95, .72, .20), (.85, .24, .20)

EAR_HOLLOW = flat(ellipsoid((.192, 1.272, .020), (.118, .128, .120)), (.192, 1.272, .020),
                  (-.30, .05, 1), .30)

TAIL_PATH = ((0, .572, -.085), (0, .552, -.165), (-.012, .465, -.255), (-.034, .325, -.315),
             (-.032, .185, -.360),
             (.040, .078, -.425), (.160, .036, -.495), (.295, .027, -.545), (.425, .025, -.535),
             (.525, .023, -.465))
TAIL_RADIUS = (.040, .032, .028, .025, .023, .021, .019, .017, .015, .012)

UNIT = 100  # centimetres
OBJECTS = {"Mouse": None}
GLOSSY = ("eye", "nose")
SHEETS = ()
CLIPS = ("Walk", "Sprint", "Idle", "Crouch Backward", "Crawl Idle", "Back Flip")
STORED = ("Walk", 8)  # the clip and frame whose pose the nodes keep
ACTOR = {"heel_back": .06, "heel_high": .012, "toe_thick": 0, "toe_reach": .02, "palm": .036,
         "knee": .063, "instep": .080,
         "crawl_pitch": 70, "crawl_hand": .375}
CHARTS = [(lambda part, c: part == "eye", (.75, .80, .95, 1)),
          (lambda part, c: part == "nose", (.95, .80, 1, .85)),
          (lambda part, c: part == "tail", (.75, .30, 1, .75)),
          (lambda part, c: c[1] > .875, (0, .5, .75, 1)),
          (lambda part, c: True, (0, 0, .75, .5))]


def torso(body):
    body.add(ellipsoid((0, .570, -.004), (.152, .125, .132)))
    body.add(ellipsoid((0, .660, .012), (.132, .125, .122)), .06)
    body.add(ellipsoid((0, .770, -.005), (.122, .090, .095)), .06)
    body.add(cone((0, .81, -.005), (0, .92, .0), .062, .060), .05)


def limbs(body):
    body.add_pair(cone((.088, .525, 0), (.096, .315, .012), .090, .062), .04)
    body.add_pair(cone((.096, .315, .012), (.101, .105, -.015), .060, .040), .03)
    # rolled trouser cuffs
    body.add_pair(cone((.097, .270, .009), (.099, .232, .004), .066, .067), .02)
    foot = tube(((.101, .050, -.035), (.111, .047, .07), (.121, .038, .150)), (.048, .058, .050))
    body.add_pair(foot, .03)
    for dx in (-.040, 0, .040):
        body.add_pair(ellipsoid((.123 + dx, .032, .175 - abs(dx) * .4), (.026, .031, .040)), .012)
    body.add_pair(ellipsoid((.100, .800, -.010), (.056, .050, .052)), .04)
    body.add_pair(cone((.118, .800, -.010), (.245, .695, -.02), .048, .040), .03)
    body.add_pair(cone((.245, .695, -.02), (.365, .590, -.005), .040, .034), .03)
    body.add_pair(cone((.205, .728, -.015), (.222, .714, -.016), .052, .054), .035)  # sleeve hem
    body.add_pair(ellipsoid((.395, .563, .0), (.048, .044, .037)), .02)
    for dz, reach in ((-.026, .9), (.002, 1.0), (.030, .88)):
        tip = (.395 + .068 * reach, .563 - .060 * reach, dz * 1.2)
        body.add_pair(cone((.408, .552, dz), tip, .022, .018), .010)
    body.add_pair(cone((.380, .570, .026), (.402, .540, .068), .021, .016), .012)


def head(body):
    body.add(ellipsoid((0, 1.055, .005), (.178, .160, .165)), .04)
    body.add(ellipsoid((0, .985, .055), (.150, .090, .115)), .06)
    body.add_pair(ellipsoid((.105, .975, .060), (.075, .062, .070)), .05)  # cheeks
    body.add(cone((0, .998, .12), (0, .982, .245), .088, .042), .06)  # muzzle
    body.add(cone((0, .948, .11), (0, .940, .205), .050, .026), .03)
    body.add_pair(cone((.05, .975, .20), (.062, .965, .215), .034, .028), .03)  # whisker pads
    body.carve_pair(ellipsoid(EYE + .03 * GAZE, (.046, .052, .044)), .03)
    ear = flat(ellipsoid((.190, 1.270, -.035), (.150, .160, .150)), (.190, 1.270, -.035),
               (-.30, .05, 1), .26)
    body.add_pair(ear, .04)
    body.carve_pair(EAR_HOLLOW, .02)
    for x in (-.03, 0, .026):
        # tuft
        body.add(cone((x * .5, 1.185, .03), (x * 1.9, 1.262, .055 - abs(x)), .036, .006), .03)


def body_field():
    body = Body()
    torso(body)
    limbs(body)
    head(body)
    return body


def tail_distance(p):
    path = catmull(TAIL_PATH, 40)
    at = np.linspace(0, 1, 40)
    radii = np.interp(at, np.linspace(0, 1, len(TAIL_RADIUS)), TAIL_RADIUS)
    return tube(path, radii)(p)


BOX = ((-.60, -.03, -.62), (.62, 1.48, .40))


def build(cell=.0115):
    field = body_field()
    field.add(tail_distance, .035)
    skin = net(field, *BOX, cell)
    mark_tail(skin)
    eyes = [ball(EYE * (s, 1, 1), (.047, .055, .047), "eye", share=.62) for s in (1, -1)]
    nose = ball(NOSE, (.030, .024, .024), "nose", 16, 10)
    return joined([skin, *eyes, nose])


def mark_tail(skin):
    """Tail are the faces nearer to the tail's tube than to the body's shape, beyond the fillet
    between both."""
    body = body_field()
    for i, face in enumerate(skin.faces):
        centre = skin.points[face].mean(0)[None]
        if centre[0, 2] < -.10 and tail_distance(centre)[0] < .012 and body(centre)[0] > .004:
            skin.parts[i] = "tail"


def heat_body(mesh, cell=.0125):
    """The closed surface for bone heat: the same body, meshed without its tail."""
    return net(body_field(), *BOX, cell)


def paint(part, p):
    if part == "nose":
        return mix(PINK, PINK, np.zeros(len(p)))
    if part == "eye":
        return eye_colour(p)
    return coat_colour(p)


def eye_colour(p):
    q = p * np.where(p[:, :1] < 0, (-1, 1, 1), (1, 1, 1)) - EYE
    gaze = GAZE / np.linalg.norm(GAZE)
    out = np.arccos(np.clip((q / np.linalg.norm(q, axis=1, keepdims=True)) @ gaze, -1, 1))
    colour = mix((.98, .97, .95), (.05, .06, .10), ramp(out, 1.04, .99))
    colour = mix(colour, (.16, .34, .48), ramp(out, .86, .60))
    colour = mix(colour, BLACK, ramp(out, .54, .49))
    colour = mix(colour, (.17, .16, .19), ramp(out, 1.10, 1.16))
    shine = np.linalg.norm(q - .048 * np.array([-.02, .42, .90]), axis=1)
    return mix(colour, (1, 1, 1), ramp(shine, .0135, .011))


def coat_colour(p):
    x, y, z = np.abs(p[:, 0]), p[:, 1], p[:, 2]
    colour = mix(GREY, SLATE, .7 * ramp(z, .02, -.12) * ramp(y, .9, 1.0))
    colour = mix(colour, CREAM, ramp(near(p, (0, .965, .20), (.135, .075, .16)), 1.03, .97))
    colour = mix(colour, PINK,
                 ramp(EAR_HOLLOW(p * np.where(p[:, :1] < 0, (-1, 1, 1), (1, 1, 1))), .006, .002))
    colour = mix(colour, PINK, ramp(y, .088, .078) * (x < .25) * (z > -.1))  # feet
    hand = (x - .350) * .75 - (y - .605) * .66
    colour = mix(colour, PINK, ramp(hand, -.003, .003) * (x > .25) * (y < .75))
    sleeve = (x - .232) * .75 - (y - .705) * .66
    shirt = ramp(sleeve, .003, -.003) * ramp(y, .872, .866) * ramp(y, .55, .56)
    band = .5 + .5 * np.sign(np.sin(y * 2 * np.pi / .055))
    colour = mix(colour, mix(YELLOW, (.97, .85, .52), band), shirt)
    colour = overalls(colour, p, x, y, z)
    skin = ramp(tail_distance(p), .012, .006) * ramp(z, -.128, -.132) * ramp(y, .60, .59)
    return mix(colour, PINK, skin)


def overalls(colour, p, x, y, z):
    """Blue trousers with cuffs, a bib, straps over the shoulders and two buttons."""
    trousers = ramp(y, .668, .662) * ramp(y, .204, .210) * (x < np.where(y > .58, .17, .24))
    colour = mix(colour, BLUE, trousers)
    bib = ramp(y, .772, .766) * ramp(x, .078, .072) * (z > 0) * (y > .6)
    colour = mix(colour, BLUE, bib)
    strap = ramp(np.abs(x - .062), .020, .016) * ramp(y, .866, .860) * (y > .66)
    colour = mix(colour, BLUE, strap)
    colour = mix(colour, NAVY, ramp(y, .292, .288) * ramp(y, .204, .210) * (x < .24) * (z > -.12))
    colour = mix(colour, NAVY, ramp(np.abs(y - .664), .008, .006) * (x < .17))
    button = np.hypot(x - .060, y - .752)
    colour = mix(colour, RED, ramp(button, .015, .012) * (z > 0))
    return mix(colour, NAVY, ramp(near(p, (0, .715, .13), (.034, .026, .2)), 1.03,
                                  .97) * (z > 0) * .6)
