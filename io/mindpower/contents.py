"""What a client's folder, and a skeleton with several suits, have to choose from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...core.mindpower.client.client import Client, characters, companions
from ..pipeline.contents import Contents, Line


def contents(path: str, _options: Mapping[str, Any]) -> Contents:
    """Nothing for a mesh, and for a skeleton with no more than one suit.

    Raises RetroAnimError when it is no client's folder."""
    suffix = Path(path).suffix.lower()
    if suffix == ".lgo":
        return {}
    if suffix != ".lab":
        named = [(choice, f"{choice.number:04} {choice.name}".strip()) for choice in characters(path)]
        return {"characters": [Line(f"id={choice.id}" if choice.id else str(choice.number), name, name=name) for choice, name in named]}
    stem = Path(path).stem
    meshes = Client.around(path).meshes.get(int(stem), []) if stem.isdecimal() and len(stem) < 10 else []
    if len({mesh.suit for mesh in meshes}) < 2:
        return {}
    shown = set(companions(path).meshes)
    return {"suits": [Line(str(mesh), f"suit {mesh.suit}, part {mesh.part}: {mesh.path.name}", str(mesh.path) in shown) for mesh in meshes]}
