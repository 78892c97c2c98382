"""The bone map of two armatures: the one that the panel shows, that was accepted before, or that is found."""

from __future__ import annotations

from contextlib import suppress
from dataclasses import replace
from pathlib import Path
from typing import TYPE_CHECKING, Any

import bpy
from bpy.types import Context, Object

from ....core.reporting.errors import RetroAnimError
from ...shared.panel import active_armature, selected_armatures
from ...shared.preferences import ADDON
from ..settings import armatures_of, settings_of

if TYPE_CHECKING:
    from ....core.retarget.figures.maps.bone_map import BoneMap


def folder() -> Path:
    """Where accepted maps are kept: the extension's own folder of the user, or for a checkout Blender's."""
    try:
        return Path(bpy.utils.extension_path_user(ADDON, path="bone_maps"))
    except ValueError:
        return Path(bpy.utils.user_resource("DATAFILES", path="retro_anim")) / "bone_maps"


def pick(context: Context, source: str = "", target: str = "") -> tuple[Object, Object]:
    """Source and target: by name, else the panel's, else the selection, of which the active armature is the target. A mesh stands for the
    armature that deforms it.

    Raises RetroAnimError where there are not two."""
    shown = armatures_of(settings_of(context))
    chosen = [_named(context, name) if name else obj for name, obj in zip((source, target), shown, strict=True)]
    selected = [obj for obj in selected_armatures(context) if obj not in chosen]
    active = active_armature(context)
    if chosen[1] is None and active in selected and (chosen[0] is not None or len(selected) > 1):
        chosen[1] = active
        selected.remove(active)
    for position, obj in enumerate(chosen):
        if obj is None and selected:
            chosen[position] = selected.pop(0)
    first, second = chosen
    if first is None or second is None:
        raise RetroAnimError("choose Source and Target, or select the armature that moves, then with Shift the one that follows")
    return first, second


def both_of(context: Context) -> tuple[Object | None, Object | None]:
    """Source and target that a run would take: the panel's, or whom the selection means; None where neither says."""
    chosen = armatures_of(settings_of(context))
    if None in chosen:
        with suppress(RetroAnimError):
            return pick(context)
    return chosen


def settle(context: Context) -> tuple[Object, Object]:
    """Source and target, which the panel's fields show from now on, also where the selection means them. Raises RetroAnimError where there
    are not two."""
    settings, both = settings_of(context), pick(context)
    if armatures_of(settings) != both:
        settings.source, settings.target = both
    return both


def _named(context: Context, name: str) -> Object:
    obj = context.scene.objects.get(name)
    if obj is None or obj.type != "ARMATURE":
        raise RetroAnimError(f"there is no armature {name}")
    return obj


def find(source: Object, target: Object, anew: bool = False) -> BoneMap:
    """The map that was accepted for these skeletons before, unless `anew`; else the one that names and structure give."""
    from ....core.retarget.figures.maps import map_library
    from ....core.retarget.mapping.mapping import map_bones
    from ....io.retarget.reading.read import figure_of

    first, second = figure_of(source), figure_of(target)
    known = None if anew else map_library.recall(folder(), first, second)
    result = known or map_bones(first, second)
    result = map_library.with_poses(folder(), result, first, second)
    if not result.pairs and not result.chains:
        raise RetroAnimError(f"no bone of {target.name} is like one of {source.name}; pair them by hand")
    return result


def present(context: Context, source: Object, target: Object) -> BoneMap:
    """The table's map where it is about these armatures; else the one that is found, which the table then shows. Of a map that was edited
    before bones got other names the lines of other bones stay, and what is asked of limbs."""
    from ....core.retarget.figures.maps.renamed_map import with_edits
    from ....io.blender import armature
    from . import map_table

    settings = settings_of(context)
    if fits(settings, source, target):
        return map_table.read(settings)
    bone_map = find(source, target)
    edited = settings.edited and len(settings.pairs) > 0 and armatures_of(settings) == (source, target)
    if edited:
        names = (armature.pose_bones(obj).keys() for obj in (source, target))
        bone_map = with_edits(map_table.read(settings), bone_map, *names)
    settings.source, settings.target = source, target
    map_table.fill(settings, bone_map)
    settings.edited = edited
    return bone_map


def fits(settings: Any, source: Object, target: Object) -> bool:
    """Whether the table is about these armatures. A map from a file may not name them: then some of its bones must be there."""
    from ....io.blender import armature
    from ....io.retarget.reading.read import figure_of

    prints = settings.source_fingerprint, settings.target_fingerprint
    if not len(settings.pairs):
        return False
    if all(prints):
        return prints == (figure_of(source).fingerprint, figure_of(target).fingerprint)
    return any(line.target in armature.pose_bones(target) and line.source in armature.pose_bones(source) for line in settings.pairs)


def printed(bone_map: BoneMap, source: Object, target: Object) -> BoneMap:
    """The map with the fingerprints of both armatures."""
    from ....io.retarget.reading.read import figure_of

    return replace(bone_map, source_fingerprint=figure_of(source).fingerprint, target_fingerprint=figure_of(target).fingerprint)


def remember(bone_map: BoneMap) -> None:
    """Keep an accepted map. That this fails is only worth a warning."""
    from ....core.reporting import log
    from ....core.retarget.figures.maps import map_library

    try:
        map_library.remember(folder(), bone_map)
    except RetroAnimError as error:
        log.warning(f"the bone map is not remembered: {error}")


def forget_pose(target: Object, name: str) -> None:
    """A reference pose of this skeleton is not offered again. That this fails is only worth a warning."""
    from ....core.reporting import log
    from ....core.retarget.figures.maps import map_library
    from ....io.retarget.reading.read import figure_of

    try:
        map_library.forget_pose(folder(), figure_of(target).fingerprint, name)
    except RetroAnimError as error:
        log.warning(f"the pose {name} is still kept for other scenes: {error}")
