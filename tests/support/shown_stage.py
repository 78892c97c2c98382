"""A character with one clip: what Blender shows of it, beside what a file of it shows.

Bones are given as the rotation from their rest (K, B, 3, 3) and the position (K, B, 3), both in the world, in Blender's axes and units.
"""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Callable
from pathlib import Path
from tempfile import mkdtemp
from types import ModuleType
from typing import Any, ClassVar

import bpy
import numpy as np
from numpy.typing import NDArray

Part = Callable[[str], ModuleType]


Floats = NDArray[np.float64]


Poses = tuple[Floats, Floats]


class Stage(ABC):
    """rate: the game's frames a second. rotation, distance: the format's steps, in degrees and Blender's units. root: its bone."""

    game: ClassVar[str]
    rate: ClassVar[float]
    rotation: ClassVar[float]
    distance: ClassVar[float]
    extension: ClassVar[str]
    root: ClassVar[str]

    def __init__(self, part: Part, folder: Path, fps: float | None = None, root_motion: str = "") -> None:
        bpy.ops.wm.read_homefile(use_empty=True, use_factory_startup=True)
        self.part, self.folder = part, Path(mkdtemp(dir=folder))  # what was written before is nothing that is found beside it
        self.out = self.folder / f"out{self.extension}"
        if fps is not None:
            bpy.context.scene.render.fps = round(fps)
        self.path = self.source()
        game = part(f"io.{self.game}")
        options = self.skeleton() | ({"root_motion": root_motion} if root_motion else {})
        wanted = game.ImportOptions((str(self.path),), fps_mode="SET" if fps is None else "KEEP", **options)
        imported = getattr(game, f"import_{self.game}")(bpy.context, wanted)
        self.obj, self.action = imported.armatures[0], imported.actions[0]
        bpy.context.view_layer.objects.active = self.obj
        self.start = float(self.action["retro_anim_frame_start"])
        self.names = [bone.name for bone in sorted(self.obj.data.bones, key=lambda bone: bone["retro_anim_bone"])]
        parents = [self.obj.data.bones[name].parent for name in self.names]
        self.parents = [self.names.index(parent.name) if parent else -1 for parent in parents]

    @abstractmethod
    def source(self) -> Path:
        """Writes the clip, and what belongs to it."""

    def skeleton(self) -> dict[str, Any]:
        return {}

    @abstractmethod
    def written(self, data: bytes, times: Floats) -> Poses:
        """What a file shows at `times` (K,), in the game's frames."""

    @property
    def curves(self) -> list[Any]:
        return list(self.part("io.blender.compat").curves(self.obj.animation_data.action, self.obj))

    @property
    def fps(self) -> float:
        return bpy.context.scene.render.fps / bpy.context.scene.render.fps_base

    def export(self, path: Path, **options: Any) -> Any:
        return self.part("io.pipeline.games").export(bpy.context, self.part("core.games").GAMES[self.game], str(path), options)

    def shown(self, frames: Floats) -> Poses:
        rotations, positions = [], []
        rest = [np.array(self.obj.data.bones[name].matrix_local.to_3x3()).T for name in self.names]
        for frame in frames.tolist():
            whole = int(np.floor(frame + 1e-6))
            bpy.context.scene.frame_set(whole, subframe=max(0.0, frame - whole))
            posed = self.obj.evaluated_get(bpy.context.evaluated_depsgraph_get())
            world = np.array([posed.matrix_world @ posed.pose.bones[name].matrix for name in self.names])
            rotations.append(world[:, :3, :3] @ rest)
            positions.append(world[:, :3, 3])
        return np.array(rotations), np.array(positions)

    def standing(self, frame: float) -> Floats:
        """(4, 4) where the object is."""
        bpy.context.scene.frame_set(int(np.floor(frame)), subframe=frame - np.floor(frame))
        return np.array(self.obj.evaluated_get(bpy.context.evaluated_depsgraph_get()).matrix_world)

    def frames(self, first: float, last: float) -> Floats:
        """Quarters of frames between two."""
        return np.arange(first, last + 1e-3, 0.25)

    def from_start(self, shown: Poses, begins: float) -> Poses:
        """What is shown, from where the game puts a clip's beginning: by default where the object stands then."""
        stands = self.standing(begins)
        back = np.linalg.inv(stands[:3, :3])
        return back @ shown[0], (shown[1] - stands[:3, 3]) @ back.T

    def clip_of(self, number: int, change: Any) -> tuple[bytes, float]:
        """The file that one of several clips went to, and the game's frame at which it begins there."""
        del number
        return Path(change.target).read_bytes(), 0.0

    def steps_off(self, data: bytes, frames: Floats, begins: float, there: float = 0, anywhere: bool = True) -> tuple[float, str]:
        """The most steps that a bone is off, both in itself and in the world, and where. begins: the frame of Blender that is the game's
        frame `there` of the file. anywhere: whether it may begin elsewhere than where it is shown, as the game puts it."""
        shown = self.shown(frames)
        shown = self.from_start(shown, begins) if anywhere else shown
        written = self.written(data, there + (frames - begins) * self.rate / self.fps)
        world = self._steps(shown[0], written[0], shown[1] - written[1])
        local = world.copy()
        for bone, above in enumerate(self.parents):
            if above >= 0:
                (r0, p0), (r1, p1) = (
                    (back @ r[:, bone], np.einsum("kij,kj->ki", back, p[:, bone] - p[:, above]))
                    for r, p in (shown, written)
                    for back in (np.linalg.inv(r[:, above]),)
                )
                local[:, bone] = self._steps(r0[:, None], r1[:, None], (p0 - p1)[:, None])[:, 0]
        least = np.minimum(world, local)
        least[:, 0] /= self.of_root if anywhere else 1
        row, bone = np.unravel_index(int(np.argmax(least)), least.shape)
        return float(least[row, bone]), f"{self.names[bone]} at frame {frames[row]:g}"

    def _steps(self, one: Floats, other: Floats, away: Floats) -> Floats:
        """(K, B) the larger of angle and distance."""
        chord = np.linalg.norm(one - other, axis=(2, 3)) / np.sqrt(8)
        steps: Floats = np.maximum(
            np.degrees(2 * np.arcsin(chord.clip(0, 1))) / self.rotation, np.linalg.norm(away, axis=2) / self.distance
        )
        return steps

    least = 0.9
    """How many steps anything is off at least where that is said."""

    of_root = 1.0
    """How many steps of the others one of the root's is."""
