"""`python -m retro_anim.samples.build [FOLDER]` writes the mannequin, for each game in a folder of its own: loose files, and archives
laid out as in the game's folder."""

from __future__ import annotations

import sys
from dataclasses import replace
from pathlib import Path

import numpy as np

from ..core.lba.body.body import Body
from ..core.lba.files.anm import Anm
from ..core.lba.files.lm1 import Lm1
from . import gait, mindpower_build, oni2_build, oni_build, sequel
from .assemble import ENTITY_END, animation_record, archive, body, body_record
from .mannequin import LINES, SPHERES, figure, palette
from .output import write_files
from .shapes import Floats

FOLDER = Path(__file__).parent

LEFT_STEP, RIGHT_STEP = 15, 16
ANIMATIONS = {"idle": gait.idle, "walk": gait.walk, "turn": gait.turning, "wave": gait.wave}
ROLES = {"idle": 0, "walk": 1, "turn": 3, "wave": 64}
"""Generic ids: 0 stand, 1 walk, 3 turn left as in the game; the last is ours."""


def posed(lm1: Lm1, anm: Anm, key: int) -> Floats:
    """(points, 3) where the points are at a keyframe; actor at the origin, heading 0."""
    shape = Body.from_lm1(lm1)
    matrices, origins, positions = [np.eye(3)], np.zeros((shape.group_count, 3)), shape.points.copy()
    for group in range(1, shape.group_count):
        parent = matrices[shape.parents[group]]
        moved = bool(anm.types[key, group])
        value = anm.values[key, group].astype(np.float64)
        matrices.append(parent if moved else parent @ gait.from_euler(value * 2 * np.pi / gait.FULL_CIRCLE, gait.ORDER))
        origins[group] = positions[shape.pivots[group]]
        own = shape.group_of == group
        positions[own] = (positions[own] + value * moved) @ matrices[group].T + origins[group]
    return positions


def files() -> dict[str, dict[str, bytes]]:
    """All files of both games by name, by folder."""
    segments = figure()
    animations = {name: keyframes(segments) for name, keyframes in ANIMATIONS.items()}
    lm1 = body(segments, LINES, SPHERES)
    stand = posed(lm1, animations["idle"], 0)
    least, most = np.floor(stand.min(axis=0)).astype(int), np.ceil(stand.max(axis=0)).astype(int)
    least[1] = 0  # the soles
    lm1 = replace(lm1, box=np.stack([least, most], axis=1).astype("<i2").reshape(6))
    packed = {name: anm.pack() for name, anm in animations.items()}
    entity = body_record(0, 0, [*least.tolist(), *most.tolist()])
    for entry, (name, role) in enumerate(ROLES.items()):
        entity += animation_record(role, entry, [(LEFT_STEP, 0), (RIGHT_STEP, 4)] if name == "walk" else [])
    first = {
        "mannequin.lm1": lm1.pack(),
        **{f"{name}.anm": data for name, data in packed.items()},
        "BODY.HQR": archive([lm1.pack()]).pack(),
        "ANIM.HQR": archive(packed.values()).pack(),
        "FILE3D.HQR": archive([entity + ENTITY_END], method=0).pack(),
        "RESS.HQR": archive([palette().pack()]).pack(),
    }
    return {"lba1": first, "lba2": sequel.files(lm1, animations, ROLES, palette())}


def main(folder: Path) -> None:
    for game, contents in files().items():
        write_files(folder / game, contents)
    mindpower_build.main(folder / "mindpower")
    oni_build.main(folder / "oni")
    oni2_build.main(folder / "oni2")


if __name__ == "__main__":
    main(Path(sys.argv[1]) if len(sys.argv) > 1 else FOLDER)
