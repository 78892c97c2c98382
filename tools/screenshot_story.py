"""What happens in Blender's window for the pictures on our pages.

screenshots.py runs this file in a Blender with the extension, and takes a picture for each line "SHOOT name" that it prints.
"""

from __future__ import annotations

import os
import sys
from collections.abc import Callable
from pathlib import Path
from typing import Any

Step = Callable[[], object]


class Window:
    """What the steps do in Blender's window; it draws in between."""

    def __init__(self, samples: Path) -> None:
        import bpy as blender

        self.bpy: Any = blender
        self.samples = samples

    def story(self) -> list[Step]:
        return [
            *(self.fresh, self.widen, self.fresh, self.open_tab),
            *(lambda: self.import_("lba", "lba1/ANIM.HQR", "INVOKE_DEFAULT"), self.waits, lambda: shot("browser"), self.escape),
            *(lambda: self.import_("lba", "lba1/FILE3D.HQR", entities="0"), self.open_tab, lambda: self.frame(1), lambda: shot("clips")),
            *(self.edit, lambda: self.frame(1), lambda: shot("edited")),
            *(self.fresh, lambda: self.import_("mindpower", "mindpower/scripts/table/CharacterInfo.txt", ask=False)),
            *(self.open_tab, lambda: self.frame(5), lambda: shot("client")),
            *(self.fresh, self.retarget, lambda: self.frame(14), self.open_first, self.open_tab, lambda: shot("retarget"), self.open_first),
            *self.character(),
        ]

    def character(self) -> list[Step]:
        """A robot of primitives becomes a character of the archives, and is opened from there."""
        return [
            *(self.fresh, self.build, self.make, lambda: self.scroll(15), self.both, lambda: shot("character-made")),
            *(self.save, self.fresh, lambda: self.import_("lba", "lba2/RESS.HQR", entities="1")),
            *(
                lambda: self.scroll(15),
                lambda: self.frame(27),
                self.play,
                lambda: self.bpy.context.scene.frame_set(27),
                lambda: shot("character-game"),
            ),
        ]

    @property
    def view(self) -> Any:
        return next(area for area in self.bpy.context.window_manager.windows[0].screen.areas if area.type == "VIEW_3D")

    def inside(self, region: str = "WINDOW") -> Any:
        """The context of the 3D view, or of its side panel."""
        window, area = self.bpy.context.window_manager.windows[0], self.view
        return self.bpy.context.temp_override(window=window, area=area, region=next(each for each in area.regions if each.type == region))

    def fresh(self) -> None:
        """Nothing in a view with its side panel, both to be seen whole."""
        preferences = self.bpy.context.preferences
        preferences.view.show_splash, preferences.view.ui_scale, preferences.system.use_region_overlap = False, 1.1, False
        with self.inside():
            if self.bpy.context.mode != "OBJECT":
                self.bpy.ops.object.mode_set(mode="OBJECT")
        self.bpy.data.batch_remove([*self.bpy.data.objects, *self.bpy.data.actions, *self.bpy.data.armatures])
        space = self.view.spaces.active
        space.show_region_ui, space.show_region_toolbar, space.shading.type = True, False, "MATERIAL"
        space.region_3d.view_rotation = (0.77, 0.6, 0.13, 0.17)

    def widen(self) -> None:
        with self.inside():
            self.bpy.ops.screen.screen_full_area()

    def open_tab(self) -> None:
        next(region for region in self.view.regions if region.type == "UI").active_panel_category = "Retro Anim"
        window = self.bpy.context.window_manager.windows[0]
        window.cursor_warp(window.width // 2, window.height // 2)

    def open_first(self) -> None:
        """Fold the first panel of the tab, which is Retarget, out or in."""
        self.open_tab()
        region = next(region for region in self.view.regions if region.type == "UI")
        row = self.bpy.context.preferences.system.ui_scale * 20
        where = {"x": region.x + region.width // 3, "y": int(region.y + region.height - row)}
        window = self.bpy.context.window_manager.windows[0]
        for kind, value in (("MOUSEMOVE", "NOTHING"), ("LEFTMOUSE", "PRESS"), ("LEFTMOUSE", "RELEASE")):
            window.event_simulate(type=kind, value=value, **where)

    def scroll(self, lines: int) -> None:
        self.open_tab()
        with self.inside("UI"):
            for _ in range(lines):
                self.bpy.ops.view2d.scroll_down(deltay=-40)

    def escape(self) -> None:
        for value in ("PRESS", "RELEASE"):
            self.bpy.context.window_manager.windows[0].event_simulate(type="ESC", value=value, x=10, y=10)

    def frame(self, number: int) -> None:
        self.bpy.context.scene.frame_set(number)
        with self.inside():
            self.bpy.ops.view3d.view_selected()
        self.view.spaces.active.region_3d.view_distance *= 1.15  # heads reach beyond their bones

    def import_(self, game: str, path: str, *how: str, **options: object) -> Any:
        with self.inside():
            getattr(self.bpy.ops.import_anim, game)(*how, filepath=str(self.samples / path), **options)
        return self.bpy.context.object

    def waits(self) -> bool:
        """Whether the browser still waits for pictures of characters."""
        pictures: Any = next(module for name, module in sys.modules.items() if name.endswith("operators.files.pictures"))
        return any(pictures._waiting) or bool(pictures._finished) or (pictures._thread is not None and pictures._thread.is_alive())

    def edit(self) -> None:
        """As the guide says: in the clip in which the figure stands an arm goes up, with a key; and what that changes."""
        from mathutils import Matrix

        obj = self.bpy.context.object
        obj.animation_data.action = next(action for action in self.bpy.data.actions if action.name.endswith("stand"))
        self.bpy.context.scene.frame_set(1)
        with self.inside():
            self.bpy.ops.object.mode_set(mode="POSE")
            arm = obj.pose.bones["group 08"]  # the mannequin's right upper arm
            arm.matrix = Matrix.Translation(arm.head) @ Matrix.Rotation(2.4, 4, "Y") @ Matrix.Translation(-arm.head) @ arm.matrix
            self.bpy.context.view_layer.update()
            arm.keyframe_insert("rotation_euler")
            self.bpy.ops.retro_anim.what_would_change("EXEC_DEFAULT")

    def retarget(self) -> None:
        source = self.import_("oni", "oni/TRAMmannequin_walk.oni")
        target = self.import_("mindpower", "mindpower/animation/0001.lab")
        target.location.x += 1.5
        source.select_set(True)
        settings = self.bpy.context.scene.retro_anim_retarget
        settings.source, settings.target = source, target
        with self.inside():
            self.bpy.ops.retro_anim.retarget_map()
            self.bpy.ops.retro_anim.retarget("EXEC_DEFAULT")

    def build(self) -> None:
        """A robot: bones, and on each a box or a ball, smooth or flat, in one of three colours."""
        data = self.bpy.data.armatures.new("robot")
        rig = self.bpy.data.objects.new("robot", data)
        self.bpy.context.collection.objects.link(rig)
        self.bpy.context.view_layer.objects.active = rig
        with self.inside():
            self.bpy.ops.object.mode_set(mode="EDIT")
            for name, (head, tail, above, *_) in ROBOT.items():
                bone = data.edit_bones.new(name)
                bone.head, bone.tail, bone.parent = head, tail, data.edit_bones.get(above)
            self.bpy.ops.object.mode_set(mode="OBJECT")
            colours = {name: self.bpy.data.materials.new(name) for name in COLOURS}
            for name, value in COLOURS.items():
                tree = colours[name].node_tree
                next(node for node in tree.nodes if node.type == "BSDF_PRINCIPLED").inputs["Base Color"].default_value = (*value, 1)
            for name, (head, tail, _, width, colour) in ROBOT.items():
                middle = [(one + other) / 2 for one, other in zip(head, tail, strict=True)]
                if name == "head":
                    self.bpy.ops.mesh.primitive_uv_sphere_add(segments=12, ring_count=8, location=middle)
                    self.bpy.ops.object.shade_smooth()
                else:
                    self.bpy.ops.mesh.primitive_cube_add(location=middle)
                part = self.bpy.context.object
                part.scale = (width, width, sum((one - other) ** 2 for one, other in zip(head, tail, strict=True)) ** 0.5 / 2)
                part.rotation_mode = "QUATERNION"
                part.rotation_quaternion = data.bones[name].vector.to_track_quat("Z", "Y")
                part.data.materials.append(colours[colour])
                part.vertex_groups.new(name=name).add(range(len(part.data.vertices)), 1, "REPLACE")
                part.parent = rig
                part.modifiers.new("Armature", "ARMATURE").object = rig
        self.bpy.context.view_layer.objects.active = rig

    def make(self) -> None:
        with self.inside():
            self.bpy.ops.retro_anim.lba_make(game="lba2", height=1240, palette=str(self.samples / "lba2/RESS.HQR"))

    def both(self) -> None:
        """All in the view, the new one selected."""
        new = self.bpy.context.view_layer.objects.active
        for obj in self.bpy.data.objects:
            obj.select_set(True)
        self.frame(1)
        for obj in self.bpy.data.objects:
            obj.select_set(obj == new)

    def save(self) -> None:
        """With a walk of the mannequin, into the archives."""
        new = self.bpy.context.view_layer.objects.active
        source = self.import_("lba", "lba2/RESS.HQR", entities="0")
        walk = next(action for action in self.bpy.data.actions if "walk" in action.name)
        source.animation_data.action = walk
        for obj in self.bpy.data.objects:
            obj.select_set(obj in (source, new))
        with self.inside():
            self.bpy.ops.retro_anim.retarget("EXEC_DEFAULT", source=source.name, target=new.name, actions=walk.name)
            new.animation_data.action.name = "walk"
            self.bpy.context.view_layer.objects.active = new
            self.bpy.ops.retro_anim.lba_save(folder=str(self.samples / "lba2"), like=0)

    def play(self) -> None:
        obj = self.bpy.context.object
        obj.animation_data.action = next(action for action in self.bpy.data.actions if "walk" in action.name)
        with self.inside():
            self.bpy.ops.retro_anim.game_view()
            self.bpy.ops.screen.animation_cancel(restore_frame=False)


COLOURS = {"red": (0.6, 0.05, 0.04), "blue": (0.1, 0.2, 0.6), "skin": (0.8, 0.45, 0.3)}
ROBOT: dict[str, Any] = {
    "hips": ((0, 0, 0.9), (0, 0.01, 1.05), "", 0.13, "blue"),
    "spine": ((0, 0.01, 1.05), (0, 0, 1.42), "hips", 0.15, "red"),
    "head": ((0, 0, 1.5), (0, -0.02, 1.8), "spine", 0.13, "skin"),
}
"""Of each bone head, tail, the one that it hangs on, half the width of what is on it, and its colour."""
for _side, _x in (("L", 1), ("R", -1)):
    for _name, (_near, _far, _above, _width, _colour) in {
        "thigh": ((0.1, 0, 0.9), (0.11, -0.02, 0.5), "hips", 0.07, "blue"),
        "shin": ((0.11, -0.02, 0.5), (0.11, 0, 0.08), "thigh", 0.06, "blue"),
        "foot": ((0.11, 0, 0.06), (0.11, -0.18, 0.04), "shin", 0.05, "red"),
        "upper_arm": ((0.19, 0, 1.4), (0.42, 0.02, 1.2), "spine", 0.05, "red"),
        "forearm": ((0.42, 0.02, 1.2), (0.62, -0.04, 1.02), "upper_arm", 0.045, "red"),
        "hand": ((0.62, -0.04, 1.02), (0.7, -0.07, 0.94), "forearm", 0.05, "skin"),
    }.items():
        _on = _above if _above in ROBOT else f"{_above}.{_side}"
        ROBOT[f"{_name}.{_side}"] = ((_x * _near[0], *_near[1:]), (_x * _far[0], *_far[1:]), _on, _width, _colour)


def shot(name: str) -> None:
    print(f"SHOOT {name}", flush=True)


def run_story() -> None:
    import bpy

    steps = [*Window(Path(os.environ["RETRO_ANIM_SAMPLES"])).story(), lambda: print("\nDONE", flush=True), bpy.ops.wm.quit_blender]

    def run() -> float | None:
        if steps[0]() is not True:  # it waits for something
            steps.pop(0)
        return 2.5 if steps else None

    bpy.app.timers.register(run, first_interval=8)


if __name__ == "__main__":
    run_story()
