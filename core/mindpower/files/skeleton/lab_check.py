"""What is refused in a skeleton file, and what is only a warning."""

from __future__ import annotations

import numpy as np

from ....reporting import log
from ....reporting.errors import FormatError
from ....reporting.labels import counted
from .lab_fields import LabFields
from .lab_layout import BONE, DUMMY, NO_PARENT, NUMBERS, QUAT, key_sizes


def check(lab: LabFields, bones_at: int, binds_at: int, dummies_at: int, keys_at: int) -> None:
    """Offsets in the file are for the errors.

    Raises FormatError when the parents form no tree, a bind matrix has no inverse, or values are not finite.
    """
    _check_bones(lab, bones_at)
    _check_binds(lab, binds_at)
    _check_dummies(lab, dummies_at)
    check_keys(lab, keys_at)
    _check_rest(lab)


def _check_bones(lab: LabFields, at: int) -> None:
    """Parents: in range and without cycles. What the engine does not like but can be put right on export is only a warning."""
    raw, count = lab.bones["parent"], lab.bone_count
    beyond = (raw != NO_PARENT) & (raw >= count)
    if beyond.any():
        bone = int(np.argmax(beyond))
        raise FormatError(f"bone {bone} {lab.names[bone]!r}: parent {raw[bone]} of {count} bones", at + bone * BONE.itemsize + 68)
    in_order = bool((lab.parents < np.arange(count)).all())
    if not in_order and len(lab.order) < count:
        bone = int(np.setdiff1d(np.arange(count), lab.order)[0])
        raise FormatError(f"bone {bone} {lab.names[bone]!r}: its parents form a circle", at + bone * BONE.itemsize + 68)
    if not in_order:
        log.warning("children before their parents: the game cannot show such a file; an export puts them in order")
    if (roots := int((lab.parents < 0).sum())) != 1:
        log.warning(f"{roots} root bones; the game expects one")
    if (lab.bones["id"] != np.arange(count)).any():
        log.warning("bone ids that are not the bones' indices; the game goes by the indices")


def _check_binds(lab: LabFields, at: int) -> None:
    finite = np.atleast_1d(np.isfinite(lab.inverse_binds).all(axis=(1, 2)))
    matrices = np.where(finite[:, None, None], lab.inverse_binds, 0).astype(np.float64)
    lengths = np.linalg.norm(matrices[:, :3, :3], axis=2).prod(axis=1)
    # Relative to the rows' lengths, so that a tiny scale is no reason.
    bad = ~(np.abs(np.linalg.det(matrices)) > 1e-9 * lengths)
    if bad.any():
        bone = int(np.argmax(bad))
        problem = "cannot be inverted" if finite[bone] else "has values that are not finite"
        raise FormatError(f"bone {bone} {lab.names[bone]!r}: its inverse bind matrix {problem}", at + 64 * bone)


def _check_dummies(lab: LabFields, at: int) -> None:
    bad = ~np.isfinite(lab.dummies["matrix"]).all(axis=(1, 2))
    if bad.any():
        dummy = int(np.argmax(bad))
        raise FormatError(f"dummy {dummy}: values that are not finite", at + dummy * DUMMY.itemsize)
    if (lost := int((lab.dummies["parent"] >= lab.bone_count).sum())) > 0:
        log.warning(f"{counted(lost, 'dummy', 'dummies')} on bones that do not exist; kept, not shown")


def _check_rest(lab: LabFields) -> None:
    """What is odd but has a meaning."""
    if len(set(lab.names)) < lab.bone_count:
        log.warning("several bones have the same name")
    if len(set(lab.dummies["id"].tolist())) < len(lab.dummies):
        log.warning("several dummies have the same id")
    # Few are without their last number, so that all four are looked at of those alone.
    if lab.key_type == QUAT and (zero := int((~lab.quaternions[lab.quaternions[..., 3] == 0].any(axis=1)).sum())):
        log.warning(f"{zero} quaternions are zero; the game takes them as no rotation")


def check_keys(lab: LabFields, at: int | None = None) -> None:
    """at: where the keys begin in a file. Raises FormatError when one of them is not finite."""
    with np.errstate(over="ignore", invalid="ignore"):
        if np.isfinite(np.add.reduce(lab.keys)):  # what is not finite makes the sum so: no need for a table of truths
            return
    finite = np.isfinite(lab.keys)
    if finite.all():
        return
    index = int(np.argmin(finite))
    sizes = key_sizes(lab.version, lab.key_type, lab.frame_count, lab.bones["parent"])
    bone = int(np.searchsorted(np.cumsum(sizes), index, "right"))
    offset = index - int(sizes[:bone].sum())
    if lab.key_type != QUAT:
        frame = offset // NUMBERS[lab.key_type]
    else:
        moves = int(sizes[bone]) - 4 * lab.frame_count
        frame = offset // 3 if offset < moves else (offset - moves) // 4
    raise FormatError(f"bone {bone} {lab.names[bone]!r}, frame {frame}: a value that is not finite", None if at is None else at + 4 * index)
