"""Actions as assets: marked, with a picture of their pose, in catalogues by game, character and kind."""

from __future__ import annotations

import re
import uuid
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import bpy
import numpy as np
from bpy.app.handlers import persistent

from ...core.declare.game import Game, axis_vector
from ...core.files.disk.disk import check_own, read_file, write_file
from ...core.reporting import log
from ...core.reporting.errors import RetroAnimError
from ...core.reporting.labels import counted
from ...core.reporting.progress import Step, Steps
from ..blender import armature, compat, identity, source_data
from ..blender.motion import fcurves
from ..blender.surface.portrait import Portraits

CATALOGUES = "blender_assets.cats.txt"
"""Blender's own list of catalogues, in the folder of the .blend or above it."""

NOBODY = "Clips of No Character"
"""The catalogue of clips whose armature has no body."""

SIZE = 128

_HEAD = "# This is an Asset Catalog Definition file for Blender.\n\nVERSION 1\n\n"
_OURS = uuid.UUID("6c1f0f60-6a56-5f4c-9a0e-3d2b1c8e4f70")

Clip = tuple[bpy.types.Object, bpy.types.Action]
"""An action, and the armature or object that it is shown on."""


def mark(context: bpy.types.Context, clips: Sequence[Clip]) -> Steps[list[bpy.types.Action]]:
    """Mark actions as assets; stopped, those that are done stay so. The catalogues are written beside the .blend where it is saved."""
    marked: list[bpy.types.Action] = []
    paths: list[str] = []
    portraits: dict[str, Portraits] = {}
    for number, (obj, action) in enumerate(clips):
        if (yield Step(number, len(clips), action.name)):
            log.warning(f"stopped: {number} of {len(clips)} actions are assets")
            break
        game = identity.game_of(action) or identity.game_of(obj)
        if obj.name not in portraits:
            portraits[obj.name] = Portraits(context, obj, SIZE, axis_vector(game.forward if game is not None else "-Y"))
        path = catalogue_of(game, obj, action)
        _mark(action, path, portraits[obj.name])
        marked.append(action)
        paths.append(path)
    if paths:
        _keep(paths)
    return marked


def _mark(action: Any, path: str, portraits: Portraits) -> None:
    action.asset_mark()
    action.asset_data.catalog_id, action[identity.CATALOGUE] = catalogue_id(path), path
    action.asset_data.description = identity.use_of(action)
    for tag in path.split("/")[:2]:
        if tag not in action.asset_data.tags:
            action.asset_data.tags.new(tag)
    start, end = action.frame_range
    pixels = portraits.draw(action, round((start + end) / 2))
    if pixels is not None:
        preview = action.preview_ensure()
        preview.image_size = (SIZE, SIZE)
        preview.image_pixels.foreach_set(np.ascontiguousarray(pixels[::-1]).view(np.int32).ravel())


def take(obj: bpy.types.Object, name: str, path: str) -> bpy.types.Action:
    """A copy of an asset of the .blend at `path` as one of an armature's clips; it is no asset itself.

    Raises RetroAnimError, and leaves nothing behind, where it is not there or moves no bone of the armature. Bones that the armature does
    not have are reported."""
    libraries: Any = bpy.data.libraries
    try:
        with libraries.load(path, link=False) as (there, wanted):
            wanted.actions = [each for each in there.actions if each == name]
    except OSError as error:
        raise RetroAnimError(f"{path}: {error}") from error
    action: Any = next(iter(wanted.actions), None)
    if action is None:
        raise RetroAnimError(f"{path}: no action {name} in it")
    channels = [fcurves.channel_of(curve) for curve in compat.all_curves(action)]
    bones = dict.fromkeys(channel.bone for channel in channels if channel is not None and channel.bone)
    missing = [bone for bone in bones if bone not in armature.pose_bones(obj)]
    if len(missing) == len(bones):
        bpy.data.actions.remove(action)
        raise RetroAnimError(f"{name} moves no bone of {obj.name}: show it on its own character, and retarget it from there")
    if missing:
        log.warning(f"{name} moves {counted(len(missing), 'bone')} that {obj.name} does not have, such as {missing[0]}")
    action.asset_clear()
    action.pop(identity.CATALOGUE, None)
    action.use_fake_user = True
    figure = str(obj.data.get(identity.RIG, "")) if obj.data is not None else ""
    if figure and identity.game_of(action) is identity.game_of(obj):
        if Path(figure).name != Path(str(action.get(identity.RIG, ""))).name:  # the game's folder may be another one
            log.info(f"{name} is not a clip of {obj.name}: where it looks wrong, retarget it; it is saved where it came from, see Goes To")
        action[identity.RIG] = figure
    return action


def catalogue_of(game: Game | None, obj: bpy.types.Object, action: bpy.types.Action) -> str:
    """Its path: game, character, and whether the clip loops. The plain armatures of clips that no character has stand in one."""
    figure = NOBODY if _is_plain(game, obj) else obj.name.replace("/", " ").replace(":", " ")
    return "/".join((game.label if game is not None else "Other", figure, "Loops" if action.use_cyclic else "Played Once"))


def _is_plain(game: Game | None, obj: bpy.types.Object) -> bool:
    """Whether an armature of a game has neither a body of its files nor any other mesh."""
    data: Any = obj.data
    if game is None or obj.type != "ARMATURE" or source_data.FORMAT in data:
        return False
    return not any(child.type == "MESH" for child in obj.children)


def catalogue_id(path: str) -> str:
    """The same for the same path everywhere, so that libraries that are put together share their catalogues."""
    return str(uuid.uuid5(_OURS, path))


def write_catalogues(folder: Path, paths: Sequence[str]) -> None:
    """Add what is missing to the folder's list; what others have written there stays. Raises RetroAnimError."""
    if not paths:
        return
    target = folder / CATALOGUES
    check_catalogues(folder)
    data = (read_file(target) if target.is_file() else b"") or _HEAD.encode()
    wanted = dict.fromkeys(part for path in paths for part in _with_above(path))
    lines = [f"{catalogue_id(path)}:{path}:{path.replace('/', '-')}\n" for path in wanted if catalogue_id(path).encode() not in data]
    if lines:
        write_file(target, data + (b"" if data.endswith(b"\n") else b"\n") + "".join(lines).encode())


def check_catalogues(folder: Path) -> None:
    """Raises RetroAnimError where the folder has another file under the name of Blender's list of catalogues."""
    check_own(folder / CATALOGUES, "a list of catalogues", lambda data: re.search(rb"(?m)^VERSION \d", data), "move it away")


def _with_above(path: str) -> list[str]:
    """A path, and those that it stands in."""
    parts = path.split("/")
    return ["/".join(parts[: number + 1]) for number in range(len(parts))]


def marked_paths() -> list[str]:
    """Those of all actions of this .blend that were marked."""
    own = (action for action in bpy.data.actions if action.library is None)
    paths = ((action.asset_data, str(action.get(identity.CATALOGUE, ""))) for action in own)
    return sorted({path for asset, path in paths if asset is not None and asset.catalog_id == catalogue_id(path)})


def _keep(paths: Sequence[str]) -> None:
    if bpy.data.filepath:
        write_catalogues(Path(bpy.data.filepath).parent, paths)
    else:
        handlers = bpy.app.handlers.save_post
        if not hasattr(bpy.types, "RETRO_ANIM_OT_mark_assets") and keep_on_saving not in handlers:  # the extension does it itself
            handlers.append(keep_on_saving)
        log.info("the names of the catalogues go beside the .blend: they are written when it is saved")


@persistent
def keep_on_saving(*_: Any) -> None:
    """Write the catalogues of what is marked beside the .blend. Raises RetroAnimError."""
    if bpy.data.filepath:
        write_catalogues(Path(bpy.data.filepath).parent, marked_paths())


def clips_of(obj: bpy.types.Object) -> list[Clip]:
    """All actions of an object's figure, and the one that it shows, by their names."""
    shown = obj.animation_data.action if obj.animation_data else None
    figure = obj.data.get(identity.RIG) if obj.data is not None else None
    own = [action for action in bpy.data.actions if action == shown or (figure and action.get(identity.RIG) == figure)]
    return [(obj, action) for action in own if action.library is None and compat.all_curves(action)]
