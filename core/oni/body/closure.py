"""A body as a .oni of its own, wherever it stands: the named instance and all without names that belong to it, in OniSplit's order."""

from __future__ import annotations

from ...reporting import log
from ..files.instances import PLACEHOLDER, UNNAMED
from ..files.library import Instance
from ..files.onifile import OniFile, Part
from ..records.body_records import SHAPES, BodyLayout
from ..records.record import PREFIX
from .textures.texture import TAG as TEXTURE
from .textures.texture import texture_part


def own_file(root: Instance) -> OniFile:
    """The file of a body that is a .oni already; of one in a level, or among others, a file of its own, with placeholders for what has a
    name. Raises FormatError for instances that are not in the file."""
    if root.index == 0 and isinstance(root.file, OniFile):
        return root.file
    return closure(root)


def closure(root: Instance) -> OniFile:
    """As `own_file`, always anew: what nothing leads to is left out."""
    links = {root.index: _links(root)}
    order, ahead = [root.index], [root.index]
    while ahead:
        for other in links[ahead.pop()].values():
            if other in links:
                continue
            links[other] = {} if _elsewhere(root, other) else _links(Instance(root.file, root.path, other))
            order.append(other)
            if not _elsewhere(root, other):
                ahead.append(other)
    kept = [index for index in order if _named(root, index) or root.file.tag(index) in (*SHAPES, TEXTURE)]
    if len(kept) < len(order):
        log.warning(f"{root.name}: {len(order) - len(kept)} instances without names that are of no body are left out")
    number = {index: at for at, index in enumerate(kept)}
    return OniFile.build([_part(root, index, links[index], number) for index in kept])


def _part(root: Instance, index: int, links: dict[int, int], number: dict[int, int]) -> Part:
    tag = root.file.tag(index)
    if index != root.index and _elsewhere(root, index):
        return Part(tag, root.file.name(index), flags=PLACEHOLDER)
    own = Instance(root.file, root.path, index)
    if tag == TEXTURE:
        return texture_part(own)
    body = bytearray(own.body())
    for at, other in links.items():
        if other not in number:
            body[at : at + 4] = bytes(4)
    inside = {at: number[other] for at, other in links.items() if other in number}
    name = root.name if index == root.index else ""
    return Part(tag, name, body=bytes(body), links=inside, flags=0 if name else UNNAMED)


def _links(instance: Instance) -> dict[int, int]:
    """By the offset in the record which instance it leads to."""
    if instance.tag not in SHAPES:
        return {}
    body, tables = instance.body(), instance.file.tables
    instance.record(instance.tag)  # names the file where it is damaged
    result: dict[int, int] = {}
    for at in BodyLayout(instance.tag).links(body):
        other = tables.linked(int.from_bytes(body[at : at + 4], "little"), instance.start + PREFIX + at)
        if other is not None:
            result[at] = other
    return result


def _named(root: Instance, index: int) -> bool:
    return index == root.index or bool(root.file.name(index))


def _elsewhere(root: Instance, index: int) -> bool:
    """Whether an instance other than the root is a file of its own."""
    return index != root.index and (root.file.blank(index) or bool(root.file.name(index)))
