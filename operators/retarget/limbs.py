"""What is asked of hands, feet and hips: its properties, between them and the bone map, and how they are drawn."""

from typing import TYPE_CHECKING, Any

import bpy
from bpy.props import EnumProperty, FloatProperty, StringProperty

from ..shared.layout import draw_whole
from . import bones_of, changed

if TYPE_CHECKING:
    from ...core.retarget.figures.bone_map import BoneMap, Limb, LimbName

_REACHES = (
    ("NONE", "Pose", "Where the rotations of its bones put it"),
    ("LIMB", "By Limb", "Where the source's is from its shoulder or hip, by the length of the limb"),
    ("BODY", "By Body", "Where the source's is from its hips, by the length of the legs"),
    ("HAND", "Other Hand", "Where the source's is from its other hand: claps, two hands on one weapon"),
    ("SELF", "Own Body", "Where the source's is from the part of its body that it is nearest to: hands on hips or head"),
    ("PROP", "Prop", "Where the source's is from a bone that both have, such as a weapon's"),
)

_OF_FEET = tuple(item if item[0] != "HAND" else ("HAND", "Other Foot", "Where the source's is from its other foot") for item in _REACHES)


def _limb_changed(self: Any, _context: Any) -> None:
    settings = self.id_data.retro_anim_retarget
    if not settings.filling:
        settings.edited = True
        changed()


class RetroAnimLimb(bpy.types.PropertyGroup):
    """What is asked of a hand or the hips."""

    reach: EnumProperty(name="Goal", items=_REACHES, update=_limb_changed)
    prop: StringProperty(name="Prop", description="The bone of the target that follows the source's prop", update=_limb_changed)
    strength: FloatProperty(
        name="Strength",
        description="From the pose (0) to the goal (1)",
        default=1.0,
        min=0.0,
        max=1.0,
        subtype="FACTOR",
        update=_limb_changed,
    )
    near: FloatProperty(
        name="Blend Distance",
        description="In leg lengths: within it the goal counts in full, beyond twice that not at all. "
        "0: everywhere; for Own Body within a third of one",
        min=0.0,
        max=1000.0,
        soft_max=2.0,
        update=_limb_changed,
    )
    stride: FloatProperty(
        name="Stride",
        description="Factor of the foot's way forwards and back",
        default=1.0,
        min=0.0,
        max=1000.0,
        soft_max=2.0,
        update=_limb_changed,
    )
    stance: FloatProperty(
        name="Stance",
        description="By how much the foot stands further out",
        subtype="DISTANCE",
        soft_min=-0.5,
        soft_max=0.5,
        update=_limb_changed,
    )
    height: FloatProperty(
        name="Pelvis Height",
        description="Factor of the hips' height; the feet stay",
        default=1.0,
        min=0.0,
        max=1000.0,
        soft_max=2.0,
        update=_limb_changed,
    )


class RetroAnimFoot(bpy.types.PropertyGroup):
    """The same of a foot, whose other one is no hand."""


RetroAnimFoot.__annotations__ = {**RetroAnimLimb.__annotations__, "reach": EnumProperty(name="Goal", items=_OF_FEET, update=_limb_changed)}

LIMBS: "tuple[LimbName, ...]" = ("hips", "leftHand", "rightHand", "leftFoot", "rightFoot")
"""Those of the settings: `limb_` and the name."""

_LIMB_FIELDS = ("reach", "prop", "strength", "near", "stride", "stance", "height")


def fill_limbs(settings: Any, bone_map: "BoneMap") -> None:
    """Show what a map asks."""
    for name in LIMBS:
        limb = bone_map.limb(name)
        for key in _LIMB_FIELDS:
            setattr(getattr(settings, f"limb_{name}"), key, getattr(limb, key))


def read_limbs(settings: Any) -> "tuple[Limb, ...]":
    """Those of which something else than usual is asked."""
    from ...core.retarget.figures.bone_map import Limb

    limbs = [Limb(name, **{key: getattr(getattr(settings, f"limb_{name}"), key) for key in _LIMB_FIELDS}) for name in LIMBS]
    return tuple(limb for limb in limbs if limb != Limb(limb.limb))


def limb_of(role: str) -> str:
    """The limb that a line's bone is of, by its role; "" for none."""
    if role in ("hips", ""):
        return role
    ends = {"Arm": "Hand", "Hand": "Hand", "Leg": "Foot", "Foot": "Foot"}
    side = next((side for side in ("left", "right") if role.startswith(side)), "")
    return next((side + limb for end, limb in ends.items() if side and role.endswith(end)), "")


_TITLES = {"leftHand": "Left Hand", "rightHand": "Right Hand", "leftFoot": "Left Foot", "rightFoot": "Right Foot"}


def hindered(settings: Any, name: str) -> str:
    """Why a limb's goal counts for nothing, with what helps; "" where it counts."""
    limb = getattr(settings, f"limb_{name}")
    if limb.reach == "NONE":
        return ""
    if limb.reach == "PROP" and not limb.prop:
        return "No goal yet: choose the target's bone that is the prop"
    if settings.pairs and all(line.role != name for line in settings.pairs):
        return f"No goal: the bone map has no {_TITLES[name].lower()}"
    if limb.reach == "PROP" and settings.pairs and all(limb.prop not in bones_of(line, "target") for line in settings.pairs):
        return f"No goal: add a line to the bone map in which {limb.prop} follows the source's prop"
    return ""


def draw_limb(layout: Any, settings: Any, name: str, region: Any) -> None:
    """What is asked of a limb."""
    limb = getattr(settings, f"limb_{name}")
    if name == "hips":
        layout.prop(limb, "height")
        return
    layout.prop(limb, "reach", text=_TITLES[name])
    if limb.reach == "PROP" and (target := settings.target) is not None and target.type == "ARMATURE":
        row = layout.row()  # the whole width for the bone's name
        row.use_property_split = False
        row.prop_search(limb, "prop", target.data, "bones", text="")
    if why := hindered(settings, name):
        draw_whole(layout, why, region, icon="ERROR")
    if limb.reach != "NONE":
        layout.prop(limb, "strength")
    if limb.reach in ("HAND", "SELF", "PROP"):
        layout.prop(limb, "near")
    if name.endswith("Foot"):
        layout.prop(limb, "stride")
        layout.prop(limb, "stance")
