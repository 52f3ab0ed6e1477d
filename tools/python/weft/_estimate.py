"""What a study will take, before it starts: short pilots of each network at its lowest and highest load say what a
cycle costs, and the config how many there will be."""

from __future__ import annotations

import math
import tempfile
from collections.abc import Mapping
from dataclasses import dataclass
from pathlib import Path
from typing import TYPE_CHECKING, Any

from ._config import merged
from ._points import RECORDS, Point, RunPlace
from ._pool import Pool
from ._registry import described
from ._run import read_json
from ._summary import Summary

if TYPE_CHECKING:
    from ._study import Study

LOAD = "workload.offered_load"
_LEAST_CYCLES, _MOST_CYCLES = 500, 3000
_PILOT_SHARE = 8


@dataclass(frozen=True)
class Estimate:
    """What the runs of a study that are still to be done will take. `cpu_s`: CPU seconds; `wall_s`: seconds with
    `jobs` at once; `unknown`: runs of tasks (kernels, traces), whose times no config says, which are in neither;
    `pilots_s`: CPU seconds that finding out took."""

    runs: int
    cpu_s: float
    wall_s: float
    jobs: int
    unknown: int
    pilots_s: float
    per_run_s: dict[str, float]

    def __str__(self) -> str:
        text = f"{self.runs} runs: about {_time(self.cpu_s)} of CPU time, {_time(self.wall_s)} with {self.jobs} at once"
        return text + (f", and {self.unknown} runs of unknown length" if self.unknown else "")


def _time(seconds: float) -> str:
    for unit, length in (("hours", 3600.0), ("minutes", 60.0)):
        if seconds >= 2 * length:
            return f"{seconds / length:.1f} {unit}"
    return f"{seconds:.1f} s"


def value(config: Mapping[str, Any], key: str) -> Any:
    """A setting of a nested config, or its default."""
    at: Any = config
    for part in key.split("."):
        at = at.get(part) if isinstance(at, Mapping) else None
    return _defaults()[key] if at is None else at


def _defaults() -> dict[str, Any]:
    return {row["key"]: row["default"] for row in described()["settings"]}


def planned_cycles(config: Mapping[str, Any]) -> float | None:
    """Cycles of a run that ends when its steady state has been measured, or after a fixed time; None where it ends with
    its workload."""
    kind, stop = value(config, "workload.kind"), value(config, "simulation.stop")
    if "job" in config or kind != "synthetic" or stop == "workload-complete":
        return None
    seeds = float(value(config, "measure.seeds"))
    if stop == "cycles":
        return seeds * float(value(config, "simulation.cycles"))
    steady = value(config, "measure.warmup_cycles") + value(config, "measure.batches") * value(
        config, "measure.batch_cycles")
    steady += value(config, "measure.intervals") * value(config, "measure.interval_cycles")
    if value(config, "measure.method") == "mser":
        steady = min(2 * steady, value(config, "measure.max_cycles"))
    return seeds * float(steady)


@dataclass(frozen=True)
class _Pilot:
    """What a cycle costs at an accepted load, and what a run costs beside."""

    accepted: float
    cycle_s: float
    beside_s: float


def _cost(pilots: list[_Pilot], load: float) -> float:
    """CPU seconds of a cycle at an offered load: linear in the accepted load between two pilots, as the work is."""
    low, high = pilots[0], pilots[-1]
    accepted = min(load, high.accepted)
    if high.accepted - low.accepted < 1e-9:
        return high.cycle_s
    share = (accepted - low.accepted) / (high.accepted - low.accepted)
    return max(low.cycle_s + share * (high.cycle_s - low.cycle_s), min(low.cycle_s, high.cycle_s) / 2)


def _group(point: Point) -> str:
    return repr(sorted((key, item) for key, item in point.settings.items() if key != LOAD))


def estimate(study: Study) -> Estimate:
    """See Study.estimate."""
    todo = [(point, place) for point in study.points for place in study.places(point) if not place.is_done]
    ends: dict[str, list[tuple[float, dict[str, Any]]]] = {}
    for point, place in todo:
        load = value(place.config, LOAD)
        if planned_cycles(place.config) is not None:
            ends.setdefault(_group(point), []).append((float(load), place.config))
    with tempfile.TemporaryDirectory(prefix="weft-pilots-") as folder:
        pilots, pilots_s = _run_pilots(study, ends, Path(folder))
    per_run: dict[str, float] = {}
    unknown = 0
    for point, place in todo:
        found = pilots.get(_group(point))
        cycles = planned_cycles(place.config)
        if not found or cycles is None:
            unknown += 1
            continue
        load = float(value(place.config, LOAD))
        per_run[place.name] = found[-1].beside_s + cycles * _cost(found, load)
    cpu_s = sum(per_run.values())
    longest = max(per_run.values(), default=0.0)
    cores = study.ranks * study.threads
    wall_s = max(cpu_s / max(1, study.jobs) / cores, longest / cores)
    return Estimate(len(todo), cpu_s, wall_s, study.jobs, unknown, pilots_s, per_run)


def _run_pilots(study: Study, ends: dict[str, list[tuple[float, dict[str, Any]]]],
                folder: Path) -> tuple[dict[str, list[_Pilot]], float]:
    """The pilots of each group of points that differ in their load alone, by load; and what they took."""
    wanted: list[tuple[str, float, int, RunPlace]] = []
    for group, loads in ends.items():
        least, most = min(loads, key=_load), max(loads, key=_load)
        for load, config in [least] if least[0] == most[0] else [least, most]:
            planned = planned_cycles(config) or 0
            cycles = int(min(max(planned / _PILOT_SHARE, _LEAST_CYCLES), _MOST_CYCLES, max(planned, 1)))
            settings = {"simulation.stop": "cycles", "simulation.cycles": cycles, "measure": None,
                        **{f"statistics.{name}": None for name in RECORDS}}
            place = RunPlace(merged(config, settings), f"pilot-{len(wanted)}", folder)
            wanted.append((group, load, cycles, place))
    pool = Pool(study.jobs, study.ranks, allow_unused=True, threads=study.threads)
    errors = pool.run([place for *_, place in wanted])
    pilots: dict[str, list[_Pilot]] = {}
    spent = 0.0
    for group, load, cycles, place in sorted(wanted, key=lambda each: each[1]):
        if place.name in errors:
            continue
        summary = Summary(read_json(str(place.file("json"))))
        cpu_s = sum(summary["engine.cpu_s"])
        spent += pool.cpu_s[place.name]
        accepted = summary.figure("load.accepted")
        pilots.setdefault(group, []).append(_Pilot(accepted if math.isfinite(accepted) else load, cpu_s / cycles,
                                                   pool.cpu_s[place.name] - cpu_s))
    return pilots, spent


def _load(each: tuple[float, dict[str, Any]]) -> float:
    return each[0]
