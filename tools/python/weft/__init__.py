"""weft from Python: run simulations, read results as tables, sweep, and draw.

    import weft
    result = weft.run("examples/torus-uniform.toml", set={"workload.offered_load": 0.4})
    result.summary["load.accepted"], result.summary.unit("load.accepted")
    result.frame("batches")

Everything is imported when it is first used: `import weft` costs next to nothing, and h5py, pandas, matplotlib and
networkx are needed by those functions only that return their objects. docs/python.md has the whole story."""

from __future__ import annotations

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from . import cosim, plot
    from ._errors import Error
    from ._progress import Progress
    from ._registry import Key, Keys, Kind, Kinds, keys, kinds, schema
    from ._result import Result, load
    from ._run import run
    from ._study import Study
    from ._summary import Summary
    from ._topology import Topology, topology

#: Public name -> module that has it.
_HOMES = {
    "Error": "_errors", "Progress": "_progress", "Key": "_registry", "Keys": "_registry", "Kind": "_registry",
    "Kinds": "_registry", "keys": "_registry", "kinds": "_registry", "schema": "_registry", "Result": "_result",
    "load": "_result", "run": "_run", "Study": "_study", "Summary": "_summary", "Topology": "_topology",
    "topology": "_topology",
}

__all__ = ["Error", "Key", "Keys", "Kind", "Kinds", "Progress", "Result", "Study", "Summary", "Topology", "cosim",
           "keys", "kinds", "load", "plot", "run", "schema", "topology"]
__version__ = "0.1.0"


def __getattr__(name: str) -> Any:
    if name in ("cosim", "plot"):
        return importlib.import_module(f".{name}", __name__)
    if name not in _HOMES:
        raise AttributeError(f"module 'weft' has no attribute {name!r}; it has {', '.join(__all__)}")
    value = getattr(importlib.import_module(f".{_HOMES[name]}", __name__), name)
    globals()[name] = value
    return value


def __dir__() -> list[str]:
    return sorted(__all__)
