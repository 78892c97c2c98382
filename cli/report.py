"""What the commands say: results on standard output, one line for each error on standard error."""

from __future__ import annotations

import json
import sys
from typing import Any


def show(text: str) -> None:
    """A line of the result."""
    print(text)


def show_json(document: Any) -> None:
    """The one JSON document that --json prints."""
    print(json.dumps(document, indent=2))


def note(text: str) -> None:
    """Something worth knowing that is no part of the result."""
    print(one_line(text), file=sys.stderr)


def fail(error: Exception | str) -> None:
    """An error, `PATH: what is wrong (offset 0x1A)`."""
    print(one_line(str(error)), file=sys.stderr)


def one_line(text: str) -> str:
    """Also where a file's name holds line breaks."""
    return text.replace("\n", "\\n").replace("\r", "\\r")
