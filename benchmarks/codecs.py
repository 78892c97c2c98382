"""Parsing and packing large files, against a numpy copy of the same bytes; unpacking an archive's entry, in megabytes a second.

`python -m retro_anim.benchmarks.codecs`: without Blender and the games' files. Once with 1, 10 and 100 times the work.
Packed are files as they were read, and once more the same with a key edited.
Of every format it is as many bytes, at most some 18 MB: a copy of few stays in the processor's cache. An OBAN can have no more than 2 MB:
it is ten files there, one after the other.
"""

from __future__ import annotations

import time
import tracemalloc
from collections.abc import Callable, Sequence
from dataclasses import replace
from functools import partial
from typing import Any, NamedTuple

import numpy as np

from ..core.lba.files.archive import lz
from ..core.mindpower.files.skeleton.lab import Lab
from ..core.oni.files.documents import ObanFile
from ..core.oni2.files.anim import Anim
from . import large

GROWTH = (1, 10, 100)
_MEGABYTE = 1 << 20


class Took(NamedTuple):
    """Of files: their bytes; seconds of a copy of these, and of each job with all of them; MB that each job needs at most for one, its
    result included."""

    size: int
    copy: float
    seconds: dict[str, float]
    memory: dict[str, float]


def main() -> None:
    print(f"{'':28}{'size':>9}{'copy':>11}{'parse':>17}{'pack':>17}{'pack, edited':>17}")
    for name in CODECS:
        for times in GROWTH:
            size, copy, seconds, _ = codec(name, times)
            ratios = "".join(f"{_shown(each)} {each / copy:6.1f} x" for each in seconds.values())
            print(f"{name:20}{times:6} x{size / _MEGABYTE:7.1f}MB{_shown(copy)}{ratios}", flush=True)
    for method in (1, 2):
        for times in GROWTH:
            size, seconds, _ = unpacked(method, times)
            print(f"HQR entry, method {method} {times:6} x{size / _MEGABYTE:7.1f}MB{size / _MEGABYTE / seconds:17.1f} MB/s", flush=True)


def codec(name: str, times: int) -> Took:
    """What files of so many times the usual size take."""
    create, parse, edit, count = CODECS[name]
    data = create(times)
    files = [bytes(bytearray(data)) for _ in range(count)]  # each with memory of its own, as files that are read have
    whole = np.frombuffer(b"".join(files), "u1")
    documents = [parse(each) for each in files]
    assert all(document.pack() == data for document in documents)
    packs = [document.pack for document in documents]
    jobs = {"parse": [partial(parse, each) for each in files], "pack": packs, "pack, edited": [edit(each).pack for each in documents]}
    copy, *seconds = least(whole.copy, *(partial(_one_after_the_other, job) for job in jobs.values()))
    return Took(len(whole), copy, dict(zip(jobs, seconds, strict=True)), {name: needed(job[0]) for name, job in jobs.items()})


def _one_after_the_other(jobs: Sequence[Callable[[], object]]) -> None:
    for job in jobs:
        job()


def unpacked(method: int, times: int) -> tuple[int, float, float]:
    """Bytes of an entry of animations, one after the other, the seconds of unpacking it, and the MB that it takes."""
    plain = b"".join(path.read_bytes() for path in sorted(large.SAMPLES.glob("lba*/*.anm"))) * times
    packed = lz.compress(plain, method)
    assert packed is not None
    (seconds,) = least(lambda: lz.expand(packed, len(plain), method))
    return len(plain), seconds, needed(lambda: lz.expand(packed, len(plain), method))


def _edited_lab(lab: Lab) -> Lab:
    keys = lab.keys.copy()
    keys[-1] += 1
    return replace(lab, keys=keys)


def _edited_anim(anim: Anim) -> Anim:
    table = anim.table.copy()
    table[-1, -1] += 1
    return replace(anim, table=table)


def _edited_oban(file: ObanFile) -> ObanFile:
    keys = file.oban.keys.copy()
    keys["translation"][-1] += 1
    return replace(file, oban=replace(file.oban, keys=keys))


CODECS: dict[str, tuple[Callable[[int], bytes], Callable[[bytes], Any], Callable[[Any], Any], int]] = {
    "LAB, quaternions": (large.lab, Lab.parse, _edited_lab, 1),
    "ANIM of Oni 2": (lambda times: large.anim(2 * times), Anim.parse, _edited_anim, 1),
    "OBAN, ten .oni": (large.oban, ObanFile.parse, _edited_oban, 10),
}
"""What creates the bytes, what parses them, the document with its last number edited, and how many files are as many bytes as others."""


def least(*jobs: Callable[[], object]) -> list[float]:
    """The shortest of several runs of each, in turn."""
    best = [float("inf")] * len(jobs)
    for _ in range(9):
        for number, job in enumerate(jobs):
            start = time.process_time()  # of the processor, so that whatever else the machine does counts on neither side
            job()
            best[number] = min(best[number], time.process_time() - start)
    return best


def needed(job: Callable[[], object]) -> float:
    """Megabytes that a job has at the same time, at most, and what it returns is part of that."""
    tracemalloc.start()
    try:
        job()
        return tracemalloc.get_traced_memory()[1] / 1e6
    finally:
        tracemalloc.stop()


def _shown(seconds: float) -> str:
    return f"{1000 * seconds:8.3f} ms"


if __name__ == "__main__":
    main()
