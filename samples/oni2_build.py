"""`python -m retro_anim.samples.oni2_build [FOLDER]` writes the mannequin as Oni 2 has its characters: an entity's folder, and RB.DAT."""

from __future__ import annotations

import struct
import sys
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..core.lba.body.body import Body
from ..core.lba.files.anm import Anm
from ..core.motion.rotations import rotation_matrix
from ..core.oni2.files.anim import WIDE, Anim, Kind, build
from ..core.oni2.files.dave import ENTRY, MAGIC, TABLE
from ..core.oni2.files.skeleton.skel import Skel, write
from ..core.oni2.files.skeleton.skel_bones import Bone, Declared, Triple
from ..core.oni2.motion.euler import continuous
from ..core.oni2.motion.evaluate import MODE
from ..core.surface.mesh import Mesh
from . import gait
from .assemble import body
from .mannequin import LINES, SPHERES, Segment, figure, palette
from .mindpower_figure import frames_of
from .output import write_files
from .shapes import Floats

FOLDER = Path(__file__).parent / "oni2"

SCALE = 0.0015
"""The game's metres a unit of the mannequin: 1.77 high."""
ROTATED = np.diag([-1.0, 1.0, -1.0])
"""The mannequin looks along +Z, the game's characters along -Z."""
DIGITS = 6
"""What is rounded away differs from machine to machine."""

CLIPS: dict[str, tuple[Kind, bool, str]] = {
    "walk": ("ANI1", True, "WALK"),
    "idle": ("ani", True, "STAND"),
    "wave": ("null", False, "WAVE"),
}
"""Our animations: kind of the file, whether they loop, what the character uses them for. The walk has the root's deltas."""

TRANSLATIONS = tuple(Declared("trans", axis) for axis in range(3))
FREE = tuple(Declared("rot", axis) for axis in range(3))
KNEE = (Declared("rot", 0, limit=(-2.6, 0.0)), Declared("rot", 1, locked=True), Declared("rot", 2, locked=True))
"""Knees bend in one direction."""

NAMES = {
    "hips": "root", "chest": "spine_01", "head": "head", "upper arm": "upperarm", "forearm": "forearm", "hand": "hand",
    "thigh": "thigh", "shin": "shin", "foot": "foot",
}  # fmt: skip


def to_game(points: NDArray[Any]) -> Floats:
    """(..., 3) units of the mannequin as the game's metres."""
    return np.round(np.asarray(points, np.float64) @ ROTATED * SCALE, DIGITS) + 0.0


def label(segment: str) -> str:
    side, _, rest = segment.partition(" ")
    return f"{NAMES[rest]}_{side[0]}" if side in ("left", "right") else NAMES[segment]


def ordered(segments: Sequence[Segment]) -> list[int]:
    """The segments that are bones, as a depth-first walk from the hips."""
    names = [segment.name for segment in segments]
    waiting, result = ["hips"], list[int]()
    while waiting:
        name = waiting.pop()
        result.append(names.index(name))
        waiting += reversed([segment.name for segment in segments if segment.parent == name])
    return result


def skeleton(segments: Sequence[Segment]) -> Skel:
    order = ordered(segments)
    names = [segments[index].name for index in order]
    bones: list[Bone] = []
    for index in order:
        segment = segments[index]
        parent = names.index(segment.parent) if segment.parent in names else -1
        start = np.array(segments[order[parent]].position if parent >= 0 else (0.0, 0.0, 0.0))
        x, y, z = to_game(np.array(segment.position) - start).tolist()
        offset: Triple = (x, y, z)
        channels = TRANSLATIONS + FREE if parent < 0 else KNEE if segment.name.endswith("shin") else FREE
        bones.append(Bone(label(segment.name), parent, offset, channels))
    return write(bones)


def clip(segments: Sequence[Segment], anm: Anm, skel: Skel, kind: Kind, loops: bool) -> Anim:
    """Thirty frames a second; where the animation steps, the root goes on, and ANI1 has its steps as deltas."""
    order = ordered(segments)
    frames = list(frames_of(segments, anm, loops))
    rotations = np.array([rotation for rotation, _ in frames])[:, order]
    count = len(frames)
    travel = _travel(anm, count) if loops else np.zeros((count + 1, 3))
    parents = [bone.parent for bone in skel.bones]
    local = rotations.copy()
    for bone, parent in enumerate(parents):
        if parent >= 0:
            local[:, bone] = rotations[:, parent].swapaxes(-1, -2) @ rotations[:, bone]
    angles = continuous(rotation_matrix.to_euler(ROTATED @ local @ ROTATED, MODE), np.zeros((len(order), 3)))
    positions = to_game(np.array([position[order[0]] for _, position in frames]) + travel[:count])
    tables = {"trans": positions, "rot": np.round(angles, DIGITS) + 0.0}
    columns = [
        tables["trans"][:, channel.axis] if channel.kind == "trans" else tables["rot"][:, bone, channel.axis]
        for bone in range(len(order))
        for channel in skel.declared(bone)
        if not channel.locked
    ]
    values = np.stack(columns, axis=1).astype(np.float32)
    deltas = np.diff(to_game(travel), axis=0).round(DIGITS).astype(np.float32) if kind == "ANI1" else None
    stride = to_game(travel[-1:])[0]
    return build(kind, WIDE if kind == "ani" else int(loops), stride, int(loops), values, deltas)


def _travel(anm: Anm, count: int) -> Floats:
    """(count + 1, 3) how far the animation has stepped at each frame of a whole round, in units."""
    keys = [*range(1, len(anm.frames)), 0]
    ends = np.cumsum([0, *(int(anm.durations[key]) for key in keys)]) / 50 * 30
    steps = np.cumsum([np.zeros(3), *(anm.steps[key].astype(np.float64) for key in keys)], axis=0)
    return np.stack([np.interp(np.arange(count + 1), ends, steps[:, axis]) for axis in range(3)], axis=1)


def mesh(segments: Sequence[Segment], surface: Mesh) -> str:
    """The text form: points relative to their bones, a packet of triangles a material."""
    order = ordered(segments)
    bone_of = np.array([order.index(index) if index in order else 0 for index in range(len(segments))])
    owners = surface.bones
    local = to_game(surface.points - np.array([segment.position for segment in segments])[owners])
    points, owner = [*local], [*bone_of[owners].tolist()]
    lines = ["version: 1.10"]
    triangles: list[list[tuple[int, int, int]]] = [[] for _ in surface.materials]
    for start, count, material in zip(surface.starts.tolist(), surface.counts.tolist(), surface.material_of.tolist(), strict=True):
        corners = surface.corners[start : start + count].tolist()
        triangles[material] += [(corners[0], corners[position], corners[position + 1]) for position in range(1, count - 1)]
    for ball in surface.spheres:
        first = len(points)
        for axis in range(3):
            for sign in (1, -1):
                points.append(local[ball.point] + np.eye(3)[axis] * sign * ball.radius * SCALE)
                owner.append(int(bone_of[owners[ball.point]]))
        for a in (0, 1):
            for b in (2, 3):
                for c in (4, 5):
                    one, two = (b, c) if (a + b + c) % 2 == 0 else (c, b)
                    triangles[ball.material].append((first + a, first + one, first + two))
    lines += [f"v {' '.join(f'{value:.6g}' for value in point)}" for point in np.round(np.array(points), DIGITS) + 0.0]
    used = [index for index, result in enumerate(triangles) if result]
    for index in used:
        material = surface.materials[index]
        diffuse = " ".join(f"{part:.4g}" for part in material.colour)
        lines += [f"mtl {material.name.replace(' ', '_')} {{", "\tpackets: 1", f"\tprimitives: {len(triangles[index])}"]
        lines += [f"\tdiffuse: {diffuse}", "}"]
    for index in used:
        corners = sorted({corner for triangle in triangles[index] for corner in triangle})
        bones = sorted({owner[corner] for corner in corners})
        lines.append(f"packet {len(corners)} {len(triangles[index])} {len(bones)} {{")
        lines += [f"\tadj {corner} -1 -1 -1 -1 {bones.index(owner[corner])}" for corner in corners]
        lines += [f"\ttri {' '.join(str(corners.index(corner)) for corner in triangle)}" for triangle in triangles[index]]
        lines += [f"\tmtx {' '.join(map(str, bones))}", "}"]
    return "\n".join(lines) + "\n"


def archive(files: dict[str, bytes]) -> bytes:
    """RB.DAT, nothing packed: what deflate makes of it differs from one library to the next."""
    folders = {f"{parent.as_posix()}/": b"" for name in files for parent in Path(name).parents if parent.name}
    entries = dict(sorted({**folders, **files}.items()))
    names, data = b"", b""
    table = np.zeros(len(entries), ENTRY)
    start = -(-(TABLE + table.nbytes + sum(len(name) + 1 for name in entries)) // TABLE) * TABLE
    for row, (name, content) in zip(table, entries.items(), strict=True):
        row["name"], row["offset"] = len(names), start + len(data) if content else 0
        row["size"] = row["packed"] = len(content)
        names += name.encode() + b"\0"
        data += content
    head = MAGIC + struct.pack("<3I", len(entries), table.nbytes, start - TABLE)
    return (head.ljust(TABLE, b"\0") + table.tobytes() + names).ljust(start, b"\0") + data


def files() -> dict[str, bytes]:
    """All files by their path below the game's folder."""
    segments = figure()
    surface = Body.of(body(segments, LINES, SPHERES)).mesh(palette())
    assert surface is not None
    skel = skeleton(segments)
    clips = {name: clip(segments, getattr(gait, name)(segments), skel, kind, loops) for name, (kind, loops, _) in CLIPS.items()}
    aliases = "".join(f"\tmannequin_{name} {alias}\n" for name, (_, _, alias) in CLIPS.items())
    result = {
        "Entity/mannequin/Entity.type": b"SKEL mannequin\nLodGroup {\n\thigh mannequin.mod 20\n}\nRADIUS 1.2\n",
        "Entity/mannequin/mannequin.skel": skel.pack(),
        "Entity/mannequin/mannequin.mod": mesh(segments, surface).encode(),
        **{f"Entity/mannequin/mannequin_{name}.anim": document.pack() for name, document in clips.items()},
        "entity.tune/mannequin/mannequin.anims": f"Anims {{\n{aliases}}}\n".encode(),
    }
    return {**result, "RB.DAT": archive(result)}


def main(folder: Path) -> None:
    write_files(folder, files())


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
