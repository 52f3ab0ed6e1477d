"""Workloads of accelerators with files, or with numbers that must divide each other."""


def places(case):
    return case.nodes * case.keys.get("workload.tasks_per_node", 1)


def groups(case, rng, parts):
    """Degrees whose product is no more than there are places for tasks."""
    left, drawn = places(case), []
    for _ in range(parts):
        drawn.append(rng.choice([degree for degree in (1, 1, 2, 3, 4) if degree <= left]))
        left //= drawn[-1]
    return drawn, max(1, left)


def timed(case, rng, key, values):
    """A key of times of computing, which need the length of a cycle; recorded ones always, unless they are left out."""
    keys = case.keys
    ideal = case.effective("topology.kind") == "ideal"
    if not ideal and "link.rate_gbps" not in keys and "simulation.tick_ps" not in keys and rng.random() < 0.5:
        keys["link.rate_gbps"] = 10.0
        case.kept.add("link.rate_gbps")
    if not ideal and "link.rate_gbps" not in keys:
        if key == "workload.cpu_scale":
            keys[key] = 0.0
            case.kept.add(key)
    elif key != "workload.cpu_scale" or rng.random() < 0.7:
        keys[key] = rng.choice(values)


def aicb(case, rng):
    (tensor, pipeline, expert), left = groups(case, rng, 3)
    gpus = tensor * pipeline * expert * rng.randint(1, min(3, left))
    layers = rng.randint(1, 6)
    begins, kept = (rng.randrange(1, layers), 0) if layers > 1 and rng.random() < 0.3 else (None, None)
    again = ("checkpoints: 0 checkpoint_initiates: 0" if begins is None
             else f"checkpoints: 1 {kept} checkpoint_initiates: 1 {begins}")
    lines = [f"HYBRID_TRANSFORMER_FWD_IN_BCKWD model_parallel_NPU_group: {tensor} ep: {expert} pp: {pipeline} vpp: 1 "
             f"ga: 1 all_gpus: {gpus} {again}", str(layers)]

    def part():
        operation = rng.choice(["NONE", "ALLREDUCE", "ALLGATHER", "REDUCESCATTER", "ALLTOALL"]) + rng.choice(["", "",
                "_EP", "_DP_EP"])
        return f"{rng.choice([0, 1, 500])} {operation} {rng.choice([0, 1, 7, 640, 2000])}"

    lines += [f"layer{k} -1 {part()} {part()} {part()} {rng.choice([0, 100])}" for k in range(layers)]
    case.keys.update({"workload.kind": "aicb", "workload.path": case.add_file("aicb.txt", "\n".join(lines))})
    if rng.random() < 0.5:
        case.keys["workload.repetitions"] = rng.randint(1, 3)
    timed(case, rng, "workload.cpu_scale", [0.1, 1.0])


def msccl(case, rng):
    """A ring allreduce, whose steps are in one thread block, or those that send in another than those that receive."""
    gpus, apart = rng.randint(2, min(8, places(case))), rng.random() < 0.5
    lines = [f'<algo name="ring" proto="{rng.choice(["Simple", "LL", "LL128"])}" nchunksperloop="{gpus}" '
             f'ngpus="{gpus}" coll="allreduce" inplace="1">']

    def block(number, send, receive, steps):
        lines.append(f'<tb id="{number}" send="{send}" recv="{receive}" chan="0">')
        for k, (kind, chunk, depends) in enumerate(steps):
            lines.append(f'<step s="{k}" type="{kind}" srcbuf="i" srcoff="{chunk}" dstbuf="i" dstoff="{chunk}" cnt="1" '
                         f'depid="{-1 if depends < 0 else 0}" deps="{depends}" hasdep="0"/>')
        lines.append("</tb>")

    for gpu in range(gpus):
        lines.append(f'<gpu id="{gpu}" i_chunks="{gpus}" o_chunks="0" s_chunks="0">')
        to, by, last = (gpu + 1) % gpus, (gpu - 1) % gpus, 2 * gpus - 2
        if apart:
            block(0, -1, by, [("rrc" if k < gpus - 1 else "r", (gpu - k - 1) % gpus, -1) for k in range(last)])
            block(1, to, -1, [("s", (gpu - k) % gpus, k - 1) for k in range(last)])
        else:
            kinds = ["s", *["rrs"] * (gpus - 2), "rrcs", *["rcs"] * (gpus - 2), "r"]
            block(0, to, by, [(kind, (gpu - k) % gpus, -1) for k, kind in enumerate(kinds)])
        lines.append("</gpu>")
    case.keys.update({"workload.kind": "msccl", "workload.path": case.add_file("algorithm.xml",
                                                                               "\n".join([*lines, "</algo>"])),
                      "workload.message_bytes": rng.choice([1, 50, 1000])})  # fmt: skip
    if rng.random() < 0.5:
        case.keys["workload.chunk_bytes"] = rng.choice([7, 100, 4096])
    if rng.random() < 0.5:
        case.keys["workload.repetitions"] = rng.randint(1, 3)
    if rng.random() < 0.3:
        timed(case, rng, "workload.hop_ns", [1, 100])


def inference(case, rng):
    (tensor, pipeline, expert), left = groups(case, rng, 3)
    replicas = rng.randint(1, min(3, left)) * expert
    each, keys = tensor * pipeline, case.keys
    experts = expert * rng.choice([1, 2]) if expert > 1 or rng.random() < 0.3 else 0
    drawn = {"workload.kind": "inference", "workload.tasks": each * replicas, "workload.layers": pipeline
             * rng.choice([1, 2]),
             "workload.hidden": 12 * rng.choice([1, 2]), "workload.vocabulary": 50,
             "workload.requests": rng.randint(1, 9),
             "workload.prompt_tokens": rng.randint(1, 9), "workload.output_tokens": rng.randint(1, 5),
             "workload.tensor": tensor,
             "workload.pipeline": pipeline, "workload.experts": experts}  # fmt: skip
    if expert > 1:
        drawn["workload.expert"] = expert
    if experts > 0:
        drawn["workload.top_k"] = rng.randint(1, experts)
    if replicas > expert and rng.random() < 0.6:
        drawn["workload.prefill_tasks"] = each * expert
        if rng.random() < 0.5:
            drawn["workload.kv_transfer"] = rng.choice(["layers", "whole"])
    for key, values in {"workload.feed_forward": [10, 30], "workload.kv_hidden": [12],
                        "workload.requests_per_s": [1e5, 1e7], "workload.parameter_bytes": [1, 2, 4],
                        "workload.most_prompt_tokens": [9, 20], "workload.most_output_tokens": [5, 8],
                        "workload.max_batch": [4, 7],
                        "workload.prefill_batch_tokens": [1, 20], "workload.device_tflops": [1e-3, 1.0],
                        "workload.device_efficiency": [0.1, 1.0],
                        "workload.memory_gbytes_per_s": [1.0, 100.0]}.items():  # fmt: skip
        if rng.random() < 0.5:
            drawn[key] = rng.choice(values)
    keys.update(drawn)
    timed(case, rng, "workload.cpu_scale", [0.1, 1.0])


ACCELERATORS = {"aicb": aicb, "msccl": msccl, "inference": inference}
# Whose files say how many tasks there are.
WITHOUT_TASKS = ("aicb", "msccl")
# Kinds whose tasks have lanes.
LANES = ("nccl", "training", *ACCELERATORS)
