"""What the commands say: results on standard output, one line for each error on standard error."""

from __future__ import annotations

import sys
from collections.abc import Iterable
from typing import Any

from ..core.files import failures
from ..core.reporting import labels


def show(text: str) -> None:
    """A line of the result; what a name holds besides letters as escapes."""
    print(labels.escaped(text))


def show_json(document: Any) -> None:
    """The one JSON document that --json prints."""
    import json

    json.dump(document, sys.stdout, indent=2)  # piece by piece: as a text it takes many times its length
    print()


def note(text: str) -> None:
    """Something worth knowing that is no part of the result."""
    print(labels.line(text), file=sys.stderr)


def fail_each(failed: Iterable[dict[str, Any]], listed: bool) -> None:
    """The "error" of each "path"; entries of a file that fail alike are one line. listed: whether the JSON document has each."""
    for text in failures.lines(((each["path"], each["error"]) for each in failed), "the JSON lists all" if listed else "--json lists all"):
        fail(text)


def fail(error: Exception | str) -> None:
    """An error, `PATH: what is wrong (offset 0x1A)`."""
    print(labels.line(str(error)), file=sys.stderr)
