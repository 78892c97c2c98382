"""Which number of a frame means what: the channels of a skeleton in the order of the file, and assumptions for clips that do not fit it."""

from __future__ import annotations

from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...reporting import log
from ...reporting.errors import FormatError
from ..files.interpretation import Order
from ..files.skel import KINDS, MOST, Bone, Declared, Kind, Skel, write

STEP = (0.0, 0.1, 0.0)
"""From bone to bone of a made-up chain, metres."""


class Column(NamedTuple):
    """What one float of every frame drives."""

    bone: int
    kind: Kind
    axis: int


@dataclass(frozen=True)
class Layout:
    """columns: one for each channel, in the order of a frame. held: locked channels with their constants. assumption:
    how the skeleton had to be interpreted, "" for as it stands."""

    columns: tuple[Column, ...]
    held: dict[Column, float] = field(default_factory=dict[Column, float])
    assumption: str = ""

    def __len__(self) -> int:
        return len(self.columns)

    @cached_property
    def index(self) -> tuple[NDArray[np.int64], NDArray[np.int64], NDArray[np.int64]]:
        """Index in KINDS, bone and axis of each column, (columns,) each."""
        rows = np.array([(KINDS.index(kind), bone, axis) for bone, kind, axis in self.columns], np.int64).reshape(-1, 3)
        return rows[:, 0], rows[:, 1], rows[:, 2]

    @cached_property
    def of_root(self) -> NDArray[np.bool_]:
        """(columns,) which ones are the root's translation."""
        kinds, bones, _ = self.index
        return (kinds == 0) & (bones == 0)

    @property
    def text(self) -> str:
        """The columns as text: the bone's number and the channel's name."""
        return " ".join(f"{bone}.{kind}{'XYZ'[axis]}" for bone, kind, axis in self.columns)

    def with_text(self, text: str) -> Layout:
        """The columns that `text` names, with what is held as it is. Raises ValueError for anything else."""
        return replace(self, columns=tuple(map(_column, text.split())))


def _column(text: str) -> Column:
    bone, _, name = text.partition(".")
    for kind in KINDS:
        for axis, letter in enumerate("XYZ"):
            if name == kind + letter:
                return Column(int(bone), kind, axis)
    raise ValueError(text)


@lru_cache(maxsize=16)
def layout_of(skel: Skel, order: Order = "FILE") -> Layout:
    """The channels as the skeleton declares them; for v1.00 the root's translation and every bone's rotation."""
    return _layout(_declared(skel), order)


def layout_for(skel: Skel, count: int, order: Order = "FILE") -> Layout:
    """The layout of the skeleton under which a frame has `count` channels, the declared one first.

    Raises FormatError, stating both counts, when none fits.
    """
    plain = [(bone, channel) for bone in range(len(skel.bones)) for channel in _plain(bone)]
    declared = _declared(skel)
    scales = [Declared("scale", axis, value=1.0) for axis in range(3)]
    assumptions: list[tuple[str, list[tuple[int, Declared]]]] = [("", declared)]
    if count == 1:
        assumptions.append(("one channel: the root rotates about Y", [(0, Declared("rot", 1))]))
    assumptions += [
        ("without the channels for scale", [pair for pair in declared if pair[1].kind != "scale"]),
        ("the root's translation and every bone's rotation", plain),
        ("locked channels have numbers too", [(bone, _unlocked(channel)) for bone, channel in declared]),
        ("with scale for every bone that declares none", _with_scale(declared, scales, len(skel.bones))),
        ("the root's translation, every bone's rotation and scale", _with_scale(plain, scales, len(skel.bones))),
    ]
    for name, pairs in assumptions:
        layout = _layout(pairs, order, name)
        if len(layout) == count:
            if name:
                log.warning(f"{count} channels where the skeleton has {len(_layout(declared, order))}; taken as: {name}")
            return layout
    raise FormatError(f"{count} channels, but the skeleton has {len(_layout(declared, order))}: it belongs to another one")


def plausible(count: int) -> Skel:
    """A chain of bones for a clip whose skeleton is not known, from the number of its channels alone. What was made up is reported.

    Raises FormatError where no plain skeleton has so many channels.
    """
    bones = (count - 3) // 3
    if count == 1:
        log.warning("no skeleton: one channel, taken as a prop that rotates about Y")
        return write([Bone("root", -1, channels=(Declared("rot", 1),))])
    if count == 2:
        log.warning("no skeleton: two channels, taken as two joints that slide along Z, as those of a door")
        slide = (Declared("trans", 2),)
        return write([Bone("root", -1), Bone("joint_01", 0, channels=slide), Bone("joint_02", 0, channels=slide)])
    if count == 3:
        log.warning("no skeleton: three channels, taken as a prop that rotates")
        return write([Bone("root", -1, channels=tuple(Declared("rot", axis) for axis in range(3)))])
    if count % 3 or bones > MOST:
        raise FormatError(f"no skeleton: {count} channels fit no plain one, give its .skel")
    known = {39: ", as many as Konoko's (kno)", 53: ", as many as xkno's"}.get(bones, "")
    log.warning(f"no skeleton: {count} channels, taken as a chain of {bones} bones{known}; for its own shape give its .skel")
    chain = [Bone("root" if not bone else f"bone_{bone:02}", bone - 1, STEP if bone else (0.0, 0.0, 0.0)) for bone in range(bones)]
    return write(chain, version="")


def _declared(skel: Skel) -> list[tuple[int, Declared]]:
    return [(bone, channel) for bone in range(len(skel.bones)) for channel in skel.declared(bone)]


def _plain(bone: int) -> list[Declared]:
    return [Declared(kind, axis) for kind in KINDS[bone > 0 : 2] for axis in range(3)]


def _unlocked(channel: Declared) -> Declared:
    return Declared(channel.kind, channel.axis)


def _with_scale(pairs: list[tuple[int, Declared]], scales: list[Declared], bones: int) -> list[tuple[int, Declared]]:
    """Every bone's channels, and behind them the three for scale where it has none."""
    own: list[list[Declared]] = [[] for _ in range(bones)]
    for bone, channel in pairs:
        own[bone].append(channel)
    for channels in own:
        if not any(channel.kind == "scale" for channel in channels):
            channels += scales
    return [(bone, channel) for bone, channels in enumerate(own) for channel in channels]


def _layout(pairs: list[tuple[int, Declared]], order: Order, assumption: str = "") -> Layout:
    columns = [Column(bone, channel.kind, channel.axis) for bone, channel in pairs if not channel.locked]
    held = {Column(bone, channel.kind, channel.axis): channel.value for bone, channel in pairs if channel.locked}
    if order == "BONE":
        columns.sort(key=lambda column: (column.bone, KINDS.index(column.kind), column.axis))
    elif order == "GROUPED":
        columns.sort(key=lambda column: KINDS.index(column.kind))
    return Layout(tuple(columns), held, assumption)
