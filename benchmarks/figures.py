"""The figures that have a goal: each benchmark prints its own as lines of one form, which the table of all is made of."""

from __future__ import annotations

from typing import NamedTuple

_MARK = "goal: "


class Figure(NamedTuple):
    """what: was measured, against which yardstick. value, goal: times as long, or what `unit` says. least: whether more is better."""

    what: str
    value: float
    goal: float
    unit: str = "x"
    least: bool = False

    @property
    def reached(self) -> bool:
        return self.value >= self.goal if self.least else self.value <= self.goal


def show(what: str, value: float, goal: float, unit: str = "x", least: bool = False) -> None:
    """Print a figure."""
    print(f"{_MARK}{what} | {value:.2f} | {goal:g} | {unit} | {'least' if least else 'most'}", flush=True)


def read(text: str) -> list[Figure]:
    """The figures among what a benchmark has printed."""
    rows = [line.removeprefix(_MARK).split(" | ") for line in text.splitlines() if line.startswith(_MARK)]
    return [Figure(what, float(value), float(goal), unit, least == "least") for what, value, goal, unit, least in rows]


def table(columns: dict[str, list[Figure]]) -> str:
    """All figures of several Blenders side by side, those that miss their goal marked. columns: by the Blender's name."""
    known = {figure.what: figure for figures in columns.values() for figure in figures}
    values = {name: {figure.what: figure for figure in figures} for name, figures in columns.items()}
    rows = [f"{'':44} {'goal':>10}" + "".join(f"{name:>12}" for name in columns)]
    for what, first in known.items():
        cells = [_cell(values[name].get(what)) for name in columns]
        rows.append(f"{what:44} {f'{first.goal:g} {first.unit}':>10}" + "".join(f"{cell:>12}" for cell in cells))
    return "\n".join(rows)


def _cell(figure: Figure | None) -> str:
    return "-" if figure is None else f"{figure.value:.2f}{' ' if figure.reached else '!'}"
