"""What the scene keeps of a line of the bone map."""

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
