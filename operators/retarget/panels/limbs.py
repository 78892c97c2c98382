"""What is asked of hands, feet and hips, as it is drawn."""

from __future__ import annotations

from typing import Any

from ....core.retarget.figures.roles import end_bone, sided
from ...shared.layout import draw_field, draw_whole
from .. import bones_of, roles_of


def limb_of(role: str) -> str:
    """The limb that a line's bone is of, by its role; "" for none."""
    if role in ("hips", ""):
        return role
    ends = {"Arm": "Hand", "Hand": "Hand", "Leg": "Foot", "Foot": "Foot"}
    side, part = sided(role)
    return next((side + limb for end, limb in ends.items() if side and part.endswith(end)), "")


_TITLES = {"leftHand": "Left Hand", "rightHand": "Right Hand", "leftFoot": "Left Foot", "rightFoot": "Right Foot"}


def hindered(settings: Any, name: str) -> str:
    """Why a limb's goal counts for nothing, with what helps; "" where it counts."""
    limb = getattr(settings, f"limb_{name}")
    if limb.reach == "NONE":
        return ""
    if limb.reach == "PROP" and not limb.prop:
        beside = "An object can not be chosen: add a bone in its place to both armatures, and a line for the two to the bone map"
        return f"No goal yet: choose the target's bone that is the prop. {beside}"
    if settings.pairs and all(name not in roles_of(line).values() for line in settings.pairs):
        missing = f"No goal: the bone map has no {_TITLES[name].lower()}"
        return f"{missing}. If source or target has none: add a bone {end_bone(name)} there, and map anew"
    if limb.reach == "PROP" and settings.pairs and all(limb.prop not in bones_of(line, "target") for line in settings.pairs):
        return f"No goal: add a line to the bone map in which {limb.prop} follows the source's prop"
    return ""


def draw_limb(layout: Any, settings: Any, name: str, region: Any, target: Any) -> None:
    """What is asked of a limb. target: the armature whose bones a prop is chosen from; None where nothing says which it is."""
    limb = getattr(settings, f"limb_{name}")
    if name == "hips":
        draw_field(layout, limb, "height", region)
        return
    draw_field(layout, limb, "reach", region, _TITLES[name])
    if limb.reach == "PROP" and target is not None:
        row = layout.row()  # the whole width for the bone's name
        row.use_property_split = False
        row.prop_search(limb, "prop", target.data, "bones", text="")
    if why := hindered(settings, name):
        draw_whole(layout, why, region, icon="ERROR")
    if limb.reach != "NONE":
        draw_field(layout, limb, "strength", region)
    if limb.reach in ("HAND", "SELF", "PROP"):
        draw_field(layout, limb, "near", region)
    if name.endswith("Foot"):
        draw_field(layout, limb, "stride", region)
        draw_field(layout, limb, "stance", region)
