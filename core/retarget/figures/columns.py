"""Values of a figure's bones that are computed bone by bone when somebody asks for them: a long clip as a whole takes many times the
memory of its keys, while hierarchies are walked along limbs, and of those only a few bones at a time."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Set
from typing import Any, Generic, TypeVar, cast

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations.rotation_matrix import Floats

T = TypeVar("T")


class Recent(Generic[T]):
    """The results of a function of bones, of which the latest `kept` stay at hand."""

    def __init__(self, make: Callable[[int], T], kept: int) -> None:
        self._make, self._kept = make, kept
        self._known: OrderedDict[int, T] = OrderedDict()

    def __contains__(self, bone: int) -> bool:
        return bone in self._known

    def __getitem__(self, bone: int) -> T:
        if bone in self._known:
            self._known.move_to_end(bone)
            return self._known[bone]
        return self.put(bone, self._make(bone))

    def put(self, bone: int, value: T) -> T:
        """Keep what was computed elsewhere."""
        self._known[bone] = value
        self._known.move_to_end(bone)
        while len(self._known) > self._kept:
            self._known.popitem(last=False)
        return value

    def forget(self, bone: int | None) -> None:
        """Let go a result, or all: it is made anew if it is asked for all the same."""
        if bone is None:
            self._known.clear()
        else:
            self._known.pop(bone, None)

    def make_room(self, bone: int) -> None:
        """Let the oldest go before `bone` is computed and put, not only then."""
        if bone not in self._known and len(self._known) == self._kept:
            self._known.popitem(last=False)


_ALL = slice(None)


class Columns:
    """(F, B, C) values, read as an array is: `values[:, bone]`, also of several bones, or as a whole by `np.asarray`.

    column: gives the (F, C) values of a bone. moved: of positions the bones that are not always where their parents carry them from rest;
    None where that is not known. forget: lets go what is at hand of a bone, or of all. few: gives the motion at some frames alone."""

    def __init__(
        self,
        shape: tuple[int, int, int],
        column: Callable[[int], Floats],
        moved: Set[int] | None = None,
        forget: Callable[[int | None], None] | None = None,
        few: Callable[[NDArray[np.int64]], Any] | None = None,
    ) -> None:
        self.shape, self._column, self.moved, self.forget, self.few = shape, column, moved, forget, few

    @property
    def ndim(self) -> int:
        return 3

    def __len__(self) -> int:
        return self.shape[0]

    def __getitem__(self, key: Any) -> Any:
        if (bone := _of_one(key)) >= 0:  # as nearly always
            return self._column(bone)
        keys = cast(tuple[Any, ...], key) if isinstance(key, tuple) else (key,)
        if len(keys) < 2 or isinstance(keys[1], slice):
            return np.asarray(self)[keys]
        bones = keys[1]
        if np.ndim(bones) == 0:
            return self._column(int(bones))[(keys[0], *keys[2:])]
        return self._some([int(bone) for bone in bones])[(keys[0], slice(None), *keys[2:])]

    def __array__(self, dtype: Any = None, copy: bool | None = None) -> Floats:
        return self._some(range(self.shape[1]))

    def _some(self, bones: Any) -> Floats:
        out = empty(self.shape[0], len(bones), self.shape[2])
        for row, bone in enumerate(bones):
            out[:, row] = self._column(bone)
        return out


def _of_one(key: Any) -> int:
    """The bone, where all frames of a single one are asked for; else -1."""
    keys = cast(tuple[Any, ...], key if isinstance(key, tuple) else ())
    is_one = len(keys) == 2 and isinstance(keys[1], int) and isinstance(keys[0], slice) and keys[0] == _ALL
    return int(keys[1]) if is_one else -1


def empty(frames: int, bones: int, components: int) -> Floats:
    """(F, B, components) without values; the frames of each bone lie together in memory."""
    return np.empty((bones, frames, components)).swapaxes(0, 1)
