"""The worked examples of Oni 2's formats, and archives made from a dictionary."""

from __future__ import annotations

import struct
import zlib
from collections.abc import Collection
from typing import Any

import numpy as np

CHANNELS_SKEL = """\
Version: 101
NumBones 5
bone root {
	offset 0.0 1.0 0.0
	transX
	transY
	transZ
	rotX
	rotY
	rotZ
	bone spine_01 {
		offset 0.0 0.2 0.0
		rotX limit -1.5 1.5
		rotY
		rotZ
		bone arm_l {
			offset 0.25 0.3 0.0
			rotX lock 0.5
			rotY
			rotZ
		}
		bone piston {
			offset 0.0 0.5 0.1
			transZ
			rotY
			scaleX
			scaleY
			scaleZ
		}
	}
	bone pelvis {
		offset 0.0 -0.05 0.0
		rotX
		rotY
		rotZ
	}
}
"""
"""Nineteen channels, with a lock, a limit, scale and a child that moves."""

FILE_ORDER = (
    "root transX transY transZ rotX rotY rotZ spine_01 rotX rotY rotZ arm_l rotY rotZ "
    "piston transZ rotY scaleX scaleY scaleZ pelvis rotX rotY rotZ"
)
GROUPED = (
    "root transX transY transZ piston transZ root rotX rotY rotZ spine_01 rotX rotY rotZ arm_l rotY rotZ "
    "piston rotY pelvis rotX rotY rotZ piston scaleX scaleY scaleZ"
)
"""The order of the channels in a frame, each behind the name of its bone."""

TWO_BONES = "NumBones 2\nbone root {\n offset 0 1 0\n bone spine {\n  offset 0 0.2 0\n }\n}\n"
FRAME = (0.1, 1.05, -0.3, 0.1, 0.2, 0.3, -0.4, 0.5, 0.6)
ROOT = np.array([[0.936293, -0.268349, 0.226592, 0.1], [0.295520, 0.950564, -0.095375, 1.05], [-0.189796, 0.156261, 0.969309, -0.3]])
SPINE = np.array(
    [[0.436977, -0.827066, 0.353572, 0.04633], [0.788512, 0.541368, 0.291837, 1.240113], [-0.432781, 0.151270, 0.888717, -0.268748]]
)
"""World matrices of FRAME on TWO_BONES."""


def binary_mod(model: Any) -> bytes:
    """The binary form of version 2.10 of a mesh, as the format's description has it: tables, materials, packets of triangles."""
    adjuncts = sum(len(packet.adjuncts) for packet in model.packets)
    counts = [len(table) for table in (model.vertices, model.normals, model.colours, model.coordinates)]
    data = b"version: 2.10\0" + struct.pack("<11I", *counts, 0, 0, len(model.surfaces), adjuncts, 0, 0, 0)
    for table in (model.vertices, model.normals, model.colours, model.coordinates):
        data += np.asarray(table, "<f4").tobytes()
    for surface in model.surfaces:
        data += (
            surface.name.encode()
            + b" "
            + struct.pack("<4I9f", surface.packets, 0, bool(surface.texture), 0, *[0] * 3, *surface.diffuse, *[0] * 3)
        )
        data += struct.pack("<I", 7) + surface.texture.encode() + bytes(3) if surface.texture else b""
    for packet in model.packets:
        data += struct.pack("<4I", len(packet.adjuncts), len(packet.triangles), len(packet.matrices), 0)
        data += np.asarray(packet.adjuncts, "<i4").tobytes()
        data += b"".join(struct.pack("<5I", 1, 3, *triangle) for triangle in packet.triangles.tolist())
        data += np.asarray(packet.matrices, "<u4").tobytes()
    return data + b"mtxv"


def deflated(data: bytes) -> bytes:
    stream = zlib.compressobj(9, zlib.DEFLATED, -15)
    return bytes.fromhex("1AFA25DD") + stream.compress(data) + stream.flush()


def dave(files: dict[str, bytes], packed: Collection[str] = ()) -> bytes:
    """Folders end in a slash. packed: the names of the files that are deflated."""
    names, name_at = b"", {}
    for name in files:
        name_at[name] = len(names)
        names += name.encode("latin-1") + b"\0"
    table = 16 * len(files)
    start = -(-(0x800 + table + len(names)) // 0x800) * 0x800
    entries, data = b"", b""
    for name, content in files.items():
        stored = deflated(content) if name in packed else content
        entries += struct.pack("<4I", name_at[name], 0 if name.endswith("/") else start + len(data), len(content), len(stored))
        data += stored
    header = b"DAVE" + struct.pack("<3I", len(files), table, start - 0x800)
    head = header.ljust(0x800, b"\0") + entries + names
    return head.ljust(start, b"\0") + data
