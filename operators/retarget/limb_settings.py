"""What the scene keeps of what is asked of hands, feet and hips."""

from typing import Any

from bpy.props import EnumProperty, FloatProperty, StringProperty
from bpy.types import PropertyGroup

from . import changed

_REACHES = (
    ("NONE", "Pose", "Where the rotations of its bones put it"),
    ("LIMB", "By Limb", "Where the source's is from its shoulder or hip, by the length of the limb"),
    ("BODY", "By Body", "Where the source's is from its hips, by the length of the legs"),
    ("HAND", "Other Hand", "Where the source's is from its other hand: claps, two hands on one weapon"),
    ("SELF", "Own Body", "Where the source's is from the part of its body that it is nearest to: hands on hips or head"),
    ("PROP", "Prop", "Where the source's is from a bone that both have, such as a weapon's; an object is no such goal"),
)

_OF_FEET = tuple(item if item[0] != "HAND" else ("HAND", "Other Foot", "Where the source's is from its other foot") for item in _REACHES)


def _limb_changed(self: Any, _context: Any) -> None:
    settings = self.id_data.retro_anim_retarget
    if not settings.filling:
        settings.edited = True
        changed()


class RetroAnimLimb(PropertyGroup):
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


class RetroAnimFoot(PropertyGroup):
    """The same of a foot, whose other one is no hand."""


RetroAnimFoot.__annotations__ = {**RetroAnimLimb.__annotations__, "reach": EnumProperty(name="Goal", items=_OF_FEET, update=_limb_changed)}
