"""A glTF document that Blender has written, in the one order that its contents ask for: Blender's own depends on the hashes of a run."""

from __future__ import annotations

import json
import struct
from collections.abc import Iterable
from pathlib import Path
from typing import Any
from urllib.parse import unquote

from ..core.files.disk.disk import read_file, write_file

EXTENSIONS = (".glb", ".gltf")

_HEADER, _CHUNK = struct.Struct("<4sII"), struct.Struct("<I4s")


def put_in_order(path: Path) -> None:
    """Write it anew, with the channels of each animation by node and property, and what they consist of in the order of the channels."""
    if path.suffix.lower() == ".gltf":
        document: dict[str, Any] = json.loads(read_file(path))
        buffer = path.parent / unquote(document["buffers"][0]["uri"]) if document.get("buffers") else None
        binary = _ordered(document, bytes(read_file(buffer)) if buffer else b"")
        if buffer:
            write_file(buffer, binary)
        write_file(path, (json.dumps(document, ensure_ascii=False, indent="\t") + "\n").encode())
        return
    document, binary = unpacked(read_file(path))
    binary = _ordered(document, binary)
    write_file(path, packed(document, binary))


def unpacked(data: bytes) -> tuple[dict[str, Any], bytes]:
    """The JSON and the binary chunk of a .glb."""
    size, _ = _CHUNK.unpack_from(data, _HEADER.size)
    start = _HEADER.size + _CHUNK.size
    return json.loads(data[start : start + size]), bytes(data[start + size + _CHUNK.size :])


def packed(document: dict[str, Any], binary: bytes) -> bytes:
    text = json.dumps(document, ensure_ascii=False, separators=(",", ":")).encode()
    chunks = [(b"JSON", text + b" " * (-len(text) % 4)), (b"BIN\0", binary)]
    body = b"".join(_CHUNK.pack(len(content), kind) + content for kind, content in chunks if content)
    return _HEADER.pack(b"glTF", 2, _HEADER.size + len(body)) + body


def _ordered(document: dict[str, Any], binary: bytes) -> bytes:
    """The buffer, after the document itself was put in order."""
    animations = document.get("animations", [])
    for animation in animations:
        animation["channels"].sort(key=_target)
        order = _first_uses(channel["sampler"] for channel in animation["channels"])
        animation["samplers"] = [animation["samplers"][index] for index in order]
        for channel in animation["channels"]:
            channel["sampler"] = order.index(channel["sampler"])
    samplers = [sampler for animation in animations for sampler in animation["samplers"]]
    after = _in_slots(document.get("accessors", []), (sampler[end] for sampler in samplers for end in ("input", "output")))
    for sampler in samplers:
        sampler |= {end: after[sampler[end]] for end in ("input", "output")}
    accessors, views = [document["accessors"][index] for index in sorted(set(after.values()))], document.get("bufferViews", [])
    contents = [binary[view.get("byteOffset", 0) :][: view["byteLength"]] for view in views]
    used = [accessor["bufferView"] for accessor in accessors if "bufferView" in accessor]
    after = _in_slots(views, used)
    _in_slots(contents, used)
    for accessor in accessors:
        if "bufferView" in accessor:
            accessor["bufferView"] = after[accessor["bufferView"]]
    return _joined(views, contents)


def _target(channel: dict[str, Any]) -> tuple[int, str]:
    """The node, and what of it is moved: its `path`, or what an extension says instead."""
    return channel["target"].get("node", -1), json.dumps(channel["target"], sort_keys=True)


def _first_uses(indices: Iterable[int]) -> list[int]:
    return list(dict.fromkeys(indices))


def _in_slots(items: list[Any], uses: Iterable[int]) -> dict[int, int]:
    """Put the items that are used into the slots that they have together, in the order of their first use. Returns index by index."""
    order = _first_uses(uses)
    slots = sorted(order)
    for slot, item in zip(slots, [items[index] for index in order], strict=True):
        items[slot] = item
    return dict(zip(order, slots, strict=True))


def _joined(views: list[dict[str, Any]], contents: list[bytes]) -> bytes:
    """One after the other, each from a multiple of four bytes on."""
    result = bytearray()
    for view, content in zip(views, contents, strict=True):
        view["byteOffset"] = len(result)
        result += content + bytes(-len(content) % 4)
    return bytes(result)
