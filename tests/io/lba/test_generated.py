"""Keys that the import generates, when somebody edits them: they are what is seen."""

from __future__ import annotations

from typing import Any

from .test_edits import Part, Walk, walk, warnings

__all__ = ["walk"]


def test_a_bone_at_rest_that_is_keyed_where_its_generated_key_stands(walk: Walk, part: Part) -> None:
    """Group 01 is translated; its rotation has one generated key at frame 1, which stays generated in Blender."""
    walk.insert(1, "rotation_euler", 1, (0.5, 0, 0))
    assert [point.type for curve in walk.curves(1, "rotation_euler") for point in curve.keyframe_points] == [generated(part)] * 3
    walk.refused("group 01 is both rotated and translated at frame 1")
    walk.insert(1, "rotation_euler", 1, (0.0, 0, 0))
    now, said = warnings(part, walk.packed)
    assert (now.pack(), said) == (walk.before.pack(), [])


def generated(part: Part) -> Any:
    return part("io.blender.compat").GENERATED_KEY
