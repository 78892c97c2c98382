"""Bones of the game's skeleton that were deleted: every game says which, and what to do, when the character is saved."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest
from support.sample_characters import CHARACTERS, opened

OPS: Any = bpy.ops
Part = Callable[[str], ModuleType]


def said(part: Part, obj: Any) -> list[str]:
    """Warnings, and the error as the last line."""
    with part("core.reporting.log").collect() as log:
        try:
            part("io.pipeline.out_of_blender.character").save_character(bpy.context, obj)
        except part("core.reporting.errors").ExportError as error:
            return [*(message.text for message in log.of("WARNING")), str(error)]
    return [message.text for message in log.of("WARNING")]


@pytest.mark.parametrize("gone", [(3, 5), (-1,)])
@pytest.mark.parametrize("game", CHARACTERS)
def test_every_game_names_them(part: Part, tmp_path: Path, game: str, gone: tuple[int, ...]) -> None:
    obj, _ = opened(game, tmp_path)
    numbers = {bone["retro_anim_bone"]: bone.name for bone in obj.data.bones if "retro_anim_bone" in bone}
    gone = tuple(number % len(numbers) for number in gone)
    called = numbers if game == "mindpower" else {number: str(number) for number in numbers}
    OPS.object.mode_set(mode="EDIT")
    for number in gone:
        obj.data.edit_bones.remove(obj.data.edit_bones[numbers[number]])
    OPS.object.mode_set(mode="OBJECT")
    subject, verb = ("bone", "was") if len(gone) == 1 else ("bones", "were")
    expected = f"{subject} {', '.join(called[number] for number in gone)} of the game's skeleton {verb} deleted"
    lines = [line for line in said(part, obj) if expected in line]
    if game in ("oni", "oni2") and gone == (len(numbers) - 1,):
        return  # the others have all numbers: what a file of fewer bones is is said of clips
    assert len(lines) == 1 and "undo that in Edit Mode" in lines[0]
