"""The lists of Tales of Pirates to choose from: the characters of a client's folder, and the meshes of a character by suit."""

from __future__ import annotations

import json
from pathlib import Path
from typing import Any

import bpy
from bpy.props import BoolProperty, CollectionProperty, IntProperty, StringProperty

from ..core.errors import RetroAnimError
from ..core.mindpower.client import Client, characters, companions
from .choose import RetroAnimEntry


def lines(path: str) -> tuple[str, list[tuple[str, str, bool]]]:
    """What there is to choose: the option that it is for, and for each line its value, its label, and whether it is chosen at first.

    Nothing for a mesh, and for a skeleton with no more than one suit. Raises RetroAnimError when it is no client's folder.
    """
    suffix = Path(path).suffix.lower()
    if suffix == ".lgo":
        return "", []
    if suffix != ".lab":
        found = [(f"id={one.id}" if one.id else str(one.number), f"{one.number:04} {one.name}", False) for one in characters(path)]
        return "entries", found
    stem = Path(path).stem
    meshes = Client.around(path).meshes.get(int(stem), []) if stem.isdecimal() and len(stem) < 10 else []
    if len({mesh.suit for mesh in meshes}) < 2:
        return "", []
    shown = set(companions(path).meshes)
    return "parts", [(str(mesh), f"suit {mesh.suit}, part {mesh.part}: {mesh.path.name}", str(mesh.path) in shown) for mesh in meshes]


class IMPORT_ANIM_OT_mindpower_choose(bpy.types.Operator):
    """Choose what to import"""

    bl_idname = "import_anim.mindpower_choose"
    bl_label = "Import Tales of Pirates"
    bl_options = {"UNDO", "INTERNAL"}

    filepath: StringProperty(options={"HIDDEN", "SKIP_SAVE"})
    options: StringProperty(options={"HIDDEN", "SKIP_SAVE"})
    option: StringProperty(options={"HIDDEN", "SKIP_SAVE"})
    choices: CollectionProperty(type=RetroAnimEntry, options={"SKIP_SAVE"})
    index: IntProperty(options={"HIDDEN", "SKIP_SAVE"})
    everything: BoolProperty(name="Everything", description="All lines of the list", options={"SKIP_SAVE"})

    def invoke(self, context: bpy.types.Context, event: bpy.types.Event) -> Any:
        try:
            self.option, found = lines(self.filepath)
        except RetroAnimError as error:
            self.report({"ERROR"}, str(error))
            return {"CANCELLED"}
        for key, label, chosen in found:
            line = self.choices.add()
            line.key, line.name, line.chosen = key, label, chosen
        if not any(line.chosen for line in self.choices) and len(self.choices):
            self.choices[0].chosen = True
        return context.window_manager.invoke_props_dialog(self, width=520)

    def draw(self, context: bpy.types.Context) -> None:
        layout = self.layout
        layout.label(text=Path(self.filepath).name)
        layout.template_list("RETRO_ANIM_UL_entries", self.option, self, "choices", self, "index", rows=12)
        layout.prop(self, "everything")

    def execute(self, context: bpy.types.Context) -> Any:
        chosen = [line.key for line in self.choices if line.chosen or self.everything]
        if not chosen:
            self.report({"WARNING"}, "nothing was chosen")
            return {"CANCELLED"}
        try:
            importers: Any = bpy.ops.import_anim
            return importers.mindpower(filepath=self.filepath, **{**json.loads(self.options), self.option: ", ".join(chosen)})
        except RuntimeError as error:
            self.report({"ERROR"}, str(error).removeprefix("Error: ").strip())
            return {"CANCELLED"}


CLASSES = (IMPORT_ANIM_OT_mindpower_choose,)
