"""Which polygon types each of the games shows half transparent: 5 in the first one; 2 and, as every second pixel, 3 in the second one."""

from __future__ import annotations

import pytest
from retro_anim.core.lba.body import lm1_mesh, lm2_mesh
from retro_anim.core.lba.body.light import colours_of
from retro_anim.core.lba.files.palette import Palette


@pytest.mark.parametrize(("wide", "clear", "types"), [(False, [5], 11), (True, [2, 3], 8)])
def test_clear_types(wide: bool, clear: list[int], types: int) -> None:
    colours = colours_of(Palette.plain(), "PLAIN")
    of = lm2_mesh if wide else lm1_mesh
    assert [kind for kind in range(types) if of.is_clear(kind)] == clear
    assert [kind for kind in range(types) if of.plain_material(colours, kind, 20, 0).alpha < 1] == clear


def test_types_of_the_first_game_that_are_drawn_as_patterns() -> None:
    """6 as every second pixel, and 10 with what is between two shades dithered."""
    looks = [lm1_mesh.plain_material(colours_of(Palette.plain(), "GAME"), kind, 20, 0).look for kind in range(11)]
    assert [kind for kind, look in enumerate(looks) if look is not None and look.screen_door] == [6]
    assert [kind for kind, look in enumerate(looks) if look is not None and look.dithered] == [10]
    assert [kind for kind, look in enumerate(looks) if look is not None and look.lit] == [7, 8, 9, 10]
    assert lm1_mesh.plain_material(colours_of(Palette.plain()), 6, 20, 0).look is None


@pytest.mark.parametrize(
    ("colour", "reach", "name"),
    [(0, 13, "x+13"), (0, 14, "x"), (0, 15, "x"), (20, 10, "x+10"), (20, 11, "x"), (31, 0, "x"), (30, 0, "x+0"), (30, 1, "x")],
)
def test_materials_are_named_by_their_shades_where_they_have_not_all(colour: int, reach: int, name: str) -> None:
    """A ramp has 16 shades, of which these start at number 0, 4, 15 and 14."""
    plain, game = colours_of(Palette.plain()), colours_of(Palette.plain(), "GAME")
    assert (plain.name("x", colour, "FLAT", reach), game.name("x", colour, "SMOOTH", reach)) == (name, f"{name} game")
    assert plain.name("x", colour, "UNLIT", reach) == "x"
