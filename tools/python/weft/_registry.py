"""What configs can say: every key with its type, unit, range and help, and every kind there is, from the program."""

from __future__ import annotations

import functools
import json
from typing import TYPE_CHECKING, Any

from . import _program
from ._errors import Error, nearest

if TYPE_CHECKING:
    import pandas as pd


@functools.lru_cache(maxsize=4)
def _described(program: str) -> dict[str, Any]:
    return json.loads(_program.call(["describe", "--json", "-"]))


def described() -> dict[str, Any]:
    """`weft describe --json`, asked once for each program."""
    return _described(_program.program())


def path_keys() -> frozenset[str]:
    """Keys that name input files."""
    return frozenset(row["key"] for row in described()["settings"] if row["path"])


class Key(str):
    """A key of a config: a str such as "router.queue_packets" that knows what it is. `type`, `unit`, `default`,
    `least`, `most` (numbers, or None), `choices` (list or None), `kinds` (that declare it; empty: everybody's),
    `help`."""

    type: str
    unit: str
    default: Any
    least: float | None
    most: float | None
    choices: list[str] | None
    kinds: list[str]
    help: str

    @classmethod
    def of(cls, row: dict[str, Any]) -> Key:
        key = cls(row["key"])
        for name in ("type", "unit", "default", "least", "most", "choices", "kinds", "help"):
            setattr(key, name, row[name])
        return key

    def _repr_pretty_(self, printer: Any, cycle: bool) -> None:
        printer.text(self.explained())

    def explained(self) -> str:
        """Key, type, range, default and help as text."""
        range_ = ", ".join(self.choices) if self.choices else "" if self.least is None and self.most is None else \
            f"{'' if self.least is None else self.least}..{'' if self.most is None else self.most}"
        facts = ", ".join(text for text in (self.type, f"{range_} {self.unit}".strip()) if text)
        return f"{self}\n    {facts}; default {self.default}\n    {self.help}"


class _Names:
    """Things by name: attributes (dashes as underscores) for completion, and [] by the name itself."""

    def __init__(self, what: str, items: dict[str, Any]) -> None:
        self._what = what
        self._items = items

    def __getattr__(self, name: str) -> Any:
        if name.startswith("_"):
            raise AttributeError(name)
        for known, item in self._items.items():
            if known.replace("-", "_") == name:
                return item
        raise AttributeError(f"{self._what} has no '{name}'; {nearest(name, self._items)}")

    def __getitem__(self, name: str) -> Any:
        if name not in self._items:
            raise KeyError(f"{self._what} has no '{name}'; {nearest(name, self._items)}")
        return self._items[name]

    def __dir__(self) -> list[str]:
        return [*(name.replace("-", "_") for name in self._items), *object.__dir__(self)]

    def __iter__(self) -> Any:
        return iter(self._items)

    def __len__(self) -> int:
        return len(self._items)

    def __contains__(self, name: object) -> bool:
        return name in self._items

    def _ipython_key_completions_(self) -> list[str]:
        return list(self._items)

    def __repr__(self) -> str:
        return f"<{self._what}: {', '.join(self._items)}>"


class Keys(_Names):
    """The keys of a table, or the tables of a config; `frame()` has all of them with what they are."""

    def frame(self) -> pd.DataFrame:
        """A row for each key: key, type, unit, default, least, most, choices, kinds, help."""
        from ._hdf5 import _pandas

        keys: list[Key] = []
        for item in self._items.values():
            keys += item._items.values() if isinstance(item, Keys) else [item]
        columns = ("type", "unit", "default", "least", "most", "choices", "kinds", "help")
        return _pandas().DataFrame([{"key": str(key)} | {name: getattr(key, name) for name in columns} for key in keys])


class Kind(dict[str, Any]):
    """A registered kind: `name`, `help`, and as items what else a config must know of it (`keys`, `example`...)."""

    @property
    def name(self) -> str:
        return self["name"]

    @property
    def help(self) -> str:
        return self["help"]

    def __repr__(self) -> str:
        return f"<{self.name}: {self.help}>"


class Kinds(_Names):
    """The kinds of a registry by name, or all registries."""


def keys(table: str | None = None) -> Keys:
    """The keys of a table of the config (weft.keys("router")), or all tables: weft.keys().router.queue_packets is the
    Key "router.queue_packets". Throws Error for what is no table."""
    tables: dict[str, dict[str, Key]] = {}
    for row in described()["settings"]:
        tables.setdefault(row["table"] or "config", {})[row["name"]] = Key.of(row)
    if table is None:
        return Keys("the config", {name: Keys(f"[{name}]", rows) for name, rows in tables.items()})
    if table not in tables:
        raise Error(f"the config has no table [{table}]; {nearest(table, tables)}")
    return Keys(f"[{table}]", dict(tables[table]))


def kinds(what: str | None = None) -> Kinds:
    """The kinds of a registry ("topologies", "routers", "patterns", "kernels"...), by name: weft.kinds("routers"); or
    all registries: weft.kinds().topologies.torus. Throws Error for what is no registry."""
    registries = {name: Kinds(name, {entry["name"]: Kind(entry) for entry in entries})
                  for name, entries in described().items() if name not in ("settings", "tables")}
    if what is None:
        return Kinds("weft", dict(registries))
    if what not in registries:
        raise Error(f"there is no registry '{what}'; {nearest(what, registries)}")
    return registries[what]


def schema() -> dict[str, Any]:
    """JSON schema (draft 7) of a config: what editors complete and check by. `weft describe --schema FILE` writes
    it."""
    return json.loads(_program.call(["describe", "--schema", "-"]))
