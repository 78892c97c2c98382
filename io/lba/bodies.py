"""Bodies of Little Big Adventure out of Blender: to a loose file, or to an entry of an archive."""

from __future__ import annotations

from dataclasses import replace
from pathlib import Path

import bpy
import numpy as np

from ...core.lba import formats
from ...core.lba.body.body import Body
from ...core.lba.body.lm1_write import lm1_of
from ...core.lba.body.lm2_write import lm2_of
from ...core.lba.body.shape import bent_faces, relit_faces, rotated_faces
from ...core.lba.characters import companions
from ...core.lba.fields import ARMATURE_FIELDS
from ...core.lba.files.lm1 import Lm1
from ...core.lba.files.lm2 import Lm2
from ...core.lba.game import ARCHIVES, BodyOptions
from ...core.reporting import log
from ...core.reporting.errors import ExportError
from ...core.surface import kept_light
from ..blender import armature, fields, scene, source_data
from ..blender.surface import losses
from ..blender.surface.skinned import as_shown, meshes_of
from ..pipeline.destination import writing
from ..pipeline.destination.writing import Output
from ..pipeline.fidelity import object_size
from ..pipeline.out_of_blender import data_block
from ..pipeline.out_of_blender.data_block import Written
from . import entries
from .body import resources
from .body.plan_bodies import BODY_KINDS
from .body.shape import shape_of
from .body.surface import figure_of

_KINDS = {"lba-lm1": Lm1, "lba-lm2": Lm2}


def export_body(context: bpy.types.Context, obj: bpy.types.Object, options: BodyOptions) -> Written:
    """Write the body that an armature and its meshes are. Raises RetroAnimError, with nothing written, for what the game cannot hold."""
    object_size.report_of_body(obj)
    document = pack_body(context, obj, options)
    block, data, kept = armature.data_of(obj), document.pack(), options.normals == "KEEP"
    kind = formats.LM2 if isinstance(document, Lm2) else formats.LM1
    target = Path(options.path)
    if target.suffix.lower() in ARCHIVES:
        archive = entries.base(target, [block])
        index = entries.wanted(options.entry.strip(), options.path, block, len(archive))
        present = entries.present(archive, index, target, kind)
        output = Output(obj.name, str(target), data, block, index, present, chosen=bool(options.entry), kept_normals=kept)
    else:
        archive = None
        if target.suffix.lower() not in kind.extensions:
            raise ExportError(f"{target.name}: {obj.name} is a {kind.label}, and goes to {kind.extensions[0]} or {' or '.join(ARCHIVES)}")
        present = writing.present(target)
        writing.refuse_other(target, present, kind)
        output = Output(obj.name, str(target), data, block, present=present, kept_normals=kept)

    def merged(_path: str, outputs: list[Output]) -> bytes:
        assert archive is not None
        return entries.merged(archive, outputs, lambda _: isinstance(document, Lm2))

    return data_block.write([output], options.overwrite, merged)


def pack_body(context: bpy.types.Context, obj: bpy.types.Object, options: BodyOptions) -> Lm1 | Lm2:
    """The body as a document. Raises ExportError."""
    block = armature.data_of(obj)
    original = original_of(obj)
    if original is None:
        raise ExportError(f"{obj.name} is no body of the game yet: Make It an LBA Body")
    scale = armature.scale_of(obj)
    with log.about(obj.name), scene.edits_taken(context):
        meshes = meshes_of(context, obj)
        if not meshes:
            raise ExportError(f"{obj.name} has no mesh")
        palette = companions.palette_of(options.palette)[0] if options.palette else resources.palette_of(block)
        box = fields.read(block, ARMATURE_FIELDS).get("box")
        wanted = np.array(box, np.int64) if box is not None else None
        wide = isinstance(original, Lm2)
        losses.report(obj, meshes)
        losses.report_outside(context, obj, meshes)
        with as_shown(context, meshes):
            shape = replace(shape_of(figure_of(obj, meshes, scale), meshes, original, wide, palette), box=wanted)
        fresh = options.normals == "NEW"
        before = Body.of(original)
        shaded, smooth = relit_faces(shape, *before.lit_corners()), before.smooth(shape.types)
        if not fresh:
            angles = rotated_faces(shape, before.rest_points)
            kept_light.report(angles, "face", "light", "Light: From the Shape, to have it anew", np.where(smooth, shaded, 0))
        kept_light.report_flat(np.where(smooth, 0, np.minimum(shaded, bent_faces(shape))))
        return lm2_of(shape, original, fresh) if isinstance(original, Lm2) else lm1_of(shape, original, fresh)


def original_of(obj: bpy.types.Object) -> Lm1 | Lm2 | None:
    """The file that an armature came from."""
    block = armature.data_of(obj)
    data = source_data.kept(block, *BODY_KINDS)
    if data is None:
        return None
    with log.collect():
        return _KINDS[block[source_data.FORMAT]].parse(data)
