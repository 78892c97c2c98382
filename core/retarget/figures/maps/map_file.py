"""Bone maps as JSON: a versioned file that people may read and edit. What is not as it should be is named, with its position."""

from __future__ import annotations

import json
import re
from dataclasses import asdict
from typing import Any, cast, get_args

from ....reporting.errors import FormatError
from ..roles import ROLES
from .bone_map import BoneMap, Chain, ChainMode, Limb, LimbName, Pair, PairOptions, Reach, ReferencePose, RotationMode, Space
from .map_fields import (
    Fields,
    angles,
    bone,
    bones,
    factor,
    fingerprint,
    no_number,
    number,
    one_of,
    part,
    roles,
    rotations,
    rows,
    text,
    truth,
    whole,
)

FORMAT = "retro_anim bone map"
VERSION = 1


def pack(bone_map: BoneMap) -> bytes:
    """The map as UTF-8 JSON, a line for each pair and chain; what is at its default is left out."""
    head: dict[str, object] = {
        "format": FORMAT,
        "version": VERSION,
        "source_fingerprint": bone_map.source_fingerprint,
        "target_fingerprint": bone_map.target_fingerprint,
    }
    lines = [f"  {json.dumps(key)}: {json.dumps(value)}" for key, value in head.items()]
    lines.append(_rows("pairs", [_pair_row(pair) for pair in bone_map.pairs]))
    lines.append(_rows("chains", [_changed(asdict(chain), asdict(Chain((), ()))) for chain in bone_map.chains]))
    if bone_map.limbs:
        lines.append(_rows("limbs", [_changed(asdict(limb), asdict(Limb("hips")) | {"limb": ""}) for limb in bone_map.limbs]))
    if bone_map.poses:
        lines.append(_rows("poses", [_changed(asdict(pose), asdict(ReferencePose(""))) for pose in bone_map.poses]))
    return ("{\n" + ",\n".join(lines) + "\n}\n").encode()


_KEYS = {"rotation": "turn"}
"""The options whose key in the file is another than their name: files of the first version have it."""


def _rows(name: str, rows: list[dict[str, Any]]) -> str:
    inside = ",\n".join("    " + json.dumps(row, ensure_ascii=False) for row in rows)
    return f'  "{name}": [\n{inside}\n  ]' if rows else f'  "{name}": []'


def _pair_row(pair: Pair) -> dict[str, Any]:
    row = _changed(asdict(pair), asdict(Pair("", "")))
    if "options" in row:
        options = _changed(row["options"], asdict(PairOptions()))
        row["options"] = {_KEYS.get(name, name): value for name, value in options.items()}
    return row


def _changed(values: dict[str, Any], usual: dict[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in values.items() if value != usual[key]}


def parse(data: bytes) -> BoneMap:
    """Read such a file. Raises FormatError for anything else, a newer version, and maps that contradict themselves."""
    try:
        document = json.loads(data.decode("utf-8-sig"), parse_constant=no_number)
    except UnicodeDecodeError as error:
        raise FormatError("a bone map is UTF-8 text", error.start) from error
    except json.JSONDecodeError as error:
        raise FormatError(f"no JSON: {error.msg} in line {error.lineno}") from error
    except (ValueError, RecursionError) as error:
        raise FormatError("no JSON that a bone map could be") from error
    fields = Fields(document, "the file")
    if fields.take("format", text, "") != FORMAT:
        raise FormatError("this JSON is no bone map")
    version = fields.take("version", whole, 0)
    if version != VERSION:
        raise FormatError(f"bone map of version {version}; this program knows version {VERSION}")
    prints = [fields.take(f"{figure}_fingerprint", fingerprint, "") for figure in ("source", "target")]
    bone_map = BoneMap(
        tuple(_pair(row, f"pair {number}") for number, row in enumerate(fields.take("pairs", rows, []), 1)),
        tuple(_chain(row, f"chain {number}") for number, row in enumerate(fields.take("chains", rows, []), 1)),
        *prints,
        limbs=tuple(_limb(row, f"limb {number}") for number, row in enumerate(fields.take("limbs", rows, []), 1)),
        poses=tuple(_pose(row, f"pose {number}") for number, row in enumerate(fields.take("poses", rows, []), 1)),
    )
    fields.check_empty()
    _check(bone_map)
    return bone_map


def is_meant(data: bytes) -> bool:
    """Whether a file is a bone map, also one of a newer version, or with a mistake that somebody typed."""
    return re.match(rb"(\xef\xbb\xbf)?\s*\{", data) is not None and re.search(rb'"format"\s*:\s*"%b"' % FORMAT.encode(), data) is not None


def _pair(value: object, where: str) -> Pair:
    fields = Fields(value, where)
    pair = Pair(
        fields.take("source", bone, ""),
        fields.take("target", bone, ""),
        fields.take("role", one_of("", *ROLES), ""),
        fields.take("confidence", part, 1.0),
        fields.take("note", text, ""),
        _options(fields.left.pop("options", {}), where),
    )
    fields.check_empty()
    if not pair.source or not pair.target:
        raise FormatError(f"{where} names no {'target' if pair.source else 'source'}")
    return pair


def _options(value: object, where: str) -> PairOptions:
    fields = Fields(value, f"options of {where}")
    usual = PairOptions()
    options = PairOptions(
        cast("Space", fields.take("space", one_of(*get_args(Space)), usual.space)),
        cast("RotationMode", fields.take("turn", one_of(*get_args(RotationMode)), usual.rotation)),
        fields.take("weight", part, usual.weight),
        fields.take("offset", angles, usual.offset),
        **{name: fields.take(name, truth, False) for name in ("location", "scale", "distribute", "tail")},
    )
    fields.check_empty()
    return options


def _chain(value: object, where: str) -> Chain:
    fields = Fields(value, where)
    chain = Chain(
        fields.take("source", bones, ()),
        fields.take("target", bones, ()),
        fields.take("name", text, ""),
        cast("ChainMode", fields.take("mode", one_of(*get_args(ChainMode)), "INTERPOLATED")),
        fields.take("confidence", part, 1.0),
        fields.take("note", text, ""),
        fields.take("weight", part, 1.0),
        fields.take("roles", roles, {}),
        fields.take("source_roles", roles, {}),
    )
    fields.check_empty()
    if not chain.source or not chain.target:
        raise FormatError(f"{where} has no bones on one side")
    for side, known, members in (("target", chain.roles, chain.target), ("source", chain.source_roles, chain.source)):
        if strangers := known.keys() - set(members):
            raise FormatError(f"{where} gives {min(strangers)} a role, which is no bone of its {side}")
    return chain


def _limb(value: object, where: str) -> Limb:
    fields = Fields(value, where)
    limb = Limb(
        cast("LimbName", fields.take("limb", one_of(*get_args(LimbName)), "")),
        cast("Reach", fields.take("reach", one_of(*get_args(Reach)), "NONE")),
        fields.take("prop", text, ""),
        fields.take("strength", part, 1.0),
        fields.take("near", factor, 0.0),
        fields.take("stride", factor, 1.0),
        fields.take("stance", number, 0.0),
        fields.take("height", factor, 1.0),
    )
    fields.check_empty()
    if not limb.limb:
        raise FormatError(f"{where} names no limb")
    if limb.limb == "hips" and limb.reach != "NONE":
        raise FormatError(f"{where}: hips have no goal, but a height")
    return limb


def _pose(value: object, where: str) -> ReferencePose:
    fields = Fields(value, where)
    pose = ReferencePose(fields.take("name", bone, ""), fields.take("source", rotations, {}), fields.take("target", rotations, {}))
    fields.check_empty()
    if not pose.name:
        raise FormatError(f"{where} has no name")
    return pose


def _check(bone_map: BoneMap) -> None:
    """No target bone follows twice, and no limb or name of a pose is there twice."""
    targets: set[str] = set()
    for name in [*(pair.target for pair in bone_map.pairs), *(name for chain in bone_map.chains for name in chain.target)]:
        if name in targets:
            raise FormatError(f"the target bone {name} is in more than one pair or chain")
        targets.add(name)
    for kind, names in (("limb", [limb.limb for limb in bone_map.limbs]), ("pose", [pose.name for pose in bone_map.poses])):
        if len(set(names)) < len(names):
            raise FormatError(f"there are two of a {kind}: {next(name for name in names if names.count(name) > 1)}")
