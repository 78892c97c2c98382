"""What of a body Blender is shown: the faces that it can hold, by their numbers in the file."""

from __future__ import annotations

from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ...reporting import log
from ...surface.holdable import holdable
from ..files.lm1 import Lm1
from ..files.lm2 import Lm2
from ..files.palette import Palette
from .body import Body


@dataclass(frozen=True, eq=False)
class FaceColumns:
    """Of all polygons of a file: types without flags, indices in the palette, and (F, 3) regions of the texture page, -1 without."""

    types: NDArray[np.int64]
    colours: NDArray[np.int64]
    regions: NDArray[np.int64]


def shown_faces(document: Lm1 | Lm2) -> NDArray[np.int64]:
    """(F,) numbers of the faces that an import gives Blender, ascending."""
    with log.collect():
        mesh = Body.of(document).mesh(Palette.plain())
        assert mesh is not None
        numbers = holdable(mesh).numbers
    assert numbers is not None
    return numbers


def columns_of(document: Lm1 | Lm2) -> FaceColumns:
    if isinstance(document, Lm1):
        count = len(document.polygons)
        types, colours = (document.polygons[name].astype(np.int64) for name in ("material", "colour"))
        return FaceColumns(types, colours, np.full((count, 3), -1, np.int64))
    faces = document.faces
    textures = np.column_stack([document.textures["corner"], document.textures["mask"]]).astype(np.int64).reshape(-1, 3)
    textures = np.concatenate([textures, np.full((1, 3), -1, np.int64)])
    return FaceColumns(faces.kind.astype(np.int64), faces.colour.astype(np.int64) & 0xFF, textures[faces.handle])
