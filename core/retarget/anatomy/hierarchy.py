"""Who is below whom in a skeleton, answered at once."""

from __future__ import annotations

from collections.abc import Generator

from ..figures.figure import Figure


class Hierarchy:
    """Numbers from `start` up to `end` for each bone and all below it, to ask who is below whom at once."""

    def __init__(self, figure: Figure) -> None:
        self.parents: list[int] = figure.parents.tolist()
        sizes = [1] * len(self.parents)
        for bone in reversed(range(len(self.parents))):
            if self.parents[bone] >= 0:
                sizes[self.parents[bone]] += sizes[bone]
        self.start: list[int] = []
        self.end: list[int] = []
        free: list[int] = []
        roots = 0
        for bone, parent in enumerate(self.parents):
            first = free[parent] if parent >= 0 else roots
            if parent >= 0:
                free[parent] += sizes[bone]
            else:
                roots += sizes[bone]
            self.start.append(first)
            self.end.append(first + sizes[bone])
            free.append(first + 1)

    def above(self, bone: int) -> Generator[int]:
        """All bones above one, upwards."""
        while self.parents[bone] >= 0:
            bone = self.parents[bone]
            yield bone

    def below(self, bone: int, ancestor: int) -> bool:
        """Whether the bone is the other one or below it."""
        return self.start[ancestor] <= self.start[bone] < self.end[ancestor]
