"""Skeletons: text that comes back as it was, what it says, and hostile text."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st
from retro_anim.core.oni2.files.skeleton import skel, skel_bones
from retro_anim.core.oni2.files.skeleton.skel import Skel
from retro_anim.core.oni2.files.skeleton.skel_bones import Bone, Declared
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import FormatError
from support.oni2.oni2_files import CHANNELS_SKEL, TWO_BONES
from support.oni2.oni2_strategies import bone_lists, short, skels


def meaning(bones: tuple[Bone, ...]) -> list[Bone]:
    """Without the positions in the text."""
    return [replace(bone, label=(0, 0), body=0, numbers=()) for bone in bones]


def test_the_worked_example() -> None:
    result = Skel.parse(CHANNELS_SKEL.encode())
    assert result.pack() == CHANNELS_SKEL.encode()
    assert (result.version, result.plain) == ("101", False)
    assert [(bone.name, bone.parent) for bone in result.bones] == [
        ("root", -1), ("spine_01", 0), ("arm_l", 1), ("piston", 1), ("pelvis", 0)]  # fmt: skip
    assert result.bones[1].channels[0] == Declared("rot", 0, limit=(-1.5, 1.5))
    assert result.bones[2].channels[0] == Declared("rot", 0, locked=True, value=0.5)
    assert result.skeleton().heads[3].tolist() == pytest.approx([0, 1.7, 0.1])


def test_where_bones_point() -> None:
    """At the first child that lies elsewhere; without one on from the parent, by 0.15 of the way; up where there is no way."""
    text = "bone a { offset 0 0 0 bone b { offset 0 0 0 } bone c { offset 2 0 0 bone d { offset 0 0 -4 } } bone e { offset 0 3 0 } }"
    skeleton = Skel.parse(text.encode()).skeleton()
    assert skeleton.heads.tolist() == [[0, 0, 0], [0, 0, 0], [2, 0, 0], [2, 0, -4], [0, 3, 0]]
    wanted = [[2, 0, 0], [0, 0.1, 0], [2, 0, -4], [2, 0, -4.6], [0, 3.45, 0]]
    np.testing.assert_allclose(skeleton.tips, wanted, atol=1e-12)


def test_without_a_version_the_root_moves_and_every_bone_turns() -> None:
    result = Skel.parse(TWO_BONES.encode())
    assert (result.version, result.plain) == ("", True)
    assert [len(result.declared(bone)) for bone in (0, 1)] == [6, 3]


@given(skels())
def test_any_text_comes_back(document: Skel) -> None:
    data = document.pack()
    assert Skel.parse(data).pack() == data


@given(bone_lists())
def test_a_new_text_says_what_it_was_made_of(bones: tuple[Bone, ...]) -> None:
    with log.collect() as said:
        parsed = Skel.parse(skel.write(bones).pack())
    assert meaning(parsed.bones) == meaning(bones)
    assert parsed.version == "101"
    assert not said.messages


def test_a_bone_without_an_offset_gets_one_only_where_it_moves() -> None:
    text = CHANNELS_SKEL.replace("\t\toffset 0.0 0.2 0.0\n", "")
    before = Skel.parse(text.encode())
    offsets = before.offsets.copy()
    assert text != CHANNELS_SKEL and offsets[1].tolist() == [0, 0, 0]
    assert before.with_offsets(offsets).text == text
    offsets[2, 0] = 0.5
    assert before.with_offsets(offsets).text == text.replace("0.25 0.3", "0.5 0.3")
    offsets[1, 1] = 0.2
    assert Skel.parse(before.with_offsets(offsets).pack()).offsets[1].tolist() == [0, pytest.approx(0.2), 0]


@given(skels(), st.data())
def test_new_offsets_change_their_numbers_alone(document: Skel, data: st.DataObject) -> None:
    before = Skel.parse(document.pack())
    bone = data.draw(st.integers(0, len(before.bones) - 1))
    offsets = before.offsets.copy()
    offsets[bone] = data.draw(st.tuples(short, short, short))
    after = before.with_offsets(offsets)
    assert np.array_equal(Skel.parse(after.pack()).offsets.astype("f4"), offsets.astype("f4"))
    known = meaning(before.bones)
    assert [replace(one, offset=two.offset) for one, two in zip(meaning(after.bones), known, strict=True)] == known
    assert before.with_offsets(before.offsets).text == document.text
    assert len(after.text.split()) - len(document.text.split()) in (0, 4)


def test_new_names_change_the_names_alone() -> None:
    before = Skel.parse(b'bone a { # a\n offset 1 2 3 BONE "a" { offset 0 0 0 } }')
    after = before.with_names(["root", "upper arm"])
    assert after.text == before.text.replace("bone a", "bone root").replace('"a"', "upper_arm")
    assert before.with_names(["a", "a"]) is before


@given(bone_lists())
def test_channels_as_words(bones: tuple[Bone, ...]) -> None:
    for bone in bones:
        assert skel.channels_of(skel_bones.text_of(bone.channels)) == bone.channels


@pytest.mark.parametrize("text", ["rotX }", "rotX lock 1 2", "bone b { }", "turn", "rotX limit 1"])
def test_other_words_are_no_channels(text: str) -> None:
    with pytest.raises(FormatError):
        skel.channels_of(text)


def test_words_may_have_any_case_and_place() -> None:
    text = "VERSION:101 numbones 2 Bone a{OFFSET 1 2 3f TRANSx LOCK RotY lock -.5 limit -1 1e0 BONE b{}}//end"
    result = Skel.parse(text.encode())
    assert result.bones[0].offset == (1, 2, 3)
    assert result.bones[0].channels == (Declared("trans", 0, True), Declared("rot", 1, True, -0.5, (-1, 1)))
    assert result.bones[1].parent == 0


def test_rotmin_and_rotmax_and_a_scale_lock() -> None:
    result = Skel.parse(b"bone a { offset 0 0 0 rotmin -1 -2 -3 rotmax 1 2 3 scaleX lock }")
    assert (result.bones[0].low, result.bones[0].high) == ((-1, -2, -3), (1, 2, 3))
    assert result.bones[0].channels == (Declared("scale", 0, True, 1.0),)


def test_what_is_passed_over_is_said_once() -> None:
    text = "NumBones 7\nbone a {\n offset 0 0 0\n weight 1 2\n weight 3\n rotX\n rotX\n}\n"
    with log.collect() as said:
        result = Skel.parse(text.encode())
    assert result.pack() == text.encode()
    assert said.digest() == [
        "unknown keyword weight: passed over",
        "rotX of a is declared twice: counted once",
        "NumBones is 7, but the file has 1 bone",
    ]


@pytest.mark.parametrize(
    ("text", "problem"),
    [
        ("", "line 1: no bone"),
        ("Version: 101\n", "no bone"),
        ("bone a {\n", "line 1: a brace is never closed"),
        ("bone a {\n}\n}\n", "line 3: a brace closes nothing"),
        ("bone a {\n}\nbone b {\n}\n", "line 3: a second root, b"),
        ("bone a {\n\noffset 0 1\n}", "line 3: offset: a number expected, not }"),
        ("bone a { offset 0,25 1,5 0 }", "line 1: offset: a number expected, not 0,25"),
        ("bone a { offset 0 1", r"line 1: offset: a number expected \(offset"),
        ("bone a { offset nan 0 0 }", "offset"),
        ("bone a { offset 1e999 0 0 }", "offset"),
        ("bone a {\n rotX limit 1\n}", "line 2: limit: a number expected, not }"),
        ("bone { }", "a bone needs a name and a brace"),
        ("bone a b {}", "a bone needs a name and a brace"),
        ("foo { " * 3, "never closed"),
        ("\0" * 50, "no bone"),
    ],
)
def test_what_is_refused(text: str, problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        Skel.parse(text.encode())


def test_a_million_nested_bones() -> None:
    with pytest.raises(FormatError, match="more than 10000 bones"):
        Skel.parse(b"bone a {" * 1_000_000)
    deep = b"bone a {" * 10_000 + b"}" * 10_000
    result = Skel.parse(deep)
    assert result.pack() == deep
    assert len(set(result.skeleton().names)) == 10_000


@given(st.binary(max_size=80) | st.text('bone a{} \n#/"10.-rotX lockimt').map(str.encode))
def test_any_bytes_give_a_skeleton_or_an_error(data: bytes) -> None:
    with suppress(FormatError):
        assert Skel.parse(data).pack() == data


def test_cut_off_anywhere() -> None:
    for length in range(len(CHANNELS_SKEL) - 2):
        with pytest.raises(FormatError):
            Skel.parse(CHANNELS_SKEL[:length].encode())


@pytest.mark.parametrize("text", [CHANNELS_SKEL, TWO_BONES, "# a\nbone root {", "version 1.00 bone x{"])
def test_recognised_by_its_start(text: str) -> None:
    assert skel.recognise(text.encode(), len(text))


@pytest.mark.parametrize("data", [b"", b"bone", b"version: 2.10\0", b"ANI1", bytes(100), b"Version: 101\nfoo"])
def test_other_things_are_not(data: bytes) -> None:
    assert not skel.recognise(data, len(data))


def test_names_become_single_words() -> None:
    assert [skel_bones.token(name) for name in ("upper arm.L", "a{b}", "", "Łuk")] == ["upper_arm.L", "a_b_", "bone", "?uk"]


def test_the_offsets_are_nobody_s_to_change() -> None:
    """They are asked for once, and shared."""
    assert not Skel.parse(TWO_BONES.encode()).offsets.flags.writeable


def test_other_numbers_of_the_header_are_no_count_of_bones() -> None:
    with log.collect() as said:
        Skel.parse(TWO_BONES.replace("bone", "flavour 7\nbone", 1).encode())
    assert said.digest() == ["unknown keyword flavour: passed over"]


@pytest.mark.parametrize(("before", "behind"), [("\xef\xbb\xbf", ""), ("", "\0\0"), ("", "\x1a")])
def test_what_editors_put_around_a_text_says_nothing(before: str, behind: str) -> None:
    data = f"{before}{CHANNELS_SKEL}{behind}".encode("latin-1")
    with log.collect() as said:
        result = Skel.parse(data)
    assert (result.version, len(result.bones), result.pack()) == ("101", 5, data)
    assert not said.messages
    assert skel.recognise(data, len(data))


def test_names_in_another_encoding_stay_in_one_piece() -> None:
    """In UTF-8 \u00e0 and \u00c5 have bytes that are white space, or end a line, to who takes them for letters."""
    data = CHANNELS_SKEL.replace("arm_l", "\u00e0\u00c5_l").encode()
    result = Skel.parse(data)
    assert [bone.name.encode("latin-1").decode() for bone in result.bones][2] == "\u00e0\u00c5_l"


def test_a_bone_without_children_does_not_reach_out_of_its_mesh() -> None:
    """How long it is no file says: a foot goes on from its shin by less than an ankle is high, of the shin's length."""
    rig = Skel.parse(TWO_BONES.encode()).skeleton()
    step, reach = (np.linalg.norm(ends - rig.heads[1]) for ends in (rig.heads[0], rig.tips[1]))
    assert 0 < reach < 0.2 * step


@pytest.mark.parametrize("parents", [(0,), (-1, 0, 1, 0, 1), (-1, 0, 3, 2)])
def test_a_bone_that_does_not_follow_its_parent_is_not_written(parents: tuple[int, ...]) -> None:
    """One that hangs on itself or on a later one neither."""
    with pytest.raises(FormatError, match=r"bone bone\d does not follow the others below its parent"):
        skel.write([Bone(f"bone{index}", parent) for index, parent in enumerate(parents)])


def test_a_second_root_is_not_written() -> None:
    with pytest.raises(FormatError, match="bone b hangs on no other, and a skeleton has one root"):
        skel.write([Bone("a", -1), Bone("b", -1)])
