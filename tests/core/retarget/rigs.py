"""Made-up humanoids and motions: one set of joints, and the same dressed in other rolls, axes, names, rest poses and proportions."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
from retro_anim.core.motion.rotations import quaternion as quat
from retro_anim.core.motion.rotations import rotation_matrix
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.retarget.figures.figure import Figure
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, Pair
from retro_anim.core.retarget.figures.motion import Local, Motion
from retro_anim.core.retarget.figures.roles import other_side
from retro_anim.core.retarget.figures.walk import forward

_SIDE = (
    ("Shoulder", "upperChest", (0.04, 0.0, 0.12)),
    ("UpperArm", "Shoulder", (0.14, 0.01, 0.0)),
    ("LowerArm", "UpperArm", (0.27, 0.02, 0.0)),
    ("Hand", "LowerArm", (0.25, -0.02, 0.0)),
    ("IndexProximal", "Hand", (0.09, -0.02, 0.0)),
    ("LittleProximal", "Hand", (0.08, 0.04, 0.0)),
    ("UpperLeg", "hips", (0.1, 0.0, -0.05)),
    ("LowerLeg", "UpperLeg", (0.0, -0.02, -0.42)),
    ("Foot", "LowerLeg", (0.0, 0.03, -0.41)),
    ("Toes", "Foot", (0.0, -0.15, -0.07)),
)
_JOINTS: list[tuple[str, str, tuple[float, float, float]]] = [
    ("hips", "", (0.0, 0.0, 0.97)),
    ("spine", "hips", (0.0, 0.01, 0.1)),
    ("chest", "spine", (0.0, 0.0, 0.15)),
    ("upperChest", "chest", (0.0, 0.02, 0.15)),
    ("neck", "upperChest", (0.0, 0.0, 0.17)),
    ("head", "neck", (0.0, -0.01, 0.1)),
]
for _side, _sign in (("left", 1.0), ("right", -1.0)):
    _JOINTS += [(_side + name, _side + parent if parent[0].isupper() else parent, (x * _sign, y, z)) for name, parent, (x, y, z) in _SIDE]

NAMES = tuple(name for name, _, _ in _JOINTS)
PARENTS = np.array([NAMES.index(parent) if parent else -1 for _, parent, _ in _JOINTS], np.int32)
OFFSETS = np.array([offset for _, _, offset in _JOINTS])
SAME = BoneMap(tuple(Pair(name, name, role=name) for name in NAMES))

TILT = rotation_matrix.about(0, np.array(0.1))

LIMBS = [name for name in NAMES if name.endswith(("UpperArm", "LowerArm", "UpperLeg", "LowerLeg", "Foot"))]


def humanoid(rotations: Floats | None = None, offsets: Floats = OFFSETS, scale: float = 1.0) -> Figure:
    """Joints at `offsets` from their parents, bone orientations `turns` (B, 3, 3) in armature space, Blender's float32 matrices."""
    rest = np.zeros((len(NAMES), 4, 4))
    for bone, parent in enumerate(PARENTS.tolist()):
        rest[bone, :3, 3] = offsets[bone] * scale + (rest[parent, :3, 3] if parent >= 0 else 0.0)
    rest[:, :3, :3] = np.eye(3) if rotations is None else rotations
    rest[:, 3, 3] = 1
    rest[:, :3, :3] = rest[:, :3, :3].astype(np.float32)
    return Figure(NAMES, PARENTS, rest, np.full(len(NAMES), 0.1))


def without_toes(higher: float) -> Figure:
    """The humanoid whose feet end at its ankles. higher: metres by which these are higher above the soles."""
    figure = humanoid()
    kept = [bone for bone, name in enumerate(figure.names) if not name.endswith("Toes")]
    parents = [kept.index(parent) if parent >= 0 else -1 for parent in figure.parents[kept].tolist()]
    rest = figure.rest[kept].copy()
    rest[:, 2, 3] += higher
    return Figure(tuple(figure.names[bone] for bone in kept), np.array(parents, np.int32), rest, figure.lengths[kept])


def random_rotations(seed: int, count: int = len(NAMES), most: float = np.pi) -> Floats:
    """(count, 3, 3) rotations about random axes, by up to `most` radians."""
    random = np.random.default_rng(seed)
    axes = random.normal(size=(count, 3))
    angles = random.uniform(-most, most, (count, 1))
    return rotation_matrix.from_axis_angle(np.concatenate([angles, axes], axis=1))


def rolled(seed: int) -> Figure:
    """Bones that point along their limbs, with random roll."""
    tips = [
        OFFSETS[np.flatnonzero(bone == PARENTS)].mean(axis=0) if bone in PARENTS.tolist() else OFFSETS[bone] for bone in range(len(NAMES))
    ]
    along = np.array(tips) / np.linalg.norm(tips, axis=1, keepdims=True)
    x = np.cross(along, np.array([0.3, 0.8, 0.5]))
    x /= np.linalg.norm(x, axis=1, keepdims=True)
    rotations = np.stack([x, along, np.cross(x, along)], axis=2)
    angles = np.random.default_rng(seed).uniform(-np.pi, np.pi, len(NAMES))
    return humanoid(rotations @ rotation_matrix.about(1, angles))


def reposed(figure: Figure, seed: int, most: float, world: Floats | None = None) -> Figure:
    """The same bones with another rest pose, every bone turned against its parent, and the object elsewhere."""
    rotations = random_rotations(seed, len(figure), most)
    rotations[figure.parents < 0] = np.eye(3)
    local = Local(np.zeros((1, len(figure), 3)), quat.of_matrix(rotations)[None])
    posed = forward(figure, np.zeros(1), local)
    rest = np.array(figure.rest)
    rest[:, :3, :3] = rotation_matrix.from_quaternion(posed.rotations[0]).astype(np.float32)
    rest[:, :3, 3] = posed.positions[0]
    return replace(figure, rest=rest, world=np.eye(4) if world is None else world)


def other_order(figure: Figure) -> list[int]:
    """Its bones, parents before their children: the last child first, and all that hangs on it."""
    order: list[int] = []
    waiting = [bone for bone, parent in enumerate(figure.parents.tolist()) if parent < 0]
    while waiting:
        order.append(waiting.pop())
        waiting += figure.children[order[-1]]
    return order


def reordered(figure: Figure) -> Figure:
    """The same bones in another order."""
    order = other_order(figure)
    parents = [order.index(int(figure.parents[bone])) if figure.parents[bone] >= 0 else -1 for bone in order]
    return replace(
        figure,
        names=tuple(figure.names[bone] for bone in order),
        parents=np.array(parents, np.int32),
        rest=figure.rest[order],
        lengths=figure.lengths[order],
        modes=tuple(figure.modes[bone] for bone in order),
        hinged=figure.hinged[order],
        unturned=figure.unturned[order],
        fixed=figure.fixed[order],
        locked=figure.locked[order],
    )


def mirrored(figure: Figure) -> Figure:
    """Across x = 0, with the names of the other sides."""
    across = np.diag([-1.0, 1, 1, 1])
    pelvis = None if figure.pelvis is None else figure.pelvis * [-1, 1, 1]
    return replace(figure, names=tuple(map(other_side, figure.names)), rest=across @ figure.rest @ across, pelvis=pelvis)


def yawed(angle: float, scale: float = 1.0) -> Floats:
    """(4, 4) an object turned about Z."""
    world = np.eye(4)
    world[:3, :3] = rotation_matrix.about(2, np.array(angle)) * scale
    return world


def dance(figure: Figure, frames: int = 40, seed: int = 0, most: float = 0.9) -> tuple[Local, Motion]:
    """Smooth random turning of all bones, and hips that go about."""
    random = np.random.default_rng(seed)
    time = np.arange(frames) / 30
    waves = random.normal(size=(len(figure), 3, 3))
    phase = random.uniform(0, 6, (len(figure), 3, 3))
    angles = (waves[..., None] * np.sin(phase[..., None] + time * np.array([1.0, 2.1, 3.3])[:, None])).sum(axis=2)
    angles *= most / 3
    axes = angles.transpose(2, 0, 1)
    size = np.linalg.norm(axes, axis=2, keepdims=True)
    rotations = quat.about(axes / np.maximum(size, 1e-12), size[..., 0])
    locations = np.zeros((frames, len(figure), 3))
    locations[:, figure.parents < 0] = np.stack([0.3 * time, 0.1 * np.sin(time * 3), 0.05 * np.sin(time * 5)], axis=1)[:, None]
    local = Local(locations, rotations)
    return local, forward(figure, np.arange(1, frames + 1, dtype=np.float64), local)
