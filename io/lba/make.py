"""A body of Little Big Adventure from an armature and meshes of any kind: a new character beside them, as the game would have it."""

from __future__ import annotations

from collections import Counter
from collections.abc import Sequence

import bpy
import numpy as np
from numpy.typing import NDArray

from ...core.lba.body.body import Body
from ...core.lba.body.lm1_write import lm1_of
from ...core.lba.body.lm2_write import lm2_of
from ...core.lba.characters import companions
from ...core.lba.files.lm1 import Lm1
from ...core.lba.files.lm2 import Lm2
from ...core.lba.files.palette import Palette
from ...core.lba.files.texture import TexturePage
from ...core.lba.files.variant import MAX_GROUPS
from ...core.lba.game import GAME, ImportOptions, MakeOptions
from ...core.lba.motion.motion import CONVENTION
from ...core.reporting import log
from ...core.reporting.errors import ExportError
from ..blender import armature, identity, scene
from ..blender.built import Built, beside
from ..blender.surface.skinned import as_shown, carriers, height_of, meshes_for_body, meshes_of
from ..retarget.reading.upright import space_of
from .body import resources
from .body.paint import PAGE, Paint, paint_of
from .body.plan_bodies import Character
from .body.shape import shape_of
from .body.surface import Figure
from .build import VARIANT, Builder

Floats = NDArray[np.float64]

ROOT = "root"
"""The group that the game rotates by itself, which every body has; bones hang on it."""

_SCALE = 0.001
"""Metres a game unit."""


def make_body(context: bpy.types.Context, obj: bpy.types.Object, options: MakeOptions) -> Built:
    """Build the character that an armature and its meshes are in the game, beside them; they stay as they are.

    Raises ExportError for what the game cannot hold, with the scene as it was."""
    with log.about(obj.name), scene.unchanged_on_failure(context), scene.object_mode(context, follow=True):
        meshes = meshes_for_body(context, obj)
        space = space_of(obj)
        wide = options.game == "lba2"
        palette = _palette(options.palette)
        with as_shown(context, meshes):
            figure = _figure(obj, meshes, space, _scale(context, meshes, options), options.merge)
            shape = shape_of(figure, meshes, None, wide, palette, foreign=is_foreign(obj, options.game))
        document = lm2_of(shape) if wide else lm1_of(shape)
        page = companions.page_for(options.palette) if wide and options.palette else None
        built = _built(context, obj, document, figure.names, palette, page)
        resources.keep(armature.data_of(built.armature), options.palette)
        return built


def _palette(given: str) -> Palette:
    """Of the file that is given, else a plain one, which is said."""
    if given:
        return companions.palette_of(given)[0]
    log.warning("no palette was given: plain colours instead of the game's; name its RESS.HQR")
    return Palette.plain()


def is_foreign(obj: bpy.types.Object, game: str) -> bool:
    """Whether an armature is from the other one of the two games, whose numbers of colours and polygon types mean others."""
    return armature.data_of(obj).get(VARIANT, game) != game


def colours_of(context: bpy.types.Context, obj: bpy.types.Object, given: str, game: str) -> list[str]:
    """A line for each material of an armature's meshes, with the index in the palette that it becomes."""
    with log.collect():
        palette = _palette(given)
        slots = [slot for mesh in meshes_of(context, obj) for slot in mesh.material_slots]
        materials = {slot.material.name: slot.material for slot in slots if slot.material is not None}
        return [_colour_line(materials[name], paint_of(materials[name], palette, is_foreign(obj, game))) for name in sorted(materials)]


def _colour_line(material: bpy.types.Material, paint: Paint) -> str:
    if paint.region is not None or (paint.image is not None and PAGE in paint.image):
        return f"{material.name}: its place on the texture page"
    becomes = f"colour {paint.colour if paint.colour >= 0 else paint.plain}"
    return f"{material.name}: {'a colour for each face, by its texture' if paint.image is not None else becomes}"


def _scale(context: bpy.types.Context, meshes: Sequence[bpy.types.Object], options: MakeOptions) -> float:
    """Metres a unit, so that the character is as high as is asked for."""
    height = float(options.height)
    if options.like:
        height = _height(context, options.like)
    own = height_of(meshes)
    if not height or not own:
        return _SCALE
    log.info(f"it is {height:.0f} units high, by a factor of {height * _SCALE / own:.3g}")
    return own / height


def _height(context: bpy.types.Context, name: str) -> float:
    """In units of the game, of another character in the scene. Raises ExportError for what is none, and for one without meshes."""
    other = context.scene.objects.get(name)
    if other is None or other.type != "ARMATURE" or identity.game_of(other) is not GAME:
        raise ExportError(f"{name} is no character of {GAME.label} in this scene, whose height could be taken: choose one, or a height")
    height = height_of(meshes_of(context, other)) / armature.scale_of(other)
    if not height:
        raise ExportError(f"{name} has no mesh whose height could be taken: choose another character, or a height")
    return height


def _figure(obj: bpy.types.Object, meshes: Sequence[bpy.types.Object], space: Floats, scale: float, merge: bool) -> Figure:
    """Groups: the root, and the bones that some vertex has its largest weight on, at most as many as the game has room for."""
    weights = Counter[str]()
    for mesh in meshes:
        weights.update(carriers(mesh, obj))
    bones = sorted(armature.bones_of(obj), key=lambda bone: len(bone.parent_recursive))
    names = [bone.name for bone in bones if weights[bone.name]]
    above = {bone.name: [each.name for each in bone.parent_recursive] for bone in bones}
    merged = _merged(names, above, weights, merge)
    kept = [name for name in names if name not in merged]
    index = {name: number for number, name in enumerate(kept, 1)}
    parents = [-1] + [next((index[each] for each in above[name] if each in index), 0) for name in kept]
    own = armature.bones_of(obj)
    matrix = space @ np.array(obj.matrix_world, np.float64)
    heads = np.array([(0, 0, 0), *(own[name].head_local for name in kept)], np.float64)
    heads = (heads @ matrix[:3, :3].T + matrix[:3, 3]) / scale @ CONVENTION.axes
    heads[0] = 0
    aliases = {name: index[_into(name, merged)] for name in merged}
    return Figure(obj, (ROOT, *kept), np.array(parents, np.int64), heads, scale, space, aliases, bare=0)


def _merged(names: list[str], above: dict[str, list[str]], weights: Counter[str], merge: bool) -> dict[str, str]:
    """Bones that are too many, each with the one that it goes into: of those that nothing hangs on the ones that move least."""
    merged: dict[str, str] = {}
    left = list(names)
    if len(left) >= MAX_GROUPS and not merge:
        raise ExportError(f"{len(left)} bones move vertices, and with the root the game has room for {MAX_GROUPS}: choose Merge Bones")
    share = Counter(weights)
    while len(left) >= MAX_GROUPS:
        with_children = {next((each for each in above[name] if each in left), "") for name in left}
        ends = [name for name in left if name not in with_children and any(each in left for each in above[name])]
        if not ends:
            raise ExportError(
                f"{len(left)} bones that hang on no other move vertices, and with the root the game has room for {MAX_GROUPS}"
            )
        least = min(ends, key=lambda name: (share[name], -len(above[name])))
        merged[least] = next(each for each in above[least] if each in left)
        share[merged[least]] += share[least]
        left.remove(least)
    if merged:
        log.warning(f"merged into their parents, since the game has room for {MAX_GROUPS} groups: {', '.join(merged)}")
    return merged


def _into(name: str, merged: dict[str, str]) -> str:
    while name in merged:
        name = merged[name]
    return name


def _built(
    context: bpy.types.Context,
    obj: bpy.types.Object,
    document: Lm1 | Lm2,
    names: tuple[str, ...],
    palette: Palette,
    page: TexturePage | None,
) -> Built:
    body = Body.of(document)
    builder = Builder(context, ImportOptions())
    character = Character(f"{obj.name} LBA{2 if isinstance(document, Lm2) else 1}", body=body, palette=palette, page=page)
    builder.prepare([character])
    stage = builder.stage(character)
    new = stage.obj
    for bone, name in zip(armature.read_bones(new)[0], names, strict=True):
        own = armature.bones_of(new)[bone]
        own.name = name
        own[armature.NAME] = own.name
    return beside(context, obj, new, builder.result.meshes, GAME)
