"""How to retarget: the options, a part that folds in for each group of them."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bpy

from ....io.blender import identity
from ...shared.layout import draw_field, draw_whole, split_layout
from ...shared.parts import Part
from .. import ELSEWHERE, GROUPS
from ..mapping import bone_map
from ..settings import settings_of
from .changes import draw_changed

_GREYED = ("hips_down", "step")
"""Options that are shown, but grey, while others make them count for nothing."""


class Options(Part):
    title = "Options"
    closed = True

    def draw(self, context: bpy.types.Context) -> None:
        layout, settings = split_layout(self), settings_of(context)
        target = bone_map.both_of(context)[1]
        used = _used(settings, target)
        _draw_presets(layout)
        for number, (title, group) in enumerate(GROUPS.items()):
            names = [name for name in group if name not in ELSEWHERE]
            if not names:
                continue
            header, body = layout.panel(f"retro_anim_retarget_{title.lower().replace(' ', '_')}", default_closed=number > 0)
            header.label(text=title, translate=False)
            draw_changed(header, settings, [name for name in names if used.get(name, True)])
            if body is not None:
                _draw_part(body, context, settings, names, used, target)
                if title == "Contacts":
                    body.operator("retro_anim.retarget_contacts", icon="MARKER")


def _draw_presets(layout: Any) -> None:
    menu: Any = getattr(bpy.types, "RETRO_ANIM_MT_retarget_presets")  # noqa: B009 - typed stubs do not know it
    row = layout.row(align=True)
    row.menu(menu.__name__, text=menu.bl_label)
    row.operator("retro_anim.retarget_preset", text="", icon="ADD")
    row.operator("retro_anim.retarget_preset", text="", icon="REMOVE").remove_active = True


def _used(settings: Any, target: Any) -> dict[str, bool]:
    """Whether an option counts, of those that others make count for nothing."""
    return {
        "hips_down": settings.feet,
        "step": settings.keys == "FRAMES",
        "rigify_ik": _has_ik(target),
    }


def _draw_part(body: Any, context: bpy.types.Context, settings: Any, names: Sequence[str], used: dict[str, bool], target: Any) -> None:
    for name in names:
        if used.get(name, True) or name in _GREYED:
            row = body.row()  # what only does not count now stays, so that nothing moves away from below the mouse
            row.active = used.get(name, True)
            draw_field(row, settings, name, context.region)
            if name == "root_motion" and settings.root_motion == "HIPS" and _goes_with_object(target):
                says = "The object carries it here, as the target's game has no hips that rotate and move"
                draw_whole(body, says, context.region, icon="INFO")
            elif name == "scale":
                draw_whole(body, "0: by the length of the legs", context.region, icon="BLANK1")


def _goes_with_object(target: Any) -> bool:
    """Whether a bone of the target's game rotates or moves, never both, so that its object moves over the ground."""
    game = identity.game_of(target) if target is not None else None
    return game is not None and game.exclusive


def _has_ik(target: Any) -> bool:
    """Whether a rig has the IK controls that Rigify makes beside those for FK."""
    bones = target.data.bones if target is not None else {}
    ends = [f"{end}_{{}}.{side}" for end in ("hand", "foot") for side in ("L", "R")]
    return any(end.format("ik") in bones and end.format("fk") in bones for end in ends)
