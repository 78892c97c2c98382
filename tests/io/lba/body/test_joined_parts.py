"""Lines and spheres of a body that were joined with its surface: no face becomes one, and separated again they are what they were."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest
from support.sample_characters import opened

OPS: Any = bpy.ops
CONTEXT: Any = bpy.context
Part = Callable[[str], ModuleType]


def packed(part: Part, obj: Any) -> Any:
    bodies, options = part("io.lba.bodies"), part("core.lba.game").BodyOptions()
    return bodies.pack_body(bpy.context, obj, options)


@pytest.mark.parametrize("kind", ["lines", "spheres"])
@pytest.mark.parametrize("into", ["surface", "outlines"])
def test_joined_and_separated(part: Part, tmp_path: Path, kind: str, into: str) -> None:
    obj, surface = opened("lba", tmp_path)
    outlines = next((each for each in obj.children_recursive if each.name.endswith(kind)), None)
    if outlines is None:
        pytest.skip(f"the sample has no {kind}")
    before = packed(part, obj)
    active = surface if into == "surface" else outlines
    for each in CONTEXT.view_layer.objects:
        each.select_set(each in (surface, outlines))
    CONTEXT.view_layer.objects.active = active
    OPS.object.join()
    with pytest.raises(part("core.reporting.errors").ExportError, match=r"joined with the surface.*By Loose Parts"):
        packed(part, obj)

    OPS.object.mode_set(mode="EDIT")
    OPS.mesh.select_all(action="SELECT")
    OPS.mesh.separate(type="LOOSE")
    OPS.object.mode_set(mode="OBJECT")
    after = packed(part, obj)
    body = part("core.lba.body.body").Body
    one, other = ({*map(tuple, body.of(each).rest_points.tolist())} for each in (before, after))
    assert one == other and np.array_equal(np.sort(after.faces.colour), np.sort(before.faces.colour))
    for name in ("lines", "spheres"):
        assert len(getattr(after, name)) == len(getattr(before, name)), name
