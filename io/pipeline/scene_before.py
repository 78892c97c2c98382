"""What a scene was like before Game View: kept in the collection of what that puts into it, since undo may bring both back when nobody
shows it any more."""

from __future__ import annotations

import json
import secrets
from contextlib import suppress
from typing import Any

import bpy

from .game_stage import NAME

KINDS = ("objects", "meshes", "cameras", "lights", "materials", "images", "node_groups", "worlds", "collections")
_BEFORE = "retro_anim_before"
_RENDER = ("resolution_x", "resolution_y", "resolution_percentage", "pixel_aspect_x", "pixel_aspect_y")
_SHOWN = ("view_transform", "look")
"""In the order in which they are given back: looks belong to transforms."""

_SESSION = secrets.token_hex(8)
"""In a file that Blender saved by itself, and that was opened again, the numbers of another session mean other objects."""


class Before:
    """All by their session_uid, which undo and other names leave as it is. own: by kind the blocks that are called as Game View's are, and
    are not. objects: what is hidden, and in what it was so before."""

    def __init__(self, scene: Any) -> None:
        self._document: dict[str, Any] = {
            "session": _SESSION,
            "scene": scene.session_uid,
            "own": {kind: [block.session_uid for block in _called_so(kind)] for kind in KINDS},
            "objects": [],
            "frame": [scene.frame_current, scene.frame_subframe],
            "preview": [scene.frame_preview_start, scene.frame_preview_end],
            "camera": _number(scene.camera),
            "world": _number(scene.world),
            "values": {name: getattr(scene, name) for name in ("sync_mode", "use_preview_range")},
            "render": {name: getattr(scene.render, name) for name in _RENDER},
            "shown": {name: getattr(scene.view_settings, name) for name in _SHOWN},
        }

    def hides(self, obj: Any) -> None:
        """The object is about to be hidden."""
        self._document["objects"].append([obj.session_uid, obj.hide_viewport, obj.hide_render])

    def keep(self, collection: bpy.types.Collection) -> None:
        """With what was put into the scene, whatever undo makes of that."""
        block: Any = collection
        block[_BEFORE] = json.dumps(self._document)

    def give_back(self) -> None:
        """What is gone, or somebody has deleted meanwhile, stays so."""
        _give_back(self._document)


def clear() -> None:
    """What undo has brought back of a Game View that nobody shows."""
    collections: list[Any] = [block for block in bpy.data.collections if _BEFORE in block]
    for document in [json.loads(block[_BEFORE]) for block in collections]:
        if document["session"] == _SESSION:
            _give_back(document)


def _give_back(document: dict[str, Any]) -> None:
    objects = _by_number(bpy.data.objects)
    for number, hide_viewport, hide_render in document["objects"]:
        if number in objects:
            objects[number].hide_viewport, objects[number].hide_render = hide_viewport, hide_render
    scene = _by_number(bpy.data.scenes).get(document["scene"])
    if scene is not None:
        _set_back(scene, document)
    for kind in KINDS:  # objects first, then what they used
        new = [block for block in _called_so(kind) if block.session_uid not in document["own"][kind]]
        if new:
            bpy.data.batch_remove(new)


def _set_back(scene: Any, document: dict[str, Any]) -> None:
    scene.frame_preview_start, scene.frame_preview_end = document["preview"]
    scene.frame_preview_start = document["preview"][0]
    parts = ((scene.view_settings, "shown"), (scene.render, "render"), (scene, "values"))
    for owner, part in parts:
        for name, value in document[part].items():
            with suppress(TypeError):  # a look that the transform does not have
                setattr(owner, name, value)
    for name, blocks in (("camera", bpy.data.objects), ("world", bpy.data.worlds)):
        setattr(scene, name, _by_number(blocks).get(document[name]))
    frame, subframe = document["frame"]
    scene.frame_set(frame, subframe=subframe)


def _called_so(kind: str) -> list[Any]:
    return [block for block in getattr(bpy.data, kind) if block.name.startswith(NAME)]


def _number(block: Any) -> int | None:
    return None if block is None else block.session_uid


def _by_number(blocks: Any) -> dict[int | None, Any]:
    return {block.session_uid: block for block in blocks}
