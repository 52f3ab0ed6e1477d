"""The figures of a run as a dict, each with its unit: the JSON summary of the program."""

from __future__ import annotations

import functools
import re
from collections.abc import Iterator, Mapping
from typing import Any

from . import _program, _registry
from ._errors import Error, nearest

class Summary(dict[str, Any]):
    """The JSON summary of a run (docs/results.md has its keys), nested dicts and lists. A dotted path is a key, too:
    `summary["load.accepted"]`; `summary.unit("load.accepted")` is "phits/node/cycle". A figure that the run does not
    have is None."""

    def __missing__(self, key: str) -> Any:
        at: Any = self
        for part in str(key).split("."):
            if isinstance(at, list) and part.isdigit() and int(part) < len(at):
                at = at[int(part)]
            elif isinstance(at, dict) and part in at:
                at = at[part]
            else:
                raise KeyError(f"{key}; {nearest(key, self.paths())}")
        return at

    def figure(self, path: str) -> float:
        """A number of the summary as float; NaN where the run does not have it."""
        try:
            value = self[path]
        except KeyError:
            return float("nan")
        return float("nan") if value is None or isinstance(value, (str, list, dict)) else float(value)

    def paths(self) -> list[str]:
        """Dotted paths of all figures."""
        return [path for path, _ in _leaves(self, "")]

    def unit(self, path: str) -> str:
        """Unit of a figure, "" where it has none. Throws KeyError for what the run does not have."""
        self[path]
        return unit_of(path)

    @property
    def units(self) -> dict[str, str]:
        """Units of all figures that have one, by dotted path."""
        return {path: unit for path in self.paths() if (unit := unit_of(path))}

    def _repr_html_(self) -> str:
        import html

        rows = "".join(
            f"<tr><td>{html.escape(path)}</td><td>{html.escape(_shown(value))}</td><td>{unit_of(path)}</td></tr>"
            for path, value in _leaves(self, "") if not path.startswith(("config.", "batches.")))
        return f"<table><tr><th>figure</th><th>value</th><th>unit</th></tr>{rows}</table>"


@functools.lru_cache(maxsize=4)
def _units(program: str) -> dict[str, str]:
    return {row["name"]: row["unit"] for row in _registry.described()["figures"]}


def unit_of(path: str) -> str:
    """Unit of the figure at a path of the summary, as `weft describe figures` has it; "" where there is no program."""
    bare = re.sub(r"\.\d+(?=\.|$)", "", path)
    if bare.startswith("jobs.activities."):
        bare = bare.removeprefix("jobs.")
    try:
        return _units(_program.program()).get(bare, "")
    except Error:
        return ""


def _leaves(value: Mapping[str, Any], prefix: str) -> Iterator[tuple[str, Any]]:
    for key, item in value.items():
        path = f"{prefix}{key}"
        if isinstance(item, Mapping):
            yield from _leaves(item, path + ".")
        elif isinstance(item, list) and item and isinstance(item[0], Mapping):
            for number, row in enumerate(item):
                yield from _leaves(row, f"{path}.{number}.")
        else:
            yield path, item


def _shown(value: Any) -> str:
    if isinstance(value, float):
        return f"{value:.6g}"
    if isinstance(value, list) and len(value) > 8:
        return f"{len(value)} values"
    return str(value)


#: Names in /summary of files of older versions.
_RENAMED = {"packets_copied": "packets.copies", "load_autocorrelation": "steady_state.load_autocorrelation",
            "latency_autocorrelation": "steady_state.latency_autocorrelation"}
_NO_FIGURES = {"figures_from_cycle", "figures_to_cycle", "unbounded_sources", "falls_behind"}
#: Tasks whose ends the summary lists.
_MOST_TASKS = 4096
_GROUPS = ("packets", "messages", "load", "latency", "distance")


def path_of_scalar(name: str) -> str | None:
    """Path in the summary of a scalar of /summary in a result file, or of one that is a path; None for what is put
    together."""
    if name in _NO_FIGURES:
        return None
    group, _, rest = name.partition("_")
    return _RENAMED.get(name) or (f"{group}.{rest}" if group in _GROUPS and rest else name)


def from_file(texts: Mapping[str, Any], scalars: Mapping[str, Any], engine: Mapping[str, Any],
              tables: Mapping[str, list[dict[str, Any]]], lists: Mapping[str, list[float]],
              warnings: list[str], config: dict[str, Any]) -> Summary:
    """The summary of a result file, as far as the file has it: texts (attributes), /summary, /engine and its ranks, and
    tables and columns (`lists`) that are lists in the summary."""
    summary = Summary(weft=texts.get("version"), config=config, warnings=warnings)
    for name in ("digest", "host", "started_at", "stop_reason", "deadlock_search", "topology", "router", "workload"):
        summary[name] = texts.get(name)
    if "fabric_verdict" in texts:
        summary["fabric_verdict"] = texts["fabric_verdict"]
    for name in ("seed", "ranks"):
        summary[name] = int(texts[name]) if name in texts else None
    measured = bool(scalars.get("measured", 0))
    for name, value in scalars.items():
        path = path_of_scalar(name)
        if path is None or (path.startswith("steady_state.") and not measured):
            continue
        table, _, key = path.partition(".")
        if key:
            summary.setdefault(table, {})[key] = _finite(value)
        else:
            summary[table] = _finite(value)
    summary["measured"] = measured
    summary["converged"] = bool(scalars["converged"]) if measured and "converged" in scalars else None
    if _finite(scalars.get("load_untaken_fraction")) is None:
        summary["saturated"] = None
    elif "saturated" in scalars:
        summary["saturated"] = bool(scalars["saturated"])
    if not scalars.get("unbounded_sources"):
        summary.get("packets", {}).pop("at_sources", None)
    summary["figures_of_cycles"] = [scalars.get("figures_from_cycle"), scalars.get("figures_to_cycle")]
    summary.setdefault("latency", {})["unit"] = "cycles"
    summary["batches"] = tables.get("batches", [])
    if measured:
        steady = summary.setdefault("steady_state", {})
        steady["begin_cycle"] = summary["batches"][0]["begin"] if summary["batches"] else 0
    else:
        summary["steady_state"] = None
    summary["engine"] = {name: _finite(value) for name, value in engine.items()}
    summary["burst_cycles"] = lists.get("bursts", [])
    if len(lists.get("tasks", [])) <= _MOST_TASKS:
        summary["task_finish_cycles"] = [_finite(value) for value in lists.get("tasks", [])]
    for name in ("jobs", "activities", "traffic_classes"):
        if tables.get(name):
            summary[name] = [{key: _finite(value) for key, value in row.items()} for row in tables[name]]
    for job in summary.get("jobs", []):
        packets = {"generated": job.pop("packets_generated", None), "dropped": job.pop("packets_dropped", None),
                   "delivered": job.pop("packets_delivered", job.pop("packets", None))}
        job["packets"] = {key: value for key, value in packets.items() if value is not None}
    return summary


def _finite(value: Any) -> Any:
    return None if isinstance(value, float) and not (abs(value) < float("inf")) else value


def problem_with(name: str, known: list[str]) -> Error:
    """For a table that a result does not have."""
    return Error(f"the result has no table '{name}'; {nearest(name, known)}", 2)
