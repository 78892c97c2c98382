"""The materials of a mesh, each once."""

from __future__ import annotations

from ...surface.mesh import Material


class MaterialList:
    """In order of first use."""

    def __init__(self) -> None:
        self.materials: list[Material] = []
        self._known: dict[str, int] = {}

    def index(self, material: Material) -> int:
        """Where it stands, by its name, which says all that it is made of."""
        number = self._known.setdefault(material.name, len(self.materials))
        if number == len(self.materials):
            self.materials.append(material)
        return number
