"""What every command adds itself to."""

from __future__ import annotations

import argparse
from typing import Any, Protocol


class Commands(Protocol):
    """The subparsers of the command line, whose class argparse keeps to itself."""

    def add_parser(self, name: str, /, **options: Any) -> argparse.ArgumentParser: ...
