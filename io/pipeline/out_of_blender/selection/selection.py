"""Which actions an export is about."""

from __future__ import annotations

import re
from collections.abc import Generator, Iterator, Sequence
from contextlib import contextmanager
from typing import Any

import bpy

from .....core.declare.game import Game
from .....core.declare.shared import Source
from .....core.reporting import log
from .....core.reporting.errors import ExportError
from ....blender import armature, compat, identity, scene, source_data
from ....blender.motion.nla import nla
from ....blender.paths import BONE
from .. import rates
from . import clips, looped_strips

NEW = ""
"""The kind of actions that were made in Blender."""

WHOLE: tuple[Source, ...] = ("SELECTED", "ALL", "TICKED", "SCENE")
"""The sources that mean all clips of an armature, or those of them that are ticked."""

Pair = tuple[bpy.types.Object, bpy.types.Action]

_collections: list[bpy.types.Collection] = []
"""The collection whose objects are meant, whatever is active or selected; the innermost last."""


@contextmanager
def inside(collection: bpy.types.Collection) -> Generator[None]:
    """Exports inside are about the objects of a collection, and of the collections in it: the source says which of their clips."""
    _collections.append(collection)
    try:
        yield
    finally:
        _collections.pop()


def remedy(needed: str) -> str:
    """How to choose what an export needs: what is selected makes no difference to a collection's."""
    return f"put into the collection {_collections[-1].name} {needed}" if _collections else f"select {needed}"


def armatures(context: bpy.types.Context, source: Source, game: Game | None = None) -> list[bpy.types.Object]:
    """The armatures that are meant: the active one, the selected ones, those of such meshes, or those of a game in the scene."""
    return [obj for obj in _objects(context, source, animated=False, game=game) if obj.type == "ARMATURE"]


def chosen_actions(
    context: bpy.types.Context,
    source: Source,
    *kinds: str,
    objects: Sequence[bpy.types.Object] | None = None,
    animated: bool = False,
    game: Game | None = None,
) -> list[Pair]:
    """Armatures with the clips that are meant: each action once, and each further slot and strip of the NLA as an action of its own, which
    clips.for_export removes again. kinds: names of the formats that imported actions came from, NEW for those made in Blender. objects:
    the armatures, None for those that `source` means. animated: take other objects too, that have an action of their own. game: of the
    armatures of the whole scene those that are meant."""
    if objects is None:
        objects = _objects(context, source, animated, game)
    parts = _PARTS.get(source)
    chosen = _slots(objects, source, kinds) if parts is None else [(obj, action) for obj in objects for action in parts(context, obj)]
    if source == "TICKED" and not chosen and _slots(objects, "ALL", kinds):
        raise ExportError("no clip is ticked in the side panel: tick some, or choose All Actions")
    if source in WHOLE:
        for obj in objects:
            _report_strips(obj)
    if source == "ACTIVE":
        for obj in [obj for obj in objects if _own(obj) is None]:
            if (action := clips.of_nla(context, obj)) is not None:
                chosen.append((obj, action))
            else:
                _report_silent(obj)
    rates.check(context, [action for _, action in chosen])
    return chosen


def drives(action: bpy.types.Action, obj: bpy.types.Object) -> bool:
    """Whether the action was imported for this figure, or, where that is not known, every bone that it moves is one of the armature's."""
    figure = armature.data_of(obj).get(identity.RIG)
    if identity.RIG in action and figure is not None:
        return action[identity.RIG] == figure
    return _moves(obj, compat.curves(action))


def clips_of_nobody_else(obj: bpy.types.Object) -> list[bpy.types.Action]:
    """The actions of this file that are an armature's, but for those that other objects have in use."""
    actions = [action for action in bpy.data.actions if action.library is None and drives(action, obj)]
    users = bpy.data.user_map(subset=actions)
    return [each for each in actions if not any(isinstance(user, bpy.types.Object) and user != obj for user in users[each])]


def _report_strips(obj: bpy.types.Object) -> None:
    """Say which strips of a playing NLA show their actions in another way than those are, where all actions are exported."""
    data = obj.animation_data
    if data is None or data.action is not None or not data.use_nla or data.use_tweak_mode:
        return
    names = [each.strip.name for each in nla.playing(obj) if not looped_strips.plays_as_it_is(each.strip)]
    if names:
        log.warning(
            f"{obj.name}: its NLA plays {', '.join(names)} in another way than the actions are, which are exported as they are: the source "
            "NLA exports what the strips play"
        )


def _moves(obj: bpy.types.Object, curves: Sequence[Any]) -> bool:
    """Whether the armature has all bones that the curves move, by their present names or those from before they were renamed."""
    names = {*armature.pose_bones(obj).keys(), *identity.renamed(obj)}
    return all(bpy.utils.unescape_identifier(name) in names for name in _bones(curves))


def _objects(context: bpy.types.Context, source: Source, animated: bool, game: Game | None) -> list[bpy.types.Object]:
    if source == "SCENE" or _collections:
        everything = _collections[-1].all_objects if _collections else context.scene.objects
        carriers = [obj for obj in everything if obj.type == "ARMATURE" or (animated and _own(obj))]
        return [obj for obj in carriers if game is None or game in (identity.game_of(obj), identity.game_of(_own(obj) or obj))]
    active = context.view_layer.objects.active
    objects = scene.selected(context) if source == "SELECTED" else [active] if active is not None else []
    carriers = [obj if obj.type == "ARMATURE" or (animated and _own(obj)) else obj.find_armature() or obj for obj in objects]
    return list(dict.fromkeys(carriers))


def _own(obj: bpy.types.Object) -> bpy.types.Action | None:
    return obj.animation_data.action if obj.animation_data else None


def _strips(context: bpy.types.Context, obj: bpy.types.Object) -> Iterator[bpy.types.Action]:
    """What each strip of an object's NLA plays."""
    if obj.animation_data is not None and obj.animation_data.use_tweak_mode:
        raise ExportError(f"{obj.name} is in the tweak mode of the NLA: leave it first")
    _report_silent(obj)
    shown = nla.playing(obj)
    standing: dict[bpy.types.Action, Any] = {}  # for each action the strip that keeps where it came from: one that plays it as it is
    as_it_is = [looped_strips.plays_as_it_is(each.strip) for each in shown]
    for each, _ in sorted(zip(shown, as_it_is, strict=True), key=lambda pair: not pair[1]):
        standing.setdefault(each.strip.action, each.strip)
    taken: set[tuple[bpy.types.Action, Any]] = set()
    for each, is_as_it_is in zip(shown, as_it_is, strict=True):
        strip = each.strip
        if strip.type != "CLIP":
            log.warning(
                f"{obj.name}: the {strip.type.lower()} strip {strip.name} is left out: bake it to an action, or export the whole NLA"
            )
            continue
        above = [other.strip.name for other in shown[shown.index(each) + 1 :] if _mixes(other, each)]
        if above:
            log.warning(
                f"{obj.name}: the strip {strip.name} is exported as it plays without those above it ({', '.join(above)}): with no active "
                "action, the source Active Action exports all together"
            )
        if is_as_it_is:
            key = strip.action, nla.strip_slot(strip)
            if key in taken:
                continue  # the same again, only later
            taken.add(key)
        yield clips.of_strip(context, obj, each, strip == standing[strip.action])


def _report_silent(obj: bpy.types.Object) -> None:
    """Say which strips of an object's NLA play nothing."""
    for name in nla.silent(obj):
        log.warning(f"{obj.name}: {name} does not play, and is left out: unmute it, or end the solo of another track")
    for name in nla.without_slot(obj):
        log.warning(f"{obj.name}: the strip {name} has no slot of its action, so that it plays nothing, and is left out: choose its slot")
    for name in nla.without_action(obj):
        log.warning(f"{obj.name}: the strip {name} has no action any more, and is left out: delete it, or choose its action")


def _ranges(context: bpy.types.Context, obj: bpy.types.Object) -> Iterator[bpy.types.Action]:
    """What an object's action shows from each marker of the scene's timeline on."""
    action = _own(obj)
    if action is None:
        raise ExportError(f"{obj.name} has no active action that the timeline's markers could divide: show one, or choose NLA Strips")
    markers = sorted((marker.frame, marker.name) for marker in context.scene.timeline_markers if marker.camera is None)
    if not markers:
        raise ExportError("the timeline has no markers: put one on the first frame of each clip, named as the clip (M in the timeline)")
    _report_slot(obj, action)
    end = action.curve_frame_range[1]
    for number, (first, name) in enumerate(markers):
        last = min(markers[number + 1][0] - 1, end) if number + 1 < len(markers) else end
        if last < first:
            behind = f"which is left out: move it before frame {end:g}, the last key"
            plays_not = f"nothing plays from the marker {name} at frame {first} on, {behind}"
            hidden = f"the marker {name} is left out, as another one is on its frame, {first}: move one of them"
            log.warning(f"{action.name}: {plays_not if first > end else hidden}", frame=first)
            continue
        yield clips.of_range(context, obj, action, name, float(first), float(last))


_PARTS = {"NLA": _strips, "MARKERS": _ranges}
"""By a source whose clips are no actions of their own what makes them."""


def _mixes(upper: nla.Playing, lower: nla.Playing) -> bool:
    """Whether a strip changes what another one shows, without replacing it."""
    above, below = upper.strip, lower.strip
    together = above.frame_start < below.frame_end and below.frame_start < above.frame_end
    return upper.track != lower.track and together and nla.is_blended(above)


def _slots(objects: Sequence[bpy.types.Object], source: Source, kinds: Sequence[str]) -> list[Pair]:
    """Every slot of every action once, for the object that shows it now, else for the first that it fits."""
    owners: dict[tuple[bpy.types.Action, Any], bpy.types.Object] = {}
    for obj in objects:
        for action in _actions(obj, source, kinds):
            for slot in _slots_of(action, obj, source):
                owner = owners.setdefault((action, slot), obj)
                if _own(owner) != action and _own(obj) == action:
                    owners[action, slot] = obj
    chosen: list[Pair] = []
    for (action, slot), obj in owners.items():
        slots = compat.moving_slots(action)
        first = slot is None or not slots or slot == slots[0]
        in_use = slot is None or slot == compat.slot_in_use(action, obj)
        if in_use:
            _report_slot(obj, action)
        as_it_is = first and in_use
        chosen.append((obj, action if as_it_is else clips.of_slot(action, slot, first, shown=in_use and _own(obj) == action)))
    return chosen


def _report_slot(obj: bpy.types.Object, action: bpy.types.Action) -> None:
    """Say that an object shows nothing of its action, what is written of it all the same, and how both agree."""
    slot = compat.slot_in_use(action, obj)
    if slot is not None and _own(obj) == action and compat.has_no_slot(obj.animation_data):
        log.warning(
            f"{action.name}: no slot of it is chosen on {obj.name}, which stands still in Blender: its slot {slot.name_display} is "
            "taken; choose it beside the action"
        )


def _slots_of(action: bpy.types.Action, obj: bpy.types.Object, source: Source) -> list[Any]:
    """The slots of an action that an object exports: the one that it uses, and of all clips those that nobody uses and that fit it."""
    own = compat.slot_in_use(action, obj)
    if own is None:
        return [None]
    free = [slot for slot in compat.moving_slots(action) if slot != own and not slot.users() and obj.type == "ARMATURE"]
    fitting = [slot for slot in free if _bones(curves := compat.curves_in(action, slot)) and _moves(obj, curves)]
    if source not in WHOLE:
        if fitting:
            names = ", ".join(slot.name_display for slot in fitting)
            log.warning(f"{action.name}: its slot {names} is left out: the source All Actions exports it, too")
        return [own]
    return [own, *fitting]


def _actions(obj: bpy.types.Object, source: Source, kinds: Sequence[str]) -> Iterator[bpy.types.Action]:
    own = _own(obj)
    if source in WHOLE:
        clips_of_it = (action for action in bpy.data.actions if action == own or (obj.type == "ARMATURE" and _fits(action, obj, kinds)))
        yield from (action for action in clips_of_it if source != "TICKED" or getattr(action, identity.TICKED, True))
    elif own is not None:
        yield own


def _fits(action: bpy.types.Action, obj: bpy.types.Object, kinds: Sequence[str]) -> bool:
    kind = action.get(source_data.FORMAT, NEW)
    own_new = kind == NEW and bool(action.get(identity.RIG))  # retargeted, say
    return (kind in kinds or own_new) and (kind != NEW or bool(_bones(compat.curves(action)))) and drives(action, obj)


def _bones(curves: Sequence[Any]) -> set[str]:
    """The bones that curves move, escaped as their paths have them."""
    return {match[1] for curve in curves if (match := re.match(BONE, curve.data_path))}
