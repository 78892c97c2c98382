"""What an animation of Little Big Adventure holds besides its curves."""

from __future__ import annotations

from ..declare.fields import Field
from ..declare.options import Choice

ACTION_FIELDS = (
    Field(
        "game",
        "Game",
        "choice",
        key="lba_game",
        choices=(Choice("lba1", "Little Big Adventure"), Choice("lba2", "Little Big Adventure 2")),
        editable=False,
    ),
    Field("loop_frame", "Loop From", key="lba_loop_frame", help="Keyframe at which the animation starts again", minimum=0, maximum=65535),
    Field(
        "word3",
        "Header Word 3",
        key="lba_word3",
        help="Kept as the file has it; no engine reads it",
        minimum=0,
        maximum=65535,
        editable=False,
        group="Header",
        short="Word 3",
    ),
    Field(
        "bone_count", "Groups", key="lba_bone_count", help="Groups in the file", minimum=0, maximum=65535, editable=False, group="Header"
    ),
    Field(
        "first_duration",
        "Lead-in",
        key="lba_first_duration",
        help="Time from the animation before to keyframe 0",
        unit="game time units",
        minimum=0,
        maximum=65535,
    ),
    Field(
        "first_step",
        "First Step",
        "integers",
        key="lba_first_step",
        help="Root motion of keyframe 0",
        unit="game units",
        group="First Keyframe",
        short="Step",
        minimum=-32768,
        maximum=32767,
        size=3,
    ),
    Field(
        "first_rotation",
        "First Rotation",
        "integers",
        key="lba_first_turn",
        help="Root rotation of keyframe 0",
        unit="the game's angle steps",
        group="First Keyframe",
        short="Rotation",
        minimum=-32768,
        maximum=32767,
        size=3,
    ),
    Field(
        "events",
        "Events",
        "text",
        key="lba_events",
        help="What the game does at keyframes, by its list of characters",
        editable=False,
        retargeted=True,
    ),
    Field(
        "roles",
        "Used For",
        "text",
        key="lba_roles",
        help="What the character uses the animation for: walk, animation 70. Several with commas between them; Save Character writes it",
        retargeted=True,
    ),
)

ARMATURE_FIELDS = (
    Field(
        "box",
        "Collision Box",
        "integers",
        key="lba_box",
        help="Xmin, Xmax, Ymin, Ymax, Zmin, Zmax in the game's axes and units: what the character bumps with",
        group="Collision Box",
        short="Limits",
        parts=("Min X", "Max X", "Min Y", "Max Y", "Min Z", "Max Z"),
        minimum=-32768,
        maximum=32767,
        size=6,
    ),
)
"""What a body holds besides what is seen of it."""

TYPE, COLOUR, REACH, REGION = "lba_type", "lba_colour", "lba_reach", "lba_region"
"""Custom properties of materials: the polygon type, the index in the palette, how many shades the light adds at most, and corner and masks
of a texture's region."""

FIELDS: dict[str, tuple[Field, ...]] = {"action": ACTION_FIELDS, "armature": ARMATURE_FIELDS}
