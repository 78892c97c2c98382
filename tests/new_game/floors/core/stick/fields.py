"""What a .stick says besides motion."""

from __future__ import annotations

from ..declare.fields import Field

ACTION_FIELDS = (
    Field("mood", "Mood", key="stick_mood", help="How the figure feels, from 0 to 9", minimum=0, maximum=9),
    Field("author", "Author", "text", key="stick_author", help="Who made the animation"),
)

FIELDS: dict[str, tuple[Field, ...]] = {"action": ACTION_FIELDS}
