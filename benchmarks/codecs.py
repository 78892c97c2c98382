"""Parsing and packing large files, against a numpy copy of the same bytes; unpacking an archive's entry, in megabytes a second.

`python -m retro_anim.benchmarks.codecs`: without Blender and the games' files. Once with 1, 10 and 100 times the work: the figures stay.
"""

from __future__ import annotations

import time
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np

from ..core.lba.files import lz
from ..core.mindpower.files.lab import Lab
from ..core.mindpower.files.lab_layout import key_sizes
from ..core.oni.files.documents import ObanFile
from ..core.oni2.files.anim import Anim

SAMPLES = Path(__file__).resolve().parent.parent / "samples"
GROWTH = (1, 10, 100)
_MEGABYTE = 1 << 20


def main() -> None:
    print(f"{'':28}{'size':>9}{'copy':>11}{'parse':>17}{'pack':>17}")
    for name, (create, parse) in CODECS.items():
        for times in GROWTH:
            print(f"{name:20}{times:6} x{_shown_codec(*codec(create, parse, times))}", flush=True)
    for method in (1, 2):
        for times in GROWTH:
            size, seconds = unpacked(method, times)
            print(f"HQR entry, method {method} {times:6} x{size / _MEGABYTE:7.1f}MB{size / _MEGABYTE / seconds:17.1f} MB/s", flush=True)


def codec(create: Callable[[int], bytes], parse: Callable[[bytes], Any], times: int) -> tuple[int, float, float, float]:
    """Bytes of a file of so many times the usual size, and the seconds of a copy, of parsing and of packing."""
    data = create(times)
    document = parse(data)
    assert document.pack() == data
    copy, parsing, packing = _least(lambda: np.frombuffer(data, "u1").copy(), lambda: parse(data), document.pack)
    return len(data), copy, parsing, packing


def _shown_codec(size: int, copy: float, parsing: float, packing: float) -> str:
    ratios = f"{_shown(parsing)} {parsing / copy:6.1f} x{_shown(packing)} {packing / copy:6.1f} x"
    return f"{size / _MEGABYTE:7.1f}MB{_shown(copy)}{ratios}"


def unpacked(method: int, times: int) -> tuple[int, float]:
    """Bytes of an entry of animations, one after the other, and the seconds of unpacking it."""
    plain = b"".join(path.read_bytes() for path in sorted(SAMPLES.glob("lba*/*.anm"))) * times
    packed = lz.compress(plain, method)
    assert packed is not None
    (seconds,) = _least(lambda: lz.expand(packed, len(plain), method))
    return len(plain), seconds


def _lab(times: int) -> bytes:
    """The sample's skeleton with 400 frames and more."""
    lab, frames = Lab.parse((SAMPLES / "mindpower/animation/0001.lab").read_bytes()), 400 * times
    count = int(key_sizes(lab.version, lab.key_type, frames, lab.bones["parent"]).sum())
    keys = np.random.default_rng(1).uniform(-1, 1, count).astype("<f4")
    return replace(lab, frame_count=frames, keys=keys).pack()


def _anim(times: int) -> bytes:
    anim = Anim.parse((SAMPLES / "oni2/Entity/mannequin/mannequin_walk.anim").read_bytes())
    rows = np.random.default_rng(1).uniform(-1, 1, (500 * times, anim.table.shape[1])).astype("<f4")
    return replace(anim, table=rows).pack()


def _oban(times: int) -> bytes:
    """More keys than frames cannot be: both grow, to nearly as many as can be counted."""
    file = ObanFile.parse((SAMPLES / "oni/OBANmannequin_camera.oni").read_bytes())
    count = min(600 * times, 0xFFFF)
    keys = np.resize(file.oban.keys, count)
    keys["frame"] = np.arange(count)
    return ObanFile.new(replace(file.oban, keys=keys, length=count)).pack()


CODECS: dict[str, tuple[Callable[[int], bytes], Callable[[bytes], Any]]] = {
    "LAB, quaternions": (_lab, Lab.parse),
    "ANIM of Oni 2": (_anim, Anim.parse),
    "OBAN in a .oni": (_oban, ObanFile.parse),
}


def _least(*jobs: Callable[[], object]) -> list[float]:
    """The shortest of several runs of each, in turn."""
    best = [float("inf")] * len(jobs)
    for _ in range(9):
        for number, job in enumerate(jobs):
            start = time.process_time()  # of the processor, so that whatever else the machine does counts on neither side
            job()
            best[number] = min(best[number], time.process_time() - start)
    return best


def _shown(seconds: float) -> str:
    return f"{1000 * seconds:8.3f} ms"


if __name__ == "__main__":
    main()
