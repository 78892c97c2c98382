"""Who uses a clip or a body of Little Big Adventure."""

from collections.abc import Sequence
from types import ModuleType
from typing import Any

import bpy
from bpy.props import CollectionProperty, EnumProperty, IntProperty, StringProperty
from bpy.types import Context, Event, Operator, PropertyGroup

from ...core.lba.game import GAME
from ...core.reporting.labels import line
from ..shared import decide, declared, job
from ..shared.layout import allowed, ask, split_layout, with_placeholder
from ..shared.panel import OfArmature, active_action, active_armature


def _users() -> ModuleType:
    """Loaded when it is needed and not when Blender starts."""
    from ...io.lba.characters import users

    return users


def _own_entity(context: Context) -> int:
    """The character of the game's list that the active armature came in as."""
    obj = active_armature(context)
    own = obj.data.get("lba_entity") if obj is not None and obj.data is not None else None
    return own if isinstance(own, int) and own >= 0 else 0


_HOWS = (("ADD", "Add or Change", "The role, of a character that may have it already"), ("REMOVE", "Remove", "The role of a character"))


class _OfEntity:
    """What a character of the game's list uses, for which role."""

    bl_options = {"UNDO"}

    how: EnumProperty(name="Action", items=_HOWS)
    entity: IntProperty(name="Character", description="Its number in FILE3D.HQR or in LBA2's RESS.HQR; -1 for a new one", default=0, min=-1)
    role: IntProperty(name="Role", description="The number by which the game asks for it", default=0, min=0, max=65535)
    like: IntProperty(name="Copy Of", description="Which character a new one is a copy of; -1 for an empty one", default=-1, min=-1)
    entity_none: declared.tick("entity", "New")
    like_none: declared.tick("like", "None")

    def invoke(self: Any, context: Context, event: Event) -> Any:
        self.entity = _own_entity(context)
        return ask(self, context, confirm_text="Write")

    def draw(self: Any, context: Context) -> None:
        layout = split_layout(self)
        layout.prop(self, "how")
        self.draw_entity(layout)
        layout.prop(self, "role")

    def draw_entity(self: Any, layout: Any) -> None:
        """The character, and of a new one what it is a copy of."""
        declared.draw_or_none(layout, self, "entity")
        if self.entity_none:
            declared.draw_or_none(layout, self, "like")

    def _said(self: Any, where: str | None) -> Any:
        if where is None:
            return {"CANCELLED"}
        self.report({"INFO"}, line(f"written: {where}"))
        return {"FINISHED"}


class RetroAnimUse(PropertyGroup):
    """A clip that has just become a new entry, and what it shall be used for."""

    action: StringProperty(name="Clip")
    role: StringProperty(name="Used For", description="walk, animation 70; nothing for a clip that the game shall not play")


class RETRO_ANIM_OT_lba_role(_OfEntity, Operator):
    """Say which character uses the active action's animation, and what for: in FILE3D.HQR or RESS.HQR beside its archive, of which a backup
    is kept"""

    bl_idname = "retro_anim.lba_role"
    bl_label = "Used For"

    clips: CollectionProperty(type=RetroAnimUse, options={"SKIP_SAVE", "HIDDEN"})

    @classmethod
    def poll(cls, context: Context) -> bool:
        return allowed(cls, bool(_new) or active_action(context) is not None, "Needs a clip: the active object shows none")

    def invoke(self: Any, context: Context, event: Event) -> Any:
        self.fill(_new)
        _new.clear()
        self.entity = _own_entity(context)
        return ask(self, context, width=420, confirm_text="Write")

    def fill(self: Any, new: Sequence[tuple[str, str]]) -> None:
        """Ask about these clips, each with the role that is suggested, instead of the active one."""
        for name, role in new:
            each = self.clips.add()
            each.action, each.role = name, role

    def draw(self: Any, context: Context) -> None:
        layout = split_layout(self)
        if len(self.clips):
            from ..shared import clip_names  # which Blender's start does not need

            self.draw_entity(layout)
            for each in self.clips:
                action = bpy.data.actions.get(each.action)
                called = clip_names.short_name(action, active_armature(context)) if action is not None else each.action
                with_placeholder(layout, each, "role", "none: the game does not play it", labelled=True, text=called, translate=False)
        else:
            _OfEntity.draw(self, context)
            layout.label(text=_users().role_name(self.role))

    def execute(self: Any, context: Context) -> Any:
        if len(self.clips):
            wanted = [(bpy.data.actions.get(each.action), each.role) for each in self.clips]
            return self._said(job.run(self, context, lambda: _users().use_as(wanted, self.entity, self.like)))
        action = active_action(context)
        assert action is not None
        if self.how == "REMOVE":
            return self._said(job.run(self, context, lambda: _users().stop_using(action, self.entity, self.role)))
        return self._said(job.run(self, context, lambda: _users().use(action, self.entity, self.role, self.like)))


_new: list[tuple[str, str]] = []
"""The clips of the dialog that is about to open, and what is suggested."""


def _ask_for_roles(exported: Any) -> None:
    """What is a new entry asks who uses it: nobody plays it otherwise."""
    _new[:] = _users().unused_of(exported)
    if _new:
        ops: Any = bpy.ops  # the stubs do not know our operators
        ops.retro_anim.lba_role("INVOKE_DEFAULT")


decide.FOLLOWING[GAME.id] = _ask_for_roles


class RETRO_ANIM_OT_lba_wear(OfArmature, _OfEntity, Operator):
    """Say which character has the body that the active armature is: in FILE3D.HQR or RESS.HQR beside its archive, of which a backup is
    kept"""

    bl_idname = "retro_anim.lba_wear"
    bl_label = "Body Of"

    def execute(self: Any, context: Context) -> Any:
        obj = active_armature(context)
        assert obj is not None
        data = obj.data
        if self.how == "REMOVE":
            return self._said(job.run(self, context, lambda: _users().take_off(data, self.entity, self.role)))
        return self._said(job.run(self, context, lambda: _users().wear(data, self.entity, self.role, self.like)))


class RETRO_ANIM_OT_lba_events(Operator):
    """Write the markers of the active action (steps, sounds, hits, throws) to the keyframes where they stand, into the character's list in
    FILE3D.HQR or RESS.HQR, of which a backup is kept. A marker may say its numbers: hit, strength 5"""

    bl_idname = "retro_anim.lba_events"
    bl_label = "Write Events"
    bl_options = {"UNDO"}

    entity: IntProperty(name="Character", description="Its number in FILE3D.HQR or in LBA2's RESS.HQR", default=0, min=0)

    @classmethod
    def poll(cls, context: Context) -> bool:
        fine = active_action(context) is not None and active_armature(context) is not None
        return allowed(cls, fine, "Needs a character that is active, with a clip")

    def invoke(self: Any, context: Context, event: Event) -> Any:
        known = _users().users(active_action(context))
        self.entity = known[0].entity if known else _own_entity(context)
        return ask(self, context, confirm_text="Write")

    def execute(self: Any, context: Context) -> Any:
        action, obj = active_action(context), active_armature(context)
        assert action is not None and obj is not None
        where = job.run(self, context, lambda: _users().write_events(context, obj, action, self.entity))
        if where is None:
            return {"CANCELLED"}
        self.report({"INFO"}, line(f"written: {where}"))
        return {"FINISHED"}


CLASSES = (
    RetroAnimUse,
    RETRO_ANIM_OT_lba_role,
    RETRO_ANIM_OT_lba_wear,
    RETRO_ANIM_OT_lba_events,
)
