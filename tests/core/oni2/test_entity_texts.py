"""Texts that name a character's files, edited where they stand: the byte ranges that change are worked out by hand."""

from __future__ import annotations

import pytest
from retro_anim.core.oni2.files.entity import Anims, EntityType
from retro_anim.core.oni2.files.tokens import Token
from retro_anim.core.reporting.errors import FormatError


@pytest.mark.parametrize(
    ("before", "skeleton", "model", "after"),
    [
        ("SKEL kno\nhigh a.mod 20\n", "tim.skel", "b.mod", "SKEL tim\nhigh b.mod 20\n"),
        ("SKEL kno.skel\nhigh a 20\n", "tim.skel", "b.mod", "SKEL tim.skel\nhigh b 20\n"),
        ('skel: "kno" LodGroup { low l.mod 40 high a.mod 20 }', "tim.skel", "b.mod", "skel: tim LodGroup { low l.mod 40 high b.mod 20 }"),
        ("SKEL KNO\nHIGH A.MOD\n", "kno.skel", "a.mod", "SKEL KNO\nHIGH A.MOD\n"),
        ("SKEL kno\nhigh a.mod\n", "", "", "SKEL kno\nhigh a.mod\n"),
        ("", "kno.skel", "", "SKEL kno\n"),
        ("BOUND b", "kno.skel", "", "BOUND b\nSKEL kno\n"),
        ("BOUND b\r\n", "", "a.mod", "BOUND b\r\nLodGroup {\r\n\thigh a.mod 20\r\n}\r\n"),
        ("SKEL none\nhigh none\n", "kno.skel", "", "SKEL none\nhigh none\nSKEL kno\n"),
        ("SKEL kno SKEL tim\n", "xkno.skel", "", "SKEL xkno SKEL tim\n"),
    ],
)
def test_another_file_stands_where_the_first_name_stood(before: str, skeleton: str, model: str, after: str) -> None:
    """With the ending that it had there or not; what is not named yet is added behind everything."""
    assert EntityType(before).with_files(skeleton, model).text == after


def test_values_stand_behind_their_keyword_on_its_line() -> None:
    entity = EntityType('SKEL\nLodGroup { high a.mod 20 low b 40 } BOUND "two words" RADIUS 2.5 other x\nRADIUS 3\n')
    assert (entity.skeleton, entity.models, entity.bound, entity.radius) == ("", ("a.mod", "b.mod"), "two words", 2.5)
    texts = ("RADIUS far\n", "", 'radius "1.5"\n')
    assert [EntityType(text).radius for text in texts] == [None, None, 1.5]


@pytest.mark.parametrize("kind", [EntityType, Anims])
def test_what_has_zeros_inside_is_no_text(kind: type[EntityType | Anims]) -> None:
    with pytest.raises(FormatError, match="not a text") as raised:
        kind.parse(b"SKEL\0kno\0")
    assert raised.value.offset == 4
    assert kind.parse(b"SKEL kno\0\0").pack() == b"SKEL kno\0\0"


@pytest.mark.parametrize(
    ("before", "after"),
    [
        ("Anims {\n walk WALK\n run\n}\n", "Anims {\n run\n}\n"),
        ("Anims { walk WALK\n run\n}\n", "Anims { \n run\n}\n"),
        ("Anims {\n walk WALK }\n", "Anims {\n  }\n"),
        ("Anims {\n walk WALK // note\n}\n", "Anims {\n}\n"),
        ("Anims {\n walk WALK", "Anims {\n"),
        ("Anims {\r\n walk WALK\r\n}", "Anims {\r\n}"),
    ],
)
def test_an_animation_that_goes_takes_its_line_along_where_it_is_alone_on_it(before: str, after: str) -> None:
    assert Anims(before).with_clips({"walk": []}).text == after


def test_what_stands_in_another_block_is_no_animation() -> None:
    text = "Other {\n walk WALK\n}\npackage { a.b }\nAnims {\n { run RUN\n}\n jump JUMP\n"
    listed = Anims(text)
    assert (listed.packages, listed.clips) == ((), (("run", "RUN"),))
    assert listed.with_clips({"walk": [], "jump": []}).text == text


def test_a_package_named_inside_a_block_is_an_animation() -> None:
    listed = Anims('package "a.b" Anims { package c.d } locopkg e jumppkg f\n')
    assert (listed.packages, listed.clips) == (("a.b", "e", "f"), (("package", "c.d"),))


def test_new_animations_stand_behind_the_last_one_also_without_a_line_end() -> None:
    assert Anims("Anims {\n walk").with_clips({"run": ["RUN"]}).text == "Anims {\n walk\n\trun RUN\n"
    assert Anims("Anims { walk }").with_clips({"run": ["RUN"]}).text == "Anims { walk\n\trun RUN\n }"


@pytest.mark.parametrize("name", ["a b", "a{", "a}", "a#b", "a//b", ""])
def test_a_name_that_is_more_than_a_word_is_quoted(name: str) -> None:
    assert Anims("").with_clips({name: ["A/B"]}).text == f'Anims {{\n\t"{name}" A/B\n}}\n'


@pytest.mark.parametrize(
    ("text", "number"),
    [
        ("1.5f", 1.5),
        ("-.5E1", -5.0),
        ("7.", 7.0),
        ("0" * 399 + "1", 1.0),
        ("0" * 400 + "1", None),
        ("3.4028234663852886e38", 3.4028234663852886e38),
        ("-3.4028234663852886e38", -3.4028234663852886e38),
        ("3.4028236e38", None),
        ("-1e39", None),
        ("1e999", None),
        ("0.1", 0.10000000149011612),
        (".", None),
        ("1x", None),
    ],
)
def test_a_number_is_one_of_32_bits(text: str, number: float | None) -> None:
    """The largest is (2 - 2**-23) * 2**127; 0.1 is 13421773 / 2**27. What is longer than 400 letters is none."""
    assert Token(text, 0).number == number
