"""What an export refuses and says, for the tests of this folder."""

from __future__ import annotations

from collections.abc import Callable
from types import ModuleType
from typing import Any

import pytest

Part = Callable[[str], ModuleType]


@pytest.fixture
def errors(part: Part) -> Any:
    return part("core.reporting.errors").RetroAnimError


@pytest.fixture
def said(part: Part) -> Callable[..., str]:
    """What an export says."""

    def run(export: Callable[..., Any], *arguments: Any, **options: Any) -> str:
        with part("core.reporting.log").collect() as result:
            export(*arguments, **options)
        return "\n".join(map(str, result.messages))

    return run
