"""What happens to rigs in the wild: other names for the same bones, other proportions, other rest poses, hair and cloth and props."""

from __future__ import annotations

import random
import re
from collections.abc import Callable, Iterable
from dataclasses import replace
from itertools import product

import numpy as np
from retro_anim.core.retarget.figures.figure import Figure

from ..rigs import reposed
from .zoo import Built

Renaming = Callable[[str, int], str]


def _tokens(name: str) -> list[str]:
    spaced = re.sub(r"(?<=[a-z])(?=[A-Z])|(?<=[A-Z])(?=[A-Z][a-z])|(?<=[A-Za-z])(?=\d)", " ", name)
    return [token for token in re.split(r"[\W_]+", spaced) if token]


PREFIXES: tuple[Renaming, ...] = (
    lambda name, _: name,
    lambda name, _: "Character1_" + name,
    lambda name, _: "rig:" + name,
    lambda name, _: "mixamorig9:" + name.split(":")[-1],
    lambda name, _: "SK_Hero_" + name,
    lambda name, _: "Armature|" + name,
    lambda name, _: "hero" + name,
)
SUFFIXES: tuple[Renaming, ...] = (
    lambda name, _: name,
    lambda name, _: name + ".001",
    lambda name, bone: name + (".001" if bone % 3 == 0 else ""),
    lambda name, _: name + "_jnt",
    lambda name, bone: f"{name}_{bone:02d}",
)
CASES: tuple[Renaming, ...] = (
    lambda name, _: name,
    lambda name, _: name.lower(),
    lambda name, _: name.upper(),
    lambda name, _: name.swapcase(),
)
SEPARATORS: tuple[Renaming, ...] = (
    lambda name, _: name,
    lambda name, _: "_".join(_tokens(name)),
    lambda name, _: " ".join(_tokens(name)),
    lambda name, _: ".".join(_tokens(name)),
    lambda name, _: "-".join(_tokens(name)),
    lambda name, _: "".join(token[:1].upper() + token[1:] for token in _tokens(name)),
    lambda name, _: "".join(_tokens(name)).lower(),
)
GRID = tuple(product(SEPARATORS, PREFIXES, CASES, SUFFIXES))


def renamed(built: Built, steps: Iterable[Renaming]) -> Built:
    """The rig with each step taken on every name; names that become the same get Blender's suffix."""
    names: dict[str, str] = {}
    taken: set[str] = set()
    steps = tuple(steps)
    for bone, name in enumerate(built.figure.names):
        new = name
        for step in steps:
            new = step(new, bone)
        names[name] = new if new not in taken else f"{new}.{bone:03d}"
        taken.add(names[name])
    return built.renamed(names)


def numbered(built: Built, seed: int) -> Built:
    """The rig with bones that are called bone_0, bone_1 …, in no order."""
    numbers = list(range(len(built.figure)))
    random.Random(seed).shuffle(numbers)
    return built.renamed({name: f"bone_{number}" for name, number in zip(built.figure.names, numbers, strict=True)})


def proportioned(built: Built, seed: int) -> Built:
    """Longer or shorter legs, arms and trunk, a larger or smaller head."""
    pick = np.random.default_rng(seed)
    legs, arms, trunk, head = pick.uniform(0.6, 1.3), pick.uniform(0.7, 1.35), pick.uniform(0.7, 1.3), pick.uniform(0.7, 2.2)
    roles = {name: role for role, names in built.truth.items() for name in names}
    figure = built.figure
    rest = np.array(figure.rest)
    for bone, parent in enumerate(figure.parents.tolist()):
        if parent < 0:
            continue
        role = roles.setdefault(figure.names[bone], roles.get(figure.names[parent], ""))
        size = 1.0
        if any(part in role for part in ("Leg", "Foot", "Toes")):
            size = legs
        elif any(part in role for part in ("Arm", "Hand", "Thumb", "Index", "Middle", "Ring", "Little")):
            size = arms
        elif role in ("spine", "chest", "upperChest", "neck"):
            size = trunk
        elif roles.get(figure.names[parent]) == "head":
            size = head
        rest[bone, :3, 3] = rest[parent, :3, 3] + (figure.rest[bone, :3, 3] - figure.rest[parent, :3, 3]) * size
    return Built(replace(figure, rest=rest), built.truth)


def posed(built: Built, seed: int, most: float = 0.45) -> Built:
    """Every bone at rest turned against its parent by up to `most` radians."""
    return Built(reposed(built.figure, seed, most), built.truth)


_CLUTTER: tuple[tuple[str, str, tuple[float, float, float], tuple[float, float, float], bool], ...] = (
    ("hair_back", "head", (0.0, 0.1, 1.7), (0.0, 0.04, -0.12), False),
    ("hair_side", "head", (0.08, 0.02, 1.75), (0.01, 0.0, -0.13), True),
    ("skirt_front", "hips", (0.1, -0.12, 0.95), (0.02, -0.02, -0.14), True),
    ("skirt_back", "hips", (0.1, 0.12, 0.95), (0.02, 0.02, -0.14), True),
    ("cape", "top", (0.1, 0.15, 1.4), (0.01, 0.02, -0.2), True),
    ("wing", "top", (0.05, 0.15, 1.4), (0.25, 0.1, 0.08), True),
    ("tail", "hips", (0.0, 0.12, 0.95), (0.0, 0.12, -0.08), False),
    ("sword", "rightHand", (0.75, -0.05, 1.4), (0.0, -0.3, 0.0), False),
    ("sleeve", "leftLowerArm", (0.4, 0.02, 1.35), (0.05, 0.0, -0.1), False),
    ("breast", "top", (0.08, -0.12, 1.3), (0.0, -0.05, 0.0), True),
)
"""Name, what it hangs on, where it begins, the way from bone to bone, whether it is there on both sides."""


def cluttered(built: Built, seed: int) -> Built:
    """The rig with half of these parts, each of two to six bones."""
    pick = np.random.default_rng(seed)
    figure = built.figure
    names, parents, heads = list(figure.names), figure.parents.tolist(), list(figure.heads)
    at = {role: names.index(right[0]) for role, right in built.truth.items()}
    at["top"] = next(at[role] for role in ("upperChest", "chest", "trunk") if role in at)
    for obj, above, start, step, both in _CLUTTER:
        if pick.random() < 0.5:
            continue
        count = int(pick.integers(2, 7))
        for side, mirror in (("_L", 1.0), ("_R", -1.0)) if both else (("", 1.0),):
            parent = at[above]
            for bone in range(count):
                names.append(f"{obj}_{bone + 1:02d}{side}")
                parents.append(parent)
                heads.append((np.array(start) + np.array(step) * bone) * [mirror, 1, 1])
                parent = len(names) - 1
    rest = np.tile(np.eye(4), (len(names), 1, 1))
    rest[: len(figure)] = figure.rest
    rest[:, :3, 3] = np.array(heads)
    lengths = np.concatenate([figure.lengths, np.full(len(names) - len(figure), 0.05)])
    return Built(Figure(tuple(names), np.array(parents, np.int32), rest, lengths), built.truth)
