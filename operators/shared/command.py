"""`blender --command retro_anim …`: the command line inside Blender."""

from __future__ import annotations

from typing import Any

import bpy

from ...cli import main

NAME = "retro_anim"

_handle: list[Any] = []
"""What Blender gave for the registered command; it wants it back."""


def register() -> None:
    _handle.append(bpy.utils.register_cli_command(NAME, lambda arguments: main(arguments)))


def unregister() -> None:
    bpy.utils.unregister_cli_command(_handle.pop())
