"""One target in this process, under atheris: `python -m retro_anim.fuzz.one PLACE TARGET [libFuzzer's arguments]`."""

from __future__ import annotations

import sys
from collections.abc import Iterator
from importlib import import_module
from typing import Any

from .target import Target

atheris: Any = import_module("atheris")
"""By its name, for there is none for every system."""


def main(where: str, name: str, arguments: list[str]) -> None:
    if where == "blender":
        import bpy  # noqa: F401 - before anything is watched
    with atheris.instrument_imports(include=["retro_anim.core", "retro_anim.io"]):
        from ..core.reporting.errors import RetroAnimError

        target = next(target for target in _targets(where) if target.name == name)

    def run(data: bytes) -> None:
        try:
            target.run(data)
        except RetroAnimError:
            return

    atheris.Setup([sys.argv[0], *arguments], run)
    atheris.Fuzz()


def _targets(where: str) -> Iterator[Target]:
    if where == "core":
        from . import core_targets as known
    else:
        from . import blender_targets as known
    return known.targets()


if __name__ == "__main__":
    main(sys.argv[1], sys.argv[2], sys.argv[3:])
