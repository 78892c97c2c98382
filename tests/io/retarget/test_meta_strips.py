"""Actions inside meta strips of the NLA are what it plays, as those of plain strips are."""

from __future__ import annotations

from typing import Any

import bpy
import numpy as np
from support import blender_rigs as rigs

OPS: Any = bpy.ops


def test_what_the_nla_shows_by_a_meta_strip(part: Any, run: Any) -> None:
    """As the same strips do alone."""
    OPS.wm.read_homefile(use_factory_startup=True)
    source, target = rigs.build("one"), rigs.build("two")
    actions = rigs.dance(part, source), rigs.dance(part, source, "other", seed=5)
    source.animation_data.action = None
    track = source.animation_data.nla_tracks.new()
    for number, action in enumerate(actions):
        track.strips.new(action.name, 1 + 60 * number, action).select = True
    plain = run(source, target, feet=False, nla=True)
    window: Any = bpy.context.window_manager.windows[0]
    area = window.screen.areas[0]
    area.type = "NLA_EDITOR"
    region = next(region for region in area.regions if region.type == "WINDOW")
    bpy.context.view_layer.objects.active = source
    source.select_set(True)
    context: Any = bpy.context
    with context.temp_override(window=window, area=area, region=region):
        assert OPS.nla.select_all(action="SELECT") == {"FINISHED"} and OPS.nla.meta_add() == {"FINISHED"}
    assert [strip.type for strip in track.strips] == ["META"]
    assert part("io.blender.motion.nla.nla").actions_of(source) == list(actions)
    assert part("io.retarget.reading.source_actions").played(source) == set(actions)
    meta = run(source, target, feet=False, nla=True, earlier="KEEP")
    read = part("io.blender.compat").curves
    values = [[tuple(key.co) for curve in read(each.actions[0], target) for key in curve.keyframe_points] for each in (plain, meta)]
    assert np.allclose(*values, atol=1e-6)
