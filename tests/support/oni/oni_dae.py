"""A motion as OniSplit writes it beside its XML: COLLADA 1.4, nested nodes, a position and three rotations each, keys 1/60 s apart."""

from __future__ import annotations

from collections.abc import Sequence

import numpy as np

PARENTS = (-1, 0, 1, 2, 0, 4, 5, 0, 7, 8, 9, 9, 11, 12, 13, 9, 15, 16, 17)
NAMES = [
    "pelvis",
    "left_thigh",
    "left_calf",
    "left_foot",
    "right_thigh",
    "right_calf",
    "right_foot",
    "mid",
    "chest",
    "neck",
    "head",
    "left_shoulder",
    "left_biceps",
    "left_wrist",
    "left_handfist",
    "right_shoulder",
    "right_biceps",
    "right_wrist",
    "right_handfist",
]
Z_UP = np.array([[1.0, 0, 0], [0, 0, -1], [0, 1, 0]])
"""From the game's axes to those of a file with Z up."""


def about(axis: int, degrees: float) -> np.ndarray:
    s, c = np.sin(np.radians(degrees)), np.cos(np.radians(degrees))
    result = np.eye(3)
    one, two = (axis + 1) % 3, (axis + 2) % 3
    result[one, one] = result[two, two] = c
    result[one, two], result[two, one] = -s, s
    return result


def matrix(degrees: np.ndarray) -> np.ndarray:
    """Rx * Ry * Rz."""
    return about(0, degrees[0]) @ about(1, degrees[1]) @ about(2, degrees[2])


def reversed_angles(rotation: np.ndarray) -> list[float]:
    """x, y, z of Rz * Ry * Rx."""
    angles = (
        np.arctan2(rotation[2, 1], rotation[2, 2]),
        -np.arcsin(rotation[2, 0].clip(-1, 1)),
        np.arctan2(rotation[1, 0], rotation[0, 0]),
    )
    return np.degrees(angles).tolist()


def dae(
    angles: np.ndarray, root: np.ndarray, offsets: np.ndarray, up: str = "", backwards: bool = False, names: Sequence[str] = NAMES
) -> str:
    """angles: (N, 19, 3) degrees. root: (N + 1, 3), of which the last height is not written. offsets: (19, 3).

    up: "" for Y up; "ROOT" for Z up with the root's axes converted; "BLENDER" the same, with rotX first as OniSplit's -blender has it,
    whose angles are those of Rz * Ry * Rx all the same; "ALL" with those of every bone. backwards: children in the other order.
    """
    values = np.array(angles, float)
    converted = {"": (root, offsets), "ALL": (root @ Z_UP.T, offsets @ Z_UP.T)}
    positions, offsets = converted.get(up, (root @ Z_UP.T, offsets))
    if up:
        for frame in range(len(values)):
            for bone in range(19):
                rotation = matrix(angles[frame, bone])
                rotation = Z_UP @ rotation @ Z_UP.T if up == "ALL" else Z_UP @ rotation if bone == 0 else rotation
                values[frame, bone] = reversed_angles(rotation)
    height = 2 if up else 1
    channels: list[tuple[str, np.ndarray]] = []
    for axis, letter in enumerate("XYZ"):
        channels.append((f"{names[0]}/pos.{letter}", positions[: len(values) if axis == height else None, axis]))
    for bone in range(19):
        channels += [(f"{names[bone]}/rot{letter}.ANGLE", values[:, bone, axis]) for axis, letter in enumerate("XYZ")]

    def node(bone: int) -> str:
        children = [child for child in range(19) if PARENTS[child] == bone]
        target = " ".join(map(repr, (positions[0] if bone == 0 else offsets[bone]).tolist()))
        axes = {"X": "1 0 0", "Y": "0 1 0", "Z": "0 0 1"}
        rotates = "".join(f'<rotate sid="rot{letter}">{axes[letter]} 0</rotate>' for letter in ("ZYX" if up in ("ROOT", "ALL") else "XYZ"))
        inner = "".join(map(node, reversed(children) if backwards else children))
        return f'<node id="{names[bone]}" name="{names[bone]}"><translate sid="pos">{target}</translate>{rotates}{inner}</node>\n'

    animations = "".join(animation(number, target, numbers) for number, (target, numbers) in enumerate(channels))
    return (
        '<?xml version="1.0" encoding="utf-8"?>\n<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1">\n'
        f'<asset><unit meter="0.1" name="decimeter" /><up_axis>{"Z_UP" if up else "Y_UP"}</up_axis></asset>\n'
        f'<library_animations>{animations}</library_animations>\n<library_visual_scenes><visual_scene id="scene">{node(0)}'
        '</visual_scene></library_visual_scenes>\n<scene><instance_visual_scene url="#scene" /></scene>\n</COLLADA>'
    )


def animation(number: int, target: str, values: np.ndarray) -> str:
    times = " ".join(f"{frame / 60:.7g}" for frame in range(len(values)))
    kinds = " ".join(["LINEAR"] * len(values))
    sources = "".join(
        f'<source id="s{number}_{name}"><{kind}_array id="a{number}_{name}" count="{len(values)}">{text}</{kind}_array></source>'
        for name, kind, text in (
            ("in", "float", times),
            ("out", "float", " ".join(map(repr, values.tolist()))),
            ("how", "Name", kinds),
        )
    )
    inputs = "".join(
        f'<input semantic="{semantic}" source="#s{number}_{name}" />'
        for semantic, name in (("INPUT", "in"), ("OUTPUT", "out"), ("INTERPOLATION", "how"))
    )
    return f'<animation>{sources}<sampler id="p{number}">{inputs}</sampler><channel source="#p{number}" target="{target}" /></animation>\n'
