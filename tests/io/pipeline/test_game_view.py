"""Game View: the game's own projection, pixel by pixel, root motion that goes on with each repetition, events, and no trace behind it."""

from __future__ import annotations

from collections.abc import Callable, Iterator
from contextlib import ExitStack
from math import degrees
from pathlib import Path
from types import ModuleType, SimpleNamespace
from typing import Any

import bpy
import numpy as np
import pytest
from bpy_extras.object_utils import world_to_camera_view
from mathutils import Vector
from support import blender_rigs as rigs

Part = Callable[[str], ModuleType]
OPS: Any = bpy.ops
SAMPLES = Path(__file__).resolve().parents[3] / "samples"
IMPORTS = {
    "lba": {"filepath": str(SAMPLES / "lba1/ANIM.HQR"), "entities": "0"},
    "oni": {"filepath": str(SAMPLES / "oni/TRAMmannequin_walk.oni")},
    "oni2": {"filepath": str(SAMPLES / "oni2/Entity/mannequin/mannequin_walk.anim")},
    "mindpower": {"filepath": str(SAMPLES / "mindpower/animation/0001.lab")},
}


def imported(game: str) -> Any:
    getattr(OPS.import_anim, game)(**IMPORTS[game])
    return bpy.context.object


@pytest.fixture
def view(part: Part) -> Iterator[ModuleType]:
    yield part("operators.clips.game_view")
    part("operators.clips.game_view").end()


KINDS = ("objects", "meshes", "cameras", "lights", "materials", "images", "node_groups", "worlds", "collections", "actions")


def blocks() -> dict[str, list[str]]:
    kinds = (
        "objects",
        "meshes",
        "cameras",
        "lights",
        "materials",
        "images",
        "node_groups",
        "worlds",
        "collections",
        "actions",
        "armatures",
    )
    return {kind: [block.name for block in getattr(bpy.data, kind)] for kind in kinds}


def scene_state() -> dict[str, Any]:
    scene: Any = bpy.context.scene
    named = {
        "scene": (
            scene,
            ["frame_current", "use_preview_range", "frame_preview_start", "frame_preview_end", "camera", "world", "sync_mode"],
        ),
        "render": (scene.render, ["resolution_x", "resolution_y", "resolution_percentage", "pixel_aspect_x", "pixel_aspect_y", "engine"]),
        "colours": (scene.view_settings, ["view_transform", "look"]),
    }
    state = {f"{title} {name}": getattr(owner, name) for title, (owner, names) in named.items() for name in names}
    hidden = [(obj.name, obj.hide_viewport, obj.hide_render, obj.matrix_world.copy(), obj.parent) for obj in scene.objects]
    own = {name: str(value) for name, value in bpy.context.object.data.items()}
    return {**state, "objects": hidden, "active": bpy.context.object.name, "properties": sorted(scene.keys()), "armature": own}


@pytest.mark.parametrize("game", list(IMPORTS))
def test_it_leaves_no_trace(view: ModuleType, game: str) -> None:
    obj = imported(game)
    bpy.context.scene.frame_set(7)
    before, state = blocks(), scene_state()
    assert OPS.retro_anim.game_view() == {"FINISHED"}
    scene: Any = bpy.context.scene
    assert scene.camera.name == "Game View Camera" and bpy.context.object == obj and scene_state() != state
    shown = [world_to_camera_view(scene, scene.camera, obj.matrix_world @ bone.head_local) for bone in obj.data.bones]
    assert all(0 < point.x < 1 and 0 < point.y < 1 and point.z > 0 for point in shown), "the character is in the picture"
    scene.frame_set(scene.frame_preview_end)
    assert OPS.retro_anim.game_view() == {"FINISHED"}
    bpy.context.view_layer.update()
    assert blocks() == before
    assert scene_state() == state


@pytest.mark.parametrize("size", ["GAME", "PICTURE"])
def test_little_big_adventures_projection(view: ModuleType, size: str) -> None:
    imported("lba")
    OPS.retro_anim.game_view(size=size)
    scene: Any = bpy.context.scene
    bpy.context.view_layer.update()

    def pixel(x: float, y: float, z: float) -> np.ndarray:
        """On the screen of 640 x 480, right and down, of a point in the game's axes and units."""
        at = world_to_camera_view(scene, scene.camera, Vector((x, -z, y)) / 1000)
        return np.array([at.x * scene.render.resolution_x, (1 - at.y) * scene.render.resolution_y])

    middle = pixel(0, 0, 0)
    points = np.array([(512, 0, 0), (0, 256, 0), (0, 0, 512), (1000, 1240, -300), (-700, 55, 900)], float)
    x, y, z = points.T
    wanted = np.column_stack([24 * (x - z), 12 * (x + z) - 30 * y]) / 512
    shown = np.array([pixel(*point) - middle for point in points])
    zoom = 1.0 if size == "GAME" else shown[0, 0] / wanted[0, 0]
    np.testing.assert_allclose(shown, zoom * wanted, atol=2e-3 * zoom)
    assert size == "GAME" or zoom > 3


def test_the_camera_of_the_sequel_outdoors(view: ModuleType) -> None:
    """600 pixels to a distance of 1 on 640 x 480, 10500 units behind the character's middle and 26.4 degrees above it."""
    OPS.import_anim.lba(filepath=str(SAMPLES / "lba2/RESS.HQR"), entities="0")
    obj: Any = bpy.context.object
    scene: Any = bpy.context.scene
    mesh = next(child for child in obj.children_recursive if child.name.endswith("mesh"))
    heights = [vertex.co.z for vertex in mesh.data.vertices] + [
        end.z for bone in obj.data.bones for end in (bone.head_local, bone.tail_local)
    ]
    OPS.retro_anim.game_view(where="OUTDOORS", size="GAME")
    bpy.context.view_layer.update()
    middle, steps = (max(heights) + min(heights)) / 2, np.radians(300 / 4096 * 360)
    eye = np.array([0, 10.5 * np.cos(steps), middle + 10.5 * np.sin(steps)])
    ahead, above = np.array([0, -np.cos(steps), -np.sin(steps)]), np.array([0, -np.sin(steps), np.cos(steps)])
    for point in ((0.0, 0.0, 0.0), (0.5, -2.0, 1.2), (-3.0, 1.0, 0.1)):
        away = np.array(point) - eye
        at = world_to_camera_view(scene, scene.camera, obj.matrix_world @ Vector(point))
        shown = [at.x * 640 - 320, at.y * 480 - 240]
        np.testing.assert_allclose(shown, 600 * np.array([-away[0], away @ above]) / (away @ ahead), atol=0.05)
    OPS.retro_anim.game_view()
    imported("oni")
    with pytest.raises(RuntimeError, match="has one camera: choose Indoors"):
        OPS.retro_anim.game_view(where="OUTDOORS")


def test_the_look_of_the_game_for_what_is_shown(view: ModuleType) -> None:
    obj = imported("lba")
    (mesh,) = [child for child in obj.children if child.type == "MESH" and child.name.endswith("mesh")]
    mesh.data.vertices[0].co.z += 0.25
    OPS.retro_anim.game_view()
    (drawn,) = [child for child in obj.children if child.name.startswith("Game View") and child.name.endswith("mesh")]
    assert mesh.hide_viewport and not drawn.hide_viewport
    assert any(node.type == "GROUP" for slot in drawn.data.materials for node in slot.node_tree.nodes)
    old, new = ({tuple(np.round(vertex.co, 3)) for vertex in each.data.vertices} for each in (mesh, drawn))
    assert old == new, "as edited"


@pytest.mark.parametrize("rides", [False, True])
def test_root_motion_goes_on_with_each_repetition(view: ModuleType, monkeypatch: pytest.MonkeyPatch, rides: bool) -> None:
    """rides: the character hangs on a bone that is posed, as on a mount."""
    obj = imported("lba")
    if rides:
        mount = rigs.build("mount")
        obj.parent, obj.parent_type, obj.parent_bone = mount, "BONE", "hips"
        mount.pose.bones["hips"].rotation_mode = "XYZ"
        mount.pose.bones["hips"].rotation_euler = 0.2, 1.3, 0.1
    walk = next(action for action in bpy.data.actions if "walk" in action.name.lower())
    obj.animation_data.action = walk
    start, end = walk.frame_range
    bpy.context.scene.frame_set(int(start))
    first = obj.matrix_world.translation.copy()
    bpy.context.scene.frame_set(int(end))
    travelled = obj.matrix_world.translation - first
    assert travelled.length > 0.1
    OPS.retro_anim.game_view()
    monkeypatch.setattr(view, "_plays", lambda: True)
    scene: Any = bpy.context.scene
    stage = bpy.data.objects["Game View Stage"]
    for repetition in (1, 2):
        scene.frame_set(int(end) - 1)
        scene.frame_set(int(start))
        bpy.context.view_layer.update()
        walked = stage.matrix_world.inverted() @ obj.matrix_world.translation - first
        np.testing.assert_allclose(walked, repetition * travelled, atol=1e-4)
        camera = bpy.data.objects["Game View Camera"]
        there = world_to_camera_view(scene, camera, obj.matrix_world.translation)
        assert there.x == pytest.approx(0.5, abs=1e-3), "the camera goes along"


def test_events_as_they_pass_and_other_clips(view: ModuleType) -> None:
    obj = imported("lba")
    action = obj.animation_data.action
    start = int(action.frame_range[0])
    for frame, name in ((start + 2, "left step"), (start + 5, "hit")):
        action.pose_markers.new(name).frame = frame
    OPS.retro_anim.game_view()
    scene: Any = bpy.context.scene
    scene.frame_set(start)
    scene.frame_set(start + 4)
    lines = view.lines(scene)
    assert lines[0] == f"{action.name}, frame 4 of {view.shown().played.end - start}" and lines[1:] == ["left step", "loop"]
    scene.frame_set(start + 5)
    assert view.lines(scene)[1:] == ["hit", "left step", "loop"]
    other = next(each for each in bpy.data.actions if each != action)
    obj.animation_data.action = other
    scene.frame_set(start + 1)
    assert view.lines(scene)[0].startswith(f"{other.name}, ")


@pytest.mark.parametrize("deleted", ["pivot", "constraint", "stage"])
def test_the_stage_is_deleted_meanwhile(view: ModuleType, capfd: pytest.CaptureFixture[str], deleted: str) -> None:
    """Other clips are shown with what is left of it, and its end removes that."""
    obj = imported("lba")
    before = blocks()
    assert OPS.retro_anim.game_view() == {"FINISHED"}
    stage, pivot = (bpy.data.objects[name] for name in ("Game View Stage", "Game View Pivot"))
    if deleted == "constraint":
        pivot.constraints.clear()
    else:
        bpy.data.objects.remove(pivot if deleted == "pivot" else stage)
    own = obj.animation_data.action
    obj.animation_data.action = next(action for action in bpy.data.actions if action != own)
    for frame in (1, 5):
        bpy.context.scene.frame_set(frame)
    assert view.lines(bpy.context.scene)[0].startswith(f"{obj.animation_data.action.name}, "), "it follows without it, too"
    obj.animation_data.action = own
    assert OPS.retro_anim.game_view() == {"FINISHED"} and blocks() == before
    assert "Traceback" not in capfd.readouterr().err


def test_others_are_given_back_under_another_name(view: ModuleType) -> None:
    """What somebody has renamed while it was shown."""
    imported("oni")
    scene = bpy.context.scene
    camera, world, cube = bpy.data.objects.new("camera", None), bpy.data.worlds.new("world"), bpy.data.objects.new("cube", None)
    for obj in (camera, cube):
        scene.collection.objects.link(obj)
    scene.camera, scene.world = camera, world
    OPS.retro_anim.game_view()
    camera.name, world.name, cube.name = "my camera", "my world", "my cube"
    OPS.retro_anim.game_view()
    assert (scene.camera, scene.world) == (camera, world)
    assert not cube.hide_viewport and not camera.hide_viewport


def test_one_that_is_linked_under_the_same_name(view: ModuleType, tmp_path: Path) -> None:
    obj, scene, path = imported("oni"), bpy.context.scene, tmp_path / "library.blend"
    own = bpy.data.objects.new("box", None)
    bpy.data.libraries.write(str(path), {own})
    other = rigs.linked(path, "box")
    scene.collection.objects.link(own)
    bpy.context.view_layer.objects.active = obj
    OPS.retro_anim.game_view()
    assert own.hide_viewport and other.hide_viewport
    OPS.retro_anim.game_view()
    assert not own.hide_viewport and not other.hide_viewport


def test_it_ends_before_saving(view: ModuleType, tmp_path: Path) -> None:
    imported("lba")
    before = blocks()
    OPS.retro_anim.game_view()
    OPS.wm.save_as_mainfile(filepath=str(tmp_path / "scene.blend"))
    assert blocks() == before and view.shown() is None


@pytest.mark.parametrize("ended", [False, True])
def test_a_body_is_written_as_it_is_without_it(view: ModuleType, tmp_path: Path, ended: bool) -> None:
    """And what was shown of it is nothing that the character has lost, or has more."""
    obj = imported("lba")
    before, alone, shown = blocks(), tmp_path / "alone.lm1", tmp_path / "shown.lm1"
    assert OPS.export_mesh.lba(filepath=str(alone)) == {"FINISHED"}
    for _ in range(2 if ended else 1):
        OPS.retro_anim.game_view()
    bpy.context.view_layer.objects.active = obj
    assert OPS.export_mesh.lba(filepath=str(shown)) == {"FINISHED"}
    assert shown.read_bytes() == alone.read_bytes() and view.shown() is None
    assert blocks().keys() == before.keys() and blocks()["objects"] == before["objects"]
    assert OPS.retro_anim.what_would_change(source="ALL") == {"FINISHED"}
    assert "Game View" not in bpy.data.texts["Retro Game Animation log"].as_string()


def test_only_for_characters_with_a_clip(view: ModuleType) -> None:
    obj = imported("mindpower")
    obj.animation_data.action = None
    before = blocks()
    with pytest.raises(RuntimeError, match="has no action: choose one of its clips"):
        OPS.retro_anim.game_view()
    assert blocks() == before


def test_the_light_is_that_of_the_games_look(part: Part) -> None:
    towards = part("io.pipeline.game_stage").direction(part("core.lba.game").GAME, *part("core.lba.game").GAME.view.light)
    look = Vector(part("io.blender.surface.materials.game_look")._TOWARDS_LIGHT)
    assert degrees(towards.angle(look)) < 0.1


class Viewport:
    """A 3D viewport's region as Blender keeps it: while it looks through a camera it looks from there, and goes on so afterwards; one that
    looks along an axis is the user's as soon as its rotation is set."""

    def __init__(self, perspective: str) -> None:
        self._rotation, self.view_location, self.view_distance = Vector((1, 0, 0, 0)), Vector((1, 2, 3)), 12.0
        self._perspective, self.is_orthographic_side_view = perspective, perspective == "ORTHO"

    @property
    def view_rotation(self) -> Any:
        return self._rotation

    @view_rotation.setter
    def view_rotation(self, value: Any) -> None:
        self._rotation, self.is_orthographic_side_view = value, False

    @property
    def view_perspective(self) -> str:
        return self._perspective

    @view_perspective.setter
    def view_perspective(self, value: str) -> None:
        if value == "CAMERA":
            self.view_rotation, self.view_location, self.view_distance = Vector((0, 1, 0, 0)), Vector((9, 9, 9)), 1.0
        self._perspective = value


class Spaces(list[Any]):
    @property
    def active(self) -> Any:
        return self[0]


def screen_of(perspective: str, local: bool = False) -> tuple[Any, Any]:
    """A screen with a viewport, and this. local: it looks through a camera of its own."""
    region, overlay, shading = Viewport(perspective), SimpleNamespace(show_overlays=True), SimpleNamespace()
    shading.type, shading.use_scene_lights, shading.use_scene_world = "SOLID", False, False
    space = SimpleNamespace(region_3d=region, overlay=overlay, shading=shading, local_view=None, use_local_camera=local, camera="its own")
    space.as_pointer, space.type = lambda: 1, "VIEW_3D"
    area = SimpleNamespace(type="VIEW_3D", spaces=Spaces([space]))
    return SimpleNamespace(areas=[area], is_animation_playing=True), space


@pytest.mark.parametrize("local", [False, True])
@pytest.mark.parametrize("perspective", ["PERSP", "ORTHO"])
def test_the_viewport_looks_from_where_it_did(view: ModuleType, monkeypatch: pytest.MonkeyPatch, perspective: str, local: bool) -> None:
    screen, space = screen_of(perspective, local)
    region, shading = space.region_3d, space.shading
    monkeypatch.setattr(view, "bpy", SimpleNamespace(data=SimpleNamespace(screens=[screen])))
    scene = SimpleNamespace(camera="the game's")
    undo = view.look_through(SimpleNamespace(window=SimpleNamespace(screen=screen), scene=scene))
    assert (region.view_perspective, shading.type, space.camera) == ("CAMERA", "MATERIAL", "the game's" if local else "its own")
    undo.close()
    assert space.camera == "its own"
    assert (region.view_perspective, region.view_distance, shading.type) == (perspective, 12.0, "SOLID")
    assert region.is_orthographic_side_view == (perspective == "ORTHO"), "Front stays Front, with its grid"
    assert region.view_rotation == Vector((1, 0, 0, 0)) and region.view_location == Vector((1, 2, 3))


def test_a_viewport_that_was_closed_meanwhile_is_left_alone(view: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    """Blender has freed it."""
    (screen, space), (rest, other) = screen_of("PERSP"), screen_of("PERSP")
    other.as_pointer = lambda: 2
    rest.areas.append(SimpleNamespace(type="CONSOLE", spaces=Spaces([SimpleNamespace(type="CONSOLE", as_pointer=lambda: 1)])))
    monkeypatch.setattr(view, "bpy", SimpleNamespace(data=SimpleNamespace(screens=[rest])))
    both = SimpleNamespace(areas=[*screen.areas, *rest.areas], is_animation_playing=True)
    view.look_through(SimpleNamespace(window=SimpleNamespace(screen=both), scene=SimpleNamespace(camera=None))).close()
    assert [each.region_3d.view_perspective for each in (space, other)] == ["CAMERA", "PERSP"]


def test_the_scene_comes_back_where_a_viewport_cannot(view: ModuleType, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(_context: Any) -> ExitStack:
        undo = ExitStack()
        undo.callback(lambda: 1 / 0)
        return undo

    imported("oni")
    before = blocks()
    monkeypatch.setattr(view, "look_through", broken)
    OPS.retro_anim.game_view()
    with pytest.raises(ZeroDivisionError):
        view.end()
    assert blocks() == before


@pytest.mark.parametrize("shown", ["shown", "of another workspace"])
def test_a_viewport_in_local_view_shows_it_too(view: ModuleType, monkeypatch: pytest.MonkeyPatch, shown: str) -> None:
    """What is new stands in none, as does what is hidden; its end takes out what it has put in, unless that is gone, or no window shows the
    viewport any more, of which Blender crashes."""
    local: set[str] = {"character"}

    def of(name: str, hide_viewport: bool = False) -> Any:
        def put(_space: Any, there: bool) -> None:
            (local.add if there else local.discard)(name)

        return SimpleNamespace(name=name, hide_viewport=hide_viewport, local_view_get=lambda _space: name in local, local_view_set=put)

    objects = {obj.name: obj for obj in (of("character"), of("floor"), of("light"), of("cube", hide_viewport=True))}
    windows = [SimpleNamespace(screen="shown")]
    context = SimpleNamespace(window_manager=SimpleNamespace(windows=windows))
    monkeypatch.setattr(view, "bpy", SimpleNamespace(data=SimpleNamespace(objects=objects), context=context))
    space = SimpleNamespace(local_view=object(), id_data=shown)
    undo = [*view._into_local_view(objects.values(), space)]
    assert local == {"character", "floor", "light"}
    del objects["light"]
    for each in undo:
        each(space)
    assert local == ({"character", "light"} if shown == "shown" else {"character", "floor", "light"})


@pytest.mark.parametrize("last", ["undo", "redo"])
def test_undo_brings_back_nothing_of_it(view: ModuleType, last: str) -> None:
    """Of steps that were taken while it was shown: the scene is as it was before, and the steps' own work stays."""
    imported("lba")
    scene = bpy.context.scene
    bpy.ops.ed.undo_push(message="before")
    before, camera, size = blocks(), scene.camera and scene.camera.name, scene.render.resolution_x
    hidden = {obj.name: obj.hide_viewport for obj in scene.objects}
    OPS.retro_anim.game_view()
    for number in range(2):
        bpy.context.view_layer.objects.active["step"] = number + 1
        bpy.ops.ed.undo_push(message=f"meanwhile {number}")
    OPS.retro_anim.game_view()
    bpy.ops.ed.undo_push(message="after")
    for name in ("undo", "undo") if last == "undo" else ("undo", "undo", "redo"):
        getattr(bpy.ops.ed, name)()
    scene = bpy.context.scene
    assert (blocks(), scene.camera and scene.camera.name) == (before, camera) and scene.render.resolution_x == size
    assert {obj.name: obj.hide_viewport for obj in scene.objects} == hidden
    assert bpy.context.view_layer.objects.active["step"] == (1 if last == "undo" else 2)


def test_the_end_begins_nothing_when_it_is_adjusted(view: ModuleType) -> None:
    """As with another Size in the operator's panel: Blender takes it back, and calls it once more with what it was."""
    imported("lba")
    bpy.ops.ed.undo_push(message="before")
    for _ in range(2):
        OPS.retro_anim.game_view("EXEC_DEFAULT", True)  # with a step of undo, as in the window
    ended = bpy.context.window_manager.operators[-1].properties
    given = {"ends": ended.ends, "where": ended.where}
    bpy.ops.ed.undo()
    assert OPS.retro_anim.game_view(**{**given, "size": "GAME"}) == {"FINISHED"}
    assert view.shown() is None and "Game View Camera" not in bpy.data.objects


def test_what_another_session_has_left_is_left_alone(view: ModuleType, part: Part, monkeypatch: pytest.MonkeyPatch) -> None:
    """In a file that Blender has saved by itself: of its numbers nobody knows whose they are now."""
    imported("oni")
    module = part("io.pipeline.scene_before")
    OPS.retro_anim.game_view()
    shown = blocks()
    view._forget()
    with monkeypatch.context() as later:
        later.setattr(module, "_SESSION", "later")
        module.clear()
    assert blocks() == shown
    module.clear()
    assert not any(name.startswith("Game View") for names in blocks().values() for name in names)


def test_below_what_is_scaled_to_nothing(view: ModuleType, capfd: pytest.CaptureFixture[str]) -> None:
    """One line; and a picture of nothing where it is scaled so while one looks."""
    obj, above = imported("lba"), bpy.data.objects.new("above", None)
    bpy.context.scene.collection.objects.link(above)
    obj.parent = above
    above.scale = 0, 0, 0
    bpy.context.view_layer.update()
    with pytest.raises(RuntimeError, match="is scaled to nothing"):
        OPS.retro_anim.game_view()
    above.scale = 1, 1, 1
    bpy.context.view_layer.update()
    assert OPS.retro_anim.game_view() == {"FINISHED"}
    above.scale = 0, 0, 0
    obj.animation_data.action = obj.animation_data.action.copy()
    for frame in (1, 20, 1):
        bpy.context.scene.frame_set(frame)
    assert "Traceback" not in capfd.readouterr().err
