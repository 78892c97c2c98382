"""An artist's mannequin: wooden limbs on dark joints, 17 groups, 1180 units tall. Units of the game; Y up, front +Z, left +X."""

from __future__ import annotations

from dataclasses import dataclass, field

import numpy as np

from ..core.lba.files.palette import Palette
from .shapes import Floats, Paint, Shape, lathe, loft

# The palette: 16 ramps, each from its shadow over its colour to its light.
RAMPS = {
    "grey": ((8, 9, 14), (112, 114, 122), (250, 250, 252)),
    "wood": ((70, 34, 22), (206, 142, 80), (255, 226, 168)),
    "walnut": ((20, 12, 14), (78, 48, 38), (158, 114, 88)),
    "blue": ((14, 22, 62), (38, 88, 178), (142, 196, 255)),
    "red": ((56, 10, 24), (190, 42, 40), (255, 150, 116)),
    "yellow": ((92, 52, 10), (232, 180, 44), (255, 246, 170)),
    "green": ((10, 36, 30), (48, 136, 74), (172, 232, 150)),
    "teal": ((8, 36, 48), (34, 136, 146), (160, 238, 232)),
    "violet": ((32, 14, 58), (116, 70, 168), (216, 180, 252)),
    "pink": ((70, 18, 48), (212, 98, 142), (255, 204, 220)),
    "orange": ((74, 26, 10), (226, 118, 36), (255, 212, 140)),
    "skin": ((74, 34, 32), (214, 150, 122), (255, 226, 206)),
    "olive": ((34, 34, 12), (122, 122, 52), (218, 216, 142)),
    "sky": ((34, 62, 104), (112, 168, 220), (226, 244, 255)),
    "stone": ((36, 32, 34), (136, 126, 116), (234, 226, 212)),
    "night": ((4, 4, 14), (30, 34, 72), (104, 116, 172)),
}


def colour(ramp: str, shade: int = 0) -> int:
    """An index into the palette."""
    return 16 * list(RAMPS).index(ramp) + shade


def palette() -> Palette:
    ramps = np.array(list(RAMPS.values()), np.float64)
    shade = np.arange(16)[:, None] / 15
    halves = np.where(shade < 0.5, ramps[:, None, 0] * (1 - 2 * shade) + ramps[:, None, 1] * 2 * shade, 0)
    halves += np.where(shade >= 0.5, ramps[:, None, 1] * (2 - 2 * shade) + ramps[:, None, 2] * (2 * shade - 1), 0)
    return Palette(np.floor(halves + 0.5).astype(np.uint8).reshape(256, 3))


WOOD = Paint(9, colour("wood"), 256)
JOINT = Paint(9, colour("walnut"), 300)
CHEST = Paint(9, colour("blue"), 272)
TRUNKS = Paint(9, colour("red"), 288)
SHOE = Paint(9, colour("red"), 272)
SOLE = Paint(7, colour("walnut"), 400)
BADGE = Paint(0, colour("yellow", 11))

# The feet, for the one that walks on them: where the sole touches the ground, from the ankle (height, forward).
ANKLE = 58.0
HEEL, BALL, TOE = (-ANKLE, -52.0), (-ANKLE, 76.0), (-ANKLE + 14, 128.0)

LINES = [("mouth left", "mouth right", colour("walnut", 1))]
SPHERES = [("left eye", 13, colour("night", 1)), ("right eye", 13, colour("night", 1))]
"""Between and around the marks of the face."""

THIGH, SHIN = 268.0, 254.0
HIP_HEIGHT, HIP_WIDTH = ANKLE + SHIN + THIGH, 66.0
HIPS = (0.0, 600.0, 0.0)


@dataclass(frozen=True)
class Segment:
    """A group of the body: what it hangs on, where (character space, at rest), and what is drawn.

    marks: named points of the segment without a surface, relative to `position`, for lines and spheres.
    """

    name: str
    parent: str | None
    position: tuple[float, float, float]
    shapes: tuple[Shape, ...] = ()
    marks: dict[str, tuple[float, float, float]] = field(default_factory=dict)


def limb(length: float, joint: float, thick: float, thin: float, belly: float = 0, top: float = 0) -> Shape:
    """A ball joint at the origin, and below it a tapered piece of wood that ends just before the next joint at -length.

    joint, thick, thin: radii of the ball and the ends of the wood. belly: of the wood in between. top: of the ball's flat end.
    """
    ball = [(joint * 0.85, top, top) if top else (joint, 0, 0), (joint * 0.3, joint, joint)]
    middle = [(-length * 0.36, belly, belly * 1.08, 2)] if belly else []
    wood = [(-joint * 0.9, thick, thick), *middle, (-length + joint * 0.55, thin, thin)]
    return lathe(6, ball + wood, [JOINT, JOINT] + [WOOD] * (len(wood) - 1), JOINT.flat if top else None, WOOD.flat)


def hand() -> Shape:
    """Hanging down, the palm to the right: a mitten."""
    return lathe(6, [(22, 16, 16), (-34, 17, 38, 4), (-104, 9, 24, 6)], [WOOD, WOOD], JOINT.flat, WOOD.flat)


def thumb() -> Shape:
    points = np.array([(8, -16, 30), (-10, -16, 30), (0, -44, 32), (-4, -62, 62)], np.float64)
    return Shape(points, (((0, 3, 2), WOOD.flat), ((0, 1, 3), WOOD.flat), ((1, 2, 3), WOOD.flat), ((0, 2, 1), WOOD.flat)))


def foot() -> Shape:
    """Sections from the toes to the heel: half width of the sole, height of its edge and of the back of the foot."""

    def section(forward: float, half: float, sole: float, top: float, narrow: float) -> Floats:
        out = 0.1 * forward  # the toes point a little outwards
        corners = [(-half, sole), (half, sole), (narrow, top), (-narrow, top)]
        return np.array([(x + out, y, forward) for x, y in corners])

    rings = [
        section(TOE[1], 26, TOE[0], TOE[0] + 14, 20),
        section(BALL[1], 44, BALL[0], -22, 27),
        section(6, 34, -ANKLE, 20, 22),
        section(HEEL[1], 29, HEEL[0], -2, 19),
    ]
    shape = loft(rings, [SHOE] * 3, SHOE.flat, SHOE.flat)
    soles = [{0, 1, 4, 5}, {4, 5, 8, 9}, {8, 9, 12, 13}]
    return Shape(shape.points, tuple((corners, SOLE if set(corners) in soles else paint) for corners, paint in shape.faces))


def pelvis() -> tuple[Shape, ...]:
    waist = lathe(6, [(128, 54, 42), (52, 70, 54)], [JOINT])
    block = lathe(8, [(64, 92, 64), (10, 116, 78), (-52, 62, 56)], [TRUNKS, TRUNKS], TRUNKS.flat, TRUNKS.flat)
    return waist, block


def chest() -> tuple[Shape, ...]:
    """The pivot is the waist."""
    profile = [(272, 72, 52, -4), (232, 128, 78, -2), (130, 132, 92, 4), (8, 84, 62)]
    trunk = lathe(8, profile, [CHEST, CHEST, WOOD], CHEST.flat, WOOD.flat)
    badge = np.array([(0, 216, 78), (-26, 184, 84), (0, 152, 91), (26, 184, 84)], np.float64)
    return trunk, Shape(badge, (((0, 1, 2, 3), BADGE),))


def head() -> tuple[Shape, ...]:
    """The pivot is the neck's foot."""
    neck = lathe(6, [(60, 34, 34), (-26, 42, 42)], [JOINT])
    skull = [(208, 0, 0), (186, 52, 58), (132, 84, 92), (76, 78, 86, 2), (30, 46, 54, 10)]
    return neck, lathe(8, skull, [WOOD] * 4, end=WOOD.flat)


def figure() -> tuple[Segment, ...]:
    """All segments, parents before children."""
    waist, neck = (0, 692, 0), (0, 968, 0)
    face = {
        "left eye": (27.0, 112.0, 78.0),
        "right eye": (-27.0, 112.0, 78.0),
        "mouth left": (20.0, 58.0, 73.0),
        "mouth right": (-16.0, 50.0, 71.0),
    }
    segments = [
        Segment("root", None, (0, 0, 0)),
        Segment("bob", "root", HIPS),
        Segment("hips", "bob", HIPS, pelvis()),
        Segment("chest", "hips", waist, chest()),
        Segment("head", "chest", neck, head(), face),
    ]
    arm = [
        Segment("upper arm", "chest", (162, 912, 0), (limb(200, 46, 36, 26, top=28),)),
        Segment("forearm", "upper arm", (162, 712, 0), (limb(186, 33, 31, 19),)),
        Segment("hand", "forearm", (162, 526, 0), (hand(), thumb())),
    ]
    leg = [
        Segment("thigh", "hips", (HIP_WIDTH, HIP_HEIGHT, 0), (limb(THIGH, 54, 50, 33, belly=52),)),
        Segment("shin", "thigh", (HIP_WIDTH, HIP_HEIGHT - THIGH, 0), (limb(SHIN, 41, 35, 21, belly=41),)),
        Segment("foot", "shin", (HIP_WIDTH, ANKLE, 0), (foot(),)),
    ]
    for chain in (arm, leg):
        for side, sign in (("left", 1), ("right", -1)):
            for part in chain:
                parent = part.parent if part.parent in ("chest", "hips") else f"{side} {part.parent}"
                shapes = part.shapes if sign > 0 else tuple(shape.mirrored for shape in part.shapes)
                x, y, z = part.position
                segments.append(Segment(f"{side} {part.name}", parent, (sign * x, y, z), shapes))
    return tuple(segments)
