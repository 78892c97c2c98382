"""`changes`: what an export of every clip in a .blend would do, without writing anything."""

from __future__ import annotations

import argparse

from ...core.reporting import log
from ...core.reporting.errors import RetroAnimError
from .. import blender, inputs
from ..report import note, show, show_json
from . import Commands


def add_to(commands: Commands) -> None:
    command = commands.add_parser("changes", help="what an export of every clip in a .blend would change; needs Blender")
    command.add_argument("file", type=inputs.one_file, metavar="FILE", help="a .blend")
    inputs.add_json(command)
    command.set_defaults(run=run)


def run(arguments: argparse.Namespace) -> int:
    blender.module()
    if not arguments.file.lower().endswith(".blend"):
        raise RetroAnimError(f"{arguments.file}: is no .blend")
    blender.load(arguments.file)
    from ...io.pipeline import changes
    from ...io.pipeline.out_of_blender import preview

    with log.collect() as said:
        listed = preview.what_would_change(blender.module().context, "SCENE")
    if arguments.json:
        show_json({"clips": [change.as_json() for change in listed]})
    else:
        for change in listed:
            show(change.line)
            for message in change.messages:
                show(f"    {message}")
        show(changes.Exported([], [], [], listed, [], dry=True).summary)
    spoken = {message for change in listed for message in change.messages}
    for message in said.of("WARNING", "ERROR"):
        if message.text not in spoken:
            note(str(message))
    return int(any(change.state == "refused" for change in listed))
