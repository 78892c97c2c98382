"""Bones whose faces have several pictures or plain colours: Oni draws each bone with one texture, so these go into one picture."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from ....core.images.atlas import joined
from ....core.images.pixels import Pixels
from ....core.reporting import log
from ....core.reporting.labels import counted
from ...blender.surface.materials.plain_colour import is_clear

Floats = NDArray[np.float64]

PLAIN = "#"
"""First letter of the names of plain colours, which are no textures of the game."""

_MOST = 4
"""Times that a picture is repeated for faces that have it several times."""


@dataclass(frozen=True, eq=False)
class Pictured:
    """uvs: (T, 3, 2), v downwards. textures: (T,) names. pixels: of the new picture, None where there is none."""

    uvs: Floats
    textures: list[str]
    pixels: Pixels | None = None


def in_one(uvs: Floats, textures: Sequence[str], on: NDArray[np.int64], looks: Mapping[str, Pixels], name: str) -> Pictured:
    """Triangles whose bones have one texture each: of bones with several or with a plain colour the new one, `name`; where all that is
    plain is white or a light grey and no bone has several, that has none.

    on: (T,) the bone of each triangle. looks: what has pixels, by its name; one colour has a single pixel."""
    names = np.array(textures, object)
    bones = {int(bone): set(names[on == bone].tolist()) for bone in np.unique(on)}
    known = {bone: own for bone, own in bones.items() if own <= looks.keys()}
    clear = {each for each in looks if _is_plain(each) and is_clear((looks[each][0, 0, :3] / 255).tolist())}
    wanted = any(len(own) > 1 or own & clear for own in known.values())
    several = [bone for bone, own in known.items() if wanted and (len(own) > 1 or any(map(_is_plain, own)))]
    chosen = np.isin(on, several)
    used = sorted(set(names[chosen].tolist()))
    if not used:
        return Pictured(uvs, ["" if _is_plain(texture) else texture for texture in textures])
    result, parts, repeats = uvs.copy(), list[Pixels](), list[NDArray[np.int64]]()
    for texture in used:
        own = chosen & (names == texture)
        at = np.full_like(uvs[own], 0.5) if _is_plain(texture) else uvs[own] - np.floor(uvs[own].min(axis=1, keepdims=True) + 1e-6)
        repeat = np.clip(np.ceil(at.reshape(-1, 2).max(axis=0) - 1e-6), 1, _MOST).astype(np.int64)
        result[own] = np.clip(at / repeat, 0, 1)
        parts.append(np.tile(looks[texture], (repeat[1], repeat[0], 1)))
        repeats.append(repeat)
    pixels, areas = joined(parts)
    for texture, area in zip(used, areas, strict=True):
        own = chosen & (names == texture)
        result[own] = area[:2] + result[own] * area[2:]
    pictures = sum(not _is_plain(texture) for texture in used)
    log.info(
        f"{counted(pictures, 'picture')} and {counted(len(used) - pictures, 'plain colour')} in one, {name}, for "
        f"{counted(len(several), 'bone')}, since the game draws a bone with one texture"
    )
    names[chosen] = name
    return Pictured(result, ["" if _is_plain(texture) else texture for texture in names.tolist()], pixels)


def _is_plain(name: str) -> bool:
    return name.startswith(PLAIN)
