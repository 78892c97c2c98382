"""Steps and master rotation: the root motion as the game holds it, from keyframe to keyframe."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...motion import finite
from ...motion.rotations import rotation_matrix
from ...motion.rotations.rotation_matrix import Floats
from ...reporting import log
from ...reporting.errors import Problem
from ...reporting.folding import frames_text
from ...reporting.labels import counted
from ..files.anm import Anm
from ..files.variant import Variant
from .loop import REFIT
from .playback import rotation_matrix_of, rotations_of
from .root_offset import LEAST, tilt_of
from .sampled import Sampled, Settings

Ints = NDArray[np.int64]

_SHARES = np.array([0.25, 0.5, 0.75])
"""Where between two keyframes the game's arc is compared with what is shown."""


def beyond(values: Ints) -> NDArray[np.bool_]:
    """What does not fit 16 signed bits."""
    return (values < -32768) | (values > 32767)


@dataclass(eq=False)
class Root:
    """steps, rotations: (K, 3) units in the character's own axes, and angle steps. positions, angles: (K, 3) where the game has the
    character then, units and radians. kept: (K,) keyframes whose numbers are the file's."""

    steps: Ints
    rotations: Ints
    positions: Floats
    angles: Floats
    kept: NDArray[np.bool_]


def encode_root(
    frames: NDArray[Any], sampled: Sampled, match: Ints, settings: Settings, original: Anm | None, loop_frame: int
) -> tuple[Root, list[str]]:
    """Steps and master rotation of the keyframes `frames` (K,), with the flags; and what the format cannot hold of them."""
    problems: list[str] = []
    path = _own_axes(sampled.positions - sampled.positions[0], sampled)
    root = _root(path, sampled, match, settings, original)
    _step_back(root, path, sampled, settings, original, loop_frame)
    far = np.flatnonzero(beyond(root.steps).any(axis=1) | beyond(root.rotations).any(axis=1))
    if len(far):
        when = frames_text(sampled.frames[far].tolist())
        text = f"{when}: the character moves or rotates too far in one keyframe: at most 32767 units"
        problems.append(Problem(text, frame=float(sampled.frames[far[0]])))
    problems += _half_circles(root, sampled, settings.game)
    _report_arcs(root, sampled, settings)
    _write(frames, root, sampled, match, settings, original)
    return root, problems


def _quantum(game: Variant) -> float:
    return 2 * np.pi / game.rotation


def _own_axes(path: Floats, sampled: Sampled) -> Floats:
    """Positions (..., 3) in the axes that the character has at keyframe 0: where the whole path was rotated, the steps are not."""
    return path @ rotation_matrix_of(sampled.angles[0] * [0.0, 1, 0])


def _wanted(angles: Floats, sampled: Sampled, game: Variant) -> Ints:
    """(..., 3) angle steps since keyframe 0."""
    wanted = finite.whole((angles - sampled.angles[0]) / _quantum(game))
    return wanted if game.whole_master else wanted * np.array([0, 1, 0])  # LBA1 has a heading alone


def _root(path: Floats, sampled: Sampled, match: Ints, settings: Settings, original: Anm | None) -> Root:
    """What is rounded away in one keyframe is made up for in the next, so that the path does not drift."""
    game, count = settings.game, len(path)
    follows = np.concatenate([[False], (match[1:] > 0) & (match[1:] == match[:-1] + 1)])
    slack = 0.6 + 1e-6 * float(np.abs(sampled.positions).max())  # half a unit, and what float32 curves lose far away
    whole, real = np.zeros((2, count, 3), np.int64), np.zeros((2, count, 3))
    root = Root(whole[0], whole[1], real[0], real[1], np.zeros(count, bool))
    root.rotations[0], root.steps[0] = settings.first_rotation, settings.first_step
    wanted = _wanted(sampled.angles, sampled, game)
    rotated_by = rotations_of(original, game) if original is not None else None
    heading, position = np.zeros(3, np.int64), np.zeros(3)
    for key in range(1, count):
        root.rotations[key] = wanted[key] - heading
        heading = heading + root.rotations[key]
        rotated = rotation_matrix_of(heading * _quantum(game))
        step = rotated.T @ (path[key] - position)
        root.steps[key] = finite.whole(step)
        if follows[key] and original is not None and rotated_by is not None and np.abs(step - original.steps[match[key]]).max() <= slack:
            root.steps[key] = original.steps[match[key]]
            root.kept[key] = (root.rotations[key] == rotated_by[match[key]]).all()
        position = position + rotated @ root.steps[key]
        root.positions[key], root.angles[key] = position, heading * _quantum(game)
    return root


def _step_back(root: Root, path: Floats, sampled: Sampled, settings: Settings, original: Anm | None, loop_frame: int) -> None:
    """The step back to the loop frame is that of the loop frame. To keyframe 0 nothing else shows it: it is taken from the closing key."""
    if sampled.closing is None or not 0 <= loop_frame < len(path):
        return
    game = settings.game
    rotation = _wanted(sampled.closing.angles[0], sampled, game) - finite.whole(root.angles[-1] / _quantum(game))
    heading = root.angles[-1] + rotation * _quantum(game)
    onwards = _own_axes(sampled.closing.positions[0] - sampled.positions[0], sampled) - root.positions[-1]
    step = rotation_matrix_of(heading).T @ onwards
    away = float(np.linalg.norm(step - root.steps[loop_frame]))
    rotated_by = float(np.degrees(np.abs(rotation - root.rotations[loop_frame]).max() * _quantum(game)))
    if away <= LEAST + 1e-5 * np.abs(sampled.positions).max() and rotated_by <= np.degrees(1.5 * _quantum(game)):
        away = rotated_by = 0.0
    first = None if original is None else (original.steps[0].tolist(), rotations_of(original, game)[0].tolist())
    opposite = game.whole_master and bool((rotation != game.wrap(rotation)).any())  # by half a circle or more
    unedited = first in (None, (list(settings.first_step), list(settings.first_rotation)))
    if (away or rotated_by) and loop_frame == 0 and unedited and not opposite:
        root.steps[0], root.rotations[0] = finite.whole(step), rotation
        away = rotated_by = 0.0
    here, end = (
        tilt_of(angles, reached, sampled.angles[0])
        for angles, reached in ((sampled.angles[loop_frame], root.angles[loop_frame]), (sampled.closing.angles[0], heading))
    )
    tilted = float(np.degrees(rotation_matrix.angle(here.T @ end)))
    rotated_by = max(rotated_by, tilted * (tilted > np.degrees(1.5 * _quantum(game))))
    if not away and not rotated_by:
        return
    size = f"{away:.4g} units" if away > LEAST else f"{rotated_by:.4g} degrees"
    log.warning(
        f"on the loop's way back the game moves the character as keyframe {loop_frame} does, which is {size} away from the closing key at "
        f"frame {sampled.closing.frames[0]:g}; {settings.of_loop or REFIT}",
        topic="loop",
        frame=float(sampled.closing.frames[0]),
    )


def _half_circles(root: Root, sampled: Sampled, game: Variant) -> list[Problem]:
    """LBA2 takes a master rotation by 12 bits with a sign."""
    if not game.whole_master:
        return []
    sizes = np.degrees(np.abs(root.rotations).max(axis=1) * _quantum(game))
    return [
        Problem(
            f"the character rotates by half a turn or more in one keyframe, {sizes[key]:.4g} "
            f"degrees between frames {sampled.frames[key - 1]:g} and {sampled.frames[key]:g}, which the game takes the other way round: "
            "put a key between",
            frame=float(sampled.frames[key - 1]),
        )
        for key in (np.flatnonzero((root.rotations != game.wrap(root.rotations))[1:].any(axis=1)) + 1).tolist()
    ]


def _report_arcs(root: Root, sampled: Sampled, settings: Settings) -> None:
    """Where a keyframe both rotates and moves the character the game follows an arc, by the heading that grows with the step."""
    game = settings.game
    curved = root.rotations.any(axis=1) & root.steps.any(axis=1) & ~root.kept
    curved[0] = False
    keys = np.flatnonzero(curved)
    if not len(keys):
        return
    frames = sampled.frames[keys - 1, None] + (sampled.frames[keys] - sampled.frames[keys - 1])[:, None] * _SHARES
    shown, _ = sampled.path_at(frames.ravel())
    shown = _own_axes(shown - sampled.positions[0], sampled).reshape(len(keys), len(_SHARES), 3)
    headings = root.angles[keys - 1, None] + root.rotations[keys, None] * _quantum(game) * _SHARES[:, None]
    moved = np.einsum("ksij,kj->ksi", rotation_matrix_of(headings), root.steps[keys].astype(np.float64)) * _SHARES[:, None]
    away = np.linalg.norm(root.positions[keys - 1, None] + moved - shown, axis=2).max(axis=1)
    worst = int(np.argmax(away))
    allowed = max(LEAST, settings.allowed) + 1e-5 * np.abs(sampled.positions).max()  # and what float32 curves lose far away
    if away[worst] > allowed:
        key, more = keys[worst], int((away > allowed).sum()) - 1
        others = f", and between {counted(more, 'other pair')} of keyframes" if more else ""
        log.warning(
            f"between frames {sampled.frames[key - 1]:g} and {sampled.frames[key]:g} the game has the character up to {away[worst]:.4g} "
            f"units away from where it is shown, since it rotates on the way{others}: put a key between, or export As It Looks with a "
            "sample step",
            topic="arc",
            frame=float(sampled.frames[key - 1]),
        )


def _write(frames: NDArray[Any], root: Root, sampled: Sampled, match: Ints, settings: Settings, original: Anm | None) -> None:
    """Steps, rotations and flags; where they stand for the same, the file's own numbers."""
    game, count = settings.game, len(frames)
    frames["step"] = root.steps.clip(-32768, 32767)
    unused = np.zeros((count, 3)) if sampled.unused is None else sampled.unused
    drives: NDArray[np.bool_] = np.any(root.rotations, axis=1)
    flags: Ints = drives.astype(np.int64) if sampled.master is None else finite.whole(sampled.master[:, 0])
    if game.whole_master:
        changed = tuple(root.rotations[0].tolist()) != settings.first_rotation
        flags[1:] |= drives[1:]
        flags[0] |= int(drives[0] and changed)
        unused = np.where((flags & 1)[:, None] != 0, 0, unused)
    master = root.rotations + finite.whole(unused)
    if original is not None and game.whole_master:
        old = match >= 0
        values, types = original.values[match[old], 0].astype(np.int64), original.types[match[old], 0].astype(np.int64)
        same = (rotations_of(original, game)[match[old]] == root.rotations[old]).all(axis=1) & ((flags[old] ^ types) & 1 == 0)
        same &= ((master[old] - values) % game.rotation == 0).all(axis=1)
        master[old] = np.where(same[:, None], values, master[old])
    frames["bones"]["type"][:, 0] = flags & 0xFFFF
    frames["bones"]["value"][:, 0] = master.clip(-32768, 32767)
