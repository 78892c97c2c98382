"""The preview range goes with the clip that is shown."""

from collections.abc import Sequence
from typing import Any

import bpy
from bpy.app.handlers import persistent
from bpy.props import BoolProperty

from ...io.blender import identity, register_property
from ..shared.panel import active_action, animated

FOLLOWS = "retro_anim_follows"
"""Custom property of a scene: whether its preview range goes with the active action."""

_last: list[int] = []
"""Scene and action that the preview range was set for last, by what they keep under another name, too; 0 for none."""

_owner: list[int] = []
"""The object whose action that was: whoever selects another one chooses no clip, and stays at the frame."""

_range: list[float] = []
"""Frame range of the action then, which keys and *Refit Loop* may move."""


def _follows(scene: Any) -> bool:
    return bool(scene.get(FOLLOWS, False))


def _set_follows(scene: Any, follows: bool) -> None:
    scene[FOLLOWS] = follows
    _forget()


@persistent
def _forget(*_: Any) -> None:
    """What comes next is as it was found: of another file, frame and range are as it was saved."""
    for each in (_last, _owner, _range):
        each.clear()


@persistent
def update(scene: Any, depsgraph: Any = None, stay: bool = False) -> None:
    """The preview range goes with the active action, however that was changed, and with where that begins and ends."""
    if not scene.get(FOLLOWS) or scene != getattr(bpy.context, "scene", None) or identity.is_sampled():
        return
    action = active_action(bpy.context)
    if action is None:
        return
    if not (identity.GAME in action or identity.RETARGETED in action):  # also one that is being made, and is marked in the end
        _last[:] = _last or [scene.session_uid, 0]  # the next clip is not the one that the range was found with
        return
    present = [scene.session_uid, action.session_uid]
    if present == _last and not (depsgraph is not None and depsgraph.id_type_updated("ACTION")):
        return
    known, frame_range = present == _last, [*map(float, action.frame_range[:])]
    if known and frame_range == _range:
        return
    obj, first = animated(bpy.context), not _last
    owner = [obj.session_uid] if obj is not None else []
    selected = depsgraph is not None and bool(_owner) and owner != _owner
    _last[:], _owner[:], _range[:] = present, owner, frame_range
    if first and scene.use_preview_range:
        return  # as it was found
    from ...io.pipeline.loops import playing

    playing.follow(scene, action, stay or known or selected)


@persistent
def _played(scene: Any, depsgraph: Any = None) -> None:
    """A change is noticed with the next frame, as while Blender plays; a frame that a person or a script goes to is kept."""
    screen = getattr(bpy.context, "screen", None)
    update(scene, depsgraph, stay=screen is None or not screen.is_animation_playing)


@persistent
def _undone(scene: Any, *_: Any) -> None:
    """Blender kept the scene before this followed what was done: undo brings a range back that is not the clip's any more."""
    action = active_action(bpy.context)
    if action is None or not is_of(scene, action):
        return
    from ...io.pipeline.loops import playing

    _range[:] = map(float, action.frame_range[:])
    playing.follow(scene, action, stay=True)


def is_of(scene: Any, action: bpy.types.Action) -> bool:
    """Whether the preview range was set for the action last."""
    return _last == [scene.session_uid, action.session_uid]


def _handlers() -> Sequence[tuple[Any, Any]]:
    handlers = bpy.app.handlers
    undone = ((each, _undone) for each in (handlers.undo_post, handlers.redo_post))
    return (handlers.depsgraph_update_post, update), (handlers.frame_change_post, _played), (handlers.load_pre, _forget), *undone


def register() -> None:
    register_property(
        bpy.types.Scene,
        FOLLOWS,
        BoolProperty(
            name="Follow the Clip",
            description="The preview range is the loop of the clip that is shown, whichever that is",
            get=_follows,
            set=_set_follows,
        ),
    )
    for handlers, handler in _handlers():
        handlers.append(handler)


def unregister() -> None:
    for handlers, handler in _handlers():
        handlers.remove(handler)
    delattr(bpy.types.Scene, FOLLOWS)
