"""Bodies of Oni out of Blender: a .oni with everything that belongs to one."""

from __future__ import annotations

from pathlib import Path

import bpy
import numpy as np

from ...core.images.pixels import Pixels
from ...core.oni import formats
from ...core.oni.body.body import HIGHEST, Body, body_of
from ...core.oni.body.body_file import body_file
from ...core.oni.body.body_write import edited_file
from ...core.oni.body.pictures_write import texture_file
from ...core.oni.files.library import Instance, Library
from ...core.oni.files.onifile import OniFile
from ...core.oni.motion.evaluate import Joints, chain
from ...core.oni.motion.rig import T_POSE_BONES, OniRig, t_pose
from ...core.oni.options import BodyOptions
from ...core.reporting import log
from ...core.reporting.errors import ExportError
from ..blender import armature, scene
from ..blender.skinned import as_shown, inverse_of, meshes_of
from ..pipeline import single, writing
from ..pipeline.single import Written
from ..pipeline.writing import Output
from . import build, drawn
from .kept import DETAIL, original_of, shown_of
from .properties import instance_name


def export_body(context: bpy.types.Context, obj: bpy.types.Object, options: BodyOptions) -> Written:
    """Write the body that an armature and its meshes are. Raises RetroAnimError, with nothing written, for what the game cannot hold."""
    target = Path(options.path)
    if target.suffix.lower() != ".oni":
        raise ExportError(f"{target.name}: a body goes to a .oni, which OniSplit imports into a level")
    file, pictures = pack_body(context, obj, options)
    present = writing.present(target)
    writing.refuse_other(target, present, *formats.BODY_PARTS)
    outputs = [Output(obj.name, str(target), file.pack(), armature.data_of(obj), present=present)]
    for name, pixels in pictures.items() if options.textures == "BESIDE" else ():
        beside = target.with_name(f"{name}.oni")
        outputs.append(
            Output(name, str(beside), texture_file(name, pixels, options.form).pack(), present=writing.present(beside), derived=True)
        )
    return single.write(outputs, options.overwrite)


def pack_body(context: bpy.types.Context, obj: bpy.types.Object, options: BodyOptions) -> tuple[OniFile, dict[str, Pixels]]:
    """The body as a file, and the pictures that go beside it. Raises ExportError."""
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
        file = original_of(obj) or _from_nothing(obj, rig, options)
        body = body_of(Instance(file, "", 0), detail, Library(), pictures=False)
        if not np.array_equal(body.parents, rig.skeleton.parents):
            log.warning("its bones hang on one another in another way than in its file: it is written anew, at one level of detail")
            file = _from_nothing(obj, rig, options)
            body = body_of(Instance(file, "", 0), HIGHEST, Library(), pictures=False)
        shown = shown_of(block) or [piece.texture if piece is not None else "" for piece in body.pieces]
        space = inverse_of(obj)
        number = {name: bone for bone, name in enumerate(rig.skeleton.names)}
        with as_shown(context, meshes):
            stem = Path(options.path).stem.removeprefix("TRBS") if options.textures == "BESIDE" else ""
            read = drawn.drawn_of(drawn.Stand(obj, number, space, scale, joints_of(rig), stem=stem), meshes, body, shown)
        inside = read.pictures if options.textures == "INSIDE" else {}
        if read.pictures and options.textures == "NAMES":
            log.info(f"not written, as chosen: {', '.join(read.pictures)}")
        result = edited_file(
            file, body, detail, read.drawn, rig.bone_offsets, options.every_detail, inside, options.normals == "NEW", options.form
        )
        return result, read.pictures


def joints_of(rig: OniRig) -> Joints:
    """Where the bones of an armature are at rest, (1, B, ...), each as the T pose rotates it."""
    count = len(rig.skeleton)
    rotations = chain(rig.skeleton.parents, np.zeros((count, 3)), t_pose(count)[None], np.zeros((1, 3))).rotations
    return Joints(rig.skeleton.heads[None], rotations)


def _from_nothing(obj: bpy.types.Object, rig: OniRig, options: BodyOptions) -> OniFile:
    """A body without meshes, of the armature's joints."""
    bones = len(rig.skeleton)
    if bones != T_POSE_BONES:
        log.warning(f"{bones} bones; the game's characters have {T_POSE_BONES}")
    name = instance_name(Path(options.path).stem or obj.name, "TRBS")
    return body_file(Body("", "", rig.skeleton.parents, rig.bone_offsets, [None] * bones), name)
