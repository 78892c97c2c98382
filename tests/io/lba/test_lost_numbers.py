"""Numbers that the game keeps and does not use have curves for all of them together."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import bpy
from support.lba import lba2_chain as chain
from support.lba.lba_stage import Part

KEPT = [(5, 6, 7), (8, 9, 10), (5, 0, 7)]
"""Of bone 0, which nothing of it makes rotate."""


def imported(fetch: Any, folder: Path) -> Any:
    frames: list[chain.Frame] = [(200, (0, 0, 0), [(0, *kept), (0, 100 * key, 0, 0)]) for key, kept in enumerate(KEPT)]
    (folder / "some.anm").write_bytes(chain.anm(frames, loop_frame=9))
    return fetch(folder / "some.anm", game="lba2", fps_mode="SET")


def written(part: Part, folder: Path) -> tuple[list[tuple[int, ...]], list[str]]:
    """What bone 0 has, and what is said."""
    export = part("io.lba")
    out = folder / "out.anm"
    said = export.export_lba(bpy.context, export.ExportOptions(str(out))).warnings
    anm = part("core.lba.files.anm").Anm.parse(out.read_bytes())
    return [tuple(row) for row in anm.values[:, 0].tolist()], [line for line in said if "lost" in line]


def lose(part: Part, action: Any, *components: int) -> None:
    compat = part("io.blender.compat")
    for curve in [each for each in compat.curves(action) if "unused" in each.data_path and each.array_index in components]:
        curve.array_index, curve.data_path = 0, "gone"


def test_one_that_lost_its_curve_is_said_and_leaves_the_others(fetch: Any, part: Part, tmp_path: Path) -> None:
    lose(part, imported(fetch, tmp_path).actions[0], 1)
    values, said = written(part, tmp_path)
    assert values == [(5, 0, 7), (8, 0, 10), (5, 0, 7)]
    assert len(said) == 1 and "master_unused has lost its curve of index 1, and the file gets 0 there" in said[0]


def test_two_are_one_line(fetch: Any, part: Part, tmp_path: Path) -> None:
    lose(part, imported(fetch, tmp_path).actions[0], 0, 2)
    values, said = written(part, tmp_path)
    assert values == [(0, 6, 0), (0, 9, 0), (0, 0, 0)]
    assert len(said) == 1 and "index 0, 2," in said[0]


def test_nothing_is_said_where_all_are_there(fetch: Any, part: Part, tmp_path: Path) -> None:
    imported(fetch, tmp_path)
    assert written(part, tmp_path) == (KEPT, [])
