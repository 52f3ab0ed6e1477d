"""Laws that need no model of a network: counts of a program that is written out, sums, bounds that come from counting
links, and configs that say the same in another way. None of them looks at how the program computes a figure."""

import math
import re

from job_keys import job_names, of_job, split
from training_counts import Counts
from trial import ending, refusal
from zero_load import Times, expected_latency

SENDS = re.compile(r"\bsend (\d+)b to (\d+)")
MATCHING = re.compile(r'workload.matching = "(.*?)"')
TAGGED = re.compile(r"\bsend (\d+)b to (\d+)(?: tag (\d+))?")
RANK = re.compile(r"rank (\d+) \{")
EXACT = 1e-9


def several_seeds(trial):
    return trial.keys.get("measure.seeds", 1) > 1


def written_out(trial, job=None):
    """[(source, target, bytes)] of all messages of a program, and the GOAL file that has them; None where it cannot be
    written."""
    words = ["trace", "generate", "--config", "case.toml", *(["--job", job] if job else []), "--out", "written.goal"]
    outcome = trial.program.call(trial.config, words)
    if outcome.code != 0:
        if outcome.refused:
            refusal(trial, outcome)
        elif outcome.code not in (3, 4):
            ending(trial, outcome)
        return None, None, outcome
    text, source, sends = (outcome.folder / "written.goal").read_text(encoding="utf-8"), 0, []
    for line in text.splitlines():
        if begins := RANK.match(line):
            source = int(begins[1])
        elif sent := SENDS.search(line):
            sends.append((source, int(sent[2]), int(sent[1])))
    return sends, text, outcome


def volumes(trial):
    """Messages, and their packets, are those of the program written out: of the run, and of each of its jobs."""
    if not trial.runs_tasks or not trial.complete or several_seeds(trial):
        return
    names, total, rows = job_names(trial.keys), [], {row["name"]: row for row in trial.base.get("jobs", [])}
    for name in names or [None]:
        if name and (rows[name]["background"] or not runs_a_program(trial, of_job(trial.keys, name))):
            return
        sends, _, outcome = written_out(trial, name)
        if sends is None:
            return
        total += sends
        if name and rows[name]["messages"] != len(sends):
            trial.broken("volumes", f"job {name} sends {len(sends)} messages, but {rows[name]['messages']} are counted",
                         outcome)
    if trial.base["packets"]["dropped"]:
        return
    if trial.base["messages"]["sent"] != len(total):
        trial.broken("volumes", f"{len(total)} messages are asked for, but sent are {trial.base['messages']['sent']}",
                     outcome)
    if packets_are_of_messages(trial) and (expected := sum(packets_of(trial, size) for _, _,
                                                           size in total)) != trial.base["packets"]["generated"]:
        trial.broken("volumes",
                     f"{expected} packets are asked for, but {trial.base['packets']['generated']} are generated",
                     outcome)


def training_counts(trial):
    """A training sends the messages and bytes, for each way of sharing, that its documented algorithm asks for: also
    with experts elsewhere."""
    if trial.keys.get("workload.kind") != "training" or job_names(
            trial.keys) or not trial.complete or several_seeds(trial):
        return
    found = {row["name"]: (row["messages"], row["bytes"]) for row in trial.base["activities"]}
    counts = Counts(trial.effective)
    for way, expected in counts.all().items():
        # nothing is sent to experts without tokens
        fewer = counts.unequal and way in ("expert", "tensor") and found[way][0] <= expected[0]
        if (found[way][1] != expected[1]) if fewer else (found[way] != expected):
            trial.broken("training counts", f"{way}: (messages, bytes) {found[way]}, by hand {expected}", trial.first)
    if not counts.unequal:
        return
    _, text, outcome = written_out(trial)
    if text and (what := counts.unlike(tagged_sends(text))):
        trial.broken("training counts", what, outcome)


def tagged_sends(text):
    """[(source, target, bytes, tag)] of a GOAL file."""
    source, sends = 0, []
    for line in text.splitlines():
        if begins := RANK.match(line):
            source = int(begins[1])
        elif sent := TAGGED.search(line):
            sends.append((source, int(sent[2]), int(sent[1]), int(sent[3] or 0)))
    return sends


def runs_a_program(trial, keys):
    return trial.catalogue.workloads[keys.get("workload.kind", "synthetic")]["tasks"]


def packets_are_of_messages(trial):
    """Whether all packets are those of messages between nodes, cut into equal ones."""
    of = {split(key)[1] for key in trial.keys}
    others = {"workload.rendezvous_bytes", "workload.tasks_per_node", "node.nics", "workload.in_network",
              "workload.operation"}
    grouped = any(key.startswith(("node.", "placement.", "nic.")) for key in of) or of & others
    return not grouped and trial.machine not in ("ideal",
                                                 "spinnaker") and not trial.faulty and trial.base[
                                                         "packets"]["combined"] == 0


def packets_of(trial, size):
    payload = (trial.effective("packet.phits")
               - trial.effective("packet.header_phits")) * trial.effective("packet.phit_bytes")
    return max(1, -(-size // payload))


def trace(trial):
    """The program written out as a trace, and those of jobs, end at the same tick, task by task. Packets draw their
    traffic classes, by other numbers there."""
    if trial.base.get("traffic_classes"):
        return
    if not trial.runs_tasks or not trial.complete or several_seeds(trial) or trial.background:
        return
    names = job_names(trial.keys)
    config, outcome = trial.config, None
    for name in names or [None]:
        if says_all(trial, of_job(trial.keys, name)):
            sends, text, outcome = written_out(trial, name)
            if sends is None:
                return
            config = with_trace(trial, config, name, text, outcome)
    if outcome is None:
        return
    second = trial.program.run(config)
    if second.code != 0:
        if not second.refused:
            ending(trial, second, config)
        return
    again = second.summary
    for what in ("task_finish_cycles", "messages", "packets"):
        if again[what] != trial.base[what]:
            trial.broken("trace",
                         f"{what} of the program written as a trace: {str(again[what])[:200]} instead of "
                         f"{str(trial.base[what])[:200]}", second,
                         config)  # fmt: skip


def says_all(trial, keys):
    """Whether a trace can say what the workload with these keys does."""
    if not runs_a_program(trial, keys) or keys["workload.kind"] in ("flows", "inference", "trace"):
        return False  # times of the outside world, which a trace has not; formats that say less than they mean
    if trial.keys.get("ideal.rendezvous_bytes", 0) or keys.get("workload.rendezvous_bytes", 0):
        # a program's sends go on during a rendezvous, which a graph has no word for (docs/programs.md, "Who waits for a
        # rendezvous")
        return False
    return trial.catalogue.effective({**of_job(trial.keys, None), **keys}, "workload.cpu_scale") == 1


def with_trace(trial, config, name, text, outcome):
    """The config with the trace in place of the workload, of a job if there is a name."""
    at, path = f"job.{name}." if name else "", f"written-{name}.goal" if name else "written.goal"
    keys = of_job(trial.keys, name)
    changed = {"kind": "trace", "path": path} | ({} if trial.base["cycle_ns"] else {"cpu_scale": 0})
    if told := MATCHING.search(outcome.out):
        changed["matching"] = told[1]
    own = {key for key in keys if key.startswith("workload.")
           and not of_every_program(trial, key)} | {"workload.tasks"} & set(keys)
    again = config.but({f"{at}workload.{key}": value for key, value in changed.items()},
                       without={at + key for key in own})
    again.files = {**config.files, path: text}
    return again


def of_every_program(trial, key):
    kinds = trial.catalogue.settings[key]["kinds"]
    return (not kinds or "trace" in kinds) and key != "workload.kind"


def alone(trial):
    """As the only job of a run a program does what it does as its workload. Where there are traffic classes a job has
    one of them, and packets of no job draw theirs."""
    if not trial.runs_tasks or not trial.complete or several_seeds(
            trial) or job_names(trial.keys) or trial.base.get("traffic_classes"):
        return
    moved = {key: value for key, value in trial.keys.items() if key.split(".")[0] in ("workload", "placement")}
    config = trial.config.but({f"job.only.{key}": value for key, value in moved.items()}, without=moved)
    outcome = trial.program.run(config)
    if outcome.code != 0:
        if outcome.refused:
            refusal(trial, outcome, config)
        elif not outcome.endless and outcome.code != 3:
            ending(trial, outcome, config)
        return
    same_course(trial, outcome, config, "as the only job", trial.base)


def same_course(trial, outcome, config, what, expected):
    found = outcome.summary
    for figure in ("task_finish_cycles", "messages", "packets", "hops", "latency"):
        if found[figure] != expected[figure]:
            trial.broken("alone",
                         f"{figure} {what}: {str(found[figure])[:200]} instead of {str(expected[figure])[:200]}",
                         outcome, config)


DRAWS = {"trace", "storage", "inference", "flows", "sparse-matrix"}  # by job, or of files that only one job has


def halves(trial):
    """Two equal jobs on the halves of a network that they cannot disturb each other on end when one of them alone
    does."""
    keys = trial.keys
    if not trial.runs_tasks or not trial.complete or several_seeds(
            trial) or job_names(keys) or keys["workload.kind"] in DRAWS or trial.has_nics:
        return
    kept = {key: value for key, value in keys.items() if key.startswith(("workload.", "ideal."))
            or key in ("link.rate_gbps", "simulation.tick_ps")}
    each = keys.get("workload.tasks_per_node", 1)
    nodes = -(-trial.base["tasks"]["count"] // each)
    if nodes < 2:
        return
    kept |= {"workload.tasks": trial.base["tasks"]["count"], "topology.kind": "ideal", "topology.nodes": nodes,
             "simulation.max_cycles": 1_000_000_000}  # fmt: skip
    one = trial.config.but(kept, without=[key for key in keys if key not in kept])
    first = trial.program.run(one)
    if first.code != 0:
        return
    moved = {key: value for key, value in kept.items() if key.startswith("workload.")}
    two = one.but({"topology.nodes": 2 * nodes, **{f"job.{name}.{key}": value for name in ("left", "right") for key,
                                                   value in moved.items()}},
                  without=moved)  # fmt: skip
    second = trial.program.run(two)
    if second.code != 0:
        if not second.refused and not second.endless:
            ending(trial, second, two)
        return
    expected, found = first.summary["task_finish_cycles"], second.summary["task_finish_cycles"]
    for name, finish in (("left", found[: len(expected)]), ("right", found[len(expected) :])):
        if finish != expected:
            trial.broken("halves", f"tasks of {name} end at {str(finish)[:200]}, alone at {str(expected)[:200]}",
                         second, two)


def bounds(trial):
    """What was carried is no more than the links can carry, nothing is faster than its links, and no flow than
    alone."""
    s, keys = trial.base, trial.keys
    fail = lambda what: trial.broken("bounds", what, trial.first)  # noqa: E731
    if several_seeds(trial) or s["measured"] or trial.faulty or keys.get("router.routing") == "multicast":
        return
    for row in s.get("flows", []):
        least = {name: row["slowdown"][name] for name in ("p50", "mean", "p95", "p99", "max")
                 if row["slowdown"][name] is not None}
        if any(value < 1 - EXACT for value in least.values()):
            fail(f"flows are faster than alone: {least}")
    if trial.machine == "ideal" or trial.has_nics or trial.network is None or not s[
            "packets"]["delivered"] or s["cycles"] == 0:
        return
    shortest = trial.effective(
            "packet.header_phits") + 1 if trial.catalogue.routers[
                    trial.router]["any_length"] else trial.effective("packet.phits")
    links = sum(len(out) for out in trial.network.links.values()) * trial.planes
    times = Times(trial)
    if s["hops"] * shortest > links * max([1.0, *times.rates]) * (s["cycles"] + shortest):
        fail(f"{s['hops']} links were taken by packets of {shortest} phits in {s['cycles']} cycles, and there are "
             f"{links}")
    mean_hops = s["hops"] / s["packets"]["delivered"]
    if s["packets"]["in_flight"] or s["packets"]["copies"]:
        return
    least, _ = expected_latency(trial, {"hops": math.floor(mean_hops)}, shortest, trial.network.direct)
    if s["latency"]["mean"] < least - EXACT * least:
        fail(f"packets take {s['latency']['mean']} cycles over {mean_hops} links between routers, which take {least} "
             f"at least")


PARTS = ("compute", "send", "receive", "late_sender", "transfer", "late_receiver", "other_waits", "idle")


def explained(trial):
    """Where the time went adds up to the time, and efficiencies are at most 1 and multiply as they are defined."""
    if not trial.runs_tasks or not trial.complete or several_seeds(trial) or trial.background:
        return
    outcome = trial.program.call(trial.config, ["explain", "case.toml", "--json", "-", "--quiet"])
    if outcome.code != 0:
        if outcome.refused:
            refusal(trial, outcome)
        elif not outcome.endless:
            ending(trial, outcome)
        return
    fail = lambda what: trial.broken("explained", what, outcome)  # noqa: E731
    for run in outcome.summary["runs"]:
        near = lambda a, b, slack=1e-6: abs(a - b) <= slack * max(abs(a), abs(b), 1)  # noqa: E731, B023
        if run["time"] > 0 and not near(sum(run["shares"][part] for part in PARTS), 1):
            fail(f"shares of {run['job'] or 'the run'} add up to {sum(run['shares'].values())}")
        for task in run["tasks"]:
            if not near(sum(task[part] for part in PARTS), run["time"]):
                fail(f"parts of task {task['task']} of {run['job']} add up to {sum(task[part] for part in PARTS)} of "
                     f"{run['time']}")
        e = run["efficiencies"]
        for name in ("parallel", "load_balance", "communication", "serialisation", "transfer"):
            if e[name] is not None and not 0 <= e[name] <= 1 + 1e-6:
                fail(f"efficiency {name} of {run['job'] or 'the run'} is {e[name]}")
        for whole, parts in (("parallel", ("load_balance", "communication")),
                             ("communication", ("serialisation", "transfer"))):
            if None not in (e[whole], *(e[part] for part in parts)) and not near(e[whole],
                    math.prod(e[part] for part in parts)):
                fail(f"{whole} is {e[whole]}, not the product of {parts}: {e}")


ALIKE = ("cycles", "digest", "packets", "messages", "hops", "latency", "distance", "load")


def units(trial):
    """With phits of twice the bytes, links of twice the rate and messages of twice the length all ends in the same
    cycles."""
    keys = trial.keys
    if several_seeds(trial) or job_names(keys) or trial.machine == "ideal":
        return
    if trial.runs_tasks and (keys["workload.kind"] != "exchange" or "workload.message_bytes" not in keys):
        return  # sizes that thresholds, files or kernels decide
    changes = {"packet.phit_bytes": 2 * trial.effective("packet.phit_bytes")}
    for key, value in keys.items():
        setting = trial.catalogue.settings.get(key)
        if setting and (setting["unit"] in ("bytes", "Gbit/s", "gbps", "10^9 bits/s")
                        or key.endswith(("_gbps", "_bytes"))):
            if not isinstance(value, int | float):
                return
            changes[key] = 2 * value
    config = trial.config.but(changes)
    outcome = trial.program.run(config)
    if outcome.code != 0:
        if outcome.refused:
            refusal(trial, outcome, config)
        else:
            ending(trial, outcome, config)
        return
    for figure in ALIKE:
        if outcome.summary[figure] != trial.base[figure]:
            trial.broken("units",
                         f"{figure} with doubled units: {str(outcome.summary[figure])[:200]} instead of "
                         f"{str(trial.base[figure])[:200]}", outcome,
                         config)  # fmt: skip


LAWS = {"bounds": bounds, "volumes": volumes, "trace": trace, "alone": alone, "halves": halves, "units": units,
        "explained": explained,
        "training counts": training_counts}  # fmt: skip
