"""The motion of a TRAM out of OniSplit's .dae: 19 nodes with rotations about axes and positions, 60 frames a second.

As OniSplit reads it [AnimationDaeReader.cs]: the last key of all is the end, which only the path of the root reaches.
"""

from __future__ import annotations

import re
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...files.binary import Bytes
from ...motion.reduction.reduction import Bounds, fewest_keys
from ...motion.rotations import quaternion
from ...motion.rotations.rotation_matrix import Floats
from ...reporting import log
from ...reporting.errors import ExportError, FormatError
from ...reporting.labels import first_few
from ..motion.derived import Figure
from ..motion.evaluate import RATE
from ..motion.rig import NAMES, PARENTS
from ..records import tram_layout
from ..records.rotations import Rotations, decode, encode, fits
from ..records.tram_layout import EULER, QUATERNION
from . import collada
from .collada import Scene, SceneNode
from .motion import STEPS, U16

_ERRORS = (0.02, 0.1, 0.5, 2.0)
"""Degrees that a rotation may be off where a block has no room for all keys."""

METRES = 0.1
"""Of a unit of the game."""

ALIASES = {"stomach": "mid", "torso": "chest", "hand": "handfist", "fist": "handfist", "arm": "biceps", "bicep": "biceps"}
"""Other words for the bones."""

UPRIGHT: dict[str, Floats] = {
    "X_UP": np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]]),
    "Y_UP": np.eye(3),
    "Z_UP": np.array([[1.0, 0, 0], [0, 0, 1], [0, -1, 0]]),
}
"""From a file's axes to the game's, by the axis that is up."""

SIDEWAYS = (1, 4, 11, 15)
"""Bones that lie along Z from their parent: thighs and shoulders."""


@dataclass(frozen=True, eq=False)
class DaeMotion:
    """heights: (N,). path: (N + 1, 2) x and z of the root. rotations: of the bones in the game's order. offsets: (19, 3)."""

    heights: NDArray[np.float32]
    path: NDArray[np.float32]
    rotations: Rotations
    offsets: Floats

    @property
    def figure(self) -> Figure:
        return Figure(np.array(PARENTS, np.int32), self.offsets)

    @property
    def fields(self) -> dict[str, Any]:
        """Of the TRAM."""
        velocities = np.zeros(len(self.heights), tram_layout.VELOCITY)
        velocities["x"], velocities["z"] = np.diff(self.path, axis=0).T
        count = len(self.heights)
        return {
            "frame_count": count,
            "duration": count,
            "bone_count": len(PARENTS),
            "compression": self.rotations.key_size,
            "heights": self.heights.astype("<f4"),
            "velocities": velocities,
            "rotations": self.rotations.pack(),
        }


def read(data: Bytes, start: int = 0, end: int = 0, overlay: bool = False) -> DaeMotion:
    """start, end: the frames to take, the last not included; 0 for all. overlay: whether the keys are quaternions.

    Raises FormatError for what is no such file.
    """
    scene = collada.parse(data)
    bones = _bones(scene)
    last = max((float(curve.times[-1]) for bone in bones for one in bone.transforms for curve in one.curves.values()), default=0.0) * RATE
    stop = min(end, round(last)) if end > 0 else round(last)
    start = start if 0 < start < stop else 0
    count = max(stop - start, 1)
    if count > U16:
        raise FormatError(f"{count} frames; 1 to {U16} are possible")
    times = (np.arange(count + 1) + start) / RATE
    upright, scale = UPRIGHT[scene.up], scene.metres / METRES
    if abs(scale - 1) > 1e-6:
        log.info(f"a unit of {scene.metres:g} metres: positions are multiplied by {scale:g}")
    times = _snapped(times, bones)
    reversed_order = _reverse(scene, bones, times)
    rotations, positions = _world(scene, bones, times)
    local = np.empty_like(rotations)
    offsets = np.zeros((len(bones), 3))
    for bone, parent in enumerate(PARENTS):
        above = rotations[:, parent].swapaxes(1, 2) if parent >= 0 else None
        local[:, bone] = rotations[:, bone] if above is None else above @ rotations[:, bone]
        if above is not None:
            offsets[bone] = scale * (above[0] @ (positions[0, bone] - positions[0, parent]))
    path = positions[:, 0] @ upright.T * scale
    away = np.abs(offsets[list(SIDEWAYS)]).sum(axis=0)
    if scene.up == "Z_UP" and not reversed_order and away[1] > 3 * away[2]:  # each bone's axes were converted, not the root's alone
        local, offsets = upright @ local @ upright.T, offsets @ upright.T
    else:
        local[:, 0] = upright @ local[:, 0]
    exact = [_angles(scene, bones, bone, times) if scene.up == "Y_UP" else None for bone in range(len(bones))]
    return DaeMotion(path[:-1, 1].astype(np.float32), path[:, [0, 2]].astype(np.float32), _keys(local[:-1], exact, overlay), offsets)


def _reverse(scene: Scene, bones: list[SceneNode], times: Floats) -> bool:
    """Put the rotations of a Z_UP file of OniSplit's `-blender` into the order that its angles are for: it writes rotX, rotY and rotZ
    as always, with the angles of Rz * Ry * Rx [AnimationDaeWriter.cs, BodyDaeWriter.cs]. Where another program may have written the
    file, only unless its pelvis stands upright as it is. Returns whether it did."""
    rotates = [[one for one in bone.transforms if one.kind == "rotate"] for bone in bones]
    plain = all(np.array_equal([one.values[:3] for one in own], np.eye(3)) for own in rotates)
    if scene.up != "Z_UP" or not plain or any([one.kind for one in bone.transforms][:1] != ["translate"] for bone in bones):
        return False

    def upright() -> float:
        return float(_world(scene, bones[:1], times)[0][:, 0, 2, 0].mean())

    def reverse() -> None:
        for bone in bones:
            bone.transforms[1:4] = reversed(bone.transforms[1:4])

    as_written = upright()
    reverse()
    if "OniSplit" not in scene.tool and as_written > upright() + 0.3:
        reverse()
        return False
    return True


def _snapped(times: Floats, bones: list[SceneNode]) -> Floats:
    """The same, and every curve's keys that are meant to be at frames put there: files have their times with few digits."""
    for bone in bones:
        for one in bone.transforms:
            for index, curve in one.curves.items():
                frames = np.rint(curve.times * RATE)
                if (np.abs(curve.times * RATE - frames) < 0.01).all():
                    one.curves[index] = replace(curve, times=frames / RATE)
    return times


def _bones(scene: Scene) -> list[SceneNode]:
    """The nodes of the 19 bones, by their names, whatever their order; without such names all below the pelvis, in OniSplit's order."""
    nodes = list(scene.walk())
    known: dict[str, SceneNode] = {}
    for node in nodes:
        for label in node.labels:
            name = _name(label)
            if name in NAMES:
                known.setdefault(name, node)
    if len(known) == len(NAMES) and len(set(map(id, known.values()))) == len(NAMES):
        return [known[name] for name in NAMES]
    below = list(known["pelvis"].walk()) if "pelvis" in known else []
    if len(below) == len(NAMES) and set(known) == {"pelvis"}:
        return below
    missing = [name for name in NAMES if name not in known]
    raise FormatError(f"no node for {first_few(missing, 4)}: a character has {len(NAMES)} bones")


def _name(label: str) -> str:
    """A bone's name out of a node's: with other words, after a prefix, or with marks of a program."""
    parts = [part for part in re.split(r"[^a-z0-9]+", label.lower()) if part not in ("", "node", "armature", "bone")]
    parts = [ALIASES.get(part, part) for part in parts]
    for count in (2, 1):
        if "_".join(parts[-count:]) in NAMES:
            return "_".join(parts[-count:])
    return ""


def _world(scene: Scene, bones: list[SceneNode], times: Floats) -> tuple[Floats, Floats]:
    """(T, 19, 3, 3) and (T, 19, 3) where the bones are in the file's axes."""
    rotations, positions = np.zeros((len(times), len(bones), 3, 3)), np.zeros((len(times), len(bones), 3))
    index = {id(node): bone for bone, node in enumerate(bones)}

    def visit(node: SceneNode, rotation: Floats, position: Floats) -> None:
        own, away = node.local(times)
        position = position + np.einsum("tij,tj->ti", rotation, away)
        rotation = rotation @ own
        if (bone := index.get(id(node))) is not None:
            rotations[:, bone], positions[:, bone] = rotation, position
        for child in node.children:
            visit(child, rotation, position)

    for root in scene.roots:
        if any(id(node) in index for node in root.walk()):
            visit(root, np.tile(np.eye(3), (len(times), 1, 1)), np.zeros((len(times), 3)))
    return rotations, positions


def _angles(scene: Scene, bones: list[SceneNode], bone: int, times: Floats) -> Floats | None:
    """(N, 3) degrees about X, Y and Z of a node that rotates just so, below its parent's node; None for any other."""
    siblings = scene.roots if bone == 0 else bones[PARENTS[bone]].children
    if not any(bones[bone] is node for node in siblings):
        return None
    rotates = [one for one in bones[bone].transforms if one.kind == "rotate"]
    others = {one.kind for one in bones[bone].transforms} - {"rotate", "translate"}
    axes = np.array([one.values[:3] for one in rotates])
    if others or axes.shape != (3, 3) or not np.array_equal(axes, np.eye(3)) or any(-1 in one.curves for one in rotates):
        return None
    return np.stack([one.at(times[:-1])[:, 3] for one in rotates], axis=1)


def _keys(local: Floats, exact: list[Floats | None], overlay: bool) -> Rotations:
    """A key a frame, but for those in the middle of frames that are all the same; fewer where a block has no room for them."""
    size, count = QUATERNION if overlay else EULER, len(local)
    tracks: list[NDArray[Any]] = []
    frames: list[NDArray[np.int64]] = []
    for bone, degrees in enumerate(exact):
        if degrees is not None and not overlay:
            raw = np.rint(degrees * STEPS).astype(np.int64).astype(np.uint16).view(np.int16)
        else:
            raw = encode(quaternion.of_matrix(local[:, bone]), size)
        same = (raw[1:] == raw[:-1]).all(axis=1)
        kept = np.ones(count, bool)
        kept[1:-1] = ~(same[:-1] & same[1:])
        frames.append(np.flatnonzero(kept))
        tracks.append(raw)
    if not fits([len(times) for times in frames], size):
        frames = _fewer(tracks, size)
    try:
        return Rotations.of_tracks(frames, [raw[times] for raw, times in zip(tracks, frames, strict=True)], count, size)
    except ExportError as error:
        raise FormatError(str(error)) from None


def _fewer(tracks: list[NDArray[Any]], size: int) -> list[NDArray[np.int64]]:
    """The frames of each track that stay keys, with the least error at which the block has room for all."""
    keys = [decode(raw, size) for raw in tracks]
    for degrees in _ERRORS:
        bounds = Bounds(angle=float(np.radians(degrees)))
        frames = [fewest_keys(track, track, bounds.angle, bounds) for track in keys]
        if fits([len(times) for times in frames], size):
            before, after = sum(map(len, keys)), sum(map(len, frames))
            log.warning(
                f"{before} rotation keys are more than a TRAM has room for: {after} are kept, which is off by up to {degrees:g} degrees"
            )
            return frames
    raise FormatError(f"rotation keys on {len(keys[0])} frames, which no TRAM has room for: split the animation")
