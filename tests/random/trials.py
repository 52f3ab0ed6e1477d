"""Runs random configurations, demands the invariants of each, and makes what fails small."""

import json
import shutil
import time
import traceback
from concurrent.futures import ThreadPoolExecutor
from dataclasses import dataclass, field

import invariants
from flow_results import flow_rows
from job_keys import job_names, setting_of, split
from job_results import job_rows
from generate import Generator
from trial import Broken, Trial, ending, refusal
from program import Config, Program, advised, keys_named

MOST_REFUSALS = 30
MOST_DROPS, MOST_SECONDS = 150, 120  # that making one failure small may take
# Without these a run has another size, not fewer causes.
KEEPS_IT_SMALL = {"topology.kind", "workload.kind", "workload.message_bytes", "workload.tasks",
                  "workload.burst_packets", "workload.repetitions",
                  "simulation.cycles", "simulation.max_cycles"}  # fmt: skip


OF_JOBS = ("workload", "placement", "job")


@dataclass
class Report:
    number: int
    keys: dict
    end: str = "broken"  # accepted, refused, stuck, over the limit (of simulated time), broken
    last: str = ""  # refusal
    failures: list = field(default_factory=list)  # (rule, what, config, command)


def droppable(keys):
    """What a config may be without: a whole job, or one key."""
    names = job_names(keys)
    jobs = [[key for key in keys if split(key)[0] == name] for name in names if len(names) > 1]
    one_by_one = sorted((key for key in keys if split(key)[1] not in KEEPS_IT_SMALL),
                        key=lambda k: (k.startswith("topology."), k))
    return jobs + [[key] for key in one_by_one]


class Trials:
    def __init__(self, weft, catalogue, seed, folder, limit=20, only=None, failures=False):
        self.weft, self.catalogue, self.seed, self.folder, self.limit = weft, catalogue, seed, folder, limit
        self.only = only or list(invariants.CHECKS)
        self.failures = failures

    def program(self, number):
        return Program(self.weft, self.folder / f"case{number}", self.limit)

    def one(self, number):
        """A case from drawing to the last check; its folder is gone afterwards."""
        program = self.program(number)
        try:
            return self.tried(number, program)
        finally:
            shutil.rmtree(program.folder, ignore_errors=True)

    def tried(self, number, program):
        drawn = None

        def ask(config):
            network, outcome = program.topology(config)
            if network is None:
                ending(Trial(program, self.catalogue, Config({**config.keys, "workload.kind": "synthetic"})), outcome,
                       config)
            return network

        report = Report(number, {})
        try:
            drawn = Generator(self.catalogue, self.seed, ask, self.failures).case(number)
            report.keys = dict(drawn.keys)
            trial = Trial(program, self.catalogue, drawn.config, f"{self.seed}/{number}")
            trial.network = drawn.network
            report.end = self.accept(trial, drawn, report)
            report.keys = dict(trial.keys)
            if report.end == "accepted":
                self.check(trial, report)
        except Broken as broken:
            report.failures.append(self.smaller(number, broken, drawn))
        except Exception:  # of the test itself: one case less, not the end of all
            report.failures.append(("no rule: the test failed", traceback.format_exc(), Config(report.keys), ""))
        return report

    def accept(self, trial, drawn, report):
        """Runs the config, and leaves out or changes what is refused until it is not. Advice that is followed must lead
        on."""
        rng, tried, followed, before = drawn.rng("refusals"), set(), None, None
        for _ in range(MOST_REFUSALS):
            outcome = trial.program.run(trial.config)
            stale = [key for key, name in trial.keys.items() if outcome.code == 3 and str(name) in trial.config.files
                     and name in outcome.first_line]
            if stale:  # a file for a network or for as many tasks as there are no longer
                trial.config = trial.config.but(without=[*stale, *(key.replace(".path", ".policy") for key in stale)])
                continue
            if not outcome.refused:
                if any(drawn.keys.get(key) != trial.keys.get(key) for key in {*drawn.keys, *trial.keys}
                       if key.startswith("topology.")):
                    trial.network, _ = trial.program.topology(trial.config)  # another one than was drawn
                return self.first(trial, outcome)
            refusal(trial, outcome)
            line = report.last = outcome.first_line
            if line == followed:
                trial.broken("refusal", f"the advice was followed, and the same is refused again: {line}", outcome)
            named = keys_named(line, trial.keys)
            jobs = job_names(trial.keys)
            advice = advised(line, self.catalogue.settings)
            if advice and jobs and self.catalogue.settings[advice[0]]["table"] in OF_JOBS:
                # For the job that is named, or whose value is; not for all.
                own = [f"job.{split(key)[0]}.{advice[0].removeprefix('job.')}" for key in named
                       if key.startswith("job.") and key in line]
                own += [key for key in named if setting_of(key) == advice[0]
                        and f"{advice[0]} = {json.dumps(trial.keys[key])}" in line]
                advice = (own[0], advice[1]) if own else None
            if followed and before and advice == before and "; use " in line:
                trial.broken("refusal",
                             f"the advice of '{followed}' was followed, and the next is to take it back: {line}",
                             outcome)
            followed = before = None
            if advice and self.catalogue.settings[setting_of(advice[0])]["path"]:
                advice = None
            if advice and not {advice[0]} & (drawn.kept
                                             | tried) and trial.keys.get(advice[0]) != advice[1] and rng.random() < 0.6:
                tried.add(advice[0])
                before = (advice[0], trial.effective(advice[0])) if "; use " in line else None
                trial.config = trial.config.but(dict([advice]))
                followed = line
                continue
            loose = [key for key in named if key not in drawn.kept] or [key for key in named
                                                                        if not key.endswith(".kind")]
            anything = [key for key in trial.keys if key not in drawn.kept]
            if not loose and not anything:
                return "refused"
            whole_table = [key for key in loose if "remove [" in line]
            trial.config = trial.config.but(without=whole_table or [loose[0] if loose else rng.choice(anything)])
            if not trial.keys.get("workload.kind") and not jobs:
                return "refused"
        return "refused"

    @staticmethod
    def first(trial, outcome):
        if not ending(trial, outcome):
            return "over the limit" if outcome.endless else "stuck"
        trial.first, trial.base, trial.events = outcome, outcome.summary, invariants.events_of(outcome)
        invariants.conservation(trial, outcome)
        invariants.figures(trial, outcome)
        job_rows(trial, outcome)
        flow_rows(trial, outcome)
        return "accepted"

    def check(self, trial, report):
        """All checks, so that one failure does not hide another."""
        for name in self.only:
            try:
                invariants.CHECKS[name](trial)
            except Broken as broken:
                report.failures.append(self.smaller(report.number, broken, trial, name))

    def smaller(self, number, broken, origin, check=None):
        """The failure with as few keys as keep it."""
        best, config = broken, origin.config if origin else broken.config
        if isinstance(origin, Trial):
            config = origin.config
        if broken.rule.startswith("ending") or check is None:
            config = broken.config
        left, end = MOST_DROPS, time.monotonic() + MOST_SECONDS
        changed = True
        while changed and left > 0:
            changed = False
            for keys in droppable(config.keys):
                if left <= 0 or time.monotonic() > end:
                    break
                left -= 1
                trial_config = config.but(without=keys)
                again = self.again(number, trial_config, broken.rule, check)
                if again is not None:
                    best, config, changed = again, trial_config, True
        return best.rule, str(best), best.config, best.command

    def again(self, number, config, rule, check):
        """The failure of a rule with another config; None if it holds there."""
        program = self.program(f"{number}-smaller")
        trial = Trial(program, self.catalogue, config, f"{self.seed}/{number}")
        try:
            trial.network, outcome = program.topology(config)
            if trial.network is None:
                return None
            if self.first_or_other(trial) == "accepted" and check:
                invariants.CHECKS[check](trial)
        except Broken as broken:
            return broken if broken.rule == rule else None
        except (KeyError, ValueError, IndexError):
            return None  # a config that no longer says what the check asks for
        finally:
            shutil.rmtree(program.folder, ignore_errors=True)
        return None

    def first_or_other(self, trial):
        outcome = trial.program.run(trial.config)
        return "refused" if outcome.refused else self.first(trial, outcome)

    def all(self, numbers, jobs=1, told=lambda report: None):
        with ThreadPoolExecutor(jobs) as pool:
            for report in pool.map(self.one, numbers):
                told(report)
                yield report
