"""The base of what is declared: frozen dataclasses without generated methods, which would take longer than all else of Blender's start."""

from __future__ import annotations

from dataclasses import MISSING, FrozenInstanceError, dataclass, field, fields
from typing import Any, ClassVar, NoReturn, cast, dataclass_transform


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Record:
    """A class below it is a dataclass, by its annotations: made by position or name, frozen, equal where its values are."""

    _names: ClassVar[tuple[str, ...]] = ()
    _given: ClassVar[tuple[str, ...]] = ()
    _defaults: ClassVar[dict[str, Any]] = {}
    _factories: ClassVar[dict[str, Any]] = {}

    def __init_subclass__(cls, **details: Any) -> None:
        super().__init_subclass__(**details)
        if cls.__doc__ is None:
            cls.__doc__ = ""  # else dataclasses make one, which takes long
        dataclass(init=False, repr=False, eq=False)(cls)
        items = fields(cast(Any, cls))
        cls._names = tuple(item.name for item in items)
        cls._given = tuple(item.name for item in items if item.init)
        cls._defaults = {item.name: item.default for item in items if item.default is not MISSING}
        cls._factories = {item.name: item.default_factory for item in items if item.default_factory is not MISSING}

    def __init__(self, *values: Any, **named: Any) -> None:
        own = self.__dict__
        own.update(self._defaults)
        own.update(zip(self._given, values, strict=False))
        own.update(named)
        for name, factory in self._factories.items():
            if name not in own:
                own[name] = factory()
        given = self._given
        if len(own) != len(self._names) or len(values) > len(given) or (named and not named.keys() <= set(given[len(values) :])):
            self._refuse(values, named)
        self.__post_init__()

    def _refuse(self, values: tuple[Any, ...], named: dict[str, Any]) -> NoReturn:
        kind = type(self).__name__
        if len(values) > len(self._given):
            raise TypeError(f"{kind} takes at most {len(self._given)} arguments, not {len(values)}")
        for name in named:
            if name not in self._given[len(values) :]:
                raise TypeError(f"{kind} has {name!r} twice" if name in self._given else f"{kind} has no {name!r}")
        raise TypeError(f"{kind} needs {', '.join(name for name in self._names if name not in self.__dict__)}")

    def __post_init__(self) -> None:
        """For classes that check what they were given."""

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __repr__(self) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={self.__dict__[name]!r}' for name in self._names)})"

    def _values(self) -> tuple[Any, ...]:
        return tuple(self.__dict__[name] for name in self._names)

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and type(other) is type(self) and other._values() == self._values()

    def __hash__(self) -> int:
        return hash(self._values())
