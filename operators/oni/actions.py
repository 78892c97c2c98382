"""What the panel of Oni does with animations: fields for new ones, their lists, those put together, and into collections."""

from pathlib import Path
from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, IntProperty, StringProperty
from bpy.types import Action, Context, Event, Operator

from ...core.oni.fields import TRAM_LISTS
from ...core.oni.game import GAME
from ...core.reporting.labels import counted
from ...io.oni.fields import properties
from ..shared import job
from ..shared.layout import allowed, ask, split_layout
from ..shared.panel import OfCharacter, active_action, active_armature, animated

TITLES = {name: name.replace("_", " ").title() for name in TRAM_LISTS}
"""Of the lists of a TRAM."""

_LISTS = tuple((name, title, "") for name, title in TITLES.items())


def shown(action: Action | None) -> Any:
    """The properties of a TRAM or an OBAN, None for other actions."""
    for kind in (properties.TRAM, properties.OBAN):
        group = getattr(action, kind, None)
        if group is not None and group.present:
            return group
    return None


class RETRO_ANIM_OT_oni_line(Operator):
    """Add a line to a list of the active action's details, or remove the last one"""

    bl_idname = "retro_anim.oni_line"
    bl_label = "Add or Remove a Line"
    bl_options = {"UNDO", "INTERNAL"}

    what: EnumProperty(name="List", items=_LISTS)
    how: EnumProperty(name="Action", items=(("ADD", "Add", ""), ("REMOVE", "Remove", "")))
    line: IntProperty(name="Line", default=-1)

    @classmethod
    def poll(cls, context: Context) -> bool:
        group = shown(active_action(context))
        return allowed(cls, group is not None and hasattr(group, "attacks"), "Needs an animation of Oni's characters")

    def execute(self, context: Context) -> Any:
        from ...io.oni.fields import markers

        action = active_action(context)
        assert action is not None
        lines = getattr(shown(action), self.what)

        def change() -> bool:
            markers.take_over(action)
            if self.how == "ADD":
                lines.add()
            elif len(lines):
                lines.remove(self.line if 0 <= self.line < len(lines) else len(lines) - 1)
            markers.update(action)
            return True

        return {"FINISHED"} if job.run(self, context, change) else {"CANCELLED"}


def _names(self: Any, context: Context, _typed: str) -> list[str]:
    """The animations of the file, of the kind that moves the active object."""
    from ...io.oni.fields import copied_fields

    return copied_fields.animations(bpy.path.abspath(self.file), _tag(context)) if self.file else []


def _objects(self: Any, _context: Context, _typed: str) -> list[str]:
    """The object animations of the file."""
    from ...io.oni.fields import copied_fields

    return copied_fields.animations(bpy.path.abspath(self.file), "OBAN") if self.file else []


def _tag(context: Context) -> str:
    character = active_armature(context)
    return "TRAM" if character is not None and character.type == "ARMATURE" else "OBAN"


class _Describing:
    """Gives the active action the fields of an animation of the game. file: a level or a .oni. animation: an instance of it."""

    bl_options = {"UNDO"}

    file: StringProperty(
        name="File",
        description="A level (.dat) or a .oni with the animation whose fields the new one gets, or beside it; empty for none",
    )
    animation: StringProperty(
        name="Like", description="The animation of that level, or of a .oni's folder; empty: the first of that .oni itself", search=_names
    )

    def invoke(self: Any, context: Context, event: Event) -> Any:
        from ...io.oni.fields import copied_fields

        self.file = self.file or copied_fields.likely_file(active_action(context), active_armature(context))
        return ask(self, context, width=460)

    def draw(self: Any, context: Context) -> None:
        layout = split_layout(self)
        layout.prop(self, "file")
        layout.prop(self, "animation")
        if not self.needs_one and not _path(self) and _tag(context) == "TRAM":
            layout.label(text=f"If {_nothing_chosen(self)},", icon="ERROR")
            layout.label(text=_UNPLAYED, icon="BLANK1")

    def execute(self: Any, context: Context) -> Any:
        from ...io.oni.fields import copied_fields

        action = active_action(context)
        assert action is not None
        path = _path(self)
        if self.needs_one and not path:
            self.report({"ERROR"}, _nothing_chosen(self))
            return {"CANCELLED"}
        record = job.run(self, context, lambda: copied_fields.describe(action, animated(context), path, self.animation))
        if record is None:
            return {"CANCELLED"}
        if not path and hasattr(record, "from_state"):
            self.report({"WARNING"}, f"{action.name}: {_nothing_chosen(self)}: {_UNPLAYED}")
        return {"FINISHED"}


_UNPLAYED = "type and states stay None, so that the game never plays it"


def _path(choice: Any) -> str:
    """The file of the animation that was chosen; "" for none: of a level none is meant without a name, of any other file the first."""
    path = bpy.path.abspath(choice.file) if choice.file else ""
    return "" if path.lower().endswith(".dat") and not choice.animation else path


def _nothing_chosen(choice: Any) -> str:
    name = bpy.path.basename(choice.file)
    return f"no animation of {name} is chosen" if name else "no file is chosen"


class RETRO_ANIM_OT_oni_new(_Describing, Operator):
    """Give the active action the properties of an Oni animation, those of another one if that is chosen, so that the game knows when to
    play it"""

    bl_idname = "retro_anim.oni_new"
    bl_label = "Make It an Oni Animation"
    needs_one = False

    @classmethod
    def poll(cls, context: Context) -> bool:
        action = active_action(context)
        return allowed(cls, action is not None and shown(action) is None, "Needs a clip that is no animation of Oni yet")


class RETRO_ANIM_OT_oni_like(_Describing, Operator):
    """Give the active action type, states, variant, interpolation, attacks, sounds and all other fields of another animation; its motion
    stays"""

    bl_idname = "retro_anim.oni_like"
    bl_label = "New Animation Like"
    needs_one = True

    @classmethod
    def poll(cls, context: Context) -> bool:
        return allowed(cls, active_action(context) is not None, "Needs a clip: the active object shows none")


class RETRO_ANIM_OT_oni_together(OfCharacter, Operator):
    """Let an object animation carry the active character as the game does (chr_envanim), or look at it as the camera: the selected object
    with one, or one of a file. Both are exported as before, each to its own file"""

    bl_idname = "retro_anim.oni_together"
    bl_label = "Put Together With Object"
    game = GAME
    bl_options = {"UNDO"}

    file: StringProperty(
        name="File", description="A level (.dat) or a .oni with the object animation, or beside it; empty for the selected object"
    )
    animation: StringProperty(
        name="Object Animation",
        description="The animation of that level, or of a .oni's folder; empty: the first of that .oni itself",
        search=_objects,
    )
    camera: BoolProperty(name="As a Camera", description="It looks at the character instead of moving it")
    real_world: BoolProperty(
        name="Set RealWorld",
        description="The flag of the character's animation without which the game moves it by itself, too",
        default=True,
    )

    def invoke(self: Any, context: Context, event: Event) -> Any:
        from ...io.oni import with_object
        from ...io.oni.fields import copied_fields

        character = active_armature(context)
        assert character is not None
        if with_object.partner_of(context, character) is not None:
            return self.execute(context)
        self.file = self.file or copied_fields.likely_file(active_action(context), active_armature(context))
        return ask(self, context, width=460)

    def draw(self: Any, context: Context) -> None:
        layout = split_layout(self)
        for name in ("file", "animation", "camera", "real_world"):
            layout.prop(self, name)

    def execute(self: Any, context: Context) -> Any:
        from ...io.oni import with_object
        from ...io.oni.fields import copied_fields

        obj = active_armature(context)
        assert obj is not None
        path = bpy.path.abspath(self.file) if self.file else ""

        def work() -> bool:
            from ...core.reporting.errors import ExportError

            address = copied_fields.holding(path, self.animation) if path else ""
            other = with_object.opened(context, obj, address, self.camera) if path else with_object.partner_of(context, obj)
            if other is None:
                raise ExportError("select the object with the object animation besides the character, or give a file")
            with_object.put_together(context, obj, other, self.real_world)
            return True

        return {"FINISHED"} if job.run(self, context, work) else {"CANCELLED"}


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
        self.report({"INFO"}, f"written: {result.path}, {what}, {counted(len(result.names), 'animation')}")
        return {"FINISHED"}


CLASSES = (
    RETRO_ANIM_OT_oni_line,
    RETRO_ANIM_OT_oni_new,
    RETRO_ANIM_OT_oni_like,
    RETRO_ANIM_OT_oni_together,
    RETRO_ANIM_OT_oni_collect,
)
