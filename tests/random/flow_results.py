"""What must hold of the flows in a result."""


def flow_rows(trial, outcome):
    """As many as were asked for; none is faster than it would be with the network for itself."""
    rows = trial.base.get("flows") or []
    fail = lambda what: trial.broken("flows", f"{what}: {rows}", outcome)  # noqa: E731
    for row in rows:
        if min(row["slowdown"][name] for name in ("mean", "p50", "p95", "p99", "max")) < 1 - 1e-9:
            fail("a slow-down below 1")
    if trial.keys.get("workload.kind") != "flows" or trial.keys.get(
            "workload.flows_path") or trial.faulty or not trial.complete:
        return
    asked = trial.effective("workload.flows")
    if trial.effective("workload.flow_cycles") == 0 and trial.keys.get("measure.seeds",
                                                                       1) == 1 and rows[0]["flows"] != asked:
        fail(f"{asked} were asked for")
