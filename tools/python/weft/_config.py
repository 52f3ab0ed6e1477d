"""Configs as people give them: a path, TOML as text, or a dict; and the settings that change them."""

from __future__ import annotations

import os
import tomllib
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from typing import Any, Union

from ._errors import Error
from ._toml import config_text, nested, put, value_text

ConfigLike = Union[str, "os.PathLike[str]", Mapping[str, Any]]
Settings = Union[Mapping[str, Any], Iterable[str], None]


@dataclass
class ConfigFile:
    """A config as a file. `hidden`: paths of ours, and what messages call them."""

    path: str
    hidden: dict[str, str] = field(default_factory=dict)


def set_words(settings: Settings) -> list[str]:
    """--set key=value for each setting. Values are those of Python, or, in a list of texts, "key=value"."""
    if settings is None:
        return []
    if isinstance(settings, Mapping):
        pairs = [f"{key}={value_text(value, key)}" for key, value in settings.items()]
    elif isinstance(settings, str):
        pairs = [settings]
    else:
        pairs = list(settings)
    for pair in pairs:
        if not isinstance(pair, str) or "=" not in pair:
            raise Error(f"set: {pair!r} is no setting; give a dict such as {{'workload.offered_load': 0.3}}")
    return [word for pair in pairs for word in ("--set", pair)]


def check_type(config: object) -> None:
    """Throws Error for what is no config."""
    if not isinstance(config, (str, os.PathLike, Mapping)):
        raise Error(
            f"config = {config!r} is of type {type(config).__name__}; give the path of a config file, TOML as text, "
            "or a dict")


def is_text(config: ConfigLike) -> bool:
    """Whether a str is a config itself and not the path of one."""
    return isinstance(config, str) and ("\n" in config or "=" in config) and not os.path.exists(config)


def as_dict(config: ConfigLike) -> dict[str, Any]:
    """A config as nested tables, paths of input files made absolute, with what it includes; a dict need not say
    `format`. Throws Error."""
    check_type(config)
    if isinstance(config, Mapping):
        return _absolute({"format": 1} | nested(config), Path.cwd())
    if is_text(config):
        return _parsed(str(config), "config", Path.cwd())
    path = Path(os.path.abspath(os.fspath(config)))
    try:
        text = path.read_text(encoding="utf-8")
    except (OSError, UnicodeDecodeError) as problem:
        raise Error(f"{config}: cannot be read ({problem}); give a config file, TOML as text, or a dict", 2) from None
    return _parsed(text, str(config), path.parent)


def _parsed(text: str, name: str, folder: Path, depth: int = 0) -> dict[str, Any]:
    try:
        config = tomllib.loads(text)
    except tomllib.TOMLDecodeError as problem:
        raise Error(f"{name}: is no TOML ({problem}); mend it there", 2) from None
    includes = config.pop("include", [])
    merged: dict[str, Any] = {}
    for included in [includes] if isinstance(includes, str) else includes:
        path = folder / included
        if depth > 8 or not path.is_file():
            raise Error(f"{name}: include = '{included}' cannot be read; name a config file beside it", 2)
        _merge(merged, _parsed(path.read_text(encoding="utf-8"), str(path), path.parent, depth + 1))
    _merge(merged, _absolute(config, folder))
    return merged


def _merge(into: dict[str, Any], more: Mapping[str, Any]) -> None:
    for key, value in more.items():
        if isinstance(value, dict) and isinstance(into.get(key), dict):
            _merge(into[key], value)
        else:
            into[key] = value


def _candidates(table: Mapping[str, Any], folder: Path) -> bool:
    """Whether a text in the config could be a relative path: only then it is asked which keys are paths."""
    for value in table.values():
        if isinstance(value, dict):
            if _candidates(value, folder):
                return True
        elif isinstance(value, list):
            if any(isinstance(item, dict) and _candidates(item, folder) for item in value):
                return True
        elif isinstance(value, str) and value and not value.startswith("/"):
            if "/" in value or "." in value or (folder / value).exists():
                return True
    return False


def _absolute(config: dict[str, Any], folder: Path) -> dict[str, Any]:
    """The config with the input files that it names under absolute paths."""
    for key in ("include", "plugins"):
        if key in config:
            names = config[key]
            # A plug-in that is not there may be in a folder of WEFT_PLUGIN_PATH.
            config[key] = [str(folder / name) if key == "include" or (folder / name).exists() else name
                           for name in ([names] if isinstance(names, str) else names)]
    if not _candidates({key: value for key, value in config.items() if key not in ("include", "plugins")}, folder):
        return config
    from ._registry import path_keys

    paths = path_keys()

    def visit(table: dict[str, Any], prefix: str) -> None:
        for name, value in table.items():
            key = f"{prefix}{name}"
            if isinstance(value, dict):
                visit(value, key[4:] + "." if key.startswith("job.") else key + ".")
            elif isinstance(value, list):
                for item in value:
                    if isinstance(item, dict):
                        visit(item, f"{key}.")
            elif isinstance(value, str) and value and key in paths:
                table[name] = os.path.normpath(folder / value)

    visit(config, "")
    return config


def merged(config: Mapping[str, Any], settings: Mapping[str, Any]) -> dict[str, Any]:
    """A copy of a nested config with dotted settings put in; None takes a key out. Relative paths among the settings
    begin at the working directory."""
    import copy

    result = copy.deepcopy(dict(config))
    for key, value in nested_keys(settings):
        put(result, key, value)
    return _absolute(result, Path.cwd())


def nested_keys(settings: Mapping[str, Any]) -> list[tuple[str, Any]]:
    """(dotted key, value) of settings that may be nested."""
    pairs: list[tuple[str, Any]] = []
    for key, value in settings.items():
        if isinstance(value, Mapping):
            pairs += [(f"{key}.{name}", item) for name, item in nested_keys(value)]
        else:
            pairs.append((str(key), value))
    return pairs


def as_file(config: ConfigLike, folder: str) -> ConfigFile:
    """The config as a file that the program can read; what is no file yet is written into `folder`. Throws Error."""
    check_type(config)
    if not isinstance(config, Mapping) and not is_text(config):
        return ConfigFile(os.fspath(config))
    path = os.path.join(folder, "config.toml")
    if isinstance(config, Mapping):
        text = config_text(as_dict(config))
    else:
        text = str(config)
        try:
            table = tomllib.loads(text)
        except tomllib.TOMLDecodeError:
            table = {}  # the program says which line it is
        if "include" in table or "plugins" in table or _candidates(table, Path.cwd()):
            text = config_text(_absolute(table, Path.cwd()))
    with open(path, "w", encoding="utf-8") as file:
        file.write(text)
    return ConfigFile(path, {path: "config", folder + "/": ""})
