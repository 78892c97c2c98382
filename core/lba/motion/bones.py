"""Keys of bones: a rotation or a translation at every keyframe, the file's own numbers where they say the same."""

from __future__ import annotations

from typing import Any

import numpy as np
from numpy.typing import NDArray

from ...motion import finite
from ...motion.rigs.rig import Rig
from ...motion.rotations.rotation_matrix import Floats
from ...reporting.errors import Problem
from ...reporting.folding import by_bone
from ..files.anm import ROTATE, TRANSLATE, Anm
from ..files.variant import Variant
from .rest_types import at_rest, come_to_rest
from .root import beyond
from .sampled import Sampled

Ints = NDArray[np.int64]


def encode_bones(
    frames: NDArray[Any], sampled: Sampled, rig: Rig, match: Ints, original: Anm | None, game: Variant, loop_frame: int
) -> list[Problem]:
    """Every bone but the root, at the keyframes `frames` (K,). Returns what the format cannot hold."""
    shown = min(len(rig.skeleton), frames["bones"].shape[1])
    angles = rounded(sampled.bones.angles[:, :shown], game)
    translations = finite.whole(sampled.bones.positions[:, :shown])
    translations[:, 0] = 0  # the root's are root motion
    moved: NDArray[np.bool_] = np.any(translations, axis=2)
    # Half a circle about each axis is none at all: curves of another rotation mode may come to rest by that.
    rotated: NDArray[np.bool_] = np.any(angles, axis=2) & ~(moved & np.all(angles == game.rotation // 2, axis=2))
    rotated[:, 0] = moved[:, 0] = False
    # At rest between translations it is translated, too: the keyframe before is taken as of this one's type.
    translated = sampled.translated[:shown] | (moved.any(axis=0) & ~rotated.any(axis=0))
    rest = np.broadcast_to(translated, moved.shape) if original is None else _resting(sampled.translated[:shown], match, original, game)
    types = np.where(moved | (~rotated & rest), TRANSLATE, ROTATE).astype(np.int64)
    values = np.where((types == TRANSLATE)[..., None], translations.clip(-32768, 32767), angles)
    if original is not None:
        _keep(types, values, rotated | moved, match, original, game)
    come_to_rest(types, values, rotated | moved, match, original, game, loop_frame)
    frames["bones"]["type"][:, 1:shown] = types[:, 1:]
    frames["bones"]["value"][:, 1:shown] = values[:, 1:]
    names, when, far = rig.skeleton.names, sampled.frames.tolist(), np.abs(translations).max(initial=0)
    both = (
        "is both rotated and translated",
        "are both rotated and translated",
        "the game can only do either: clear one of the two, mute what gives it that, or, where curves ease from one to the other, choose "
        "Make Linear",
    )
    much = f"moves {far} units", f"move up to {far} units", "at most 32767"
    return [*by_bone(rotated & moved, names, when, *both), *by_bone(np.asarray(beyond(translations).any(axis=2)), names, when, *much)]


def rounded(angles: Floats, game: Variant) -> Ints:
    """In the game's steps, from 0 to a whole circle."""
    return finite.whole(angles * (game.rotation / (2 * np.pi))) % game.rotation


def _keep(types: Ints, values: Ints, posed: NDArray[np.bool_], match: Ints, original: Anm, game: Variant) -> None:
    """Put the file's own types (K, B) and values (K, B, 3) in place of those that say the same. posed: (K, B) which are not at rest."""
    here = min(types.shape[1], original.bone_count)
    rows = np.flatnonzero(match >= 0)
    old_types, old_values, old_kinds = (
        each[match[rows], :here].astype(np.int64) for each in (original.types, original.values, original.kinds(game))
    )
    old_rest = at_rest(original, game)[match[rows], :here]
    now, kinds = values[rows, :here], types[rows, :here]
    modulo = np.where(old_kinds == ROTATE, game.rotation, 65536)[..., None]
    same, rests = old_kinds == kinds, ~posed[rows, :here] & old_rest
    equal: NDArray[np.bool_] = old_values % modulo == now % modulo
    types[rows, :here] = np.where(same | rests, old_types, kinds)
    values[rows, :here] = np.where((equal & same[..., None]) | rests[..., None], old_values, now)


def _resting(translated: NDArray[np.bool_], match: NDArray[np.int64], original: Anm, game: Variant) -> NDArray[np.bool_]:
    """(K, B) which bones at rest are translated: in a new keyframe as in the next of the file's, since the game reads it by that."""
    rest = np.tile(translated, (len(match), 1))
    here = min(len(translated), original.bone_count)
    last = len(original.frames) - 1
    following = np.minimum.accumulate(np.where(match < 0, last, match)[::-1])[::-1]
    kinds = original.kinds(game)[following, :here]
    rest[:, :here] = np.where((match < 0)[:, None], kinds == TRANSLATE, rest[:, :here])
    return rest


def restore_extra(frames: NDArray[Any], match: NDArray[np.int64], original: Anm, shown: int, known: dict[int, Floats]) -> None:
    """Bones that the armature does not show: the values of the matched keyframe, or of the one before, unless the action holds them."""
    source = np.maximum.accumulate(match).clip(0)
    for bone in range(shown, min(original.bone_count, frames["bones"].shape[1])):
        if bone not in known:
            frames["bones"][:, bone] = original.frames["bones"][source, bone]
