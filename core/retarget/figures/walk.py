"""Poses of a figure's bones that follow from what each one has of its own, bone by bone from its parent's.

Blender's pose is pose_b = pose_parent * rest_parent^-1 * rest_b * basis_b. Bones are walked one by one, frames all at once.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable, Set
from typing import cast

import numpy as np
from numpy.typing import NDArray

from ...motion.rotations import quaternion as quat
from ...motion.rotations.rotation_matrix import Floats
from .columns import Columns, Recent
from .figure import Figure, Links
from .motion import FEW, Local, Motion, Standing

KEPT = 4
"""Bones whose poses stay at hand, at most: the last ones of a limb, and where others begin."""

Pose = tuple[Floats, Floats]
"""(F, 4) rotations and (F, 3) positions of a bone, in armature space."""


class Walk(ABC):
    """The poses of a figure, each computed from that of its parent when it is asked for."""

    def __init__(self, figure: Figure, frames: Floats, standing: Standing) -> None:
        self.figure, self.frames, self.standing = figure, frames, standing
        self.moved: Set[int] | None = None
        self.few: Callable[[NDArray[np.int64]], Motion] | None = None
        self._poses: Recent[Pose] = Recent(self._walked, KEPT if len(frames) > FEW else len(figure))
        self._worlds: Recent[Pose] = Recent(self._in_world, KEPT)
        self._stays = standing.is_nowhere

    def pose(self, bone: int) -> Pose:
        """In armature space."""
        return self._poses[bone]

    def motion(self, sizes: Floats | None, counts: tuple[int, ...] = ()) -> Motion:
        """In the world. counts: of the clips, where it is several."""
        count, bones = len(self.frames), len(self.figure)
        rotations = Columns((count, bones, 4), lambda bone: self._world(bone)[0], few=self.few)
        positions = Columns((count, bones, 3), lambda bone: self._world(bone)[1], self.moved, self.forget)
        return Motion(self.frames, cast(Floats, rotations), cast(Floats, positions), sizes, self.standing, counts)

    def forget(self, bone: int | None = None) -> None:
        """Let go the pose of a bone on which nothing is left to hang, or all."""
        self._poses.forget(bone)
        self._worlds.forget(bone)

    @abstractmethod
    def posed(self, bone: int, above: Pose | None) -> Pose:
        """The pose of a bone below that of its parent."""

    def _walked(self, bone: int) -> Pose:
        path, above = [bone], int(self.figure.parents[bone])
        while above >= 0 and above not in self._poses:
            path.append(above)
            above = int(self.figure.parents[above])
        pose = self._poses[above] if above >= 0 else None
        while len(path) > 1:
            each = path.pop()
            pose = self._poses.put(each, self.posed(each, pose))
        return self.posed(bone, pose)

    def _world(self, bone: int) -> Pose:
        return self.pose(bone) if self._stays else self._worlds[bone]

    def _in_world(self, bone: int) -> Pose:
        rotations, positions = self.pose(bone)
        standing = self.standing
        moved = quat.rotate(standing.rotations, positions * standing.scale) + standing.positions
        return quat.multiply(standing.rotations, rotations), moved


class _Forward(Walk):
    """From channels, in the world from the start: its poses are there, not in armature space. channels: of a bone (F, 4) rotations, and
    (F, 3) locations or None where there are none."""

    def __init__(self, figure: Figure, frames: Floats, standing: Standing, channels: Callable[[int], tuple[Floats, Floats | None]]) -> None:
        super().__init__(figure, frames, standing)
        self._channels, self._outer, self._stays = channels, None if self._stays else standing.rotations, True

    def posed(self, bone: int, above: Pose | None) -> Pose:
        figure, standing = self.figure, self.standing
        before, head, axes = frame_of(figure, figure.links, bone, above[0] if above else None, self._outer)
        head = (head if standing.scale == 1 else head * standing.scale) + (above[1] if above else standing.positions)
        rotations, locations = self._channels(bone)  # not earlier, so that they do not take room beside the others
        if locations is not None and not figure.fixed[bone]:
            head = head + quat.rotate(axes, locations * standing.scale)
        rotations = quat.multiply(before, rotations)
        return rotations, head if len(head) == len(rotations) else np.broadcast_to(head, (len(rotations), 3))


def forward(figure: Figure, frames: Floats, local: Local, standing: Standing | None = None) -> Motion:
    """From channels to the world. Scales of bones are not inherited here: where there are some, evaluated poses are what counts."""

    def channels(bone: int) -> tuple[Floats, Floats | None]:
        locations = local.locations[:, bone]
        return local.rotations[:, bone], locations if locations.any() else None

    return _Forward(figure, frames, standing or Standing.still(figure), channels).motion(local.sizes).whole()


def walked(
    figure: Figure,
    frames: Floats,
    channels: Callable[[int], tuple[Floats, Floats | None]],
    standing: Standing | None = None,
    moved: Set[int] | None = None,
    few: Callable[[NDArray[np.int64]], Motion] | None = None,
) -> Motion:
    """The same without scales, each bone when it is asked for. channels: of a bone (F, 4) rotations, and (F, 3) locations or None where
    there are none. moved: the bones that have some, if they are known. few: gives the motion at some of the frames."""
    walk = _Forward(figure, frames, standing or Standing.still(figure), channels)
    walk.moved, walk.few = moved, few
    return walk.motion(None)


def frame_of(
    figure: Figure, links: Links, bone: int, parent_rotation: Floats | None, outer: Floats | None = None
) -> tuple[Floats, Floats, Floats]:
    """What the channels of a bone count from, in armature space: the rotation before its own, the offset from the parent's head (or
    the head itself), and the axes of its location. parent_rotation: (F, 4), None for a root. outer: (F, 4) rotations of the armature, for
    the same in the world, where `parent_rotation` is."""
    rest = links.rests[bone]
    if outer is not None and (parent_rotation is None or figure.hinged[bone]):
        rest = quat.multiply(outer, rest)
    if parent_rotation is None:
        axes, head = rest, links.positions[bone]
        if figure.unturned[bone]:
            axes = quat.IDENTITY if outer is None else outer
        return rest, head if outer is None else quat.rotate(outer, head), axes
    carried = quat.rotate(parent_rotation, links.positions[bone])
    own = quat.multiply(parent_rotation, links.rotations[bone])
    above = rest if figure.hinged[bone] else own
    axes = parent_rotation if figure.unturned[bone] else own
    return above, carried, axes
