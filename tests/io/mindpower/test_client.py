"""Characters of a client of Tales of Pirates, picked by number or name, into Blender; on our own sample and on made-up clients."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest
from support.mindpower import mindpower_files

SAMPLE = Path(__file__).resolve().parents[3] / "samples" / "mindpower"


Convert = Callable[..., tuple[int, list[str], list[str]]]


@pytest.fixture
def client(tmp_path: Path) -> Path:
    return mindpower_files.client(tmp_path / "client")


@pytest.fixture
def fetch(part: Callable[[str], ModuleType]) -> Callable[..., Any]:
    mindpower = part("io.mindpower.build")
    return lambda path, **options: mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(path),), fps_mode="SET", **options))


def meshes_of(obj: bpy.types.Object) -> list[str]:
    return sorted(child.name for child in obj.children_recursive if child.type == "MESH")


def test_our_sample_comes_in_whole(fetch: Callable[..., Any]) -> None:
    imported = fetch(SAMPLE)
    (obj,) = imported.armatures
    assert (obj.name, len(obj.data.bones), meshes_of(obj)) == ("Mannequin", 17, ["0001000000"])
    assert [action.frame_range[1] - action.frame_range[0] for action in imported.actions] == [83, 23, 23]
    image = next(node.image for node in imported.meshes[0].data.materials[0].node_tree.nodes if node.type == "TEX_IMAGE")
    assert tuple(image.size) == (64, 64)
    assert sorted(child.name for child in obj.children if child.type == "EMPTY" and child.name.startswith("dummy")) == [
        "dummy 0 base", "dummy 1 head top", "dummy 2 chest", "dummy 3 pelvis", "dummy 6 left hand", "dummy 9 right hand",
    ]  # fmt: skip


def test_a_character_by_name_or_number(fetch: Callable[..., Any], client: Path) -> None:
    for entry, name, parts in (("small crab", "Small Crab", ["0007000000"]), ("7", "Big Crab", ["0007000000", "0007000002"])):
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        (obj,) = fetch(client, entries=entry).armatures
        assert (obj.name, meshes_of(obj)) == (name, parts)


def test_a_players_suits(fetch: Callable[..., Any], client: Path) -> None:
    (obj,) = fetch(client / "Animation" / "0001.LAB").armatures
    assert meshes_of(obj) == ["0001000000", "0001000001", "0001000004"]
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    (obj,) = fetch(client / "Animation" / "0001.LAB", parts="0/0 3").armatures
    assert meshes_of(obj) == ["0001000000", "0001030002"]


def test_rows_that_are_odd_are_told(fetch: Callable[..., Any], client: Path, part: Callable[[str], ModuleType]) -> None:
    """Overlapping, backwards and beyond the end: what can be shown is, the rest is said."""
    with part("core.reporting.log").collect() as said:
        imported = fetch(client, entries="big crab")
    assert len(imported.actions) == 2
    assert [action.frame_range[1] - action.frame_range[0] for action in imported.actions] == [4, 16]
    warnings = " ".join(said.digest("WARNING"))
    assert "beyond the last frame, 19" in warnings
    assert "end before they start" in warnings


def test_textures_of_any_letter_case_unscrambled(fetch: Callable[..., Any], client: Path) -> None:
    fetch(client, entries="1")
    images: list[Any] = list(bpy.data.images)
    colours = {image.name.lower(): tuple(round(value * 255) for value in image.pixels[:3]) for image in images if image.size[0]}
    assert colours == {"head.bmp": (200, 40, 10), "body.bmp": (1, 2, 3)}


@pytest.mark.parametrize("address", ["{}#Big Crab", "{}/Scripts/table/characterinfo.txt#7"])
def test_picked_on_the_command_line(convert: Convert, client: Path, tmp_path: Path, address: str) -> None:
    out = tmp_path / "crab.blend"
    assert convert(address.format(client), "-o", out)[:2] == (0, [str(out)])
    bpy.ops.wm.open_mainfile(filepath=str(out))
    assert meshes_of(bpy.data.objects["Big Crab"]) == ["0007000000", "0007000002"]


@pytest.mark.parametrize("table", ["table/CharacterInfo copy.txt", "TXT/characteraction.TX"])
def test_none_is_picked_from_a_copy_of_the_list_or_from_another_table(convert: Convert, client: Path, tmp_path: Path, table: str) -> None:
    own = client / "Scripts" / "table" / "characterinfo.txt"
    own.with_name("CharacterInfo copy.txt").write_bytes(own.read_bytes())
    path = client / "Scripts" / table
    code, out, said = convert(f"{path}#7", "-o", tmp_path / "crab.blend")
    assert (code, out, said) == (1, [], [f"{path}: no list of characters, so it has no entry 7"])


@pytest.mark.parametrize("once", [None, False, True])
def test_a_public_client_as_it_is(fetch: Callable[..., Any], part: Callable[[str], ModuleType], tmp_path: Path, once: bool | None) -> None:
    """Its only list of characters is Characterinfo.bin, plain or with a key."""
    table = mindpower_files.PUBLIC if once is None else mindpower_files.obfuscated(mindpower_files.PUBLIC, once)
    root = mindpower_files.public_client(tmp_path / "public", table)
    lines = part("io.mindpower.contents").contents(str(root / "Scripts" / "table" / "CharacterInfo.BIN"), {})["characters"]
    assert [line[:2] for line in lines] == [("id=1", "0001 Strong Guy"), ("id=9", "0007 Big Crab"), ("id=10", "0007 水手")]
    imported = fetch(root / "Scripts" / "table" / "CharacterInfo.BIN")
    assert sorted(obj.name for obj in imported.armatures) == ["Big Crab", "Strong Guy", "水手"]
    names = {action.name for action in imported.actions}
    assert {"Strong Guy 1 wait +1", "Strong Guy 5 run", "Big Crab 1 wait", "水手 7 attack 1"} <= names


def test_a_character_of_a_public_client_on_the_command_line(convert: Convert, tmp_path: Path) -> None:
    root, out = mindpower_files.public_client(tmp_path / "public"), tmp_path / "crab.lab"
    assert convert(f"{root}#水手", "-o", out)[0] == 0
    assert out.read_bytes() == (root / "Animation" / "0007.lab").read_bytes()


def test_the_games_own_public_client(fetch: Callable[..., Any], game_file: Callable[[str], Path], tmp_path: Path) -> None:
    """With the list that it has, and without the text that it has not."""
    source = game_file("mindpower")
    for name in ("animation", "model", "texture", "scripts/txt/CharacterAction.tx", "scripts/table/characterposeinfo.bin"):
        (tmp_path / name).parent.mkdir(parents=True, exist_ok=True)
        (tmp_path / name).symlink_to(source / name)
    (tmp_path / "scripts" / "table" / "Characterinfo.bin").symlink_to(source / "scripts" / "table" / "Characterinfo.bin")
    imported = fetch(tmp_path, entries="Attendant, Black Dragon")
    assert [obj.name for obj in imported.armatures] == ["Attendant", "Black Dragon"]
    names = {action.name for action in imported.actions}
    assert {"Attendant 1 wait +1", "Attendant 2 show +1", "Black Dragon 1 wait +2", "Black Dragon 17 die"} <= names
    assert not any(" action " in name for name in names)


def test_a_whole_folder_comes_in_once(convert: Convert, tmp_path: Path) -> None:
    out = tmp_path / "all.blend"
    assert convert(SAMPLE, "-o", out)[:2] == (0, [str(out)])
    bpy.ops.wm.open_mainfile(filepath=str(out))
    assert sorted(obj.type for obj in bpy.data.objects if obj.type != "EMPTY") == ["ARMATURE", "MESH"]


def test_nobody_of_that_name_on_the_command_line(convert: Convert, client: Path, tmp_path: Path) -> None:
    code, out, errors = convert(f"{client}#Kraken", "-o", tmp_path / "crab.blend")
    assert (code, out) == (1, [])
    assert errors == [f"{client}: no character is called Kraken: there are Strong Guy; Big Crab; Small Crab"]
    code, _, errors = convert(f"{tmp_path / 'client' / 'model'}/../../#1", "-o", tmp_path / "crab.blend")
    assert code == 1
    assert "no client's folder" in errors[0]


@pytest.mark.parametrize(("keys", "kind"), [("auto", 3), ("quat", 3), ("mat43", 1), ("mat44", 2)])
def test_keys_asked_for_on_the_command_line(
    convert: Convert, part: Callable[[str], ModuleType], tmp_path: Path, keys: str, kind: int
) -> None:
    source, out = SAMPLE / "animation" / "0001.lab", tmp_path / "0001.lab"
    code, written, _ = convert(source, "--keys", keys, "-o", out)
    assert (code, written[0]) == (0, str(out))
    before, after = (part("core.mindpower.files.skeleton.lab").Lab.parse(path.read_bytes()) for path in (source, out))
    worlds = part("core.mindpower.motion.evaluate").world_matrices
    assert after.key_type == kind
    assert abs(worlds(after) - worlds(before)).max() < 1e-5


def test_parts_and_action_type_on_the_command_line(convert: Convert, client: Path, tmp_path: Path) -> None:
    out = tmp_path / "player.blend"
    assert convert(client / "Animation" / "0001.LAB", "--parts", "0/0 3", "--action-type", "7", "-o", out)[0] == 0
    bpy.ops.wm.open_mainfile(filepath=str(out))
    assert meshes_of(bpy.data.objects["0001"]) == ["0001000000", "0001030002"]
    assert bpy.data.armatures[0]["mindpower_type"] == 7


def test_a_skeleton_that_comes_in_alone_says_so(part: Callable[[str], ModuleType], tmp_path: Path) -> None:
    """Unless a mesh for it is given; one that is opened afterwards finds it."""
    mindpower, log = part("io.mindpower.build"), part("core.reporting.log")
    skeleton, mesh = tmp_path / "0001.lab", tmp_path / "elsewhere" / "0001000000.lgo"
    mesh.parent.mkdir()
    skeleton.write_bytes((SAMPLE / "animation" / "0001.lab").read_bytes())
    mesh.write_bytes((SAMPLE / "model" / "character" / "0001000000.lgo").read_bytes())

    def said(path: Path, **options: Any) -> list[str]:
        with log.collect() as collected:
            mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(path),), **options))
        assert not [message for message in collected.messages if message.text.startswith("0001.lab")], "they are about it as it is"
        return [message.text for message in collected.of("WARNING") if "only the bones came in" in message.text]

    (alone,) = said(skeleton)
    assert alone.endswith("import its .lgo, too")
    assert said(mesh) == [] and meshes_of(bpy.data.objects["0001"]) == ["0001000000"]
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    assert said(skeleton, meshes=(str(mesh),)) == [] and meshes_of(bpy.data.objects["0001"]) == ["0001000000"]
