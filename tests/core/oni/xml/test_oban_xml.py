"""OniSplit's XML of an object's animation: the given file both ways, any animation, and edits in place."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace
from pathlib import Path

import numpy as np
from hypothesis import given
from retro_anim.core.files.document import same
from retro_anim.core.oni.files.documents import ObanFile
from retro_anim.core.oni.records.oban import KEY, Oban
from retro_anim.core.oni.xml.documents import ObanXml
from retro_anim.core.reporting import log

from ..strategies import obans


def test_given_object_animation(game_file: Callable[[str], Path]) -> None:
    path = game_file("oni/xml/OBANBlackvan_FB_wiki.xml")
    record = ObanFile.parse(game_file("oni/instances/OBANBlackvan_FB_wiki.oni").read_bytes()).oban
    read = ObanXml.parse(path.read_bytes()).named(str(path))
    assert same(read.oban, record)
    assert (read.oban.ticks, read.oban.length) == (80, 501), "FrameLength is the ticks, FrameCount the length"
    assert ObanXml.new(record).pack() == path.read_bytes()


@given(obans())
def test_any_object_animation(document: Oban) -> None:
    """Names are those of files, and XML has nothing behind the keys."""
    back = ObanXml.parse(ObanXml.new(document).data).oban
    assert same(replace(back, name=document.name, tail=document.tail), document)


def test_an_edited_object_animation_is_called_as_its_file() -> None:
    read = ObanXml.parse(ObanXml.new(Oban.new("OBANx")).data)
    edited = replace(read, oban=replace(read.oban, ticks=77)).named("OBANother.xml")
    assert (edited.oban.name, edited.oban.ticks) == ("OBANother", 77)


def test_an_edit_changes_its_own_text_alone() -> None:
    """Comments stay, and spaces within a tag; a name that XML does not have is no loss."""
    keys = np.zeros(2, KEY)
    keys["rotation"], keys["frame"] = [0, 0, 0, 1], [0, 9]
    plain = ObanXml.new(replace(Oban.new("OBANa"), ticks=8, keys=keys)).data
    text = plain.replace(b"<KeyFrames>", b"<!-- mine --><KeyFrames >")
    read = ObanXml.parse(text)
    keys = keys.copy()
    keys["frame"][1] = 12
    with log.collect() as said:
        written = replace(read, oban=replace(read.oban, ticks=77, keys=keys)).pack()
    changes = {b"<FrameLength>8</FrameLength>": b"<FrameLength>77</FrameLength>", b"<Time>9</Time>": b"<Time>12</Time>"}
    for old, new in changes.items():
        assert text.count(old) == 1
        text = text.replace(old, new)
    assert written == text and not said.messages
