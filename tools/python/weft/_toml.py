"""Values and whole configs as TOML text: what a dict in Python is to the program."""

from __future__ import annotations

import json
import math
import re
from collections.abc import Mapping
from typing import Any

from ._errors import Error

_BARE = re.compile(r"[A-Za-z0-9_-]+")


def plain(value: Any) -> Any:
    """The same value of Python's own types: scalars and arrays of NumPy, tuples, ranges and paths become what TOML
    has."""
    if isinstance(value, Mapping):
        return {str(key): plain(item) for key, item in value.items()}
    if hasattr(value, "tolist") and not isinstance(value, (str, bytes)):
        return plain(value.tolist())
    if isinstance(value, (list, tuple, range)):
        return [plain(item) for item in value]
    if hasattr(value, "__fspath__"):
        return value.__fspath__()
    return value


def value_text(value: Any, key: str = "") -> str:
    """A value as TOML writes it. Throws Error for what no setting can be."""
    value = plain(value)
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, int):
        return str(value)
    if isinstance(value, float):
        if not math.isfinite(value):
            raise Error(f"{key or 'a value'} = {value} is no value of a setting (not a finite number); give a number")
        return repr(value)
    if isinstance(value, str):
        return json.dumps(value, ensure_ascii=False).replace("\x7f", "\\u007f")
    if isinstance(value, list):
        return "[" + ", ".join(value_text(item, key) for item in value) + "]"
    if isinstance(value, dict):
        return "{" + ", ".join(f"{_key(name)} = {value_text(item, key)}" for name, item in value.items()) + "}"
    raise Error(
        f"{key or 'a value'} = {value!r} is of type {type(value).__name__} (a setting is a number, a text, true or "
        "false, or a list of these); convert it")


def _key(name: str) -> str:
    return name if _BARE.fullmatch(name) else json.dumps(name)


def put(config: dict[str, Any], key: str, value: Any, once: bool = False) -> None:
    """Sets a dotted key of a nested config; None takes the key out. `once`: another value that is there is an Error."""
    *tables, last = key.split(".")
    at = config
    for table in tables:
        inner = at.setdefault(table, {})
        if isinstance(inner, list) and len(inner) == 1 and isinstance(inner[0], dict):
            inner = inner[0]
        if not isinstance(inner, dict):
            raise Error(f"{key}: {table} is a value or a list of tables in this config, not a table; change the config")
        at = inner
    if value is None:
        at.pop(last, None)
    elif once and last in at and at[last] != value:
        raise Error(f"{key} is given twice, as {at[last]!r} and as {value!r}; remove one of them")
    else:
        at[last] = value


def nested(config: Mapping[str, Any]) -> dict[str, Any]:
    """A config whose keys may be dotted ("topology.kind") and whose values may be None (left out), as nested tables."""
    result: dict[str, Any] = {}
    for key, value in plain(config).items():
        if isinstance(value, dict):
            for name, item in nested(value).items():
                if isinstance(item, dict) and isinstance(result.get(key), dict) and name in result[key]:
                    for inner, one in item.items():
                        put(result, f"{key}.{name}.{inner}", one, once=True)
                else:
                    put(result, f"{key}.{name}", item, once=True)
            if not value:
                result.setdefault(key, {})
        elif isinstance(value, list) and value and all(isinstance(item, dict) for item in value):
            result[key] = [nested(item) for item in value]
        else:
            put(result, key, value, once=True)
    return result


def config_text(config: Mapping[str, Any]) -> str:
    """A whole config as TOML."""
    lines: list[str] = []
    _table(nested(config), "", lines)
    return "\n".join(lines).lstrip("\n") + "\n"


def _table(table: Mapping[str, Any], path: str, lines: list[str]) -> None:
    inner = []
    for name, value in table.items():
        if isinstance(value, dict) or (isinstance(value, list) and value and isinstance(value[0], dict)):
            inner.append((name, value))
        else:
            lines.append(f"{_key(name)} = {value_text(value, path + name)}")
    for name, value in inner:
        for item in value if isinstance(value, list) else [value]:
            heading = f"[[{path}{_key(name)}]]" if isinstance(value, list) else f"[{path}{_key(name)}]"
            lines += ["", heading]
            _table(item, f"{path}{_key(name)}.", lines)
