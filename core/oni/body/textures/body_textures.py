"""The textures of a body: which bone has which, and how they look."""

from __future__ import annotations

from collections.abc import Iterable
from dataclasses import replace

from ....reporting import log
from ....reporting.errors import FormatError
from ....surface.mesh import Image, Material
from ...files.library import Instance, Library
from ..geometry import UNNAMED_TEXTURE
from .texture import read_texture

PROPERTY = "oni_texture"
"""What a material keeps the name of its TXMP as."""

SKIN = (0.6, 0.6, 0.6)
"""The colour of a material whose texture is not at hand."""


def images_of(names: Iterable[str], body: Instance, library: Library) -> dict[str, Image]:
    """Those textures that are at hand in the file of a body and the files around it."""
    images: dict[str, Image] = {}
    for name in dict.fromkeys(names):
        number = name.removeprefix(UNNAMED_TEXTURE)
        inside = name.startswith(UNNAMED_TEXTURE) and number.isdigit() and int(number) < len(body.file)
        result = Instance(body.file, body.path, int(number)) if inside else library.find(name, body.path)
        if result is None:
            continue
        try:
            images[name] = replace(read_texture(result), name=name)
        except FormatError as error:
            log.warning(f"a texture that cannot be shown: {error}")
    return images


def material_of(name: str, image: Image | None) -> Material:
    """Called as its TXMP; where half of a texture's alpha is missing the material is cut out."""
    properties = {PROPERTY: name}
    if image is None:
        return Material(name or "body", "SMOOTH", (SKIN,), properties=properties)
    blend = "CLIP" if bool((image.pixels[..., 3] < 128).any()) else "OPAQUE"
    return Material(name, "SMOOTH", ((1.0, 1.0, 1.0),), image=image, blend=blend, properties=properties)
