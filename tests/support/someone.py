"""A person of nobody's game: Mixamo's names, in A pose, a ball around each bone."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np

OPS: Any = bpy.ops
DATA: Any = bpy.data
CONTEXT: Any = bpy.context

DOWN = np.array([0.6, 0, -0.8])
"""Where the left arm points: 53 degrees below the horizontal."""

HEADS: dict[str, tuple[Any, str]] = {
    "Hips": ((0, 0, 1.0), ""),
    "Spine": ((0, 0, 1.1), "Hips"),
    "Spine1": ((0, 0, 1.25), "Spine"),
    "Neck": ((0, 0, 1.5), "Spine1"),
    "Head": ((0, 0, 1.6), "Neck"),
    **{
        f"{side}{name}": (where * [sign, 1, 1], above if above in ("Hips", "Spine1") else f"{side}{above}")
        for side, sign in (("Left", 1), ("Right", -1))
        for name, where, above in (
            ("Shoulder", np.array([0.05, 0, 1.45]), "Spine1"),
            ("Arm", np.array([0.2, 0, 1.45]), "Shoulder"),
            ("ForeArm", [0.2, 0, 1.45] + 0.3 * DOWN, "Arm"),
            ("Hand", [0.2, 0, 1.45] + 0.55 * DOWN, "ForeArm"),
            ("UpLeg", np.array([0.1, 0, 0.95]), "Hips"),
            ("Leg", np.array([0.1, 0, 0.5]), "UpLeg"),
            ("Foot", np.array([0.1, 0, 0.1]), "Leg"),
        )
    },
}
"""By the bone's name where it is, in metres, and what it hangs on."""


def someone() -> Any:
    """A rig with a ball around each bone, off its axis, all of them one mesh; the game's own names nowhere."""
    rig: Any = DATA.objects.new("someone", DATA.armatures.new("someone"))
    CONTEXT.scene.collection.objects.link(rig)
    CONTEXT.view_layer.objects.active = rig
    OPS.object.mode_set(mode="EDIT")
    for name, (head, above) in HEADS.items():
        bone = rig.data.edit_bones.new(f"mixamorig:{name}")
        bone.head = head
        bone.tail = np.array(head) + (
            DOWN * [-1 if name.startswith("Right") else 1, 1, 1] * 0.1 if "Arm" in name or "Hand" in name else [0, 0, 0.1]
        )
        bone.parent = rig.data.edit_bones.get(f"mixamorig:{above}")
    OPS.object.mode_set(mode="OBJECT")
    balls = []
    for name, (head, _) in HEADS.items():
        onwards = 0.05 * DOWN * [-1 if name.startswith("Right") else 1, 1, 1] if name.endswith("Hand") else np.zeros(3)
        OPS.mesh.primitive_uv_sphere_add(segments=6, ring_count=4, radius=0.04, location=np.add(head, (0, -0.03, 0)) + onwards)
        ball = CONTEXT.object
        ball.vertex_groups.new(name=f"mixamorig:{name}").add(range(len(ball.data.vertices)), 1.0, "REPLACE")
        balls.append(ball)
    with CONTEXT.temp_override(active_object=balls[0], selected_editable_objects=balls):
        OPS.object.join()
    mesh = balls[0]
    mesh.parent = rig
    mesh.modifiers.new("Armature", "ARMATURE").object = rig
    rig.location = (5, 1, 0)
    CONTEXT.view_layer.update()
    CONTEXT.view_layer.objects.active = rig
    return rig
