"""Stick's file for the registry."""

from __future__ import annotations

from typing import Any

from ..files.format import Format
from .document import SIGNATURE, Stick
from .motion import RATE


def _recognise(head: bytes, size: int) -> bool:
    return head.startswith(SIGNATURE)


def _describe(document: Stick) -> dict[str, Any]:
    frames = len(document.locations)
    return {"bones": len(document.names), "frames": frames, "duration": (frames - 1) / RATE, "mood": document.mood}


STICK = Format("stick", "Stick animation", "stick", "animation", (".stick",), _recognise, Stick.parse, _describe)

FORMATS = (STICK,)
