"""All benchmarks, one after the other, each in a process of its own: `python -m retro_anim.benchmarks [NAME…]`.

Those that need the games' own files are left out where these are not there.
"""

from __future__ import annotations

import subprocess
import sys

NAMES = (
    *("speeds", "start", "codecs", "verifying", "lba", "time_line", "oni", "oni2"),
    *("mindpower", "lba1", "check", "whole_game", "retarget", "small_rigs"),
)


def main(wanted: list[str]) -> int:
    failed = 0
    for name in wanted or NAMES:
        print(f"== {name}", flush=True)
        run = subprocess.run(
            [sys.executable, "-P", "-m", f"retro_anim.benchmarks.{name}"],
            capture_output=True,
            text=True,
            check=False,
        )
        shown = [line for line in run.stdout.splitlines() if not line.startswith(("Info:", "Warning:"))]
        print("\n".join(shown if run.returncode == 0 else [*shown, *run.stderr.strip().splitlines()[-1:]]), flush=True)
        failed += run.returncode != 0 and "no game data" not in run.stderr
    return 1 if failed else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
