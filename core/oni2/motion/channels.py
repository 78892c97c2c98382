"""Which number of a frame means what: the channels of a skeleton in the order of the file, and assumptions for clips that do not fit it."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import dataclass, field, replace
from functools import cached_property, lru_cache
from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from ...reporting import log
from ...reporting.errors import FormatError
from ...reporting.labels import counted
from ..files.interpretation import Order
from ..files.skeleton.skel import Skel, write
from ..files.skeleton.skel_bones import KINDS, MOST, Bone, Declared, Kind

STEP = (0.0, 0.1, 0.0)
"""From bone to bone of a made-up chain, metres."""


class Column(NamedTuple):
    """What one float of every frame drives."""

    bone: int
    kind: Kind
    axis: int


class Group(NamedTuple):
    """Channels of one kind, of bones that have them along the same axes. bones: (B,). axes: A of them, ascending. columns: (B, A)."""

    kind: Kind
    axes: tuple[int, ...]
    bones: NDArray[np.int64]
    columns: NDArray[np.int64]


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
    def groups(self) -> list[Group]:
        """All columns, those together that have as many axes."""
        channels: dict[tuple[Kind, int], dict[int, int]] = {}
        for index, (bone, kind, axis) in enumerate(self.columns):
            channels.setdefault((kind, bone), {})[axis] = index
        alike: dict[tuple[Kind, tuple[int, ...]], dict[int, list[int]]] = {}
        for (kind, bone), columns in channels.items():
            axes = tuple(sorted(columns))
            alike.setdefault((kind, axes), {})[bone] = [columns[axis] for axis in axes]
        return [Group(kind, axes, np.array(list(rows)), np.array(list(rows.values()))) for (kind, axes), rows in alike.items()]

    @cached_property
    def of_root(self) -> NDArray[np.bool_]:
        """(columns,) which ones are the root's translation."""
        kinds, bones, _ = self.index
        return (kinds == 0) & (bones == 0)

    @cached_property
    def text(self) -> str:
        """The columns as text: the bone's number and the channel's name."""
        return " ".join(f"{bone}.{kind}{'XYZ'[axis]}" for bone, kind, axis in self.columns)

    def with_text(self, text: str) -> Layout:
        """The columns that `text` names, with what is held as it is. Raises ValueError for anything else."""
        return self if text == self.text else replace(self, columns=tuple(map(_column, text.split())))


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
    declared = layout_of(skel, order)
    if len(declared) == count:
        return declared
    for name, pairs in _assumptions(skel, count):
        layout = _layout(pairs, order, name)
        if len(layout) == count:
            log.warning(f"{counted(count, 'channel')} where the skeleton has {len(declared)}; taken as: {name}")
            return layout
    raise FormatError(f"{count} channels, but the skeleton has {len(declared)}: it belongs to another one")


def _assumptions(skel: Skel, count: int) -> Iterator[tuple[str, list[tuple[int, Declared]]]]:
    """What the channels of a clip that does not fit may be, the most plausible first."""
    bones = len(skel.bones)
    declared = _declared(skel)
    plain = [(bone, channel) for bone in range(bones) for channel in _plain(bone)]
    scales = [Declared("scale", axis, value=1.0) for axis in range(3)]
    if count == 1:
        yield "one channel: the root rotates about Y", [(0, Declared("rot", 1))]
    yield "without the channels for scale", [pair for pair in declared if pair[1].kind != "scale"]
    yield "the root's translation and every bone's rotation", plain
    yield "locked channels have numbers too", [(bone, _unlocked(channel)) for bone, channel in declared]
    yield "with scale for every bone that declares none", _with_scale(declared, scales, bones)
    yield "the root's translation, every bone's rotation and scale", _with_scale(plain, scales, bones)


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
    log.warning(
        f"no skeleton: {counted(count, 'channel')}, taken as a chain of {counted(bones, 'bone')}{known}; for its own shape give its .skel"
    )
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
