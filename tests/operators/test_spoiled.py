"""A .blend file from a stranger: whatever its custom properties hold, each operator and panel says one line or does its work."""

from __future__ import annotations

import shutil
import zlib
from collections.abc import Iterator
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import bpy as blender
import pytest
from support import counted
from support.sample_files import CLIPS, SAMPLES

bpy: Any = blender

NESTED: dict[str, Any] = {"a": {"b": [1.0, 2.0]}}
WRONG: dict[str, Any] = {
    "text": "tomato",
    "nul": "a\0b",
    "true": True,
    "large": 2**31 - 1,
    "nan": float("nan"),
    "whole numbers": [1, 2],
    "far": [0, 2**31 - 1],
    "numbers": [0.5] * 17,
    "nans": [float("nan")] * 16,
    "texts": ["a", "b"],
    "group": NESTED,
    "bytes": b"\xff\x00\xfe",
    "long": "x" * 1_000_000,
    "bomb": zlib.compress(bytes((1 << 26) + 1), 9),
}
"""By what they are. The last unpacks to more than anything may."""


def alike(value: Any) -> dict[str, Any]:
    """Values of the same kind as one that an import has left, of which the type says nothing."""
    if isinstance(value, bytes):
        return {"half": value[: len(value) // 2], "flipped": bytes((*value[:20], *(byte ^ 0x55 for byte in value[20:60]), *value[60:]))}
    if isinstance(value, list) and value and not isinstance(value[0], str | dict):
        numbers = [float(number) for number in value]
        return {
            "huge": [1e300] * len(numbers),
            "zeros": [0.0] * len(numbers),
            "negative": [-1e9] * len(numbers),
            "one nan": [*numbers[:-1], float("nan")],
            "one more": [*numbers, numbers[0]],
            "one less": numbers[:-1],
        }
    if isinstance(value, int | float):
        return {"negative": -abs(value) - 1, "small": 1e-30, "huge": 1e300}
    return {}


SHARE = 3
"""Every property gets each third of them, one after the other."""

TAKES_LONG, WITH_IT = "import", ("text", "nan", "group", "huge")
"""A step, and the values that it is done with: the others are like these to it."""


class Layout:
    """Takes whatever a panel draws; texts must be texts."""

    def __getattr__(self, name: str) -> Any:
        def draw(*_given: Any, **named: Any) -> Any:
            assert isinstance(named.get("text", ""), str)
            return (Layout(), Layout()) if name == "panel" else Layout()

        return draw


Address = tuple[str, str, str]
"""Kind and name of a data-block, and the name of its bone, if it is one's property: what is kept of it goes with an undo."""


def addresses() -> Iterator[tuple[Address, str]]:
    """Every custom property, of one bone for all of a figure's."""
    for kind in ("actions", "armatures", "objects", "meshes", "materials", "images", "texts", "scenes"):
        for block in getattr(bpy.data, kind):
            yield from (((kind, block.name, ""), name) for name in block.keys() if name != "cycles")  # noqa: SIM118 - bones are no mappings
            for bone in list(getattr(block, "bones", ()) or (block.pose.bones if getattr(block, "pose", None) else ()))[1:2]:
                yield from (((kind, block.name, bone.name), name) for name in list(bone.keys()))


def owner(address: Address) -> Any:
    kind, name, bone = address
    block = getattr(bpy.data, kind).get(name)
    return (block.bones if kind == "armatures" else block.pose.bones)[bone] if bone and block else block


def held(value: Any) -> Any:
    """A property's value, by itself."""
    return next((getattr(value, name)() for name in ("to_list", "to_dict") if hasattr(value, name)), value)


def panels() -> None:
    for kind in bpy.types.Panel.__subclasses__():
        if "retro_anim" not in kind.__module__ or not getattr(kind, "is_registered", False):
            continue
        if not hasattr(kind, "poll") or kind.poll(bpy.context):
            kind.draw(SimpleNamespace(layout=Layout()), bpy.context)


def run(call: Any, **given: Any) -> str:
    """What the operator refused with, "" where it did its work."""
    try:
        call("EXEC_DEFAULT", **given)
    except RuntimeError as error:
        return str(error)
    return ""


def run_and_remove(call: Any, **given: Any) -> str:
    """As `run`, without what that has made: else each import would be followed by a larger export."""
    kinds = ("actions", "objects", "armatures", "meshes", "materials", "images", "texts", "collections")
    before = {(kind, block.name) for kind in kinds for block in getattr(bpy.data, kind)}
    shown = {obj.name: obj.animation_data.action.name for obj in bpy.data.objects if obj.animation_data and obj.animation_data.action}
    said = run(call, **given)
    bpy.data.batch_remove([block for kind in kinds for block in getattr(bpy.data, kind) if (kind, block.name) not in before])
    for obj, action in shown.items():
        bpy.data.objects[obj].animation_data.action = bpy.data.actions[action]
    return said


@pytest.mark.thorough
@pytest.mark.parametrize("game", CLIPS)
def test_every_property(addon: Any, game: str, tmp_path: Path) -> None:
    """Of everything that an import leaves: no traceback, no more than one line, no long wait, and all is well when it is as it was."""
    source, out = SAMPLES / CLIPS[game], tmp_path / f"out{Path(CLIPS[game]).suffix}"
    importer, exporter = getattr(bpy.ops.import_anim, game), getattr(bpy.ops.export_anim, game)
    assert importer(filepath=str(source)) == {"FINISHED"}
    armature = next(obj.name for obj in bpy.data.objects if obj.type == "ARMATURE")
    refit = bpy.ops.retro_anim.refit_loop
    steps = {
        "panels": panels,
        "export": lambda: run(exporter, filepath=str(out)),
        "refit": lambda: run(refit) if refit.poll() else "",
        "import": lambda: run_and_remove(importer, filepath=str(source)),
    }
    blender.context.view_layer.objects.active = bpy.data.objects[armature]
    steps = {step: work for step, work in steps.items() if not work()}  # what refuses a sound scene, too, would show nothing
    assert steps.keys() - {"refit"} == {"panels", "export", "import"}
    known = {(address[0], bool(address[2]), name): (address, name) for address, name in addresses()}.values()
    assert len(known) >= 20
    wrong_ones: list[str] = []
    for number, (address, name) in enumerate(known):
        before = held(owner(address)[name])
        for what, wrong in [*list(WRONG.items())[number % SHARE :: SHARE], *alike(before).items()]:
            for step, work in steps.items():
                if step == TAKES_LONG and what not in WITH_IT:
                    continue
                blender.context.view_layer.objects.active = bpy.data.objects[armature]
                if name in owner(address):
                    del owner(address)[name]
                owner(address)[name] = wrong
                try:
                    with counted.calls() as calls:
                        said = work() or ""
                except Exception as error:  # noqa: BLE001 - what a panel raises
                    said = f"Traceback: {error!r}"
                if "Traceback" in said or len(said) > 1400 or len(said.splitlines()) > 2 or calls() > 2_000_000:
                    wrong_ones.append(f"{step} with {what} in {name} of {address}: {said[-300:]}")
        del owner(address)[name]  # a text keeps its kind when bytes are given to it
        owner(address)[name] = before
    assert not wrong_ones, "\n".join(wrong_ones)
    blender.context.view_layer.objects.active = bpy.data.objects[armature]
    assert run(exporter, filepath=str(out)) == ""


@pytest.mark.parametrize(
    ("operator", "kind", "name", "wrong"),
    [
        ("restore", "texts", "path", "x" * 1_000_000),
        ("restore", "texts", "path", "/walk\0.anm"),
        ("oni_new", "actions", "retro_anim_fps", "tomato"),
        ("game_view", "armatures", "retro_anim_scale", "tomato"),
        ("game_view", "armatures", "retro_anim_scale", 1e300),
        ("game_view", "armatures", "retro_anim_scale", [0.5] * 16),
    ],
)
def test_what_else_reads_them(addon: Any, operator: str, kind: str, name: str, wrong: Any) -> None:
    """The source's path as a long text, in the error that names the backup; the rate of markers; the size of the stage."""
    assert bpy.ops.import_anim.lba(filepath=str(SAMPLES / CLIPS["lba"])) == {"FINISHED"}
    block = next(block for block in getattr(bpy.data, kind) if name in block)
    del block[name]  # in what holds a text one ends at its NUL
    block[name] = wrong
    said = run(getattr(bpy.ops.retro_anim, operator))
    assert said and len(said.splitlines()) == 1 and len(said) < 1400 and "Traceback" not in said


@pytest.mark.parametrize(
    ("kind", "name", "wrong"),
    [
        ("actions", "retro_anim_target", [1, 2]),  # whose an action is
        ("objects", "retro_anim_root_motion", "tomato"),  # what carries the root motion of a new action
        ("objects", "retro_anim_root_motion", [1, 2]),
        ("materials", "retro_anim_ramp", [0.5, 0.5]),  # the colours of a material when it came in
        ("materials", "retro_anim_viewport", [0.5, 0.5]),
    ],
)
def test_what_can_be_done_without_them(addon: Any, kind: str, name: str, wrong: Any, tmp_path: Path) -> None:
    """Lists, exports of a new action and of a body go on as if the property was not there."""
    assert bpy.ops.import_anim.lba(filepath=str(SAMPLES / CLIPS["lba"])) == {"FINISHED"}
    armature = next(obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    armature.animation_data.action = bpy.data.actions.new("new")
    armature.pose.bones[1].keyframe_insert("rotation_euler", frame=1)
    for block in getattr(bpy.data, kind):
        block[name] = wrong
    bpy.context.scene.retro_anim_retarget.source = armature
    for call, given in (
        (bpy.ops.retro_anim.retarget_list, {}),
        (bpy.ops.export_anim.lba, {"filepath": str(tmp_path / "out.anm")}),
        (bpy.ops.export_mesh.lba, {"filepath": str(tmp_path / "out.lm1")}),
    ):
        assert run(call, **given) == ""


@pytest.mark.parametrize(
    ("kind", "name", "wrong"),
    [
        ("actions", "retro_anim_written", "a b \u00b2 walk.anm"),  # a digit to Python, and no number
        ("actions", "retro_anim_written", f"a b {'9' * 5000} walk.anm"),
        ("actions", "retro_anim_written", "a b 1 /walk\0.anm"),
        ("actions", "retro_anim_to_file", "/walk\0.anm"),
        ("armatures", "retro_anim_parents", [float("inf")] * 7),
    ],
)
def test_where_a_clip_goes_and_what_bones_hung_on(addon: Any, kind: str, name: str, wrong: Any, tmp_path: Path) -> None:
    """A NUL is in no file's name. What is spoilt counts as not there: the clip goes to the file that is asked for, or that it is from."""
    shutil.copytree(SAMPLES / "lba1", tmp_path / "game")
    assert bpy.ops.import_anim.lba(filepath=str(tmp_path / "game" / "walk.anm")) == {"FINISHED"}
    for block in getattr(bpy.data, kind):
        block[name] = wrong
    panels()
    for call, given in (
        (bpy.ops.export_anim.lba, {"filepath": str(tmp_path / "out.anm"), "source": "SCENE"}),
        (bpy.ops.retro_anim.what_would_change, {}),
        (bpy.ops.retro_anim.save_clips, {}),
    ):
        assert run(call, **given) == ""
    assert (tmp_path / "out.anm").read_bytes() == (tmp_path / "game" / "walk.anm").read_bytes()
    assert list(tmp_path.rglob("*.bak")) == []


@pytest.mark.thorough
@pytest.mark.parametrize("what", ["text", "whole numbers", "group", "own group", "wrong group"])
def test_what_a_preview_has_kept(addon: Any, what: str, tmp_path: Path) -> None:
    """No record, or one that another program has spoilt: exports, panels and the preview go on with what is there."""
    groups: dict[str, Any] = {
        "own group": {"kind": "preview", "bones": 7, "position": "tomato", "use_nla": "x", "action": 5, "property x": "tomato"},
        "wrong group": {"kind": "pose", "bones": "a\nb", "pose location": ["x"], "own location": [1, 2], "position": {"a": 1}},
    }
    for game in ("lba", "oni"):
        assert getattr(bpy.ops.import_anim, game)(filepath=str(SAMPLES / CLIPS[game])) == {"FINISHED"}
    settings = bpy.context.scene.retro_anim_retarget
    settings.source, settings.target = (obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    out = tmp_path / f"out{Path(CLIPS['oni']).suffix}"
    own = bpy.ops.retro_anim
    for work in (
        lambda: bpy.ops.export_anim.oni(filepath=str(out)),
        own.retarget,
        own.retarget_preview,
        own.retarget_preview,
        own.retarget_pose,
        own.retarget_pose_keep,
        own.what_would_change,
    ):
        for armature in (settings.source, settings.target):
            armature["retro_anim_before"] = {**WRONG, **groups}[what]
        panels()
        try:
            work()
        except RuntimeError as error:
            assert "Traceback" not in str(error) and len(str(error).splitlines()) == 1
    assert out.is_file()


def test_a_body_of_no_kind(addon: Any, tmp_path: Path) -> None:
    """What says of which kind a body is holds texts: it is none of the game's, and one more clip goes on it."""
    assert bpy.ops.import_anim.lba(filepath=str(SAMPLES / CLIPS["lba"])) == {"FINISHED"}
    bpy.data.armatures[0]["retro_anim_format"] = ["a", "b"]
    said = run(bpy.ops.export_mesh.lba, filepath=str(tmp_path / "out.lm1"))
    assert said == "Error: mannequin is no body of the game yet: Make It an LBA Body\n"
    assert run(bpy.ops.import_anim.lba, filepath=str(SAMPLES / CLIPS["lba"])) == "" and len(bpy.data.armatures) == 1


def test_game_view_ends_whatever_was_deleted_meanwhile(addon: Any) -> None:
    assert bpy.ops.import_anim.lba(filepath=str(SAMPLES / CLIPS["lba"])) == {"FINISHED"}
    bpy.context.scene.collection.objects.link(bpy.data.objects.new("beside", None))
    camera = bpy.context.scene.camera = bpy.data.objects.new("own", bpy.data.cameras.new("own"))
    assert run(bpy.ops.retro_anim.game_view) == "" and bpy.data.objects["beside"].hide_viewport
    bpy.data.batch_remove([camera, bpy.data.objects["beside"], *(obj for obj in bpy.data.objects if obj.type == "MESH")])
    assert run(bpy.ops.retro_anim.game_view) == ""
    assert bpy.context.scene.camera is None and not any(obj.name.startswith("Game View") for obj in bpy.data.objects)


def test_a_hidden_object_in_pose_mode(addon: Any, tmp_path: Path) -> None:
    """Blender leaves a mode of what is seen alone."""
    assert bpy.ops.import_anim.lba(filepath=str(SAMPLES / CLIPS["lba"])) == {"FINISHED"}
    name = bpy.context.view_layer.objects.active.name
    bpy.ops.object.mode_set(mode="POSE")
    bpy.data.objects[name].hide_viewport = True
    assert run(bpy.ops.import_anim.oni, filepath=str(SAMPLES / CLIPS["oni"])) == ""
    assert bpy.data.objects[name].hide_viewport


@pytest.mark.parametrize("wrong", ["tomato", "null", "[1, 2", "[" * 100_000])
def test_chains_and_reports_that_are_no_json(addon: Any, wrong: str, tmp_path: Path) -> None:
    for game in ("lba", "oni"):
        assert getattr(bpy.ops.import_anim, game)(filepath=str(SAMPLES / CLIPS[game])) == {"FINISHED"}
    settings = bpy.context.scene.retro_anim_retarget
    settings.source, settings.target = (obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    line = settings.pairs.add()
    line.is_chain, line.source, line.target = True, wrong, wrong
    settings.reports.add().document = settings.before = wrong
    panels()
    assert run(bpy.ops.retro_anim.retarget_swap) == ""
    assert run(bpy.ops.retro_anim.retarget_report, filepath=str(tmp_path / "report.json")) == ""


@pytest.mark.parametrize("path", ["/", "/" * 40_000, "a#/" * 20_000], ids=["root", "slashes", "entries"])
def test_a_source_that_is_no_path(addon: Any, path: str) -> None:
    """The panel draws."""
    assert bpy.ops.import_anim.lba(filepath=str(SAMPLES / "lba1/ANIM.HQR"), entries="1") == {"FINISHED"}
    sources = [text for text in bpy.data.texts if "path" in text]
    assert sources
    for text in sources:
        text["path"] = path
    panels()
