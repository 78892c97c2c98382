"""What the files of Oni 2 hold besides motion: of an animation on its action, of a skeleton on the armature and its bones."""

from __future__ import annotations

from ..declare.fields import Field
from ..declare.options import Choice

DELTA = "root_delta"
"""Custom property of the root bone: how far the root goes from each frame to the next, as the file has it besides its channels."""

_LARGEST = 3.4028234663852886e38

ACTION_FIELDS = (
    Field(
        "kind",
        "Kind",
        "choice",
        key="oni2_kind",
        help="What the first four bytes of the file are",
        choices=(
            Choice("ANI1", "ANI1"),
            Choice("ani", "ani"),
            Choice("null", "null"),
            Choice("beta", "Midtown Madness 2 Beta"),
        ),
        editable=False,
    ),
    Field(
        "aliases",
        "Used For",
        "text",
        key="oni2_aliases",
        help="What the entity's lists of animations use it for, such as WALK, separated by commas; written with the whole character",
    ),
    Field(
        "interpretation",
        "Interpreted As",
        "text",
        key="oni2_reading",
        help="How the file was interpreted where the sources about the game do not agree",
        editable=False,
        group="File",
        short="Interpreted",
    ),
    Field(
        "flags",
        "Flags",
        "hexadecimal",
        key="oni2_flags",
        help="ANI1: bit 0 loops, bit 31 root deltas behind each frame; ani: bit 0 stride of three numbers, bit 1 root deltas before it",
    ),
    Field(
        "loop_byte",
        "Loop Byte",
        key="oni2_loop_byte",
        help="Last byte of the header of ani and null; none: no loop",
        minimum=0,
        maximum=255,
        none=0,
    ),
    Field(
        "stride",
        "Stride",
        "numbers",
        key="oni2_stride",
        help="Root motion of the whole clip along X, Y and Z of the game; of some kinds along Z alone",
        unit="metres",
        minimum=-_LARGEST,
        maximum=_LARGEST,
        size=3,
    ),
)

ARMATURE_FIELDS = (
    Field(
        "facing",
        "Facing",
        "choice",
        key="oni2_facing",
        help="Where the character looks to in the game's axes",
        choices=(Choice("-Z", "-Z"), Choice("+Z", "+Z")),
        editable=False,
    ),
    Field("version", "Version", "text", key="oni2_version", help="Version line of the skeleton; empty for version 1.00", editable=False),
)

BONE_FIELDS = (
    Field("written_name", "Name in the File", "text", key="oni2_name", help="Bones of a file may share a name", editable=False),
    Field("channels", "Channels", "text", key="oni2_channels", help="The channels that the skeleton declares, with locks and limits"),
    Field("low", "Lowest Rotation", "vector", key="oni2_rotmin", help="The skeleton's rotmin", unit="radians", editable=False),
    Field("high", "Highest Rotation", "vector", key="oni2_rotmax", help="The skeleton's rotmax", unit="radians", editable=False),
)

FIELDS: dict[str, tuple[Field, ...]] = {"action": ACTION_FIELDS, "armature": ARMATURE_FIELDS, "bone": BONE_FIELDS}
