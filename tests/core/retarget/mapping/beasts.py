"""Beasts built by hand: bones by name, parent and offset, of several rigs of each kind, and the same with bones that are but numbered."""

from __future__ import annotations

import re

import numpy as np
from retro_anim.core.retarget.figures.figure import Figure

from .given import figure_of

LEGS = ("blade", "arm", "forearm", "forepaw", "foretoe"), ("thigh", "shin", "hock", "hindpaw", "hindtoe")
"""The joints of legs, in order."""

Row = tuple[str, str, tuple[float, float, float]]
"""Name, parent, offset from it. In the rows of one side a `*` stands for it."""


def chain(name: str, parent: str, *offsets: tuple[float, float, float]) -> list[Row]:
    return [(f"{name}{number}", f"{name}{number - 1}" if number else parent, offset) for number, offset in enumerate(offsets)]


def sided(rows: list[Row]) -> list[Row]:
    return [
        (name.replace("*", side), parent.replace("*", side), (sign * x, y, z))
        for side, sign in (("L", 1), ("R", -1))
        for name, parent, (x, y, z) in rows
    ]


def rooted(rows: list[Row]) -> list[Row]:
    """With a bone on the floor."""
    return [("root", "", (0, 0, 0)), *((name, parent or "root", offset) for name, parent, offset in rows)]


def beast(spine: int, neck: int, tail: int, height: float, toes: bool, ears: bool) -> list[Row]:
    """It looks along -Y: the hips at the back, the shoulders at the front, shoulder blades, hocks."""
    rows: list[Row] = [("hips", "", (0, 0.35, height))]
    rows += chain("spine", "hips", (0, -0.12, 0.02), *[(0.0, -0.6 / spine, 0.0)] * (spine - 1))
    top = f"spine{spine - 1}"
    rows += chain("neck", top, (0, -0.15, 0.08), *[(0.0, -0.1, 0.1)] * (neck - 1))
    rows += [("head", f"neck{neck - 1}", (0, -0.1, 0.1)), ("jaw", "head", (0, -0.08, -0.03)), ("nose", "head", (0, -0.2, 0.0))]
    rows += chain("tail", "hips", (0, 0.1, 0.02), *[(0.0, 0.1, -0.02)] * (tail - 1))
    side: list[Row] = [("blade*", top, (0.06, -0.08, 0)), ("arm*", "blade*", (0.03, -0.03, -0.15)), ("forearm*", "arm*", (0, 0.06, -0.18))]
    side += [("forepaw*", "forearm*", (0, 0, -0.17)), ("thigh*", "hips", (0.08, 0.02, -0.05)), ("shin*", "thigh*", (0, -0.06, -0.2))]
    side += [("hock*", "shin*", (0, 0.1, -0.16)), ("hindpaw*", "hock*", (0, -0.02, -0.12))]
    if toes:
        side += [("foretoe*", "forepaw*", (0, -0.06, -0.03)), ("hindtoe*", "hindpaw*", (0, -0.06, -0.03))]
    if ears:
        side += [("ear*", "head", (0.05, 0.02, 0.08)), ("tip*", "ear*", (0.02, 0, 0.06))]
    return rows + sided(side)


def other_beast(spine: int, neck: int, tail: int, height: float, blades: bool, hocks: bool, toes: bool, face: bool) -> list[Row]:
    """Of another maker: a sagging back, a steep neck, a hanging tail, legs that stand wider."""
    rows: list[Row] = [("hips", "", (0, 0.42, 0.97 * height))]
    sag = [(0.0, -0.5 / spine, -0.02 if bone < spine // 2 else 0.03) for bone in range(spine - 1)]
    rows += chain("spine", "hips", (0, -0.16, 0.03), *sag)
    top = f"spine{spine - 1}"
    rows += chain("neck", top, (0, -0.1, 0.12), *[(0.0, -0.06, 0.15)] * (neck - 1))
    rows += [("head", f"neck{neck - 1}", (0, -0.07, 0.13)), ("jaw", "head", (0, -0.05, -0.05)), ("nose", "head", (0, -0.16, -0.06))]
    rows += chain("tail", "hips", (0, 0.12, 0.05), *[(0.0, 0.11, -0.06)] * (tail - 1))
    side: list[Row] = [("blade*", top, (0.07, -0.02, 0.02))] if blades else []
    side += [("arm*", "blade*" if blades else top, (0.05, -0.05, -0.12) if blades else (0.1, -0.06, -0.08))]
    side += [("forearm*", "arm*", (0.01, 0.07, -0.32 * height)), ("forepaw*", "forearm*", (0, -0.02, -0.36 * height))]
    side += [("thigh*", "hips", (0.1, 0.01, -0.06)), ("shin*", "thigh*", (0.02, -0.1, -0.35 * height))]
    if hocks:
        side += [("hock*", "shin*", (0, 0.13, -0.25 * height)), ("hindpaw*", "hock*", (0, -0.03, -0.22 * height))]
    else:
        side += [("hindpaw*", "shin*", (0, 0.09, -0.45 * height))]
    if toes:
        side += [("foretoe*", "forepaw*", (0, -0.07, -0.04)), ("hindtoe*", "hindpaw*", (0, -0.07, -0.04))]
    if face:
        rows += [("belly", "spine0", (0, 0, -0.15)), ("tongue", "jaw", (0, -0.06, 0))]
        side += [("ear*", "head", (0.06, 0.04, 0.06)), ("eye*", "head", (0.03, -0.05, 0.03)), ("cheek*", "head", (0.05, -0.03, -0.03))]
    return rows + sided(side)


def bird(neck: int, tail: int, toes: bool, tips: bool) -> list[Row]:
    rows: list[Row] = [("hips", "", (0, 0.05, 0.35)), *chain("spine", "hips", (0, -0.06, 0.02), (0, -0.06, 0.02))]
    rows += chain("neck", "spine1", (0, -0.05, 0.04), *[(0.0, -0.03, 0.06)] * (neck - 1))
    rows += [("head", f"neck{neck - 1}", (0, -0.04, 0.05)), ("jaw", "head", (0, -0.03, -0.01))]
    rows += chain("tail", "hips", (0, 0.08, 0), *[(0.0, 0.06, -0.01)] * (tail - 1))
    side: list[Row] = [
        ("eye*", "head", (0.02, -0.01, 0.01)),
        ("thigh*", "hips", (0.05, 0, -0.05)),
        ("shin*", "thigh*", (0.01, -0.05, -0.09)),
    ]
    side += [("hock*", "shin*", (0, 0.06, -0.09)), ("paw*", "hock*", (0, -0.01, -0.09)), ("blade*", "spine1", (0.05, 0, 0.03))]
    side += [("arm*", "blade*", (0.06, 0, 0)), ("forearm*", "arm*", (0.15, 0.05, 0)), ("wing*", "forearm*", (0.18, -0.06, 0))]
    if toes:
        side += [("toea*", "paw*", (0.02, -0.05, -0.01)), ("toeb*", "paw*", (0, -0.06, -0.01)), ("toec*", "paw*", (0, 0.04, -0.01))]
    if tips:
        side += [("tip*", "wing*", (0.06, 0.03, 0))]
    return rows + sided(side)


def two_legged(neck: int, tail: int, fingers: bool) -> list[Row]:
    """A lizard that runs on its hind legs: what is said to be a human's arms and legs is there, and much besides."""
    rows: list[Row] = [("hips", "", (0, 0, 2.0)), *chain("spine", "hips", (0, -0.3, 0), (0, -0.3, 0.05), (0, -0.3, 0.05))]
    rows += chain("neck", "spine2", (0, -0.25, 0.15), *[(0.0, -0.15, 0.2)] * (neck - 1))
    rows += [("head", f"neck{neck - 1}", (0, -0.15, 0.2)), ("jaw", "head", (0, -0.15, -0.15))]
    rows += chain("tail", "hips", (0, 0.4, 0), *[(0.0, 0.4, -0.02)] * (tail - 1))
    side: list[Row] = [("thigh*", "hips", (0.25, 0, -0.1)), ("shin*", "thigh*", (0.03, -0.3, -0.7)), ("hock*", "shin*", (0, 0.45, -0.6))]
    side += [("paw*", "hock*", (0, -0.15, -0.5)), ("toe*", "paw*", (0, -0.2, -0.06))]
    side += [("arm*", "spine2", (0.2, -0.05, -0.1)), ("forearm*", "arm*", (0.05, 0, -0.3)), ("hand*", "forearm*", (0, -0.15, -0.15))]
    side += [("finger*", "hand*", (0, -0.05, -0.05))] if fingers else []
    return rows + sided(side)


def fish(tail: int, pelvic: bool) -> list[Row]:
    rows: list[Row] = [("body", "", (0, 0, 1)), *chain("tail", "body", *[(0.0, 0.2, 0.0)] * tail)]
    rows += [("upper", f"tail{tail - 1}", (0, 0.1, 0.15)), ("lower", f"tail{tail - 1}", (0, 0.1, -0.15)), ("back", "body", (0, 0.05, 0.25))]
    rows += [("head", "body", (0, -0.2, 0)), ("jaw", "head", (0, -0.2, -0.05))]
    side: list[Row] = [("fin*", "body", (0.12, -0.05, -0.05)), ("fintip*", "fin*", (0.18, 0.1, -0.05))]
    side += [("hindfin*", "tail1", (0.08, 0, -0.1)), ("hindtip*", "hindfin*", (0.07, 0.1, -0.1))] if pelvic else []
    return rows + sided(side)


def spider(palps: bool = False) -> list[Row]:
    rows: list[Row] = [("body", "", (0, 0, 0.3)), ("head", "body", (0, -0.15, 0)), *chain("abdomen", "body", (0, 0.2, 0.05), (0, 0.2, 0))]
    side: list[Row] = []
    for leg, y in enumerate((-0.12, -0.04, 0.04, 0.12)):
        side += [(f"hip{leg}*", "body", (0.06, y, 0)), (f"upper{leg}*", f"hip{leg}*", (0.12, 1.5 * y, 0.12))]
        side += [(f"lower{leg}*", f"upper{leg}*", (0.15, 1.5 * y, -0.1)), (f"end{leg}*", f"lower{leg}*", (0.12, y, -0.2))]
    if palps:
        side += [("palp*", "head", (0.03, -0.05, 0)), ("palpend*", "palp*", (0.01, -0.05, -0.03))]
    return rows + sided(side)


BEASTS = {
    "dog": beast(spine=3, neck=2, tail=5, height=0.6, toes=True, ears=True),
    "fox": beast(spine=3, neck=2, tail=9, height=0.4, toes=True, ears=True),
    "horse": beast(spine=5, neck=4, tail=4, height=1.2, toes=True, ears=False),
    "calf": beast(spine=4, neck=2, tail=3, height=0.8, toes=False, ears=True),
    "rat": beast(spine=2, neck=1, tail=12, height=0.3, toes=True, ears=False),
    "spider": spider(),
}

KINDS: dict[str, list[list[Row]]] = {
    "wolf": [
        beast(3, 2, 5, 0.6, toes=True, ears=True),
        beast(5, 3, 4, 0.7, toes=True, ears=False),
        rooted(beast(4, 2, 8, 0.6, toes=True, ears=True)),
        other_beast(3, 2, 6, 0.6, blades=True, hocks=True, toes=True, face=True),
        other_beast(4, 1, 5, 0.7, blades=True, hocks=True, toes=False, face=False),
    ],
    "horse": [
        beast(5, 4, 4, 1.2, toes=True, ears=False),
        beast(4, 3, 6, 1.3, toes=False, ears=True),
        beast(6, 5, 3, 1.25, toes=True, ears=True),
    ],
    "cat without shoulder blades": [
        other_beast(3, 2, 6, 0.6, blades=False, hocks=True, toes=True, face=True),
        other_beast(5, 3, 5, 0.7, blades=False, hocks=True, toes=False, face=False),
        other_beast(4, 1, 8, 0.65, blades=False, hocks=True, toes=True, face=True),
    ],
    "lizard": [
        other_beast(3, 2, 6, 0.6, blades=True, hocks=False, toes=True, face=True),
        other_beast(4, 1, 8, 0.65, blades=True, hocks=False, toes=False, face=True),
    ],
    "bird": [bird(2, 2, toes=True, tips=True), bird(4, 3, toes=True, tips=False), bird(3, 2, toes=False, tips=True)],
    "spider": [spider(), spider(palps=True), rooted(spider())],
    "two-legged lizard": [two_legged(3, 6, fingers=True), two_legged(4, 5, fingers=True), rooted(two_legged(2, 8, fingers=False))],
    "fish": [fish(6, pelvic=True), fish(8, pelvic=False), fish(4, pelvic=True)],
}
"""Different rigs of one kind."""


def part(name: str) -> str:
    """What a bone is: the bones of a spine, neck or tail are one part, whose number each rig has its own of."""
    match = re.fullmatch(r"(spine|neck|tail)\d+", name)
    return match[1] if match else name


def numbered(rows: list[Row], seed: int) -> tuple[Figure, dict[str, str]]:
    """The beast with each length up to 15 % longer or shorter, alike on both sides, its bones shuffled and called bone_N; and what each
    bone was called."""
    random = np.random.default_rng(seed)
    names, parents = (
        [name for name, _, _ in rows],
        [next((at for at, row in enumerate(rows) if row[0] == above), -1) for _, above, _ in rows],
    )
    factors: dict[str, float] = {}
    heads, depths = np.zeros((len(rows), 3)), [0] * len(rows)
    for bone, (name, _, offset) in enumerate(rows):
        factor = factors.setdefault(name.rstrip("LR"), float(random.uniform(0.85, 1.15)))
        above = parents[bone]
        heads[bone] = np.array(offset) * factor + (heads[above] if above >= 0 else 0.0)
        depths[bone] = depths[above] + 1 if above >= 0 else 0
    shuffled = random.permutation(len(rows)).tolist()
    order = sorted(range(len(rows)), key=lambda bone: (depths[bone], shuffled[bone]))
    number = {bone: position for position, bone in enumerate(order)}
    above_each = [number[parents[bone]] if parents[bone] >= 0 else -1 for bone in order]
    figure = figure_of([f"bone_{position}" for position in range(len(order))], above_each, heads[order])
    return figure, {f"bone_{position}": names[bone] for position, bone in enumerate(order)}
