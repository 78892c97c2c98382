"""What messages call an option: it is read in a window or on a command line."""

from retro_anim.core.declare.naming import by_flags, called
from retro_anim.core.declare.options import declared
from retro_anim.core.declare.shared import ExportOptions, ImportOptions


def test_the_window_says_the_label_and_the_command_line_the_flag() -> None:
    replace, skeleton = declared(ExportOptions)["overwrite"], declared(ImportOptions)["skeleton"]
    assert [called(replace), called(skeleton)] == ["Replace Anyway", "Skeleton"]
    with by_flags():
        assert [called(replace), called(skeleton)] == ["--overwrite", "--skeleton"]
    assert called(replace) == "Replace Anyway"


def test_what_has_no_flag_keeps_its_label() -> None:
    dry = declared(ExportOptions)["dry_run"]
    with by_flags():
        assert called(dry) == (dry.flag or "Dry Run")
