"""Textures: where they are, unscrambled, and as pixels."""

from __future__ import annotations

import os
from functools import cache
from pathlib import Path

import numpy as np

from ...files import unpacking
from ...files.binary import Bytes
from ...files.disk.disk import read_file
from ...files.letter_case import Folders
from ...images import pictures
from ...images.pixels import Pixels
from ...reporting import log
from ...reporting.errors import FormatError, reading
from ...surface.mesh import Image
from ..files import names
from ..files.mesh.materials import UNUSED, Materials

MARK = b"mp.x"
"""The end of a scrambled file."""
SWAPPED = 44
"""Bytes at its start and its end that are swapped."""
OTHER_MARK, OTHER_SWAPPED, OTHER_SHIFT = 5, 38, 20
"""In clients of private servers [lwFileEncode.cpp of several]: the letters of a mark of their own, bytes that are swapped, and what is
added to every byte afterwards."""

LAYOUT = (("texture", "character"), ("texture",))
"""Where a client keeps the textures of characters, from its root."""
LEVELS = 4
"""How far above the model the client's root is looked for."""

KEY_COLOUR, KEY_PIXEL = 1, 2
"""Kinds of colour key: a colour, or the colour of the first pixel."""


def unscramble(data: bytes) -> bytes:
    """The picture file as other programs read it; what is not scrambled comes back as it is. Raises FormatError."""
    if data.endswith(MARK):
        plain = data[: -len(MARK)]
        if len(plain) < 2 * SWAPPED:
            raise FormatError(f"a scrambled picture of {len(plain)} bytes is too small")
        return _swapped(plain, SWAPPED)
    mark = data[-OTHER_MARK:]
    if len(data) >= OTHER_MARK + 2 * OTHER_SWAPPED and mark.isalnum() and pictures.kind_of(data) is None:
        swapped = np.frombuffer(_swapped(data[:-OTHER_MARK], OTHER_SWAPPED), "u1")
        plain = (swapped - np.uint8(OTHER_SHIFT)).tobytes()
        return data if pictures.kind_of(plain) is None else plain
    return data


def _swapped(data: bytes, size: int) -> bytes:
    """With the first and the last `size` bytes in each other's position."""
    return data[-size:] + data[size:-size] + data[:size]


def decode(data: Bytes) -> Pixels:
    """(H, W, 4) red, green, blue, alpha, top row first, of a picture file, scrambled or not. Raises FormatError."""
    return pictures.decode(unscramble(bytes(data)))


def load(path: str | Path) -> Pixels:
    """The pixels of a picture file. Raises FormatError that names it."""
    with reading(str(path)):
        return decode(read_file(path))


class TextureFinder:
    """Finds textures for models in one folder: beside them, in the client's texture folders, or in a folder next to theirs.

    Names of files and folders are compared without their letter case; every folder is listed once.
    """

    def __init__(self, model: str | Path) -> None:
        """model: a model's file, or the folder that it is in."""
        source = Path(os.path.abspath(model))
        self._folders = [source if source.is_dir() else source.parent]
        self._names = Folders()
        for above in self._folders[0].parents[:LEVELS]:
            for layout in LAYOUT:
                if (existing := self._names.folder(above, *layout)) is not None:
                    self._folders.append(existing)
        siblings = self._names.listed(self._folders[0].parent).values()
        self._folders += [sibling for sibling in siblings if sibling.is_dir() and sibling not in self._folders]

    def find(self, name: str) -> Path | None:
        """The file of that name, else one that differs in its extension alone."""
        wanted = Path(name.replace("\\", "/")).name.lower()
        if not wanted:
            return None
        stem = Path(wanted).stem
        for candidate in (wanted, *(stem + extension for extension in pictures.EXTENSIONS if stem + extension != wanted)):
            for folder in self._folders:
                existing = self._names.file(folder, candidate)
                if existing is not None:
                    return existing
        return None


def keyed(pixels: Pixels, kind: int, key: Bytes) -> Pixels:
    """Pixels in the key colour made transparent black, as Direct3D does. key: blue, green, red, alpha.

    Five bits of each channel are compared: many pictures passed through palettes of fewer bits, where the key 255, 0, 255 is 252, 4, 252.
    """
    if kind not in (KEY_COLOUR, KEY_PIXEL):
        return pixels
    colour = pixels[0, 0, :3] if kind == KEY_PIXEL else np.frombuffer(bytes(key)[2::-1], "u1")
    return np.where((pixels[..., :3] >> 3 == colour >> 3).all(axis=-1)[..., None], np.uint8(0), pixels)


def images_of(materials: Materials, finder: TextureFinder) -> list[Image | None]:
    """The first texture of every material, its colour key applied; None, and a warning, where it is missing or cannot be read. Each file is
    read once, and materials of the same texture and key have the same image."""
    images = _Images(finder)
    slots = (textures[0] for textures in materials.records["textures"])
    return [
        images.of(names.decode(slot["file"]), int(slot["colour_key_type"]), bytes(slot["colour_key"])) if slot["stage"] != UNUSED else None
        for slot in slots
    ]


class _Images:
    """Textures of one model, each looked for, read and keyed once."""

    def __init__(self, finder: TextureFinder) -> None:
        self._finder = finder
        self.of = cache(self._of)
        self._file, self._plain, self._keyed = cache(self._find), cache(self._load), cache(self._with_key)

    def _of(self, name: str, kind: int, key: bytes) -> Image | None:
        path = self._file(name) if name else None
        if path is None:
            return None
        pixels = self._keyed(path, kind, key) if kind in (KEY_COLOUR, KEY_PIXEL) else self._plain(path)
        return Image(name, pixels) if pixels is not None else None

    def _find(self, name: str) -> Path | None:
        path = self._finder.find(name)
        if path is None:
            log.warning(f"texture {name} is not found: shown without")
        return path

    def _load(self, path: Path) -> Pixels | None:
        try:
            return load(path)
        except FormatError as error:
            log.warning(f"a texture that cannot be read: {error}")
            return None

    def _with_key(self, path: Path, kind: int, key: bytes) -> Pixels | None:
        pixels = self._plain(path)
        if pixels is None:
            return None
        try:
            unpacking.spend(pixels.nbytes, "a texture with another colour key")
            return keyed(pixels, kind, key)
        except FormatError as error:
            log.warning(f"{path}: {error}")
            return None
