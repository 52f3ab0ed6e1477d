"""Several jobs on one network, each with a workload of its own."""

from draw_accelerators import ACCELERATORS, WITHOUT_TASKS
from draw_nodes import NODES_OF_NETWORK
from draw_workloads import WORKLOADS, placement

NAMES = ["alpha", "beta", "gamma"]
# Patterns of independent sources that need no network: of any number of nodes, and of a power of four.
ANY_NUMBER = ["uniform", "hot-spot", "hot-region", "zipf", "stencil", "tornado", "insee-tornado", "regions", "matrix",
              "random-permutation", "shift", "semi", "distribution", "random-distribution", "local",
              "distance-histogram", "worst-case", "next-group"]
POWERS = ["bit-complement", "bit-reversal", "transpose", "butterfly", "shuffle", "bit-rotation"]
KEPT = ("workload.kind", "workload.name", "workload.algorithm", "workload.path", "workload.matrix", "workload.tasks",
        "workload.message_bytes", "nodes",
        "repeat")  # fmt: skip


class OfJob:
    """A case as one of its jobs sees it: so many nodes, and keys of which those of a workload become the job's."""

    def __init__(self, case, name, nodes):
        self.case, self.name, self.nodes = case, name, nodes
        self.catalogue, self.keys, self.kept = case.catalogue, dict(case.keys), set()

    def effective(self, key):
        return self.catalogue.effective(self.keys, key)

    def add_file(self, name, content):
        return self.case.add_file(f"{self.name}-{name}", content)

    def workload(self):
        return {key: value for key, value in self.keys.items() if key.startswith("workload.")}

    def common(self):
        return {key: value for key, value in self.keys.items() if key.split(".")[0] not in ("workload", "placement")}

    def runs_tasks(self):
        return self.catalogue.workloads[self.keys["workload.kind"]]["tasks"]


def several_jobs(case, rng, first):
    """Two or three jobs, the first of the kind that it is the turn of where that can be one. False where there is no
    room."""
    count = rng.choice([2, 2, 3])
    if case.nodes < 4 * count:
        return False
    spare = case.nodes - 4 * count
    cuts = sorted(rng.randint(0, spare) for _ in range(count - 1))
    sizes = [4 + end - begin for begin, end in zip([0, *cuts], [*cuts, spare], strict=True)]
    jobs = [job(case, rng, name, size, kind_of_job(case, rng, first if name == NAMES[0] else None)) for name,
            size in zip(NAMES, sizes)]
    for one in jobs:
        size = {} if one.runs_tasks() else {"nodes": one.nodes}
        case.keys.update({f"job.{one.name}.{key}": value for key, value in {**one.workload(), **size}.items()})
    courses(case, rng, jobs)
    places(case, rng, jobs)
    classes = case.keys.get("router.traffic_classes", 1)
    for one in jobs:
        if classes > 1 and rng.random() < 0.6:
            case.keys[f"job.{one.name}.traffic_class"] = rng.randrange(classes)
    case.kept |= {f"job.{one.name}.{key}" for one in jobs for key in KEPT}
    return True


def kind_of_job(case, rng, wanted):
    """("kernel", its name): a kind with what its function in draw_workloads.py takes."""
    if wanted and wanted[0] in ("kernel", "collective", "trace", "sparse-matrix", "storage", "nccl", "training",
                                *ACCELERATORS):
        return wanted
    if wanted and wanted[0] == "exchange" and wanted[1] not in NODES_OF_NETWORK:
        return wanted
    c, kind = case.catalogue, rng.choice(["synthetic", "synthetic", "burst", "kernel", "collective", "exchange",
                                          "trace", "sparse-matrix", "storage", "flows",
                                          "nccl", "training", *ACCELERATORS])  # fmt: skip
    if kind in ("sparse-matrix", "storage", "training", *ACCELERATORS):
        return (kind,)
    if kind == "nccl":
        return kind, rng.choice(list(c.accelerators))
    if kind == "flows":
        return kind, rng.choice(["uniform", "hot-spot"])
    if kind in ("synthetic", "burst"):
        return kind, rng.choice(ANY_NUMBER * 2 + POWERS)
    if kind == "collective":
        row = rng.choice(list(c.collectives.values()))
        return kind, row["operation"], row["algorithm"]
    names = {"kernel": list(c.kernels), "exchange": [name for name in c.exchanges if name not in NODES_OF_NETWORK],
             "trace": c.record_formats()}
    return kind, rng.choice(names[kind])


def job(case, rng, name, nodes, kind):
    size = nodes
    if kind[0] in ("synthetic", "burst") and kind[1] in POWERS:
        size = max(4**power for power in (1, 2, 3) if 4**power <= nodes)
    one = OfJob(case, name, size)
    WORKLOADS[kind[0]](one, rng, *kind[1:])
    if not one.runs_tasks():
        one.keys.pop("workload.source_queue", None)
        one.keys.pop("workload.bursts", None)
    elif kind[0] not in ("trace", *WITHOUT_TASKS):
        # Without a number they would take all nodes of the network.
        one.keys.setdefault("workload.tasks", 4)
        if one.keys["workload.tasks"] > size * one.keys.get("workload.tasks_per_node", 1):
            return job(case, rng, name, nodes, ("collective", "broadcast", "linear"))
    case.keys.update(one.common())
    return one


def courses(case, rng, jobs):
    """When jobs begin, and which of them go on until the others are over."""
    keys, background = case.keys, set()
    for one in jobs:
        endless = one.keys["workload.kind"] == "synthetic"
        if len(background) < len(jobs) - 1 and rng.random() < (0.9 if endless else 0.3 if not one.runs_tasks()
                                                               else 0.15):
            background.add(one.name)
            keys[f"job.{one.name}.repeat"] = "until-others-end"
        elif endless:
            keys["simulation.cycles"] = rng.choice([300, 1000, 3000])
    has_length = {"link.rate_gbps", "simulation.tick_ps"} & set(keys)
    others = [one.name for one in jobs if one.name not in background]
    for one in jobs:
        start, before = rng.random(), [name for name in others if name < one.name]
        if start < 0.3 and before:
            keys[f"job.{one.name}.after"] = rng.choice(before)
        elif start < 0.5:
            keys[f"job.{one.name}.start_cycles"] = rng.choice([1, 10, 200, 1500])
        elif start < 0.6 and has_length:
            keys[f"job.{one.name}.start_ns"] = rng.choice([0.5, 17, 1000])
    if rng.random() < 0.5:
        keys["simulation.launch_cycles"] = rng.choice([1, 10, 70, 1000, 5000])


def places(case, rng, jobs):
    """Policies of each job, or one file that says the places of all."""
    tasks = {one.name: one.keys.get("workload.tasks") if one.runs_tasks() else one.nodes for one in jobs}
    if None not in tasks.values() and rng.random() < 0.2:
        each = max(one.keys.get("workload.tasks_per_node", 1) if one.runs_tasks() else 1 for one in jobs)
        free = [node for node in range(case.nodes) for _ in range(each)]
        rng.shuffle(free)
        named = rng.random() < 0.5
        lines = [f"{free.pop()} {task} {name if named else number}" for number,
                 (name, count) in enumerate(tasks.items()) for task in range(count)
                 if free]  # fmt: skip
        path = case.add_file("nodes.txt", "\n".join(lines))
        for one in jobs:
            case.keys.update({f"job.{one.name}.placement.policy": "file", f"job.{one.name}.placement.path": path})
        return
    for one in jobs:
        drawn = OfJob(case, one.name, case.nodes)
        drawn.keys = dict(one.workload()) if one.runs_tasks() else {}
        placement(drawn, rng, tasks[one.name])
        # The nodes of a file must be free, as they are for the first.
        if drawn.keys.get("placement.policy") != "file" or one is jobs[0] and tasks[one.name]:
            case.keys.update({f"job.{one.name}.{key}": value for key, value in drawn.keys.items()
                              if key.startswith("placement.")})
