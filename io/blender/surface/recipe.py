"""What makes something else of a mesh at rest: modifiers and shape keys with their settings, and materials of the object, as text that is
remembered."""

from __future__ import annotations

import json
from collections.abc import Iterator
from typing import Any
from zlib import crc32

import bpy
import numpy as np

from .. import compat
from ..arrays import values_of
from .materials.images import name_of
from .materials.plain_colour import shown
from .moved import paths_of
from .skinned import materials_of, mesh_of, shown_by

_PLAIN = {"BOOLEAN", "INT", "FLOAT", "ENUM", "STRING"}

_LOOKS = ("show_", "open_", "use_pin")
"""What properties of modifiers begin with that are about their panels, or about where they are shown."""

_NO_SETTINGS = {"name", "is_active", "execution_time", "persistent_uid"}


def text_of(mesh: bpy.types.Object) -> str:
    """What makes of a mesh what is shown; "" for nothing. What is keyed or driven is left out, as it is another at every frame."""
    parts = [*_keys(mesh), *_modifiers(mesh), *_own_materials(mesh)]
    return json.dumps(parts) if parts else ""


def is_edited(now: str, before: object) -> bool:
    """Whether two of these texts differ in what both of the Blenders know that wrote them; never from what is no such text."""
    try:
        known, current = (_read(text) for text in (before, now))
        if [name for name, _ in known] != [name for name, _ in current]:
            return True
        return any(own[each] != its[each] for (_, own), (_, its) in zip(known, current, strict=True) for each in own.keys() & its.keys())
    except (ValueError, TypeError, AttributeError):
        return False


def _read(text: object) -> list[tuple[str, dict[str, str]]]:
    """Raises ValueError and TypeError for what is no such text."""
    if not isinstance(text, str):
        raise TypeError(text)
    return [(name, settings) for name, settings in json.loads(text or "[]")]


def _keys(mesh: bpy.types.Object) -> Iterator[tuple[str, dict[str, str]]]:
    _, blocks = shown_by(mesh)
    if not blocks:
        return
    moving = set(paths_of(mesh_of(mesh).shape_keys))
    for block in blocks:
        path = f'key_blocks["{bpy.utils.escape_identifier(block.name)}"].'
        if not {path + "value", path + "mute"} & moving:
            shape = values_of(block.data, "co", np.float32, 3)
            yield block.name, {"value": f"{block.value:.6g}", "shape": f"{crc32(shape.tobytes()):08x}"}


def _modifiers(mesh: bpy.types.Object) -> Iterator[tuple[str, dict[str, str]]]:
    modifiers, _ = shown_by(mesh)
    moving = set(paths_of(mesh))
    for modifier in modifiers:
        path = f'modifiers["{bpy.utils.escape_identifier(modifier.name)}"]'
        if f"{path}.show_viewport" not in moving:
            settings = _settings(modifier)
            yield modifier.name, {name: value for name, value in settings.items() if not _among(moving, path, name)}


def _own_materials(mesh: bpy.types.Object) -> Iterator[tuple[str, dict[str, str]]]:
    """Those that the slots of an object have instead of its mesh's, by what they show."""
    for index, (material, of_mesh) in enumerate(zip(materials_of(mesh), mesh_of(mesh).materials, strict=False)):
        if material != of_mesh:
            yield str(index), {"picture": name_of(material) if material is not None else "", "colour": str(shown(material))}


def _among(moving: set[str], path: str, name: str) -> bool:
    """Whether a setting is keyed or driven, as a property or as an input of nodes."""
    return not moving.isdisjoint({f"{path}.{name}", f'{path}["{name}"]', f"{path}.properties.inputs.{name}.value"})


def _settings(modifier: Any) -> dict[str, str]:
    """Its numbers and choices, without what the panel shows of it."""
    names = [
        each.identifier
        for each in modifier.bl_rna.properties
        if each.type in _PLAIN
        and not each.is_readonly
        and not getattr(each, "is_array", False)
        and not each.identifier.startswith(_LOOKS)
        and each.identifier not in _NO_SETTINGS
    ]
    values = {name: getattr(modifier, name) for name in names}
    if modifier.type == "NODES":
        values |= compat.node_inputs(modifier)
    return {name: text for name, value in values.items() if (text := _text(value)) is not None}


def _text(value: Any) -> str | None:
    """None for what is neither a number, nor a choice, nor several of them."""
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, (bool, int, str)):
        return str(value)
    try:
        texts = [_text(each) for each in value]
    except TypeError:
        return None
    return " ".join(sorted(filter(None, texts)) if type(value) is set else filter(None, texts))
