"""LGO, the mesh file: one object with its materials, mesh, helpers and animation, each in a block of its own.

Layout after the engine's lwGeomObjInfo. A version 0 file has a further version at the start of its blocks.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass, field
from typing import TypeVar

import numpy as np
from numpy.typing import NDArray

from ....files.binary import Bytes, Reader
from ....reporting import log
from ....reporting.errors import FormatError
from ....reporting.labels import counted
from .. import names
from .geometry import Geometry
from .helpers import Helpers
from .lgo_animation import Animation
from .materials import Materials

CURRENT = 0x1005
VERSIONS = (0, *range(0x1000, CURRENT + 1))
HEADER = 120
"""Version, object and block sizes; the blocks follow."""
NO_PARENT = 0xFFFFFFFF

Block = TypeVar("Block")


@dataclass(frozen=True, eq=False)
class Lgo:
    """matrix: (4, 4) of the object. control: (4,) render control, vertex declaration, vertex shader, pixel shader. state: 8 flags.

    A block that is not in the file is None. Helpers and animation that cannot be understood stay as bytes. rest: bytes after the blocks.
    """

    version: int = CURRENT
    object_id: int = 0
    parent_id: int = NO_PARENT
    kind: int = 0
    matrix: NDArray[np.float32] = field(default_factory=lambda: np.eye(4, dtype="<f4"))
    control: NDArray[np.uint32] = field(default_factory=lambda: np.zeros(4, "<u4"))
    state: bytes = bytes(8)
    materials: Materials | None = None
    mesh: Geometry | None = None
    helpers: Helpers | bytes | None = None
    animation: Animation | bytes | None = None
    rest: bytes = b""

    @classmethod
    def parse(cls, data: Bytes) -> Lgo:
        """Raises FormatError for the dialects that are not known, and when blocks or their arrays do not fit."""
        start = bytes(memoryview(data)[:8])
        names.refuse_packed(data)
        if start != bytes(8):
            return cls._parse(data)
        # An object with number 0 of version 0 would start like this, too.
        with log.collect():
            try:
                lgo = cls._parse(data)
            except FormatError:
                lgo = None
        if lgo is None or lgo.mesh is None or lgo.rest:
            raise FormatError("an older .lgo dialect, which is not supported")
        return lgo

    @classmethod
    def _parse(cls, data: Bytes) -> Lgo:
        reader = Reader(data)
        version = reader.u32("version")
        if version not in VERSIONS:
            raise FormatError(f"not a mesh file: version 0x{version:X}", 0)
        object_id, parent_id, kind = (reader.u32(what) for what in ("object id", "parent id", "object type"))
        matrix = reader.array("<f4", 16, "object matrix").reshape(4, 4)
        control = reader.array("<u4", 4, "render control")
        state = bytes(reader.raw(8, "state"))
        sizes: list[int] = reader.array("<u4", 4, "block sizes").tolist()
        if sum(sizes) > reader.left:
            raise FormatError(f"blocks of {' + '.join(map(str, sizes))} bytes, but {reader.left} are left", HEADER - 16)
        blocks: list[Reader | None] = []
        for size in sizes:
            blocks.append(Reader(reader.data[: reader.offset + size], reader.offset) if size else None)
            reader.raw(size, "block")
        materials, mesh, helpers, animation = blocks
        lgo = cls(
            version, object_id, parent_id, kind, matrix, control, state,
            Materials.parse(materials, version) if materials else None,
            Geometry.parse(mesh, version) if mesh else None,
            _understood(helpers, version, Helpers.parse, "helpers"),
            _understood(animation, version, Animation.parse, "animation"),
            reader.rest(),
        )  # fmt: skip
        lgo._check()
        return lgo

    def pack(self) -> bytes:
        blocks = [
            b"" if block is None else block if isinstance(block, bytes) else block.pack(self.version)
            for block in (self.materials, self.mesh, self.helpers, self.animation)
        ]
        ids = np.array([self.version, self.object_id, self.parent_id, self.kind], "<u4")
        sizes = np.array([len(block) for block in blocks], "<u4")
        head = b"".join([ids.tobytes(), self.matrix.tobytes(), self.control.tobytes(), self.state, sizes.tobytes()])
        return head + b"".join(blocks) + self.rest

    def _check(self) -> None:
        for what, block in (("materials", self.materials), ("mesh", self.mesh), ("helpers", self.helpers)):
            if not isinstance(block, bytes) and block is not None and block.rest:
                log.warning(f"{len(block.rest)} bytes more than the {what} take; kept")
        if self.mesh is not None and self.materials is not None and len(self.mesh.subsets) > len(self.materials):
            log.warning(f"{counted(len(self.mesh.subsets), 'part')} of the mesh, but {counted(len(self.materials), 'material')}")
        if self.mesh is not None:
            draws = self.mesh.draws
            if never := int(np.count_nonzero(draws == 0)):
                log.warning(
                    f"{counted(never, 'triangle')} in no part of the mesh, not drawn by the game; shown with the first material: delete "
                    f"{'it' if never == 1 else 'them'}, as an export of another shape would have {'it' if never == 1 else 'them'} drawn"
                )
            if again := int(np.count_nonzero(draws > 1)):
                log.warning(
                    f"{counted(again, 'triangle')} in several parts of the mesh; shown once, with the last material: before the shape of "
                    f"the mesh is edited, duplicate {'it' if again == 1 else 'them'}, with the material of the other part"
                )
        if self.rest:
            log.warning(f"{len(self.rest)} bytes after the last block; kept")


def _understood(block: Reader | None, version: int, parse: Callable[[Reader, int], Block], what: str) -> Block | bytes | None:
    """The block parsed; its bytes where that fails, for a mesh can be shown without."""
    if block is None:
        return None
    raw = bytes(block.data[block.offset :])
    try:
        return parse(block, version)
    except FormatError as error:
        log.warning(f"the {what} cannot be understood and are kept as they are: {error}")
        return raw


def recognise(head: bytes, size: int) -> bool:
    """Whether a file of `size` bytes that starts with `head` has a mesh file's version and exactly its size."""
    if len(head) < HEADER or int.from_bytes(head[:4], "little") not in VERSIONS:
        return False
    return size == HEADER + int(np.frombuffer(head, "<u4", 4, HEADER - 16).sum(dtype=np.int64))
