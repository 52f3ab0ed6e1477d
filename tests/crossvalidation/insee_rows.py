"""The cases that weft is compared with INSEE on by insee.py, each with the config of weft, and when a figure agrees."""

import math
import statistics
from dataclasses import dataclass, field

import insee_figures as figures
import insee_more_figures as more

TOLERANCE = 0.03  # of INSEE's mean
DEVIATIONS = 3  # of INSEE's spread, if that is more
INSEE_CLOCK_EXTRA = 2  # cycles that INSEE's completion times have more: measured, see README.md
BIAS = "first-counts-twice"
RECTANGLE = [32, 16]  # INSEE's mesh of 512 tasks


@dataclass
class Row:
    """One figure of INSEE and what is needed to get weft's."""

    group: str
    case: str
    figure: str  # a key of FORMATS
    mean: float
    deviation: float  # None: not known
    config: dict  # key -> value, all but the seed
    judged: bool = True
    exact: bool = False
    seed_factor: int = 1  # more seeds where they spread widely
    one_seed: bool = False  # INSEE ran one: its spread is taken to be that of weft's seeds
    labels: frozenset = frozenset()  # subsets that it belongs to
    values: dict = field(default_factory=dict)  # credit_ties -> values of the seeds
    error: str = ""
    verdict: str = ""

    def variants(self):
        compares_credits = self.config["router.kind"] == "multistage" and self.config["router.routing"] == "adaptive"
        return ["uniform", BIAS] if compares_credits else ["uniform"]

    def weft_mean(self, ties):
        return statistics.fmean(self.values[ties])

    def difference(self, ties):
        return self.weft_mean(ties) / self.mean - 1

    def agrees(self, ties):
        if self.exact:
            return all(value + INSEE_CLOCK_EXTRA == self.mean for value in self.values[ties])
        deviation = statistics.stdev(self.values[ties]) if self.one_seed and len(self.values[ties]) > 1 else 0
        allowed = max(TOLERANCE * self.mean, DEVIATIONS * (self.deviation or deviation))
        return abs(self.weft_mean(ties) - self.mean) <= allowed

    def judge(self):
        if self.error:
            self.verdict = "FAILED: " + self.error
        elif not self.judged:
            self.verdict = "reported"
        elif self.agrees("uniform"):
            self.verdict = "ok, exact" if self.exact else "ok"
        elif BIAS in self.values and self.agrees(BIAS):
            self.verdict = "ok (tie bias)"
        else:
            self.verdict = "FAILED"


COMMON = {
    "format": 1,
    "router.queue_packets": 4,
    "router.injection_queues": 1,
    "router.injection_queue_packets": 8,
    "packet.phits": 16,
}
STEADY = {"simulation.stop": "steady-state", "workload.kind": "synthetic", "workload.pattern": "uniform"}


def torus_rows():
    table = [("bubble", *row) for row in figures.TORI] + [("dally", *row) for row in more.DALLY]
    for kind, dims, request, channels, full, low, middle, middle_latency in table:
        name = "x".join(map(str, dims))

        def row(offered, figure, value):
            config = COMMON | STEADY | {
                "topology.kind": "torus",
                "topology.dims": list(dims),
                "router.kind": kind,
                "router.routing": request,
                "router.virtual_channels": channels,
                "router.arbitration": "round-robin",
                "router.consumption": "multiple",
                "workload.offered_load": offered,
                "measure.warmup_cycles": 3000,
                "measure.batches": 5,
                "measure.batch_cycles": 1000,
            }
            labels = {"quick"} if len(dims) == 2 else set()
            if labels and request in ("shortest", "random", "improved"):
                labels.add("smallest")
            case = f"{name} {kind} {request}, {channels} VC, offered {offered}"
            return Row("R1", case, figure, *value, config, labels=frozenset(labels))

        yield row(1.0, "accepted", full)
        yield row(0.1, "latency", low)
        yield row(0.3, "accepted", middle)
        yield row(0.3, "latency", middle_latency)


def tree_config(shape, channels):
    down, up, levels = shape
    return COMMON | {
        "topology.kind": "thin-tree",
        "topology.down": down,
        "topology.up": up,
        "topology.levels": levels,
        "router.kind": "multistage",
        "router.routing": "adaptive",
        "router.virtual_channels": channels,
        "router.arbitration": "random",
    }


def tree_name(shape):
    return "{}:{},{}".format(*shape)


def tree_rows(group, table):
    for shape, channels, offered, accepted, latency in table:
        # Filling the queues of a saturated network takes as long as its nodes need to send 20 packets.
        warmup = max(3000, 1000 * math.ceil(20 * 16 / accepted[0] / 1000))
        config = tree_config(shape, channels) | STEADY | {
            "workload.offered_load": offered,
            "measure.warmup_cycles": warmup,
            "measure.batches": 10,
            "measure.batch_cycles": 1000,
        }
        case = f"{tree_name(shape)} {channels} VC, offered {offered}"
        labels = {"quick"} if shape == (8, 8, 3) else set()
        if labels and channels == 1 and offered in (0.3, 1.0):
            labels.add("smallest")
        # 0.5 is just where these trees saturate: how far the queues have filled is chance.
        below_saturation = offered <= 0.4
        yield Row(group, case, "accepted", *accepted, config, labels=frozenset(labels))
        yield Row(group, case, "latency", *latency, config, judged=below_saturation, labels=frozenset(labels))


def kernel_rows():
    for (kernel, tasks), values in figures.KERNELS.items():
        for up, value in zip((8, 4, 2), values):
            shape = (8, up, 2 if tasks == 64 else 3)
            message_bytes = 1024 if kernel == "WF" else 40960
            config = tree_config(shape, 1) | {"simulation.stop": "workload-complete", "packet.phit_bytes": 16}
            config |= {"workload.kind": "kernel", "workload.name": kernel.rstrip("r"), "workload.tasks": tasks,
                       "workload.message_bytes": message_bytes}  # fmt: skip
            if tasks == 512 and kernel in ("M2", "W2", "W2r", "WF"):
                config["workload.shape"] = RECTANGLE
            if kernel == "WF":
                config["workload.repetitions"] = 40
            if kernel.endswith("r"):
                config["workload.return_sweep"] = True
            labels = {"quick"} if tasks == 64 else set()
            if labels and kernel in ("BT", "M2"):
                labels.add("smallest")
            yield Row("R3", f"{kernel}_{tasks} on {tree_name(shape)}", "cycles", *value, config,
                      exact=kernel == "BT", seed_factor=4 if (kernel, up) == ("BU", 8) else 1,
                      labels=frozenset(labels))  # fmt: skip


def burst_config(dims, packets, pattern, request, injection):
    return COMMON | {
        "simulation.stop": "workload-complete",
        "topology.kind": "torus",
        "topology.dims": list(dims),
        "router.kind": "bubble",
        "router.routing": request,
        "router.virtual_channels": 3,
        "router.arbitration": "round-robin",
        "router.consumption": "multiple",
        "router.injection_queues": 2 * len(dims),
        "router.injection": injection,
        "workload.kind": "burst",
        "workload.pattern": pattern,
        "workload.burst_packets": packets,
    }


def burst_rows():
    for dims, packets, request, lbr, ipr, cycles in more.BURSTS:
        config = burst_config(dims, packets, "uniform", request, "dor") | {
            "router.lbr_packets": lbr,
            "router.ipr_fraction": ipr,
            "workload.bursts": {10: 20, 100: 5, 1000: 1}[packets],
        }
        case = f"{'x'.join(map(str, dims))}, {packets} packets, {request}, LBR {lbr}, IPR {ipr}"
        # INSEE's dor takes the last dimension, weft's the first: alike on square tori and rings.
        yield Row("R4", case, "burst", *cycles, config, judged=packets < 1000 or ipr == 0,
                  labels=frozenset({"quick"} if packets == 10 else set()))  # fmt: skip


def burst_load_rows():
    """Bursts that each node generates at a load of 1, as INSEE's shot mode does with load=1."""
    controls = {"none": {}, "LBR 3": {"router.lbr_packets": 3}, "IPR 1": {"router.ipr_fraction": 1.0}}
    for pattern, request, injection, cycles in more.BURSTS_AT_LOAD:
        for (control, keys), value in zip(controls.items(), cycles, strict=True):
            config = burst_config((8, 8), 1000, pattern, request, injection) | {
                "router.injection_queue_packets": 4,
                "workload.burst_load": 1.0,
            } | keys  # fmt: skip
            case = f"8x8, 1000 packets at load 1, {pattern}, {request}, {injection}, {control}"
            # INSEE's dor takes the last dimension: not alike where one dimension has the hot region. README.md has
            # what is known of the others.
            judged = request == "smart" and control != "IPR 1" and (injection != "dor" or pattern == "uniform")
            yield Row("R7", case, "burst", value, None, config, judged=judged, one_seed=True,
                      labels=frozenset({"quick"}))


def static_rows():
    for pattern, values in more.STATIC.items():
        for channels, value in values.items():
            config = COMMON | STEADY | {
                "topology.kind": "tree",
                "topology.arity": 4,
                "topology.levels": 3,
                "router.kind": "multistage",
                "router.routing": "static-by-channel",
                "router.virtual_channels": channels,
                "router.arbitration": "random",
                "workload.pattern": pattern,
                "workload.offered_load": 1.0,
                "measure.warmup_cycles": 3000,
                "measure.batches": 5,
                "measure.batch_cycles": 1000,
            }  # fmt: skip
            yield Row("R7", f"4-ary 3-tree, static, {pattern}, {channels} VC", "accepted", value, None, config,
                      one_seed=True, labels=frozenset({"quick", "smallest"}))


def wave_front_rows():
    """Kernels of 64,000 bytes on the 2-ary 6-tree."""
    for kernel, value in more.WAVE_FRONTS.items():
        config = COMMON | {
            "simulation.stop": "workload-complete",
            "topology.kind": "tree",
            "topology.arity": 2,
            "topology.levels": 6,
            "router.kind": "multistage",
            "router.routing": "adaptive",
            "router.virtual_channels": 4,
            "router.arbitration": "random",
            "packet.phit_bytes": 4,
            "workload.kind": "kernel",
            "workload.name": kernel,
            "workload.tasks": 64,
            "workload.message_bytes": 64000,
        }  # fmt: skip
        yield Row("R7", f"2-ary 6-tree, 4 VC, {kernel}", "cycles", value, None, config, one_seed=True,
                  labels=frozenset({"quick"}))


def other_rows():
    for case, keys, low, accepted, latency, unsettled in more.OTHERS:
        config = COMMON | STEADY | {"router.arbitration": "round-robin"}
        if keys["topology.kind"] not in ("indirect-cube", "dragonfly"):
            config["router.consumption"] = "multiple"
        config |= {"measure.warmup_cycles": 3000, "measure.batches": 5, "measure.batch_cycles": 1000} | keys
        labels = {"quick"}
        if case.startswith(("tw. 8x8", "icube c2 m1", "unidir. 8x8", "dragonfly rel 2,4,2, minimal")):
            labels.add("smallest")
        labels = frozenset(labels)
        if low:
            yield Row("R6", f"{case}, offered {low[0]}", "latency", *low[1], config | {"workload.offered_load": low[0]},
                      labels=labels)  # fmt: skip
        full = config | {"workload.offered_load": 1.0}
        yield Row("R6", f"{case}, offered 1.0", "accepted", *accepted, full, judged=not unsettled, labels=labels)
        yield Row("R6", f"{case}, offered 1.0", "latency", *latency, full, judged=False, labels=labels)


def all_rows():
    yield from torus_rows()
    yield from tree_rows("R2", figures.TREES)
    yield from tree_rows("R5", figures.BIG_TREE)
    yield from kernel_rows()
    yield from burst_rows()
    yield from other_rows()
    yield from static_rows()
    yield from wave_front_rows()
    yield from burst_load_rows()
