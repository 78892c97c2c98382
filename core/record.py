"""The base of what is declared: frozen dataclasses without generated methods, which would take longer than all else of Blender's start;
and dataclasses of which there are thousands."""

from __future__ import annotations

from dataclasses import MISSING, Field, FrozenInstanceError, dataclass, field
from typing import Any, ClassVar, NoReturn, Self, TypeVar, cast, dataclass_transform

KindT = TypeVar("KindT")


class _Fields:
    """What dataclasses keep of a class, made when somebody asks for it: most records are made and read alone."""

    def __get__(self, _record: object, kind: type[Record]) -> dict[str, Field[Any]]:
        if "_items" not in vars(kind):
            kind._look()  # pyright: ignore[reportPrivateUsage]
        for name in kind.__annotations__:
            item = kind._items.get(name)  # pyright: ignore[reportPrivateUsage]
            if isinstance(item, Field):
                setattr(kind, name, item)
        dataclass(init=False, repr=False, eq=False)(kind)
        return vars(kind)["__dataclass_fields__"]


@dataclass_transform(frozen_default=True, field_specifiers=(field,))
class Record:
    """A class below it is a dataclass, by its annotations: made by position or name, frozen, equal where its values are."""

    _items: ClassVar[dict[str, Any]] = {}
    """By the names of the fields, in their order: the default, a field of dataclasses where it was declared as one, or their MISSING."""

    _given: ClassVar[dict[str, None]] = {}
    _needed: ClassVar[frozenset[str]] = frozenset()
    _factories: ClassVar[dict[str, Any]] = {}

    def __init_subclass__(cls, **details: Any) -> None:
        super().__init_subclass__(**details)
        if cls.__doc__ is None:
            cls.__doc__ = ""  # else dataclasses make one, which takes long
        cls.__dataclass_fields__ = _FIELDS

    @classmethod
    def _look(cls) -> None:
        """Find its fields, with the first record: of most classes that are declared there is none while Blender starts."""
        items: dict[str, Any] = {}
        given: dict[str, None] = {}
        needed: set[str] = set()
        factories: dict[str, Any] = {}
        for base in reversed(cls.__bases__):
            if issubclass(base, Record):
                if "_items" not in vars(base):
                    base._look()
                items.update(base._items)
                given.update(base._given)
                needed.update(base._needed)
                factories.update(base._factories)
        for name, kind in cls.__annotations__.items():
            if "ClassVar" in str(kind):
                continue
            item = items[name] = vars(cls).get(name, MISSING)
            given[name] = None
            needed.add(name)
            factories.pop(name, None)
            if isinstance(item, Field):
                declared = cast("Field[Any]", item)
                cls._take(name, declared, given)
                if declared.default_factory is not MISSING:
                    factories[name] = declared.default_factory
        cls._items, cls._given, cls._factories = items, given, factories
        cls._needed = frozenset([name for name in needed if not hasattr(cls, name) and name not in factories])

    @classmethod
    def _take(cls, name: str, item: Field[Any], given: dict[str, None]) -> None:
        """The class keeps the default, as a dataclass does."""
        if not item.init:
            del given[name]
        if item.default is not MISSING:
            setattr(cls, name, item.default)
        else:
            delattr(cls, name)

    def __init__(self, *values: Any, **named: Any) -> None:
        if "_items" not in type(self).__dict__:
            self._look()
        own = self.__dict__  # without defaults, which are the class's
        own.update(zip(self._given, values, strict=False), **named)
        if len(own) != len(values) + len(named) or not self._given.keys() >= named.keys() or not own.keys() >= self._needed:
            self._refuse(values, named)
        for name, factory in self._factories.items():
            if name not in own:
                own[name] = factory()
        self.__post_init__()

    def _refuse(self, values: tuple[Any, ...], named: dict[str, Any]) -> NoReturn:
        kind = type(self).__name__
        if len(values) > len(self._given):
            raise TypeError(f"{kind} takes at most {len(self._given)} arguments, not {len(values)}")
        for name in named:
            if name not in [*self._given][len(values) :]:
                raise TypeError(f"{kind} has {name!r} twice" if name in self._given else f"{kind} has no {name!r}")
        raise TypeError(f"{kind} needs {', '.join(name for name in self._given if name in self._needed and name not in self.__dict__)}")

    def __post_init__(self) -> None:
        """For classes that check what they were given."""

    def __setattr__(self, name: str, value: Any) -> NoReturn:
        raise FrozenInstanceError(f"cannot assign to field {name!r}")

    def __delattr__(self, name: str) -> NoReturn:
        raise FrozenInstanceError(f"cannot delete field {name!r}")

    def __repr__(self) -> str:
        return f"{type(self).__qualname__}({', '.join(f'{name}={getattr(self, name)!r}' for name in self._items)})"

    def _values(self) -> tuple[Any, ...]:
        return tuple(getattr(self, name) for name in self._items)

    def but(self, **values: Any) -> Self:
        """The same record with other values, as dataclasses.replace makes it, for which dataclasses would look at the whole class first."""
        known = {name: value for name, value in self.__dict__.items() if name in self._given}
        return type(self)(**{**known, **values})

    def __eq__(self, other: object) -> bool:
        return isinstance(other, Record) and type(other) is type(self) and other._values() == self._values()

    def __hash__(self) -> int:
        return hash(self._values())


_FIELDS: Any = _Fields()


@dataclass_transform(eq_default=False, frozen_default=True, field_specifiers=(field,))
def numerous(kind: type[KindT]) -> type[KindT]:
    """A dataclass of which one import makes thousands, equal to itself alone. It is frozen for the checker of types only: a guard at run
    time takes three times as long as all else of making one."""
    return dataclass(eq=False)(kind)
