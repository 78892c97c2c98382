"""`blender --command retro_anim …`: the command line inside Blender."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

import bpy

NAME = "retro_anim"

_handle: list[Any] = []
"""What Blender gave for the registered command; it wants it back."""


def _main(arguments: Sequence[str]) -> int:
    from ...cli import main

    return main(arguments)


def register() -> None:
    _handle.append(bpy.utils.register_cli_command(NAME, _main))


def unregister() -> None:
    bpy.utils.unregister_cli_command(_handle.pop())
