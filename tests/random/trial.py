"""A configuration that is tried, and the rule that it breaks."""

import random
import re

from job_keys import job_names, split


class Broken(Exception):
    """`rule`: which one; `command`: the run that shows it."""

    def __init__(self, rule, what, config, command):
        super().__init__(what)
        self.rule, self.config, self.command = rule, config, command


def runs_tasks(keys):
    return bool(job_names(keys)) or keys.get("workload.kind", "synthetic") not in ("synthetic", "burst", "reactive")


class Trial:
    """A config that is looked at: its first run, and the means to make others."""

    def __init__(self, program, catalogue, config, seed=0):
        self.program, self.catalogue, self.config, self.seed = program, catalogue, config, seed
        self.network = self.base = self.first = None

    @property
    def keys(self):
        return self.config.keys

    def effective(self, key):
        return self.catalogue.effective(self.keys, key)

    def rng(self, use):
        return random.Random(f"{self.seed}/{use}")

    def broken(self, rule, what, outcome, config=None):
        raise Broken(rule, what, config or self.config, outcome.command)

    @property
    def router(self):
        return self.catalogue.router(self.keys)

    @property
    def machine(self):
        return self.catalogue.routers[self.router]["machine"]

    @property
    def has_nics(self):
        """Whether nodes have several NICs, each of which is a node of the network."""
        return "node.nics" in self.keys and self.machine != "ideal"

    @property
    def planes(self):
        return self.keys.get("topology.planes", 1)

    @property
    def faulty(self):
        return any(key.startswith("faults.") for key in self.keys)

    @property
    def runs_tasks(self):
        return runs_tasks(self.keys)

    @property
    def background(self):
        """Whether a job goes on until the others are over, so that the run ends in its midst."""
        return any(split(key)[1] == "repeat" and value == "until-others-end" for key, value in self.keys.items())

    @property
    def complete(self):
        return self.base is not None and self.base["stop_reason"] == "workload-complete"


def refusal(trial, outcome, config=None):
    """Exit code 2, one line "problem (why); suggestion"."""
    line = outcome.first_line
    if not re.fullmatch(r"weft: error( \[rank \d+\])?: [^\n]+", line) or not line.isprintable():
        trial.broken("refusal", f"a refusal without a line that says why: {outcome.error[:300]!r}", outcome, config)
    if "; " not in line:
        trial.broken("refusal", f"a refusal without a suggestion: {line}", outcome, config)
    if len(line) > 900:
        trial.broken("refusal", f"a refusal of {len(line)} characters: {line[:300]}...", outcome, config)


FAR = 100_000  # cycles: whoever sets the watchdog shorter gets what he asked for


def may_be_stuck(trial, error, config):
    """Exit code 4 is right where the config says that it may be so, or where what tasks wait for has been dropped."""
    keys = config.keys
    if keys.get("deadlock.unsafe") or keys.get("deadlock.check") == "off" or keys.get("simulation.watchdog_cycles",
            FAR) < FAR:
        return True
    if keys.get("faults.cut_off") == "stop":
        return True
    lost = trial.faulty or trial.machine == "spinnaker" or keys.get("router.injection_timeout_cycles")
    if lost and runs_tasks(keys) and "task" in error:
        return True
    # What is cut off may wait for a repair that never comes, and old routes beside new ones may close cycles.
    if "faults.event" in keys or "faults.process" in keys:
        return True
    # docs/faults.md: adaptive packets without an escape may wait for each other.
    return trial.faulty and trial.router not in ("infiniband", "forwarding-table", "source-route")


def ending(trial, outcome, config=None):
    """True if the run came to its end; false if it was refused or stuck by right."""
    if outcome.code == 0:
        return True
    if outcome.refused:
        refusal(trial, outcome, config)
        return False
    if outcome.endless:
        return False
    if outcome.code == 4 and may_be_stuck(trial, outcome.error, config or trial.config):
        return False
    names = {-24: "took too long", -11: "crashed (SIGSEGV)", -8: "crashed (SIGFPE)", -6: "was aborted", 4: "is stuck"}
    what = names.get(outcome.code, f"ended with exit code {outcome.code}")
    # The first word tells a deadlock from tasks that wait: what is made smaller stays the same failure.
    kind = re.sub(r"weft: error( \[rank \d+\])?: |[^a-z].*", "", outcome.first_line) if outcome.code == 4 else ""
    return trial.broken(f"ending: {what} {kind}".strip(), f"{what}: {outcome.error.strip()[:700]}", outcome, config)
