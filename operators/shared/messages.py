"""What the last run said: a list in the side panel, whose lines lead to the bone and the frame that they speak of, and a text."""

from pathlib import PurePath
from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, FloatProperty, IntProperty, PointerProperty, StringProperty

from ...core.reporting.labels import line
from .layout import beginning

if TYPE_CHECKING:
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

_faults: list[str] = []
"""Tracebacks of what should never happen: the last one, for a report."""

_ICONS = {"ERROR": "CANCEL", "WARNING": "ERROR", "INFO": "INFO"}
_ORDER: "tuple[log.Level, ...]" = ("ERROR", "WARNING", "INFO")


class RetroAnimMessage(bpy.types.PropertyGroup):
    """One message. `name` is its text, `short` the same without the folder of the file that it is about; the others what it speaks of,
    empty where that is nothing in the scene."""

    short: StringProperty()
    level: EnumProperty(items=[(level, level.title(), "") for level in _ORDER])
    obj: StringProperty()
    action: StringProperty()
    bone: StringProperty()
    frame: FloatProperty()
    has_frame: BoolProperty()


class RetroAnimMessages(bpy.types.PropertyGroup):
    """Of the last run; not saved with a file. said: the sum of their text, "" where no text has them."""

    said: StringProperty()
    lines: CollectionProperty(type=RetroAnimMessage)
    index: IntProperty(name="Message", description="Its whole text is shown below")


def begun(operator: Any, call: Any, **given: Any) -> None:
    """Begin another operator, in the window where there is one. What it refuses is this one's error, and no traceback. What it says of
    itself is not for this one to return: Blender keeps in memory whatever says that it is running, and is not."""
    try:
        call("INVOKE_DEFAULT", **given)
    except RuntimeError as error:
        operator.report({"ERROR"}, line(str(error).removeprefix("Error: ").strip()))


def keep(context: bpy.types.Context, said: "log.Log", failed: bool = False) -> None:
    """Show these messages instead of those of the run before. failed: whether nothing came of it, so that the file gets no new text."""
    kept: Any = getattr(context.window_manager, "retro_anim_messages", None)
    if kept is None:
        return
    kept.lines.clear()
    kept.index, kept.said = 0, ""
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
    for message in folded(_sorted(said))[:_MOST]:
        _add(kept.lines.add(), message, present.pointer(message))


def is_undone(context: bpy.types.Context) -> bool:
    """Whether undo, or another file that was opened, has taken away the text with these messages: the scene is another one now."""
    manager: Any = context.window_manager
    kept, text = manager.retro_anim_messages, bpy.data.texts.get(TEXT)
    return kept.said != "" and (text is None or text.get(_SAID) != kept.said)


def keep_fault(context: bpy.types.Context, said: "log.Log", error: Exception) -> None:
    """An exception that nobody expects, as it is handled: shown with what was said before it, and kept for a report."""
    import traceback

    from ...core.reporting import log

    _faults[:] = [traceback.format_exc()]
    text = f"a fault of the extension ({type(error).__name__}: {error}): Copy for a Report, below, copies what whoever mends it needs"
    said.messages.append(log.Message("ERROR", text))
    keep(context, said, failed=True)


def of_last_run(context: bpy.types.Context) -> list[str]:
    """Its messages as lines, and the last fault."""
    manager: Any = context.window_manager
    return [*(f"{item.level.title()}: {item.name}" for item in manager.retro_anim_messages.lines), *_faults]


def _sorted(said: "log.Log") -> "list[log.Message]":
    """The worst first, and each once."""
    return sorted(dict.fromkeys(said.messages), key=lambda message: _ORDER.index(message.level))


def folded(messages: "list[log.Message]") -> "list[log.Message]":
    """What merely informs in the same words, as of each clip of a character, as one: it leads nowhere but to the first."""
    from dataclasses import replace

    groups: dict[object, list[log.Message]] = {}
    for message in messages:
        groups.setdefault(message.text if message.level == "INFO" and not message.bone else message, []).append(message)
    return [same[0] if len(same) == 1 else replace(same[0], text=f"{same[0].text} ({len(same)} times)") for same in groups.values()]


def _add(item: Any, message: "log.Message", pointer: "Pointer") -> None:
    item.name, item.short, item.level = line(str(message)), line(without_folder(str(message))), message.level
    item.obj, item.action, item.bone = pointer.obj, pointer.action, pointer.bone
    item.has_frame, item.frame = pointer.frame is not None, pointer.frame or 0.0


def without_folder(text: str) -> str:
    """A message of which a list shows the beginning: what it is about without the folders that it lies in, of an entry without the file."""
    about, mark, rest = text.partition(": ")
    if not mark or not PurePath(about).is_absolute():
        return text
    file, hash_mark, entry = PurePath(about).name.rpartition("#")
    shown = (f"#{entry}" if entry.isdecimal() else entry) if hash_mark and file else PurePath(about).name
    return f"{shown}{mark}{rest}"


class RETRO_ANIM_OT_show_message(bpy.types.Operator):
    """Select the bone that the message speaks of, with its action, and go to the frame"""

    bl_idname = "retro_anim.show_message"
    bl_label = "Show in the Scene"
    bl_options = {"UNDO", "INTERNAL"}

    index: IntProperty(options={"HIDDEN", "SKIP_SAVE"})

    def execute(self: Any, context: bpy.types.Context) -> Any:
        from ...io.pipeline import message_context

        lines = context.window_manager.retro_anim_messages.lines
        if not 0 <= self.index < len(lines):
            return {"CANCELLED"}
        item = lines[self.index]
        pointer = message_context.Pointer(item.obj, item.action, item.bone, item.frame if item.has_frame else None)
        if not message_context.go(context, pointer):
            self.report({"WARNING"}, f"{item.obj or item.action} is not in the scene any more")
            return {"CANCELLED"}
        return {"FINISHED"}


class RETRO_ANIM_OT_copy_messages(bpy.types.Operator):
    """Copy all messages of the last run to the clipboard"""

    bl_idname = "retro_anim.copy_messages"
    bl_label = "Copy All Messages"
    bl_options = {"INTERNAL"}

    def execute(self: Any, context: bpy.types.Context) -> Any:
        text = bpy.data.texts.get(TEXT)
        context.window_manager.clipboard = text.as_string() if text is not None else ""
        return {"FINISHED"}


class RETRO_ANIM_UL_messages(bpy.types.UIList):
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
    manager: Any = bpy.types.WindowManager
    manager.retro_anim_messages = PointerProperty(type=RetroAnimMessages, options={"SKIP_SAVE"})


def unregister() -> None:
    del bpy.types.WindowManager.retro_anim_messages  # type: ignore[attr-defined]


CLASSES = (
    RetroAnimMessage,
    RetroAnimMessages,
    RETRO_ANIM_OT_show_message,
    RETRO_ANIM_OT_copy_messages,
    RETRO_ANIM_UL_messages,
)
