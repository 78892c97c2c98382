"""Poses that the product never needs as such, from what its functions give: of skins, of a loop's last step, and of channels."""

from __future__ import annotations

import numpy as np
from numpy.typing import NDArray
from retro_anim.core.lba.files.anm import Anm
from retro_anim.core.lba.files.variant import Variant
from retro_anim.core.lba.motion.playback import State, state_at
from retro_anim.core.mindpower.files.skeleton.lab import Lab
from retro_anim.core.motion.rigs.matrix_rig import MatrixRig

Floats = NDArray[np.float64]


def skin_matrices(lab: Lab, world: Floats) -> Floats:
    """(F, bones, 4, 4) what moves a vertex from its position at bind to that on the bone. world: (F, bones, 4, 4)."""
    return lab.inverse_binds.astype(np.float64) @ world


def loop_state(anm: Anm, game: Variant, elapsed: float) -> State:
    """The bones `elapsed` after the last keyframe, as it goes back to the loop frame."""
    wrapped = Anm(0, 0, anm.frames[[-1, anm.loop_frame]])
    return state_at(wrapped, game, np.array([elapsed]))


def pose_of_basis(rig: MatrixRig, basis: Floats) -> Floats:
    """(K, bones, 4, 4) the inverse of `MatrixRig.basis_of_pose`, bone after bone."""
    pose = np.empty_like(basis)
    for bone, parent in enumerate(rig.skeleton.parents.tolist()):
        above = rig.offsets[bone] if parent < 0 else pose[:, parent] @ rig.offsets[bone]
        pose[:, bone] = above @ basis[:, bone]
    return pose
