"""`python -m retro_anim.samples.mindpower_build [FOLDER]` writes the mannequin as a client of Tales of Pirates has its characters."""

from __future__ import annotations

import sys
from pathlib import Path

from . import gait
from .mannequin import figure
from .mindpower_figure import frames_of, mesh, skeleton, with_keys
from .mindpower_texture import bmp
from .output import write_files

FOLDER = Path(__file__).parent / "mindpower"

TEXTURE = "0001000000.bmp"
GAP = 3
"""Frames between two actions that belong to none, as in the game's own files; they hold the pose before."""

ACTIONS = {"idle": (1, 4), "walk": (5, 6), "wave": (18,)}
"""Our animations, and the numbers of the game's actions that show them: wait and alert wait, run and alert run, wave."""
STEPS = (0, 12)
"""Frames of the walk at which a foot strikes the ground."""

COLUMNS = (
    "ID", "Name", "Subname", "Model Type", "Logic Type", "Framework Number", "Suite Serial", "Suite Quantity",
    *(f"Part {part:02}" for part in range(8)), "FeffID", "EeffID", "Special Effect Action Serial", "Shadow", "Action ID",
)  # fmt: skip
MONSTER = 4


def files() -> dict[str, bytes]:
    """All files by their path below the client's root."""
    segments = figure()
    empty = skeleton(segments)
    frames = []
    ranges: dict[str, tuple[int, int]] = {}
    for name in ACTIONS:
        anm = getattr(gait, name)(segments)
        frames += frames[-1:] * GAP
        start = len(frames)
        frames += frames_of(segments, anm, cycle=name != "wave")
        ranges[name] = start, len(frames) - 1
    return {
        "animation/0001.lab": with_keys(empty, segments, frames).pack(),
        "model/character/0001000000.lgo": mesh(segments, empty, TEXTURE).pack(),
        f"texture/character/{TEXTURE}": bmp(),
        "scripts/txt/CharacterAction.tx": table(ranges).encode("gb18030"),
        "scripts/table/CharacterInfo.txt": characters().encode(),
    }


def table(ranges: dict[str, tuple[int, int]]) -> str:
    """CharacterAction.tx: one type with an action a line."""
    lines = [
        "// Actions of the mannequin. A line that starts with a number begins a type of character; below it, behind a TAB,",
        "// come its actions: number, first frame, last frame, and the frames at which something happens.",
        "",
        "// mannequin",
        "1",
    ]
    rows = {2: "\t\t2\t\t0\t\t0"}
    for name, numbers in ACTIONS.items():
        start, end = ranges[name]
        keys = "".join(f"\t\t{start + step}" for step in STEPS) if name == "walk" else ""
        for number in numbers:
            rows[number] = f"\t\t{number}\t\t{start}\t\t{end}{keys}"
    return "\n".join([*lines, *(rows[number] for number in sorted(rows)), ""])


def characters() -> str:
    """CharacterInfo.txt: the mannequin alone, as a creature with one part."""
    row = [1, "Mannequin", "Mannequin", MONSTER, 1, 1, 0, 1, 1, *[0] * 7, 0, 0, 0, 1, 1]
    return "//" + "\t".join(COLUMNS) + "\n" + "\t".join(map(str, row)) + "\n"


def main(folder: Path) -> None:
    write_files(folder, files())


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
