"""What comes into Blender from Little Big Adventure: characters, each with the clips for it, and the options that decide how."""

from __future__ import annotations

from dataclasses import dataclass, field

import bpy

from ...core.lba.body.body import Body
from ...core.lba.files.anm import Anm
from ...core.lba.files.palette import Palette
from ...core.lba.files.texture import TexturePage
from ...core.lba.files.variant import LBA1, LBA2, Game
from ...core.motion.curves import RootMotion
from ...core.motion.rig import BoneDirection

GAME = "lba_game"
"""Custom property of armatures and actions: lba1 or lba2."""

BODIES = {"lba-lm1": LBA1, "lba-lm2": LBA2}
"""The game of a body by what the armature keeps of it."""


@dataclass(frozen=True)
class ImportOptions:
    """paths: files, each may be FILE#ENTRY. entries: of every archive among them ("1", "0-5,9"; empty for all). entities: the same
    for whole characters, by FILE3D.HQR, or by the entity table in LBA2's RESS.HQR. body: which of a character's bodies, counted from 0.
    skeleton, palette, file3d, names (HQD): files to use instead of those found beside; the texture page is in the palette's archive.
    game: lba1, lba2 or auto."""

    paths: tuple[str, ...]
    entries: str = ""
    entities: str = ""
    body: int = 0
    skeleton: str = ""
    palette: str = ""
    file3d: str = ""
    names: str = ""
    game: str = "auto"
    scale: float = 0.001
    frame_start: float = 1.0
    fps_mode: str = "KEEP"
    root_motion: RootMotion = "OBJECT"
    bone_direction: BoneDirection = "GAME"


@dataclass(frozen=True, eq=False)
class Clip:
    """An animation on its way in: where it came from, what it is called, and the keyframes at which the game does something."""

    anm: Anm
    data: bytes
    path: str
    entry: int
    name: str
    game: Game
    roles: tuple[str, ...] = ()
    events: tuple[tuple[int, str], ...] = ()


@dataclass(eq=False)
class Character:
    """A body and the clips for it. page: textures, of a body that has some. thing: an armature of the scene that takes the clips, None
    for a new one."""

    body: Body
    address: str
    name: str
    palette: Palette
    page: TexturePage | None = None
    obj: bpy.types.Object | None = None
    clips: list[Clip] = field(default_factory=list)
