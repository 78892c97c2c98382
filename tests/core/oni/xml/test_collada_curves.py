"""Curves of a COLLADA scene at any time, worked out by hand: held, straight, stepped and bent; and what a document must have."""

from __future__ import annotations

import numpy as np
import pytest
from retro_anim.core.motion.rotations.rotation_matrix import Floats
from retro_anim.core.oni.xml import collada
from retro_anim.core.oni.xml.collada import Curve, Scene
from retro_anim.core.reporting import log
from retro_anim.core.reporting.errors import FormatError

TIMES, AT = np.array([0.0, 1, 3]), np.array([-1.0, 0, 0.5, 1, 2, 3, 4])


def source(name: str, values: list[float]) -> str:
    return f'<source id="{name}"><float_array>{" ".join(map(str, values))}</float_array></source>'


def document(
    times: list[float], values: list[float], kinds: str = "", sides: tuple[list[float], list[float]] | None = None, target: str = "n/pos.X",
    asset: str = "", nodes: str = "", scene: str = "",
) -> Scene:  # fmt: skip
    """A node n with a position of 7 8 9, and a curve of it. kinds: of its keys. sides: its outer and inner tangents."""
    sources = source("t", times) + source("v", values)
    inputs = '<input semantic="INPUT" source="#t"/><input semantic="OUTPUT" source="#v"/>'
    if kinds:
        sources += f'<source id="k"><Name_array>{kinds}</Name_array></source>'
        inputs += '<input semantic="INTERPOLATION" source="#k"/>'
    if sides:
        sources += source("out", sides[0]) + source("in", sides[1])
        inputs += '<input semantic="OUT_TANGENT" source="#out"/><input semantic="IN_TANGENT" source="#in"/>'
    channel = f'<channel source="#p" target="{target}"/>'
    text = f"""<COLLADA>{asset}<visual_scene id="s"><node id="n"><translate sid="pos">7 8 9</translate></node>{nodes}</visual_scene>
        <animation>{sources}<sampler id="p">{inputs}</sampler>{channel}</animation>{scene}</COLLADA>"""
    return collada.parse(text.encode())


def moved(scene: Scene, times: Floats = AT) -> Floats:
    """(T, 3) where the node is."""
    return scene.roots[0].transforms[0].at(times)


def test_what_no_curve_moves_stays() -> None:
    assert moved(document([0, 2], [1, 5]), np.array([1.0])).tolist() == [[3, 8, 9]]
    assert moved(document([0, 2], [1, 5], target="n/pos.Z"), np.array([1.0])).tolist() == [[7, 8, 3]]
    for target in ("n/other.X", "m/pos.X", "n", "n/pos.X.Y", ""):
        assert moved(document([0, 2], [1, 5], target=target), np.array([1.0])).tolist() == [[7, 8, 9]]


def test_before_and_behind_its_keys_a_curve_holds() -> None:
    assert moved(document([0, 1, 3], [10, 20, 40]))[:, 0].tolist() == [10, 10, 15, 20, 30, 40, 40]
    assert moved(document([0, 1, 3], [10, 20, 40], "STEP STEP STEP"))[:, 0].tolist() == [10, 10, 10, 20, 20, 40, 40]
    assert moved(document([2], [10], "BEZIER"))[:, 0].tolist() == [10] * 7


def test_a_curve_of_all_numbers_has_a_row_a_key() -> None:
    scene = document([0, 2], [0, 1, 2, 4, 6, 8], target="n/pos")
    assert moved(scene, np.array([0.0, 1, 2])).tolist() == [[0, 1, 2], [2, 3.5, 5], [4, 6, 8]]


def bezier(first: float, out: float, into: float, last: float, part: float) -> float:
    return first * (1 - part) ** 3 + 3 * out * (1 - part) ** 2 * part + 3 * into * (1 - part) * part**2 + last * part**3


def test_a_bent_curve_goes_by_its_control_values_at_even_times() -> None:
    bends = np.array([[[13], [16]], [[50], [30.0]]])
    curve = Curve(TIMES, np.array([[10], [20], [40.0]]), bends=bends)
    expected = [10, 10, bezier(10, 13, 16, 20, 0.5), 20, bezier(20, 50, 30, 40, 0.5), 40, 40]
    assert curve.at(AT)[:, 0] == pytest.approx(expected, abs=1e-12)
    assert curve.at(np.array([0.25, 2.5]))[:, 0] == pytest.approx([bezier(10, 13, 16, 20, 0.25), bezier(20, 50, 30, 40, 0.75)], abs=1e-12)


def test_two_keys_at_one_time_are_a_jump() -> None:
    """From the second one on at that time."""
    curve = Curve(np.array([0.0, 1, 1, 2]), np.array([[0], [1], [5], [9.0]]), bends=np.array([[[0], [0]], [[3], [3]], [[9], [9.0]]]))
    at = curve.at(np.array([1.0, 1.5]))[:, 0]
    assert at == pytest.approx([5, bezier(5, 9, 9, 9, 0.5)])


def test_two_keys_at_the_time_of_an_end_are_a_jump() -> None:
    """Before the first of all it holds the one, behind the last the other, and nothing is divided by no time."""
    bends = np.array([[[2], [2]], [[7], [7.0]]])
    with np.errstate(all="raise"):
        at = Curve(np.array([0.0, 1, 1]), np.array([[0], [1], [5.0]]), bends=bends).at(np.array([1.0, 1.5, 3]))
        assert at[:, 0].tolist() == [5, 5, 5]
        at = Curve(np.array([1.0, 1, 2]), np.array([[0], [1], [5.0]]), bends=bends).at(np.array([0.5, 1, 2]))
        assert at[:, 0].tolist() == [0, 1, 5]


@pytest.mark.parametrize("form", ["values", "a time and a value for each", "a time and all values"])
def test_tangents_come_in_three_forms(form: str) -> None:
    """Of two keys of three numbers; times of tangents, here 77, are not looked at. The inner side is the second key's."""
    outer, inner = [[1, 2, 3], [99, 99, 99]], [[99, 99, 99], [4, 5, 6]]

    def numbers(rows: list[list[int]]) -> list[float]:
        if form == "values":
            return [number for row in rows for number in row]
        if form == "a time and all values":
            return [number for row in rows for number in (77, *row)]
        return [number for row in rows for value in row for number in (77, value)]

    scene = document([0, 1], [0, 0, 0, 8, 8, 8], "BEZIER BEZIER", (numbers(outer), numbers(inner)), "n/pos")
    expected = [bezier(0, out, into, 8, 0.25) for out, into in ((1, 4), (2, 5), (3, 6))]
    assert moved(scene, np.array([0.25]))[0] == pytest.approx(expected)
    with pytest.raises(FormatError, match="5 numbers of its OUT_TANGENT for 2 keys of 3 numbers"):
        document([0, 1], [0, 0, 0, 8, 8, 8], "BEZIER BEZIER", ([1] * 5, [1] * 6), "n/pos")


def test_tangents_that_are_not_there_are_named() -> None:
    with pytest.raises(FormatError, match="<sampler>: its OUT_TANGENT has no numbers"):
        document([0, 1], [1, 2], "BEZIER BEZIER")
    text = """<COLLADA><visual_scene><node id="n"><translate sid="pos">7 8 9</translate></node></visual_scene><animation>
        <sampler id="p"><input semantic="INPUT" source="#gone"/></sampler><channel source="#p" target="n/pos.X"/></animation></COLLADA>"""
    with pytest.raises(FormatError, match="<sampler>: its INPUT has no numbers"):
        collada.parse(text.encode())


@pytest.mark.parametrize("kinds", ["LINEAR BEZIER", "LINEAR BEZIER LINEAR"])
def test_a_key_bends_what_follows_it_alone(kinds: str) -> None:
    """The first piece is straight, the second one bent; the last key's own kind says nothing, and a missing one is straight."""
    scene = document([0, 1, 3], [10, 20, 40], kinds, ([0, 50, 0], [0, 0, 30]))
    expected = [10, 10, 15, 20, bezier(20, 50, 30, 40, 0.5), 40, 40]
    assert moved(scene)[:, 0] == pytest.approx(expected)
    one = document([0, 1, 3], [10, 20, 40], "BEZIER", ([13, 0, 0], [0, 16, 0]))
    assert moved(one)[:, 0] == pytest.approx([10, 10, bezier(10, 13, 16, 20, 0.5), 20, 30, 40, 40])


def test_steps_among_other_keys_and_kinds_that_are_not_known_are_straight() -> None:
    with log.collect() as said:
        scenes = [document([0, 1, 3], [10, 20, 40], kinds) for kinds in ("STEP LINEAR STEP", "HERMITE HERMITE CARDINAL")]
    for scene in scenes:
        assert moved(scene)[:, 0].tolist() == [10, 10, 15, 20, 30, 40, 40]
    assert said.digest() == ["line 2: CARDINAL, HERMITE curves are read as straight between their keys"]


@pytest.mark.parametrize(
    ("times", "values", "target", "problem"),
    [
        ([0, 1], [1, 2, 3], "n/pos.X", "3 values for 2 keys of 1 numbers"),
        ([0, 1], [1, 2], "n/pos", "2 values for 2 keys of 3 numbers"),
        ([], [], "n/pos.X", "0 values for 0 keys"),
        ([1, 0], [1, 2], "n/pos.X", "the times do not ascend"),
        ([0, 1], [1, 1e9], "n/pos.X", "<float_array>: a number beyond all limits"),
        ([0, 1], [1, -1e9], "n/pos.X", "<float_array>: a number beyond all limits"),
        ([0, float("nan")], [1, 2], "n/pos.X", "<float_array>: a number beyond all limits"),
    ],
)
def test_curves_that_are_refused(times: list[float], values: list[float], target: str, problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        document(times, values, target=target)


def test_the_largest_number_is_below_a_thousand_million() -> None:
    assert moved(document([0, 1], [1, 999999999.0]), np.array([1.0]))[0, 0] == 999999999


def test_what_is_no_channel_moves_nothing() -> None:
    other = '<node/></visual_scene><other source="#q" target="n/pos.X"/><visual_scene>'
    assert moved(document([0, 2], [1, 5], nodes=other), np.array([1.0])).tolist() == [[3, 8, 9]]


def test_a_sampler_that_is_not_there_is_named() -> None:
    with pytest.raises(FormatError, match="there is no sampler #q"):
        document([0, 1], [1, 2], nodes='<node/></visual_scene><channel source="#q" target="n/pos.X"/><visual_scene>')


@pytest.mark.parametrize(
    ("asset", "up", "metres", "tool"),
    [
        ("", "Y_UP", 1.0, ""),
        ("<asset/>", "Y_UP", 1.0, ""),
        ("<asset><unit/></asset>", "Y_UP", 1.0, ""),
        ('<asset><contributor><authoring_tool>Tool</authoring_tool></contributor><unit meter="0.1"/><up_axis>Z_UP</up_axis></asset>',
         "Z_UP", 0.1, "Tool"),
    ],
)  # fmt: skip
def test_axes_and_units_of_a_document(asset: str, up: str, metres: float, tool: str) -> None:
    scene = document([0], [1], asset=asset)
    assert (scene.up, scene.metres, scene.tool) == (up, metres, tool)


@pytest.mark.parametrize(
    ("asset", "problem"),
    [
        ('<asset><unit meter="0"/></asset>', "a unit of 0 metres"),
        ('<asset><unit meter="-1"/></asset>', "a unit of -1 metres"),
        ('<asset><unit meter="1 2"/></asset>', "2 numbers instead of 1"),
        ("<asset><up_axis>W_UP</up_axis></asset>", "W_UP is none of"),
        ("<asset><up_axis/></asset>", "nothing is none of"),
    ],
)
def test_axes_and_units_that_are_refused(asset: str, problem: str) -> None:
    with pytest.raises(FormatError, match=problem):
        document([0], [1], asset=asset)


def test_the_scene_that_the_document_shows() -> None:
    """The first one, unless it names another."""
    two = '</visual_scene><visual_scene id="two"><node name="second"/>'
    assert document([0], [1], nodes=two).roots[0].labels == ("n",)
    shown = document([0], [1], nodes=two, scene='<scene><instance_visual_scene url="#two"/></scene>')
    assert [node.labels for node in shown.walk()] == [("second",)]
    with pytest.raises(FormatError, match="there is no <visual_scene>"):
        collada.parse(b"<COLLADA/>")
    with pytest.raises(FormatError, match="<COLLADA> expected, not <Oni>"):
        collada.parse(b"<Oni/>")


def test_nodes_have_what_they_are_called_and_the_first_of_a_name_moves() -> None:
    nodes = '<node name="a" id="b" sid="c"><node sid="d"/></node><node id="n"><translate sid="pos">0 0 0</translate></node>'
    scene = document([0], [1], nodes=nodes)
    assert [node.labels for node in scene.walk()] == [("n",), ("a", "b", "c"), ("d",), ("n",)]
    assert [bool(one.curves) for node in scene.walk() for one in node.transforms] == [True, False]


@pytest.mark.parametrize(
    ("axis", "degrees", "expected"), [("0 0 3", 90, [0, 1, 0]), ("0 2 0", 30, [np.sqrt(0.75), 0, -0.5]), ("0 0 0", 90, [1, 0, 0])]
)
def test_a_rotation_about_an_axis_of_any_length(axis: str, degrees: float, expected: list[float]) -> None:
    """What X becomes; about no axis it stays."""
    scene = document([0], [1], nodes=f"<node><rotate>{axis} {degrees}</rotate></node>")
    rotation, position = scene.roots[1].local(np.array([0.0]))
    assert rotation[0, :, 0] == pytest.approx(expected) and position.tolist() == [[0, 0, 0]]


def test_a_matrix_rotates_without_the_scale_of_its_columns() -> None:
    """A right angle about Z of what is 2, 3 and 0 times as large along X, Y and Z, at 7 8 9; behind it X is the scene's Y."""
    nodes = "<node><matrix>0 -3 0 7 2 0 0 8 0 0 0 9 0 0 0 1</matrix><translate>1 0 0</translate></node>"
    rotation, position = document([0], [1], nodes=nodes).roots[1].local(np.array([0.0, 1]))
    assert rotation == pytest.approx(np.tile(np.array([[0, -1, 0], [1, 0, 0], [0, 0, 0.0]]), (2, 1, 1)))
    assert position == pytest.approx(np.array([[7, 9, 9], [7, 9, 9.0]]))
