"""The files of Tales of Pirates, for the registry: how to recognise them, and what to report about them."""

from __future__ import annotations

from collections.abc import Iterator
from pathlib import Path
from typing import Any

from ..files.format import Format
from ..reporting import log
from .files.mesh import lgo
from .files.mesh.helpers import Helpers
from .files.mesh.lgo import Lgo
from .files.skeleton import lab_layout
from .files.skeleton.lab import Lab
from .files.skeleton.lab_layout import KEY_TYPES, RATE
from .files.tables import action_table, character_info, character_table, pose_info
from .files.tables.action_table import ActionTable
from .files.tables.character_info import CharacterInfo
from .files.tables.character_table import CharacterTable
from .files.tables.pose_info import PoseInfo

Facts = dict[str, Any]

MOST_PROBLEMS = 20
"""Problems of a table that are listed one by one."""


def _describe_lab(document: Lab) -> Facts:
    """duration: seconds from the first to the last frame of the whole time line; the table of actions says what is in it."""
    return {
        "version": f"0x{document.version:04X}",
        "key_type": KEY_TYPES[document.key_type],
        "bones": document.bone_count,
        "frames": document.frame_count,
        "keys": document.frame_count * document.bone_count,
        "duration": round((document.frame_count - 1) / RATE, 6),
        "loop": None,
        "dummies": len(document.dummies),
        **({} if document.saved_range is None else {"saved_range": list(document.saved_range)}),
    }


def _describe_lgo(document: Lgo) -> Facts:
    """bones: in the mesh's palette. weights: how many each vertex may have."""
    facts: Facts = {"version": f"0x{document.version:04X}"}
    if (mesh := document.mesh) is not None:
        skinned = mesh.blend is not None
        facts |= {
            "vertices": len(mesh.positions),
            "triangles": len(mesh.triangles),
            "bones": len(mesh.palette) if skinned else 0,
            "weights": mesh.weights_in_use if skinned else 0,
            "uv_sets": len(mesh.uvs),
        }
    materials = document.materials
    facts["materials"] = 0 if materials is None else len(materials)
    facts["textures"] = [] if materials is None else [name for index in range(len(materials)) for name in materials.textures(index)]
    if isinstance(document.helpers, Helpers):
        tables = {
            "dummies": document.helpers.dummies,
            "boxes": document.helpers.boxes,
            "helper_meshes": document.helpers.meshes,
            "bounding_boxes": document.helpers.bounding_boxes,
            "spheres": document.helpers.spheres,
        }
        facts |= {name: len(table) for name, table in tables.items() if table is not None}
    return facts | {"animated": document.animation is not None}


def _describe_actions(document: ActionTable) -> Facts:
    """overlapping: pairs of ranges of a type that share frames, which is common. What is wrong is reported as warnings."""
    problems = [problem for number in document.types for problem in document.problems(number)]
    problems += document.nonsense(document.odd_lines)
    for problem in problems[:MOST_PROBLEMS]:
        log.warning(problem)
    if len(problems) > MOST_PROBLEMS:
        log.warning(f"and {len(problems) - MOST_PROBLEMS} more")
    return {
        "types": len(document.types),
        "actions": len(document.rows),
        "used": sum(not row.unused for row in document.rows),
        "overlapping": sum(len(document.overlapping(number)) for number in document.types),
        "reversed": sum(not row.unused and row.end < row.start for row in document.rows),
        "odd_lines": len(document.odd_lines),
    }


def _describe_poses(document: PoseInfo) -> Facts:
    return {"poses": len(document.records), "names": list(document.names.values())}


def _describe_characters(document: CharacterInfo | CharacterTable) -> Facts:
    players = sum(row.is_player for row in document.characters)
    return {"characters": len(document.characters), "players": players, "ships": len(document.rows) - len(document.characters)}


def _describe_character_text(document: CharacterInfo) -> Facts:
    return {**_describe_characters(document), "odd_lines": len(document.odd_lines)}


def _describe_character_table(document: CharacterTable) -> Facts:
    """obfuscation: none, or where the key starts again: at each record, or once in the file."""
    facts: Facts = {"record_size": document.records.dtype.itemsize, "obfuscation": document.obfuscation}
    return _describe_characters(document) | facts


def _around(path: str) -> Facts:
    from .client import client  # here, as in the other games: what only some files need takes its time to load

    return client.around(path)


def _listed(path: str) -> Facts:
    from .client import client

    return client.listed(path)


def takes(path: str) -> bool:
    """Whether there is a client at a path, or the client's own list of characters."""
    if Path(path).suffix.lower() not in (".bin", ".txt") and not Path(path).is_dir():
        return False
    from .client import client

    return client.takes(path)


def characters(path: str, entry: str) -> Iterator[Facts]:
    """The characters that FOLDER#ENTRY, or ENTRY of a list of them, means: facts, and the "files" of each. Raises FormatError."""
    from .client import client

    return client.described(path, entry)


GAME = "mindpower"

LAB = Format("LAB", "MindPower skeleton", GAME, "animation", (".lab",), lab_layout.recognise, Lab.parse, _describe_lab, around=_around)
LGO = Format("LGO", "MindPower mesh", GAME, "body", (".lgo",), lgo.recognise, Lgo.parse, _describe_lgo)
ACTIONS = Format("ACTIONS", "MindPower actions", GAME, "entity", (".tx",), action_table.recognise, ActionTable.parse, _describe_actions)
POSES = Format("POSES", "MindPower pose names", GAME, "entity", (), pose_info.recognise, PoseInfo.parse, _describe_poses)
CHARACTERS = Format(
    "CHARACTERS",
    "MindPower characters",
    GAME,
    "entity",
    (),
    character_info.recognise,
    CharacterInfo.parse,
    _describe_character_text,
    around=_listed,
    file_name="characterinfo.txt",
)

CHARACTER_TABLE = Format(
    "CHARACTER_TABLE",
    "MindPower characters",
    GAME,
    "entity",
    (),
    character_table.recognise,
    CharacterTable.parse,
    _describe_character_table,
    around=_listed,
    file_name="characterinfo.bin",
)

FORMATS = (LAB, LGO, POSES, CHARACTER_TABLE, CHARACTERS, ACTIONS)
"""In the order in which contents are tried: the most certain first."""
