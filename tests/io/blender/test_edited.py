"""What of a mesh is other than in its file."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest

Part = Callable[[str], ModuleType]
OPS: Any = bpy.ops
SAMPLES = Path(__file__).resolve().parents[3] / "samples"


@pytest.fixture
def mesh() -> Any:
    """Of a character, with the normals of its file."""
    OPS.import_anim.mindpower(filepath=str(SAMPLES / "mindpower/animation/0001.lab"))
    obj: Any
    (obj,) = (each for each in bpy.data.objects if each.type == "MESH")
    assert obj.data.has_custom_normals
    return obj.data


def restored(mesh: Any, kind: str, domain: str) -> Any:
    """An attribute of the name that Blender keeps custom normals under."""
    if (stored := mesh.attributes.get("custom_normal")) is not None:
        mesh.attributes.remove(stored)
    return mesh.attributes.new("custom_normal", kind, domain)


@pytest.mark.parametrize("domain", ["CORNER", "POINT", "FACE"])
def test_free_normals(part: Part, mesh: Any, domain: str) -> None:
    """As the node Set Mesh Normal leaves them, each a vector."""
    edited = part("io.blender.surface.edited")
    free = restored(mesh, "FLOAT_VECTOR", domain)
    edited.remember(mesh)
    assert edited.edited_parts(mesh) == set()
    free.data[0].vector = (0.6, 0.0, 0.8)
    assert edited.edited_parts(mesh) == {"normals"}


@pytest.mark.parametrize(("kind", "domain"), [("FLOAT", "POINT"), ("INT", "FACE"), ("INT32_2D", "CORNER")])
def test_an_attribute_of_the_name_that_is_no_normal(part: Part, mesh: Any, kind: str, domain: str) -> None:
    edited = part("io.blender.surface.edited")
    restored(mesh, kind, domain)
    assert edited.edited_parts(mesh) <= {"normals"}
    edited.remember(mesh)
    assert edited.edited_parts(mesh) == set()


def test_normals_that_are_out_of_reach(part: Part, mesh: Any) -> None:
    """Blender 4.2 shows custom normals to nobody: what it remembers of a mesh says nothing of them, in no later Blender either."""
    edited = part("io.blender.surface.edited")
    known = dict(each.split(":") for each in mesh[edited.SHAPE].split(","))
    assert ("normals" in known) == ("custom_normal" in mesh.attributes)
    for normals in ({}, {"normals": "00000000"}):
        remembered = {name: checksum for name, checksum in known.items() if name != "normals"} | normals
        mesh[edited.SHAPE] = ",".join(f"{name}:{checksum}" for name, checksum in remembered.items())
        assert edited.edited_parts(mesh) == set()


def test_the_first_normals(part: Part) -> None:
    """Of a mesh without any, where Blender shows them."""
    edited = part("io.blender.surface.edited")
    data: Any = bpy.data.meshes.new("plain")
    data.from_pydata([(0, 0, 0), (1, 0, 0), (0, 1, 0)], [], [(0, 1, 2)])
    edited.remember(data)
    data.normals_split_custom_set([(0.0, 0.6, 0.8)] * 3)
    assert edited.edited_parts(data) - {"shading"} == ({"normals"} if "custom_normal" in data.attributes else set())
