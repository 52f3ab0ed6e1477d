"""Results of any size for tests of pages: a small result of `weft run` with other tables in place of its own. What is
in them is known, since it is made here."""

import re

import harness

h5py, np = harness.module("h5py"), harness.module("numpy")

ACTIVITIES = ["compute", "send", "wait for a message", "allreduce"]


def copy(source, target, without):
    """All of a result but some groups; HDF5 1.8's format, as `weft run` writes. The line with the checksum stays
    behind."""
    with h5py.File(source) as old, h5py.File(target, "w", libver=("v108", "v108")) as new:
        for name, value in old.attrs.items():
            new.attrs[name] = value
        for name in old:
            if name not in without:
                old.copy(name, new)


def columns(file, group, table):
    packed = {"chunks": True, "compression": "gzip", "compression_opts": 1}
    for name, values in table.items():
        file.create_dataset(f"{group}/{name}", data=values, **(packed if len(values) > 10_000 else {}))


def with_timeline(source, target, tasks, records, names=ACTIVITIES):
    """A timeline of so many tasks with so many records each, and a bulge in the waits of some; the table, as a
    dictionary."""
    draw, number = np.random.default_rng(1), tasks * records
    place, task = np.arange(number) % records, np.arange(number) // records
    activity = (np.arange(number) % 3).astype(np.uint64)
    activity[((place // 60) % 8 == 7) & (activity == 2)] = 3
    slow = 1 + 2 * np.exp(-((task / tasks - 0.4) ** 2) * 60) * np.exp(-((place / records - 0.6) ** 2) * 30)
    part = draw.random(number)
    length = np.choose(activity.astype(int), [400 + 300 * part, 20 + 60 * part, (60 + 200 * part) * slow, 100 + 50
                                              * part]).astype(np.int64)
    gap = np.where(draw.random(number) < 0.1, draw.integers(0, 20, number), 0)
    end = np.cumsum((length + gap).reshape(tasks, records), axis=1).reshape(-1)
    table = {"task": task.astype(np.uint64), "lane": np.zeros(number, np.uint64), "activity": activity,
             "begin": (end - length).astype(float), "end": end.astype(float)}  # fmt: skip
    copy(source, target, ("timeline", "activities"))
    with h5py.File(target, "r+") as file:
        zero = np.zeros(len(names), np.uint64)
        columns(file, "timeline", table)
        file["activities/name"] = np.array(names, dtype=h5py.string_dtype())
        columns(file, "activities", {"communicates": (np.arange(len(names)) > 0).astype(np.uint64), "cycles": zero
                                     + 1.0,
                                     "side_cycles": zero * 1.0, "messages": zero, "bytes": zero, "job": zero})
    return table


def with_links(source, target, dims, channels):
    """A torus of these dimensions in place of another, with a hot region; the table of its channels."""
    nodes, draw = int(np.prod(dims)), np.random.default_rng(2)
    row = np.arange(nodes * 2 * len(dims) * channels)
    port, channel = row // channels % (2 * len(dims)), row % channels
    router = row // channels // (2 * len(dims))
    away, stride = 0, 1
    for size in dims:
        away = away + (router // stride % size / size - 0.4) ** 2
        stride *= size
    load = (0.06 + 0.5 * np.exp(-40 * away) + 0.1 * draw.random(len(row))) / channels
    table = {"router": router.astype(np.uint64), "port": port.astype(np.uint64), "channel": channel.astype(np.uint64),
             "packets": (load * 20_000).astype(np.uint64), "utilisation": load}  # fmt: skip
    copy(source, target, ("ports", "nic_ports", "pairs", "nodes", "busiest_links"))
    with h5py.File(target, "r+") as file:
        text = file.attrs["config_toml"]
        text = text.decode() if isinstance(text, bytes) else text
        file.attrs["config_toml"] = re.sub(r"dims = \[[^\]]*\]", f"dims = {list(dims)}", text, count=1)
        for name in ("nodes", "routers"):
            file[f"summary/{name}"][...] = nodes
        columns(file, "nodes", {"injected_packets": np.zeros(0, np.uint64),
                                "delivered_packets": np.zeros(0, np.uint64)})
        columns(file, "ports", table)
    return table
