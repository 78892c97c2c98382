"""Two bodies laid on each other by hand, of which each bone has what the rules of runs and doubts look at, and no more."""

from __future__ import annotations

from collections.abc import Sequence
from types import SimpleNamespace
from typing import Any, NamedTuple

import numpy as np
from retro_anim.core.retarget.mapping.creatures.parts import LEFT, MIDDLE
from retro_anim.core.retarget.mapping.creatures.stations import Stations

from .given import figure_of


class Bone(NamedTuple):
    """above: "" of a root. mass: as of `Body`. off, along, blurred: as of `Stations`."""

    name: str
    above: str
    head: Sequence[float]
    kind: int = MIDDLE
    mass: float = 1.0
    off: float = 0.0
    along: float = 0.0
    blurred: bool = False


def row(names: Sequence[str], above: str = "", start: float = 0.0, kind: int = MIDDLE, mass: float = 1.0) -> list[Bone]:
    """Bones in a line, a metre long each, each on the one before."""
    parents = [above, *names]
    return [Bone(name, parents[at], (0, start + at, 0), kind, mass) for at, name in enumerate(names)]


def body_of(bones: Sequence[Bone], head: str = "") -> Any:
    """What of a `Body` is looked at. head: the bone that is sure to be it."""
    names = [bone.name for bone in bones]
    parents = [names.index(bone.above) if bone.above else -1 for bone in bones]
    figure = figure_of(names, parents, np.array([bone.head for bone in bones], float))
    steps = np.where(figure.parents[:, None] >= 0, figure.heads - figure.heads[figure.parents], 0.0)
    lengths = np.linalg.norm(steps, axis=1)
    below = np.zeros(len(names))
    for bone in reversed(range(len(names))):
        if parents[bone] >= 0:
            below[parents[bone]] = max(below[parents[bone]], below[bone] + 1)
    along, off, blurred = (np.array([getattr(bone, each) for bone in bones]) for each in ("along", "off", "blurred"))
    return SimpleNamespace(
        figure=figure,
        kinds=[bone.kind for bone in bones],
        mass=np.array([bone.mass for bone in bones]),
        along=steps / np.maximum(lengths, 1e-12)[:, None],
        steps=lengths,
        below=below,
        reach=lengths[:, None] * [[0.0, 0.0, 1.0]],
        twins=[-1] * len(names),
        hangs=parents,
        stations=Stations(along, off, blurred, names.index(head) if head else -1),
    )


def laid(one: Any, two: Any, pairs: dict[str, str] | str) -> Any:
    """one, two: bodies, or bones of which they are. pairs: by name, what belongs together; of a text each letter to the same one."""
    bodies: list[Any] = [body_of(each) if isinstance(each, list) else each for each in (one, two)]
    named = dict(zip(pairs, pairs, strict=True)) if isinstance(pairs, str) else pairs
    first, second = (body.figure.names for body in bodies)
    matched = {first.index(a): second.index(b) for a, b in named.items()}
    limbs = [
        [
            bone
            for bone, above in enumerate(body.figure.parents.tolist())
            if body.kinds[bone] == LEFT and (above < 0 or body.kinds[above] == MIDDLE)
        ]
        for body in bodies
    ]
    return SimpleNamespace(
        one=bodies[0],
        two=bodies[1],
        limbs=limbs,
        matched=dict(sorted(matched.items())),
        backward={b: a for a, b in matched.items()},
        likeness=np.ones((len(first), len(second))),
        score=lambda first, second: float(matched.get(first, -1) == second),
        likeness_in_all=lambda: 1.0,
        joint=lambda first, second: None,
    )
