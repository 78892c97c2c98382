"""Pictures as textures: inside a body's file, without names, or as a file of their own."""

from __future__ import annotations

from collections.abc import Generator, Mapping, Sequence
from contextlib import contextmanager

import numpy as np

from ....images.pixels import Pixels
from ....reporting import log
from ....reporting.errors import ExportError, FormatError, reading
from ...files.instances import PLACEHOLDER
from ...files.library import Library
from ...files.onifile import OniFile, Part
from ...records.body_records import SHAPES, field_position
from ..geometry import UNNAMED_TEXTURE, Piece
from ..instances import Instances
from .texture import HEAD, LINKS, RAW, Form, new_texture, pictures_size, repainted, texture_part
from .texture import TAG as TEXTURE


class Inside:
    """The textures of a file. pictures: those that go into the file itself, by the names under which meshes have them."""

    def __init__(self, instances: Instances, pictures: Mapping[str, Pixels], form: Form = "AUTO") -> None:
        self.instances = instances
        self.form: Form = form
        self.pictures = pictures
        self.placed: dict[str, int] = {}
        for name, pixels in pictures.items():
            number = name.removeprefix(UNNAMED_TEXTURE)
            if name.startswith(UNNAMED_TEXTURE) and number.isdigit() and int(number) < len(instances.data):
                self.placed[name] = int(number)
                self._repaint(int(number), name, pixels)
        self.repainted = frozenset(self.placed)

    def changes(self, name: str | None, before: Piece | None) -> bool:
        """Whether a mesh gets another texture than it has. name: None for the one that it has."""
        old = before.texture if before is not None else ""
        own = old if name is None else name
        return own != old or (own in self.pictures and own not in self.repainted)

    @property
    def replaces(self) -> bool:
        """Whether a picture has come in for a texture that the file had by its name alone."""
        names = {self.instances.file.name(index) for index in range(len(self.instances.file))}
        return not names.isdisjoint(self.placed)

    def put(self, mesh: int, name: str | None) -> None:
        """Link a mesh to a texture, "" or None for none."""
        instances, at = self.instances, field_position(SHAPES["M3GM"].head, "texture")
        if not name:
            instances.lead(mesh, at, None)
        elif name in self.pictures:
            if name not in self.placed:
                self.placed[name] = self._add(name, self.pictures[name])
            instances.lead(mesh, at, self.placed[name])
        elif name.startswith(UNNAMED_TEXTURE) and name.removeprefix(UNNAMED_TEXTURE).isdigit():
            instances.lead(mesh, at, min(int(name.removeprefix(UNNAMED_TEXTURE)), len(instances.file) - 1))
        else:
            instances.lead(mesh, at, instances.named(name))

    def _add(self, name: str, pixels: Pixels) -> int:
        body, block = _of_picture(name, pixels, self.form)
        return self.instances.add(TEXTURE, _pointing(body, self.instances.add_raw(block)))

    def _repaint(self, index: int, name: str, pixels: Pixels) -> None:
        body = self.instances.body(index)
        pointer = int.from_bytes(body[RAW : RAW + 4], "little")
        old = bytes(self.instances.raw[pointer:])
        with reading(name):
            size = pictures_size(np.frombuffer(body[: HEAD.itemsize], HEAD).reshape(()), 0)
        own, block = repainted(body, old[:size], pixels, self.form)
        if len(block) <= size:
            self.instances.raw[pointer : pointer + len(block)] = block
        else:
            own = _pointing(own, self.instances.add_raw(block))
        self.instances.put(index, own)


def _of_picture(name: str, pixels: Pixels, form: Form) -> tuple[bytes, bytes]:
    with _about(name):
        return new_texture(pixels, form)


@contextmanager
def _about(name: str) -> Generator[None]:
    """What goes wrong inside says whose picture it is."""
    try:
        with log.about(name):
            yield
    except ExportError as error:
        raise ExportError(f"{name}: {error}") from error


def _pointing(body: bytes, pointer: int) -> bytes:
    return body[:RAW] + pointer.to_bytes(4, "little") + body[RAW + 4 :]


def texture_file(name: str, pixels: Pixels, form: Form = "AUTO", paths: Sequence[str] = ()) -> OniFile:
    """A texture as a .oni of its own. name: with the tag. paths: of files around which the texture may be in whose place it comes; that
    one's flags, and the texture that it mirrors, stay. Raises ExportError."""
    library = Library()
    before = next((each for path in paths if path and (each := library.find(name, path)) is not None and each.tag == TEXTURE), None)
    if before is not None:
        try:
            part = texture_part(before)
            others = {at: library.name_of(before, int.from_bytes(part.body[at : at + 4], "little")) for at in LINKS}
        except FormatError as error:
            log.warning(f"{name} is written anew, since the one that is there cannot be read: {error}")
        else:
            return _in_place_of(part, others, name, pixels, form)
    body, block = _of_picture(name, pixels, form)
    return OniFile.build([Part(TEXTURE, name, body=body, blocks={RAW: block})])


def _in_place_of(part: Part, others: Mapping[int, str], name: str, pixels: Pixels, form: Form) -> OniFile:
    """The texture with another picture. others: what it leads to, by where."""
    assert part.blocks is not None
    with _about(name):
        body, block = repainted(part.body, part.blocks[RAW], pixels, form)
    own = bytearray(body)
    for at in others:
        own[at : at + 4] = bytes(4)
    placeholders = list(dict.fromkeys(other for other in others.values() if other))
    links = {at: 1 + placeholders.index(other) for at, other in others.items() if other}
    main = Part(TEXTURE, name, body=bytes(own), blocks={RAW: block}, links=links)
    return OniFile.build([main, *(Part(other[:4], other, flags=PLACEHOLDER) for other in placeholders)])
