"""A .oni of several records that is edited again and again: nothing is lost, and it does not grow."""

from __future__ import annotations

from dataclasses import replace

import numpy as np
import pytest
from retro_anim.core.files.document import same
from retro_anim.core.oni.files.onifile import OniFile, Part
from retro_anim.core.oni.records import tram_layout
from retro_anim.core.oni.records.record import PREFIX
from retro_anim.core.oni.records.tram import Tram

from .files.test_instance_files import several


def test_edited_again_and_again_it_does_not_grow() -> None:
    """What was edited takes the room that it had, or what an earlier state of it left."""
    file = several()
    sizes = list[int]()
    for step in range(12):
        record = Tram.of(file.record(1))
        count = 4 + step % 3 * 9
        heights, footsteps = np.arange(count, dtype="<f4"), np.ones(step % 2, tram_layout.FOOTSTEP) if step % 4 else None
        new = replace(record, heights=heights, frame_count=count, footsteps=footsteps, name=f"TRAM{'long' * (step % 3)}", tail=b"!" * step)
        file = OniFile.parse(file.with_record(1, new.record()).pack())
        assert same(Tram.of(file.record(1)), replace(new, tail=Tram.of(file.record(1)).tail))
        assert same(Tram.of(file.record(0)), Tram.of(several().record(0)))
        assert file.bytes_of(3) == several().bytes_of(3)
        sizes.append(len(file.pack()))
    assert max(sizes[6:]) <= max(sizes[:6])


@pytest.mark.parametrize("kind", ["TRAM", "ABCD"])
def test_what_another_record_may_use_stays_where_it_is(kind: str) -> None:
    """Of a kind that nobody knows, any number may be a pointer."""
    own = replace(Tram.new("TRAMone", 2, 1), heights=np.array([1, 2], "<f4")).record()
    file = OniFile.build([Part("TRAM", "TRAMone", 0, own.body, own.blocks), Part("TRAM", "TRAMtwo", 0, own.body)])
    data, descriptors = bytearray(file.data), file.tables.descriptors.copy()
    at = int(descriptors["data"][1])
    data[at : at + len(own.body)] = file.bytes_of(0)[PREFIX:]
    descriptors["tag"][1] = kind[::-1].encode()
    both = replace(file, data=bytes(data), tables=replace(file.tables, descriptors=descriptors))
    new = replace(Tram.of(both.record(0)), heights=np.array([8, 9], "<f4"))
    edited = both.with_record(0, new.record())
    assert same(Tram.of(edited.record(0)), new)
    assert bytes(edited.raw).startswith(both.raw) and edited.bytes_of(1) == both.bytes_of(1)


def test_a_pointer_beside_another_keeps_its_block() -> None:
    """Pointers stand side by side, each of four bytes."""
    plain = Tram.new("TRAMone", 2, 1)
    both = replace(plain, heights=np.array([1, 2], "<f4"), velocities=np.ones(2, tram_layout.VELOCITY)).record()
    names = ("TRAMone", "TRAMtwo")
    file = OniFile.build([Part("TRAM", name, 0, both.body, both.blocks) for name in names])
    other = Tram.of(file.record(1))
    longer = replace(
        Tram.of(file.record(0)), heights=np.arange(90, dtype="<f4"), velocities=np.ones(90, tram_layout.VELOCITY), frame_count=90
    )
    edited = file.with_record(0, longer.record())
    assert same(Tram.of(edited.record(1)), other) and same(Tram.of(edited.record(0)), longer)


def test_one_that_is_called_nothing_gets_no_name() -> None:
    """Its name is a zero of the table, which only looks as if nothing used it."""
    file = OniFile.build([Part("TRAM", "TRAMone", 0, Tram.new("TRAMone", 1, 1).record().body), Part("ABCD", "ABCDother", 0, b"body")])
    descriptors = file.tables.descriptors.copy()
    descriptors["name"][1] = len(b"TRAMone\0")
    file = replace(file, tables=replace(file.tables, descriptors=descriptors, names=b"TRAMone".ljust(40, b"\0")))
    assert file.name(1) == ""
    edited = file.with_record(0, replace(Tram.of(file.record(0)), name="TRAMlonger", direct=("TRAMnew", "")).record())
    assert [edited.name(index) for index in range(3)] == ["TRAMlonger", "", "TRAMnew"]
