"""Bone maps as JSON: a versioned file that people may read and edit. What is not as it should be is named, with its position."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Callable
from dataclasses import asdict
from typing import Any, TypeVar, cast, get_args

from ...reporting.errors import FormatError
from .bone_map import ROLES, BoneMap, Chain, ChainMode, Pair, PairOptions, RotationMode, Space

FORMAT = "retro_anim bone map"
VERSION = 1

_MOST = 20_000
"""Pairs or chains in a file, and bones in a chain."""

_LONGEST = 1024
"""Characters of a name or a note."""

_T = TypeVar("_T")
_FINGERPRINT = re.compile(r"[0-9a-f]{16}|")
_ODD = re.compile(r"[\x00-\x1f\x7f\ud800-\udfff]")


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
        document = json.loads(data.decode("utf-8-sig"), parse_constant=_no_number)
    except UnicodeDecodeError as error:
        raise FormatError("a bone map is UTF-8 text", error.start) from error
    except json.JSONDecodeError as error:
        raise FormatError(f"no JSON: {error.msg} in line {error.lineno}") from error
    except (ValueError, RecursionError) as error:
        raise FormatError("no JSON that a bone map could be") from error
    fields = _Fields(document, "the file")
    if fields.take("format", _text, "") != FORMAT:
        raise FormatError("this JSON is no bone map")
    version = fields.take("version", _whole, 0)
    if version != VERSION:
        raise FormatError(f"bone map of version {version}; this program knows version {VERSION}")
    prints = [fields.take(f"{figure}_fingerprint", _fingerprint, "") for figure in ("source", "target")]
    bone_map = BoneMap(
        tuple(_pair(row, f"pair {number}") for number, row in enumerate(fields.take("pairs", _list, []), 1)),
        tuple(_chain(row, f"chain {number}") for number, row in enumerate(fields.take("chains", _list, []), 1)),
        *prints,
    )
    fields.check_empty()
    _check(bone_map)
    return bone_map


class _Fields:
    """The fields of a JSON object, each taken once; `check_empty` complains of what is left."""

    def __init__(self, value: object, where: str) -> None:
        if not isinstance(value, dict):
            raise FormatError(f"{where} is no JSON object")
        self.left = dict(cast("dict[str, object]", value))
        self.where = where

    def take(self, name: str, read: Callable[[object], _T], default: _T) -> _T:
        if name not in self.left:
            return default
        try:
            return read(self.left.pop(name))
        except ValueError as error:
            raise FormatError(f"{name} of {self.where} {error}") from error

    def check_empty(self) -> None:
        if self.left:
            raise FormatError(f"{self.where} has a field {sorted(self.left)[0][:40]!r} that no bone map has")


def _pair(value: object, where: str) -> Pair:
    fields = _Fields(value, where)
    pair = Pair(
        fields.take("source", _name, ""),
        fields.take("target", _name, ""),
        fields.take("role", _one_of("", *ROLES), ""),
        fields.take("confidence", _part, 1.0),
        fields.take("note", _text, ""),
        _options(fields.left.pop("options", {}), where),
    )
    fields.check_empty()
    if not pair.source or not pair.target:
        raise FormatError(f"{where} names no {'target' if pair.source else 'source'}")
    return pair


def _options(value: object, where: str) -> PairOptions:
    fields = _Fields(value, f"options of {where}")
    usual = PairOptions()
    options = PairOptions(
        cast("Space", fields.take("space", _one_of(*get_args(Space)), usual.space)),
        cast("RotationMode", fields.take("turn", _one_of(*get_args(RotationMode)), usual.rotation)),
        fields.take("weight", _part, usual.weight),
        fields.take("offset", _angles, usual.offset),
        **{name: fields.take(name, _truth, False) for name in ("location", "scale", "distribute", "tail")},
    )
    fields.check_empty()
    return options


def _chain(value: object, where: str) -> Chain:
    fields = _Fields(value, where)
    chain = Chain(
        fields.take("source", _names, ()),
        fields.take("target", _names, ()),
        fields.take("name", _text, ""),
        cast("ChainMode", fields.take("mode", _one_of(*get_args(ChainMode)), "INTERPOLATED")),
        fields.take("confidence", _part, 1.0),
        fields.take("note", _text, ""),
    )
    fields.check_empty()
    if not chain.source or not chain.target:
        raise FormatError(f"{where} has no bones on one side")
    return chain


def _check(bone_map: BoneMap) -> None:
    """No target bone follows twice."""
    targets: set[str] = set()
    for name in [*(pair.target for pair in bone_map.pairs), *(name for chain in bone_map.chains for name in chain.target)]:
        if name in targets:
            raise FormatError(f"the target bone {name} is in more than one pair or chain")
        targets.add(name)


def _no_number(choice: str) -> float:
    raise ValueError(f"{choice} is no number")


def _text(value: object) -> str:
    if not isinstance(value, str) or len(value) > _LONGEST or _ODD.search(value):
        raise ValueError(f"is no text of at most {_LONGEST} printable characters")
    return value


def _name(value: object) -> str:
    if not _text(value):
        raise ValueError("is empty")
    return _text(value)


def _names(value: object) -> tuple[str, ...]:
    return tuple(_name(one) for one in _list(value))


def _list(value: object) -> list[object]:
    if not isinstance(value, list) or len(cast("list[object]", value)) > _MOST:
        raise ValueError(f"is no list of at most {_MOST}")
    return cast("list[object]", value)


def _number(value: object) -> float:
    if isinstance(value, bool) or not isinstance(value, (int, float)) or abs(value) > 1e6 or math.isnan(value):
        raise ValueError("is no number")
    return float(value)


def _whole(value: object) -> int:
    if int(_number(value)) != value:
        raise ValueError("is no whole number")
    return int(_number(value))


def _part(value: object) -> float:
    if not 0.0 <= _number(value) <= 1.0:
        raise ValueError("is not from 0 to 1")
    return _number(value)


def _angles(value: object) -> tuple[float, float, float]:
    x, y, z = (_number(one) for one in _list(value)) if len(_list(value)) == 3 else _wrong("is not three angles")
    return x, y, z


def _wrong(problem: str) -> tuple[float, float, float]:
    raise ValueError(problem)


def _truth(value: object) -> bool:
    if not isinstance(value, bool):
        raise ValueError("is neither true nor false")
    return value


def _one_of(*choices: str) -> Callable[[object], str]:
    def read(value: object) -> str:
        if value not in choices:
            raise ValueError(f"is none of {', '.join(choice for choice in choices[:6] if choice)}{', …' if len(choices) > 6 else ''}")
        return cast("str", value)

    return read


def _fingerprint(value: object) -> str:
    if not isinstance(value, str) or not _FINGERPRINT.fullmatch(value):
        raise ValueError("is not 16 hexadecimal digits")
    return value
