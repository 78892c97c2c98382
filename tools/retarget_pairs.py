"""Real pairs: every given clip onto eighteen characters, measured on the poses that Blender shows, with pictures to look at.

    PYTHONPATH=FOLDER_WITH_retro_anim python tools/retarget_pairs.py [--sources a,b] [--targets c,d] [--frames 400]

in a Python that has Blender's module. Which bone is what, and which way figures face, is written by hand in tests/support. Prints for each
pair, with Hold Feet off, the largest angle between the limbs of source and target, how far the hips' path and the yaw are off, and bones
that flip; with Hold Feet how much feet skate beside the source's; with goals by the body how far hands are off that; and what the report
says of it.
"""

from __future__ import annotations

import argparse
import os
import sys
from pathlib import Path

import bpy

ROOT = Path(__file__).resolve().parent.parent
sys.path.insert(0, str(ROOT / "tests"))

from retro_anim.core.reporting import log  # noqa: E402
from support.pairs.pair_sources import SOURCES  # noqa: E402
from support.pairs.pair_targets import TARGETS  # noqa: E402
from support.pairs.pairs import Measured, measure  # noqa: E402

DATA = Path(os.environ.get("RETRO_ANIM_GAME_DATA") or ROOT.parent / "shared" / "game_data")
LIMB, PATH, YAW, SKATE, HAND = 1e-3, 1e-4, 1e-2, 5e-3, 0.02
"""Degrees, leg lengths, degrees, leg lengths a second, leg lengths: more is marked."""


def faults(result: Measured) -> list[str]:
    """What is not as it should be."""
    checks = {
        "limbs": result.limbs > max(LIMB, result.rounding),
        "hips": result.hips > PATH,
        "yaw": abs(result.yaw) > YAW,
        "flips": bool(result.flips),
        "skate": result.skate > result.skate_source + SKATE,
        "hands": result.hands.missed > HAND or result.hands.bent > 0.01 or result.hands.aside > 1 or result.hands.misreported > 1e-3,
        "report": abs(result.reported[0] - result.limbs) > max(LIMB, result.rounding, 0.2 * result.limbs),
    }
    return [name for name, wrong in checks.items() if wrong]


def main() -> None:
    arguments = argparse.ArgumentParser(description=__doc__, formatter_class=argparse.RawDescriptionHelpFormatter)
    arguments.add_argument("--sources", default=",".join(SOURCES))
    arguments.add_argument("--targets", default=",".join(TARGETS))
    arguments.add_argument("--frames", type=int, default=400)
    arguments.add_argument("--reports", action="store_true", help="the whole report of each pair, too")
    given = arguments.parse_args()
    import retro_anim

    bpy.context.preferences.addons.new().module = "retro_anim"
    retro_anim.register()
    bad = count = 0
    for target in given.targets.split(","):
        for source in given.sources.split(","):
            if source == target:
                continue
            with log.collect():
                result = measure(SOURCES[source], TARGETS[target], DATA, given.frames)
            wrong = faults(result)
            bad, count = bad + bool(wrong), count + 1
            print(
                f"{','.join(wrong) or 'ok':12} {source:12} {target:12} limbs {result.limbs:9.5f}° ({result.worst}; report "
                f"{result.reported[0]:.5f}°)  hips {result.hips:.1e}  yaw {result.yaw:+.4f}° (turned {result.report_yaw:g}°)  skate "
                f"{result.skate_source:.3f} {result.skate:.3f}  flips {len(result.flips)} {' '.join(result.flips[:2])}  "
                f"hands {result.hands.missed:.4f} (without goals {result.hands.plain:.2f}), bent {result.hands.bent:.3f}, "
                f"aside {result.hands.aside:.2f}°, misreported {result.hands.misreported:.4f}  "
                f"{'good' if result.good else 'RED'}",
                flush=True,
            )
            if given.reports:
                print("".join(f"      {line}\n" for line in result.lines), end="")
    print(f"{count - bad} of {count} pairs as they should be")
    sys.stdout.flush()
    os._exit(0)


if __name__ == "__main__":
    main()
