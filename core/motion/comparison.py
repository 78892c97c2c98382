"""What Blender shows and what a file would bring back, compared bone by bone.

Matrices are (K, bones, 4, 4) at K frames, in Blender's axes and units. Blender's pose is pose_b = pose_parent * rest_parent^-1 * rest_b *
basis_b, where a bone may leave out its parent's scale.
"""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from .curves import Channel, rotation_property
from .modes import matrices
from .rotations import rotation_matrix
from .rotations.angles import wrapped
from .rotations.rotation_matrix import Floats

SLACK = 1.25
"""Steps that a value may be off by rounding: where two of an Euler triple's axes coincide their halves add up."""

_FLOAT = 1e-5
"""Of a position, what single precision may be off on the way through a chain of bones."""

_ANGLE = 3e-5
"""Radians that the matrices of a pose, in single precision, may be off."""

REST: Mapping[str, tuple[float, ...]] = {
    "location": (0.0, 0.0, 0.0),
    "rotation_quaternion": (1.0, 0.0, 0.0, 0.0),
    "rotation_axis_angle": (0.0, 0.0, 1.0, 0.0),
    "rotation_euler": (0.0, 0.0, 0.0),
    "scale": (1.0, 1.0, 1.0),
}
"""The channels of a bone or an object, at rest."""


@dataclass(frozen=True)
class Steps:
    """The least that a format can tell apart. rotation: radians. translation: of bones, game units. path: of the root motion, game units.
    scale: a factor."""

    rotation: float
    translation: float
    path: float
    scale: float = 1e-3


@dataclass(frozen=True, eq=False)
class Bones:
    """The bones of an armature. parents: (B,), -1 for none, those before their children. rest: (B, 4, 4) in armature space. scaled: (B,)
    take their parent's scale."""

    names: tuple[str, ...]
    parents: NDArray[np.int64]
    rest: Floats
    scaled: NDArray[np.bool_]

    @classmethod
    def none(cls, name: str) -> Bones:
        """Of an object that is no armature: itself."""
        return cls((name,), np.full(1, -1), np.eye(4)[None], np.ones(1, bool))

    def part(self, wanted: NDArray[np.bool_]) -> tuple[Bones, NDArray[np.int64]]:
        """The wanted bones and all above them; and their indices."""
        kept = wanted.copy()
        for bone in reversed(range(len(self.names))):
            if kept[bone] and self.parents[bone] >= 0:
                kept[self.parents[bone]] = True
        index = np.flatnonzero(kept)
        new = np.full(len(self.names) + 1, -1)
        new[index] = np.arange(len(index))
        names = tuple(self.names[bone] for bone in index.tolist())
        return Bones(names, new[self.parents[index]], self.rest[index], self.scaled[index]), index


def basis_of(values: Mapping[Channel, Floats], names: Sequence[str], modes: Mapping[str, str], count: int) -> Floats:
    """(K, B, 4, 4) of the channels' values (K,), those of bones "" the object's; at rest where there are none."""
    out = np.tile(np.eye(4), (count, len(names), 1, 1))
    for bone, name in enumerate(names):
        mode = modes.get(name, "QUATERNION")
        rotation, _ = rotation_property(mode)
        held = {part: _columns(values, name, part, count) for part in ("location", rotation, "scale")}
        if (location := held["location"]) is not None:
            out[:, bone, :3, 3] = location
        if (angles := held[rotation]) is not None:
            out[:, bone, :3, :3] = matrices(angles, mode)
        if (size := held["scale"]) is not None:
            out[:, bone, :, :3] *= size[:, None, :]
    return out


def _columns(values: Mapping[Channel, Floats], name: str, part: str, count: int) -> Floats | None:
    """(K, C) of a property, None where no value moves it."""
    rest = REST[part]
    rows = [values.get(Channel(name, part, index)) for index in range(len(rest))]
    if all(row is None for row in rows):
        return None
    return np.stack([np.full(count, still) if row is None else row for row, still in zip(rows, rest, strict=True)], axis=1)


def poses(bones: Bones, basis: Floats) -> Floats:
    """(K, B, 4, 4) in armature space."""
    out = np.empty_like(basis)
    for bone, parent in enumerate(bones.parents.tolist()):
        own = basis[:, bone]
        if parent < 0:
            out[:, bone] = bones.rest[bone] @ own
            continue
        offset = np.linalg.inv(bones.rest[parent]) @ bones.rest[bone]
        above = out[:, parent] @ offset
        out[:, bone] = above @ own
        if not bones.scaled[bone]:
            out[:, bone, :3, :3] = rotation_matrix.unscaled(out[:, parent, :3, :3]) @ offset[:3, :3] @ own[:, :3, :3]
    return out


@dataclass(frozen=True, eq=False)
class Off:
    """How far apart two sets of matrices are: rotation (K, B) radians, translation (K, B) game units, scale (K, B) as a factor."""

    rotation: Floats
    translation: Floats
    scale: Floats

    def excess(self, steps: Steps, path: NDArray[np.bool_], far: Floats) -> Floats:
        """(K, B) the largest of the three, in steps. path: (B,) whose translation is root motion. far: (K, B) distances from the origin,
        game units."""
        least = np.where(path, steps.path, steps.translation) * SLACK + far * _FLOAT
        return np.maximum(np.maximum(self.rotation / (steps.rotation * SLACK + _ANGLE), self.translation / least), self.scale / steps.scale)


@dataclass(frozen=True)
class Difference:
    """Where a bone is not as it is shown. size: degrees where `rotated`, else game units, or a factor where `scaled`. outside: only the
    object is elsewhere. carried: a root alone is, and all bones below it are where they are shown."""

    bone: str
    frame: float
    size: float
    steps: float
    rotated: bool = False
    scaled: bool = False
    outside: bool = False
    carried: bool = False


class Stretches(NamedTuple):
    """Parts of a clip that are looked at each by itself. edges: (S,) frames in order; a stretch ends with its edge, and the last has none.
    bones: the only ones that are looked at."""

    edges: Floats
    bones: frozenset[str]


class Comparison:
    """Gathers how far bones are apart, of as many frames at a time as the caller has put together. scale: Blender units a game unit.
    stretches: None for the whole clip as one, and all bones."""

    def __init__(self, bones: Bones, steps: Steps, scale: float, stretches: Stretches | None = None) -> None:
        self._bones, self._steps, self._scale = bones, steps, scale
        self._worlds: Floats = np.zeros(len(bones.names))
        self._worst = dict[tuple[int, int], Difference]()
        self._edges: Floats = np.zeros(0) if stretches is None else stretches.edges
        self._wanted = np.array([stretches is None or name in stretches.bones for name in bones.names])

    def add(self, frames: Floats, shown: tuple[Floats, Floats], written: tuple[Floats, Floats]) -> None:
        """shown, written: poses (K, B, 4, 4) in armature space, and where the object is (K, 4, 4)."""
        bones, steps, scale = self._bones, self._steps, self._scale
        roots = bones.parents < 0
        worlds = [where[:, None] @ pose for pose, where in (shown, written)]
        far = np.linalg.norm(worlds[0][..., :3, 3], axis=-1) / scale
        world = _off(worlds[0], worlds[1], scale).excess(steps, roots, far)
        self._worlds = np.maximum(self._worlds, world.max(axis=0, initial=0))
        own = [_locals(bones.parents, *both) for both in zip((shown[0], written[0]), worlds, strict=True)]
        apart = _off(own[0], own[1], scale)
        near = np.linalg.norm(own[0][..., :3, 3], axis=-1) / scale
        near[:, roots] = far[:, roots]
        local = apart.excess(steps, roots, near)
        different = np.where((world > 1) & (local > 1) & self._wanted, local, 0)
        for bone, stretch, row in self._peaks(frames, different):
            if (bone, stretch) in self._worst and different[row, bone] <= self._worst[bone, stretch].steps:
                continue
            size, unit = _largest(apart, row, bone, steps, bool(roots[bone]))
            inside = _off(shown[0][[row], bone], written[0][[row], bone], scale)
            outside = bool(roots[bone]) and bool(inside.excess(steps, roots[[bone]], far[[row], bone]).max() <= 1)
            kinds = {"rotated": unit == "rotation", "scaled": unit == "scale", "outside": outside}
            self._worst[bone, stretch] = Difference(bones.names[bone], float(frames[row]), size, float(different[row, bone]), **kinds)

    def _peaks(self, frames: Floats, different: Floats) -> Generator[tuple[int, int, int]]:
        """Each bone that is more than a step off within a stretch, with that, and the row where it is most."""
        stretches = np.searchsorted(self._edges, frames)
        for rows in np.split(np.arange(len(frames)), np.flatnonzero(np.diff(stretches)) + 1):
            part = different[rows]
            for bone in np.flatnonzero(part.max(axis=0, initial=0) > 1).tolist():
                yield bone, int(stretches[rows[0]]), int(rows[np.argmax(part[:, bone])])

    def differences(self) -> list[Difference]:
        """Of each bone that differs by more than a step, in itself and in the world, the frame where it does most, in each stretch. The
        worst first."""
        worst = [replace(self._worst[bone, stretch], carried=self._carried(bone)) for bone, stretch in sorted(self._worst)]
        return sorted(worst, key=lambda each: -each.steps)

    def _carried(self, bone: int) -> bool:
        below = np.flatnonzero(self._bones.parents == bone) if self._bones.parents[bone] < 0 else np.zeros(0, np.int64)
        return bool(len(below)) and bool(self._worlds[below].max() <= 1)


def least(name: str, away: Floats, steps: Steps, scale: float) -> bool:
    """Whether values (C, K) of a property, but quaternions, that are `away` by so much make less than a step in any case. scale: Blender
    units a game unit."""
    match name:
        case "location":
            return bool(np.linalg.norm(away, axis=0).max(initial=0) / scale <= min(steps.translation, steps.path))
        case "rotation_euler":
            circle = np.abs(wrapped(away))
            return bool(circle.sum(axis=0).max(initial=0) <= steps.rotation)
        case _:
            return bool(np.abs(away).max(initial=0) <= (steps.scale if name == "scale" else 0))


def _locals(parents: NDArray[np.int64], pose: Floats, world: Floats) -> Floats:
    """(K, B, 4, 4) relative to the parents; of roots in the world."""
    out = np.array(world)
    for bone in np.flatnonzero(parents >= 0).tolist():
        above = pose[:, parents[bone]]
        flat = np.abs(np.linalg.det(above[:, :3, :3])) < 1e-18
        out[:, bone] = np.linalg.inv(np.where(flat[:, None, None], np.eye(4), above)) @ pose[:, bone]
    return out


def _off(first: Floats, second: Floats, scale: float) -> Off:
    sizes = [np.linalg.norm(each[..., :3, :3], axis=-2) for each in (first, second)]
    linear = [each[..., :3, :3] / np.maximum(size, 1e-30)[..., None, :] for each, size in zip((first, second), sizes, strict=True)]
    chord = np.linalg.norm(linear[0] - linear[1], axis=(-2, -1)) / np.sqrt(8)
    return Off(
        2 * np.arcsin(chord.clip(0, 1)),
        np.linalg.norm(first[..., :3, 3] - second[..., :3, 3], axis=-1) / scale,
        np.abs(sizes[0] - sizes[1]).max(axis=-1),
    )


def _largest(off: Off, row: int, bone: int, steps: Steps, root: bool) -> tuple[float, str]:
    """The one of a bone's differences that is most of its steps, in degrees, game units or as a factor."""
    shares = {
        "rotation": off.rotation[row, bone] / steps.rotation,
        "translation": off.translation[row, bone] / (steps.path if root else steps.translation),
        "scale": off.scale[row, bone] / steps.scale,
    }
    kind = max(shares, key=lambda name: shares[name])
    size = {"rotation": np.degrees(off.rotation), "translation": off.translation, "scale": off.scale}[kind][row, bone]
    return float(size), kind


def between(keys: Floats) -> Floats:
    """(4 K - 3,) the keys, the middles between them, and the quarter points."""
    if len(keys) < 2:
        return keys
    parts = keys[:-1, None] + np.diff(keys)[:, None] * np.array([0, 0.25, 0.5, 0.75])
    return np.append(parts.ravel(), keys[-1])
