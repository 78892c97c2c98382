"""What a character's root does in Blender beyond steps and heading: an offset where it starts, or a tilt. The root's children take it."""

from __future__ import annotations

import numpy as np

from ...motion.rigs.rig import Rig
from ...motion.rotations import rotation_matrix
from ...motion.rotations.angles import wrapped
from ...motion.rotations.rotation_matrix import Floats
from ...motion.sampling import BoneSamples
from ...reporting import log
from .playback import rotation_matrix_of
from .sampled import Settings

LEAST = 2.0
"""Game units that steps may be off a path by their rounding alone, and a bit more."""

_HEADING = np.array([0.0, 1, 0])


def tilt_of(angles: Floats, headings: Floats, first: Floats) -> Floats:
    """(..., 3, 3) what is left of the root's rotation by `angles` (..., 3) where the game has `headings` (..., 3) since keyframe 0, at
    which the angles are `first` (3,); radians."""
    heading = rotation_matrix_of(first * _HEADING) @ rotation_matrix_of(headings)
    return heading.swapaxes(-1, -2) @ rotation_matrix_of(angles)


def below_root(
    bones: BoneSamples, frames: Floats, shown: tuple[Floats, Floats], written: tuple[Floats, Floats], rig: Rig, settings: Settings
) -> BoneSamples:
    """The bones with what is left of the root's motion on its children, as far as these can hold it; the rest becomes warnings.

    shown, written: positions (K, 3), units, and angles (K, 3), radians, of the root in Blender and in the file. Where the path starts
    rotated, the game rotates the character itself before it plays.
    """
    (positions, angles), (reached, headings), game = shown, written, settings.game
    start = rotation_matrix_of(angles[0] * _HEADING)
    rounding = 1.5 * 2 * np.pi / game.rotation
    away = abs(float(wrapped(angles[0, 1])))
    if away > rounding:
        size = f"{np.degrees(away):.4g} degrees at frame {frames[0]:g}"
        text = f"the character starts rotated by {size}, which the game does by itself: rotate the bones below the root instead"
        log.warning(text, topic="root", bone=rig.skeleton.names[0], frame=float(frames[0]))
    back = (start @ rotation_matrix_of(headings)).swapaxes(1, 2)
    linear = tilt_of(angles, headings, angles[0])
    offset = np.einsum("kij,kj->ki", back, positions - reached @ start.T)
    tilt = rotation_matrix.angle(linear)
    tilted, moved = bool(tilt.max() > rounding), bool(np.abs(offset).max() > LEAST + 1e-5 * np.abs(positions).max())
    if not tilted and not moved:
        return bones
    if settings.root_is_visible():
        _report_root(rig.skeleton.names[0], frames, np.linalg.norm(offset, axis=1) * moved, np.degrees(tilt) * tilted)
    if not tilted:
        linear = np.broadcast_to(np.eye(3), linear.shape)
    rotations, moves = np.array(bones.angles), np.array(bones.positions)
    for child in np.flatnonzero(rig.skeleton.parents == 0).tolist():
        if child == 0:
            continue
        head = rig.skeleton.heads[child] - rig.skeleton.heads[0]
        away = linear @ head + offset - head
        if not moved and np.abs(away).max() <= LEAST:
            away = np.zeros_like(away)
        rotated, shifted = bool((np.abs(bones.angles[:, child]) > rounding).any()), bool((np.abs(bones.positions[:, child]) > 0.5).any())
        tilts = tilted and not shifted
        if np.abs(away).max() > LEAST and (rotated or tilts):
            why = "rotates already" if rotated else "is rotated for the tilt"
            _report(rig.skeleton.names[child], frames, np.linalg.norm(away, axis=1), "units away from where it is shown", why)
            away = np.zeros_like(away)
        if tilted and shifted:
            _report(rig.skeleton.names[child], frames, np.degrees(tilt), "degrees off how it is shown", "is translated already")
        if tilts:
            rotations[:, child] = _triples(linear @ rotation_matrix_of(bones.angles[:, child]), rig, child)
        elif not rotated:
            moves[:, child] = np.einsum("kij,kj->ki", linear, moves[:, child]) + away
    return BoneSamples(rotations, moves, bones.sizes)


def _triples(linear: Floats, rig: Rig, bone: int) -> Floats:
    """(K, 3) game triples of rotations (K, 3, 3) in the game's axes."""
    rest, axes = rig.rest[bone], rig.convention.axes
    basis = rest.T @ axes @ linear @ axes.T @ rest
    return rig.euler_from_basis(np.array([bone]), rotation_matrix.to_euler(basis, rig.modes[bone])[:, None])[:, 0]


def _worst(sizes: Floats) -> int:
    """The first of the keyframes at which they are largest, but for what rounding adds."""
    return int(np.argmax(sizes > 0.999 * sizes.max()))


def _report_root(root: str, frames: Floats, offsets: Floats, tilts: Floats) -> None:
    sizes, unit = (offsets, "units behind") if offsets.any() else (tilts, "degrees off")
    worst = _worst(sizes)
    log.warning(
        f"{root} itself is {sizes[worst]:.4g} {unit} at frame {frames[worst]:g}: the game moves the character from keyframe to keyframe "
        "alone, so an offset or a tilt of its root is given to the bones below; move these, and leave the root",
        topic="root",
        bone=root,
        frame=float(frames[worst]),
    )


def _report(bone: str, frames: Floats, sizes: Floats, what: str, why: str) -> None:
    worst = _worst(sizes)
    log.warning(
        f"{bone} is {sizes[worst]:.4g} {what} at frame {frames[worst]:g}: the root starts away from its origin or is tilted, which the "
        f"game does not have, and {bone} {why}; move the root less, or the bones below it",
        topic="root",
        bone=bone,
        frame=float(frames[worst]),
    )
