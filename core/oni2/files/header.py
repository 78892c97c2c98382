"""The header of an animation besides its counts, as a person may choose it."""

from __future__ import annotations

from dataclasses import dataclass, replace

from ...reporting.errors import ExportError
from .anim import LOOP, WIDE, Anim, Kind


@dataclass(frozen=True)
class Header:
    """What no curve shows. kind, flags, loop: as they are to be written, with all bits. deltas: whether each frame has one. stride: None
    for the one that follows from the motion, or from the original where the root has not moved."""

    kind: Kind = "ANI1"
    flags: int = 0
    loop: int = 0
    deltas: bool = False
    stride: tuple[float, ...] | None = None

    @classmethod
    def of(cls, anim: Anim) -> Header:
        return cls(anim.kind, anim.flags or 0, anim.loop or 0, anim.deltas is not None)

    def as_kind(self, kind: Kind) -> Header:
        """The same clip as another kind: it loops as before, with three floats of stride where there can be three. Of the kinds that the
        game's own files are of only ANI1 has deltas (OniGalore)."""
        if kind == self.kind:
            return self
        plain = replace(self, kind=kind, flags=WIDE if kind == "ani" else 0, loop=0, deltas=self.deltas and kind == "ANI1")
        return plain.looping(self.loops)

    @property
    def loops(self) -> bool:
        return bool(self.flags & LOOP) if self.kind == "ANI1" else bool(self.loop)

    def looping(self, loops: bool) -> Header:
        """All other bits stay as they are."""
        if loops == self.loops:
            return self
        return replace(self, flags=self.flags ^ LOOP) if self.kind == "ANI1" else replace(self, loop=int(loops))

    def with_deltas(self, deltas: bool) -> Header:
        """Raises ExportError for a kind that cannot hold them."""
        if deltas and self.kind not in ("ANI1", "ani"):
            raise ExportError(f"the {self.kind} kind cannot hold the root's deltas: choose ANI1")
        return replace(self, deltas=deltas)
