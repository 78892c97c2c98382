"""What the files of Tales of Pirates hold besides motion: of a range of frames on its action, of a character on its armature."""

from __future__ import annotations

from ..declare.fields import Field

ACTION_FIELDS = (
    Field(
        "range",
        "Range",
        "integers",
        key="mindpower_range",
        help="First and last frame in the file's time line",
        minimum=0,
        size=2,
        editable=False,
    ),
    Field(
        "numbers",
        "Numbers",
        "text",
        key="mindpower_actions",
        help="In the action table, separated by commas; of an action made in Blender they can be edited",
    ),
    Field("names", "Names", "text", key="mindpower_names", help="What the game calls these numbers", editable=False),
    Field(
        "key_frames",
        "Key Frames",
        "series",
        key="mindpower_key_frames",
        help="Frames at which the game does something, counted from the action's first; markers named key show them and can be edited",
        minimum=-100_000_000,
        maximum=100_000_000,
        time=True,
        editable=False,
    ),
)

ARMATURE_FIELDS = (
    Field("frames", "All Frames", key="mindpower_frames", help="In the file's whole time line", minimum=1, editable=False),
    Field(
        "type",
        "Action Type",
        key="mindpower_type",
        help="The character's number in the action table; none: by the file's name",
        minimum=0,
        maximum=65535,
        none=0,
    ),
    Field(
        "error",
        "Vertices Off By",
        "number",
        key="mindpower_error",
        help="Largest distance of a vertex on a sheared bone from where the game has it; helper bones make it 0",
        unit="metres",
        minimum=0,
        editable=False,
    ),
)

FIELDS: dict[str, tuple[Field, ...]] = {"action": ACTION_FIELDS, "armature": ARMATURE_FIELDS}
