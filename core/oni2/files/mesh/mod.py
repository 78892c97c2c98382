""".mod, the mesh file: a text, or binary of version 2.10. Every vertex is carried by one bone."""

from __future__ import annotations

import re
from dataclasses import dataclass
from functools import cached_property
from pathlib import PurePosixPath

from ....files.binary import Bytes
from ....reporting.errors import FormatError
from ..tokens import BOM, ENCODING, decode, is_text
from . import mod_binary, mod_text
from .model import Model


@dataclass(frozen=True, eq=False)
class Mod:
    """data: the whole file."""

    data: bytes

    @classmethod
    def parse(cls, data: Bytes) -> Mod:
        """Raises FormatError when it is no mesh, of a version that is not known, or a bone is one that no skeleton has."""
        mod = cls(bytes(data))
        assert mod.model is not None
        return mod

    def pack(self) -> bytes:
        return self.data

    @property
    def binary(self) -> bool:
        return b"\0" in self.data[:4096]

    @cached_property
    def model(self) -> Model:
        if self.data[: len(mod_binary.MAGIC)] == mod_binary.MAGIC:
            return mod_binary.read(self.data)
        version = re.match(rb"version: ([\d.]{1,20})\0", self.data)
        if version:
            raise FormatError(f"a binary mesh of version {version[1].decode()}: only 2.10 is known", 0)
        if self.binary:
            raise FormatError("not a mesh: neither a text nor binary of version 2.10", 0)
        return mod_text.read(decode(self.data))


def is_placed(mod: Mod, name: str) -> bool:
    """Whether the vertices are in character space: binary files whose name begins with win32_. name: of the file, or its address."""
    return mod.binary and PurePosixPath(name.replace("\\", "/").replace("#", "/")).name.lower().startswith("win32_")


def recognise(head: bytes, _size: int) -> bool:
    """Whether a file starts as a mesh: a version with a binary one's zero behind it; or a text's vertices with a version before or a
    material or packet behind them."""
    if re.match(rb"version: [\d.]+\0", head):
        return True
    text = head.removeprefix(BOM.encode(ENCODING))
    vertex = re.search(rb"(?:^|[\r\n])v[ \t]+[-+.\d]+[ \t]+[-+.\d]", text)
    if vertex is None or not is_text(text.decode(ENCODING)):
        return False
    version = re.match(rb"(?:\s|(?:#|//)[^\r\n]*)*version:", text)
    return version is not None or re.search(rb"[\r\n](?:mtl[ \t]+[^\r\n{]+\{|packet[ \t]+\d)", text) is not None
