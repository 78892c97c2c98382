"""The pose of a character at one time, in the game's own axes and units: what the `pose` command reports."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from ..reporting import log

Floats = NDArray[np.float64]


@dataclass(frozen=True)
class Wanted:
    """Which pose is asked for. skeleton: a file or FILE#ENTRY, "" for one found beside. frame: its number, None for `time` in seconds.
    interpolation: "slerp" or "nlerp", of quaternions between keys, "" for what an import of the game shows by default.
    game: of formats that several games share, "auto" to find it out."""

    skeleton: str = ""
    frame: int | None = None
    time: float = 0.0
    interpolation: str = ""
    game: str = "auto"

    def report_angles(self) -> None:
        """Of a game whose bones have angles: say that no interpolation of quaternions can be chosen."""
        if self.interpolation:
            log.warning(f"its bones have angles, each of which is interpolated by itself: {self.interpolation} is not used")


@dataclass(frozen=True, eq=False)
class Pose:
    """format: name of the animation's format. time: seconds. names, parents: (B,) of the bones, in the file's order.

    matrices: (B, 4, 4), each maps a bone's own rest-relative points into character space, column vectors.
    root_position (3,) and root_heading (radians): the root motion since time 0. extra: fields of every bone, by name, (B, ...) each.
    """

    format: str
    time: float
    names: tuple[str, ...]
    parents: NDArray[np.int32]
    matrices: Floats
    root_position: Floats
    root_heading: float
    extra: dict[str, Floats]

    @property
    def finite(self) -> bool:
        """Whether all of its numbers are."""
        tables = (self.matrices, self.root_position, np.float64(self.root_heading), *self.extra.values())
        return all(bool(np.isfinite(table).all()) for table in tables)

    def document(self) -> dict[str, Any]:
        """The pose as plain lists and numbers."""
        bones = [
            {
                "name": name,
                "parent": parent,
                "position": matrix[:3, 3].tolist(),
                "matrix": matrix.ravel().tolist(),
                **{field: values[index].tolist() for field, values in self.extra.items()},
            }
            for index, (name, parent, matrix) in enumerate(zip(self.names, self.parents.tolist(), self.matrices, strict=True))
        ]
        root = {"position": self.root_position.tolist(), "heading": self.root_heading}
        return {"format": self.format, "time": self.time, "bones": bones, "root": root}
