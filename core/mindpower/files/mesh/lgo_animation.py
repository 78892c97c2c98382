"""The animation block of a mesh file: a skeleton of its own, a moving matrix, moving texture coordinates, changing textures."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ....files.binary import Reader
from ....reporting.errors import FormatError
from ..skeleton.lab import Lab
from .materials import TEXTURE

SUBSETS, STAGES = 16, 4
OPACITIES = 0x1005
"""From this version on there can be an opacity block for each subset."""

Matrices = NDArray[np.float32]


@dataclass(frozen=True, eq=False)
class Animation:
    """bones: as in a skeleton file. matrices: (frames, 4, 3) of the whole object. opacities: raw, one for each of the 16 subsets, none
    before version 0x1005. texture_matrices: (frames, 4, 4), textures: arrays of `TEXTURE`; both at index 4 * subset + stage.

    old_version: the block's own version, in version 0 files that have it.
    """

    bones: Lab | None
    matrices: Matrices | None
    opacities: tuple[bytes, ...]
    texture_matrices: tuple[Matrices | None, ...]
    textures: tuple[NDArray[Any] | None, ...]
    old_version: int | None = None

    @classmethod
    def parse(cls, reader: Reader, version: int) -> Animation:
        """The whole of `reader`. version: the file's. Raises FormatError, also where the sizes do not add up."""
        opacities, positions = SUBSETS if version >= OPACITIES else 0, SUBSETS * STAGES
        count = 2 + opacities + 2 * positions
        start, total = reader.offset, reader.left
        old_version = None
        if version == 0 and 4 * count <= total and 4 * count + sum(_sizes(Reader(reader.data, start), count)) != total:
            old_version = reader.u32("version of the animation")
        sizes = _sizes(reader, count)
        if sum(sizes) != reader.left:
            raise FormatError(f"animation blocks of {sum(sizes)} bytes in {reader.left}", start)
        blocks: list[Reader] = []
        for size in sizes:
            blocks.append(Reader(reader.data[: reader.offset + size], reader.offset))
            reader.raw(size, "animation block")
        moved, changed = blocks[2 + opacities : 2 + opacities + positions], blocks[2 + opacities + positions :]
        return cls(
            _bones(blocks[0], version) if blocks[0].left else None,
            _matrices(blocks[1], 3) if blocks[1].left else None,
            tuple(block.rest() for block in blocks[2 : 2 + opacities]),
            tuple(_matrices(block, 4) if block.left else None for block in moved),
            tuple(_textures(block) if block.left else None for block in changed),
            old_version,
        )

    def pack(self, version: int) -> bytes:
        blocks = [_packed_bones(self.bones, version), _counted(self.matrices), *self.opacities]
        blocks += [_counted(track) for track in (*self.texture_matrices, *self.textures)]
        head = [] if self.old_version is None else [self.old_version]
        return np.array([*head, *map(len, blocks)], "<u4").tobytes() + b"".join(blocks)


def _sizes(reader: Reader, count: int) -> list[int]:
    return reader.array("<u4", count, "sizes of the animation blocks").tolist()


def _bones(block: Reader, version: int) -> Lab:
    """Version 0 files have one more word at the start here, too (the engine's lwAnimDataBone::Load)."""
    lab = Lab.parse_body(block, version, block.u32("version of the bones") if version == 0 else 0)
    _all_read(block)
    return lab


def _packed_bones(lab: Lab | None, version: int) -> bytes:
    if lab is None:
        return b""
    return (np.array([lab.old_version], "<u4").tobytes() if version == 0 else b"") + lab.pack_body()


def _matrices(block: Reader, columns: int) -> Matrices:
    """(frames, 4, columns)"""
    matrices = block.array("<f4", 4 * columns * block.u32("frame count"), "matrices").reshape(-1, 4, columns)
    _all_read(block)
    return matrices


def _textures(block: Reader) -> NDArray[Any]:
    textures = block.array(TEXTURE, block.u32("texture count"), "textures")
    _all_read(block)
    return textures


def _all_read(block: Reader) -> None:
    if block.left:
        raise FormatError(f"{block.left} bytes more than an animation block takes", block.offset)


def _counted(track: NDArray[Any] | None) -> bytes:
    return b"" if track is None else np.array([len(track)], "<u4").tobytes() + track.tobytes()
