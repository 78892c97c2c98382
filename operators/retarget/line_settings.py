"""What the scene keeps of a line of the bone map, and of what is asked of a hand, a foot or the hips."""

from typing import Any

from bpy.props import BoolProperty, EnumProperty, FloatProperty, FloatVectorProperty, StringProperty
from bpy.types import PropertyGroup

from . import bones_of, changed, shown_as


def _edited(self: Any, _context: Any) -> None:
    settings = self.id_data.retro_anim_retarget
    if settings.filling:
        return
    settings.edited = True
    self.confidence, self.note, self.by_hand = 1.0, "", True
    changed()


def _ends_changed(self: Any, context: Any) -> None:
    settings = self.id_data.retro_anim_retarget
    if settings.filling:
        return
    from . import choices

    note = choices.between_ends(settings, self)
    _edited(self, context)
    self.note = note


class RetroAnimPair(PropertyGroup):
    """A line of the table: a pair of bones, or a chain with its bones as JSON lists. `name` is what is searched. source_roles,
    target_roles: of a chain, as JSON objects, by bone; also of those that were in it before and may come back."""

    source: StringProperty(name="Source", description="The bone that is followed; empty: none", update=_edited)
    target: StringProperty(name="Target", description="The bone that follows", update=_edited)
    is_chain: BoolProperty()
    mode: EnumProperty(
        name="Chain",
        items=(
            ("INTERPOLATED", "Interpolated", "Each bone rotates as the source does at the same part of its length"),
            ("ONE_TO_ONE", "One to One", "In order from the root; what is too much is left out"),
            ("REVERSED", "From the Tip", "In order from the tips"),
        ),
        update=_edited,
    )
    source_start: StringProperty(name="Source", description="The first bone of the chain", update=_ends_changed)
    source_end: StringProperty(name="To", description="Its last bone", update=_ends_changed)
    target_start: StringProperty(name="Target", description="The first bone of the chain", update=_ends_changed)
    target_end: StringProperty(name="To", description="Its last bone", update=_ends_changed)
    role: StringProperty()
    source_roles: StringProperty()
    target_roles: StringProperty()
    confidence: FloatProperty(default=1.0)
    note: StringProperty()
    by_hand: BoolProperty()
    space: EnumProperty(
        name="Space",
        items=(
            ("WORLD", "World", "The rotation away from the aligned rest pose, in the world"),
            ("LOCAL", "Parent", "The rotation relative to the bone's parent: wings, tails, weapons"),
        ),
        update=_edited,
    )
    turn: EnumProperty(  # pylint: disable=disallowed-name  # saved in .blend files under this name
        name="Rotation",
        items=(
            ("ALL", "All", "The whole rotation"),
            ("SWING", "Swing", "Without the rotation about the bone's own axis"),
            ("TWIST", "Twist", "Only the rotation about the bone's own axis"),
            ("NONE", "None", "The rotation is not keyed"),
        ),
        update=_edited,
    )
    weight: FloatProperty(
        name="Influence",
        description="How much of the source's rotation is taken",
        default=1.0,
        min=0.0,
        max=1.0,
        subtype="FACTOR",
        update=_edited,
    )
    offset: FloatVectorProperty(name="Offset", description="A further rotation in the bone's own axes", subtype="EULER", update=_edited)
    location: BoolProperty(name="Location", description="Copy the offset from the rest position, scaled", update=_edited)
    scale: BoolProperty(name="Scale", description="Copy the bone's scale", update=_edited)
    distribute: BoolProperty(
        name="Spread",
        description="Unmapped bones above, up to the next mapped one, take equal parts of the rotation",
        update=_edited,
    )
    tail: BoolProperty(
        name="Align Tail", description="Align by where the bone itself points, where no mapped bone lies below", update=_edited
    )

    def shown(self, side: str, without: str = "", briefly: bool = False) -> str:
        """The line's bones on one side, as `shown_as` says."""
        return shown_as(bones_of(self, side), without, briefly)


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
