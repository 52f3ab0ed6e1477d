"""Published results simulated anew: what the scripts of studies/ are made of. docs/studies.md says how one is added.

A study is a folder with study.py and published.toml, which has its title, source and page, and the published figures:

    def runs(quick):             -> {name: Run(config, settings)}: what is simulated
    def rows(found, quick):      -> [Row, ...]: published | simulated | difference | tolerance
    def choices(found, quick):   -> [Row, ...], only where the published set-up leaves something open

`found[name]["cycles"]` is a figure of a run, NaN as long as the run is not done."""

from ._index import unlisted
from ._load import load, published, traces
from ._programs import Program
from ._rows import Row, claim, curve, evidence, exact, figure, order, read_as, tried
from ._runs import Run
from ._values import ends, half_interval

__all__ = [
    "Program", "Row", "Run", "claim", "curve", "ends", "evidence", "exact", "figure", "half_interval", "load", "order",
    "published", "read_as", "traces", "tried", "unlisted"]
