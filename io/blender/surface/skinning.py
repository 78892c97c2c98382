"""Settings by which Blender carries the vertices of a mesh otherwise than a game, which moves each by its weights on bones and nothing
else."""

from __future__ import annotations

from collections.abc import Generator, Iterator, Sequence
from contextlib import ExitStack, contextmanager
from typing import Any, NamedTuple

import bpy

from ....core.reporting.labels import first_few
from .. import armature
from .skinned import carriers


class Deviation(NamedTuple):
    """text: what is said of the mesh. settings: what makes it so, as owner, property, and the value with which Blender does as a game."""

    text: str
    settings: Sequence[tuple[Any, str, Any]]

    @contextmanager
    def without(self) -> Generator[None]:
        """Inside, these settings are as a game has it."""
        with ExitStack() as restored:
            for owner, name, value in self.settings:
                restored.callback(setattr, owner, name, getattr(owner, name))
                setattr(owner, name, value)
            yield


def modifiers_of(mesh: bpy.types.Object) -> list[Any]:
    """Its Armature modifiers, also those that are off."""
    modifiers: list[Any] = list(mesh.modifiers)
    return [each for each in modifiers if each.type == "ARMATURE" and each.object is not None]


def _on(mesh: bpy.types.Object) -> list[Any]:
    return [each for each in modifiers_of(mesh) if each.show_viewport]


def of_weights(obj: bpy.types.Object, mesh: bpy.types.Object) -> Iterator[Deviation]:
    """By other weights, or more often, than those of its vertex groups, which a body's file has. obj: the armature."""
    on = _on(mesh)
    if len(on) > 1:
        off = [(each, "show_viewport", False) for each in on[1:]]
        yield Deviation(f"{len(on)} Armature modifiers move it, and the game moves it once: remove all but one", off)
    if partial := [each for each in on if not each.use_vertex_groups or each.vertex_group]:
        whole = [*((each, "use_vertex_groups", True) for each in partial), *((each, "vertex_group", "") for each in partial)]
        yield Deviation(
            "its Armature modifier leaves out vertex groups, by which the game moves it: tick Vertex Groups under Bind To, and clear the "
            "Vertex Group",
            whole,
        )
    off = [bone for bone in armature.bones_of(obj) if not bone.use_deform]
    if off and (still := _carrying(off, obj, mesh)):
        yield Deviation(
            f"{_named(still)}: Deform is off, so that Blender moves no vertices by it, and the game does: switch it on in the bone",
            [(bone, "use_deform", True) for bone in still],
        )


def of_poses(obj: bpy.types.Object, mesh: bpy.types.Object) -> Iterator[Deviation]:
    """By the same weights, to elsewhere: nothing of it is seen at rest."""
    on = _on(mesh)
    if kept := [each for each in on if each.use_deform_preserve_volume]:
        yield Deviation(
            "Preserve Volume is on in its Armature modifier, and the game's joints are without: untick it to see them bend as in the game",
            [(each, "use_deform_preserve_volume", False) for each in kept],
        )
    if enveloped := [each for each in on if each.use_bone_envelopes and each.use_vertex_groups]:
        yield Deviation(
            "its Armature modifier moves vertices without weights by bone envelopes, and the game moves none by these: give them weights, "
            "or untick Bone Envelopes under Bind To",
            [(each, "use_bone_envelopes", False) for each in enveloped],
        )
    bones = list(armature.bones_of(obj))
    if (multiplied := [bone for bone in bones if bone.use_envelope_multiply]) and (moving := _carrying(multiplied, obj, mesh)):
        yield Deviation(
            f"{_named(moving)}: Envelope Multiply makes other weights of those of its vertex group, by which the game moves it: switch it "
            "off in the bone",
            [(bone, "use_envelope_multiply", False) for bone in moving],
        )
    if (bendy := [bone for bone in bones if bone.bbone_segments > 1]) and (moving := _carrying(bendy, obj, mesh)):
        yield Deviation(
            f"{_named(moving)}: Bendy Bones bend what a bone carries, and the game moves it in one piece: set Segments to 1 in the bone",
            [(bone, "bbone_segments", 1) for bone in moving],
        )


def _carrying(bones: Sequence[Any], obj: bpy.types.Object, mesh: bpy.types.Object) -> list[Any]:
    carrying = carriers(mesh, obj)
    return [bone for bone in bones if bone.name in carrying]


def _named(bones: Sequence[Any]) -> str:
    return first_few([bone.name for bone in bones])
