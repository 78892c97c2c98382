"""What the nodes of a COLLADA scene are, worked out by hand: transforms one after the other, and which of their numbers a curve moves."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.oni.xml import collada
from retro_anim.core.oni.xml.collada import SceneNode, Transform
from retro_anim.core.reporting.errors import FormatError

QUARTER = np.array([[0.0, -1, 0], [1, 0, 0], [0, 0, 1]])
"""About Z."""


def local(*transforms: tuple[str, list[float]]) -> tuple[Floats, Floats]:
    scene = collada.parse(scene_of("rx.ANGLE").encode())
    node = SceneNode((), [Transform(kind, "", np.array(values, float)) for kind, values in transforms], [], scene.roots[0].element)
    rotations, positions = node.local(np.array([0.0, 1.0]))
    assert (rotations[0] == rotations[1]).all() and (positions[0] == positions[1]).all()
    return rotations[0], positions[0]


def test_each_transform_acts_in_the_space_of_those_before() -> None:
    """A quarter about Z brings X to Y; the scale before it is left out."""
    moved, quarter = ("translate", [1.0, 2, 3]), ("rotate", [0.0, 0, 5, 90])
    rotation, position = local(("scale", [9.0, 9, 9]), quarter, moved)
    assert rotation == pytest.approx(QUARTER) and position == pytest.approx([-2, 1, 3])
    assert local(moved, quarter)[1] == pytest.approx([1, 2, 3])
    assert local(quarter, quarter, moved)[1] == pytest.approx([-1, -2, 3])


def test_a_matrix_rotates_and_moves_without_its_scale() -> None:
    """Its columns are made of length 1, but for those of none."""
    rows = np.eye(4)
    rows[:3, :3], rows[:3, 3] = QUARTER * [2, 0.5, 4], (1, 2, 3)
    rotation, position = local(("matrix", rows.ravel().tolist()), ("matrix", rows.ravel().tolist()))
    assert rotation == pytest.approx(QUARTER @ QUARTER) and position == pytest.approx([1 - 2, 2 + 1, 3 + 3])
    rows[:3, 2] = 0
    assert local(("matrix", rows.ravel().tolist()))[0] == pytest.approx(QUARTER * [1, 1, 0])


def scene_of(target: str) -> str:
    width = 4 if target == "rx" else 1
    return f"""<COLLADA xmlns="http://www.collada.org/2005/11/COLLADASchema" version="1.4.1"><asset><up_axis>Y_UP</up_axis></asset>
<library_visual_scenes><visual_scene id="s"><node id="n"><rotate sid="rx">1 0 0 7</rotate></node></visual_scene></library_visual_scenes>
<library_animations><animation><source id="t"><float_array count="2">0 1</float_array></source>
<source id="v"><float_array count="{2 * width}">{" ".join(str(number) for number in range(2 * width))}</float_array></source>
<sampler id="p"><input semantic="INPUT" source="#t"/><input semantic="OUTPUT" source="#v"/></sampler>
<channel source="#p" target="n/{target}"/></animation></library_animations>
<scene><instance_visual_scene url="#s"/></scene></COLLADA>"""


@pytest.mark.parametrize(
    ("target", "last"),
    [
        ("rx.ANGLE", [1, 0, 0, 1]),
        ("rx.angle", [1, 0, 0, 1]),
        ("rx.Y", [1, 1, 0, 7]),
        ("rx(0)", [1, 0, 0, 7]),
        ("rx(2)", [1, 0, 1, 7]),
        ("rx(3)", [1, 0, 0, 1]),
        ("rx", [4, 5, 6, 7]),
    ],
)
def test_a_curve_moves_the_number_that_it_names(target: str, last: list[float]) -> None:
    """By a name, by its number, or all of them; from 0 to 1, or from 0 1 2 3 to 4 5 6 7."""
    (rotate,) = collada.parse(scene_of(target).encode()).roots[0].transforms
    assert rotate.at(np.array([1.0]))[0] == pytest.approx(last)


@pytest.mark.parametrize("target", ["rx(4)", "rx.LENGTH"])
def test_a_curve_of_a_number_that_is_not_there_is_named(target: str) -> None:
    with pytest.raises(FormatError, match="is no number of a <rotate>"):
        collada.parse(scene_of(target).encode())
