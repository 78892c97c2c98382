"""Options that scripts give: what stands for a value is taken as that value, anything else is refused by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from retro_anim.core import games
from retro_anim.core.declare.game import axis_vector
from retro_anim.core.declare.options import Option, Options, changed, declared, option
from retro_anim.core.declare.shared import ExportOptions, ImportOptions, RootMotion
from retro_anim.core.reporting.errors import OptionError


@pytest.fixture(params=games.GAMES.values(), ids=lambda game: game.id)
def game(request: pytest.FixtureRequest) -> Any:
    return request.param


def test_paths_and_numbers_of_other_types(game: Any) -> None:
    options = game.import_options([Path("a"), "b"], frame_start=np.int64(3), scale=np.float32(0.5))
    assert options.paths == ("a", "b")
    assert (type(options.frame_start), options.frame_start) == (float, 3.0)
    assert (type(options.scale), options.scale) == (float, 0.5)
    assert game.export_options(Path("x")).path == "x"


@pytest.mark.parametrize("paths", ["walk.anm", 3, None, (1,), (None,), b"walk"])
def test_what_is_no_tuple_of_paths(game: Any, paths: Any) -> None:
    """A single text would be taken for a path a letter."""
    with pytest.raises(OptionError, match="paths is "):
        game.import_options(paths)


@pytest.mark.parametrize("path", [3, None, ("x",)])
def test_what_is_no_path(game: Any, path: Any) -> None:
    with pytest.raises(OptionError, match="path is "):
        game.export_options(path)


@pytest.mark.parametrize("number", [10**400, -(10**400), float("nan"), float("inf"), True, "1", None, 1j])
def test_what_is_no_number(game: Any, number: Any) -> None:
    with pytest.raises(OptionError, match=r"frame_start is .* must be a number"):
        game.import_options(("a",), frame_start=number)


def test_texts_of_a_tuple() -> None:
    oni2 = games.GAMES["oni2"].import_options
    assert oni2(("a",), meshes=["b"]).meshes == ("b",)  # pyright: ignore[reportCallIssue, reportAttributeAccessIssue, reportUnknownMemberType]
    for wrong in ("b", (1,)):
        with pytest.raises(OptionError, match="meshes is "):
            oni2(("a",), meshes=wrong)  # pyright: ignore[reportCallIssue]


def test_the_type_of_an_option_is_its_default_s_unless_it_has_choices() -> None:
    assert {name: each.type for name, each in declared(ExportOptions).items()}["sampling"] == "choice"
    assert [Option(default, "x").type for default in (1, 0.5, True, "a", ("a",))] == ["int", "float", "bool", "str", "tuple"]


def test_a_detail_that_options_do_not_have_is_refused() -> None:
    with pytest.raises(TypeError, match="maximun"):
        option(1, "Number", maximun=2)


def test_a_class_below_changes_options_and_takes_them_back() -> None:
    class Below(ImportOptions):
        scale: float = changed(ImportOptions, "scale", 2.0, label="Size")
        root_motion: RootMotion = "BONE"

    known, own = declared(ImportOptions), declared(Below)
    assert (own["scale"].default, own["scale"].label, own["scale"].type) == (2.0, "Size", "float")
    assert "root_motion" in known and "root_motion" not in own
    assert [name for name in known if name != "root_motion"] == [*own]
    assert all(own[name] is known[name] for name in own if name != "scale")


class Limited(Options):
    count: int = option(3, "Count", minimum=2, maximum=5)
    share: float = option(0.5, "Share", minimum=0.25)
    bound: bool = option(False, "Bound", maximum=0)


@pytest.mark.parametrize("values", [{}, {"count": 2}, {"count": 5}, {"share": 0.25}, {"share": 1e9, "bound": True}])
def test_limits_are_allowed_themselves(values: dict[str, Any]) -> None:
    assert {name: getattr(Limited(**values), name) for name in values} == values


@pytest.mark.parametrize(
    ("values", "said"),
    [
        ({"count": 1}, "count is 1, and must be at least 2"),
        ({"count": 6}, "count is 6, and must be at most 5"),
        ({"count": 2.5}, "count is 2.5, and must be a whole number"),
        ({"share": 0.125}, "share is 0.125, and must be at least 0.25"),
        ({"bound": 1}, "bound is 1, and must be True or False"),
        ({"bound": None}, "bound is None, and must be True or False"),
    ],
)
def test_what_is_beyond_a_limit_is_refused_with_it(values: dict[str, Any], said: str) -> None:
    with pytest.raises(OptionError) as caught:
        Limited(**values)
    assert str(caught.value) == said


def test_clips_are_taken_as_they_look_where_that_was_chosen() -> None:
    looks = {choice.id: ExportOptions("x", sampling=choice.id).looks for choice in declared(ExportOptions)["sampling"].choices}  # pyright: ignore[reportArgumentType]
    assert looks.pop("VISUAL") and looks and not any(looks.values())


@pytest.mark.parametrize(("axis", "vector"), [("X", (1, 0, 0)), ("-X", (-1, 0, 0)), ("Y", (0, 1, 0)), ("-Y", (0, -1, 0)), ("Z", (0, 0, 1))])
def test_axes_as_vectors(axis: Any, vector: tuple[int, int, int]) -> None:
    assert axis_vector(axis).tolist() == list(vector)


def test_left_ahead_and_up_of_a_figure_are_at_right_angles(game: Any) -> None:
    """Of one that looks along -Y, and stands along Z, left is along X."""
    left, forward, up = game.left, axis_vector(game.forward), axis_vector(game.up)
    assert np.linalg.det([left, -forward, up]) == pytest.approx(1)
    assert (game.up, game.forward) != ("Z", "-Y") or left.tolist() == [1, 0, 0]
