"""What an earlier run made of the same clip for the same target: replaced in its name and its uses, unless somebody has edited it since."""

from __future__ import annotations

import json
from collections.abc import Generator, Iterable, Mapping, Sequence
from contextlib import contextmanager

import bpy

from ...core.record import Record
from ...core.retarget.options import Earlier
from ..blender import compat, identity, scene
from ..blender.motion import fcurves
from . import digest, takeover
from .along import along
from .reading.source_actions import played
from .target_cache import Known

ORIGIN = "retro_anim_origin"
"""Custom property of actions that retargeting made: of which clip, in which run, under which name, and the digest of what it was then."""

_MODULUS = 1 << 64

_sources: dict[int, int] = {}
"""By Blender's number of a new action for this session the source's: a clip that was edited since is the same one all the same."""


class Origin(Record):
    """Of an action that retargeting made. source, clip: the armature and its action, whose name is "" for its NLA. looks: a fingerprint of
    the clip, since clips that are opened one after the other may share their names. run: counted for each clip and target. name: the
    action's. digest: of all that retargeting wrote into it, a sum over its curves, as a hexadecimal number."""

    source: identity.Key
    clip: identity.Key
    looks: str
    run: int
    name: str
    digest: str

    def document(self) -> str:
        """As the property holds it."""
        return json.dumps([self.source, self.clip, self.looks, self.run, self.name, self.digest])


def origin_of(action: bpy.types.Action) -> Origin | None:
    """None for an action that retargeting did not make, or that does not say of what."""
    try:
        source, clip, looks, run, name, kept = json.loads(str(action.get(ORIGIN, "")))
        return Origin(_key(source), _key(clip), str(looks), int(run), str(name), _hexadecimal(int(kept, 16)))
    except (TypeError, ValueError, RecursionError):
        return None


def _key(held: object) -> identity.Key:
    """As the property holds it. Raises ValueError."""
    match held:
        case [str(name), None | str() as library]:
            return name, library
        case _:
            raise ValueError


class Replacing:
    """The replacing of one run, inside of `all_or_none`: `replace` while the new actions have nothing but curves and their names, `keep`
    when they are complete."""

    def __init__(self, source: bpy.types.Object, target: bpy.types.Object, which: Earlier, known: Known) -> None:
        self._source, self._target, self._which, self._known = source, target, which, known
        self._origins: list[tuple[bpy.types.Action, Origin]] = []
        self._replaced: list[tuple[bpy.types.Action, takeover.Left]] = []
        self.kept: dict[str, str] = {}
        """By the names of new actions the earlier ones that stay, since somebody has edited them."""
        self.staying: list[bpy.types.Action] = []
        """Those, and all that stay because they are to."""

    @property
    def replaced(self) -> int:
        """How many actions were."""
        return len(self._replaced)

    def replace(self, created: Sequence[bpy.types.Action], clips: Sequence[bpy.types.Action | None]) -> None:
        """Every new action takes over from what the last run made of the same clip. clips: of which each was made; None: of the NLA."""
        sources = {clip.session_uid for clip in clips if clip is not None}  # never what this run is made of
        own = [action for action in bpy.data.actions if self._is_theirs(action) and action.session_uid not in sources]
        theirs = [(action, known) for action in own if (known := origin_of(action)) is not None]
        for new, clip in zip(created, clips, strict=True):
            looks = _looks(self._source, clip)
            same = [(action, known) for action, known in theirs if self._is_same(action, known, clip, looks)]
            run = max((known.run for _, known in same), default=0)
            last = [(action, known) for action, known in same if known.run == run and known.name == action.name]
            if self._which == "KEEP":
                self.staying += [action for action, _ in same]
            elif last:
                (earlier, known), *_ = last
                if self._which == "REPLACE_ALL" or content(earlier, self._target) == int(known.digest, 16):
                    self._replaced.append((new, takeover.take_over(earlier, new, self._target)))
                    takeover.describe(earlier, new, _fields(self._target))
                else:
                    self.kept[new.name] = earlier.name
                    self.staying.append(earlier)
            self._origins.append((new, Origin(identity.key_of(self._source), _key_of(clip), looks, run + 1, "", "")))
            _sources[new.session_uid] = _uid(self._source, clip)

    def is_replaced(self, action: bpy.types.Action) -> bool:
        """Whether an action is there until the run has succeeded, and no longer."""
        return any(left.action == action for _, left in self._replaced)

    @contextmanager
    def all_or_none(self, context: bpy.types.Context, created: Sequence[bpy.types.Action]) -> Generator[None]:
        """`replace`, and all that follows, is done inside. What was replaced is gone afterwards; where the run failed, it is as it was,
        and the new actions are gone."""
        reused = [self._target] if self._target.library is None else []
        played = [keys for keys in along.shapes(self._target) if keys.library is None]
        try:
            with scene.unchanged_on_failure(context, reused, played):
                yield
        except BaseException:
            for new, left in self._replaced:
                takeover.give_back(new, left)
            bpy.data.batch_remove(created)
            raise
        takeover.remove([left for _, left in self._replaced])

    def keep(self, written: Mapping[int, int], added: Mapping[str, Iterable[tuple[str, str]]]) -> None:
        """What the new actions are now is what a later run looks for. written: digests of the curves that they were written with, by
        Blender's numbers of the actions. added: by their names the channels, by bone and property, that they were given after that."""
        for new, left in self._replaced:
            takeover.finish(new, left, self._target)
        for new, known in self._origins:
            channels = added.get(new.name, ())
            own = _sum(written[new.session_uid], _of_channels(new, self._target, channels), _of_shape_keys(new))
            named = Origin(known.source, known.clip, known.looks, known.run, new.name, "")
            new[ORIGIN] = named.but(digest=_hexadecimal(_sum(own, _besides(new, self._target)))).document()

    def _is_theirs(self, action: bpy.types.Action) -> bool:
        """Whether an action was made for the target by an earlier run, and can be changed."""
        local = action.library is None and action.override_library is None
        return local and action.get(identity.RETARGETED) == self._target.name and not self._known.is_new(action)

    def _is_same(self, action: bpy.types.Action, known: Origin, clip: bpy.types.Action | None, looks: str) -> bool:
        """Whether an action was made of this clip."""
        if _sources.get(action.session_uid) == _uid(self._source, clip):
            return True
        names = known.source[0], known.clip[0]  # a library may lie elsewhere now
        return (*names, known.looks) == (self._source.name, _key_of(clip)[0], looks)


def renew(action: bpy.types.Action, target: bpy.types.Object) -> None:
    """Something else that belongs to the run has changed a new action."""
    known = origin_of(action)
    if known is not None:
        action[ORIGIN] = known.but(digest=_hexadecimal(content(action, target))).document()


def add(action: bpy.types.Action, target: bpy.types.Object, channels: Iterable[tuple[str, str]]) -> None:
    """A later run has given an action of an earlier one keys of these channels, by bone and property, which it did not have."""
    known = origin_of(action)
    if known is not None:
        action[ORIGIN] = known.but(digest=_hexadecimal(_sum(int(known.digest, 16), _of_channels(action, target, channels)))).document()


def content(action: bpy.types.Action, target: bpy.types.Object) -> int:
    """A digest of what retargeting writes into an action: its curves, those of shape keys among them, its range, its markers, and what it
    is to the game."""
    return _sum(digest.of_curves(compat.listed_everywhere(action)), _besides(action, target))


def _besides(action: bpy.types.Action, target: bpy.types.Object) -> int:
    """Of that what is not among the action's own curves."""
    beside = (curve for own in takeover.beside(action, target) for curve in compat.every_curve(own))
    return _sum(digest.of_curves(beside), digest.of_rest(action, _fields(target)))


def _of_channels(action: bpy.types.Action, target: bpy.types.Object, channels: Iterable[tuple[str, str]]) -> int:
    """Of the curves of these channels, by bone and property."""
    wanted = set(channels)
    curves = ((curve, fcurves.channel_of(curve)) for curve in compat.quick_curves(action, target)) if wanted else ()
    return digest.of_curves(curve for curve, channel in curves if channel is not None and (channel.bone, channel.property) in wanted)


def _of_shape_keys(action: bpy.types.Action) -> int:
    """Of the curves in slots for shape keys."""
    return digest.of_curves(compat.curves_of_other_slots(action))


def _hexadecimal(number: int) -> str:
    return f"{number:x}"


def _sum(*numbers: int) -> int:
    return sum(numbers) % _MODULUS


def _fields(target: bpy.types.Object) -> list[str]:
    """The custom properties that a new action has from the clip, and says nothing else of."""
    game = identity.game_of(target)
    return [item.property for items in game.fields.values() for item in items if item.retargeted] if game is not None else []


def _looks(source: bpy.types.Object, clip: bpy.types.Action | None) -> str:
    """A fingerprint of a clip: its range, its curves with the number of their keys, and where each starts and ends; of the NLA that of all
    that it plays."""
    clips = [clip] if clip is not None else sorted(played(source), key=lambda action: action.name_full)
    said: list[object] = []
    for each in clips:
        first, last = each.frame_range
        said.append((each.name, first, last))
        for curve in compat.quick_curves(each, source):
            ends = f"{curve.evaluate(first):.6g}", f"{curve.evaluate(last):.6g}"
            said.append((curve.data_path, curve.array_index, len(curve.keyframe_points), *ends))
    return f"{digest.number(said):x}"


def _key_of(clip: bpy.types.Action | None) -> identity.Key:
    return ("", None) if clip is None else identity.key_of(clip)


def _uid(source: bpy.types.Object, clip: bpy.types.Action | None) -> int:
    """Blender's number of what is retargeted; of a source's NLA the armature's, which no action has."""
    return source.session_uid if clip is None else clip.session_uid
