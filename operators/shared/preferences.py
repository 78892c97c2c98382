"""The extension's preferences: the games that were opened, how new imports begin, pictures, names, and where help is."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

import bpy
from bpy.props import BoolProperty, CollectionProperty, EnumProperty, IntProperty, StringProperty
from bpy.types import Context, Event, Operator, PropertyGroup

from ...core import looking
from ...core.declare.shared import BONE_DIRECTIONS, BONE_NAMES, FRAME_RATES
from ...core.games import GAMES
from ...core.reporting.errors import RetroAnimError, of_system
from ...core.reporting.labels import counted, line
from .layout import draw_whole, with_placeholder

ADDON = __package__.rpartition(".operators")[0] if __package__ else ""
"""How Blender calls the extension, wherever it is installed."""

MOST = 12
"""Games that are remembered."""

BEGINNINGS = ("bone_names", "bone_direction", "fps_mode")
"""Options with which new imports of a person begin as the preferences say."""


class RetroAnimRemembered(PropertyGroup):
    """A file or folder that the browser was opened on. `name` is its path."""

    game: StringProperty()


class RetroAnimPreferences(bpy.types.AddonPreferences):
    bl_idname = ADDON

    remember: BoolProperty(
        name="Remember Games", description="Archives and folders from which characters were chosen are listed in the menus", default=True
    )
    remembered: CollectionProperty(type=RetroAnimRemembered)
    bone_names: EnumProperty(
        name="Bone Names",
        description="What bones are called in Blender; files keep their own names",
        items=[(each.id, each.label, each.help) for each in BONE_NAMES],
        default="KNOWN",
    )
    bone_direction: EnumProperty(
        name="Bone Direction",
        description="Where bones point",
        items=[(each.id, each.label, each.help) for each in BONE_DIRECTIONS],
        default="CHILD",
    )
    fps_mode: EnumProperty(
        name="Frame Rate",
        description="Whether the scene takes the game's rate",
        items=[(each.id, each.label, each.help) for each in FRAME_RATES],
        default="AUTO",
    )
    pictures: BoolProperty(name="Pictures of Characters", description="Draw what each line of the browser looks like", default=True)
    cache: StringProperty(name="Kept In", description="Folder of the pictures. Empty: one that Blender has for us", subtype="DIR_PATH")
    names: StringProperty(
        name="Name Lists",
        description="Folder of lists of names (.hqd, .json), each called as its archive is, for archives that have none beside them",
        subtype="DIR_PATH",
    )

    tab_shown: BoolProperty(options={"HIDDEN"})

    def draw(self: Any, context: Context) -> None:
        layout = self.layout
        layout.use_property_split, layout.use_property_decorate = True, False
        column = _part(layout, "Game Files")
        column.prop(self, "remember")
        for index, item in enumerate(self.remembered):
            row = column.row(align=True)
            row.label(text=GAMES[item.game].label if item.game in GAMES else item.game)
            row.prop(item, "name", text="")
            row.operator("retro_anim.forget", text="", icon="X").index = index
        column.operator("retro_anim.add_game_folder", icon="ADD")
        column = _part(layout, "New Imports")
        for name in BEGINNINGS:
            column.prop(self, name)
        column = _part(layout, "Browser")
        column.prop(self, "pictures")
        with_placeholder(column, self, "cache", default_folder(), labelled=True)
        column.operator("retro_anim.clear_pictures", icon="TRASH")
        with_placeholder(column, self, "names", "names that are known, and lists beside the archives", labelled=True)
        column = _part(layout, "Help")
        row = column.row()
        row.operator("retro_anim.documentation", icon="HELP")
        row.operator("retro_anim.copy_about", icon="COPYDOWN")


def _part(layout: Any, title: str) -> Any:
    box = layout.box()
    box.label(text=title, translate=False)
    return box.column()


def default_folder() -> str:
    """Where pictures are kept unless somebody says so: outside the extension, which an update replaces."""
    try:
        return bpy.utils.extension_path_user(ADDON, path="pictures")
    except ValueError:  # it runs without being installed
        return str(Path(bpy.app.tempdir) / "pictures")


def picture_folder(context: Context) -> str:
    """Where pictures are kept; "" where none are wanted."""
    own = preferences(context)
    return "" if own is not None and not own.pictures else _kept_in(own)


def _kept_in(own: Any) -> str:
    """Where pictures are kept by these preferences, also where none are wanted. own: None where there are none."""
    return (bpy.path.abspath(own.cache) if own is not None else "") or default_folder()


def names_folder(context: Context) -> str:
    """Where a person's lists of names are, "" for nowhere."""
    own = preferences(context)
    return bpy.path.abspath(own.names) if own is not None and own.names else ""


def begin(context: Context, operator: Any) -> None:
    """Give an import that a person begins what the preferences say, unless it was given something else, now or in the run before."""
    own = preferences(context)
    for name in BEGINNINGS if own is not None else ():
        if hasattr(operator, name) and not operator.properties.is_property_set(name, ghost=False):
            setattr(operator, name, getattr(own, name))


class RETRO_ANIM_OT_add_game_folder(Operator):
    """Look through the folder of a game for what characters can be chosen from, and list it in the menus"""

    bl_idname = "retro_anim.add_game_folder"
    bl_label = "Add Game Folder"
    bl_options = {"INTERNAL"}

    directory: StringProperty(name="Folder", subtype="DIR_PATH", options={"SKIP_SAVE"})
    filter_folder: BoolProperty(default=True, options={"HIDDEN"})

    def invoke(self, context: Context, event: Event) -> Any:
        context.window_manager.fileselect_add(self)
        return {"RUNNING_MODAL"}

    def draw(self: Any, context: Context) -> None:
        draw_whole(self.layout, "The folder of a game; those inside it are looked through, too", context.region)

    def execute(self: Any, context: Context) -> Any:
        from ...io.pipeline import folders

        try:
            with of_system():
                listed = folders.choices(bpy.path.abspath(self.directory))
        except RetroAnimError as error:
            self.report({"ERROR"}, line(str(error)))
            return {"CANCELLED"}
        for game, path in reversed(listed):
            remember(context, game.id, path, asked=True)
        _save(self, context)
        self.report({"INFO"}, f"{', '.join(shown([path for _, path in listed]))}: see File > Import")
        return {"FINISHED"}


class RETRO_ANIM_OT_clear_pictures(Operator):
    """Delete the pictures of characters that are kept; they are drawn again when they are needed"""

    bl_idname = "retro_anim.clear_pictures"
    bl_label = "Clear Pictures"
    bl_options = {"INTERNAL"}

    def execute(self: Any, context: Context) -> Any:
        from ...io.pipeline import pictures

        folder = Path(_kept_in(preferences(context)))
        self.report({"INFO"}, f"{counted(pictures.clear(folder), 'picture')} deleted")
        return {"FINISHED"}


class RETRO_ANIM_OT_copy_about(Operator):
    """Copy versions, system, and what the last run said, for a report of a problem; look through it before you send it"""

    bl_idname = "retro_anim.copy_about"
    bl_label = "Copy for a Report"
    bl_options = {"INTERNAL"}

    def execute(self: Any, context: Context) -> Any:
        from .about import about

        context.window_manager.clipboard = about(context)
        self.report({"INFO"}, "copied: paste it into your report")
        return {"FINISHED"}


class RETRO_ANIM_OT_forget(Operator):
    """Take the game out of the menus; its files stay as they are"""

    bl_idname = "retro_anim.forget"
    bl_label = "Forget"
    bl_options = {"INTERNAL"}

    index: IntProperty()

    def execute(self: Any, context: Context) -> Any:
        own = preferences(context)
        if own is None or not 0 <= self.index < len(own.remembered):
            return {"CANCELLED"}
        own.remembered.remove(self.index)
        changed(context)
        return {"FINISHED"}


def preferences(context: Context) -> Any:
    """None where the extension runs without being enabled."""
    addon = context.preferences.addons.get(ADDON)
    return addon.preferences if addon is not None else None


def remember(context: Context, game: str, path: str, asked: bool = False) -> None:
    """The last one is the first in the menus. asked: whether a person said so, and not merely opened it."""
    own = preferences(context)
    if own is None or not (own.remember or asked):
        return
    path = str(Path(path).absolute())
    known = next((index for index, item in enumerate(own.remembered) if (item.game, item.name) == (game, path)), None)
    if known is None:
        item = own.remembered.add()
        item.game, item.name = game, path
        known = len(own.remembered) - 1
    own.remembered.move(known, 0)
    while len(own.remembered) > MOST:
        own.remembered.remove(MOST)
    changed(context)


def opened(context: Context, game: str) -> list[str]:
    """The game's archives and folders that were opened, the last one first."""
    own = preferences(context)
    return [item.name for item in own.remembered if item.game == game] if own is not None else []


def last_folder(context: Context, game: str) -> str:
    """Of the game's archive that was opened last; "" where there is none any more."""
    folders = (Path(path).parent for path in opened(context, game))
    return next((str(folder) for folder in folders if looking.is_folder(folder)), "")


def changed(context: Context) -> None:
    """Blender saves preferences by itself only where it knows that they were changed."""
    context.preferences.is_dirty = True


def _save(operator: Operator, context: Context) -> None:
    """What a person set up, kept at once where Blender would save it when it ends: it may not come to that. What keeps it from being saved
    is reported."""
    if not context.preferences.use_preferences_save or bpy.app.background or bpy.app.use_userpref_skip_save_on_exit:
        return
    try:
        bpy.ops.wm.save_userpref()
    except RuntimeError as error:  # as Blender reports it, which may take several lines
        operator.report({"WARNING"}, f"Blender's preferences are not saved: {str(error).splitlines()[0].removeprefix('Error: ')}")


def shown(paths: Sequence[str]) -> list[str]:
    """Paths as a menu has room for: the folder and the file, and as many folders above as tell them apart."""
    parts = [Path(path).parts for path in paths]
    depths = [2] * len(parts)
    while True:
        texts = ["/".join(each[-depth:]) for each, depth in zip(parts, depths, strict=True)]
        longer = [texts.count(text) > 1 and depth < len(each) for text, each, depth in zip(texts, parts, depths, strict=True)]
        if not any(longer):
            return texts
        depths = [depth + more for depth, more in zip(depths, longer, strict=True)]


def draw_remembered(layout: Any, context: Context, most: int = MOST) -> None:
    """An entry for each game that was opened, the last ones, which opens the browser on it."""
    own = preferences(context)
    items = [item for item in own.remembered if item.game in GAMES][:most] if own is not None else []
    if items:
        layout.separator()
    for item, text in zip(items, shown([item.name for item in items]), strict=True):
        layout.operator(f"import_anim.{item.game}_choose", text=text, icon="FILE_FOLDER").filepath = item.name


CLASSES = (
    RetroAnimRemembered,
    RetroAnimPreferences,
    RETRO_ANIM_OT_forget,
    RETRO_ANIM_OT_add_game_folder,
    RETRO_ANIM_OT_clear_pictures,
    RETRO_ANIM_OT_copy_about,
)
