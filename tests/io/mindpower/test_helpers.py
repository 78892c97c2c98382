"""What a mesh file has beside its mesh: bounding spheres and dummies, where the game has them at any frame."""

from __future__ import annotations

from collections.abc import Callable
from pathlib import Path
from types import ModuleType

import bpy
import numpy as np
from support.mindpower import mindpower_files
from support.mindpower.mindpower_files import IDENTITY, moved, product

FRAMES = (0, 7, 19)
FULL_CIRCLE = [[0.0, 1.0, 0.0, 0.0], [-1.0, 0.0, 0.0, 0.0], [0.0, 0.0, 1.0, 0.0], [3.0, 4.0, 5.0, 1.0]]
HAND = moved(2, 0, 1)


def test_they_go_along_as_in_the_game(part: Callable[[str], ModuleType], tmp_path: Path) -> None:
    data = mindpower_files.arm(20)
    (tmp_path / "arm.lab").write_bytes(data)
    dummies = [
        (1, FULL_CIRCLE, IDENTITY, 0, 0),
        (2, FULL_CIRCLE, IDENTITY, 1, 1),
        (3, IDENTITY, FULL_CIRCLE, 2, 6),
        (4, FULL_CIRCLE, IDENTITY, 1, 99),
    ]
    (tmp_path / "arm_hand.lgo").write_bytes(mindpower_files.lgo(spheres=[(6, 0.5), (30, 0.25)], dummies=dummies))
    mindpower = part("io.mindpower.build")
    mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(tmp_path / "arm.lab"),), fps_mode="SET", frame_start=0))
    ball = bpy.data.objects["arm_hand sphere 6"]
    assert (ball.empty_display_type, ball.empty_display_size) == ("SPHERE", 0.5)
    for frame in FRAMES:
        bpy.context.scene.frame_set(frame)
        # Skin of the second bone: its inverse bind is the way back from (1, 0, 1).
        skin = product(moved(-1, 0, -1), mindpower_files.worlds(data, frame)[1])
        hand = product(HAND, skin)
        wanted = {
            "arm_hand sphere 6": product(moved(0, 0, 1), hand),
            "arm_hand sphere 30": product(moved(0, 0, 1), moved(7, 8, 9)),
            "arm_hand dummy 1": FULL_CIRCLE,
            "arm_hand dummy 2": product(FULL_CIRCLE, skin),
            "arm_hand dummy 3": product(FULL_CIRCLE, hand),
            "arm_hand dummy 4": FULL_CIRCLE,
        }
        for name, rows in wanted.items():
            columns = np.diag([1, -1, 1, 1]) @ np.array(rows).T @ np.diag([1, -1, 1, 1])
            assert np.abs(np.array(bpy.data.objects[name].matrix_world) - columns).max() < 1e-5, (name, frame)


def test_what_is_there_to_look_at_and_was_moved_or_deleted_is_named(part: Callable[[str], ModuleType], tmp_path: Path) -> None:
    (tmp_path / "arm.lab").write_bytes(mindpower_files.arm(20))
    dummies = [(1, FULL_CIRCLE, IDENTITY, 0, 0), (2, FULL_CIRCLE, IDENTITY, 1, 1)]
    (tmp_path / "arm_hand.lgo").write_bytes(mindpower_files.lgo(spheres=[(6, 0.5), (30, 0.25)], dummies=dummies))
    mindpower = part("io.mindpower.build")
    obj = mindpower.import_mindpower(bpy.context, mindpower.ImportOptions((str(tmp_path / "arm.lab"),))).armatures[0]

    def said() -> list[str]:
        with part("core.reporting.log").collect() as messages:
            part("io.mindpower.write").packed_meshes(obj, part("io.mindpower.figure.meshes").meshes_of(obj, bpy.context))
        return [message.text for message in messages.of("WARNING") if "bounding spheres" in message.text]

    assert not said()
    bpy.data.objects["arm_hand sphere 6"].empty_display_size = 0.75
    assert [line.partition(":")[0] for line in said()] == ["arm_hand sphere 6"]
    bpy.data.objects["arm_hand dummy 2"].location.x += 1
    assert [line.partition(":")[0] for line in said()] == ["arm_hand dummy 2 and 1 more"]
    bpy.data.objects.remove(bpy.data.objects["arm_hand dummy 2"])
    bpy.context.view_layer.update()
    assert [line.partition(":")[0] for line in said()] == ["arm_hand dummy 2", "arm_hand sphere 6"]
