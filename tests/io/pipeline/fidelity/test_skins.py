"""Settings by which Blender moves the mesh of a character otherwise than a game does are named before clips are written, where that is
seen in one of them, and what is advised ends it."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType
from typing import Any

import bpy
import pytest
from support.sample_characters import opened

OPS: Any = bpy.ops
CONTEXT: Any = bpy.context
Part = Callable[[str], ModuleType]
EXTENSIONS = {"lba": ".anm", "oni": ".oni", "oni2": ".anim", "mindpower": ".lab"}
"""Of clips."""


class Character:
    """The armature, its mesh of most vertices, a bone that carries some of these, and a clip in which that bone bends."""

    def __init__(self, game: str, folder: Path, part: Part) -> None:
        self.obj, self.mesh = opened(game, folder)
        self.game, self.part, self.out = game, part, str(folder / f"out{EXTENSIONS[game]}")
        skinned = part("io.blender.surface.skinned")
        carrying = skinned.carriers(self.mesh, self.obj)
        self.bone = max((each for each in self.obj.pose.bones if each.parent and carrying[each.name]), key=lambda each: carrying[each.name])
        self.modifier = next(each for each in self.mesh.modifiers if each.type == "ARMATURE")

    def bend(self) -> None:
        """The bone, by a right angle, for the rest of the clip."""
        action = self.obj.animation_data.action
        curves = self.part("io.blender.compat").curves(action, self.obj)
        own = [each for each in curves if each.data_path.startswith(f'pose.bones["{self.bone.name}"].rotation')]
        for key in own[-1].keyframe_points[1:]:
            key.co.y += 1.5
        own[-1].update()
        CONTEXT.scene.frame_set(int(action.frame_range[1]))

    def share(self) -> None:
        """The bone's vertices with the bone above it."""
        group = self.mesh.vertex_groups[self.bone.name].index
        above = self.mesh.vertex_groups.get(self.bone.parent.name) or self.mesh.vertex_groups.new(name=self.bone.parent.name)
        carried = [each.index for each in self.mesh.data.vertices if any(item.group == group for item in each.groups)]
        above.add(carried, 0.4, "REPLACE")
        self.mesh.vertex_groups[group].add(carried, 0.6, "REPLACE")

    def said(self) -> list[str]:
        """About the mesh, by an export of its clip."""
        options = self.part(f"core.{self.game}.game").ExportOptions(path=self.out, dry_run=True)
        exporting, kind = self.part("io.pipeline.out_of_blender.exporting"), self.part(f"io.{self.game}.write").Writer
        with self.part("core.reporting.log").collect() as log:
            exporting.export(kind, bpy.context, options)
        return [message.text for message in log.messages if message.level == "WARNING" and message.where == self.mesh.name]


@pytest.fixture(params=EXTENSIONS)
def character(request: pytest.FixtureRequest, tmp_path: Path, part: Part) -> Character:
    return Character(request.param, tmp_path, part)


Undo = Callable[[], object]


def set_to(owner: Any, name: str, value: Any) -> Undo:
    before = getattr(owner, name)
    setattr(owner, name, value)
    return lambda: setattr(owner, name, before)


def bendy(character: Character) -> Undo:
    character.bone.bbone_curveinx = character.bone.bbone_curveoutz = character.bone.length
    return set_to(character.bone.bone, "bbone_segments", 8)


def without_deform(character: Character) -> Undo:
    return set_to(character.bone.bone, "use_deform", False)


def volume(character: Character) -> Undo:
    character.share()
    return set_to(character.modifier, "use_deform_preserve_volume", True)


def envelopes(character: Character) -> Undo:
    """With vertices that have no weights."""
    group = character.mesh.vertex_groups[character.bone.name]
    group.remove([each.index for each in character.mesh.data.vertices])
    character.bone.bone.envelope_distance = 100.0
    return set_to(character.modifier, "use_bone_envelopes", True)


def multiplied(character: Character) -> Undo:
    character.share()
    character.bone.bone.envelope_distance = 0.0
    return set_to(character.bone.bone, "use_envelope_multiply", True)


def in_one_group(character: Character) -> Undo:
    return set_to(character.modifier, "vertex_group", character.bone.name)


def twice(character: Character) -> Undo:
    second = character.mesh.modifiers.new("second", "ARMATURE")
    second.object = character.obj
    return lambda: character.mesh.modifiers.remove(second)


EDITS: dict[str, tuple[Callable[[Character], Undo], str]] = {
    "bendy bones": (bendy, "Bendy Bones bend what a bone carries"),
    "without deform": (without_deform, "Deform is off"),
    "preserve volume": (volume, "Preserve Volume is on"),
    "envelopes": (envelopes, "by bone envelopes"),
    "envelope multiply": (multiplied, "Envelope Multiply makes other weights"),
    "twice": (twice, "2 Armature modifiers move it"),
    "in one group": (in_one_group, "leaves out vertex groups"),
}


@pytest.mark.thorough
@pytest.mark.parametrize("edit", EDITS)
def test_a_mesh_that_is_carried_otherwise(character: Character, edit: str) -> None:
    character.bend()
    before = character.said()
    change, expected = EDITS[edit]
    undo = change(character)
    new = [line for line in character.said() if line not in before]
    assert sum(expected in line for line in new) == 1
    undo()
    assert not any(expected in line for line in character.said())


def test_what_nobody_sees(character: Character) -> None:
    """Bendy bones that stay straight, envelopes where all vertices have weights, and joints at which none is of two bones; and all of it
    is as it was afterwards."""
    character.bend()
    character.bone.bone.bbone_segments, character.modifier.use_bone_envelopes = 8, True
    character.modifier.use_deform_preserve_volume = character.game in ("lba", "oni")
    frame = CONTEXT.scene.frame_current
    assert character.said() == []
    assert (character.bone.bone.bbone_segments, character.modifier.use_bone_envelopes, CONTEXT.scene.frame_current) == (8, True, frame)


@pytest.mark.thorough
@pytest.mark.parametrize("edit", ["bendy bones", "preserve volume", "without deform"])
def test_a_character_that_is_saved(character: Character, edit: str, part: Part) -> None:
    """Says it once, with its clips."""
    character.bend()
    change, expected = EDITS[edit]
    undo = change(character)
    save = part("io.pipeline.out_of_blender.character").save_character

    def said() -> int:
        with part("core.reporting.log").collect() as log:
            save(bpy.context, character.obj)
        return sum(expected in message.text and message.where == character.mesh.name for message in log.messages)

    assert said() == 1
    undo()
    assert said() == 0
