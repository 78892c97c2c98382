"""The mesh files of a character: their numbers say the model, the suit and the part of the body."""

from __future__ import annotations

import re
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from pathlib import Path

from ...reporting.errors import RetroAnimError

MODEL, SUIT = 1_000_000, 10_000
"""A mesh's number is model * MODEL + suit * SUIT + part (the engine's SceneCreateNode.cpp)."""

PLAYER_PARTS = range(5)
"""Hair, face, body, hands and feet."""


@dataclass(frozen=True, order=True)
class MeshFile:
    """A mesh file of the client's layout."""

    model: int
    suit: int
    part: int
    path: Path = field(compare=False)

    def __str__(self) -> str:
        """The number that is its name."""
        return f"{self.model * MODEL + self.suit * SUIT + self.part:010}"


def mesh_file(path: Path) -> MeshFile | None:
    """None for a file whose name is not a mesh's number."""
    if not re.fullmatch(r"[0-9]{7,10}", path.stem):
        return None
    model, rest = divmod(int(path.stem), MODEL)
    return MeshFile(model, *divmod(rest, SUIT), path)


def best_suit(meshes: Sequence[MeshFile], player: bool) -> str:
    """The meshes of one suit, as `chosen` takes them: the first one that has all parts that any has; of a player's the parts 0 to 4."""
    by_suit: dict[int, list[MeshFile]] = {}
    for mesh in meshes:
        if not player or mesh.part in PLAYER_PARTS:
            by_suit.setdefault(mesh.suit, []).append(mesh)
    if not by_suit:
        return "all"
    most = max(len({mesh.part for mesh in suit}) for suit in by_suit.values())
    best = min(suit for suit, files in by_suit.items() if len({mesh.part for mesh in files}) == most)
    return " ".join(str(mesh) for mesh in by_suit[best])


def chosen(meshes: Sequence[MeshFile], parts: str) -> list[MeshFile]:
    """The meshes of one character that are meant by suits ("3"), parts of a suit ("3/2"), numbers ("0001030002"), or "all".

    Of several for the same part of the body the last that is named, except for "all". Raises RetroAnimError for what is not there.
    """
    picked: dict[object, MeshFile] = {}
    for item in re.split(r"[,;\s]+", parts.strip()):
        if item.lower() == "all":
            picked.update((mesh, mesh) for mesh in meshes)
            continue
        meant = list(_meant(meshes, item))
        if not meant:
            suits = ", ".join(map(str, sorted({mesh.suit for mesh in meshes}))) or "none"
            raise RetroAnimError(f"no mesh is meant by {item}; there are the suits {suits}")
        picked.update((mesh.part, mesh) for mesh in meant)
    return sorted(set(picked.values()), key=lambda mesh: (mesh.part, mesh.suit))


def _meant(meshes: Sequence[MeshFile], item: str) -> Iterable[MeshFile]:
    if re.fullmatch(r"\d{7,10}", item):
        return (mesh for mesh in meshes if int(str(mesh)) == int(item))
    if match := re.fullmatch(r"(\d{1,2})/(\d{1,4})", item):
        return (mesh for mesh in meshes if (mesh.suit, mesh.part) == (int(match[1]), int(match[2])))
    if re.fullmatch(r"\d{1,2}", item):
        return (mesh for mesh in meshes if mesh.suit == int(item))
    return ()
