"""An edited body back into its file: what nobody touched keeps its bits, of a mesh that was edited what was edited."""

from __future__ import annotations

from collections.abc import Mapping, Sequence

import numpy as np

from ...images.pixels import Pixels
from ...motion.rotations.directions import angle_between
from ...motion.rotations.rotation_matrix import Floats
from ...reporting import log
from ...reporting.errors import ExportError
from ...surface import kept_light
from ..files.library import Instance
from ..files.onifile import OniFile, link
from ..game import BodyOptions
from ..records.body_records import SHAPES
from .body import HIGHEST, Body
from .body_read import Original
from .closure import closure
from .drawn import Drawn, Points, points_of
from .geometry import UNNAMED_TEXTURE, Piece, own_normals
from .instances import Instances, packed
from .piece_write import Before, Slot, put_piece
from .textures.pictures_write import Inside

JOINT = 1e-4
"""Game units within which a joint is where the file has it."""


_KONOKO, _MANY = 3294, 10_000
"""Triangles of the most detailed body of the game's heroine, and from how many on a new body has far more than that."""


def edited_file(
    original: Original,
    drawn: Sequence[Drawn | None],
    offsets: Floats,
    pictures: Mapping[str, Pixels] | None = None,
    options: BodyOptions | None = None,
) -> OniFile:
    """The file with a body as it is now. drawn: of each bone. offsets: (B, 3) of the joints. pictures: (H, W, 4) textures by name that go
    into the file itself.

    Raises ExportError for what the format cannot hold."""
    options, body = options or BodyOptions(), original.body
    fresh_normals = options.normals == "NEW"
    _report_size(drawn, body)
    instances = Instances(original.file)
    inside = Inside(instances, pictures or {}, options.form)
    model = _model(instances, original.detail)
    changed = _joints(instances, offsets)
    meshes = _followed(instances, model, "meshes")
    start = SHAPES["TRGA"].head.itemsize
    rotated, shaded = list[Floats](), list[Floats]()
    for bone, (own, before) in enumerate(zip(drawn, body.pieces, strict=True)):
        points = points_of(own, before, fresh_normals) if own is not None and len(own.triangles) else None
        changed |= put_piece(Slot(body.names[bone], meshes, start + 4 * bone), own, points, Before.of(body, bone), inside)
        if own is not None and points is not None and before is not None:
            rotated.append(_rotated(own, points, before))
            shaded.append(_shaded(own, points))
    if not fresh_normals:
        angles, others = (np.concatenate([*each, np.zeros(0)]) for each in (rotated, shaded))
        kept_light.report(angles, "triangle", "normals", "Normals: As Shown, to have them anew", others)
    several = _levels(instances) if instances.tag(0) == "TRBS" else {model}
    if options.every_detail and len(several) > 1:
        instances.put(0, packed_levels(model))
        return closure(Instance(instances.packed(), "", 0))
    if changed and len(several) > 1:
        log.warning(
            f"the other {len(several) - 1} levels of detail stay as they are: choose All for Levels of Detail, to give them this mesh"
        )
    result = instances.packed()
    orphans = any(before is not None and _orphaned(own, before) for own, before in zip(drawn, body.pieces, strict=True))
    return closure(Instance(result, "", 0)) if orphans or inside.replaces else result


def _report_size(drawn: Sequence[Drawn | None], body: Body) -> None:
    now, before = (sum(len(each.triangles) for each in pieces if each is not None) for pieces in (drawn, body.pieces))
    if now > max(_MANY, before):
        known = f"the game's Konoko has {_KONOKO}: whether it has room for so many is not known"
        log.warning(f"{now} triangles, where {known}; a Decimate modifier on the mesh leaves fewer")


def _orphaned(drawn: Drawn | None, before: Piece) -> bool:
    """Whether a bone's mesh is gone, or its texture that only this file has."""
    return drawn is None or (drawn.texture is not None and before.texture.startswith(UNNAMED_TEXTURE))


def _rotated(drawn: Drawn, points: Points, before: Piece) -> Floats:
    """By how much each triangle of the file looks elsewhere now, radians."""
    own = np.flatnonzero(drawn.face_numbers >= 0)
    now = own_normals(points.positions.astype(np.float64), points.triangles[own])
    return angle_between(now, before.faces[drawn.face_numbers[own]])


def _shaded(drawn: Drawn, points: Points) -> Floats:
    """By how much the normals shown at the corners of each triangle of the file are others than those that are written, radians."""
    own = np.flatnonzero(drawn.face_numbers >= 0)
    return angle_between(drawn.normals[own], points.normals[points.triangles[own]].astype(np.float64)).max(axis=1, initial=0)


def packed_levels(model: int) -> bytes:
    """A TRBS whose levels of detail are one."""
    head = np.zeros((), SHAPES["TRBS"].head)
    head["levels"] = int.from_bytes(link(model), "little")
    return head.tobytes()


def _levels(instances: Instances) -> set[int]:
    return {each >> 8 for each in instances.record(0).head["levels"].tolist() if each}


def _model(instances: Instances, detail: int) -> int:
    """The TRCM that is meant: as `body._of_detail` chooses it."""
    if instances.tag(0) != "TRBS":
        return 0
    links = instances.record(0).head["levels"].tolist()
    for level in (*range(min(max(detail, 0), HIGHEST), -1, -1), *range(HIGHEST + 1)):
        if links[level] and instances.data[links[level] >> 8] is not None:
            return links[level] >> 8
    raise ExportError("a body whose levels of detail are in other files: open one of those, a TRCM")


def _followed(instances: Instances, index: int, name: str) -> int:
    """The instance that a field of a TRCM leads to."""
    other = int(instances.record(index).head[name]) >> 8
    if instances.data[other] is None:
        raise ExportError(f"the {instances.tag(other)} of this body is in another file: open it from its level")
    return other


def _joints(instances: Instances, offsets: Floats) -> bool:
    """All levels of detail have the same joints."""
    changed = False
    for index in range(len(instances.data)):
        if instances.tag(index) != "TRTA" or instances.data[index] is None:
            continue
        record = instances.record(index)
        assert record.items is not None
        if len(record.items) != len(offsets):
            continue
        moved = np.abs(record.items - offsets).max(axis=1) > JOINT
        moved[0] = False
        if moved.any():
            items = np.where(moved[:, None], offsets.astype("<f4"), record.items)
            instances.put(index, packed("TRTA", items, record.head, record.tail))
            changed = True
    return changed
