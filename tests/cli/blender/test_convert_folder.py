"""`convert` into a folder: a file for each character, with all its clips as engines want them."""

from __future__ import annotations

import json
import os
import shutil
import subprocess
from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import numpy as np
import pytest

Convert = Callable[..., tuple[int, list[str], list[str]]]
Part = Callable[[str], ModuleType]
SAMPLES = Path(__file__).parents[3] / "samples"
VALIDATOR = Path(__file__).parents[2] / "support" / "gltf"


class Glb:
    """A .glb, read by itself."""

    def __init__(self, path: Path) -> None:
        data = path.read_bytes()
        size = int.from_bytes(data[12:16], "little")
        self.document: Any = json.loads(data[20 : 20 + size])
        self.binary = data[28 + size :]

    def numbers(self, index: int) -> Any:
        accessor = self.document["accessors"][index]
        view = self.document["bufferViews"][accessor["bufferView"]]
        width = {"SCALAR": 1, "VEC3": 3, "VEC4": 4}[accessor["type"]]
        start = view.get("byteOffset", 0) + accessor.get("byteOffset", 0)
        return np.frombuffer(self.binary, "<f4", width * accessor["count"], start).reshape(-1, width)

    def clips(self) -> dict[str, dict[tuple[str, str], tuple[Any, Any]]]:
        """By name, and by node and property: times and values."""
        result: dict[str, dict[tuple[str, str], tuple[Any, Any]]] = {}
        for animation in self.document["animations"]:
            channels = result[animation["name"]] = {}
            for channel in animation["channels"]:
                sampler, target = animation["samplers"][channel["sampler"]], channel["target"]
                node = self.document["nodes"][target["node"]]["name"]
                channels[node, target["path"]] = self.numbers(sampler["input"])[:, 0], self.numbers(sampler["output"])
        return result


@pytest.fixture
def game(anims: Path) -> Path:
    return anims.parent


ENTITIES = (5, 10, 20)
PEOPLE = ("Nurse, clipboard", "Garbage truck", "Tank")
"""Who they are."""


@pytest.fixture
def small(game: Path, part: Part) -> Path:
    """The game with three of its entities, and those of their clips alone that they stand and walk with."""
    hqr = part("core.lba.files.archive.hqr").Hqr
    kept: set[int] = set()
    for number in ENTITIES:
        clips = part("core.formats").open_file(f"{game / 'FILE3D.HQR'}#{number}").document.animations
        kept |= {index for index, roles in clips.items() if set(roles) & {0, 1}} or {*list(clips)[:1]}
    for name, chosen in (("ANIM", kept), ("FILE3D", {*ENTITIES})):
        archive = hqr.parse((game / f"{name}.HQR").read_bytes())
        for index in [index for index in range(len(archive)) if index not in chosen and not archive.blank(index)]:
            archive = archive.blanked(index)
        (game / f"{name}.HQR").write_bytes(archive.pack())
    return game


@pytest.mark.thorough
def test_a_whole_folder(convert: Convert, small: Path, tmp_path: Path) -> None:
    out = tmp_path / "out"
    code, written, said = convert(small, "-o", f"{out}/", "--jobs", 2)
    assert code == 0, said
    assert sorted(written) == sorted(str(out / f"{name}.glb") for name in PEOPLE)
    assert "3 converted, 0 up to date, 0 failed" in said[-1]
    assert sum("left" in line for line in said) == 3
    clips = Glb(out / "Nurse, clipboard.glb").clips()
    assert {"stand", "walk", "walk_intro"} <= set(clips)
    assert all(name.replace("_", "").replace("-", "").isalnum() for name in clips)
    before = {path: path.stat().st_mtime_ns for path in out.glob("*.glb")}
    code, written, said = convert(small, "-o", out)
    assert (code, written) == (0, []) and "3 of 3 are up to date" in said[0]
    assert {path: path.stat().st_mtime_ns for path in out.glob("*.glb")} == before
    (out / "Nurse, clipboard.glb").unlink()
    assert convert(small, "-o", out)[1] == [str(out / "Nurse, clipboard.glb")]
    os.utime(small / "BODY.HQR")
    assert len(convert(small, "-o", out, "--jobs", 1)[1]) == 3


def test_clips_of_no_character_are_converted_too(convert: Convert, game: Path, part: Part, tmp_path: Path) -> None:
    entities = part("core.formats").open_file(game / "FILE3D.HQR").document
    file3d = part("core.lba.files.file3d")
    present = [index for index in range(len(entities)) if not entities.blank(index)]
    used = {clip for index in present for clip in file3d.Entity.parse(entities.read(index)).animations}
    archive = part("core.lba.files.archive.hqr").Hqr.parse((game / "ANIM.HQR").read_bytes())
    unused = [index for index in range(len(archive)) if not archive.blank(index) and index not in used]
    assert unused
    (task,) = (task for task in part("cli.batch.tasks").tasks_of([str(game)]) if task.folder == "clips of no character")
    assert task.values == {"entries": ",".join(map(str, unused))}
    for index in [index for index in range(len(archive)) if index != unused[0] and not archive.blank(index)]:
        archive = archive.blanked(index)
    (game / "ANIM.HQR").write_bytes(archive.pack())
    for index in present[1:]:
        entities = entities.blanked(index)
    (game / "FILE3D.HQR").write_bytes(entities.pack())
    out = tmp_path / "out"
    written = convert(game / "ANIM.HQR", "-o", f"{out}/", "--jobs", 1)[1]
    assert str(out / "clips of no character" / "ANIM.glb") in written
    assert Glb(out / "clips of no character" / "ANIM.glb").clips()


@pytest.mark.thorough
def test_clips_start_at_zero_and_loops_close(convert: Convert, game: Path, tmp_path: Path, part: Part) -> None:
    """The walk of entity 5: its keyframes up to the loop's are the intro, the rest is the loop, by the game's own numbers."""
    assert convert(f"{game / 'FILE3D.HQR'}#5", "-o", f"{tmp_path}/", "--godot")[0] == 0
    clips = Glb(tmp_path / "FILE3D 5.glb").clips()
    entity = part("core.formats").open_file(f"{game / 'FILE3D.HQR'}#5").document
    walk = next(index for index, roles in entity.animations.items() if roles == [1])
    anm = part("core.formats").open_file(f"{game / 'ANIM.HQR'}#{walk}").document
    starts = np.concatenate([[0], np.cumsum(np.asarray(anm.durations, float)[1:])]) / 50
    loop = float(starts[anm.loop_frame])
    assert loop > 0
    lengths = {name: max(times[-1] for times, _ in channels.values()) for name, channels in clips.items()}
    closing = float(anm.durations[anm.loop_frame]) / 50
    assert lengths["walk_intro"] == pytest.approx(loop, abs=1e-4)
    assert lengths["walk-loop"] == pytest.approx(starts[-1] + closing - loop, abs=1e-4)
    for channels in clips.values():
        assert min(times[0] for times, _ in channels.values()) == 0
    for (node, path), (_, values) in clips["walk-loop"].items():
        if node.startswith("group"):
            apart = min(np.abs(values[0] - values[-1]).max(), np.abs(values[0] + values[-1]).max() if path == "rotation" else 9)
            assert apart < 1e-4, (node, path)


def test_a_folder_of_many_files_is_looked_through_once(part: Part, monkeypatch: pytest.MonkeyPatch) -> None:
    """Each of them may depend on those beside it: of a thousand files that were a million."""
    characters, looked = part("cli.batch.tasks"), list[str]()
    honest = characters._stamp
    monkeypatch.setattr(characters, "_stamp", lambda folder, **how: looked.append(folder) or honest(folder, **how))
    files = [str(SAMPLES / "lba1" / name) for name in ("walk.anm", "turn.anm")]
    tasks = characters.tasks_of([*files, str(SAMPLES / "oni")])
    assert looked == [str(SAMPLES / "lba1"), str(SAMPLES / "oni")]
    assert len({task.stamp for task in tasks}) == 2 and tasks[0].stamp == characters.tasks_of(files[:1])[0].stamp


@pytest.mark.thorough
def test_what_fails_is_told_and_does_not_harm_the_others(convert: Convert, small: Path, tmp_path: Path) -> None:
    loose = tmp_path / "loose"
    loose.mkdir()
    shutil.copy(small / "FILE3D.HQR", loose / "FILE3D.HQR")
    code, written, said = convert(small, loose, "-o", f"{tmp_path / 'out'}/", "--jobs", 1)
    assert code == 1 and len(written) == 3 and "3 converted, 0 up to date, 3 failed" in said[-1]
    assert sum("BODY.HQR" in line for line in said) == 3
    assert convert(tmp_path / "nothing", "-o", f"{tmp_path / 'out'}/")[0] == 1
    assert convert(loose, "-o", tmp_path / "none" / "deep", "--jobs", 1)[:2] == (1, [])
    assert not (tmp_path / "none").exists(), "a folder of its own that stays empty"


def test_nothing_is_overwritten_that_this_folder_does_not_know(convert: Convert, tmp_path: Path) -> None:
    """Sources of one name have folders of their own, also where only the letter case differs; files of somebody else stay."""
    sources = [tmp_path / folder / name for folder, name in (("a", "turn.anm"), ("b", "turn.anm"), ("c", "Turn.anm"))]
    for source in sources:
        source.parent.mkdir()
        shutil.copy(SAMPLES / "lba1/turn.anm", source)
    out = tmp_path / "out"
    given = (*sources, "-o", f"{out}/", "--to", "blend", "--jobs", 1)
    code, written, said = convert(*given)
    assert (code, len(set(written))) == (0, 3), said
    assert sorted(path.name for path in out.iterdir() if path.is_dir()) == ["Turn.002", "turn", "turn.001"]
    record = out / ".retro-anim.json"
    os.utime(sources[0])
    assert convert(*given)[0] == 0
    record.unlink()
    for path in written[1:]:
        Path(path).unlink()
    Path(written[0]).write_text("mine")
    code, again, said = convert(*given)
    assert (code, again) == (1, written[1:]) and Path(written[0]).read_text() == "mine"
    assert any("is there already" in line for line in said)
    (out / ".retro-anim.begun").write_text(f"{Path(written[0]).relative_to(out)}\n")
    code, again, _ = convert(*given)
    assert (code, again) == (0, written[:1]), "a run that was ended had begun to write it"
    assert not (out / ".retro-anim.begun").exists()
    (out / ".retro-anim.json").unlink()
    code, again, _ = convert(*given, "--overwrite")
    assert (code, set(again)) == (0, set(written)) and Path(written[0]).read_bytes() != b"mine"


def test_a_list_that_nests_without_an_end_is_not_ours(convert: Convert, tmp_path: Path) -> None:
    (tmp_path / "out").mkdir()
    (tmp_path / "out" / ".retro-anim.json").write_text("[" * 100_000)
    given = (SAMPLES / "lba1/turn.anm", "-o", f"{tmp_path / 'out'}/", "--to", "blend", "--jobs", 1)
    assert convert(*given)[:2] == (0, [str(tmp_path / "out" / "mannequin.blend")])
    code, written, said = convert(*given)
    assert (code, written) == (0, []) and "1 of 1 are up to date" in said


def test_an_output_folder_that_is_a_file(convert: Convert, tmp_path: Path) -> None:
    (tmp_path / "out").write_text("mine")
    code, _, said = convert(SAMPLES / "lba1/turn.anm", "-o", f"{tmp_path / 'out'}/", "--to", "glb", "--jobs", 1)
    assert code == 1 and said[-1].startswith(f"{tmp_path / 'out'}: is no folder, so nothing can be written into it: choose another name")
    assert (tmp_path / "out").read_text() == "mine"


def test_entities_of_blank_entries_are_empty(convert: Convert, small: Path, part: Part, tmp_path: Path) -> None:
    """Entity 5 has neither body nor clips; of entity 10 one clip is blank; entity 20 has clips alone, and its name all the same."""
    hqr = part("core.lba.files.archive.hqr").Hqr
    entity, other = (part("core.formats").open_file(f"{small / 'FILE3D.HQR'}#{number}").document for number in (5, 10))
    kept = set(other.animations) - {list(other.animations)[-1]}
    tank = part("core.formats").open_file(f"{small / 'FILE3D.HQR'}#20").document
    for name, gone in (("BODY", {*entity.bodies, *tank.bodies}), ("ANIM", set(entity.animations) | set(other.animations) - kept)):
        archive = hqr.parse((small / f"{name}.HQR").read_bytes())
        for index in gone:
            archive = archive.blanked(index)
        (small / f"{name}.HQR").write_bytes(archive.pack())
    code, written, said = convert(small, "-o", tmp_path / "out", "--jobs", 1)
    assert code == 0, said
    assert len(written) == 2 and str(tmp_path / "out" / "Tank.glb") in written
    assert "2 converted, 0 up to date, 0 failed, 1 empty" in said[-1]


def test_everything_in_a_folder_has_a_file_of_its_own(
    convert: Convert, game_data: Path, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    """An object, a body that is used once although it lies there, too, and a body that nothing moves."""
    folder = tmp_path / "oni"
    folder.mkdir()
    for name in ("TRBSTESTbody", "TRAMTESToverlay", "OBANBlackvan_FB_wiki"):
        shutil.copyfile(game_data / "oni" / "instances" / f"{name}.oni", folder / f"{name}.oni")
    monkeypatch.chdir(tmp_path)
    assert convert("oni", "-o", "out", "--jobs", 1)[0] == 0
    assert sorted(path.name for path in Path("out").glob("*.glb")) == ["Blackvan_FB_wiki.glb", "TESTbody.glb"]
    body, van = Glb(Path("out/TESTbody.glb")), Glb(Path("out/Blackvan_FB_wiki.glb"))
    assert (len(body.document["skins"]), set(body.clips()), set(van.clips())) == (1, {"TRAMTESToverlay"}, {"OBANBlackvan_FB_wiki"})
    code, clips, _ = convert("oni", "-o", "clips", "--to", "bvh", "--jobs", 1)
    assert (code, [Path(path).name for path in clips]) == (0, ["TRAMTESToverlay.bvh"])
    (folder / "TRAMTESToverlay.oni").unlink()
    assert convert("oni", "-o", "still", "--jobs", 1)[0] == 0
    assert len(list(Path("still").glob("*.glb"))) == 2
    code, _, said = convert("oni", "-o", "none", "--to", "bvh", "--jobs", 1)
    assert code == 1 and any("no clip of an armature in it" in line for line in said)


@pytest.mark.thorough
def test_a_client(convert: Convert, game_data: Path, tmp_path: Path) -> None:
    """A character for each row of its list, with helper bones."""
    client = tmp_path / "client"
    shutil.copytree(game_data / "mindpower", client, copy_function=shutil.copyfile)
    for lab in (client / "animation").glob("*.lab"):
        if lab.stem not in ("0088", "0010"):
            lab.unlink()
    code, written, said = convert(client, "-o", f"{tmp_path / 'out'}/", "--jobs", 1)
    assert code == 0, said
    assert all(Path(path).stem[:4] in ("0088", "0010") for path in written) and len(written) >= 2
    glb = Glb(Path(next(path for path in written if "0088" in path)))
    assert any("shear" in node["name"] for node in glb.document["nodes"])


@pytest.mark.parametrize("jobs", [1, 2])
def test_what_goes_partly_wrong_is_told_once_for_all(convert: Convert, tmp_path: Path, jobs: int) -> None:
    """Two characters without the picture of their mesh."""
    for name in ("one", "two"):
        shutil.copytree(SAMPLES / "mindpower", tmp_path / "in" / name, copy_function=shutil.copyfile)
        (tmp_path / "in" / name / "texture" / "character" / "0001000000.bmp").unlink()
    code, written, said = convert(tmp_path / "in", "-o", f"{tmp_path / 'out'}/", "--jobs", jobs)
    assert code == 0 and len(written) == 2
    assert len([line for line in said if "texture 0001000000.bmp is not found: shown without" in line]) == 1, said


@pytest.mark.thorough
@pytest.mark.parametrize("animation", ["animation", "Animation", "ANIMATION"])
def test_a_clients_folders_in_any_letter_case(convert: Convert, tmp_path: Path, animation: str) -> None:
    """Each character of its list once, and none of its files besides."""
    client = tmp_path / "client"
    shutil.copytree(SAMPLES / "mindpower", client, copy_function=shutil.copyfile)
    (client / "animation").rename(client / animation)
    code, written, said = convert(client, "-o", f"{tmp_path / 'out'}/", "--jobs", 1)
    assert (code, [Path(path).name for path in written]) == (0, ["0001 Mannequin.glb"]), said


def test_no_errors_for_the_validator(convert: Convert, game: Path, game_data: Path, tmp_path: Path) -> None:
    node = shutil.which("node")
    if node is None or not (VALIDATOR / "node_modules").is_dir():
        pytest.skip("no glTF validator: install node, then `npm install --prefix tests/support/gltf`")
    level = next((game_data / "oni" / "level").glob("*.dat"))
    sources = (f"{game / 'FILE3D.HQR'}#5", game_data / "mindpower" / "animation" / "0088.lab", level)
    code, written, said = convert(*sources, "-o", f"{tmp_path / 'out'}/", "--jobs", 1)
    assert code == 0, said
    ran = subprocess.run([node, "errors.js", *written], cwd=VALIDATOR, capture_output=True, text=True, check=True, timeout=300)
    assert json.loads(ran.stdout) == []


@pytest.mark.parametrize("root_motion", ["OBJECT", "BONE"])
def test_bvh_stands_upright_and_goes_where_the_character_goes(
    convert: Convert, fetch: Any, game: Path, tmp_path: Path, root_motion: str
) -> None:
    """Read again by Blender's own importer, which expects Y up, every joint is where the scene shows it."""
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    obj = fetch(game / "FILE3D.HQR", game="lba1", entries="5", fps_mode="SET", root_motion=root_motion).armatures[0]
    action = next(action for action in bpy.data.actions if action.name.endswith("walk"))
    obj.animation_data.action = action
    blend, out = tmp_path / "walk.blend", tmp_path / "walk.bvh"
    for other in [other for other in bpy.data.actions if other != action]:
        bpy.data.actions.remove(other)
    frames = range(int(action.frame_start), int(action.frame_end) + 1, 7)
    names = [bone.name for bone in obj.data.bones]

    def shown(armature: Any, first: int) -> Any:
        result: list[Any] = []
        for frame in frames:
            bpy.context.scene.frame_set(frame - first)
            posed = armature.evaluated_get(bpy.context.evaluated_depsgraph_get())
            result.append([posed.matrix_world @ posed.pose.bones[name.replace(" ", "_") if first else name].head for name in names])
        return np.array(result)

    expected = shown(obj, 0)
    bpy.ops.wm.save_as_mainfile(filepath=str(blend))
    assert convert(blend, "-o", out)[0] == 0
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    bpy.ops.import_anim.bvh(filepath=str(out), update_scene_fps=True)
    read = next(obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    read_back = shown(read, frames[0] - 1)
    assert np.ptp(expected[..., 2], axis=1).min() > 0.8  # it stands: about a metre tall
    assert np.linalg.norm(expected[-1, 0] - expected[0, 0]) > 0.1
    assert np.abs(read_back - expected).max() < 2e-4
