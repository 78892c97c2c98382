"""An edited map after bones were renamed: lines of bones that are there stay, those of others come from the fresh map."""

from __future__ import annotations

from retro_anim.core.reporting import log
from retro_anim.core.retarget.figures.maps.bone_map import BoneMap, Chain, Limb, Pair, PairOptions, ReferencePose
from retro_anim.core.retarget.figures.maps.renamed_map import with_edits

EDITED = BoneMap(
    (Pair("a", "x", options=PairOptions(weight=0.5)), Pair("b", "y", options=PairOptions(weight=0.25)), Pair("f", "v")),
    (Chain(("c", "d"), ("z",), "edited"), Chain(("g", "h"), ("p", "q"))),
    "old source",
    "old target",
    (Limb("hips", height=2.0),),
    (ReferencePose("edited"),),
)

FRESH = BoneMap(
    (Pair("a", "x"), Pair("B", "y"), Pair("c", "z"), Pair("e", "w"), Pair("f", "V"), Pair("h", "z")),
    (Chain(("G", "h"), ("p", "q"), "fresh"),),
    "new source",
    "new target",
    (Limb("leftFoot", "LIMB"),),
    (ReferencePose("fresh"),),
)


def test_lines_of_renamed_bones_are_mapped_anew() -> None:
    """b and g of the source and v of the target have capitals now. a and the chain onto z stay as edited, so nothing else goes to z,
    also not h, whose line is gone; e and w were in no line, so nobody asked for theirs."""
    with log.collect() as said:
        result = with_edits(EDITED, FRESH, set("aBcdefGh"), set("xyzwVpq"))
    assert result.pairs == (Pair("a", "x", options=PairOptions(weight=0.5)), Pair("B", "y"), Pair("f", "V"))
    assert result.chains == (Chain(("c", "d"), ("z",), "edited"), Chain(("G", "h"), ("p", "q"), "fresh"))
    assert (result.limbs, result.poses) == (EDITED.limbs, FRESH.poses)
    assert (result.source_fingerprint, result.target_fingerprint) == ("new source", "new target")
    assert said.digest() == ["bones of the bone map have other names now: 3 lines mapped anew, the others stay"]


def test_a_line_of_which_one_bone_alone_is_gone() -> None:
    """Of a chain, on either side; what the fresh map has for the bones that are left comes instead, also as pairs."""
    fresh = BoneMap((Pair("g", "p"), Pair("h", "Q")))
    assert with_edits(EDITED, fresh, set("abcdfgh"), set("xyzvpQ")).pairs == (*EDITED.pairs, *fresh.pairs)
    assert with_edits(EDITED, fresh, set("abcdfgh"), set("xyzvpQ")).chains == EDITED.chains[:1]


def test_names_of_several_letters_are_names_as_a_whole() -> None:
    edited, fresh = BoneMap((Pair("arm", "hand"), Pair("leg", "foot"))), BoneMap((Pair("arm", "other"), Pair("limb", "foot")))
    assert with_edits(edited, fresh, {"arm", "limb"}, {"hand", "foot", "other"}).pairs == (Pair("arm", "hand"), Pair("limb", "foot"))
