"""What `info` reports about files: numbers of the made-up chains, counted by hand."""

from __future__ import annotations

from pathlib import Path

import numpy as np
import pytest
from retro_anim.core.lba import formats
from retro_anim.core.lba.files.anm import Anm
from retro_anim.core.lba.files.archive.hqr import Hqr
from retro_anim.core.lba.files.file3d import Entity
from retro_anim.core.lba.files.lm1 import Lm1
from retro_anim.core.lba.files.lm2 import Lm2
from retro_anim.core.lba.files.palette import Palette
from retro_anim.core.lba.files.texture import TexturePage
from retro_anim.core.lba.files.variant import LBA2
from support.lba import lba1_chain, lba2_chain

from ..strategies import hqr_bytes, record


def test_an_animation() -> None:
    """4 keyframes of 5 bones; behind the first 15, 10 and 5 time units of 20 ms, or of 1 ms in the second game."""
    facts = formats.ANM.describe(Anm.parse(lba1_chain.ANM))
    why = facts.pop("game_because")
    assert facts == {"game": "lba1", "bones": 5, "frames": 4, "keys": 20, "duration": 0.6, "loop": 1}
    assert why
    second = formats.anm_facts(Anm.parse(lba1_chain.ANM), LBA2, "it was asked for")
    assert (second["game"], second["duration"], second["game_because"]) == ("lba2", 0.03, "it was asked for")
    once = formats.anm_facts(Anm(9, 0, Anm.parse(lba1_chain.ANM).frames), LBA2, "")
    assert once["loop"] is None


def test_an_entity() -> None:
    """Bodies 4 and 6 by their roles, and an animation with a left step at keyframe 3 and a sound, of which two bytes are a number."""
    actions = bytes((2, 15, 3, 6, 5)) + (300).to_bytes(2, "little")
    data = bytes((1, 0, 4, 4, 0, 0, 1, 1, 4, 6, 0, 0, 3, 0, 3 + len(actions), 7, 0)) + actions + b"\xff"
    facts = formats.ENTITY.describe(Entity.parse(data))
    assert facts == {"game": "lba1", "bodies": [4, 6], "animations": [7], "events": ["7: 3 left step", "7: 5 sound 300"]}


def test_bodies() -> None:
    facts = formats.LM1.describe(Lm1.parse(lba1_chain.LM1))
    counts = {"bones": 5, "points": 11, "normals": 1, "polygons": 3, "lines": 1, "spheres": 1}
    assert facts == {"game": "lba1", **counts, "box": [-150, 150, 0, 400, -50, 350]}
    facts = formats.LM2.describe(Lm2.parse(lba2_chain.LM2))
    counts = {"bones": 5, "points": 11, "normals": 13, "polygons": 10, "lines": 1, "spheres": 2, "textures": 3}
    assert facts == {"game": "lba2", **counts, "box": [-150, 150, 0, 400, -50, 350]}


def test_a_palette() -> None:
    assert formats.PALETTE.describe(Palette.plain()) == {"colours": 256}


def test_an_archive_and_its_entries() -> None:
    """Stored, of method 1, blank, and of method 2."""
    archive = Hqr.parse(lba1_chain.HQR)
    assert formats.HQR.describe(archive) == {"entries": 4, "blank": 1}
    sizes = [(facts["size"], facts["packed_size"]) for facts in (formats.entry_facts(archive, index) for index in (0, 1, 3))]
    assert sizes == [(362, 362), (200, 99), (362, 168)]


def test_what_entries_are_called(tmp_path: Path) -> None:
    """By the list beside the archive, or one that is given, a line each behind its title."""
    path, archive = tmp_path / "ANIM.HQR", Hqr.parse(lba1_chain.HQR)
    path.write_bytes(lba1_chain.HQR)
    assert formats.HQR.called is not None
    assert formats.HQR.called(str(path), archive, {1: "animation"}, "") == {}
    path.with_suffix(".HQD").write_text("Animations\n\nA stroll")
    other = tmp_path / "other.hqd"
    other.write_text("Animations\nOne\n\n\nFour\nFive")
    assert formats.HQR.called(str(path), archive, {1: "animation"}, "") == {1: "A stroll"}
    assert formats.HQR.called(str(path), archive, {1: "animation"}, str(other)) == {0: "One", 3: "Four"}


@pytest.mark.parametrize(
    ("slots", "index", "first", "count"), [(101, 0, 1, None), (101, 100, 0, None), (102, 0, 1, 102), (102, 101, 0, 102)]
)
def test_entries_that_are_the_same_are_listed_up_to_a_hundred(slots: int, index: int, first: int, count: int | None) -> None:
    facts = formats.entry_facts(Hqr.parse(hqr_bytes([record(b"one")], [0] * slots)), index)
    assert facts["shared_with"] == list(range(first, first + 100)) and facts.get("shared_by") == count
    assert (facts["size"], facts["method"]) == (3, "plain")


def test_a_page_without_the_game_is_a_chess_board() -> None:
    """Of the same squares everywhere: the next one aside and the next one below are of the other colour, the one behind it of the same."""
    texels = TexturePage.plain().texels
    side = int(np.argmax(texels[0] != texels[0, 0]))
    assert side > 1 and len(np.unique(texels)) == 2
    for axis in (0, 1):
        assert (np.roll(texels, side, axis) != texels).all() and (np.roll(texels, 2 * side, axis) == texels).all()
