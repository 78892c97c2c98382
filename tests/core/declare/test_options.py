"""Options that scripts give: what stands for a value is taken as that value, anything else is refused by name."""

from __future__ import annotations

from pathlib import Path
from typing import Any

import numpy as np
import pytest
from retro_anim.core import games
from retro_anim.core.declare.options import changed, declared
from retro_anim.core.declare.shared import ImportOptions, RootMotion
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


def test_a_class_below_changes_options_and_takes_them_back() -> None:
    class Below(ImportOptions):
        scale: float = changed(ImportOptions, "scale", 2.0, label="Size")
        root_motion: RootMotion = "BONE"

    known, own = declared(ImportOptions), declared(Below)
    assert (own["scale"].default, own["scale"].label, own["scale"].type) == (2.0, "Size", "float")
    assert "root_motion" in known and "root_motion" not in own
    assert [name for name in known if name != "root_motion"] == [*own]
    assert all(own[name] is known[name] for name in own if name != "scale")
