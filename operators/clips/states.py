"""Which clips were edited since they came in, were saved or were checked, as far as that is known without packing them."""

from __future__ import annotations

from collections.abc import Iterable, Mapping
from pathlib import Path
from typing import Any

import bpy
from bpy.app.handlers import persistent

from ...io.blender import identity
from ..shared import decide

ICONS = {"unchanged": "CHECKMARK", "edited": "GREASEPENCIL", "changed": "GREASEPENCIL", "new": "ADD", "refused": "CANCEL", "": "BLANK1"}
"""By state; the last of what is not known, as in a file that was just opened."""

_states: dict[int, str] = {}
"""By Blender's number of the action for this session, which stays where it is renamed."""

_prints: dict[int, int] = {}
"""Of the keys that the action had then."""


def state(action: bpy.types.Action) -> str:
    """A clip that is as in its file is not so where it is to go now."""
    from ...io.pipeline.destination import targets

    known = _states.get(action.session_uid, "")
    if known == "unchanged" and (targets.TO_FILE in action or targets.TO_ENTRY in action):
        return "new" if targets.wanted_entry(action, "").lower() == "new" else "edited"
    return known


def know(states: Mapping[str, str]) -> None:
    """Keep these, as true of what the actions are now."""
    for name, known in states.items():
        action = bpy.data.actions.get(name)
        if action is not None:
            _states[action.session_uid], _prints[action.session_uid] = known, _print(action)


def new(actions: Iterable[bpy.types.Action]) -> None:
    """These are of a game's character, and no file has them yet; whatever their keys are, so that those of a long one need not be read."""
    from ...io.pipeline.destination import targets

    _states.update((action.session_uid, "new") for action in actions if not targets.home(action))


def unchanged(names: Iterable[str]) -> None:
    """These actions are as in their files now. Others that go to the same place, as the originals of copies do, are not, where they
    differ."""
    written = dict.fromkeys(names, "unchanged")
    know(written)
    here = [action for action in bpy.data.actions if _states.get(action.session_uid) in ("unchanged", "edited")]
    prints = {_target(action): _prints[action.session_uid] for action in here if action.name in written}
    others = [action for action in here if action.name not in written and prints.keys() & {_target(action)} - {None}]
    for action in others:
        _prints[action.session_uid] = prints[_target(action)]
    _compare(others)


def _target(action: bpy.types.Action) -> tuple[str, str] | None:
    """The file and the entry that an action goes to; None where a file holds many clips without their entries."""
    from ...io.pipeline.destination import targets

    home, entry, game = targets.home(action), targets.shown_entry(action), identity.game_of(action)
    alone = game is not None and game.written.get(Path(home).suffix.lower()) == "clip"
    return (home, entry) if home and (entry or alone) else None


def forget(path: str) -> None:
    """The file holds something else now: what is known of the clips that go there is not true any more."""
    from ...core.files.file_names import same_file
    from ...io.pipeline.destination import targets

    for action in bpy.data.actions:
        if action.session_uid in _states and (home := targets.home(action)) and same_file(home) == same_file(path):
            _states.pop(action.session_uid)
            _prints.pop(action.session_uid, None)


def _print(action: bpy.types.Action) -> int:
    """Of all keys, whatever they are; it differs after any edit of one."""
    from ...io.blender import compat

    parts: list[Any] = []
    for curve in compat.all_curves(action):
        points = curve.keyframe_points
        numbers, kinds = [0.0] * (2 * len(points)), [0] * len(points)
        points.foreach_get("co", numbers)
        points.foreach_get("interpolation", kinds)
        parts.append((curve.data_path, curve.array_index, tuple(numbers), tuple(kinds)))
    return hash(tuple(parts))


@persistent
def _updated(_scene: Any, depsgraph: Any = None) -> None:
    """Blender tells which actions were touched, also by mere playback or selection."""
    if depsgraph is not None and _prints and depsgraph.id_type_updated("ACTION"):
        _compare(update.id.original for update in depsgraph.updates if isinstance(update.id, bpy.types.Action))


@persistent
def _undone(_scene: Any, _depsgraph: Any = None) -> None:
    """Of undo and redo Blender does not tell which actions they touch: it is what objects show, as it was when it was edited."""
    if _prints:
        _compare(obj.animation_data.action for obj in bpy.data.objects if obj.animation_data is not None)


def _compare(actions: Iterable[bpy.types.Action | None]) -> None:
    """Those whose keys are others than in their files are edited, and those whose keys are as they were are not. Of one that was refused
    nobody knows any more whether it is."""
    for action in {each for each in actions if each is not None}:
        if _states.get(action.session_uid) == "refused" and _print(action) != _prints[action.session_uid]:
            _states[action.session_uid] = "changed"
        if _states.get(action.session_uid) in ("unchanged", "edited"):
            same = _print(action) == _prints[action.session_uid]
            _states[action.session_uid] = "unchanged" if same else "edited"


@persistent
def _loaded(*_given: Any) -> None:
    _states.clear()
    _prints.clear()


def register() -> None:
    bpy.app.handlers.depsgraph_update_post.append(_updated)
    for handlers in (bpy.app.handlers.undo_post, bpy.app.handlers.redo_post):
        handlers.append(_undone)
    bpy.app.handlers.load_post.append(_loaded)
    decide.WRITTEN.append(unchanged)


def unregister() -> None:
    decide.WRITTEN.remove(unchanged)
    bpy.app.handlers.load_post.remove(_loaded)
    for handlers in (bpy.app.handlers.undo_post, bpy.app.handlers.redo_post):
        handlers.remove(_undone)
    bpy.app.handlers.depsgraph_update_post.remove(_updated)
    _loaded()
