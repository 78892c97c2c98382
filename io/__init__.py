"""Plain data <-> Blender data: armatures, actions, meshes. bpy lives here, dialogs do not."""

from __future__ import annotations

import sys
from collections.abc import Callable
from importlib import import_module
from typing import Any


def on_demand(package: str, **modules: str) -> Callable[[str], Any]:
    """The `__getattr__` of a package, which loads what it offers when that is asked for: Blender starts sooner without the codecs of games
    that nobody opens. modules: by each public name the module inside the package that has it."""

    def loaded(name: str) -> Any:
        if name not in modules:
            raise AttributeError(f"module {package!r} has no attribute {name!r}")
        value = getattr(import_module(f".{modules[name]}", package), name)
        setattr(sys.modules[package], name, value)
        return value

    return loaded
