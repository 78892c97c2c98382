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
