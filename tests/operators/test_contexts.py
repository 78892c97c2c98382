"""Operators and panels where the context has no window: as in a timer right after a file was read, when `context.object` is not there."""

from __future__ import annotations

import re
from collections.abc import Callable
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import bpy as blender
import pytest

pytestmark = pytest.mark.smoke

Part = Callable[[str], ModuleType]
SAMPLES = Path(__file__).resolve().parents[2] / "samples"

bpy: Any = blender


def ours() -> list[type]:
    """All our operators and panels."""
    kinds = bpy.types.Operator.__subclasses__() + bpy.types.Panel.__subclasses__()
    return [kind for kind in kinds if "retro_anim" in kind.__module__ and getattr(kind, "is_registered", False)]


def operator(kind: Any) -> Any:
    group, name = kind.bl_idname.split(".")
    return getattr(getattr(bpy.ops, group), name)


@pytest.fixture(params=["empty", "character"])
def filled(request: pytest.FixtureRequest, tmp_path: Path) -> str:
    """A scene without anything, or with an armature that is selected; in no window afterwards."""
    if request.param == "character":
        character(tmp_path)
    return request.param


def character(folder: Path) -> Any:
    source = folder / "made.skel"
    source.write_text('bone "root" { offset 0 1 0 bone "tip" { offset 0 0 1 } }')
    assert bpy.ops.import_anim.oni2(filepath=str(source)) == {"FINISHED"}
    return bpy.context.view_layer.objects.active


def test_every_poll(addon: Any, filled: str) -> None:
    polled = [kind for kind in ours() if hasattr(kind, "poll")]
    assert len(polled) >= 5
    with bpy.context.temp_override(window=None):
        assert not hasattr(bpy.context, "object")
        for kind in polled:
            kind.poll(bpy.context)


def linked(armature: Any, folder: Path) -> None:
    """The same, from another file."""
    bpy.ops.wm.save_as_mainfile(filepath=str(folder / "library.blend"))
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with bpy.data.libraries.load(str(folder / "library.blend"), link=True) as (there, taken):
        taken.objects = there.objects
    for obj in bpy.data.objects:
        bpy.context.collection.objects.link(obj)
        bpy.context.view_layer.objects.active = obj


def tweaked(armature: Any, folder: Path) -> None:
    """Its action is a strip that is being edited."""
    data = armature.animation_data_create()
    data.action = None
    data.nla_tracks.new().strips.new("strip", 1, bpy.data.actions.new("clip"))
    data.nla_tracks.active = data.nla_tracks[0]
    data.use_tweak_mode = True


STATES: dict[str, Callable[[Any, Path], object]] = {
    "as it is": lambda armature, folder: None,
    "pose": lambda armature, folder: bpy.ops.object.mode_set(mode="POSE"),
    "edit": lambda armature, folder: bpy.ops.object.mode_set(mode="EDIT"),
    "hidden": lambda armature, folder: armature.hide_set(True),
    "nothing active": lambda armature, folder: setattr(bpy.context.view_layer.objects, "active", None),
    "object gone": lambda armature, folder: bpy.data.objects.remove(armature),
    "strip": tweaked,
    "linked": linked,
}


@pytest.mark.parametrize("state", ["empty", *STATES])
@pytest.mark.parametrize("window", [True, False])
def test_every_operator(addon: Any, tmp_path: Path, capfd: pytest.CaptureFixture[str], state: str, window: bool) -> None:
    """It is refused, cancelled with one line, or does its work."""
    if state != "empty":
        STATES[state](character(tmp_path), tmp_path)
    kinds = [kind for kind in ours() if issubclass(kind, bpy.types.Operator)]
    assert len(kinds) >= 10
    for kind in kinds:
        call = operator(kind)
        names = {prop.identifier for prop in call.get_rna_type().properties}
        with bpy.context.temp_override(**({} if window else {"window": None})):
            try:
                call("EXEC_DEFAULT", **({"filepath": str(tmp_path / "out")} if "filepath" in names else {}))
            except RuntimeError as error:
                assert "Traceback" not in str(error), (kind, error)
    assert "Traceback" not in capfd.readouterr().err


def test_every_panel(addon: Any, part: Part, filled: str) -> None:
    """Drawn with a layout that takes everything."""

    class Layout:
        def __getattr__(self, name: str) -> Any:
            if name == "panel":
                return lambda *given, **named: (Layout(), Layout())
            return lambda *given, **named: Layout()

        def __bool__(self) -> bool:
            return True

    panels = [kind for kind in ours() if issubclass(kind, bpy.types.Panel)]
    assert len(panels) == 2
    with bpy.context.temp_override(window=None):
        for panel in panels:
            if not hasattr(panel, "poll") or panel.poll(bpy.context):
                panel.draw(SimpleNamespace(layout=Layout()), bpy.context)


def test_a_character_comes_and_goes_without_a_window(tmp_path: Path) -> None:
    source = tmp_path / "made.skel"
    source.write_text('bone "root" { offset 0 1 0 bone "tip" { offset 0 0 1 } }')
    with bpy.context.temp_override(window=None):
        assert bpy.ops.import_anim.oni2(filepath=str(source)) == {"FINISHED"}
        assert bpy.ops.export_anim.oni2(filepath=str(tmp_path / "out.skel")) == {"FINISHED"}
    assert (tmp_path / "out.skel").read_bytes() == source.read_bytes()


def test_in_a_timer_after_a_file_was_read(addon: Any, part: Part, filled: str, tmp_path: Path) -> None:
    bpy.ops.wm.save_as_mainfile(filepath=str(tmp_path / "kept.blend"))
    bpy.ops.wm.open_mainfile(filepath=str(tmp_path / "kept.blend"), load_ui=False)
    with bpy.context.temp_override(window=None):
        scene = part("io.blender.scene")
        assert (scene.active(bpy.context) is not None) == (filled == "character")
        assert len(scene.selected(bpy.context)) == (filled == "character")
        for kind in ours():
            if hasattr(kind, "poll"):
                kind.poll(bpy.context)


@pytest.mark.parametrize(
    ("game", "name", "kind"), [("lba", "lba1/mannequin.lm1", "MESH"), ("oni2", "oni2/Entity/mannequin/mannequin_walk.anim", "ARMATURE")]
)
def test_exports_in_edit_mode(addon: Any, tmp_path: Path, game: str, name: str, kind: str) -> None:
    """What is being edited is written as it stands, and is edited on afterwards; without an edit it is the file."""
    source = SAMPLES / name
    out = tmp_path / source.name
    assert getattr(bpy.ops.import_anim, game)(filepath=str(source)) == {"FINISHED"}
    bpy.context.view_layer.objects.active = next(obj for obj in bpy.data.objects if obj.type == kind)
    bpy.ops.object.mode_set(mode="EDIT")
    export = bpy.ops.export_mesh.lba if kind == "MESH" else getattr(bpy.ops.export_anim, game)
    assert export(filepath=str(out)) == {"FINISHED"}
    assert out.read_bytes() == source.read_bytes() and bpy.context.mode == f"EDIT_{kind}"
    bpy.ops.object.mode_set(mode="OBJECT")


def test_a_body_that_is_scaled_to_nothing(addon: Any) -> None:
    """The armature, or its mesh: one line."""
    assert bpy.ops.import_anim.lba(filepath=str(SAMPLES / "lba1/mannequin.lm1")) == {"FINISHED"}
    armature = next(obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    for obj in (armature, next(obj for obj in bpy.data.objects if obj.type == "MESH")):
        bpy.context.view_layer.objects.active = armature
        obj.scale = 0, 0, 0
        bpy.context.view_layer.update()
        with pytest.raises(RuntimeError, match="is scaled to nothing: give the object a scale"):
            bpy.ops.retro_anim.lba_make()
        obj.scale = 1, 1, 1


@pytest.mark.parametrize(
    "name", ["lba1/walk.anm", "oni/TRAMmannequin_walk.oni", "oni2/Entity/mannequin/mannequin_walk.anim", "mindpower/animation/0001.lab"]
)
def test_a_bone_or_an_object_that_stands_nowhere(addon: Any, part: Part, tmp_path: Path, name: str) -> None:
    """Bones keep what another action, a driver or a constraint has left: one line with the bone and the frame, and no file."""
    game = name.split("/")[0].rstrip("1")
    assert getattr(bpy.ops.import_anim, game)(filepath=str(SAMPLES / name)) == {"FINISHED"}
    armature = next(obj for obj in bpy.data.objects if obj.type == "ARMATURE")
    lost = armature.pose.bones[3]
    constraint = lost.constraints.new("LIMIT_LOCATION")
    constraint.use_min_x = constraint.use_max_x = True
    constraint.min_x = constraint.max_x = float("nan")
    lost.scale = (float("nan"),) * 3
    for written, suffix in ((game, Path(name).suffix), ("oni2", ".anim")):
        with pytest.raises(RuntimeError, match=f"no finite pose at frame .*{re.escape(lost.name)}"):
            getattr(bpy.ops.export_anim, written)(filepath=str(tmp_path / f"out{suffix}"), sampling="VISUAL")
    lost.constraints.remove(constraint)
    lost.scale = 1, 1, 1
    armature.scale = (float("nan"),) * 3
    bpy.context.view_layer.update()
    for action in bpy.data.actions:
        part("io.blender.compat").curves(action)[0].keyframe_points[0].co.y += 0.1
    for call in (lambda: bpy.ops.retro_anim.oni_make(), lambda: getattr(bpy.ops.export_anim, game)(filepath=str(tmp_path / "out"))):
        with pytest.raises(RuntimeError, match=f"{armature.name} stands nowhere, at no number"):
            call()
    assert not list(tmp_path.iterdir())


def test_a_linked_object_of_the_same_name(addon: Any, tmp_path: Path) -> None:
    """A new armature is made beside it."""
    source, library = str(SAMPLES / "oni2/Entity/mannequin/mannequin_walk.anim"), str(tmp_path / "library.blend")
    assert bpy.ops.import_anim.oni2(filepath=source) == {"FINISHED"}
    bpy.ops.wm.save_as_mainfile(filepath=library)
    bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
    with bpy.data.libraries.load(library, link=True) as (there, taken):
        taken.objects = there.objects
    for obj in bpy.data.objects:
        bpy.context.collection.objects.link(obj)
    assert bpy.ops.import_anim.oni2(filepath=source) == {"FINISHED"}
    assert sorted(obj.library is None for obj in bpy.data.objects if obj.type == "ARMATURE") == [False, True]


@pytest.mark.parametrize("name", ["x" * 300, "\u00e9" * 200, "d/" * 2000 + "x"], ids=["long", "bytes", "deep"])
def test_names_that_no_system_takes(addon: Any, tmp_path: Path, name: str) -> None:
    """One line of the import and of the export, which leave nothing."""
    source = SAMPLES / "mindpower/animation/0001.lab"
    assert bpy.ops.import_anim.mindpower(filepath=str(source)) == {"FINISHED"}
    path = str(tmp_path / f"{name}.lab")
    for call in (bpy.ops.export_anim.mindpower, bpy.ops.import_anim.mindpower):
        with pytest.raises(RuntimeError) as caught:
            call(filepath=path)
        assert "Traceback" not in str(caught.value) and len(str(caught.value).splitlines()) == 1
    assert not list(tmp_path.iterdir())


@pytest.mark.parametrize("name", ["oni2/Entity/mannequin/mannequin_walk.anim", "mindpower/animation/0001.lab"])
def test_the_smallest_scale(addon: Any, name: str) -> None:
    """No bone is so short that Blender removes it."""
    assert getattr(bpy.ops.import_anim, name.partition("/")[0])(filepath=str(SAMPLES / name), scale=1e-6) == {"FINISHED"}
    assert len(next(obj for obj in bpy.data.objects if obj.type == "ARMATURE").data.bones) > 10
