"""Pictures of characters in the browser: a second Blender without a window draws what is in view, a thread waits for it, and a timer takes
over what is finished."""

from __future__ import annotations

import threading
import time
from collections import deque
from pathlib import Path
from typing import Any, NamedTuple

import bpy

from ...core.declare.game import Game
from ..shared import preferences

_ICON = 32
"""Pixels of a side of what stands in a line."""

_PAUSE = 0.25
"""Seconds from one look for finished pictures to the next, at least: each draws the window again."""

_SOON = 0.02
"""Seconds until the thread begins with what a drawn window asks for: while it is drawn, each line of it would wait for a thread that runs
Python."""

_REST = 9
"""Times as long as that drawing took, until the next: without a graphics card it takes long whatever is drawn, and pictures shall not have
more than a tenth of the window's time ..."""

_LONGEST = 1.0
"""... but for windows that are so slow that nobody would wait for the next pictures: so many seconds at most."""

_BUDGET = 0.008
"""Seconds that finished pictures may take of a frame."""


class Wanted(NamedTuple):
    """game: its id. path, option, key: what an import would take. folder: where pictures are kept."""

    game: str
    path: str
    option: str
    key: str
    folder: str


_lock = threading.Lock()
_previews: Any = None
_waiting: list[list[Wanted]] = []
"""By what came into view together: the last ones are drawn first, from the top on."""

_finished: deque[tuple[Wanted, Any]] = deque()
_thread: threading.Thread | None = None
_process: list[Any] = []
"""The second Blender, from the first picture on that is not there yet, until the browser is closed."""

_open = threading.Event()
"""Whether a browser is: without one the second Blender is not started, which nobody would end."""

_AGAIN = object()
"""Instead of pixels: of a picture that the browser was closed before; it is asked for again when one opens."""

_region: list[Any] = []
"""The region of the browser that is open, to be drawn again."""

_asked: list[float] = []
"""When it was asked to be, until it is."""


def icon(context: bpy.types.Context, game: Game, path: str, option: str, key: str) -> int:
    """Blender's number of a picture; transparent until it is there, 0 where there are none."""
    folder = preferences.picture_folder(context)
    if bpy.app.background or not folder:
        return 0
    wanted = Wanted(game.id, path, option, key, folder)
    name = "\n".join(wanted)
    previews = _all_previews()
    if name not in previews:
        preview = previews.new(name)
        preview.image_size = preview.icon_size = (1, 1)
        with _lock:
            if not _waiting:
                _waiting.append([])
            _waiting[-1].append(wanted)
        _start()
    return previews[name].icon_id


def shown_in(context: Any) -> None:
    """The browser is drawn in this region; to be called whenever it draws."""
    region = getattr(context, "region_popup", None)
    _region[:] = [region] if region is not None else []
    with _lock:
        _open.set()
        _waiting.append([])


def closed() -> None:
    """The browser is gone: what nobody has seen yet is not drawn, and asked for again when it opens."""
    _region.clear()
    _end()
    with _lock:
        left, _waiting[:] = [wanted for group in _waiting for wanted in group], []
    for wanted in left:
        _forget(wanted)


def _forget(wanted: Wanted) -> None:
    """It is asked for again when it comes into view."""
    if _previews is not None and "\n".join(wanted) in _previews:
        del _previews["\n".join(wanted)]


def _all_previews() -> Any:
    global _previews
    if _previews is None:
        from bpy.utils import previews

        _previews = previews.new()
    return _previews


def _start() -> None:
    """Not at once: see `_SOON`."""
    if not bpy.app.timers.is_registered(_take):
        _asked.clear()  # opening a file ends timers
        bpy.app.timers.register(_take, first_interval=_SOON)


def _go_on() -> None:
    global _thread
    if _thread is None or not _thread.is_alive():
        _thread = threading.Thread(target=_draw_all, name="pictures", daemon=True)
        _thread.start()


def _draw_all() -> None:
    """In the thread, until nothing is waiting."""
    from ...core.games import GAMES
    from ...core.reporting.errors import FormatError
    from ...io.pipeline import pictures

    while (wanted := _next()) is not None:
        try:
            try:
                pixels = pictures.kept(GAMES[wanted.game], wanted.path, wanted.option, wanted.key, Path(wanted.folder))
            except FormatError:
                pixels = _elsewhere(wanted)
        except Exception as error:  # noqa: BLE001 - a picture is not worth more than a line in the console
            pixels = None if _open.is_set() else _AGAIN
            if pixels is None:
                print(f"no picture of {wanted.path}, {wanted.key}: {error!r}")
        _finished.append((wanted, pixels))


def _next() -> Wanted | None:
    """What is drawn next; None where nothing is waiting."""
    with _lock:
        while _waiting:
            if _waiting[-1]:
                return _waiting[-1].pop(0)
            _waiting.pop()
    return None


def _elsewhere(wanted: Wanted) -> Any:
    """Drawn by the second Blender, from the first one on: the window would wait for Python."""
    import base64

    from ...cli import workers
    from ...core.images import png

    with _lock:
        if not _open.is_set():
            return _AGAIN
        if not _process:
            _process.append(workers.Process([*workers.command(), "pictures", "--worker"]))
        process = _process[0]
        process.start()
    answer = process.do(wanted._asdict())
    return png.decode(base64.b64decode(answer)) if answer else None


def _end() -> None:
    """End the second Blender, which may take a moment."""
    with _lock:
        _open.clear()
        processes, _process[:] = list(_process), []
    for process in processes:
        threading.Thread(target=process.end, name="pictures end", daemon=True).start()


def _take() -> float | None:
    """On a timer: give Blender the pixels of what is finished. None where no more is to come."""
    if _asked:  # the window has been drawn since
        return min(max(_PAUSE, _REST * (time.perf_counter() - _asked.pop())), _LONGEST)
    until = time.perf_counter() + _BUDGET
    took = False
    while time.perf_counter() < until:
        try:
            wanted, pixels = _finished.popleft()
        except IndexError:
            break
        if pixels is _AGAIN:
            _forget(wanted)
            continue
        preview = _previews.get("\n".join(wanted)) if _previews is not None else None
        if preview is not None and pixels is not None:
            _fill(preview, pixels)
            took = True
    if took:
        for region in _region:
            region.tag_redraw()
    if any(_waiting):
        _go_on()
    if not (any(_waiting) or _finished or (_thread is not None and _thread.is_alive())):
        return None
    if took:
        _asked.append(time.perf_counter())
    return 0.0 if took else _PAUSE


def _fill(preview: Any, pixels: Any) -> None:
    """pixels: (S, S, 4), top row first."""
    import numpy as np

    size = len(pixels)
    step = size // _ICON
    weights = pixels[..., 3:].astype(np.float32)
    parts = (np.concatenate([pixels[..., :3] * weights, weights], axis=2)).reshape(_ICON, step, _ICON, step, 4).sum(axis=(1, 3))
    small = np.concatenate([parts[..., :3] / np.maximum(parts[..., 3:], 1), parts[..., 3:] / step**2], axis=2).astype(np.uint8)
    preview.image_size, preview.icon_size = (size, size), (_ICON, _ICON)
    preview.image_pixels.foreach_set(np.ascontiguousarray(pixels[::-1]).view(np.int32).ravel())
    preview.icon_pixels.foreach_set(np.ascontiguousarray(small[::-1]).view(np.int32).ravel())


def unregister() -> None:
    global _previews
    _waiting.clear()
    _region.clear()
    _asked.clear()
    _end()
    if bpy.app.timers.is_registered(_take):
        bpy.app.timers.unregister(_take)
    if _previews is not None:
        from bpy.utils import previews

        previews.remove(_previews)
        _previews = None
