"""Animations made up for tests: every block that a TRAM can have, of any size."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from retro_anim.core.oni.records import tram_layout
from retro_anim.core.oni.records.rotations import Rotations
from retro_anim.core.oni.records.tram import Tram

BONES = 19
FIXED = (1, 2, 3)
"""Seeds that between them have all blocks and both compressions."""

_LISTS = {
    "attacks": tram_layout.ATTACK,
    "extents": tram_layout.EXTENT,
    "self_damage": tram_layout.DAMAGE,
    "motion_blur": tram_layout.BLUR,
    "shortcuts": tram_layout.SHORTCUT,
    "footsteps": tram_layout.FOOTSTEP,
    "particles": tram_layout.PARTICLE,
    "sounds": tram_layout.SOUND,
}


def random_tram(seed: int, frames: int = 40, bones: int = BONES) -> Tram:
    """Any rotations, keys anywhere, root motion that goes on, and any number of everything else."""
    rng = np.random.default_rng(seed)
    compression = int(rng.choice([6, 16]))
    times = [_times(rng, frames) for _ in range(bones)]
    keys = [_keys(rng, len(at), compression) for at in times]
    path: dict[str, Any] = {}
    if rng.random() < 0.8:
        path["heights"] = rng.normal(9, 1, frames).astype(np.float32)
    if rng.random() < 0.8:
        path["velocities"] = np.zeros(frames, tram_layout.VELOCITY)
        for axis in "xz":
            path["velocities"][axis] = rng.normal(0, 0.2, frames)
    lists = {name: _rows(rng, kind) for name, kind in _LISTS.items() if rng.random() < 0.7}
    if rng.random() < 0.5:
        lists["throw"] = _rows(rng, tram_layout.THROW, 1).reshape(())
    return replace(
        Tram.new(f"TRAMtest{seed}", frames, bones),
        flags=int(rng.integers(0, 1 << 24)),
        compression=compression,
        rotations=Rotations.of_tracks(times, keys, frames, compression).pack(),
        positions=_rows(rng, tram_layout.POSITION, frames) if rng.random() < 0.8 else None,
        **path,
        **lists,
    )


def _times(rng: np.random.Generator, frames: int) -> np.ndarray:
    inside = np.flatnonzero(rng.random(max(frames - 2, 0)) < 0.3) + 1
    return np.unique(np.concatenate([[0], inside, [frames - 1]])).astype(np.int64)


def _keys(rng: np.random.Generator, count: int, compression: int) -> np.ndarray:
    if compression == 6:
        return rng.integers(-32768, 32768, (count, 3)).astype(np.int16)
    quaternions = rng.normal(size=(count, 4))
    return (quaternions / np.linalg.norm(quaternions, axis=1, keepdims=True)).astype(np.float32)


def _rows(rng: np.random.Generator, kind: np.dtype, count: int | None = None) -> np.ndarray:
    number = int(rng.integers(1, 4)) if count is None else count
    rows = np.frombuffer(rng.bytes(kind.itemsize * number), kind).copy()
    for name in kind.names or ():
        if kind[name].kind == "S":
            rows[name] = b"a name"
    return rows
