"""Bodies that nobody drew: whatever grows where, two of them are mapped, bone by bone, or not at all."""

from __future__ import annotations

import numpy as np
import pytest
from numpy.typing import NDArray
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.mapping.mapping import map_bones

Floats = NDArray[np.float64]
Bones = tuple[Floats, list[int]]
"""Heads (B, 3), and parents."""


def grown(random: np.random.Generator) -> Bones:
    """A trunk, perhaps a tail, pairs of limbs with toes, and bones that grow anywhere."""
    heads, parents = [np.array([0, 0, 1.0])], [-1]

    def add(parent: int, offset: Floats) -> int:
        heads.append(heads[parent] + offset)
        parents.append(parent)
        return len(heads) - 1

    trunk = [0]
    for _ in range(random.integers(2, 7)):
        trunk.append(add(trunk[-1], np.array([0, -random.uniform(0.1, 0.4), random.uniform(-0.05, 0.1)])))
    tail = 0
    for _ in range(random.integers(0, 7)):
        tail = add(tail, np.array([0, random.uniform(0.1, 0.3), random.uniform(-0.05, 0.05)]))
    for _ in range(random.integers(0, 5)):
        hip, joints = trunk[random.integers(len(trunk))], random.integers(1, 6)
        limb = [np.array([random.uniform(0.02, 0.4), random.uniform(-0.2, 0.2), random.uniform(-0.4, 0.2)]) for _ in range(joints)]
        toes = [np.array([random.uniform(-0.05, 0.05), -0.1, -0.02]) for _ in range(random.integers(0, 4))]
        for side in (1, -1):
            joint = hip
            for offset in limb:
                joint = add(joint, offset * [side, 1, 1])
            for offset in toes:
                add(joint, offset * [side, 1, 1])
    for _ in range(random.integers(0, 4)):
        add(int(random.integers(len(heads))), random.normal(size=3) * 0.2)
    return np.array(heads), parents


def varied(bones: Bones, random: np.random.Generator) -> Bones:
    """Another of the kind: without some of the bones, and with other lengths."""
    heads, parents = bones
    kept = [bone for bone in range(len(parents)) if bone == 0 or random.random() > 0.1]
    index = {-1: -1} | {bone: number for number, bone in enumerate(kept)}
    above = list[int]()
    for bone in kept:
        parent = parents[bone]
        while parent not in index:
            parent = parents[parent]
        above.append(index[parent])
    return np.array([heads[bone] * random.uniform(0.9, 1.1, 3) for bone in kept]), above


def figure(bones: Bones, random: np.random.Generator) -> Figure:
    """With axes that say nothing, and numbers for names."""
    heads, parents = bones
    rest = np.tile(np.eye(4), (len(heads), 1, 1))
    for bone in range(len(heads)):
        axes, _ = np.linalg.qr(random.normal(size=(3, 3)))
        rest[bone, :3, :3] = axes * np.sign(np.linalg.det(axes))
    rest[:, :3, 3] = heads
    return Figure(tuple(f"bone_{bone}" for bone in range(len(heads))), np.array(parents, np.int32), rest, np.full(len(heads), 0.1))


@pytest.mark.filterwarnings("error")
@pytest.mark.parametrize("seed", [14, 42, 92, 159, 188, 428, 1959, 2201, 2458, 2736, 2782, 2808, *range(8)])
def test_two_bodies(seed: int) -> None:
    random = np.random.default_rng(seed)
    one = grown(random)
    other = varied(one, random) if random.random() < 0.7 else grown(random)
    source, target = figure(one, random), figure(other, random)
    result = map_bones(source, target)
    followed = result.targets()
    assert len(set(followed)) == len(followed)
    assert result.sources() <= set(source.names) and set(followed) <= set(target.names)
