"""Creatures of `creatures.txt`: two rigs of each kind, by different makers, under their names or but numbered."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cache
from math import ceil, floor
from pathlib import Path

import numpy as np
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import Chain
from retro_anim.core.retarget.mapping.mapping import map_bones

from .given import figure_of

Drawn = tuple[Figure, dict[str, str]]
"""A figure, and what each bone is."""


@dataclass(frozen=True, eq=False)
class Creature:
    """names: of the bones. calls: what they are, with L or R behind. offsets: from the parents. quarters: about the vertical."""

    names: list[str]
    calls: list[str]
    parents: list[int]
    offsets: Floats
    quarters: int

    def varied(self, seed: int, named: bool) -> tuple[Figure, dict[str, str]]:
        """With each length up to 15 % longer or shorter, alike on both sides, and, but for named ones, the bones shuffled and called
        bone_N; and what each bone is, the bones of a spine, neck or tail without their number."""
        random = np.random.default_rng(seed)
        factors: dict[str, float] = {}
        count = len(self.names)
        heads, tails, depths = np.zeros((count, 3)), np.zeros((count, 3)), [0] * count
        for bone, (call, above) in enumerate(zip(self.calls, self.parents, strict=True)):
            offset = self.offsets[bone] * factors.setdefault(call.rstrip("LR"), float(random.uniform(0.85, 1.15)))
            heads[bone] = offset + (heads[above] if above >= 0 else 0.0)
            depths[bone] = depths[above] + 1 if above >= 0 else 0
            tails[bone] = heads[bone] + 0.6 * offset
        for bone in range(count):
            below = [child for child in range(count) if self.parents[child] == bone]
            if below:
                tails[bone] = heads[below].mean(axis=0)
        cosine, sine = [(1, 0), (0, 1), (-1, 0), (0, -1)][self.quarters]
        about = np.array([[cosine, sine, 0.0], [-sine, cosine, 0.0], [0, 0, 1.0]])
        shuffled = random.permutation(count).tolist()
        order = list(range(count)) if named else sorted(range(count), key=lambda bone: (depths[bone], shuffled[bone]))
        number = {bone: position for position, bone in enumerate(order)}
        names = [self.names[bone] if named else f"bone_{position}" for position, bone in enumerate(order)]
        parents = [number[self.parents[bone]] if self.parents[bone] >= 0 else -1 for bone in order]
        figure = figure_of(names, parents, heads[order] @ about, tails[order] @ about)
        return figure, {name: part(self.calls[bone]) for name, bone in zip(names, order, strict=True)}


def part(call: str) -> str:
    """What a bone is in any rig of the kind: either finger of a claw is its finger, the bones of a tail are a tail."""
    if call.startswith(("fingera", "fingerb")):
        return f"fore4{call[-1]}"
    match = re.fullmatch(r"(spine|neck|tail|abdomen)\d+", call)
    return match[1] if match else call


def spread(chain: Chain) -> list[tuple[tuple[str, ...], str]]:
    """Of each target bone of a chain the one or two source bones between which it is along the chain, ends at ends."""
    steps = max(1, len(chain.target) - 1)
    at = [number * (len(chain.source) - 1) / steps for number in range(len(chain.target))]
    return [((chain.source[floor(u)], chain.source[ceil(u)]), name) for u, name in zip(at, chain.target, strict=True)]


def followed(source: Drawn, target: Drawn) -> dict[str, tuple[set[str], bool]]:
    """By what target bones are: what they follow, and whether that is doubtful."""
    bone_map = map_bones(source[0], target[0])
    rows = [((pair.source,), pair.target, pair.note) for pair in bone_map.pairs]
    rows += [(sources, name, part.note) for part in bone_map.chains for sources, name in spread(part)]
    return {target[1][name]: ({source[1][bone] for bone in sources}, bool(note)) for sources, name, note in rows}


@cache
def creatures(file: str = "creatures.txt") -> dict[str, list[Creature]]:
    """The creatures of a file by their kind."""
    result: dict[str, list[Creature]] = {}
    text = (Path(__file__).parent / file).read_text(encoding="utf-8")
    for block in re.split(r"^= ", text, flags=re.MULTILINE)[1:]:
        head, *lines = block.splitlines()
        kind, quarters, *sides = head.split()
        rows: list[tuple[str, str, list[float], str]] = []
        for line in lines:
            call, above, x, y, z, name = line.split(maxsplit=5)
            offset = [float(x), float(y), float(z)]
            if "*" in call:
                for end, sign, side in (("L", 1, sides[0]), ("R", -1, sides[1])):
                    mirrored = [sign * offset[0], *offset[1:]]
                    rows.append((call.replace("*", end), above.replace("*", end), mirrored, name.replace("*", side)))
            else:
                rows.append((call, above, offset, name))
        calls = [row[0] for row in rows]
        rows.sort(key=lambda row: _depth(row[0], {call: above for call, above, _, _ in rows}))
        calls = [row[0] for row in rows]
        parents = [calls.index(row[1]) if row[1] in calls else -1 for row in rows]
        offsets = np.array([row[2] for row in rows])
        result.setdefault(kind, []).append(Creature([row[3] for row in rows], calls, parents, offsets, int(quarters)))
    return result


def _depth(call: str, above: dict[str, str]) -> int:
    return 1 + _depth(above[call], above) if call in above else 0
