"""How an animation of Little Big Adventure came in, as its way back wants to know it."""

from __future__ import annotations

from retro_anim.core.lba.files.anm import Anm
from retro_anim.core.lba.files.variant import Variant
from retro_anim.core.lba.motion.playback import rotations_of
from retro_anim.core.lba.motion.sampled import Settings
from retro_anim.core.motion.curves import RootMotion, Timing


def settings_of(anm: Anm, game: Variant, fps: float, root_motion: RootMotion) -> Settings:
    step, rotation = anm.steps[0].tolist(), rotations_of(anm, game)[0].tolist()
    return Settings(
        game,
        Timing(game.rate, fps),
        0.001,
        root_motion,
        bone_count=anm.bone_count,
        loop_frame=anm.loop_frame,
        word3=anm.word3,
        first_duration=int(anm.durations[0]),
        first_step=(step[0], step[1], step[2]),
        first_rotation=(rotation[0], rotation[1], rotation[2]),
    )
