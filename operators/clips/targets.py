"""Where the active action goes: file, entry and character, and the backup of what was there before."""

import os
import time
from pathlib import Path
from typing import Any

import bpy
from bpy.props import StringProperty
from bpy.types import Action, Context, Event, Object, Operator

from ...core import looking
from ...core.declare.game import Game
from ...core.reporting.labels import line
from ...io.blender import identity, register_property
from ..shared import job, modal, preferences
from ..shared.layout import allowed, confirm
from ..shared.panel import active_action, active_armature
from . import states


def file_of(action: Any) -> str:
    """The file that an action, or an armature's data, goes to, "" where that is not known."""
    from ...io.pipeline.destination import targets

    return targets.home(action)


def entry_of(action: Action) -> str:
    """The entry that an action goes to, "" where it is none of an archive."""
    from ...io.pipeline.destination import targets

    return targets.shown_entry(action)


def set_file(action: Any, path: str) -> None:
    """Nothing is remembered for the place where it goes anyhow."""
    from ...io.pipeline.destination import targets

    _set(action, targets.TO_FILE, path, file_of)


def set_entry(action: Action, entry: str) -> None:
    from ...io.pipeline.destination import targets

    _set(action, targets.TO_ENTRY, entry, entry_of)


def _set(action: Any, name: str, value: str, effective: Any) -> None:
    if name in action:
        del action[name]
    if value.strip() and value.strip() != effective(action):
        action[name] = value.strip()


def owner_of(action: Action) -> str:
    """The name of the armature object that an action belongs to, "" where none of the scene has its figure."""
    from ...io.blender import scene

    figure = action.get(identity.RIG)
    armatures = [obj for obj in bpy.context.scene.objects if obj.type == "ARMATURE" and figure]
    objects = [obj for obj in armatures if _data_of(obj).get(identity.RIG) == figure]
    active = scene.active(bpy.context)
    return active.name if active in objects else objects[0].name if objects else ""


def _data_of(obj: Object) -> Any:
    return obj.data


def set_owner(action: Action, name: str) -> None:
    """From now on the action is one of this armature object's clips; of none, it is one of every armature's that has all its bones."""
    obj = bpy.context.scene.objects.get(name)
    if obj is None or obj.type != "ARMATURE":
        if not name and identity.RIG in action:
            del action[identity.RIG]
        return
    data = _data_of(obj)
    if not data.get(identity.RIG):
        data[identity.RIG] = obj.name
    action[identity.RIG] = data[identity.RIG]


FILE = "retro_anim_goes_to_file"

PROPERTIES: dict[str, Any] = {
    FILE: StringProperty(name="File", description="The file that it is exported to", get=file_of, set=set_file),
    "retro_anim_goes_to_entry": StringProperty(
        name="Entry",
        description="Its entry or instance of the file: a number or a name, or 'new' for one behind the last",
        get=entry_of,
        set=set_entry,
    ),
    "retro_anim_belongs_to": StringProperty(
        name="Character", description="The armature whose clip the action is", get=owner_of, set=set_owner
    ),
}
"""Of actions; the first of armatures' data, too."""


def backup_from(path: str) -> str:
    """The time of the backup of a file, as year, month, day, hours and minutes; "" without one."""
    from ...core.files.disk.first_state import backup_of

    try:
        changed = backup_of(path).stat().st_mtime if path else None
    except OSError:
        changed = None
    return time.strftime("%Y-%m-%d %H:%M", time.localtime(changed)) if changed is not None else ""


def _files(context: Context) -> list[str]:
    """The files that the active action and the active armature go to."""
    from ...io.pipeline.destination import targets

    action, obj = active_action(context), active_armature(context)
    blocks = [action, obj.data if obj is not None else None]
    return list(dict.fromkeys(path for block in blocks if block is not None and (path := targets.home(block))))


def backed_up(context: Context) -> str:
    """The first of these files that has a backup, "" for none."""
    return next((path for path in _files(context) if backup_from(path)), "")


class RETRO_ANIM_OT_restore(Operator):
    """Bring back a file, or one of its entries, as it was before the first export; the backup stays"""

    bl_idname = "retro_anim.restore"
    bl_label = "Restore"

    filepath: StringProperty(name="File", subtype="FILE_PATH", options={"SKIP_SAVE"})
    entry: StringProperty(name="Entry", description="Number or name. Empty: the whole file", options={"SKIP_SAVE"})

    def invoke(self: Any, context: Context, event: Event) -> Any:
        """Nobody is asked whether to lose what cannot be restored."""
        from ...core import backups

        whole = bpy.path.abspath(self.filepath) or backed_up(context)
        if whole and job.run(self, context, lambda: backups.check(whole, self.entry) or whole, aside=True) is None:
            return {"CANCELLED"}
        path = Path(whole).name
        where = f"entry {self.entry} of {path}" if self.entry and path else path or "the file"
        return confirm(self, context, event, self.bl_label, f"What was written to {where} since the first export is lost")

    def execute(self: Any, context: Context) -> Any:
        path = bpy.path.abspath(self.filepath) or backed_up(context)
        if not path:
            needed = " or ".join(f"{own}.bak" for own in _files(context)) or "a file, or an imported character that is active"
            self.report({"ERROR"}, line(f"no file was given, and there is no backup: it would need {needed}"))
            return {"CANCELLED"}
        from ...core import backups

        restored = job.run(self, context, lambda: backups.restore(path, self.entry))
        if restored is None:
            return {"CANCELLED"}
        states.forget(path)
        modal.redraw(context)
        self.report({"INFO"}, line(f"restored: {restored}; the scene keeps its clips as they are"))
        return {"FINISHED"}


def game_of(context: Context) -> Game | None:
    """Of the active action; of one that is new or was retargeted that of its character."""
    action, obj = active_action(context), active_armature(context)
    own = identity.game_of(action) if action is not None else None
    return own or (identity.game_of(obj) if obj is not None else None)


def goer(context: Context) -> Any:
    """What goes to a file: the active action, or the armature's data where the game keeps a character and its clips in one file. None where
    there is neither."""
    game, obj = game_of(context), active_armature(context)
    if game is None or game.holding("clip", "archive") or not game.holding("character"):
        return active_action(context)
    return obj.data if obj is not None and identity.game_of(obj) is game else None


class RETRO_ANIM_OT_choose_file(Operator):
    """Choose the file that the clip goes to, beside what its character came from; Save writes it"""

    bl_idname = "retro_anim.choose_file"
    bl_label = "Choose File"
    bl_options = {"UNDO", "INTERNAL"}

    filepath: StringProperty(name="File", subtype="FILE_PATH", options={"SKIP_SAVE"})
    filter_glob: StringProperty(options={"HIDDEN", "SKIP_SAVE"})

    @classmethod
    def poll(cls, context: Context) -> bool:
        return allowed(cls, goer(context) is not None, "Needs a clip: the active object shows none")

    def invoke(self: Any, context: Context, event: Event) -> Any:
        block, game = goer(context), game_of(context)
        folder = next((Path(path).parent for path in _files(context) if looking.is_folder(Path(path).parent)), None)
        if folder is None and game is not None and (last := preferences.last_folder(context, game.id)):
            folder = Path(last)
        self.filepath = file_of(block) or (f"{folder}{os.sep}" if folder is not None else "")
        kinds = game.holding("clip", "archive", "character") if game is not None else ()
        self.filter_glob = ";".join(f"*{extension}" for extension in kinds)
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def execute(self: Any, context: Context) -> Any:
        path = bpy.path.abspath(self.filepath)
        if looking.is_folder(path):
            self.report({"ERROR"}, line(f"{path}: is a folder: name a file in it"))
            return {"CANCELLED"}
        set_file(goer(context), path)
        modal.redraw(context)
        return {"FINISHED"}


def register() -> None:
    for name, prop in PROPERTIES.items():
        register_property(Action, name, prop)
    register_property(bpy.types.Armature, FILE, PROPERTIES[FILE])


def unregister() -> None:
    delattr(bpy.types.Armature, FILE)
    for name in PROPERTIES:
        delattr(Action, name)


CLASSES = (RETRO_ANIM_OT_choose_file, RETRO_ANIM_OT_restore)
