"""The properties that scripts and presets know by name: their names, types and values stay."""

from __future__ import annotations

from typing import Any

import bpy
import pytest

OPS: Any = bpy.ops
BOTH = {"filepath": "STRING", "filter_glob": "STRING"}
EVERY_IMPORT = {
    **BOTH,
    "directory": "STRING",
    "files": "COLLECTION",
    "ask": "BOOLEAN",
    "started": "BOOLEAN",
    "entries": "STRING",
    "skeleton": "STRING",
    "scale": "FLOAT",
    "bone_direction": "GAME CHILD",
    "bone_names": "GAME KNOWN",
    "fps_mode": "AUTO KEEP SET",
    "assets": "BOOLEAN",
    "frame_start": "FLOAT",
}
EVERY_EXPORT = {
    **BOTH,
    "check_existing": "BOOLEAN",
    "collection": "STRING",
    "source": "ACTIVE SELECTED ALL TICKED SCENE NLA MARKERS",
    "sampling": "KEYS VISUAL",
    "fps_from": "SCENE IMPORT",
    "overwrite": "BOOLEAN",
    "dry_run": "BOOLEAN",
}
FEWER_KEYS = {"reduction": "AUTO NONE ANGLE DISTANCE", "max_angle": "FLOAT", "max_distance": "FLOAT", "shell": "FLOAT"}
FACING = "-Z +Z"
PROPERTIES: dict[str, dict[str, str]] = {
    "import_anim.lba": {
        **EVERY_IMPORT,
        "root_motion": "OBJECT BONE NONE",
        "entities": "STRING",
        "body": "INT",
        "palette": "STRING",
        "file3d": "STRING",
        "names": "STRING",
        "look": "PLAIN GAME",
        "game": "auto lba1 lba2",
    },
    "import_anim.oni": {
        **EVERY_IMPORT,
        "root_motion": "BONE OBJECT NONE",
        "detail": "INT",
        "pieces": "ONE SEPARATE NONE",
        "target": "EMPTY CAMERA ACTIVE",
        "keys": "GAME EVERY",
    },
    "import_anim.oni2": {
        **EVERY_IMPORT,
        "root_motion": "BONE OBJECT NONE",
        "mesh": "STRING",
        "limits": "BOOLEAN",
        "order": "FILE BONE GROUPED",
        "offset": "REPLACE ADD",
        "scale_channels": "APPLY IGNORE",
        "facing": FACING,
        "beta": "BOOLEAN",
    },
    "import_anim.mindpower": {
        **EVERY_IMPORT,
        "parts": "STRING",
        "table": "STRING",
        "action_type": "INT",
        "actions": "RANGES TIMELINE",
        "helper_bones": "BOOLEAN",
    },
    "export_anim.lba": {
        **EVERY_EXPORT,
        **FEWER_KEYS,
        "reduction": "AUTO NONE ANGLE DISTANCE FIT",
        "entry": "STRING",
        "step": "FLOAT",
        "game": "auto lba1 lba2",
    },
    "export_anim.oni": {**EVERY_EXPORT, **FEWER_KEYS, "entry": "STRING", "reduction": "AUTO NONE ANGLE DISTANCE FIT"},
    "export_anim.oni2": {
        **EVERY_EXPORT,
        "kind": "AUTO ANI1 ani null",
        "deltas": "AUTO WRITE LEAVE",
        "normals": "KEEP NEW",
        "facing": FACING,
    },
    "export_anim.mindpower": {
        **EVERY_EXPORT,
        "key_type": "AUTO QUAT MAT43 MAT44",
        "table": "STRING",
        "with_meshes": "BOOLEAN",
        "normals": "KEEP NEW",
    },
}
DEFAULTS: dict[str, dict[str, Any]] = {
    "import_anim.lba": {
        "scale": 0.001,
        "fps_mode": "AUTO",
        "bone_direction": "CHILD",
        "root_motion": "OBJECT",
        "bone_names": "GAME",
        "game": "auto",
        "frame_start": 1.0,
    },
    "import_anim.oni": {"scale": 0.1, "fps_mode": "AUTO", "root_motion": "BONE", "detail": 4, "pieces": "ONE"},
    "import_anim.oni2": {"scale": 1.0, "fps_mode": "AUTO", "root_motion": "BONE", "order": "FILE", "offset": "REPLACE"},
    "import_anim.mindpower": {"scale": 1.0, "fps_mode": "AUTO", "bone_direction": "CHILD", "actions": "RANGES", "action_type": 0},
    "export_anim.lba": {"source": "ACTIVE", "sampling": "KEYS", "step": 0.0, "reduction": "AUTO", "max_distance": 25.0},
    "export_anim.oni": {"source": "ACTIVE", "reduction": "AUTO", "max_distance": 0.05, "shell": 1.0},
    "export_anim.oni2": {"source": "ACTIVE", "kind": "AUTO", "deltas": "AUTO", "normals": "KEEP"},
    "export_anim.mindpower": {"source": "ALL", "key_type": "AUTO", "with_meshes": False, "normals": "KEEP"},
}
PROPERTIES |= {f"{name}_choose": {**PROPERTIES[name], "from_list": "BOOLEAN"} for name in list(PROPERTIES) if name.startswith("import_")}


def properties(operator: str) -> Any:
    category, _, name = operator.partition(".")
    return getattr(getattr(OPS, category), name).get_rna_type().properties


@pytest.mark.parametrize("operator", PROPERTIES)
def test_properties(addon: Any, operator: str) -> None:
    known = {
        prop.identifier: " ".join(prop.enum_items.keys()) if prop.type == "ENUM" else prop.type
        for prop in properties(operator)
        if prop.identifier != "rna_type"
    }
    assert known == PROPERTIES[operator]


@pytest.mark.parametrize("operator", DEFAULTS)
def test_defaults(addon: Any, operator: str) -> None:
    known = properties(operator)
    assert {name: known[name].default for name in DEFAULTS[operator]} == pytest.approx(DEFAULTS[operator])


def test_what_is_about_one_file_is_not_remembered(addon: Any) -> None:
    known = properties("import_anim.lba")
    assert [name for name in PROPERTIES["import_anim.lba"] if known[name].is_skip_save] == [
        "filepath",
        "directory",
        "files",
        "ask",
        "started",
        "entries",
        "skeleton",
        "entities",
        "body",
        "palette",
        "file3d",
        "names",
    ]


def test_a_number_at_its_limit_is_taken(addon: Any, part: Any) -> None:
    """Blender keeps it in single precision, a little beyond the limit."""
    declared, options = part("operators.shared.declared"), part("core.lba.game").ImportOptions
    values = dict.fromkeys(part("core.declare.options").declared(options), "")
    owner = type("Owner", (), values | {"scale": 9.999999974752427e-07, "frame_start": 1.0})
    assert declared.values(options, owner)["scale"] == 1e-6


@pytest.mark.parametrize("name", [name for name in PROPERTIES if name.startswith("export_anim.")])
def test_neither_a_preset_nor_the_last_run_has_the_file_of_an_export(name: str) -> None:
    """A preset that is chosen for another character, or in a collection's exporter, would send its clips into the old file."""
    category, _, operator = name.partition(".")
    filepath = getattr(getattr(OPS, category), operator).get_rna_type().properties["filepath"]
    assert filepath.is_skip_save and filepath.is_skip_preset
