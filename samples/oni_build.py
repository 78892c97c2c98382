"""`python -m retro_anim.samples.oni_build [FOLDER]` writes the mannequin as Oni has its characters: a body, a walk, an idle stance, and a
camera that goes round it, each a .oni."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

from ..core.lba.files.anm import Anm
from ..core.motion.rotations import quaternion, rotation_matrix
from ..core.oni import enums
from ..core.oni.body.body_file import body_file
from ..core.oni.files.documents import ObanFile, TramFile
from ..core.oni.motion.derived import Figure, derive
from ..core.oni.records import oban, tram_layout
from ..core.oni.records.angles import from_disk, to_disk, to_triples
from ..core.oni.records.oban import Oban
from ..core.oni.records.rotations import Rotations
from ..core.oni.records.tram import Tram
from . import gait
from .mannequin import figure
from .oni_figure import PARENTS, SCALE, body, locals_of, root_of
from .output import write_files
from .shapes import Floats

FOLDER = Path(__file__).parent / "oni"

BODY, WALK, IDLE, CAMERA = "TRBSmannequin", "TRAMmannequin_walk", "TRAMmannequin_idle", "OBANmannequin_camera"
RATE, TICKS = 60, 50
"""Frames of Oni and time units of the mannequin's first game, a second."""

ROUND, STILLS, AWAY, HIGH, LOOKS_AT = 240, 8, 40.0, 20.0, 9.0
"""The camera: frames to go round once, keys on the way, and in game units how far away it is, how high, and the height it looks at."""


def files() -> dict[str, bytes]:
    """All files by name."""
    created = body(BODY)
    shape = Figure(created.parents, created.offsets, created.low, created.high)
    walk = _tram(WALK, gait.walk(figure()), True)
    steps = np.array([(0, 1), (walk.frame_count // 2, 2)], tram_layout.FOOTSTEP)
    state = enums.ANIMATION_STATE.value
    walk = replace(
        walk,
        type=enums.ANIMATION_TYPE.value("Walk"),
        from_state=state("WalkingLeftDown"),
        to_state=state("WalkingLeftDown"),
        footsteps=steps,
        direct=(WALK, ""),
    )
    idle = _tram(IDLE, gait.idle(figure()), False)
    idle = replace(idle, type=enums.ANIMATION_TYPE.value("Idle"), from_state=state("Standing"), to_state=state("Standing"))
    return {
        f"{BODY}.oni": body_file(created, BODY).pack(),
        **{f"{each.name}.oni": TramFile.new(derive(each, shape)).pack() for each in (walk, idle)},
        f"{CAMERA}.oni": ObanFile.new(camera()).pack(),
    }


def _tram(name: str, anm: Anm, travels: bool) -> Tram:
    """One cycle of a looping animation: its keys where they are, and one at the last frame, from which it goes on at frame 0."""
    lengths = np.round(anm.durations.astype(np.float64) * RATE / TICKS).astype(np.int64)
    starts = np.cumsum(lengths) - lengths[0]  # of keyframe 0 the duration is that of the step back to it
    frames = int(lengths.sum())
    rotations = locals_of(figure(), anm)
    share = (frames - 1 - starts[-1]) / lengths[0]
    last = quaternion.slerp(rotations[-1], rotations[0], np.full(len(PARENTS), share))
    keys = np.concatenate([rotations, last[None]])
    times = np.append(starts, frames - 1)
    tracks = [to_triples(quaternion.continuous(keys[:, bone])) for bone in range(len(PARENTS))]
    root = root_of(anm)
    along = np.append(starts, frames)
    every = np.stack([np.interp(np.arange(frames + 1), along, np.append(root[:, axis], root[0, axis])) for axis in range(3)], axis=1)
    velocities = np.zeros(frames, tram_layout.VELOCITY)
    directions = np.roll(anm.steps[:, 2].astype(np.float64), -1) if travels else np.zeros(len(starts))
    ahead = np.repeat(directions / np.roll(lengths, -1), np.roll(lengths, -1)) * SCALE
    velocities["x"], velocities["z"] = np.round(np.diff(every[:, 0]), 6), np.round(np.diff(every[:, 2]) + ahead, 6)
    return replace(
        Tram.new(name, frames),
        rotations=Rotations.of_tracks([times] * len(PARENTS), tracks, frames, tram_layout.EULER).pack(),
        heights=np.round(every[:-1, 1], 5).astype(np.float32),
        velocities=velocities,
        interpolation_max=8,
        direction=enums.DIRECTION.value("Forward") if travels else 0,
    )


def camera() -> Oban:
    """Round the mannequin once, looking at its middle: it looks down its -Z, with +Y up."""
    times = np.round(np.linspace(0, ROUND, STILLS + 1)).astype(np.int64)
    angle = 2 * np.pi * times / ROUND
    positions = np.stack([AWAY * np.sin(angle), np.full(len(times), HIGH), AWAY * np.cos(angle)], axis=1)
    keys = np.zeros(len(times), oban.KEY)
    keys["frame"], keys["translation"] = times, np.round(positions, 4)
    keys["rotation"] = np.round(to_disk(quaternion.continuous(np.array([_looking(position) for position in positions]))), 6)
    return replace(Oban.new(CAMERA), flags=oban.LOOP, keys=keys, initial=_first(keys, positions[0]), length=ROUND + 1)


def _looking(position: Floats) -> Floats:
    """(4,) of a camera at `position`."""
    back = position - [0.0, LOOKS_AT, 0.0]
    back = back / np.linalg.norm(back)
    side = np.cross([0.0, 1.0, 0.0], back)
    side = side / np.linalg.norm(side)
    return quaternion.of_matrix(np.stack([side, np.cross(back, side), back], axis=1))


def _first(keys: oban.Array, position: Floats) -> oban.Array:
    """(4, 3) the transform of key 0."""
    axes = rotation_matrix.from_quaternion(from_disk(keys["rotation"][:1])[0]).T
    return np.round(np.concatenate([axes, position[None]]), 5).astype(np.float32)


def main(folder: Path) -> None:
    write_files(folder, files())


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
