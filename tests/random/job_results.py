"""What must hold of the rows of jobs in a result."""

import math

from job_keys import job_names, of_job
from trial import ending


def job_rows(trial, outcome):
    """Rows in the order of the config, that add up to the run; none begins before its time, or before the job that it
    follows is over."""
    names, s = job_names(trial.keys), trial.base
    if not names:
        return
    rows = s["jobs"]
    fail = lambda what: trial.broken("jobs", f"{what}: {rows}", outcome)  # noqa: E731
    tasks = sum(row["tasks"] for row in rows)
    # Sources on nodes that have failed are not there.
    if [row["name"]
        for row in rows] != names or tasks > s["tasks"]["count"] or tasks < s["tasks"]["count"] and not trial.faulty:
        fail(f"not the jobs {names} of {s['tasks']['count']} tasks in all")
    if trial.keys.get("measure.seeds", 1) > 1:
        return
    for what, rows_have, run_has in (
        ("packets delivered", sum(row["packets"]["delivered"] for row in rows), s["packets"]["delivered"]),
        ("packets generated", sum(row["packets"]["generated"] for row in rows), s["packets"]["generated"]),
        ("packets dropped", sum(row["packets"]["dropped"] for row in rows), s["packets"]["dropped"]),
        ("messages sent", sum(row["messages_sent"] for row in rows), s["messages"]["sent"]),
        ("messages delivered", sum(row["messages"] for row in rows), s["messages"]["delivered"]),
    ):
        if rows_have != run_has:
            fail(f"{rows_have} {what} of jobs, but {run_has} of all")
    for row in rows:
        of_one_job(trial, row, {row["name"]: row for row in rows}, fail)


def of_one_job(trial, row, rows, fail):
    s = trial.base
    name, begin, end, keys = row["name"], row["start_cycle"], row["finish_cycle"], of_job(trial.keys, row["name"])
    background = keys.get("repeat") == "until-others-end"
    if background != row["background"] or background and end is not None:
        fail(f"{name} is{'' if background else ' not'} background")
    if begin is None:  # has not begun
        if trial.complete and not background:
            fail(f"{name} has never begun")
        return
    if begin < keys.get("start_cycles",
                        0) or row["latency"]["count"] and row["latency"]["mean"] > row["latency"]["max"]:
        fail(f"{name} begins at {begin}, with latency {row['latency']}")
    if "after" in keys:
        before, launch = rows[keys["after"]]["finish_cycle"], trial.effective("simulation.launch_cycles")
        if before is None or not before <= begin <= before + launch or not (begin / launch).is_integer():
            fail(f"{name} begins at {begin}, after {keys['after']} that ended at {before}, at multiples of {launch}")
    packets, whole = row["packets"], s["packets"]["copies"] == s["packets"]["combined"] == 0
    if end is not None and whole and packets["generated"] != packets["delivered"] + packets["dropped"]:
        fail(f"{name} ended at {end} with packets in flight: {packets}")
    if not background and trial.complete and (end is None or end < begin or row["repetitions"] != 1):
        fail(f"{name} ended at {end} after {row['repetitions']} repetitions, but all is over")


def slowdown(trial):
    """With --slowdown the same, and what each job takes alone."""
    if not job_names(trial.keys) or not trial.complete or trial.keys.get("measure.seeds", 1) > 1:
        return
    outcome = trial.program.run(trial.config, more=["--slowdown"])
    if not ending(trial, outcome):
        return
    summary = outcome.summary
    if summary["digest"] != trial.base["digest"]:
        trial.broken("slow-down", f"another digest: {summary['digest']} instead of {trial.base['digest']}", outcome)
    for row in summary["jobs"]:
        ratio, took = row["slowdown"], (row["finish_cycle"] or 0) - (row["start_cycle"] or 0)
        if row["background"] != (ratio is None) and took > 0 or ratio is not None and not 0 < ratio < math.inf:
            trial.broken("slow-down", f"of {row['name']}: {ratio}", outcome)
