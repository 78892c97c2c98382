"""What the last run said: a list in the side panel, whose lines lead to the bone and the frame that they speak of, and a text."""

from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, FloatProperty, IntProperty, PointerProperty, StringProperty
from bpy.types import Context, Operator, PropertyGroup, UIList

from ...core.reporting.labels import first_few, line
from ...io.blender import register_property
from .layout import beginning

if TYPE_CHECKING:
    from collections.abc import Collection

    from ...core.reporting import log
    from ...io.pipeline.message_context import Pointer

TEXT = "Retro Game Animation log"
"""Name of the text that holds every message of the last run."""

_SAID = "retro_anim_said"
"""Property of the text: the sum of what it says. Undo takes the text back, and the list, which is no part of the scene, stays."""

MOST_ROWS = 6
"""Of the list; of more messages it has a scroll bar."""

WHERE = "N > Retro Anim"
"""Where a person finds the list."""

_MOST = 2000
"""Lines of the list. The text has all of them."""

_NAMED = 12
"""Clips or files that a line names of those of which the same was said, and leads to, one after the other. The text names all of them."""

_last: "list[log.Message]" = []
"""Of the last run, as they were said."""

_faults: list[str] = []
"""Tracebacks of what should never happen: the last one, for a report."""

_ICONS = {"ERROR": "CANCEL", "WARNING": "ERROR", "INFO": "INFO"}
_ORDER: "tuple[log.Level, ...]" = ("ERROR", "WARNING", "INFO")


class RetroAnimMessage(PropertyGroup):
    """One message. `name` is its text, `short` the same as its row shows it; the others what it speaks of,
    empty where that is nothing in the scene. further: as JSON of what the same was said, besides."""

    short: StringProperty()
    level: EnumProperty(items=[(level, level.title(), "") for level in _ORDER])
    further: StringProperty()
    obj: StringProperty()
    action: StringProperty()
    bone: StringProperty()
    frame: FloatProperty()
    has_frame: BoolProperty()


class RetroAnimMessages(PropertyGroup):
    """Of the last run; not saved with a file. said: the sum of their text, "" where no text has them. aside: see `keep`."""

    said: StringProperty()
    aside: BoolProperty()
    lines: CollectionProperty(type=RetroAnimMessage)
    index: IntProperty(name="Message", description="Its whole text is shown below")


def begun(operator: Any, call: Any, **given: Any) -> None:
    """Begin another operator, in the window where there is one. What it refuses is this one's error, and no traceback. What it says of
    itself is not for this one to return: Blender keeps in memory whatever says that it is running, and is not."""
    try:
        call("INVOKE_DEFAULT", **given)
    except RuntimeError as error:
        operator.report({"ERROR"}, line(str(error).removeprefix("Error: ").strip()))


def keep(context: Context, said: "log.Log", failed: bool = False, aside: bool = False) -> None:
    """Show these messages instead of those of the run before. failed: whether nothing came of it, so that the file gets no new text. aside:
    whether they are of no run, but of a look at something or a step of a person's own work: where that says nothing, what a run said stays,
    and what another one of these said goes."""
    kept: Any = getattr(context.window_manager, "retro_anim_messages", None)
    if kept is None or (aside and not said.messages and not kept.aside):
        return
    kept.aside = aside
    kept.lines.clear()
    kept.index, kept.said = 0, ""
    _last[:] = said.messages
    known = bpy.data.texts.get(TEXT)
    if not said.messages:
        if known is not None:
            known.clear()
        return
    text = known or (None if failed else bpy.data.texts.new(TEXT))
    if text is not None:
        from zlib import crc32

        whole = "".join(f"{each.level.title()}: {line(str(each))}\n" for each in _sorted(said))
        text.from_string(whole)
        kept.said = text[_SAID] = f"{crc32(whole.encode(errors='replace')):x}"
    from ...io.pipeline import message_context

    present = message_context.Scene(context)
    for same in folded(_sorted(said))[:_MOST]:
        _add(kept.lines.add(), same, [present.pointer(message) for message in same[:_NAMED]])


def names(context: Context, action: str, remedy: str) -> bool:
    """Whether the list, as of now, says of a clip that this button helps."""
    said = [message for message in _last if remedy in message.text]
    return bool(said) and not is_undone(context) and len(_without(context, [action], said)) < len(said)


def renew(context: Context, actions: "Collection[str]", said: "log.Log") -> None:
    """Show these messages of clips, which were mended, instead of those of the last run; what that said of others stays."""
    said.messages += [] if is_undone(context) else _without(context, actions, _last)
    keep(context, said)


def _without(context: Context, actions: "Collection[str]", said: "list[log.Message]") -> "list[log.Message]":
    """What was said of anything but these clips."""
    from ...io.pipeline import message_context

    present = message_context.Scene(context)
    return [message for message in said if present.pointer(message).action not in actions]


def is_undone(context: Context) -> bool:
    """Whether undo, or another file that was opened, has taken away the text with these messages: the scene is another one now."""
    manager: Any = context.window_manager
    kept, text = manager.retro_anim_messages, bpy.data.texts.get(TEXT)
    return kept.said != "" and (text is None or text.get(_SAID) != kept.said)


def keep_fault(context: Context, said: "log.Log", error: Exception) -> None:
    """An exception that nobody expects, as it is handled: shown with what was said before it, and kept for a report."""
    import traceback

    from ...core.reporting import log

    _faults[:] = [traceback.format_exc()]
    text = f"a fault of the extension ({type(error).__name__}: {error}): Copy for a Report, below, copies what whoever mends it needs"
    said.messages.append(log.Message("ERROR", text))
    keep(context, said, failed=True)


def of_last_run(context: Context) -> list[str]:
    """Its messages as lines, and the last fault."""
    manager: Any = context.window_manager
    return [*(f"{item.level.title()}: {item.name}" for item in manager.retro_anim_messages.lines), *_faults]


def _sorted(said: "log.Log") -> "list[log.Message]":
    """The worst first, and each once."""
    return sorted(dict.fromkeys(said.messages), key=lambda message: _ORDER.index(message.level))


def folded(messages: "list[log.Message]") -> "list[list[log.Message]]":
    """What was said in the same words of one clip or file after the other, together."""
    groups: dict[object, list[log.Message]] = {}
    for message in messages:
        groups.setdefault((message.level, message.text, message.bone), []).append(message)
    return list(groups.values())


def text_of(same: "list[log.Message]") -> str:
    """The whole text of messages in the same words: what they are about behind it, where they are several."""
    if len(same) == 1:
        return line(str(same[0]))
    about = list(dict.fromkeys(_name(message.where) for message in same if message.where))
    named = f": {first_few(about, _NAMED)}" if about else ""
    rest = f"; all are in the text {TEXT}" if len(about) > _NAMED else ""
    return f"{line(same[0].text)} ({len(same)} times{line(named)}{rest})"


def _add(item: Any, same: "list[log.Message]", pointers: "list[Pointer]") -> None:
    first = same[0]
    item.name, item.level = text_of(same), first.level
    item.short = line(f"{len(same)} × {first.text}" if len(same) > 1 else _short(first, pointers[0]))
    usable = [pointer for pointer in pointers if pointer.obj] or pointers[:1]
    _point(item, usable[0])
    if usable[1:]:
        item.further = _as_json(usable[1:])


def _point(item: Any, pointer: "Pointer") -> None:
    item.obj, item.action, item.bone = pointer.obj, pointer.action, pointer.bone
    item.has_frame, item.frame = pointer.frame is not None, pointer.frame or 0.0


def _as_json(pointers: "list[Pointer]") -> str:
    import json

    return json.dumps([[pointer.obj, pointer.action, pointer.bone, pointer.frame] for pointer in pointers])


def _go_on(item: Any, pointer: "Pointer") -> None:
    """The line leads to the next one of which the same was said; after the last one, here, it is the first one again."""
    if item.further:
        import json

        following, *rest = [type(pointer)(*each) for each in json.loads(item.further)]
        item.further = _as_json([*rest, pointer])
        _point(item, following)


def _name(about: str) -> str:
    """What a message is about, of a file without its folder and of an entry without its file."""
    return without_folder(f"{about}: ").removesuffix(": ")


def _short(message: "log.Message", pointer: "Pointer") -> str:
    """A message of which a list shows the beginning: a clip is called there as in the list of clips."""
    from .clip_names import short_name

    action = bpy.data.actions.get(message.where)
    if action is None:
        return without_folder(str(message))
    return f"{short_name(action, bpy.data.objects.get(pointer.obj))}: {message.text}"


def without_folder(text: str) -> str:
    """A message of which a list shows the beginning: what it is about without the folders that it lies in, of an entry without the file."""
    about, mark, rest = text.partition(": ")
    if not mark or not PurePath(about).is_absolute():
        return text
    file, hash_mark, entry = PurePath(about).name.rpartition("#")
    shown = (f"#{entry}" if entry.isdecimal() else entry) if hash_mark and file else PurePath(about).name
    return f"{shown}{mark}{rest}"


class RETRO_ANIM_OT_show_message(Operator):
    """Select the bone that the message speaks of, with its action, and go to the frame"""

    bl_idname = "retro_anim.show_message"
    bl_label = "Show in the Scene"
    bl_options = {"UNDO", "INTERNAL"}

    index: IntProperty(options={"HIDDEN", "SKIP_SAVE"})

    @classmethod
    def description(cls, context: Context, properties: Any) -> str:
        manager: Any = context.window_manager
        lines = manager.retro_anim_messages.lines
        several = 0 <= properties.index < len(lines) and lines[properties.index].further
        return f"{cls.__doc__}. The next click shows the next one of which the same was said" if several else ""  # the class's own

    def execute(self: Any, context: Context) -> Any:
        from ...io.pipeline import message_context

        lines = context.window_manager.retro_anim_messages.lines
        if not 0 <= self.index < len(lines):
            return {"CANCELLED"}
        item = lines[self.index]
        pointer = message_context.Pointer(item.obj, item.action, item.bone, item.frame if item.has_frame else None)
        shown = message_context.go(context, pointer)
        _go_on(item, pointer)
        if not shown:
            self.report({"WARNING"}, f"{pointer.obj or pointer.action} is not in the scene any more")
            return {"CANCELLED"}
        return {"FINISHED"}


class RETRO_ANIM_OT_copy_messages(Operator):
    """Copy all messages of the last run to the clipboard"""

    bl_idname = "retro_anim.copy_messages"
    bl_label = "Copy All Messages"
    bl_options = {"INTERNAL"}

    def execute(self: Any, context: Context) -> Any:
        text = bpy.data.texts.get(TEXT)
        context.window_manager.clipboard = text.as_string() if text is not None else ""
        return {"FINISHED"}


class RETRO_ANIM_UL_messages(UIList):
    def draw_item(
        self, context: Any, layout: Any, data: Any, item: Any, icon: Any, active_data: Any, active_property: Any, index: int = 0
    ) -> None:
        row = layout.row(align=True)
        beside = 72 + 20 * bool(item.obj) + 20 * (len(data.lines) > MOST_ROWS)
        text = beginning(item.short or item.name, context.region, beside)
        row.label(text=text, icon=_ICONS.get(item.level, "INFO"), translate=False)
        if item.obj:
            row.operator("retro_anim.show_message", text="", icon="RESTRICT_SELECT_OFF", emboss=False).index = index


def register() -> None:
    register_property(bpy.types.WindowManager, "retro_anim_messages", PointerProperty(type=RetroAnimMessages, options={"SKIP_SAVE"}))


def unregister() -> None:
    del bpy.types.WindowManager.retro_anim_messages  # type: ignore[attr-defined]


CLASSES = (
    RetroAnimMessage,
    RetroAnimMessages,
    RETRO_ANIM_OT_show_message,
    RETRO_ANIM_OT_copy_messages,
    RETRO_ANIM_UL_messages,
)
