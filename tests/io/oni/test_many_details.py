"""Clips that are opened together are copies of one another: what each says besides its motion is as if it had been opened alone."""

from __future__ import annotations

import shutil
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest

Part = Callable[[str], ModuleType]


@pytest.fixture
def paths(game_file: Callable[[str], Path], tmp_path: Path, part: Part) -> list[Path]:
    """The given file with every optional block, and others with other fields, blocks or lines of them."""
    shutil.copyfile(game_file("oni/instances/TRBSTESTbody.oni"), tmp_path / "TRBSTESTbody.oni")
    files = part("core.oni.files.documents").TramFile
    full = files.parse(game_file("oni/instances/TRAMTESTrandom.oni").read_bytes()).tram
    sounds = np.concatenate([full.sounds, full.sounds])
    sounds["frame"][-1] += 1
    others = {
        "full": full,
        "same": full,
        "plain": replace(full, attacks=None, sounds=None, footsteps=None, throw=None, particles=None),
        "fields": replace(full, type=full.type + 1, final_rotation=full.final_rotation + 1, flags=np.uint32(0), direct=("", "TRAMother")),
        "zero": replace(full, final_rotation=np.float32(0.0)),
        "the other zero": replace(full, final_rotation=np.float32(-0.0)),
        "a sound more": replace(full, sounds=sounds),
        "full again": full,
    }
    written: list[Path] = []
    for name, record in others.items():
        written.append(tmp_path / f"TRAM{name.replace(' ', '_')}.oni")
        written[-1].write_bytes(files.new(replace(record, name=written[-1].stem)).pack())
    return written


def held(group: Any) -> dict[str, Any]:
    """What a group of properties holds and which of them are set, line by line of its lists."""
    result: dict[str, Any] = {}
    for name, kind in group.bl_rna.properties.items():
        if name in ("rna_type", "name") and kind.is_readonly:
            continue
        value = getattr(group, name)
        if kind.type == "COLLECTION":
            result[name] = [held(line) for line in value]
        else:
            shown = sorted(value) if isinstance(value, set) else list(value) if getattr(kind, "array_length", 0) else value
            result[name] = repr(shown), group.is_property_set(name)
    return result


def held_by_all() -> dict[str, Any]:
    actions: Any = bpy.data.actions
    return {
        action.name: (held(action.oni_tram), {marker.name: marker.frame for marker in action.pose_markers}, list(action.keys()))
        for action in actions
    }


@pytest.mark.thorough
@pytest.mark.parametrize("first", (0, 2, 4, 5))
def test_each_says_what_it_says_alone(paths: list[Path], fetch: Callable[..., Any], first: int) -> None:
    """first: of the clips that are opened, from which the others are copied."""
    alone: dict[str, Any] = {}
    for path in paths:
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        fetch(path)
        alone |= held_by_all()
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    fetch(*paths[first:], *paths[:first])
    assert held_by_all() == alone
    assert len(alone) == len(paths)
