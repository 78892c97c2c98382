"""An animation put into a character's collection, or taken out."""

from pathlib import Path
from typing import Any

import bpy
from bpy.props import EnumProperty, IntProperty, StringProperty
from bpy.types import Context, Event, Operator

from ...io.oni.fields import properties
from ..shared import job
from ..shared.layout import allowed, ask, split_layout
from ..shared.panel import active_action, active_armature
from .actions import shown


def _collections(self: Any, _context: Context, _typed: str) -> list[str]:
    """The collections of the file."""
    from ...core.oni import collection

    return sorted(collection.collections(bpy.path.abspath(self.file))) if self.file else []


class RETRO_ANIM_OT_oni_collect(Operator):
    """Put the active animation into a character's collection (TRAC), without which the game plays it by its name alone, or take it out. A
    collection of a level is written as a .oni beside the animation, which OniSplit imports with it"""

    bl_idname = "retro_anim.oni_collect"
    bl_label = "Put Into Collection"

    file: StringProperty(name="File", description="A .oni with the collection, or a level (.dat)")
    collection: StringProperty(name="Collection", description="Its name in that level; of a .oni its first", search=_collections)
    weight: IntProperty(
        name="Weight",
        description="How often the game chooses it, compared with others of the same type and states; most have 100",
        default=100,
        min=1,
        max=0x7FFF,
    )
    how: EnumProperty(name="Action", items=(("ADD", "Add", "Or give it another weight"), ("REMOVE", "Remove", "")))

    @classmethod
    def poll(cls, context: Context) -> bool:
        group = shown(active_action(context))
        return allowed(cls, group is not None and hasattr(group, "attacks"), "Needs an animation of Oni's characters")

    def invoke(self: Any, context: Context, event: Event) -> Any:
        from ...io.oni.fields import copied_fields

        self.file = self.file or copied_fields.likely_file(active_action(context), active_armature(context), "TRAC")
        return ask(self, context, width=460)

    def draw(self: Any, context: Context) -> None:
        layout = split_layout(self)
        for name in ("file", "collection", "weight", "how"):
            layout.prop(self, name)

    def execute(self: Any, context: Context) -> Any:
        from ...core.oni import collection
        from ...io.pipeline.destination import targets

        action = active_action(context)
        assert action is not None
        source = f"{bpy.path.abspath(self.file)}#{self.collection}" if self.collection else bpy.path.abspath(self.file)
        if not source:
            self.report({"ERROR"}, "no file was given")
            return {"CANCELLED"}
        home = targets.home(action)
        folder = str(Path(home).absolute().parent) if home else ""
        called = Path(home).stem  # OniSplit goes by the name of the file
        name = called if called.startswith("TRAM") else properties.instance_name(str(shown(action).name) or action.name, "TRAM")
        removed = self.how == "REMOVE"
        result = job.run(self, context, lambda: collection.collect(source, name, folder, self.weight, removed))
        if result is None:
            return {"CANCELLED"}
        what = f"without {name}" if removed else f"with {name}"
        self.report({"INFO"}, f"written: {result.path}, {what}, {len(result.names)} animations")
        return {"FINISHED"}


CLASSES = (RETRO_ANIM_OT_oni_collect,)
