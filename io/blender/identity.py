"""Which game, and which character of it, armatures and actions belong to."""

from __future__ import annotations

from collections.abc import Generator
from contextlib import contextmanager
from contextvars import ContextVar
from typing import Any

import bpy

from ...core import games
from ...core.declare.game import Game

GAME = "retro_anim_game"
"""Custom property of armatures, objects and actions: the game's id."""

RIG = "retro_anim_rig"
"""Custom property of armatures and actions: which figure they belong to. Bones of different figures share their names."""

RETARGETED = "retro_anim_target"
"""Custom property of actions that retargeting made: the armature object they were made for."""

BONE = "retro_anim_bone"
"""Custom property of every bone of a game: its number in the game's files, whatever its name or position in Blender's lists."""

CALLED = "retro_anim_game_name"
"""Custom property of bones that are called otherwise in Blender than in the game: what the game calls them."""

NAME = "retro_anim_name"
"""Custom property of every bone: what it was called when it came in."""

FOLLOWED = "retro_anim_followed"
"""Custom property of bones that were renamed: what they were called when the curves of all clips were renamed, too."""

FURTHER = "retro_anim_clip"
"""Custom property of clips of an export that do not stand for what came from a file, whose names there are theirs, too: further slots,
strips and ranges of an action."""

SHOWN = "retro_anim_shown"
"""Custom property of clips of an export that an armature shows now: the slot in use of its action, besides which poses count that no curve
holds."""

TICKED = "retro_anim_ticked"
"""Property of actions, where there is a side panel: whether the clip is ticked in it. All are at first."""

CATALOGUE = "retro_anim_catalogue"
"""Custom property of an action that was marked as an asset: the path of its catalogue."""

STAGED = "retro_anim_before"
"""Custom property of an armature object that shows something else than its own pose for a while; see temporary_state.py."""

PREVIEW, POSE = "preview", "pose"
"""What for."""


Key = tuple[str, str | None]
"""Of an object or action: its name, and the .blend that it is linked from. A linked one may have the same name as one of this file."""


def key_of(block: bpy.types.ID) -> Key:
    return block.name, None if block.library is None else block.library.filepath


def object_of(key: Key) -> bpy.types.Object | None:
    """None where it is gone, or has another name."""
    objects: Any = bpy.data.objects
    return objects.get(key)


class Followed:
    """An object of the session, whatever it is called meanwhile; a linked one that was reloaded is the one with its name."""

    def __init__(self, obj: bpy.types.Object) -> None:
        self._key, self._number = key_of(obj), obj.session_uid

    @property
    def name(self) -> str:
        """What it was called when it was found last."""
        return self._key[0]

    @property
    def obj(self) -> bpy.types.Object | None:
        """None where it is gone."""
        obj = object_of(self._key)
        if obj is not None and obj.session_uid == self._number:
            return obj
        renamed = next((each for each in bpy.data.objects if each.session_uid == self._number), None)
        if renamed is None:
            return obj
        self._key = key_of(renamed)
        return renamed


def action_of(key: Key) -> bpy.types.Action | None:
    """As `object_of`."""
    actions: Any = bpy.data.actions
    return actions.get(key)


_sampled: ContextVar[bool] = ContextVar("sampled", default=False)


@contextmanager
def sampled() -> Generator[None]:
    """While another action than somebody chose is on its armature, to be sampled: what follows the active action leaves that alone."""
    token = _sampled.set(True)
    try:
        yield
    finally:
        _sampled.reset(token)


def is_sampled() -> bool:
    return _sampled.get()


def is_staged(obj: bpy.types.Object, kind: str = "") -> bool:
    """Whether an object shows something for a while. kind: what for, if that counts. A property that is no group is not ours, and one that
    comes from another file is that file's, where alone it can be given back."""
    kept: Any = obj.get(STAGED)
    return hasattr(kept, "to_dict") and (not kind or kept.get("kind") == kind) and not comes_staged(obj)


def comes_staged(obj: bpy.types.Object) -> bool:
    """Whether an object was saved, in the .blend that it is linked from, while it showed something."""
    original = obj if obj.library is not None else obj.override_library and obj.override_library.reference
    return original is not None and original.get(STAGED) is not None


def renamed(obj: Any) -> dict[str, str]:
    """Of bones of an armature that have another name than when they came in, or when curves were renamed, the present one by those of
    before."""
    names = ((bone.get(before), bone.name) for bone in obj.data.bones for before in (NAME, FOLLOWED))
    return {before: now for before, now in names if isinstance(before, str) and before != now}


def mark(obj: bpy.types.Object, game: Game) -> None:
    """Store of which game an armature is; of any other object, the object itself is marked."""
    _owner(obj)[GAME] = game.id


def mark_action(action: bpy.types.Action, game: Game, obj: bpy.types.Object) -> None:
    for name, value in marks(game, obj).items():
        action[name] = value


def marks(game: Game, obj: bpy.types.Object) -> dict[str, Any]:
    """The custom properties of an action that say whose it is."""
    return {GAME: game.id} | ({RIG: _owner(obj).get(RIG, "")} if obj.type == "ARMATURE" else {})


def game_of(block: Any) -> Game | None:
    """The game that an armature object, another object or an action is of; None where it is of none."""
    owner = _owner(block) if isinstance(block, bpy.types.Object) else block
    return games.GAMES.get(str(owner.get(GAME, ""))) or _game_by_properties(owner)


def rate_of(obj: bpy.types.Object) -> float | None:
    """Time units a second of the game, or of the variant of it, that an object is of; None where it is of none."""
    game = game_of(obj)
    if game is None:
        return None
    return game.rates.get(variant_of(obj, game)) if game.variant else game.rate


def variant_of(block: Any, game: Game) -> str:
    """Which of a game's variants an object or an action is of; "" where it says none."""
    owner = _owner(block) if isinstance(block, bpy.types.Object) else block
    name = str(owner.get(game.variant, "")) if game.variant else ""
    return name if name in game.rates else ""


def use_of(action: bpy.types.Action) -> str:
    """What the game uses a clip for, in its words; "" where that is not known."""
    game = game_of(action)
    said = action.get(game.used_for) if game is not None and game.used_for else None
    return said if isinstance(said, str) else ""


def _game_by_properties(owner: Any) -> Game | None:
    """Of a file that was made before blocks had it: by the properties that only one game gives."""
    return next((game for game in games.GAMES.values() if any(name in owner for name in game.telling)), None)


def _owner(obj: bpy.types.Object) -> Any:
    """The data-block that keeps what is known of an object: of an armature the armature."""
    return obj.data if obj.type == "ARMATURE" and obj.data is not None else obj
