"""Any TRAM and any OBAN, for hypothesis: every block of any size, both compressions."""

from __future__ import annotations

from dataclasses import replace
from typing import Any

import numpy as np
from hypothesis import strategies as st
from hypothesis.extra import numpy as arrays
from numpy.typing import NDArray
from retro_anim.core.oni.records import tram_layout
from retro_anim.core.oni.records.oban import KEY, Oban
from retro_anim.core.oni.records.rotations import Rotations
from retro_anim.core.oni.records.tram import Tram
from retro_anim.core.oni.records.tram_layout import BLOCKS

LISTS = ("attacks", "self_damage", "motion_blur", "shortcuts", "footsteps", "particles", "sounds", "extents")
TRACKS = ("heights", "velocities", "positions")

COUNTS = [0] * 6 + [1, 2, 3] * 3 + [255]

floats = st.floats(-1e6, 1e6, width=32)


def rows(kind: np.dtype[Any], shape: tuple[int, ...]) -> st.SearchStrategy[NDArray[Any]]:
    """Any bytes as elements (seed 0: all zero); floats are numbers."""

    def result(seed: int) -> NDArray[Any]:
        size = kind.itemsize * int(np.prod(shape))
        data = np.random.default_rng(seed).bytes(size) if seed else bytes(size)
        values = np.frombuffer(data, kind).reshape(shape).copy()
        for name in kind.names or ():
            if kind[name].base.kind == "f":
                values[name] = np.clip(np.nan_to_num(values[name]), -1e6, 1e6)
        return values if kind.kind != "f" else np.clip(np.nan_to_num(values), -1e6, 1e6)

    return st.integers(0, 2**32).map(result)


@st.composite
def rotations(draw: st.DrawFn, bones: int, frames: int, size: int) -> bytes:
    times: list[NDArray[np.int64]] = []
    keys: list[NDArray[Any]] = []
    for _ in range(bones):
        inner = draw(st.lists(st.integers(1, frames - 2), max_size=4)) if frames > 2 else []
        times.append(np.unique(np.array([0, *inner, frames - 1], np.int64)))
        rng = np.random.default_rng(draw(st.integers(0, 2**32)))
        shape = (len(times[-1]), 3 if size == 6 else 4)
        keys.append(rng.integers(-32768, 32767, shape).astype("<i2") if size == 6 else rng.uniform(-1, 1, shape).astype("<f4"))
    return Rotations.of_tracks(times, keys, frames, size).pack()


@st.composite
def trams(draw: st.DrawFn, bones: int = 3) -> Tram:
    """Any numbers in all fields of the record, any of its 13 blocks, links."""
    frames = draw(st.one_of(st.integers(1, 12), st.integers(1, 12), st.integers(250, 300)))
    size = draw(st.sampled_from([tram_layout.EULER, tram_layout.QUATERNION]))
    blocks: dict[str, Any] = {name: draw(rows(BLOCKS[name][1], (frames,))) for name in TRACKS if draw(st.booleans())}
    for name in LISTS:
        count = draw(st.sampled_from(COUNTS))
        if count:
            blocks[name] = draw(rows(BLOCKS[name][1], (count,)))
    if draw(st.booleans()):
        blocks["throw"] = draw(rows(tram_layout.THROW, ()))
    if draw(st.integers(0, 9)):
        blocks["rotations"] = draw(rotations(bones, frames, size))
    head = draw(rows(tram_layout.RECORD, ()))
    fields = {
        name: value for name, value in tram_layout.stored_fields(head).items() if name not in ("frame_count", "compression", "bone_count")
    }
    names = st.sampled_from(["", "TRAMother", "TRAMa_b-c.1"])
    return replace(
        Tram.new("TRAMtest", frames, bones),
        **fields,
        **blocks,
        compression=size,
        direct=(draw(names), draw(names)),
        level_id=draw(st.integers(0, 0xFFFFFFFF)),
        tail=draw(st.binary(max_size=8)),
    )


@st.composite
def obans(draw: st.DrawFn) -> Oban:
    frames = sorted(draw(st.sets(st.integers(0, 0xFFFFFFFF), min_size=1, max_size=5)))
    keys = np.zeros(len(frames), KEY)
    keys["frame"] = frames
    keys["translation"] = draw(arrays.arrays("<f4", (len(frames), 3), elements=floats))
    rotated = draw(arrays.arrays("<f4", (len(frames), 4), elements=st.floats(-1, 1, width=32)))
    rotated[:, 3] += np.where(np.linalg.norm(rotated, axis=1) < 0.1, 1, 0)
    keys["rotation"] = rotated
    initial, base = (draw(arrays.arrays("<f4", (4, 3), elements=floats)) for _ in range(2))
    whole = st.integers(0, 0xFFFF)
    return Oban(
        "OBANtest",
        0,
        b"",
        draw(st.integers(0, 0xFFFFFFFF)),
        initial,
        base,
        draw(st.integers(-0x8000, 0x7FFF)),
        draw(whole),
        draw(whole),
        keys,
        draw(st.binary(max_size=8)),
    )
