"""Retargeting in Blender, as the tests of this folder run it."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import bpy
import pytest
from support import blender_rigs as rigs

Part = Callable[[str], ModuleType]


@pytest.fixture
def run(part: Part) -> Callable[..., Any]:
    """Retarget the source's present action: `run(source, target, bone_map, root_motion="NONE")`, by default between figures of our plain
    names. Options of the core and of Blender's side."""
    module, core = part("io.retarget.retarget"), part("core.retarget.retarget")

    def go(source: Any, target: Any, bone_map: Any = None, **options: Any) -> Any:
        inner = {key: options.pop(key) for key in list(options) if key in core.Options.__dataclass_fields__}
        bone_map = bone_map or rigs.pairs(part, rigs.PLAIN, rigs.PLAIN)
        return module.retarget_actions(bpy.context, source, target, bone_map, module.RetargetOptions(core=core.Options(**inner), **options))

    return go
