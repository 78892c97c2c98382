""".skel, the skeleton file: a text of nested bones that names the channels of the animations.

Sources: Oni2Rebuilt skeleton.rs; mc3pc skeldata.cpp; libsr2 crSkeletonData.cpp.
"""

from __future__ import annotations

import re
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import NDArray

from ....files.binary import Bytes
from ....motion.rigs.skeleton import ONWARDS, Skeleton
from ....reporting import labels, log
from ....reporting.errors import FormatError
from ....reporting.labels import counted
from ..tokens import BOM, ENCODING, decode, is_text
from .skel_bones import Bone, Declared, Kind, line_of, number, token
from .skel_parse import Contents, read


@dataclass(frozen=True, eq=False)
class Skel:
    """text: the whole file, a character for every byte; everything else is read from it."""

    text: str

    @classmethod
    def parse(cls, data: Bytes) -> Skel:
        """Raises FormatError with the line for unbalanced braces, no bone or several roots, missing numbers, and too many bones."""
        skel = cls(decode(data))
        contents = skel._contents
        for line in contents.remarks:
            log.warning(line)
        if contents.count is not None and contents.count != len(contents.bones):
            log.warning(f"NumBones is {contents.count}, but the file has {counted(len(contents.bones), 'bone')}")
        return skel

    def pack(self) -> bytes:
        return self.text.encode(ENCODING)

    @cached_property
    def _contents(self) -> Contents:
        return read(self.text)

    @property
    def bones(self) -> tuple[Bone, ...]:
        """In file order: parents before children."""
        return self._contents.bones

    @property
    def version(self) -> str:
        """As the file has it, such as 101; "" for v1.00, which has no such line."""
        return self._contents.version

    @cached_property
    def plain(self) -> bool:
        """No bone declares a channel: the root moves and every bone rotates (v1.00)."""
        return not any(bone.channels for bone in self.bones)

    @cached_property
    def offsets(self) -> NDArray[np.float64]:
        """(bones, 3) read-only."""
        offsets = np.array([bone.offset for bone in self.bones], np.float64)
        offsets.setflags(write=False)
        return offsets

    def declared(self, bone: int) -> tuple[Declared, ...]:
        """The channels of a bone, those of v1.00 included."""
        if not self.plain:
            return self.bones[bone].channels
        kinds: tuple[Kind, ...] = ("trans", "rot") if bone == 0 else ("rot",)
        return tuple(Declared(kind, axis) for kind in kinds for axis in range(3))

    def skeleton(self) -> Skeleton:
        """Rest pose: the sums of the offsets. A bone points at its first child, else on from its parent."""
        parents = np.array([bone.parent for bone in self.bones], np.int32)
        offsets, heads = self.offsets, np.zeros((len(parents), 3))
        for bone, parent in enumerate(parents.tolist()):
            heads[bone] = offsets[bone] + (heads[parent] if parent >= 0 else 0)
        tips = heads + np.where(np.abs(offsets).sum(axis=1, keepdims=True) > 0, offsets * ONWARDS, [[0.0, 0.1, 0.0]])
        for bone in range(len(parents) - 1, 0, -1):
            if offsets[bone].any():
                tips[parents[bone]] = heads[bone]
        return Skeleton(labels.unique(bone.name for bone in self.bones), parents, heads, tips)

    def with_offsets(self, offsets: NDArray[np.float64]) -> Skel:
        """The same text with other numbers (bones, 3), metres, behind `offset`, where they differ as 32-bit numbers; the rest stays."""
        pieces: list[tuple[int, int, str]] = []
        for bone, new in zip(self.bones, offsets.tolist(), strict=True):
            changed = [np.float32(a) != np.float32(b) for a, b in zip(bone.offset, new, strict=True)]
            if not any(changed):
                continue
            if bone.numbers:
                pieces += [(*span, number(value)) for span, value, other in zip(bone.numbers, new, changed, strict=True) if other]
            else:
                pieces.append((bone.body, bone.body, f" offset {' '.join(map(number, new))} "))
        return self._with(pieces)

    def with_names(self, names: Sequence[str]) -> Skel:
        """The same text with other names, where they differ."""
        pairs = zip(self.bones, names, strict=True)
        return self._with([(*bone.label, token(name)) for bone, name in pairs if bone.name != name])

    def _with(self, pieces: list[tuple[int, int, str]]) -> Skel:
        """pieces: start and end of what is replaced, and what stands there instead."""
        parts, position = list[str](), 0
        for start, end, replacement in sorted(pieces):
            parts += [self.text[position:start], replacement]
            position = end
        return Skel("".join([*parts, self.text[position:]])) if pieces else self


def write(bones: Sequence[Bone], version: str = "101") -> Skel:
    """A new, clean text. bones: in file order, a depth-first walk. version: "" for v1.00, which names no channels.

    Raises FormatError when a bone does not follow its parent's other descendants, and for a second root.
    """
    lines = [f"Version: {version}"] if version else []
    lines.append(f"NumBones {len(bones)}")
    open_bones: list[int] = []
    for index, bone in enumerate(bones):
        while open_bones and open_bones[-1] != bone.parent:
            open_bones.pop()
            lines.append("\t" * len(open_bones) + "}")
        if index > 0 and bone.parent < 0:
            raise FormatError(f"bone {bone.name} hangs on no other, and a skeleton has one root: hang it on one of its bones")
        if bone.parent >= 0 and not open_bones:
            raise FormatError(f"bone {bone.name} does not follow the others below its parent: hang it where it was")
        tabs = "\t" * len(open_bones)
        lines.append(f"{tabs}bone {token(bone.name)} {{")
        lines.append(f"{tabs}\toffset {' '.join(map(number, bone.offset))}")
        for name, triple in (("rotmin", bone.low), ("rotmax", bone.high)):
            if triple is not None:
                lines.append(f"{tabs}\t{name} {' '.join(map(number, triple))}")
        lines += [f"{tabs}\t{line_of(channel)}" for channel in bone.channels if version]
        open_bones.append(index)
    lines += ["\t" * depth + "}" for depth in reversed(range(len(open_bones)))]
    return Skel("\n".join(lines) + "\n")


def channels_of(text: str) -> tuple[Declared, ...]:
    """What `text_of` wrote, or a person. Raises FormatError for anything else."""
    skel = read(f"bone a {{\n{text}\n}}")
    if len(skel.bones) != 1 or skel.remarks:
        raise FormatError(f"{text}: no channels")
    return skel.bones[0].channels


def recognise(head: bytes, _size: int) -> bool:
    """Whether a text starts as a skeleton does: a version, a count of bones, or a bone with an offset."""
    text = head.decode(ENCODING).removeprefix(BOM)
    if not is_text(text):
        return False
    text = re.sub(r"(?:#|//)[^\r\n]*", " ", text)
    lead = r"\s*(?:version\s*:?\s*[\d.]+\s+)?"
    return re.match(lead + r"(?:numbones\s*:?\s*\d+\s+bone\b|bone\s+[^\s{}]+\s*\{)", text, re.IGNORECASE) is not None
