"""Names that people know, for the bones of games: those of Blender's own rigs, left and right as Blender mirrors them."""

from __future__ import annotations

import re
from collections.abc import Sequence

from ..figures.figure import Figure
from ..figures.roles import SIDES, sided
from .humanoid.labels import label

_NAMES = {"UpperArm": "upper_arm", "LowerArm": "forearm", "UpperLeg": "thigh", "LowerLeg": "shin", "Toes": "toe"}
"""Where a part of the body is called otherwise than its role."""

_NEEDED = ("hips", *(side + part for side in SIDES for part in ("UpperLeg", "LowerLeg", "UpperArm", "LowerArm")))
"""Roles without which a figure is none that is known."""


def known_names(figure: Figure) -> dict[int, str]:
    """By the number of a bone what it is called: `hips`, `upper_arm.L`. Nothing for a figure without the limbs of a human."""
    roles = label(figure).roles
    return {bone: _name(role) for role, bone in roles.items()} if all(role in roles for role in _NEEDED) else {}


_SIDE = re.compile(r"(?<=[ _.-])(?:(?P<left>L|Left)|(?P<right>R|Right))[ _.-]")
"""A side in the middle of a name, where Blender does not look for it, with what follows it."""


def mirroring(names: Sequence[str]) -> list[str]:
    """The names, those with a side in the middle of which there are both with the side at the end: `Bip01 L Foot` as `Bip01 Foot.L`."""
    parted = [
        (_SIDE.sub("", name, count=1), match["left"] is not None) if (match := _SIDE.search(name)) else (name, None) for name in names
    ]
    both = {(name, not left) for name, left in parted if left is not None}
    return [f"{rest}.{'L' if left else 'R'}" if (rest, left) in both else name for name, (rest, left) in zip(names, parted, strict=True)]


def _name(role: str) -> str:
    side, part = sided(role)
    name = _NAMES.get(part) or re.sub(r"(?<=[a-z])(?=[A-Z0-9])", "_", part).lower()
    return f"{name}.{side[0].upper()}" if side else name
