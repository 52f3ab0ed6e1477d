"""What must hold whatever the configuration. Each check takes a case that ran, and raises Broken with what it found."""

import math
import re

from attachment import Attachment
from defaults import defaults
from generated import generated
from job_keys import job_names
from job_results import slowdown
from laws import LAWS
from saturation import saturation
from trial import ending, refusal
from zero_load import rates, zero_load


def physics(summary):
    """What depends on config and seed alone."""
    kept = {key: value for key, value in summary.items() if key not in ("engine", "ranks", "host", "started_at",
                                                                        "resumed_from_cycle")}
    kept["config"] = {table: keys for table, keys in summary["config"].items()
                      if table not in ("parallel", "checkpoint")}
    return kept


def difference(a, b, path=""):
    """The first place at which two summaries differ."""
    if isinstance(a, dict) and isinstance(b, dict):
        for key in sorted({*a, *b}):
            if a.get(key) != b.get(key):
                return difference(a.get(key), b.get(key), f"{path}.{key}" if path else key)
    if isinstance(a, list) and isinstance(b, list) and len(a) == len(b):
        for place, (x, y) in enumerate(zip(a, b, strict=True)):
            if x != y:
                return difference(x, y, f"{path}[{place}]")
    return f"{path}: {str(b)[:120]} instead of {str(a)[:120]}"


def events_of(outcome):
    """What files say of packets and messages, None where there is none."""
    paths = [outcome.folder / name for name in ("events.txt", "matches.txt")]
    return [path.read_text(encoding="utf-8") if path.is_file() else None for path in paths]


def same(trial, outcome, what):
    if not ending(trial, outcome):
        trial.broken("same result", f"{what}: {outcome.first_line}", outcome)
    summary = outcome.summary
    if physics(summary) != physics(trial.base):
        # The digest tells a different history from figures that were gathered differently.
        rule = "same digest" if summary["digest"] != trial.base["digest"] else "same result"
        trial.broken(rule, f"{what}: {difference(physics(trial.base), physics(summary))}", outcome)
    if events_of(outcome) != trial.events:
        trial.broken("same result", f"{what}: another file of packet events or of matches", outcome)


def repetition(trial):
    """Another run of the same config: nothing may come from memory that was never written."""
    same(trial, trial.program.run(trial.config), "again")


def partitions(trial, rng, config_files, ranks):
    own = trial.catalogue.topologies[trial.keys["topology.kind"]]["partition"]
    choice = rng.choice(["auto", "metis", "block", "round-robin", "file", *([own] if own else [])])
    settings = [f"parallel.partition={choice}"]
    if choice == "file":
        config_files["ranks.txt"] = "\n".join(map(str, parts_of_routers(trial, rng, ranks)))
        settings.append("parallel.partition_path=ranks.txt")
    return settings


def parts_of_routers(trial, rng, ranks):
    """Any, but that the routers on which a node has NICs are together."""
    groups = Attachment.of(trial).groups() if trial.has_nics else [[router] for router in range(trial.base["routers"])]
    parts = [*range(ranks), *(rng.randrange(ranks) for _ in range(len(groups) - ranks))]
    rng.shuffle(parts)
    part_of = {router: part for group, part in zip(groups, parts, strict=False) for router in group}
    return [part_of[router] for router in range(trial.base["routers"])]


def several_ranks(trial):
    rng = trial.rng("ranks")
    ranks = rng.choice([2, 2, 3, 4])
    files = {}
    settings = [f"parallel.protocol={rng.choice(['windowed', 'null-message', 'auto'])}",
                *partitions(trial, rng, files, ranks)]
    config = trial.config.but()
    config.files = {**trial.config.files, **files}
    outcome = trial.program.run(config, ranks, settings)
    # more ranks than routers, a partition that has no such parts
    if outcome.code in (2, 3) and "rank" in outcome.first_line:
        return refusal(trial, outcome, config) if outcome.refused else None
    return same(trial, outcome, f"{ranks} ranks, {', '.join(settings)}")


def resumed(trial):
    """A checkpoint in the middle, and on from there, now and then on other ranks."""
    if trial.keys.get("measure.seeds", 1) > 1 or trial.base["cycles"] < 2:
        return
    rng = trial.rng("resume")
    every = max(1, int(trial.base["cycles"] * rng.uniform(0.2, 0.9)))
    settings = ["checkpoint.path=run.ckpt.h5", f"checkpoint.every_cycles={every}"]
    first = trial.program.run(trial.config, settings=settings)
    same(trial, first, f"with a checkpoint each {every} cycles")
    if not (first.folder / "run.ckpt.h5").is_file():
        return
    often = 0.5 if trial.has_nics or job_names(trial.keys) else 0.1
    apart = len(Attachment.of(trial).groups()) if trial.has_nics else trial.base["routers"]
    ranks = 2 if rng.random() < often and apart > 1 else 1
    more = [] if ranks == 1 else ["parallel.partition=metis",
                                  *(["parallel.rebalance_above=1.0"] if rng.random() < 0.5 else [])]
    second = trial.program.run(trial.config, ranks, [*settings, *more], ["--resume", "run.ckpt.h5"], room=first.folder)
    second.command = f"{first.command} && {second.command}"
    same(trial, second, f"resumed from a checkpoint, one each {every} cycles, on {ranks} ranks")


def conservation(trial, outcome):
    s, p = trial.base, trial.base["packets"]
    fail = lambda what: trial.broken("conservation", f"{what}: {p}", outcome)  # noqa: E731
    waiting = p["generated"] - p["injected"] - p["dropped_at_source"]
    if min(p.values()) < 0 or waiting < 0:
        fail("a count below zero")
    if p["injected"] + p["copies"] - p[
            "combined"] != p["delivered"] + p["dropped"] - p["dropped_at_source"] + p["in_flight"]:
        fail("injected packets are neither delivered nor dropped nor in flight")
    lost = p.get("dropped_at_full_nic", 0)
    if lost and trial.keys.get("workload.source_queue") != "lossy":
        fail("packets lost at full NICs by sources that wait")
    late = p.get("dropped_at_head", 0)
    if late and not trial.keys.get("router.injection_timeout_cycles"):
        fail("packets dropped that may wait as long as it takes")
    lost += late
    if not trial.faulty and p["dropped_at_source"] != lost:
        fail("packets dropped at their source in a whole network")
    if not trial.faulty and p["dropped"] != lost and trial.machine != "spinnaker":
        fail("packets dropped in a whole network")
    if trial.complete and not trial.background:
        if waiting or p["in_flight"]:
            fail("the workload is complete, but packets are left")
        if not p["dropped"] and s["messages"]["sent"] != s["messages"]["delivered"]:
            fail(f"the workload is complete, but messages are left: {s['messages']}")
    statistics = s.get("statistics", {})
    for rows, column, total in (("distances", "packets", p["delivered"]),
                                ("series", "delivered_packets", p["delivered"]),
                                ("series", "generated_packets", p["generated"]),
                                ("series", "injected_packets", p["injected"]),
                                ("series", "dropped_packets", p["dropped"])):  # fmt: skip
        if trial.keys.get("measure.seeds", 1) == 1 and statistics.get(rows) and sum(r[column]
                for r in statistics[rows]) != total:
            fail(f"statistics.{rows}: {sum(r[column] for r in statistics[rows])} {column}")
    if trial.keys.get("measure.seeds", 1) == 1:
        series(trial, statistics.get("series", []), fail)
    from_injection = s.get("injection_latency")
    if from_injection and from_injection["max"] > s["latency"]["max"] * (1 + 1e-9) and not s["measured"]:
        fail(f"longer from injection than from generation: {from_injection}")
    for column in ("generated", "injected", "delivered"):
        if s.get("traffic_classes") and sum(row[f"{column}_packets"] for row in s["traffic_classes"]) != p[column]:
            fail(f"traffic_classes do not add up: {column}")


def series(trial, rows, fail):
    """Links carry no more than their rate in any interval, however short; the whole run is as its rows together."""
    for row in rows:
        if row["utilisation"] > 1 + 1e-9:
            fail(f"links are taken for {row['utilisation']} of the time: {row}")
        if min(row["network_packets_mean"], row["queued_packets_mean"]) < 0:
            fail(f"less than no packet: {row}")
        if row["delivered_packets"] and row["latency_max"] < row["latency_mean"] * (1 - 1e-9):
            fail(f"a mean above the maximum: {row}")
    if not rows:
        return
    carried = sum(row["accepted_load"] * (row["end"] - row["begin"]) for row in rows)
    whole = trial.base["load"]["accepted"] * trial.base["cycles"]
    if not trial.base["measured"] and abs(carried - whole) > 1e-6 * max(1, whole):
        fail(f"the series accepts {carried} phits a node, the run {whole}")


def figures(trial, outcome):
    """Quantiles in order, shares between 0 and 1, means below maxima, names that can be read."""
    s = trial.base
    fail = lambda what: trial.broken("figures", what, outcome)  # noqa: E731
    latency = s["latency"]
    if s["packets"]["delivered"] and not s["measured"]:
        quantiles = [latency[key] for key in ("p50", "p90", "p99", "p999")]
        if quantiles != sorted(quantiles) or quantiles[-1] > latency["max"] * (1 + 1
                                                                               / 32) + 1 or latency[
                                                                                       "mean"] > latency["max"]:
            fail(f"latency: {latency}")
        if s["distance"]["mean"] > s["distance"]["max"]:
            fail(f"distance: {s['distance']}")
    if s["load"]["accepted"] > bound_of_nodes(trial) * (1 + 1e-9) + slack_of_ends(trial):
        fail(f"accepts more than nodes can take: {s['load']}")
    dims = s["config"]["topology"].get("dims", [])
    for row in s.get("statistics", {}).get("busiest_links", []):
        name = row["link"]
        if not name.isprintable() or not re.search("[A-Za-z]", name):
            fail(f"a link with a name that nobody wrote: {name!r}")
        if dims and (found := re.search(r"dimension (\d+)", name)) and int(found[1]) >= len(dims):
            fail(f"a link that does not exist: {name} of dims = {dims}")
        if not 0 <= row["utilisation"] <= 1 + slack_of_ends(trial):  # a packet counts whole when it begins
            fail(f"a link is taken {row['utilisation']} of the time: {name}")


def bound_of_nodes(trial):
    fast = max([1.0, *rates(trial)])
    if trial.keys.get("router.consumption") == "multiple" or trial.machine == "ideal":
        return math.inf
    return fast


def slack_of_ends(trial):
    """A packet that was in flight when counting began is accepted whole: one a node."""
    longest = trial.effective("packet.phits")
    cycles = trial.base["cycles"]
    if trial.base["measured"]:
        batches = trial.base["batches"]
        cycles = sum(row["end"] - row["begin"] for row in batches) if batches else cycles
    return longest / max(1, cycles)


CHECKS = {"repetition": repetition, "several ranks": several_ranks, "resumed": resumed, "generated": generated,
          "zero load": zero_load,
          "saturation": saturation, "slow-down": slowdown, "defaults": defaults, **LAWS}  # fmt: skip
