"""What an export says of keys that it leaves out."""

from __future__ import annotations

import numpy as np

from ....core.declare.shared import FewerKeysOptions
from ....core.reporting import log

_VISIBLE = float(np.radians(5.0))
"""By which a bone is off so that everybody sees it."""


def tell(line: str, angle: float, options: FewerKeysOptions) -> None:
    """line: what became of the keys, and what is off by how much. angle: radians by which a bone is, at most. Where nobody has named a
    bound, that may be anything."""
    if options.reduction == "FIT" and angle > _VISIBLE:
        bounded = "Within a Distance as Fewer Keys keeps to a bound, and more keys"
        log.warning(f"{line}: Until It Fits has no bound. Shorter clips have more keys each (Source: Timeline Markers); {bounded}")
    else:
        log.info(line)
