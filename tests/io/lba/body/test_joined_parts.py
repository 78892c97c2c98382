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


@pytest.mark.parametrize("into", ["lines", "spheres"])
def test_lines_joined_with_spheres(part: Part, tmp_path: Path, into: str) -> None:
    obj, _ = opened("lba", tmp_path)
    before = packed(part, obj)
    both = {kind: next(each for each in obj.children_recursive if each.name.endswith(kind)) for kind in ("lines", "spheres")}
    for each in CONTEXT.view_layer.objects:
        each.select_set(each in both.values())
    CONTEXT.view_layer.objects.active = both[into]
    OPS.object.join()
    with pytest.raises(part("core.reporting.errors").ExportError, match=r"lines are joined with spheres.*By Loose Parts"):
        packed(part, obj)
    OPS.object.mode_set(mode="EDIT")
    OPS.mesh.select_all(action="SELECT")
    OPS.mesh.separate(type="LOOSE")
    OPS.object.mode_set(mode="OBJECT")
    after = packed(part, obj)
    for name in ("lines", "spheres"):
        assert np.array_equal(np.sort(getattr(after, name)), np.sort(getattr(before, name))), name


def test_spheres_of_no_size_are_no_lines(part: Part, tmp_path: Path) -> None:
    """A file may have such, beside others and alone."""
    obj, _ = opened("lba", tmp_path)
    spheres = next(each for each in obj.children_recursive if each.name.endswith("spheres"))
    count = len(packed(part, obj).spheres)
    data: Any = spheres.data
    numbers = sorted({item.value for item in data.attributes["game_outline"].data})
    for number in numbers:
        mine = [index for index, item in enumerate(data.attributes["game_outline"].data) if item.value == number]
        middle = sum((data.vertices[index].co for index in mine), start=data.vertices[mine[0]].co * 0) / len(mine)
        for index in mine:
            data.vertices[index].co, data.attributes["radius"].data[index].value = middle, 0.0
        after = packed(part, obj)
        assert len(after.spheres) == count
    assert after.spheres["radius"].tolist() == [0] * count
