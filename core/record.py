"""The base of what is declared: frozen dataclasses without generated methods, which would take longer than all else of Blender's start."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field
from inspect import get_annotations
from typing import Any, ClassVar, NoReturn, Self, cast, dataclass_transform


class _Fields:
    """What dataclasses keep of a class, made when somebody asks for it: most records are made and read alone."""

    def __get__(self, _record: object, kind: type[Record]) -> dict[str, Field[Any]]:
        for name, item in fields_of(kind, inherited=False).items():
            setattr(kind, name, item)
        dataclass(init=False, repr=False, eq=False)(kind)
        return vars(kind)["__dataclass_fields__"]


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Record:
    """A class below it is a dataclass, by its annotations: made by position or name, frozen, equal where its values are."""

    _own: ClassVar[dict[str, Field[Any]]] = {}
    _items: ClassVar[dict[str, Field[Any]]] = {}
    _given: ClassVar[tuple[str, ...]] = ()
    _defaults: ClassVar[dict[str, Any]] = {}
    _factories: ClassVar[dict[str, Any]] = {}

    def __init_subclass__(cls, **details: Any) -> None:
        super().__init_subclass__(**details)
        if cls.__doc__ is None:
            cls.__doc__ = ""  # else dataclasses make one, which takes long
        cls._own = {name: _declared(cls, name) for name, kind in get_annotations(cls).items() if "ClassVar" not in str(kind)}
        above = [base._items for base in reversed(cls.__bases__) if issubclass(base, Record)]
        cls._items = {name: item for each in (*above, cls._own) for name, item in each.items()}
        cls._given = tuple(name for name, item in cls._items.items() if item.init)
        cls._defaults = {name: item.default for name, item in cls._items.items() if item.default is not MISSING}
        cls._factories = {name: item.default_factory for name, item in cls._items.items() if item.default_factory is not MISSING}
        cls.__dataclass_fields__ = _FIELDS

    def __init__(self, *values: Any, **named: Any) -> None:
        own = self.__dict__
        own.update(self._defaults)
        own.update(zip(self._given, values, strict=False))
        own.update(named)
        for name, factory in self._factories.items():
            if name not in own:
                own[name] = factory()
        given = self._given
        if len(own) != len(self._items) or len(values) > len(given) or (named and not named.keys() <= set(given[len(values) :])):
            self._refuse(values, named)
        self.__post_init__()

    def _refuse(self, values: tuple[Any, ...], named: dict[str, Any]) -> NoReturn:
        kind = type(self).__name__
        if len(values) > len(self._given):
            raise TypeError(f"{kind} takes at most {len(self._given)} arguments, not {len(values)}")
        for name in named:
            if name not in self._given[len(values) :]:
                raise TypeError(f"{kind} has {name!r} twice" if name in self._given else f"{kind} has no {name!r}")
        raise TypeError(f"{kind} needs {', '.join(name for name in self._items if name not in self.__dict__)}")

    def __post_init__(self) -> None:
        """For classes that check what they were given."""

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __repr__(self) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={self.__dict__[name]!r}' for name in self._items)})"

    def _values(self) -> tuple[Any, ...]:
        return tuple(self.__dict__[name] for name in self._items)

    def but(self, **values: Any) -> Self:
        """The same record with other values, as dataclasses.replace makes it, for which dataclasses would look at the whole class first."""
        return type(self)(**{**{name: self.__dict__[name] for name in self._given}, **values})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and type(other) is type(self) and other._values() == self._values()

    def __hash__(self) -> int:
        return hash(self._values())


_FIELDS: Any = _Fields()


def fields_of(kind: type[Record], inherited: bool = True) -> Mapping[str, Field[Any]]:
    """The fields of a class, and of those above it where they are wanted, by name, in their order. Their own `name` is empty until
    dataclasses are asked."""
    return kind._items if inherited else kind._own  # pyright: ignore[reportPrivateUsage]


def _declared(kind: type[Record], name: str) -> Field[Any]:
    """The field behind an annotation; the class keeps its default, as a dataclass does."""
    value = vars(kind).get(name, MISSING)
    item = cast("Field[Any]", value) if isinstance(value, Field) else field(default=value)
    if item is value:
        if item.default is MISSING:
            delattr(kind, name)
        else:
            setattr(kind, name, item.default)
    return item
