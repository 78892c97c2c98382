"""Oni's files on the command line: what is reported of them, and that they come back byte for byte."""

from __future__ import annotations

import shutil
from collections import Counter
from collections.abc import Callable
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from retro_anim.core.oni.body.body_file import body_file
from retro_anim.core.oni.body.mannequin import mannequin
from retro_anim.core.oni.files.documents import TramFile
from retro_anim.core.oni.files.onifile import OniFile, Part
from retro_anim.core.oni.records import oban
from retro_anim.core.oni.records.tram import Tram
from retro_anim.core.oni.xml.documents import TramXml

from .conftest import Ran

Run = Callable[..., Ran]

LEVEL = "oni/level/level1_Final.dat"


def test_everything_given_is_identical(run: Run, game_file: Callable[[str], Path]) -> None:
    """Six .oni, five XMLs, and the 37 instances of the level; the .raw belongs to it."""
    ran = run("verify", game_file("oni"), "--json")
    assert (ran.code, ran.err) == (0, "")
    assert ran.json == {"files": 12, "entries": 48, "identical": 48, "skipped": 0, "different": [], "failed": []}


def test_a_level_by_types(run: Run, game_file: Callable[[str], Path]) -> None:
    path = game_file(LEVEL)
    (reported,) = run("info", path, "--json").json["files"]
    assert (reported["format"], reported["entries"], reported["blank"]) == ("VR31", 37, 0)
    assert reported["types"]["TRAM"] == 6
    assert Counter(entry["type"] for entry in reported["contents"]) == reported["types"]
    types = [entry["type"] for entry in reported["contents"]]
    assert types == sorted(types)
    named = {entry["path"]: entry for entry in reported["contents"]}
    assert named[f"{path}#TRAMTESTlong"]["frames"] == 300
    assert named[f"{path}#OBANBlackvan_FB_wiki"]["keys"] == 2


def test_an_animation(run: Run, game_file: Callable[[str], Path]) -> None:
    reported: list[dict[str, object]] = []
    for name in ("oni/instances/TRAMTESTrandom.oni", "oni/xml/TRAMTESTrandom.xml"):
        (facts,) = run("info", game_file(name), "--json").json["files"]
        reported.append({key: value for key, value in facts.items() if key not in ("path", "format", "label", "size")})
    assert reported[0] == reported[1], "the same from both"
    assert {
        key: reported[0][key]
        for key in ("name", "bones", "frames", "keys", "duration", "compression", "animation_type", "attacks", "links")
    } == {
        "name": "TRAMTESTrandom",
        "bones": 19,
        "frames": 60,
        "keys": 238,
        "duration": 0.983333,
        "compression": 6,
        "animation_type": "Walk",
        "attacks": 1,
        "links": ["TRAMSHINZOMidle1_wiki"],
    }


@pytest.mark.parametrize("entry", ["TRAMTESTone", "tramtesto?e", "*TESTone"])
def test_one_entry(run: Run, game_file: Callable[[str], Path], entry: str) -> None:
    ran = run("verify", f"{game_file(LEVEL)}#{entry}", "--json")
    assert (ran.code, ran.json["entries"], ran.json["identical"]) == (0, 1, 1)


def test_a_level_without_its_raw_data(run: Run, game_file: Callable[[str], Path], tmp_path: Path) -> None:
    shutil.copy(game_file(LEVEL), tmp_path)
    ran = run("verify", tmp_path, "--json")
    assert ran.code == 1
    assert ran.json["identical"] == 31
    assert {failed["error"].split(": ")[-1] for failed in ran.json["failed"]} == {"raw data file missing"}
    assert len(ran.json["failed"]) == 6
    (line,) = ran.errors
    assert "6 entries with the same fault" in line


def test_classes_and_textures_are_left_alone(run: Run, game_file: Callable[[str], Path], tmp_path: Path) -> None:
    """What OniSplit exports besides animations and bodies is no failure; taken out of its file it is that file."""
    shutil.copy(game_file("oni/instances/TRAMTESTlong.oni"), tmp_path)
    parts = [
        Part("ONCC", "ONCCours", body=bytes(0xD00), links={0xC34: 1}),
        Part("TRBS", "TRBSours", flags=2),
        Part("CBPM", body=b"x", flags=1),
    ]
    data = OniFile.build(parts).pack()
    (tmp_path / "ONCCours.oni").write_bytes(data)
    ran = run("verify", "--game-ready", tmp_path, "--json")
    assert (ran.code, ran.json["files"], ran.json["identical"], ran.json["skipped"], ran.json["looked"]) == (0, 2, 1, 3, 1)
    assert run("archive", "extract", tmp_path / "ONCCours.oni", "0", "-o", tmp_path / "out.oni").code == 0
    assert (tmp_path / "out.oni").read_bytes() == data


def test_a_name_without_the_level(run: Run, game_file: Callable[[str], Path]) -> None:
    ran = run("info", f"{game_file(LEVEL)}#TRAMnowhere")
    there = "TRAMTESTq2e; TRAMTESTone; TRAMTESToverlay; TRAMTESTlong; TRAMTESTrandom and 3 more"
    assert (ran.code, ran.errors) == (1, [f"{game_file(LEVEL)}: no entry is called TRAMnowhere: there are {there}"])


@pytest.mark.parametrize("field", ["base", "keys"])
def test_a_pose_of_values_that_are_no_numbers(run: Run, tmp_path: Path, field: str) -> None:
    """JSON has none of them."""
    values: dict[str, Any] = {"base": np.full((4, 3), np.inf, "<f4"), "keys": np.zeros(1, oban.KEY)}
    values["keys"]["rotation"][:, 3], values["keys"]["translation"] = -1, np.nan
    record = replace(oban.Oban.new("OBANa"), **{field: values[field]}).record()
    path = tmp_path / "OBANa.oni"
    path.write_bytes(OniFile.of(record).pack())
    ran = run("pose", path, "--frame", "0", "--json")
    assert (ran.code, ran.out, ran.errors) == (1, "", [f"{path}: its pose has values that are not finite"])


def test_bodies_and_what_is_no_animation(run: Run, tmp_path: Path) -> None:
    (tmp_path / "TRBSours.oni").write_bytes(body_file(mannequin(), "TRBSours").pack())
    (tmp_path / "ONCCours.xml").write_text("<Oni><ONCC id='0'/></Oni>")
    (tmp_path / "TRAMbroken.oni").write_bytes(TramFile.new(Tram.new("TRAMbroken", 4)).pack()[:-8])
    ran = run("verify", tmp_path, "--json")
    assert (ran.json["files"], ran.json["identical"]) == (2, 1), "an XML of another kind is left alone"
    assert ran.json["failed"][0]["path"] == str(tmp_path / "TRAMbroken.oni")
    (reported,) = run("info", tmp_path / "TRBSours.oni", "--json").json["files"]
    assert reported["types"] == {
        "IDXA": 38,
        "M3GM": 19,
        "PNTA": 19,
        "TRBS": 1,
        "TRCM": 1,
        "TRGA": 1,
        "TRIA": 1,
        "TRTA": 1,
        "TXCA": 19,
        "VCRA": 38,
    }


def test_xml_that_is_wrong(run: Run, tmp_path: Path) -> None:
    path = tmp_path / "TRAMours.xml"
    data = TramXml.new(replace(Tram.new("TRAMours", 2), heights=np.ones(2, "<f4"))).pack()
    path.write_bytes(data.replace(b"<Type>None<", b"<Type>Nothing<"))
    ran = run("info", path)
    assert ran.code == 1
    assert ran.errors[0].startswith(f"{path}: line 5: Nothing is no animation type; did you mean Anything?")
    path.write_bytes(data)
    (reported,) = run("info", path, "--json").json["files"]
    assert (reported["name"], reported["format"], reported["frames"]) == ("TRAMours", "TRAM XML", 2)


@pytest.mark.parametrize("name", ["level1_Final.dat", "LEVEL1.RAW"])
def test_a_level_is_never_written(run: Run, tmp_path: Path, name: str) -> None:
    ran = run("convert", "TRAMours.oni", "-o", tmp_path / name)
    assert (ran.code, ran.out) == (2, "")
    assert "level files are not written: export a .oni, and import it into the level with OniSplit" in ran.err
    assert not any(tmp_path.iterdir())


def test_what_the_game_cannot_use(run: Run, tmp_path: Path) -> None:
    """Of a file alone; with its level, whose animation is never looked for in vain."""
    path = tmp_path / "TRAMours.oni"
    path.write_bytes(TramFile.new(replace(Tram.new("TRAMours", 2), direct=("TRAMother", ""))).pack())
    ran = run("verify", path, "--game-ready", "--json")
    assert ran.code == 1
    assert (ran.json["looked"], ran.json["identical"]) == (1, 1)
    assert [item["problem"].partition(",")[0] for item in ran.json["unready"]] == [
        "type",
        f"its direct animation TRAMother is in no file around {path}",
    ]
    assert "1 looked at for the game: 0 ready, 1 not" in run("verify", path, "--game-ready").out
    path = tmp_path / "TRAMready.oni"
    path.write_bytes(TramFile.new(replace(Tram.new("TRAMready", 2), type=2, from_state=7, to_state=7)).pack())
    assert run("verify", path, "--game-ready").code == 0
    assert "looked" not in run("verify", path, "--json").json
