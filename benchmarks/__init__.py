"""How fast we are, as ratios against yardsticks that run in the same process."""

import os

os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # else numpy's idle threads count as work, of whatever runs after they had some
