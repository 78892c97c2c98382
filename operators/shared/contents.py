"""What a file of each game has to choose from: for each page of the list its lines, as key, label, and whether it is chosen at first."""

from __future__ import annotations

from pathlib import Path
from typing import Any

from ...core import formats
from ...core.lba.characters import contents as lba
from ...core.mindpower.client.client import Client, characters, companions
from ...core.oni2.characters import companions as oni2
from ...core.reporting.errors import RetroAnimError
from ...io.oni.plan import BODY_TAGS

Lines = dict[str, list[tuple[str, str, bool]]]

_ONI_TABS = {"TRAM": "characters", "OBAN": "objects", **dict.fromkeys(BODY_TAGS, "bodies")}


def is_archive(path: str, game: str) -> bool:
    """Whether a file is an archive of the game; not so when it cannot be read, which the import says better."""
    try:
        kind = formats.recognise_file(path)
    except RetroAnimError:
        return False
    return kind is not None and kind.kind == "archive" and kind.game == game


def of_lba(path: str, options: dict[str, Any]) -> Lines:
    return _unchosen(lba.contents(path, options.get("file3d", ""), options.get("names", "")))


def of_oni(path: str, options: dict[str, Any]) -> Lines:
    archive: Any = formats.open_file(path).document
    found: Lines = {"characters": [], "objects": [], "bodies": []}
    for index in range(len(archive)):
        tab = _ONI_TABS.get(archive.tag(index))
        if tab and not archive.blank(index) and archive.name(index):
            found[tab].append((str(index), archive.name(index), False))
    return found


def of_oni2(path: str, options: dict[str, Any]) -> Lines:
    return _unchosen(oni2.contents(path))


def of_mindpower(path: str, options: dict[str, Any]) -> Lines:
    """Nothing for a mesh, and for a skeleton with no more than one suit. Raises RetroAnimError when it is no client's folder."""
    suffix = Path(path).suffix.lower()
    if suffix == ".lgo":
        return {}
    if suffix != ".lab":
        return {
            "characters": [
                (f"id={one.id}" if one.id else str(one.number), f"{one.number:04} {one.name}", False) for one in characters(path)
            ]
        }
    stem = Path(path).stem
    meshes = Client.around(path).meshes.get(int(stem), []) if stem.isdecimal() and len(stem) < 10 else []
    if len({mesh.suit for mesh in meshes}) < 2:
        return {}
    shown = set(companions(path).meshes)
    return {"suits": [(str(mesh), f"suit {mesh.suit}, part {mesh.part}: {mesh.path.name}", str(mesh.path) in shown) for mesh in meshes]}


def _unchosen(found: dict[str, list[tuple[int, str]]]) -> Lines:
    return {tab: [(str(key), label, False) for key, label in lines] for tab, lines in found.items()}
