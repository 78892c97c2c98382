"""How far what Blender shows is from the game, where bones cannot hold the game's matrices, or numbers are rounded."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations.rotation_matrix import Floats
from ...reporting import log
from ...reporting.labels import first_few
from ...surface.mesh import Mesh
from .motion import Motion
from .rig import AXES

VISIBLE = 5e-5
"""From this error of a vertex on, in game units, a bone counts as not exact."""

_ROUNDED = 4e-7
"""How far vertices are off by Blender's single precision, as a part of their distance from the origin."""

_AT_ONCE = 2_000_000


def vertex_errors(motion: Motion, points: Floats, bones: NDArray[np.int64], weights: Floats) -> NDArray[np.float64]:
    """(V,) the distance of each vertex from where the game has it, at its worst frame. points: (V, 3) at rest, in Blender's units and axes.
    bones, weights: (V, N), weights of any sum."""
    far = np.zeros(len(points))
    total = weights.sum(axis=1, keepdims=True)
    shares = weights / np.where(total == 0, 1, total)
    touched = np.flatnonzero((np.isin(bones, list(motion.errors)) & (weights != 0)).any(axis=1))
    frames = len(motion)
    at = np.column_stack([points, np.ones(len(points))])
    step = max(1, _AT_ONCE // max(frames, 1))
    for first in range(0, len(touched), step):
        some = touched[first : first + step]
        off = np.zeros((frames, 3, len(some)))
        for bone, error in motion.errors.items():
            share = np.where(bones[some] == bone, shares[some], 0.0).sum(axis=1)
            mine = np.flatnonzero(share)
            if len(mine):
                off[:, :, mine] += error @ (at[some[mine]].T * share[mine])
        far[some] = np.linalg.norm(off, axis=1).max(axis=0, initial=0)
    return far


def worst_of(motion: Motion, meshes: Sequence[Mesh]) -> dict[int, float]:
    """By bone that is not exact, the farthest that any vertex which it carries is from where the game has it; 0 without vertices."""
    worst = dict.fromkeys(motion.errors, 0.0)
    for mesh in meshes:
        if mesh.weights is None:
            continue
        far = vertex_errors(motion, mesh.points @ AXES.T * motion.rig.scale, mesh.bones, mesh.weights)
        for bone in worst:
            carried = ((mesh.bones == bone) & (mesh.weights > 0)).any(axis=1)
            worst[bone] = max(worst[bone], float(far[carried].max(initial=0)))
    return worst


def in_need(motion: Motion, meshes: Sequence[Mesh], dummies: NDArray[np.void]) -> NDArray[np.int64]:
    """The bones that need helper bones, since a vertex or a dummy shows that they are not exact; without a mesh all that are not."""
    if not any(mesh.weights is not None for mesh in meshes):
        return np.array(list(motion.errors), np.int64)
    worst = worst_of(motion, meshes)
    for bone in worst:
        points = dummies["matrix"][dummies["parent"] == bone][:, 3, :3].astype(np.float64)
        worst[bone] = max(worst[bone], motion.farthest(bone, points @ AXES.T * motion.rig.scale))
    return np.array([bone for bone, far in worst.items() if far > VISIBLE * motion.rig.scale], np.int64)


def report(worst: dict[str, float]) -> None:
    """Warn of bones that are not exact. worst: by bone, the farthest of its vertices, in Blender's units."""
    shown = sorted(((far, name) for name, far in worst.items()), reverse=True)
    if not shown:
        return
    largest = shown[0][0]
    named = first_few([f"{name} {far:.2g}" for far, name in shown], 6)
    log.warning(
        f"sheared bones, which Blender holds only nearly; vertices are up to {largest:.2g} m off: {named}. Helper bones make them exact"
    )


def report_distance(motion: Motion) -> None:
    """Warn of a character so far from the origin that Blender's numbers no longer hold its vertices exactly."""
    rig, roots = motion.rig, np.flatnonzero(motion.rig.parents < 0)
    heads = rig.rest[roots, :3, 3] + np.einsum("bij,fbj->fbi", rig.rest[roots, :3, :3], motion.locations[:, roots].astype(np.float64))
    far = max(float(np.linalg.norm(points, axis=-1).max(initial=0)) for points in (heads, rig.rest[:, :3, 3]))
    if far * _ROUNDED > VISIBLE * rig.scale:
        log.warning(f"it stands up to {far:.4g} m from the origin, where Blender rounds: vertices are up to {far * _ROUNDED:.1g} m off")
