"""What a client's folder, and a skeleton with several suits, have to choose from."""

from __future__ import annotations

from collections.abc import Mapping
from pathlib import Path
from typing import Any

from ...core.mindpower.client.client import characters, companions, lengths
from ...core.mindpower.client.client_files import Choice, Client
from ...core.mindpower.client.meshes import MeshFile
from ...core.mindpower.game import GAME
from ...core.reporting.labels import counted
from ..pipeline.contents import Contents, Line

RATE = GAME.rate or 30.0


def contents(path: str, _options: Mapping[str, Any]) -> Contents:
    """Nothing for a mesh, and for a skeleton with no more than one suit.

    Raises RetroAnimError when it is no client's folder."""
    suffix = Path(path).suffix.lower()
    if suffix == ".lgo":
        return {}
    if suffix != ".lab":
        known = lengths(path)
        return {"characters": [_character(choice, *known.get(choice.action_type, (0, 0))) for choice in characters(path)]}
    stem = Path(path).stem
    meshes = Client.around(path).meshes.get(int(stem), []) if stem.isdecimal() and len(stem) < 10 else []
    if len({mesh.suit for mesh in meshes}) < 2:
        return {}
    shown = set(companions(path).meshes)
    return {"suits": [_mesh(mesh, str(mesh.path) in shown) for mesh in meshes]}


def _character(choice: Choice, clips: int, frames: int) -> Line:
    """clips, frames: of all its actions together."""
    number, key = f"{choice.number:04}", f"id={choice.id}" if choice.id else str(choice.number)
    name = number if choice.name == number else f"{number} {choice.name}".strip()
    meshes = counted(len(choice.parts.split()), "mesh", "meshes") if choice.parts else "a suit"
    return Line(key, name, name=name, title=name, kind=meshes, clips=clips, frames=frames, seconds=frames / RATE)


def _mesh(mesh: MeshFile, shown: bool) -> Line:
    label = f"suit {mesh.suit}, part {mesh.part}: {mesh.path.name}"
    return Line(str(mesh), label, shown, title=mesh.path.name, kind=f"suit {mesh.suit}, part {mesh.part}")
