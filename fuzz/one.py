"""One target in this process, under atheris: `python -m retro_anim.fuzz.one PLACE TARGET [libFuzzer's arguments]`."""

from __future__ import annotations

import io
import sys
from collections.abc import Iterator, Sequence
from contextlib import redirect_stderr
from importlib import import_module
from typing import Any

from .target import Target


def main(where: str, name: str, arguments: Sequence[str]) -> None:
    if where == "blender":
        import bpy  # noqa: F401 - before anything is watched
    fuzz(next(target for target in watched(where) if target.name == name), arguments)


def watched(where: str) -> list[Target]:
    """The targets, with what they run instrumented, without a line about each module; nothing of it may be imported before."""
    with redirect_stderr(io.StringIO()), _atheris().instrument_imports(include=["retro_anim.core", "retro_anim.io"]):
        return list(targets(where))


def targets(where: str) -> Iterator[Target]:
    if where == "core":
        from . import core_targets as known
    else:
        from . import blender_targets as known
    return known.targets()


def fuzz(target: Target, arguments: Sequence[str]) -> None:
    """Does not come back: it ends this process."""
    from ..core.reporting.errors import RetroAnimError

    def run(data: bytes) -> None:
        try:
            target.run(data)
        except RetroAnimError:
            return

    atheris = _atheris()
    atheris.Setup([sys.argv[0], *arguments], run)
    atheris.Fuzz()


def _atheris() -> Any:
    """By its name, for there is none for every system."""
    return import_module("atheris")


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
