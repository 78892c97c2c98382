"""The pose that a user asks for: the body and the game are found first, where they are not given."""

from __future__ import annotations

from ..files import address
from ..files.registry import Opened, Registry
from ..motion.pose import Pose, Wanted
from ..reporting import log
from ..reporting.errors import FormatError
from .body.body import Body
from .characters import companions, which_game
from .files.anm import Anm
from .files.lm1 import Lm1
from .files.lm2 import Lm2
from .motion.pose import pose_at, pose_of_keyframe


def pose_of(opened: Opened, wanted: Wanted) -> Pose:
    """Raises FormatError when the body cannot be used, or there is no such keyframe."""
    anm = opened.document
    assert isinstance(anm, Anm)
    wanted.report_angles()
    path, entry = address.split(opened.address)
    if wanted.skeleton:
        body, known = _given_body(opened.registry, wanted.skeleton), True
    else:
        body, _, _ = companions.body_for(path, int(entry) if entry else None, anm.bone_count)
        known = body.source is not None
    game, why = which_game.game_of(anm, path, body if known else None, wanted.game)
    log.info(f"{game.label}: {why}")
    return pose_at(anm, body, game, wanted.time) if wanted.frame is None else pose_of_keyframe(anm, body, game, wanted.frame)


def _given_body(registry: Registry, skeleton: str) -> Body:
    opened = registry.open_file(skeleton)
    if not isinstance(opened.document, Lm1 | Lm2):
        raise FormatError(f"no body: {opened.format.label}", path=skeleton)
    return Body.of(opened.document)
