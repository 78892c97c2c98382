"""New characters of Tales of Pirates, new actions for its action table, and dummies for its slots."""

from collections import Counter
from itertools import islice
from pathlib import Path
from typing import Any

import bpy
from bpy.props import BoolProperty, EnumProperty, IntProperty, StringProperty
from bpy.types import Context, Event, Object, Operator

from ...core import looking
from ...core.declare import options
from ...core.mindpower.game import GAME, SLOTS, CharacterOptions, slot_name
from ...core.reporting.errors import RetroAnimError, of_system
from ..shared import declared, job, messages, preferences
from ..shared.layout import allowed, ask, draw_whole, split_layout, with_placeholder
from ..shared.panel import active_action, active_armature

_SLOTS = tuple((str(number), slot_name(number), "") for number in range(len(SLOTS)))


def _bones(obj: Any) -> Any:
    """Of an armature object."""
    return obj.data.bones


class RETRO_ANIM_OT_mindpower_new_action(Operator):
    """Make the action a new one of the character: the export puts it behind the others, under this number of the action table"""

    bl_idname = "retro_anim.mindpower_new_action"
    bl_label = "As a New Action"
    bl_options = {"UNDO"}

    number: IntProperty(name="Number", description="In the action table", default=1, min=1)

    @classmethod
    def poll(cls, context: Context) -> bool:
        from ...io.mindpower import marks

        fine = active_action(context) is not None and marks.is_figure(active_armature(context))
        return allowed(cls, fine, f"Needs a character of {GAME.label} that is active, with a clip")

    def invoke(self, context: Context, event: Event) -> Any:
        return ask(self, context)

    def execute(self, context: Context) -> Any:
        from ...io.mindpower import marks

        action = active_action(context)
        assert action is not None
        marks.make_new(action, self.number, active_armature(context))
        return {"FINISHED"}


class RETRO_ANIM_OT_mindpower_dummy(Operator):
    """Put a dummy on the active bone: an empty where weapons and effects of the game are attached"""

    bl_idname = "retro_anim.mindpower_dummy"
    bl_label = "Add Dummy"
    bl_options = {"UNDO"}

    slot: EnumProperty(
        name="Slot", description="Where on the body it is for the client, which hangs weapons and effects there", items=_SLOTS
    )

    @classmethod
    def poll(cls, context: Context) -> bool:
        obj = active_armature(context)
        return allowed(cls, obj is not None and _bones(obj).active is not None, "Needs an active bone")

    def invoke(self, context: Context, event: Event) -> Any:
        return ask(self, context)

    def execute(self, context: Context) -> Any:
        from ...io.mindpower.figure import dummies

        obj = active_armature(context)
        assert obj is not None
        dummies.add(context, obj, _bones(obj).active.name, int(self.slot))
        return {"FINISHED"}


_known: dict[str, tuple[tuple[tuple[str, str], ...], str]] = {}
"""By its folder the client that was asked for last: the fields ask with each letter. A dialog that opens reads anew."""


def _listed(directory: str) -> tuple[tuple[tuple[str, str], ...], str]:
    """The characters of a client, as they are typed, each with a further mark: by name, or by number where two have one name. And why there
    are none, or not all, "" for nothing."""
    from ...core.mindpower.client.client_files import Client
    from ...core.reporting import log

    path = bpy.path.abspath(directory)
    if path not in _known:
        _known.clear()
        with log.collect() as said:
            try:
                with of_system():
                    client = Client.of(path, anywhere=True) if path else None
                    rows = client.rows if client is not None else ()
            except RetroAnimError as error:
                rows = ()
                log.warning(str(error))
        names = Counter(row.name for row in rows)
        entries = ((row.name, f"id={row.id}") if names[row.name] == 1 else (f"id={row.id}", row.name) for row in rows)
        _known[path] = (tuple(entries), "; ".join(said.digest("WARNING")[:1]))
    return _known[path]


def _characters(owner: Any, _context: Context, text: str) -> list[tuple[str, str]]:
    """Those of the client that is typed."""
    from ..shared.nearby import MOST

    rows, _ = _listed(owner.directory)
    return list(islice((each for each in rows if text.lower() in " ".join(each).lower()), MOST))


_SUGGESTED: dict[str, Any] = {"search": _characters, "search_options": {"SUGGESTION"}}


_NEW = "retro_anim.mindpower_character"


@declared.with_options(CharacterOptions)
class RETRO_ANIM_OT_mindpower_character(Operator):
    """Write a new character into a client of the game, under a number of its own: skeleton, meshes, textures, and its rows in the list of
    characters and the action table, all or none; a backup of each table is kept"""

    bl_idname = _NEW
    bl_label = "New Character"
    bl_options = {"UNDO"}

    directory: StringProperty(
        name="Client", description="The client's folder", options={"SKIP_SAVE"}, **declared.suggesting((), folders=True)
    )
    entry: StringProperty(
        name="Copy Of",
        description="A character of the client, such as 88, Attendant or id=15. Empty: the active armature, as it is now",
        options={"SKIP_SAVE"},
        **_SUGGESTED,
    )
    like: declared.property_of(options.declared(CharacterOptions)["like"], **_SUGGESTED)
    in_window = False
    """Whether somebody opened its dialog. No property: neither a script nor a redo sets it."""

    def invoke(self: Any, context: Context, event: Event) -> Any:
        """A character that came from a client goes there, another one into the client that was opened last; else one is chosen first."""
        _known.clear()
        self.in_window = True
        declared.restore(self, _NEW, active_armature(context))
        self.directory = self.directory or _client_of(active_armature(context)) or _last_client(context)
        if self.directory:
            return ask(self, context, width=420)
        ops: Any = bpy.ops
        messages.begun(self, ops.retro_anim.mindpower_client)
        return {"CANCELLED"}  # this one: the other asks again, with a folder

    def draw(self: Any, context: Context) -> None:
        layout, obj = split_layout(self), active_armature(context)
        layout.prop(self, "directory")
        if problem := _listed(self.directory)[1]:
            draw_whole(layout, problem, None, icon="ERROR")
        with_placeholder(layout, self, "entry", obj.name if obj is not None else "a character of the client", labelled=True)
        own = obj is not None and not self.entry.strip()
        declared.draw(layout, self, CharacterOptions, "name", obj.name if own else "")
        declared.draw(layout, self, CharacterOptions, "like", "the first monster" if own and not _client_of(obj) else "")
        header, body = layout.panel("retro_anim_mindpower_numbers", default_closed=True)
        header.label(text="Numbers: the first free ones" if not any(getattr(self, name) for name in _NUMBERS) else "Numbers")
        for name in _NUMBERS if body else ():
            declared.draw(body, self, CharacterOptions, name)

    def execute(self: Any, context: Context) -> Any:
        from ...io.mindpower import new_character

        asked = CharacterOptions(**declared.values(CharacterOptions, self))
        path = bpy.path.abspath(self.directory or _client_of(active_armature(context)))
        if not path:
            self.report({"ERROR"}, "choose the client's folder")
            return {"CANCELLED"}
        if self.in_window:
            declared.keep(self, _NEW, active_armature(context), ("directory", "entry", *declared.properties(CharacterOptions)))
        result = job.run(
            self, context, lambda: new_character.copy_or_make(context, path, self.entry, asked), summary=lambda result: result.summary
        )
        if result is None:
            return {"CANCELLED"}
        declared.forget(_NEW)
        return {"FINISHED"}


class RETRO_ANIM_OT_mindpower_client(Operator):
    """Choose the client's folder that the new character goes into"""

    bl_idname = "retro_anim.mindpower_client"
    bl_label = "Choose Client"
    bl_options = {"INTERNAL"}

    directory: StringProperty(name="Client", subtype="DIR_PATH", options={"SKIP_SAVE"})
    filter_folder: BoolProperty(default=True, options={"HIDDEN"})

    def invoke(self, context: Context, event: Event) -> Any:
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def draw(self: Any, context: Context) -> None:
        draw_whole(self.layout, "The client's folder: the one with animation, model, scripts and texture in it", context.region)

    def execute(self: Any, context: Context) -> Any:
        ops: Any = bpy.ops
        messages.begun(self, ops.retro_anim.mindpower_character, directory=self.directory)
        return {"FINISHED"}


_NUMBERS = ("number", "id", "action_type")
"""Which hardly anybody wants to choose."""


def _client_of(obj: Object | None) -> str:
    """The client that a character came from, as far as its path says so: `CLIENT/animation/0088.lab`."""
    from ...io.blender import source_data

    origin = source_data.origin(obj.data) if obj is not None and obj.data is not None else None
    if origin is None:
        return ""
    folder = Path(origin[0]).parent
    return str(folder.parent) if folder.name.lower() == "animation" and looking.is_folder(folder) else ""


def _last_client(context: Context) -> str:
    """The client that was opened last; "" where there is none any more."""
    from ...core.mindpower.client.client_files import Client

    clients = (Client.of(path, anywhere=True) for path in preferences.opened(context, GAME.id))
    return next((str(client.root) for client in clients if client is not None), "")


CLASSES = (
    RETRO_ANIM_OT_mindpower_new_action,
    RETRO_ANIM_OT_mindpower_dummy,
    RETRO_ANIM_OT_mindpower_character,
    RETRO_ANIM_OT_mindpower_client,
)
