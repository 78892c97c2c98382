"""The files in the registry: each known by its name or its content, and described whatever is in it."""

from __future__ import annotations

import json
import struct
from collections.abc import Callable
from pathlib import Path

import pytest
from hypothesis import given, settings
from retro_anim.core import formats
from retro_anim.core.mindpower.files.mesh.lgo import Lgo
from retro_anim.core.mindpower.files.skeleton.lab import Lab
from retro_anim.core.mindpower.formats import ACTIONS, CHARACTERS, FORMATS, LAB, LGO, POSES
from retro_anim.core.reporting import log
from support.mindpower import mindpower_files

from ..strategies import labs, lgos

POSE_TABLE = struct.pack("<3I", 124, 1, 1) + b"wait".ljust(100, b"\0") + struct.pack("<7h2x", *range(1, 8))
CHARACTER_LIST = f"{mindpower_files.HEADER}\n{mindpower_files.character(9, 'Crab', 4, 7, 0, [1], 7)}\n".encode()


@pytest.mark.parametrize(
    ("data", "kind"),
    [
        (mindpower_files.arm(3), LAB),
        (mindpower_files.lgo(), LGO),
        (mindpower_files.ACTIONS, ACTIONS),
        (POSE_TABLE, POSES),
        (CHARACTER_LIST, CHARACTERS),
    ],
)
def test_known_by_content(data: bytes, kind: formats.Format) -> None:
    for name in ("", "some.bin", "some.txt"):
        assert formats.recognise(data[: formats.HEAD], len(data), name) is kind
    assert [other for other in formats.known() if other.game != "mindpower" and other.recognise(data[: formats.HEAD], len(data))] == []
    document = kind.parse(data)
    assert document.pack() == data
    json.dumps(kind.describe(document))


def test_known_by_name() -> None:
    for name, kind in (("a.LAB", LAB), ("a.lgo", LGO), ("CharacterAction.TX", ACTIONS), ("table/CharacterInfo.txt", CHARACTERS)):
        assert formats.recognise(b"anything", 8, name) is kind
    assert formats.recognise(b"anything", 8, "OldCharacterInfo.txt") is None
    table = formats.recognise(b"anything", 8, "characterinfo.BIN")
    assert table is not None and table.name == "CHARACTER_TABLE"


def test_other_files_are_not_ours(game_file: Callable[[str], Path]) -> None:
    for folder in ("lba1", "oni", "mocap", "mindpower/texture"):
        for path in sorted(game_file(folder).rglob("*")):
            if path.is_file():
                head, size = path.read_bytes()[: formats.HEAD], path.stat().st_size
                assert [kind.name for kind in FORMATS if kind.recognise(head, size)] == [], path


@settings(max_examples=20)
@given(lab=labs())
def test_facts_of_any_skeleton(lab: Lab) -> None:
    facts = LAB.describe(lab)
    json.dumps(facts)
    assert (facts["bones"], facts["keys"]) == (lab.bone_count, lab.bone_count * lab.frame_count)


@settings(max_examples=20)
@given(lgo=lgos())
def test_facts_of_any_mesh(lgo: Lgo) -> None:
    with log.collect():
        json.dumps(LGO.describe(lgo))
