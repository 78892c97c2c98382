"""What the side panel keeps in the scene: which armatures, the bone map as a table, the options, the reports."""

from typing import Any

import bpy
from bpy.app.handlers import persistent
from bpy.props import (
    BoolProperty,
    CollectionProperty,
    EnumProperty,
    IntProperty,
    PointerProperty,
    StringProperty,
)
from bpy.types import Context, Object, PropertyGroup

from ...core.retarget.options import Options, RetargetOptions
from ...io.blender import register_property
from ..shared.declared import with_options
from . import changed, icon_of, in_two_lines
from .line_settings import RetroAnimFoot, RetroAnimLimb, RetroAnimPair


class RetroAnimKeptPose(PropertyGroup):
    """A reference pose, by its name. document: its rotations as JSON."""

    document: StringProperty()


class RetroAnimReport(PropertyGroup):
    """What one action's retargeting gave. title: its name as a narrow list shows it. lines, reasons: all of its lines, and those that ask
    for a look. document: JSON."""

    title: StringProperty()
    lines: StringProperty()
    reasons: StringProperty()
    document: StringProperty()
    is_good: BoolProperty()


class RetroAnimChoice(PropertyGroup):
    """An action to choose. `name` is its name, title that as a narrow list shows it."""

    title: StringProperty()
    chosen: BoolProperty(name="Retarget", description="Whether the next run takes this action")


def armatures_of(settings: Any) -> tuple[Any, Any]:
    """Source and target; None where none is chosen, or where it is an armature no more: what was linked from a file that is gone, or what
    was deleted, which Blender keeps for the field that names it."""
    source, target = (obj if obj is not None and _is_there(obj) else None for obj in (settings.source, settings.target))
    return source, target


def _is_there(obj: Object) -> bool:
    """A linked one stands in no scene where a collection is instanced."""
    return obj.type == "ARMATURE" and (obj.library is not None or any(_holds(scene, obj) for scene in bpy.data.scenes))


def _holds(scene: Any, obj: Object) -> bool:
    """A linked one may have the same name as one of this file, and be the first to be asked for by it."""
    first = scene.objects.get(obj.name)
    return first == obj or (first is not None and obj in scene.objects.values())


def doubtful_in(settings: Any) -> list[int]:
    """The lines of the map that want a look."""
    twice = in_two_lines(settings.pairs)
    return [number for number, line in enumerate(settings.pairs) if icon_of(line, twice) != "CHECKMARK"]


def _filtered(self: Any, _context: Any) -> None:
    """Below the table is no line that is not in it."""
    doubtful = doubtful_in(self)
    if self.only_doubtful and doubtful and self.index not in doubtful:
        self.index = doubtful[0]


def _source_changed(self: Any, context: Any) -> None:
    if self.actions_from == "CHOSEN" and not self.filling:
        from .choices import list_choices

        list_choices(self, armatures_of(self)[0], context)
    changed()


def _is_armature(_self: Any, obj: Object) -> bool:
    return obj.type == "ARMATURE"


@with_options(Options, RetargetOptions, update=changed)
class RetroAnimRetarget(PropertyGroup):
    source: PointerProperty(name="Source", description="The armature that moves", type=Object, poll=_is_armature, update=_source_changed)
    target: PointerProperty(
        name="Target", description="The armature that shall move like it", type=Object, poll=_is_armature, update=changed
    )
    pairs: CollectionProperty(type=RetroAnimPair)
    index: IntProperty(name="Line", description="Its bones are set below and highlighted in the view")
    source_fingerprint: StringProperty()
    target_fingerprint: StringProperty()
    edited: BoolProperty()
    filling: BoolProperty(options={"SKIP_SAVE"})
    limb_hips: PointerProperty(type=RetroAnimLimb)
    limb_leftHand: PointerProperty(type=RetroAnimLimb)  # noqa: N815  # as the map's file calls it
    limb_rightHand: PointerProperty(type=RetroAnimLimb)  # noqa: N815
    limb_leftFoot: PointerProperty(type=RetroAnimFoot)  # noqa: N815
    limb_rightFoot: PointerProperty(type=RetroAnimFoot)  # noqa: N815
    highlight: BoolProperty(name="Highlight", description="Draw the bones of the chosen line over the view", default=True)
    only_doubtful: BoolProperty(name="Doubtful Only", description="Show only lines that want a look", update=_filtered)
    actions_from: EnumProperty(
        name="Actions",
        items=(
            ("ACTIVE", "Active", "The source's present action"),
            ("ALL", "All", "Every action that moves the source's bones"),
            ("CHOSEN", "Chosen", "Those ticked in the list"),
        ),
        default="ALL",
        update=_source_changed,
    )
    choices: CollectionProperty(type=RetroAnimChoice)
    choice: IntProperty(name="Action", description="Tick those to retarget")
    poses: CollectionProperty(type=RetroAnimKeptPose)
    pose_name: StringProperty(name="Name", description="By which the pose is kept", default="Pose")
    before: StringProperty(options={"HIDDEN"})
    reports: CollectionProperty(type=RetroAnimReport)
    report: IntProperty(name="Report", description="Show below what of this action asks for a look")


def settings_of(context: Context) -> Any:
    """The scene's."""
    scene: Any = context.scene
    return scene.retro_anim_retarget


@persistent
def _loaded(*_given: Any) -> None:
    """Of a damaged .blend, or a stranger's."""
    from . import unreadable

    unreadable.forget_texts()


CLASSES = (RetroAnimPair, RetroAnimKeptPose, RetroAnimLimb, RetroAnimFoot, RetroAnimReport, RetroAnimChoice, RetroAnimRetarget)


def register() -> None:
    register_property(bpy.types.Scene, "retro_anim_retarget", PointerProperty(type=RetroAnimRetarget))
    bpy.app.handlers.load_post.append(_loaded)


def unregister() -> None:
    bpy.app.handlers.load_post.remove(_loaded)
    scene: Any = bpy.types.Scene
    del scene.retro_anim_retarget
