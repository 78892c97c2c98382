"""What belongs together: entities with their skeletons, meshes and clips, in a folder and in the archive; skeletons of loose clips."""

from __future__ import annotations

from collections.abc import Callable
from contextlib import suppress
from pathlib import Path

import pytest
from hypothesis import given
from hypothesis import strategies as st
from retro_anim.core import formats
from retro_anim.core.oni2.characters import companions
from retro_anim.core.oni2.characters.companions import gather, open_at, skeleton_for, skeleton_of_mesh, type_of_list
from retro_anim.core.oni2.files.entity import Anims, EntityType, package_path
from retro_anim.core.oni2.files.interpretation import Interpretation
from retro_anim.core.oni2.files.skeleton.skel import Skel
from retro_anim.core.oni2.motion.channels import layout_of
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import ExportError, FormatError, RetroAnimError
from support.oni2.oni2_files import CHANNELS_SKEL, TWO_BONES, dave

ANIM = bytes(4) + (1).to_bytes(4, "little") + (9).to_bytes(4, "little") + bytes(5) + bytes(36)
FILES = {
    "Entity/kno/Entity.type": b'\xef// a note\nSKEL kno\nLodGroup {\n high kno.mod 20\n LOW "kno_low" 40\n}\nBOUND none\nRADIUS 1.5 // m\n',
    "Entity/kno/kno.skel": TWO_BONES.encode(),
    "Entity/kno/kno.mod": b"m",
    "Entity/kno/kno_low.mod": b"m",
    "Entity/kno/kno_walk.anim": ANIM,
    "Entity/kno/extra.anim": ANIM,
    "Entity/tim/tim_wave.anim": ANIM,
    "Entity/kno/kno.anims": b"Anims { wrong WRONG }",
    "entity.tune/kno/kno.anims": b"package animpkg.nav.kno\nlocopkg animpkg.loco\nAnims {\n tim_wave HELLO\n lost LOST\n}\n",
    "entity.tune/animpkg/nav/kno.apkg": b"package animpkg.nav.kno\nAnims\n{\n KNO_WALK WALK\n kno_walk RUN\n kno_walk\n}\n",
}
Where = Callable[[str], str]


@pytest.fixture(params=["folder", "archive"])
def where(request: pytest.FixtureRequest, tmp_path: Path) -> Where:
    """The address of a file of the game."""
    if request.param == "archive":
        (tmp_path / "RB.DAT").write_bytes(dave({"Entity/": b"", **FILES}))
        return lambda name: f"{tmp_path / 'RB.DAT'}#{name}"
    for name, data in FILES.items():
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).write_bytes(data)
    return lambda name: str(tmp_path / name)


def test_what_an_entity_says() -> None:
    entity = EntityType.parse(FILES["Entity/kno/Entity.type"])
    assert (entity.skeleton, entity.models) == ("kno.skel", ("kno.mod", "kno_low.mod"))
    assert (entity.bound, entity.radius) == ("", 1.5)
    assert entity.pack() == FILES["Entity/kno/Entity.type"]
    assert EntityType.parse(b"").skeleton == ""


@pytest.mark.parametrize("end", ["\n", "\r\n", "\r"])
def test_lines_end_as_on_any_system(end: str) -> None:
    listed = Anims.parse(end.join(["package a.b", "Anims {", " walk WALK", " run", " turn TURN", "}", ""]).encode())
    assert (listed.packages, listed.clips) == (("a.b",), (("walk", "WALK"), ("run", ""), ("turn", "TURN")))
    changed = listed.with_clips({"walk": ["GO"], "turn": [], "jump": ["JUMP"]})
    assert changed.text == end.join(["package a.b", "Anims {", " walk GO", " run", "\tjump JUMP", "}", ""])
    entity = EntityType.parse(end.join(["BOUND", "SKEL kno"]).encode())
    assert (entity.bound, entity.skeleton) == ("", "kno.skel")
    assert entity.with_files("", "kno.mod").text == end.join(["BOUND", "SKEL kno", "LodGroup {", "\thigh kno.mod 20", "}", ""])
    skel = Skel.parse(end.join(["bone a {", "offset 0 1 0", "unknown 1 2", "rotX", "}"]).encode())
    assert [channel.axis for channel in skel.bones[0].channels] == [0]
    with pytest.raises(FormatError, match="line 2: offset"):
        Skel.parse(end.join(["bone a {", "offset 0", "}"]).encode())


def test_what_a_list_says() -> None:
    assert Anims.parse(FILES["entity.tune/kno/kno.anims"]).packages == ("animpkg.nav.kno", "animpkg.loco")
    package = Anims.parse(FILES["entity.tune/animpkg/nav/kno.apkg"])
    assert package.clips == (("KNO_WALK", "WALK"), ("kno_walk", "RUN"), ("kno_walk", ""))
    assert package_path("animpkg.nav.kno") == "entity.tune/animpkg/nav/kno.apkg"


def test_a_whole_character(where: Where) -> None:
    """The list below entity.tune is preferred; packages that name themselves end; names have no letter case."""
    with log.collect() as said:
        result = gather(where("Entity/kno/Entity.type"))
    assert result.name == "kno"
    assert result.skeleton == where("Entity/kno/kno.skel")
    assert result.models == (where("Entity/kno/kno.mod"), where("Entity/kno/kno_low.mod"))
    assert result.clips == (
        (where("Entity/tim/tim_wave.anim"), ("HELLO",)),
        (where("Entity/kno/kno_walk.anim"), ("WALK", "RUN")),
        (where("Entity/kno/extra.anim"), ()),
    )
    assert said.digest() == [
        "entity.tune/kno/kno.anims: there is no entity.tune/animpkg/loco.apkg",
        "kno: 1 file named but not there: lost.anim",
    ]
    assert type_of_list(where("entity.tune/kno/kno.anims")) == where("Entity/kno/Entity.type")
    with pytest.raises(FormatError, match="of its entity is not there"):
        type_of_list(where("entity.tune/animpkg/nav/none.apkg"))


@pytest.mark.parametrize("clip", ["Entity/kno/kno_walk.anim", "Entity/kno/extra.anim", "Entity/tim/kno_other.anim"])
def test_the_skeleton_of_a_clip(where: Where, clip: str) -> None:
    """Of its entity, or of the one that its name begins with."""
    with log.collect() as said:
        result = skeleton_for(where(clip), 9, Interpretation())
    assert (result.address, len(result.layout)) == (where("Entity/kno/kno.skel"), 9)
    assert said.digest() == [f"skeleton {where('Entity/kno/kno.skel')}"]


def test_a_clip_whose_skeleton_does_not_fit_gets_a_chain(where: Where) -> None:
    with log.collect() as said:
        result = skeleton_for(where("Entity/kno/kno_walk.anim"), 120, Interpretation())
    assert (result.address, len(result.skel.bones), len(result.layout)) == ("", 39, 120)
    assert "120 channels, but the skeleton has 9" in said.digest()[0]
    assert "39 bones, as many as Konoko's (kno)" in said.digest()[1]
    with log.collect(), pytest.raises(FormatError, match="give its"):
        skeleton_for(where("Entity/kno/kno_walk.anim"), 7, Interpretation())


def test_the_skeleton_of_a_mesh(where: Where) -> None:
    skel, address = skeleton_of_mesh(where("Entity/kno/kno.mod"), 2)
    assert (len(skel.bones), address) == (2, where("Entity/kno/kno.skel"))
    with log.collect() as said:
        skel, address = skeleton_of_mesh(where("Entity/kno/kno.mod"), 5)
    assert (len(skel.bones), address, len(layout_of(skel))) == (5, "", 18)
    assert not skel.offsets.any()
    assert "needs one of 5 bones" in said.digest()[0]
    with pytest.raises(FormatError, match="more than there can be"):
        skeleton_of_mesh(where("Entity/kno/kno.mod"), 20_000)


def test_files_are_opened_where_they_are_told(where: Where) -> None:
    assert isinstance(open_at(where("Entity/kno/kno.skel"), formats.REGISTRY).document, Skel)
    if "#" in where("x"):
        assert [label for _, label in companions.contents(where("x").partition("#")[0])["characters"]] == ["kno"]


def test_a_skeleton_of_the_clips_own_name_comes_first(tmp_path: Path) -> None:
    for name, text in (("a.skel", CHANNELS_SKEL), ("walk.skel", TWO_BONES), ("walk.anim", "")):
        (tmp_path / name).write_text(text)
    with log.collect():
        assert skeleton_for(str(tmp_path / "walk.anim"), 9, Interpretation()).address == str(tmp_path / "walk.skel")
        assert skeleton_for(str(tmp_path / "walk.anim"), 19, Interpretation()).address == str(tmp_path / "a.skel")


@given(st.binary(max_size=60) | st.text('Anims{} \nabc_"package.#/').map(str.encode))
def test_any_bytes_give_a_list_or_an_error(data: bytes) -> None:
    for kind in (EntityType, Anims):
        with suppress(FormatError):
            document = kind.parse(data)
            assert document.pack() == data
            for name in ("skeleton", "models", "radius", "packages", "clips"):
                getattr(document, name, None)


def test_layouts_as_words() -> None:
    layout = layout_of(Skel.parse(CHANNELS_SKEL.encode()))
    assert layout.text.split()[10:13] == ["2.rotZ", "3.transZ", "3.rotY"]
    assert layout.with_text(layout.text) == layout
    for wrong in ("x.rotX", "1.rotQ", "1"):
        with pytest.raises(ValueError, match=r"."):
            layout.with_text(wrong)


@given(st.builds(Interpretation, st.sampled_from(["FILE", "BONE", "GROUPED"]), st.sampled_from(["REPLACE", "ADD"]),
                 st.sampled_from(["APPLY", "IGNORE"]), st.sampled_from(["-Z", "+Z"]), st.booleans()))  # fmt: skip
def test_readings_as_words(interpretation: Interpretation) -> None:
    assert Interpretation.parse(interpretation.text) == interpretation


@pytest.mark.parametrize("text", ["order=sideways", "size=1", "order", "beta=1", "alpha", "beta,facing=north"])
def test_what_is_no_interpretation(text: str) -> None:
    with pytest.raises(RetroAnimError, match="is no interpretation of Oni 2"):
        Interpretation.parse(text)


def test_lists_with_their_braces_elsewhere() -> None:
    """A block is one by its brace alone; after one without, further lists are still named."""
    listed = Anims.parse(b"anims package x.y\nAnims\n{\n walk WALK\n}\n")
    assert (listed.packages, listed.clips) == (("x.y",), (("walk", "WALK"),))
    assert Anims.parse(b"Anims").clips == ()


def test_the_most_detailed_mesh_comes_first_whatever_is_missing() -> None:
    entity = EntityType.parse(b"SKEL kno\nLodGroup {\n low kno_low 40\n med kno_med 20\n}\n")
    assert entity.models == ("kno_med.mod", "kno_low.mod")
    assert EntityType.parse(b"BOUND b\n").bound.startswith("b")


LISTED = 'package animpkg.loco\r\nAnims {\r\n\twalk WALK\r\n\t"run fast" RUN // keep\r\n\twalk STROLL\r\n\twave\r\n}\r\nend'


@pytest.mark.parametrize(
    ("wanted", "changed", "added"),
    [
        ({}, {}, []),
        ({"WALK": ["walk", "STROLL"]}, {}, []),
        ({"walk": ["STROLL"]}, {"\twalk WALK\r\n": ""}, []),
        ({"walk": ["WALK", "STROLL", "STEP"], "jump": ["JUMP", "HOP"]}, {}, ["\twalk STEP\r\n", "\tjump JUMP\r\n", "\tjump HOP\r\n"]),
        ({"wave": [], "walk": []}, {"\twalk WALK\r\n": "", "\twalk STROLL\r\n": ""}, []),
        ({"wave": ["WAVE"]}, {"\twave\r": "\twave WAVE\r"}, []),
        ({"run fast": ["SPRINT", "FLEE"]}, {"RUN // keep": "SPRINT // keep"}, ['\t"run fast" FLEE\r\n']),
        ({"walk": ["STROLL", "MARCH"]}, {"\twalk WALK": "\twalk MARCH"}, []),
        ({"bow": []}, {}, []),
    ],
)
def test_aliases_in_a_list_of_animations(wanted: dict[str, list[str]], changed: dict[str, str], added: list[str]) -> None:
    """Another alias stands where the old one was, new ones behind the last animation, and everything else stays."""
    expected = LISTED
    for old, new in changed.items():
        assert old in expected
        expected = expected.replace(old, new)
    assert Anims(LISTED).with_clips(wanted).text == expected.replace("}", "".join(added) + "}")


def test_a_list_on_one_line() -> None:
    listed = Anims("Anims { walk WALK }\n")
    assert listed.with_clips({"walk": ["STROLL"]}).text == "Anims { walk STROLL }\n"
    assert listed.with_clips({"walk": []}).clips == ()
    assert listed.with_clips({"jump": ["JUMP"]}).clips == (("walk", "WALK"), ("jump", "JUMP"))


@pytest.mark.parametrize(("before", "between"), [("", ""), ("package x.y\n", ""), ("package x.y", "\n")])
def test_a_list_without_animations_gets_a_block(before: str, between: str) -> None:
    listed = Anims(before).with_clips({"walk": ["WALK"]})
    assert listed.text == before + between + "Anims {\n\twalk WALK\n}\n"
    assert listed.clips == (("walk", "WALK"),)
    assert Anims(before).with_clips({}).text == before


def test_uses_with_what_a_text_means_something_else_by() -> None:
    listed = Anims("Anims {\n\twalk WALK\n}\n").with_clips({"walk": ["WALK#2"], "run": ["A{B", "C//D"]})
    assert listed.clips == (("walk", "WALK#2"), ("run", "A{B"), ("run", "C//D"))
    assert Anims.parse(listed.pack()).clips == listed.clips


def test_uses_that_no_text_can_hold() -> None:
    listed = Anims("Anims {\n\twalk WALK\n}\n")
    with pytest.raises(ExportError, match="quotation mark"):
        listed.with_clips({"walk": ['A"B']})
    with pytest.raises(ExportError, match="used for, has characters that the file cannot hold: 'Ж'"):
        listed.with_clips({"walk": ["Ж"]}).pack()
