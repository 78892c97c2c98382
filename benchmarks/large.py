"""Files of our samples, many times as large: one of each kind that a speed is measured of.

`python -m retro_anim.benchmarks.large FOLDER TIMES…` writes all of them, in a process of its own, whose memory is nobody else's.
"""

from __future__ import annotations

import sys
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np

from ..core.lba.files.anm import Anm
from ..core.mindpower.files.skeleton.lab import Lab
from ..core.mindpower.files.skeleton.lab_layout import key_sizes
from ..core.oni.files.documents import ObanFile
from ..core.oni.files.onifile import OniFile, Part
from ..core.oni2.files.anim import Anim

SAMPLES = Path(__file__).resolve().parent.parent / "samples"


def anm(times: int) -> bytes:
    """The walk again and again."""
    walk = Anm.parse((SAMPLES / "lba1/walk.anm").read_bytes())
    return replace(walk, frames=np.tile(walk.frames, times)).pack()


def trams(times: int) -> bytes:
    """The walk so many times, as instances of one file."""
    record = OniFile.parse((SAMPLES / "oni/TRAMmannequin_walk.oni").read_bytes()).record(0)
    return OniFile.build([Part("TRAM", f"TRAMwalk{number}", 0, record.body, record.blocks) for number in range(times)]).pack()


def lab(times: int) -> bytes:
    """The sample's skeleton with 400 frames and more."""
    skeleton, frames = Lab.parse((SAMPLES / "mindpower/animation/0001.lab").read_bytes()), 400 * times
    count = int(key_sizes(skeleton.version, skeleton.key_type, frames, skeleton.bones["parent"]).sum())
    keys = np.random.default_rng(1).uniform(-1, 1, count).astype("<f4")
    return replace(skeleton, frame_count=frames, keys=keys).pack()


def anim(times: int) -> bytes:
    """The walk's channels with 500 frames and more."""
    walk = Anim.parse((SAMPLES / "oni2/Entity/mannequin/mannequin_walk.anim").read_bytes())
    rows = np.random.default_rng(1).uniform(-1, 1, (500 * times, walk.table.shape[1])).astype("<f4")
    return replace(walk, table=rows).pack()


def oban(times: int) -> bytes:
    """More keys than frames cannot be: both grow, to nearly as many as can be counted."""
    file = ObanFile.parse((SAMPLES / "oni/OBANmannequin_camera.oni").read_bytes())
    count = min(600 * times, 0xFFFF)
    keys = np.resize(file.oban.keys, count)
    keys["frame"] = np.arange(count)
    return ObanFile.new(replace(file.oban, keys=keys, length=count)).pack()


FILES: dict[str, Callable[[int], bytes]] = {
    "walk.anm": anm,
    "TRAMwalk.oni": trams,
    "OBANcamera.oni": oban,
    "walk.anim": anim,
    "0001.lab": lab,
}
"""By their names."""


def main(folder: str, *sizes: str) -> None:
    """Writes the files of each size into a folder that is called by it."""
    for size in sizes:
        inside = Path(folder, size)
        inside.mkdir()
        for name, create in FILES.items():
            (inside / name).write_bytes(create(int(size)))


if __name__ == "__main__":
    main(*sys.argv[1:])
