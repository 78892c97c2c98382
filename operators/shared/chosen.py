"""What was chosen in a dialog whose work came to nothing: Blender keeps what a dialog ended with, and forgets what it failed with."""

from collections.abc import Iterable
from typing import Any

_kept: dict[str, tuple[str, dict[str, Any]]] = {}
"""By a dialog's operator what it was about, and the values of its properties."""


def _about(block: Any) -> str:
    """What a dialog is about: Blender's number of an object or a data-block, which no other has, of the next .blend neither."""
    return str(block.session_uid) if block is not None else ""


def keep(operator: Any, dialog: str, block: Any, names: Iterable[str]) -> None:
    """Before its work: what these properties have now. block: what it is done to; for anything else the dialog opens as ever."""
    _kept[dialog] = _about(block), {name: getattr(operator, name) for name in names}


def forget(dialog: str) -> None:
    """Its work is finished: it opens as ever."""
    _kept.pop(dialog, None)


def restore(operator: Any, dialog: str, block: Any) -> None:
    """As it opens: what was chosen for the same. What whoever opens it gives stays; Blender gives by itself what its options keep."""
    known, values = _kept.get(dialog, ("", {}))
    if known != _about(block):
        return
    given = getattr(operator, "properties", None)
    for name, value in values.items():
        own = given.bl_rna.properties[name].is_skip_save if given is not None else False
        if not (own and given.is_property_set(name)):
            setattr(operator, name, value)
