"""What is fuzzed."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass


@dataclass(frozen=True)
class Target:
    """seeds: inputs that mean something, to start from. run: takes any bytes; RetroAnimError is a fine answer, anything else a find."""

    name: str
    seeds: tuple[bytes, ...]
    run: Callable[[bytes], None]
