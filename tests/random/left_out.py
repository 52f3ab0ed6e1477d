"""Settings that random configurations do not have one by one, and why."""

# Texts and lists that are not drawn, and why.
LEFT_OUT = {
    "topology.tables": "tables of real fabrics: tests/fabrics",
    "topology.sl2vl": "dumps of real fabrics: tests/fabrics",
    "parallel.weights": "needs a checkpoint: drawn for the variations of a run",
    "parallel.partition_path": "drawn for the variations of a run",
    "checkpoint.path": "given for the variations of a run",
    "format": "always 1",
    "workload.trace_format": "drawn with workload.path",
    "workload.name": "drawn from the registries",
    "workload.pattern": "drawn from the registry",
    "workload.algorithm": "drawn from the registry",
    "job.name": "several jobs: tests/tools/config/jobs_test.cpp",
    "job.after": "several jobs",
    "topology.kind": "drawn from the registry",
    "router.kind": "drawn from the registry",
    "router.routing": "drawn from the registry",
}
# Numbers that are not drawn one by one.
SET_TOGETHER = {
    "job.start_ns": "several jobs",
    "job.start_cycles": "several jobs",
    "job.repeat": "several jobs",
    "job.traffic_class": "several jobs",
    "job.nodes": "several jobs",
    "simulation.tick_ps": "with link.rate_gbps, so that a phit takes a whole number of ticks",
    "simulation.max_cycles": "a safety limit of every run that ends by itself",
    "link.rate_gbps": "with simulation.tick_ps",
    "link.latency_ns": "with simulation.tick_ps",
    "parallel.check_memory": "changes nothing in small networks",
    "parallel.rebalance_above": "drawn for the variations of a run",
    "parallel.protocol": "drawn for the variations of a run",
    "parallel.partition": "drawn for the variations of a run",
    "checkpoint.every_seconds": "time of the clock: tests/checkpoint",
    "checkpoint.every_cycles": "given for the variations of a run",
}
