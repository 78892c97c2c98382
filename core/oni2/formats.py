"""The files of Oni 2, for the registry: how to recognise them, and what to report of them."""

from __future__ import annotations

from typing import Any

import numpy as np

from ..files.format import Format, never
from .files import anim, dave
from .files.anim import RATE, Anim
from .files.dave import Dave
from .files.entity import Anims, EntityType
from .files.mesh import mod
from .files.mesh.mod import Mod
from .files.skeleton import skel
from .files.skeleton.skel import Skel
from .motion.channels import layout_of

Facts = dict[str, Any]


def _describe_anim(document: Anim) -> Facts:
    """bones: of a plain skeleton with so many channels, where there can be one. duration: seconds from the first to the last frame."""
    frames, channels = document.values.shape
    plain = {"bones": (channels - 3) // 3} if channels % 3 == 0 and channels > 3 else {}
    flags = {} if document.flags is None else {"flags": f"0x{document.flags:08X}"}
    byte = {} if document.loop is None else {"loop_byte": document.loop}
    return {
        "kind": document.kind,
        "channels": channels,
        **plain,
        "frames": frames,
        "keys": frames * channels,
        "duration": round((frames - 1) / RATE, 6),
        "loop": 0 if document.loops else None,
        **flags,
        **byte,
        "stride": [_short(value) for value in document.stride.tolist()],
        "deltas": document.deltas is not None,
        **({"tail": len(document.tail)} if document.tail else {}),
    }


def _describe_skel(document: Skel) -> Facts:
    layout = layout_of(document)
    return {
        "version": document.version or "1.00",
        "bones": len(document.bones),
        "channels": len(layout),
        "locked": len(layout.held),
        "names": [bone.name for bone in document.bones],
    }


def _describe_mod(document: Mod) -> Facts:
    model = document.model
    return {
        "version": "2.10" if document.binary else "text",
        "vertices": len(model.vertices),
        "triangles": sum(len(packet.triangles) for packet in model.packets),
        "materials": [surface.name for surface in model.surfaces],
        "bones": model.bone_count,
    }


def _describe_dave(document: Dave) -> Facts:
    return {"entries": len(document), "folders": sum(document.blank(index) for index in range(len(document)))}


def _describe_type(document: EntityType) -> Facts:
    radius = {} if document.radius is None else {"radius": _short(document.radius)}
    return {"skeleton": document.skeleton or None, "models": list(document.models), "bound": document.bound or None, **radius}


def _describe_anims(document: Anims) -> Facts:
    return {"packages": list(document.packages), "animations": len(document.clips)}


def _entry_facts(archive: Dave, index: int) -> Facts:
    entry = archive.entries[index]
    return {"size": int(entry["size"]), "packed_size": int(entry["packed"])}


def _short(value: float) -> float:
    """The 32-bit number with no more digits than it has."""
    return float(np.format_float_positional(np.float32(value)))


ANIM = Format("ANIM", "Oni 2 animation", "oni2", "animation", (".anim",), anim.recognise, Anim.parse, _describe_anim)
SKEL = Format("SKEL", "Oni 2 skeleton", "oni2", "skeleton", (".skel",), skel.recognise, Skel.parse, _describe_skel)
MOD = Format("MOD", "Oni 2 mesh", "oni2", "body", (".mod",), mod.recognise, Mod.parse, _describe_mod)
TYPE = Format("TYPE", "Oni 2 entity", "oni2", "entity", (".type",), never, EntityType.parse, _describe_type)
ANIMS = Format("ANIMS", "Oni 2 list of animations", "oni2", "entity", (".anims", ".apkg"), never, Anims.parse, _describe_anims)
DAVE = Format(
    "DAVE",
    "Oni 2 archive",
    "oni2",
    "archive",
    (),
    dave.recognise,
    Dave.parse,
    _describe_dave,
    open=dave.opened,
    entry_facts=_entry_facts,
)

FORMATS = (DAVE, ANIM, SKEL, MOD, TYPE, ANIMS)
"""In the order in which contents are tried: the most certain first."""
