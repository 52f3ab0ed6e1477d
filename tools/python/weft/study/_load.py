"""Which studies there are, and the script of one."""

from __future__ import annotations

import importlib.util
import os
import sys
import tomllib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from .. import _program
from .._errors import Error, nearest
from .._points import slug
from ._runs import Place, Run


def roots() -> list[Path]:
    """Where the project's files may be: the source tree that the program was built in, what is installed with it, the
    tree of this package."""
    binary = Path(os.path.realpath(_program.program())).parent
    return [binary / "../../..", binary.parent / "share/weft", Path(__file__).resolve().parents[4]]


def folder() -> Path:
    """studies/: WEFT_STUDIES, else that of the first root that has one. Throws Error."""
    named = os.environ.get("WEFT_STUDIES")
    if named:
        if not Path(named).is_dir():
            raise Error(f"WEFT_STUDIES = '{named}' is no folder; set it to the folder studies of weft", 5)
        return Path(named).absolute()
    for root in roots():
        if next(root.glob("studies/*/study.py"), None) is not None:
            return (root / "studies").resolve()
    raise Error(
        f"no studies are found (neither in the source tree of '{_program.program()}' nor installed with it); set "
        "WEFT_STUDIES to the folder studies of weft", 5)


def names() -> list[str]:
    return sorted(path.parent.name for path in folder().glob("*/study.py"))


@dataclass
class Study:
    """A study: `title`, `source` and `page` of docs from its published.toml, and the functions of its study.py."""

    name: str
    folder: Path
    published: dict[str, Any]
    runs: Callable[[bool], Mapping[str, Run]]
    rows: Callable[..., list[Any]]
    choices: Callable[..., list[Any]] | None

    @property
    def title(self) -> str:
        return str(self.published["title"])

    def command(self, quick: bool) -> str:
        """What runs it, and goes on."""
        return f"weft study {self.name}{' --quick' if quick else ''}"

    def places(self, quick: bool, out: Path, version: str, reseed: int = 0) -> dict[str, Place]:
        """Its runs by name, with where their figures are kept; `reseed` is added to the seed of each."""
        found: dict[str, Place] = {}
        for name, run in self.runs(quick).items():
            found[name] = Place(
                {}, slug(name), out / self.name, run.with_seed_moved(reseed), self.folder, version)
        if len({place.name for place in found.values()}) < len(found):
            raise Error(f"study '{self.name}': two of its runs have the same file; name them differently")
        return found


def published(script: str | Path) -> dict[str, Any]:
    """The published.toml beside the script of a study. Throws Error."""
    path = Path(script).with_name("published.toml")
    try:
        return tomllib.loads(path.read_text(encoding="utf-8"))
    except (OSError, ValueError) as problem:
        raise Error(f"{path}: cannot be read ({problem}); a study needs its published figures", 3) from None


def traces() -> Path:
    """Folder of the traces that are no part of weft: WEFT_TRACES, else beside the source tree. Throws Error."""
    named = os.environ.get("WEFT_TRACES")
    return Path(named) if named else folder().resolve().parents[1] / "shared" / "traces" / "npb-extended"


def load(name: str) -> Study:
    """Throws Error for a name that no study has, and for a study that is not whole."""
    place = folder() / name
    if name not in names():
        raise Error(f"there is no study '{name}'; {nearest(name, names())}")
    figures = published(place / "study.py")
    for key in ("title", "source", "page"):
        if not isinstance(figures.get(key), str):
            raise Error(f"{place / 'published.toml'}: '{key}' is missing (docs/studies.md); add it", 3)
    spec = importlib.util.spec_from_file_location(f"weft_study_{name.replace('-', '_')}", place / "study.py")
    assert spec is not None and spec.loader is not None
    module = importlib.util.module_from_spec(spec)
    sys.path.insert(0, str(place))  # more scripts of it
    try:
        spec.loader.exec_module(module)
    finally:
        sys.path.remove(str(place))
    return Study(name, place, figures, module.runs, module.rows, getattr(module, "choices", None))
