"""Motions in COLLADA to start from: the nodes of Oni's 19 bones, with turned and moved ones among them."""

from __future__ import annotations

from collections.abc import Iterator

from ..core.oni.motion.rig import NAMES, PARENTS

_FILE = """<?xml version="1.0"?>
<COLLADA version="1.4.0"><asset><unit meter="%s"/><up_axis>%s</up_axis></asset>
<library_animations><animation id="a">
<source id="t"><float_array id="tf" count="3">0 0.016667 0.05</float_array></source>
<source id="v"><float_array id="vf" count="3">1 9.5 -30</float_array></source>
<source id="k"><Name_array id="kf" count="3">LINEAR LINEAR LINEAR</Name_array></source>
<sampler id="s"><input semantic="INPUT" source="#t"/><input semantic="OUTPUT" source="#v"/><input semantic="INTERPOLATION" source="#k"/>
</sampler>
<channel source="#s" target="pelvis/r.ANGLE"/><channel source="#s" target="mid/p.Y"/>
</animation></library_animations>
<library_visual_scenes><visual_scene id="scene">%s</visual_scene></library_visual_scenes>
<scene><instance_visual_scene url="#scene"/></scene></COLLADA>
"""


def collada() -> Iterator[bytes]:
    """By unit and axis."""
    for metres, up in (("0.1", "Y_UP"), ("1", "Z_UP"), ("0.01", "X_UP")):
        yield (_FILE % (metres, up, _node(0))).encode()


def _node(bone: int) -> str:
    """With all that hang on it."""
    below = "".join(_node(child) for child, parent in enumerate(PARENTS) if parent == bone)
    rotations = "".join(f'<rotate sid="{sid}">{values}</rotate>' for sid, values in (("r", "1 0 0 20"), ("q", "0 1 0 0"), ("z", "0 0 1 5")))
    return f'<node id="{NAMES[bone]}" name="{NAMES[bone]}"><translate sid="p">0 1 .5</translate>{rotations}{below}</node>'
