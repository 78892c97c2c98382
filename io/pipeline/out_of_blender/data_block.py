"""The export of a block that is no clip, such as a body, to its file, with what goes along."""

from __future__ import annotations

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from pathlib import Path

from ..destination import settling, writing
from ..destination.writing import Output


@dataclass(frozen=True)
class Written:
    """address: FILE or FILE#ENTRY. changed: whether it was not there already. along: the names of the other files that were written."""

    address: str
    changed: bool
    along: tuple[str, ...] = ()

    @property
    def summary(self) -> str:
        own = f"{'written' if self.changed else 'unchanged'}: {self.address}"
        return f"{own}; written beside it: {', '.join(self.along)}" if self.along else own


def write(outputs: Sequence[Output], overwrite: bool, merged: Callable[[str, list[Output]], bytes] | None = None) -> Written:
    """Write the first output and what goes along. merged: see `writing.write_files`. Raises RetroAnimError, with nothing written, for what
    would be a loss."""
    settled = settling.settle(outputs, overwrite)
    settled.check()
    writing.write_files(outputs, settled, merged)
    changed = {output.key: Path(output.path).name for output in settled.changed}
    first = outputs[0].key in changed
    return Written(outputs[0].where, first, tuple(name for key, name in changed.items() if key != outputs[0].key))
