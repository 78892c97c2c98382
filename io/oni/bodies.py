"""Bodies of Oni out of Blender: a .oni with everything that belongs to one."""

from __future__ import annotations

from collections.abc import Sequence
from pathlib import Path
from typing import NamedTuple
from urllib.parse import unquote

import bpy
import numpy as np

from ...core.images.pixels import Pixels
from ...core.oni import formats
from ...core.oni.body.body import HIGHEST, Body
from ...core.oni.body.body_file import body_file
from ...core.oni.body.body_read import Original
from ...core.oni.body.body_write import edited_file
from ...core.oni.body.geometry import UNNAMED_TEXTURE
from ...core.oni.body.textures import texture_list
from ...core.oni.body.textures.pictures_write import texture_file
from ...core.oni.files.library import file_name
from ...core.oni.files.onifile import OniFile
from ...core.oni.game import BodyOptions
from ...core.oni.motion.evaluate import Joints
from ...core.oni.motion.rig import T_POSE_BONES, OniRig, t_pose_rotations
from ...core.reporting import log
from ...core.reporting.errors import ExportError
from ..blender import armature, scene, source_data
from ..blender.surface import losses
from ..blender.surface.skinned import as_shown, inverse_of, meshes_of
from ..pipeline.destination import writing
from ..pipeline.destination.writing import Output
from ..pipeline.fidelity import object_size
from ..pipeline.out_of_blender import data_block
from ..pipeline.out_of_blender.data_block import Written
from . import build
from .body import drawn
from .body.body_origin import DETAIL, original_of, shown_of
from .fields.properties import instance_name


class Textures(NamedTuple):
    """The names of the bones' textures as they came in, and now; "" for none. known: whether those that came in are all that the body has,
    and not perhaps the list of a class alone."""

    before: tuple[str, ...]
    now: tuple[str, ...]
    known: bool


def export_body(context: bpy.types.Context, obj: bpy.types.Object, options: BodyOptions) -> Written:
    """Write the body that an armature and its meshes are. Raises RetroAnimError, with nothing written, for what the game cannot hold."""
    object_size.report_of_body(obj)
    return data_block.write(outputs_of(context, obj, options), options.overwrite)


def outputs_of(context: bpy.types.Context, obj: bpy.types.Object, options: BodyOptions) -> list[Output]:
    """A body's file, and what goes beside it. Raises RetroAnimError."""
    target = Path(options.path)
    if target.suffix.lower() != ".oni":
        raise ExportError(f"{target.name}: a body goes to a .oni, which OniSplit imports into a level")
    file, pictures, textures = pack_body(context, obj, options)
    present = writing.present(target)
    writing.refuse_other(target, present, *formats.BODY_PARTS)
    kept = options.normals == "KEEP"
    outputs = [Output(obj.name, str(target), file.pack(), armature.data_of(obj), present=present, kept_normals=kept)]
    paths = (str(target), source_data.path_of(armature.data_of(obj)))
    for name, pixels in pictures.items() if options.textures == "BESIDE" else ():
        outputs.append(_beside(target, name, texture_file(name, pixels, options.form, paths)))
    return [*outputs, *_texture_list(target, paths, options, textures, bool(pictures))]


def _beside(target: Path, name: str, file: OniFile) -> Output:
    """What goes along as a file of its own."""
    path = target.with_name(file_name(name))
    return Output(name, str(path), file.pack(), present=writing.present(path), derived=True)


def _texture_list(target: Path, paths: tuple[str, str], options: BodyOptions, textures: Textures, pictures: bool) -> list[Output]:
    """The list of textures by which the game draws the body, where the bones have others than it says."""
    changes = {bone: now for bone, (before, now) in enumerate(zip(textures.before, textures.now, strict=True)) if now != before}
    if not changes and not (pictures and options.textures == "INSIDE"):
        return []
    body = instance_name(unquote(target.stem), "TRBS")
    lists = texture_list.lists_for(body, paths)
    named = [each for each in lists if each.name]
    chosen = next((each for each in named if each.textures == textures.before), named[0] if len(lists) == 1 and named else None)
    if options.textures == "INSIDE":
        if lists:
            owners = ", ".join(each.owner for each in lists)
            log.warning(f"the game draws it with the textures that {owners} names, and not with these: choose Files Beside It for Textures")
        return []
    name = chosen.name if chosen is not None else f"TRMA{body[4:]}"
    if chosen is None and not textures.known and not all(textures.now):
        log.warning(
            "its list of textures (TRMA), by which the game draws it, is not written: put its class (ONCC) beside it, and import that"
        )
        return []
    if chosen is None:
        log.info(f"{name} lists its textures; the game goes by it where a class (ONCC) names it")
    else:
        others = dict.fromkeys(texture or "no texture for some bones" for texture in changes.values())
        log.info(f"{name}, by which {chosen.owner} is drawn, names {', '.join(others)} now")
    return [_beside(target, name, texture_list.list_file(name, textures.now, changes, paths))]


def pack_body(context: bpy.types.Context, obj: bpy.types.Object, options: BodyOptions) -> tuple[OniFile, dict[str, Pixels], Textures]:
    """The body as a file, the pictures that go beside it, and the textures of its bones. Raises ExportError."""
    with log.about(obj.name), scene.edits_taken(context):
        try:
            rig, scale = build.read_rig(obj)
        except ValueError as error:
            raise ExportError(f"{obj.name}: {error}, or Make It an Oni Body") from error
        meshes = meshes_of(context, obj)
        if not meshes:
            raise ExportError(f"{obj.name} has no mesh")
        block = armature.data_of(obj)
        detail = block.get(DETAIL, HIGHEST)
        detail = detail if isinstance(detail, int) else HIGHEST
        original = Original(original_of(obj) or _from_nothing(obj, rig, options), detail)
        if not np.array_equal(original.body.parents, rig.skeleton.parents):
            log.warning("its bones hang on one another in another way than in its file: it is written anew, at one level of detail")
            original = Original(_from_nothing(obj, rig, options))
        body = original.body
        shown = shown_of(block) or [piece.texture if piece is not None else "" for piece in body.pieces]
        shown = [*shown, *[""] * len(body)][: len(body)]
        space = inverse_of(obj)
        number = {name: bone for bone, name in enumerate(rig.skeleton.names)}
        losses.report(obj, meshes)
        losses.report_outside(context, obj, meshes)
        with as_shown(context, meshes):
            stem = Path(options.path).stem.removeprefix("TRBS") if options.textures == "BESIDE" else ""
            read = drawn.drawn_of(drawn.Stand(obj, number, space, scale, joints_of(rig), stem=stem), meshes, body, shown)
        inside = read.pictures if options.textures == "INSIDE" else {}
        if read.pictures and options.textures == "NAMES":
            log.info(f"not written, as chosen: {', '.join(read.pictures)}")
        result = edited_file(original, read.drawn, rig.bone_offsets, inside, options)
        now = [before if own is None or own.texture is None else own.texture for own, before in zip(read.drawn, shown, strict=True)]
        came, known = bool(source_data.path_of(block)), any(shown)
        return result, read.pictures, Textures(_named(shown) if came else ("",) * len(body), _named(now), known or not came)


def _named(textures: Sequence[str]) -> tuple[str, ...]:
    """Those that have a name, and are not just inside the body's file."""
    return tuple("" if name.removeprefix(UNNAMED_TEXTURE).isdigit() and name.startswith(UNNAMED_TEXTURE) else name for name in textures)


def joints_of(rig: OniRig) -> Joints:
    """Where the bones of an armature are at rest, (1, B, ...), each as the T pose rotates it."""
    return Joints(rig.skeleton.heads[None], t_pose_rotations(rig.skeleton.parents)[None])


def _from_nothing(obj: bpy.types.Object, rig: OniRig, options: BodyOptions) -> OniFile:
    """A body without meshes, of the armature's joints."""
    bones = len(rig.skeleton)
    if bones != T_POSE_BONES:
        log.warning(f"{bones} bones; the game's characters have {T_POSE_BONES}")
    name = instance_name(Path(options.path).stem or obj.name, "TRBS")
    return body_file(Body("", "", rig.skeleton.parents, rig.bone_offsets, [None] * bones), name)
