"""An import that fails half-way onto a character that was there before leaves it as it was."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import bpy
import pytest

SAMPLES = Path(__file__).resolve().parents[3] / "samples"


def state(obj: bpy.types.Object) -> object:
    """Its action, rotation mode and custom properties, those of its data and its bones."""
    owners = [obj, obj.data, *obj.pose.bones]
    properties = [{name: str(value) for name, value in owner.items() if not hasattr(value, "to_list")} for owner in owners]
    return obj.animation_data.action, obj.rotation_mode, properties, sorted(action.name for action in bpy.data.actions)


def test_the_character_keeps_its_action(part: Callable[[str], ModuleType], monkeypatch: pytest.MonkeyPatch) -> None:
    lba, errors = part("io.lba"), part("core.reporting.errors")
    walk, wave = (str(SAMPLES / "lba1" / f"{name}.anm") for name in ("walk", "wave"))
    (obj,) = lba.import_lba(bpy.context, lba.ImportOptions((walk,), root_motion="BONE")).armatures
    before = state(obj)
    builder = part("io.lba.build").Builder

    def fail(*_: object) -> None:
        raise errors.FormatError("broken")

    monkeypatch.setattr(builder, "finish", fail)
    with pytest.raises(errors.FormatError, match="broken"):
        lba.import_lba(bpy.context, lba.ImportOptions((wave,), root_motion="OBJECT"))
    assert bpy.context.object == obj
    assert state(obj) == before
