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
    "job.name": "every job has one",
    "node.tasks": "the same as workload.tasks_per_node, which is drawn: tests/closed_forms/nodes_test.py",
    "workload.cpu_factors": "needs overheads: tests/ranks, tests/closed_forms",
    "workload.noise_file": "as workload.noise",
    "topology.kind": "drawn from the registry",
    "router.kind": "drawn from the registry",
    "router.routing": "drawn from the registry",
}
# Numbers that are not drawn one by one.
SET_TOGETHER = {
    "workload.overhead_ns": "with the length of a cycle: tests/closed_forms, tests/ranks",
    "workload.byte_overhead_ns": "as workload.overhead_ns",
    "workload.gap_ns": "as workload.overhead_ns",
    "workload.noise": "with overheads and the length of a cycle: tests/ranks, tests/closed_forms",
    "workload.noise_ns": "with workload.noise",
    "workload.noise_interval_ns": "with workload.noise",
    "workload.reductions_in_flight": "with algorithm = \"in-network\": tests/ranks, tests/closed_forms",
    "workload.switch_latency_ns": "as workload.reductions_in_flight",
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
