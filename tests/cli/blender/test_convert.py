"""The command `convert`: from the game's files to Blender's and to others, and back."""

from __future__ import annotations

import json
import os
import shutil
import signal
from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import pytest
from support.lba import lba2_chain

Convert = Callable[..., tuple[int, list[str], list[str]]]
SAMPLES = Path(__file__).parents[3] / "samples"


@pytest.fixture
def archive(game_data: Path) -> Path:
    return game_data / "lba1" / "ANIM.HQR"


@pytest.fixture
def walk(archive: Path, part: Callable[[str], ModuleType]) -> bytes:
    """The bytes of an animation."""
    return part("core.formats").open_file(f"{archive}#1").data


def test_through_a_blend_and_back(convert: Convert, archive: Path, walk: bytes, tmp_path: Path) -> None:
    blend, anm = tmp_path / "walk.blend", tmp_path / "walk.anm"
    assert convert(f"{archive}#1", "-o", blend)[:2] == (0, [str(blend)])
    assert convert(blend, "-o", anm)[:2] == (0, [str(anm)])
    assert anm.read_bytes() == walk


def test_several_clips_are_named_after_them(convert: Convert, archive: Path, tmp_path: Path) -> None:
    code, written, _ = convert(f"{archive}#1", f"{archive}#2", "-o", tmp_path / "some.anm")
    assert code == 0
    assert sorted(written) == sorted(map(str, tmp_path.iterdir()))
    assert len(written) == 2


@pytest.mark.thorough
def test_all_of_an_archive_into_a_copy(convert: Convert, archive: Path, tmp_path: Path) -> None:
    code, written, _ = convert(archive, "-o", tmp_path / "copy.hqr")
    assert (code, len(written)) == (0, 70)
    assert (tmp_path / "copy.hqr").read_bytes() == archive.read_bytes()
    assert not (tmp_path / "copy.hqr.bak").exists()


@pytest.mark.parametrize("there", [False, True], ids=["new", "there already"])
def test_stopped_between_two_clips_the_archive_is_the_old_one(
    convert: Convert, part: Callable[[str], ModuleType], tmp_path: Path, monkeypatch: pytest.MonkeyPatch, there: bool
) -> None:
    """By Ctrl-C: not one with the clips so far, which looks like a whole one."""
    archive, out = tmp_path / "from.hqr", tmp_path / "out.hqr"
    shutil.copyfile(SAMPLES / "lba1" / "ANIM.HQR", archive)
    if there:
        shutil.copyfile(archive, out)
    scenes, opened = part("cli.scenes"), list[str]()
    known = scenes.import_ours

    def interrupted(paths: list[str], values: object) -> None:
        opened.extend(paths)
        if len(opened) == 3:
            assert out.exists()
            os.kill(os.getpid(), signal.SIGINT)
        known(paths, values)

    monkeypatch.setattr(scenes, "import_ours", interrupted)
    before = signal.signal(signal.SIGINT, signal.default_int_handler)  # which a job in the background has not
    try:
        ended = convert(*(SAMPLES / "lba1" / f"{name}.anm" for name in ("walk", "turn", "wave", "idle")), "-o", out)
    finally:
        signal.signal(signal.SIGINT, before)
    assert ended == (130, [], ["stopped"])
    assert sorted(path.name for path in tmp_path.iterdir()) == ["from.hqr", *["out.hqr"] * there]
    assert not there or out.read_bytes() == archive.read_bytes()


@pytest.mark.parametrize("bones", [1, 2, 3, 4])
def test_a_character_of_few_bones_as_fbx(convert: Convert, tmp_path: Path, bones: int) -> None:
    """Blender's exporter takes a property of three numbers for a vector."""
    frames = [(10, (0, 0, 0), [(0, 0, 0, 0)] * bones), (10, (0, 0, 0), [(0, 0, 100, 0)] * bones)]
    (tmp_path / "few.anm").write_bytes(lba2_chain.anm(frames))
    code, written, errors = convert(tmp_path / "few.anm", "-o", tmp_path / "few.fbx")
    assert (code, written, [line for line in errors if "Blender says" in line]) == (0, [str(tmp_path / "few.fbx")], [])


@pytest.mark.parametrize("kind", [".glb", ".gltf", ".fbx", ".bvh"])
def test_to_and_from_what_blender_knows(convert: Convert, archive: Path, tmp_path: Path, kind: str) -> None:
    out = tmp_path / f"walk{kind}"
    assert convert(f"{archive}#1", "-o", out)[0] == 0
    assert out.stat().st_size > 1000
    assert convert(out, "-o", tmp_path / "back.blend")[0] == 0


@pytest.mark.thorough
def test_several_characters_keep_all_their_clips(convert: Convert, game_data: Path, archive: Path, tmp_path: Path) -> None:
    two = [f"{game_data / 'lba1' / 'FILE3D.HQR'}#{entity}" for entity in (5, 10)]
    assert convert(*two, "-o", tmp_path / "two.glb")[0] == 0
    data = (tmp_path / "two.glb").read_bytes()
    document = json.loads(data[20 : 20 + int.from_bytes(data[12:16], "little")])
    names = [animation["name"] for animation in document["animations"]]
    assert (sum(not name.endswith("_intro") for name in names), len(document["skins"])) == (12, 2)
    assert convert(*two, "-o", tmp_path / "two.blend")[0] == 0
    code, written, _ = convert(tmp_path / "two.blend", "-o", tmp_path / "copy.hqr")
    assert (code, len(written)) == (0, 12)
    assert (tmp_path / "copy.hqr").read_bytes() == archive.read_bytes()


def test_bad_files(convert: Convert, archive: Path, tmp_path: Path) -> None:
    for name in ("bad.anm", "bad.glb", "bad.blend", "bad.fbx", "none.bvh"):
        if name != "none.bvh":
            (tmp_path / name).write_bytes(b"not what it says")
        code, written, errors = convert(tmp_path / name, "-o", tmp_path / "out.blend")
        assert (code, written, len(errors)) == (1, [], 1), name
        assert errors[0].startswith(str(tmp_path / name))
    assert not (tmp_path / "out.blend").exists()
    assert convert(f"{archive}#0", "-o", tmp_path / "no such folder" / "out.blend")[0] == 1


def test_files_that_nobody_named_are_not_replaced(convert: Convert, chain: Path, tmp_path: Path) -> None:
    """Two clips of one name, also where only the letter case differs, and files that are there already."""
    other = tmp_path / "other"
    shutil.copytree(chain, other)
    (other / "chain.anm").rename(other / "CHAIN.anm")
    out = tmp_path / "out"
    out.mkdir()
    code, lines, problems = convert(chain / "chain.anm", other / "CHAIN.anm", "-o", out / "x.bvh")
    assert (code, lines) == (1, [str(out / "chain.bvh")])
    assert sum("chain.bvh is the loop alone, without the 15 frames before it" in line for line in problems) == 1
    assert len(problems) >= 1 and "a second animation or character would be written there" in problems[-1]
    (out / "chain.bvh").write_text("mine")
    (chain / "second.anm").write_bytes((chain / "chain.anm").read_bytes())
    sources = (chain / "chain.anm", chain / "second.anm", "-o", out / "x.bvh")
    code, lines, problems = convert(*sources)
    assert (code, lines) == (1, [str(out / "second.bvh")])
    assert "is there already, and was not named" in problems[-1] and (out / "chain.bvh").read_text() == "mine"
    code, lines, _ = convert(*sources, "--overwrite")
    assert (code, len(lines)) == (0, 2) and (out / "chain.bvh").read_text() != "mine"


def test_what_a_gltf_has_beside_it(convert: Convert, tmp_path: Path) -> None:
    """Its pictures are in a folder of its own; a file that it does not know is never replaced."""
    source = SAMPLES / "mindpower/animation/0001.lab"
    (tmp_path / "one.bin").write_text("mine")
    code, _, problems = convert(source, "-o", tmp_path / "one.gltf")
    assert code == 1 and "one.bin: is there already" in problems[-1]
    assert [path.name for path in tmp_path.iterdir()] == ["one.bin"] and (tmp_path / "one.bin").read_text() == "mine"
    for _ in range(2):
        code, _, problems = convert(source, "-o", tmp_path / "two.gltf")
        assert code == 0, problems
    document = json.loads((tmp_path / "two.gltf").read_text())
    assert [Path(image["uri"]).parent.name for image in document["images"]] == ["two_textures"]
    assert all((tmp_path / part["uri"]).is_file() for part in (*document["images"], *document["buffers"]))
    assert convert(tmp_path / "two.gltf", "-o", tmp_path / "back.blend")[0] == 0


def vr33(folder: Path) -> Path:
    """A file that its header already rules out: an instance file of OniX, by the version at offset 8."""
    path = folder / "TRAMonix.oni"
    data = bytearray((SAMPLES / "oni" / "TRAMmannequin_walk.oni").read_bytes())
    data[8:12] = b"33RV"
    path.write_bytes(data)
    return path


@pytest.mark.parametrize("target", ["out.glb", "out.blend", "out.bvh", "out/"])
def test_files_that_cannot_be_opened_do_not_harm_the_others(convert: Convert, tmp_path: Path, target: str) -> None:
    """One that is not there, one in a folder that is not there, one that cannot be opened at all, and Blender's own kind."""
    bad = (tmp_path / "none.anm", tmp_path / "none" / "none.anm", vr33(tmp_path), tmp_path / "none.glb")
    code, written, said = convert(bad[0], SAMPLES / "lba1" / "turn.anm", *bad[1:], "-o", f"{tmp_path}/{target}", "--jobs", 1)
    assert code == 1 and len(written) == 1 and Path(written[0]).stat().st_size > 1000, said
    for path in bad:
        assert any(str(path.parent if path.parent.name == "none" else path) in line for line in said), (path, said)
    code, written, said = convert(*bad, "-o", f"{tmp_path}/again{target}")
    assert (code, written) == (1, [])
    for path in bad:
        assert any(line.startswith(str(path.parent if path.parent.name == "none" else path)) for line in said), (path, said)


def test_a_folder_with_a_file_that_cannot_be_opened(convert: Convert, tmp_path: Path) -> None:
    folder = tmp_path / "oni"
    shutil.copytree(SAMPLES / "oni", folder)
    bad = vr33(folder)
    code, written, said = convert(folder, "-o", f"{tmp_path / 'out'}/", "--jobs", 1)
    assert code == 1 and {Path(path).name for path in written} == {"mannequin.glb", "mannequin_camera.glb"}
    assert any(str(bad) in line and "VR33" in line for line in said)
    assert said[-1] == "1 converted, 0 up to date, 1 failed"
    (folder / "TRAMcut.oni").write_bytes((folder / "TRAMmannequin_walk.oni").read_bytes()[:90])
    code, written, said = convert(folder, "-o", f"{tmp_path / 'part'}/", "--jobs", 1)
    assert code == 1 and len(written) == 2 and said[-1] == "0 converted, 0 up to date, 1 failed, 1 written in part"
