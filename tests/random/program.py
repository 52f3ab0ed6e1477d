"""Runs weft on settings, within limits of time, and looks at how it ended."""

import base64
import json
import os
import re
import signal
import subprocess
from dataclasses import dataclass, field
from pathlib import Path

import harness
from job_keys import job_names, of_job, split


def toml(keys):
    """Keys of jobs come last, each job in a table of its own."""
    lines = lambda some: "".join(f"{key} = {json.dumps(value)}\n" for key, value in some.items())  # noqa: E731
    jobs = [f'[[job]]\nname = "{name}"\n{lines(of_job(keys, name))}' for name in job_names(keys)]
    return "".join(["format = 1\n", lines({key: value for key, value in keys.items() if split(key)[0] is None}), *jobs])


def pasted(name, content):
    """A shell command that makes a file of text or of bytes."""
    if isinstance(content, bytes):
        return f"base64 -d >{name} <<'END'\n{base64.encodebytes(content).decode()}END"
    return f"cat >{name} <<'END'\n{content.rstrip()}\nEND"


@dataclass
class Config:
    """Settings by key, and the files that they name."""

    keys: dict
    files: dict = field(default_factory=dict)

    def but(self, changes=None, without=()):
        keys = {key: value for key, value in self.keys.items() if key not in without}
        return Config({**keys, **(changes or {})}, self.files)

    def shell(self, arguments):
        """What makes the config and runs it, to be pasted."""
        lines = [pasted(name, content) for name, content in {**self.files, "case.toml": toml(self.keys)}.items()]
        return "\n".join([*lines, arguments])


@dataclass
class Outcome:
    code: int
    out: str
    error: str
    command: str
    folder: Path

    @property
    def summary(self):
        return json.loads(self.out)

    @property
    def first_line(self):
        """Of what is no warning: those come before an error."""
        return next((line for line in self.error.strip().split("\n") if not line.startswith("weft: warning")), "")

    @property
    def refused(self):
        return self.code == 2

    @property
    def endless(self):
        """The safety limit of simulated time was reached: nothing is known, and nothing is wrong."""
        return self.code == 4 and "is over before the run is done" in self.error


class Program:
    """`limit`: seconds of processor time of a run; of waiting eight times as much, since machines are shared."""

    def __init__(self, weft, folder, limit=20):
        self.weft, self.folder, self.limit, self.started = weft, Path(folder), limit, 0

    def room(self):
        """A folder for one run."""
        self.started += 1
        place = self.folder / f"run{self.started}"
        place.mkdir(parents=True)
        return place

    def call(self, config, arguments, ranks=1, room=None):
        place = room or self.room()
        for name, content in {**config.files, "case.toml": toml(config.keys)}.items():
            (place / name).write_bytes(content if isinstance(content, bytes) else content.encode())
        command = [self.weft, *arguments]
        shown = "weft " + " ".join(map(str, arguments))
        environment = dict(os.environ)
        if ranks > 1:
            command, environment = harness.with_mpi(command, ranks), harness.environment(ranks)
            shown += f" --threads {ranks}"
        # Sanitized programs: what MPI leaves behind at its end is none of ours.
        environment["ASAN_OPTIONS"] = environment.get("ASAN_OPTIONS", "") + ":detect_leaks=0"

        limits = ["bash", "-c", 'ulimit -t "$0" -c 0; exec "$@"', str(self.limit)]
        process = subprocess.Popen([*limits, *command], cwd=place, env=environment, stdin=subprocess.DEVNULL,
                                   stdout=subprocess.PIPE,
                                   stderr=subprocess.PIPE, start_new_session=True)
        try:
            out, error = process.communicate(timeout=8 * self.limit)
            code = process.returncode
        except subprocess.TimeoutExpired:
            os.killpg(process.pid, signal.SIGKILL)
            out, error = process.communicate()
            code = -signal.SIGXCPU
        code = -signal.SIGXCPU if code == -signal.SIGKILL else code  # of a limit, too
        return Outcome(code, out.decode(errors="replace"), error.decode(errors="replace"), shown, place)

    def run(self, config, ranks=1, settings=(), more=(), room=None):
        overrides = [word for setting in settings for word in ("--set", setting)]
        return self.call(config, ["run", "case.toml", "--json", "-", "--progress", "never", *overrides, *more], ranks,
                         room)

    def topology(self, config):
        """Facts of a network and its graph, of one plane, or None for one that is refused."""
        place, config = self.room(), config.but(without=["topology.planes"])
        outcome = self.call(config, ["topology", "case.toml", "--json", "-", "--export", "graph.json"], room=place)
        if outcome.code != 0:
            return None, outcome
        return Network(outcome.summary, json.loads((place / "graph.json").read_text(encoding="utf-8"))), outcome


class Network:
    """What `weft topology` says: counts, and who is joined to whom."""

    def __init__(self, facts, graph):
        self.facts, self.nodes, self.routers, self.direct = facts, facts["nodes"], facts["routers"], facts["direct"]
        self.router_of = {n: n for n in range(self.nodes)} if self.direct else {}
        self.links = {router: [] for router in range(self.routers)}  # [router]: (port, far router, its port)
        one_way = graph.get("directed", False)  # an edge for each way that a link carries then
        for link in graph["links"]:
            ends = [(link["source"], link.get("source_port")), (link["target"], link.get("target_port"))]
            (near, near_port), (far, far_port) = reversed(ends) if link["source"][0] == "n" else ends
            here, there = int(near[1:]), int(far[1:])
            if far[0] == "n":
                self.router_of[there] = here
                continue
            self.links[here].append((near_port, there, far_port))
            if not one_way:
                self.links[there].append((far_port, here, near_port))

    def nodes_of(self):
        """[router]: its nodes."""
        nodes = {}
        for node, router in self.router_of.items():
            nodes.setdefault(router, []).append(node)
        return nodes

    def ways_from(self, start):
        """Ports of a shortest path from a router to each other: [router]."""
        ways, front = {start: []}, [start]
        while front:
            here = front.pop(0)
            for port, far, _ in sorted(self.links[here]):
                if far not in ways:
                    ways[far] = [*ways[here], port]
                    front.append(far)
        return ways

    def distance(self, source, target):
        """Links of a shortest path from node to node; None where there is none."""
        way = self.ways_from(self.router_of[source]).get(self.router_of[target])
        return None if way is None else len(way) + (0 if self.direct else 2)


KEY_IN_TEXT = re.compile(r"\b[a-z]+(?:\.[a-z0-9_]+)+\b")
ADVICE = re.compile(r"\b([a-z0-9_.]+) = (\"[^\"]*\"|\[[^\]]*\]|-?[0-9][0-9.e+-]*|true|false)")


def keys_named(line, keys):
    """Keys of the config that a message names, in its order: by their full names, else all of a table that it names,
    else by their last names, as messages of files do."""
    found = [key for word in KEY_IN_TEXT.findall(line) for key in keys if word in (key, split(key)[1])]
    found += [key for table in re.findall(r"\[([a-z]+)\]", line) for key in keys
              if split(key)[1].startswith(table + ".")]
    found = found or [key for word in re.findall(r"[a-z0-9_]+", line) for key in keys if key.split(".")[-1] == word]
    return list(dict.fromkeys(found))


def advised(line, settings):
    """(key, value) of the first setting that a message advises, or None."""
    problem, _, advice = line.rpartition("; ")
    tables = [key.split(".")[0] for key in KEY_IN_TEXT.findall(problem) if key in settings]
    for name, text in ADVICE.findall(advice):
        key = next((k for k in [name, *(f"{table}.{name}" for table in tables)] if k in settings), None)
        if key is None:
            continue
        try:
            return key, json.loads(text.rstrip("."))
        except ValueError:
            continue
    number, key = re.match(r"use (\d+)\b", advice), re.search(r"([a-z]+\.[a-z_]+) = ", problem)
    return (key[1], int(number[1])) if number and key and key[1] in settings else None
