"""The motion in OniSplit's XML of a TRAM: heights, velocities, rotations and positions, read and written."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...reporting.errors import ExportError
from ..motion.evaluate import summed_path
from ..records import tram_layout
from ..records.rotations import Rotations
from ..records.tram import Tram
from ..records.tram_layout import EULER, QUATERNION
from .floats import single, singles
from .tree import Node
from .values import Cursor, branch, from_hundredths, hundredths, leaf, table, wrong

STEPS = 65535 / 360
"""16-bit angle steps of a degree."""

U16 = 0xFFFF

Array = NDArray[Any]


def read_motion(animation: Cursor) -> tuple[dict[str, Any], NDArray[np.float32]]:
    """Heights to positions: the fields of the TRAM, and the path of the root, (frames, 2) x and z as OniSplit sums them.

    Raises FormatError.
    """
    heights, speeds = _list(animation, "Heights"), _list(animation, "Velocities")
    raised = table(heights, 1)[:, 0].astype("<f4")
    velocities = np.zeros(len(speeds), tram_layout.VELOCITY)
    velocities["x"], velocities["z"] = table(speeds, 2).astype("<f4").T
    bones = animation.take("Rotations")
    rotations = _rotations(bones)
    offset = animation.optional("PositionOffset")
    start = np.zeros(2, np.float32)
    if offset is not None:
        both = Cursor(offset)
        start[:] = both.single("X"), both.single("Z")
        both.finish()
    sizes = [_size(Cursor(node)) for node in _list(animation, "Positions")]
    frames = rotations.frame_count if rotations else len(velocities) or len(raised) or len(sizes)
    for name, count in (("heights", len(raised)), ("velocities", len(velocities)), ("positions", len(sizes))):
        if count not in (0, frames):
            raise wrong(bones, f"{count} {name} for {frames} frames")
    if not 0 < frames <= U16:
        raise wrong(bones, f"{frames} frames; 1 to {U16} are possible")
    path = summed_path(velocities, start, frames)
    fields = {
        "frame_count": frames,
        "duration": frames,
        "bone_count": rotations.bone_count if rotations else 19,
        "compression": rotations.key_size if rotations else EULER,
        "heights": raised if len(raised) else None,
        "velocities": velocities if len(velocities) else None,
        "rotations": rotations.pack() if rotations else None,
        "positions": _positions(path, np.array(sizes, np.int64).reshape(-1, 2)) if sizes else None,
    }
    return fields, path


def _positions(path: NDArray[np.float32], sizes: NDArray[np.int64]) -> Array:
    result = np.zeros(len(sizes), tram_layout.POSITION)
    result["height"], result["y_offset"] = sizes[:, 0], sizes[:, 1]
    with np.errstate(over="ignore", invalid="ignore"):
        whole = np.clip(np.nan_to_num(np.rint(path * np.float32(100))), -32768, 32767).astype(np.int16)
    result["x"], result["z"] = whole.T
    return result


def _list(cursor: Cursor, tag: str) -> list[Node]:
    """The children of a list of elements called as it is in the plural; the list may be missing."""
    result = cursor.optional(tag)
    return Cursor(result).all({"Heights": "Height", "Velocities": "Velocity", "Positions": "Position"}[tag]) if result is not None else []


def _size(position: Cursor) -> tuple[int, int]:
    height, offset = hundredths(position.take("Height"), 0, U16), hundredths(position.take("YOffset"), -32768, 32767)
    position.finish()
    return height, offset


def _rotations(node: Node) -> Rotations | None:
    """The keys of all bones; the last key of a track is put at the last frame, where it is not."""
    frames: list[NDArray[np.int64]] = []
    keys: list[Array] = []
    total = 0
    kinds = {key.tag for bone in node.children for key in bone.children}
    if kinds not in (set(), {"EKey"}, {"QKey"}):
        raise wrong(node, "<Rotations>: the keys must be EKey or QKey, all of one kind")
    size = QUATERNION if kinds == {"QKey"} else EULER
    for bone, element in enumerate(Cursor(node).all("Bone")):
        rows = table(element.children, 5 if size == QUATERNION else 4)
        lengths = rows[:, 0]
        if not len(rows) or ((lengths < 1) | (lengths > 255) | (lengths != np.floor(lengths))).any():
            raise wrong(element, f"bone {bone}: it needs keys, with whole numbers of frames from 1 to 255")
        ends = np.cumsum(lengths.astype(np.int64))
        if bone and int(ends[-1]) != total:
            raise wrong(element, f"bone {bone}: its keys are {int(ends[-1])} frames long, those of bone 0 {total}")
        total = int(ends[-1])
        if total > U16:
            raise wrong(element, f"bone {bone}: its keys are {total} frames long; at most {U16} are possible")
        times, values = ends - lengths.astype(np.int64), rows[:, 1:]
        if times[-1] != total - 1:
            times, values = np.append(times, total - 1), np.concatenate([values, values[-1:]])
        frames.append(times)
        keys.append(values.astype("<f4") if size == QUATERNION else _steps(values, element))
    if not frames:
        return None
    try:
        return Rotations.of_tracks(frames, keys, total, size)
    except ExportError as error:
        raise wrong(node, f"<Rotations>: {error}") from None


def _steps(degrees: NDArray[np.float64], node: Node) -> Array:
    """(K, 3) degrees -> 16-bit angles."""
    if not (np.abs(degrees) < 1e6).all():
        raise wrong(node, "an angle beyond all limits")
    return np.rint(degrees * STEPS).astype(np.int64).astype(np.uint16).view(np.int16)


def write_motion(document: Tram) -> list[Node]:
    """Heights to positions."""
    heights = [] if document.heights is None else [leaf("Height", single(height)) for height in document.heights]
    speeds = [] if document.velocities is None else [leaf("Velocity", singles(x, z)) for x, z in document.velocities]
    positions: list[Any] = [] if document.positions is None else list(document.positions)
    first: Any = positions[0] if positions else np.zeros((), tram_layout.POSITION)
    return [
        branch("Heights", *heights),
        branch("Velocities", *speeds),
        branch("Rotations", *_bones(document)),
        branch("PositionOffset", leaf("X", from_hundredths(first["x"])), leaf("Z", from_hundredths(first["z"]))),
        branch(
            "Positions",
            *(
                branch(
                    "Position", leaf("Height", from_hundredths(position["height"])), leaf("YOffset", from_hundredths(position["y_offset"]))
                )
                for position in positions
            ),
        ),
    ]


def _bones(document: Tram) -> list[Node]:
    if document.rotations is None:
        return []
    block = Rotations.parse(document.rotations, document.bone_count, document.frame_count, document.compression)
    values = block.keys if document.compression == QUATERNION else block.keys.astype(np.float32) * np.float32(180) / np.float32(32767.5)
    tag = "QKey" if document.compression == QUATERNION else "EKey"
    bones: list[Node] = []
    for bone in range(document.bone_count):
        rows = slice(int(block.starts[bone]), int(block.starts[bone + 1]))
        lengths = np.diff(block.frames[rows], append=document.frame_count).tolist()
        bones.append(branch("Bone", *(leaf(tag, f"{length} {singles(*row)}") for length, row in zip(lengths, values[rows], strict=True))))
    return bones
