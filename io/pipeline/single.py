"""The export of a block that is no clip, such as a body, to its file, with what goes along."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass

from . import settling, writing
from .writing import Output


@dataclass(frozen=True)
class Written:
    """address: FILE or FILE#ENTRY. changed: whether it was not there already."""

    address: str
    changed: bool

    @property
    def summary(self) -> str:
        return f"{'written' if self.changed else 'unchanged'}: {self.address}"


def write(outputs: Sequence[Output], overwrite: bool, merged: Callable[[str, list[Output]], bytes] | None = None) -> Written:
    """Write the first output and what goes along. merged: see `writing.write_files`. Raises RetroAnimError, with nothing written, for what
    would be a loss."""
    settled = settling.settle(outputs, overwrite)
    settled.check()
    writing.write_files(outputs, settled, merged)
    return Written(outputs[0].where, bool(settled.changed))
