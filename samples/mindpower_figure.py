"""The mannequin in the shape of Tales of Pirates: bones, dummies and time line of a .lab, mesh of an .lgo.

The axes of both games differ by a mirror: character space here is Y up with the front at +Z, there Z up with the front at +Y.
"""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass, field, replace

import numpy as np

from ..core.lba.files.anm import TRANSLATE, Anm
from ..core.lba.files.lm1 import GOURAUD
from ..core.mindpower.files.mesh.helpers import SPHERE, Helpers
from ..core.mindpower.files.mesh.lgo import Lgo
from ..core.mindpower.files.mesh.materials import Materials, new_material
from ..core.mindpower.files.skeleton.lab import DUMMY, Lab, new_lab
from ..core.mindpower.surface.new_mesh import Vertices, new_lgo
from ..core.motion.rotations import quaternion
from . import gait
from .mannequin import Segment, colour
from .mindpower_texture import uv_of
from .shapes import Floats, Paint, Shape, lathe

SCALE = 0.002
"""The game's metres a unit of the mannequin: 2.4 high, as people of the game are."""
DIGITS = 7
"""What is rounded away differs from machine to machine."""

BONES = {
    "bob": "Bip01", "hips": "Bip01 Pelvis", "chest": "Bip01 Spine", "head": "Bip01 Head",
    "upper arm": "UpperArm", "forearm": "Forearm", "hand": "Hand", "thigh": "Thigh", "shin": "Calf", "foot": "Foot",
}  # fmt: skip
FOOTSTEPS = "Bip01 Footsteps"
"""On the ground below the root, where the game looks for it."""

ALONG = {"forearm": "hand", "upper arm": "forearm", "thigh": "shin", "shin": "foot", "hips": "chest", "chest": "head"}
"""Which segment the X axis of a bone points at."""
ENDS = {"head": (0.0, 1.0, 0.0), "hand": (0.0, -1.0, 0.0), "foot": (0.0, 0.0, 1.0)}

DUMMIES = {
    0: (FOOTSTEPS, (0.0, 0.0, 0.0)), 1: ("Bip01 Head", (0.0, 1180.0, 0.0)), 2: ("Bip01 Spine", (0.0, 850.0, 0.0)),
    3: ("Bip01 Pelvis", (0.0, 610.0, 0.0)), 6: ("Bip01 L Hand", (162.0, 460.0, 10.0)), 9: ("Bip01 R Hand", (-162.0, 460.0, 10.0)),
}  # fmt: skip
"""Slot: the bone and the position in units of the mannequin: foot, top of the head, chest, pelvis, hands."""
SPHERES = {1: 110.0, 2: 190.0, 3: 160.0}

EYE = Paint(9, colour("night", 1))
MOUTH = Paint(9, colour("walnut", 1))


def to_game(points: Floats) -> Floats:
    """(..., 3) units of the mannequin as the game's metres."""
    return np.asarray(points, np.float64)[..., [0, 2, 1]] * SCALE


def label(segment: str) -> str:
    side, _, rest = segment.partition(" ")
    return f"Bip01 {side[0].upper()} {BONES[rest]}" if side in ("left", "right") else BONES[segment]


def _without_side(segment: str) -> str:
    return segment.removeprefix("left ").removeprefix("right ")


def axes_of(segments: Sequence[Segment], segment: Segment) -> Floats:
    """(3, 3) rows: the axes of a bone at bind, in the game's model space."""
    name = _without_side(segment.name)
    side = segment.name.removesuffix(name)
    if name in ALONG:
        target = ALONG[name]
        aim = next(other for other in segments if other.name in (target, side + target))
        direction = np.subtract(aim.position, segment.position)
    else:
        direction = np.array(ENDS.get(name, (1.0, 0.0, 0.0)))
    along = to_game(direction)
    along /= np.linalg.norm(along)
    hint = np.array([0.0, 0.0, 1.0]) if abs(along[1]) > 0.7 else np.array([0.0, 1.0, 0.0])
    across = hint - (hint @ along) * along
    across /= np.linalg.norm(across)
    return np.stack([along, across, np.cross(along, across)])


def skeleton(segments: Sequence[Segment]) -> Lab:
    """Without keys: every segment but the root, which never moves, and the footsteps."""
    moving = segments[1:]
    names = [label(segment.name) for segment in moving]
    parents = [names.index(label(segment.parent)) if segment.parent not in (None, "root") else -1 for segment in moving]
    binds = np.zeros((len(names) + 1, 4, 4))
    binds[:, 3, 3] = 1
    for bind, segment in zip(binds, moving, strict=False):
        bind[:3, :3], bind[3, :3] = axes_of(segments, segment), to_game(np.array(segment.position))
    binds[-1, :3, :3] = np.eye(3)
    names, parents = [*names, FOOTSTEPS], [*parents, 0]
    dummies = np.zeros(len(DUMMIES), DUMMY)
    for row, (slot, (bone, position)) in zip(dummies, DUMMIES.items(), strict=True):
        row["id"], row["parent"], row["matrix"] = slot, names.index(bone), np.eye(4)
        row["matrix"][3, :3] = np.round(to_game(np.array(position)), DIGITS)
    return new_lab(names, parents, np.round(np.linalg.inv(binds), DIGITS) + 0.0, dummies)


def posed(segments: Sequence[Segment], types: Floats, values: Floats) -> tuple[Floats, Floats]:
    """(S, 3, 3) how each segment is rotated and (S, 3) where its pivot is, of angles or translations (S, 3)."""
    index = {segment.name: number for number, segment in enumerate(segments)}
    rotations, positions = np.tile(np.eye(3), (len(segments), 1, 1)), np.zeros((len(segments), 3))
    for number, segment in enumerate(segments[1:], 1):
        parent = index[segment.parent or "root"]
        moved = types[number] == TRANSLATE
        rotation = np.eye(3) if moved else gait.from_euler(values[number] * 2 * np.pi / gait.FULL_CIRCLE, gait.ORDER)
        rotations[number] = rotations[parent] @ rotation
        shift = np.subtract(segment.position, segments[parent].position) + values[number] * moved
        positions[number] = positions[parent] + rotations[parent] @ shift
    return rotations, positions


def frames_of(segments: Sequence[Segment], anm: Anm, cycle: bool) -> Iterator[tuple[Floats, Floats]]:
    """`posed` thirty times a second: through an animation once, or once round, where the last frame goes on to the first."""
    order = list(range(anm.loop_frame if cycle else 0, len(anm.frames)))
    keys = [*order, order[0]] if cycle else order
    ends = np.cumsum([0, *(int(anm.durations[key]) for key in keys[1:])]) / 50
    count = int(np.round(ends[-1] * 30)) + (not cycle)
    for time in np.arange(count) / 30:
        position = min(int(np.searchsorted(ends, time + 1e-9, "right")) - 1, len(keys) - 2)
        part = min((time - ends[position]) / (ends[position + 1] - ends[position]), 1.0)
        types, before = anm.types[keys[position + 1]], anm.values[keys[position]].astype(np.float64)
        change = anm.values[keys[position + 1]] - before
        around = (change + gait.FULL_CIRCLE / 2) % gait.FULL_CIRCLE - gait.FULL_CIRCLE / 2
        yield posed(segments, types, before + np.where(types[:, None] == TRANSLATE, change, around) * part)


def with_keys(lab: Lab, segments: Sequence[Segment], frames: Sequence[tuple[Floats, Floats]]) -> Lab:
    """Keys local to the parent, of poses of the segments."""
    binds = np.linalg.inv(lab.inverse_binds.astype(np.float64))
    worlds = np.zeros((lab.bone_count, len(frames), 4, 4))
    worlds[..., 3, 3] = 1
    for frame, (rotations, positions) in enumerate(frames):
        for bone in range(len(segments) - 1):
            rotation = rotations[bone + 1][[0, 2, 1]][:, [0, 2, 1]]
            worlds[bone, frame, :3, :3], worlds[bone, frame, 3, :3] = binds[bone, :3, :3] @ rotation.T, to_game(positions[bone + 1])
    worlds[-1] = np.eye(4)
    local = worlds.copy()
    for bone, parent in enumerate(lab.parents.tolist()):
        if parent >= 0:
            local[bone] = worlds[bone] @ np.linalg.inv(worlds[parent])
    rotated = quaternion.of_matrix(local[..., :3, :3].swapaxes(-1, -2))
    rotated = quaternion.continuous(rotated.swapaxes(0, 1)).swapaxes(0, 1)[..., [1, 2, 3, 0]]
    return lab.with_quaternions(np.round(local[..., 3, :3], DIGITS) + 0.0, np.round(rotated, DIGITS) + 0.0)


@dataclass
class _Gathered:
    """The arrays of the mesh while they grow."""

    positions: list[Floats] = field(default_factory=list[Floats])
    normals: list[Floats] = field(default_factory=list[Floats])
    uvs: list[Floats] = field(default_factory=list[Floats])
    bones: list[tuple[int, int]] = field(default_factory=list[tuple[int, int]])
    weights: list[tuple[float, float]] = field(default_factory=list[tuple[float, float]])
    triangles: list[tuple[int, int, int]] = field(default_factory=list[tuple[int, int, int]])

    def add(self, shape: Shape, position: Floats, bone: int, shared: dict[int, int]) -> None:
        """A shape of one segment. shared: by point, the other bone that carries half of it."""
        smooth = np.zeros((len(shape.points), 3))
        for corners, paint in shape.faces:
            if paint.material >= GOURAUD:
                smooth[list(corners)] += _area(shape.points[list(corners)])
        known: dict[tuple[int, int, int], int] = {}
        for number, (corners, paint) in enumerate(shape.faces):
            soft = paint.material >= GOURAUD
            ring: list[int] = []
            for corner in corners:
                key = corner, paint.colour, -1 if soft else number
                if key not in known:
                    known[key] = len(self.positions)
                    normal = smooth[corner] if soft else _area(shape.points[list(corners)])
                    other = shared.get(corner, -1)
                    self.positions.append(to_game(position + shape.points[corner]))
                    self.normals.append(to_game(normal) / np.linalg.norm(to_game(normal)))
                    self.uvs.append(uv_of(shape.points, corner, paint.colour))
                    self.bones.append((bone, max(other, 0)))
                    self.weights.append((0.5, 0.5) if other >= 0 else (1.0, 0.0))
                ring.append(known[key])
            # Mirrored with the axes: the corners go round in the opposite direction.
            self.triangles += [(ring[0], ring[at + 1], ring[at]) for at in range(1, len(ring) - 1)]


def _area(corners: Floats) -> Floats:
    """Twice the area of a polygon, as a vector along its normal."""
    return np.cross(corners, np.roll(corners, -1, axis=0)).sum(axis=0)


def _face(segment: Segment) -> Iterator[Shape]:
    """Eyes and a mouth at the marks of the head."""
    for eye in ("left eye", "right eye"):
        ball = lathe(6, [(13, 0, 0), (0, 13, 13), (-13, 0, 0)], [EYE, EYE])
        yield Shape(ball.points + np.array(segment.marks[eye]), ball.faces)
    left, right = np.array(segment.marks["mouth left"]), np.array(segment.marks["mouth right"])
    up, out = np.array([0.0, 4.0, 0.0]), np.array([0.0, 0.0, 6.0])
    yield Shape(np.array([right - up, left - up, left + up, right + up]) + out, (((0, 1, 2, 3), MOUTH.flat),))


def mesh(segments: Sequence[Segment], lab: Lab, texture: str) -> Lgo:
    """One mesh with one material; waist and neck bend with both bones that they join."""
    gathered = _Gathered()
    index = {segment.name: number - 1 for number, segment in enumerate(segments)}
    joints = {"hips": ("chest", np.max), "head": ("chest", np.min)}
    for segment in segments:
        shapes = list(segment.shapes) + (list(_face(segment)) if segment.marks else [])
        for number, shape in enumerate(shapes):
            shared: dict[int, int] = {}
            if number == 0 and segment.name in joints:
                other, extreme = joints[segment.name]
                edge = extreme(shape.points[:, 1])
                shared = dict.fromkeys(np.flatnonzero(shape.points[:, 1] == edge).tolist(), index[other])
            gathered.add(shape, np.array(segment.position), index[segment.name], shared)
    vertices = Vertices(
        np.round(gathered.positions, DIGITS),
        np.round(gathered.normals, DIGITS) + 0.0,
        np.round([gathered.uvs], DIGITS),
        gathered.bones,
        gathered.weights,
    )
    lgo = new_lgo(vertices, gathered.triangles, [0] * len(gathered.triangles), Materials(new_material([texture])))
    spheres = np.zeros(len(SPHERES), SPHERE)
    positions = {int(dummy["id"]): dummy["matrix"] for dummy in lab.dummies}
    for row, (slot, radius) in zip(spheres, SPHERES.items(), strict=True):
        row["id"], row["radius"], row["matrix"] = slot, radius * SCALE, positions[slot]
    return replace(lgo, helpers=Helpers(spheres=spheres))
