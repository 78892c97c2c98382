"""The command line: `retro-anim` after pip install, `blender --command retro_anim` inside Blender."""

from __future__ import annotations

import os
import signal
import sys


def script() -> None:
    """`main` as a process of its own, which does not come back. With Blender's module loaded it ends at once: left to end by themselves
    some Blenders crash. It does so where it was stopped, too: Python would say that Ctrl-C was, if it came while text was run as code, as
    it is for a dataclass.

    Small matrices are what we invert, many at once. A numpy that shares out each of them among threads takes thirty times as long, and the
    threads then wait at full load."""
    if signal.getsignal(signal.SIGINT) is signal.default_int_handler:
        signal.signal(signal.SIGINT, signal.SIG_DFL)  # nothing has begun: Ctrl-C while modules are loaded ends it without a traceback
    os.environ.setdefault("OPENBLAS_NUM_THREADS", "1")  # read when numpy is loaded, which no module has done yet
    from ..core.reporting import ending
    from .main import STOPPED, main

    code = main()
    for number in ending.signals():
        signal.signal(number, signal.SIG_IGN)  # it has ended already, and its code says how
    if "bpy" in sys.modules or code > STOPPED:
        sys.stdout.flush()
        sys.stderr.flush()
        if "bpy" in sys.modules:
            _clear_up()
        os._exit(code)
    sys.exit(code)


def _clear_up() -> None:
    """Blender's folder for temporary files, which it would take along if it ended by itself."""
    import shutil
    from pathlib import Path

    own = Path(sys.modules["bpy"].app.tempdir)
    if own.name.startswith("blender_"):
        shutil.rmtree(own, ignore_errors=True)
