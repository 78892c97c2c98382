"""About what a limb bends that its goal bends further: by how it is bent itself, and where it is nearly straight by how it is bent before
and after.

The hinge of a whole clip says on which side a limb bends. Captures hold elbows and knees that are bent backwards by some degrees; as long
as one is no further back until it is straight again, it still bends forwards, in all of these frames. One that goes further back bends
backwards in all of them: were it by each frame alone, a bent limb would change its side in the middle of its way."""

from __future__ import annotations

from collections.abc import Callable

import numpy as np
from numpy.typing import NDArray

from ....motion.rotations import quaternion as quat
from ....motion.rotations.directions import lengths, unit
from ....motion.rotations.rotation_matrix import Floats
from ...figures.spans import Spans
from .two_bone_ik import SLIGHT, STRAIGHT


def bend_axes(
    upper: Floats,
    whole: Floats,
    rotations: Floats,
    hinge: Floats,
    spans: Spans,
    joints: NDArray[np.int64],
    smoothed: Callable[[Floats], Floats],
) -> Floats:
    """(F, 3) unit axes in the world, carried along by the limb's first bone.

    upper, whole: (F, 3) from the first joint to the second and to the third. rotations: (F, 4) of the first bone in the world. hinge:
    (F, 3) unit axes about which it bends over the whole clip. joints: (J, 2) rows at which loops are joined. smoothed: averages (F, 3) over
    time."""
    own = quat.conjugate(rotations)
    normal = np.cross(upper, whole) / np.maximum(lengths(upper) * lengths(whole), 1e-30)[:, None]
    normal, hinge = quat.rotate(own, normal), quat.rotate(own, hinge)
    size, along = lengths(normal), np.einsum("fi,fi->f", normal, hinge)
    slight = (along < 0) & (_furthest(size, along < 0, spans, joints) < SLIGHT)
    normal = normal - np.where(slight, 2 * along, 0.0)[:, None] * hinge
    # The more it bends the more it shows: by the squares of the sines.
    axes = smoothed(normal * size[:, None]) + STRAIGHT**2 * hinge
    return quat.rotate(rotations, unit(axes))


def _furthest(size: Floats, against: NDArray[np.bool_], spans: Spans, joints: NDArray[np.int64]) -> Floats:
    """(F,) the largest of sizes (F,) among all frames before and behind that are as much `against` (F,); in loops over their joints."""
    begins = np.append(True, (against[1:] != against[:-1]) | ~spans.inside)
    run, most = np.cumsum(begins) - 1, np.maximum.reduceat(size, np.flatnonzero(begins))
    first, last = run[joints[:, 0]], run[joints[:, 1]]
    most[first] = most[last] = np.maximum(most[first], most[last])
    return most[run]
