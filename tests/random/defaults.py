"""What a result says of a key that was not given is what happens: the config with all its defaults written out runs as
before."""

from job_keys import job_names
from program import keys_named
from trial import ending

# Two keys for one thing: the default of one is refused beside the other.
TWO_FOR_ONE = "remove one of them"
MOST_REFUSALS = 150
# Where results go, and how they were made.
NOT_OF_THE_RUN = ("config", "config_toml", "engine", "started_at", "warnings")


def flat(table, prefix=""):
    for name, value in table.items():
        if isinstance(value, dict):
            yield from flat(value, f"{prefix}{name}.")
        elif value is not None:
            yield prefix + name, value


def figures(summary):
    return {name: value for name, value in summary.items() if name not in NOT_OF_THE_RUN}


def written_out(trial):
    """The defaults of all keys that the run makes use of, as its result has them."""
    return {key: value for key, value in flat(trial.base["config"]) if key not in trial.keys
            and key in trial.catalogue.settings and key != "format"}


def accepted(trial, more):
    """The run with these keys, without those that are refused: each must be one of two for one thing, or without
    effect."""
    left = dict(more)
    for _ in range(MOST_REFUSALS):
        config = trial.config.but(left)
        outcome = trial.program.run(config)
        if outcome.code == 0:
            return outcome, left
        if not outcome.refused:
            ending(trial, outcome, config)
            return None, left
        line = outcome.first_line
        named = [key for key in keys_named(line.rpartition("; ")[0], left) if key in left]
        if not named or not (TWO_FOR_ONE in line or "has no effect" in line):
            trial.broken("defaults", f"a default is refused: {line}", outcome, config)
        del left[named[0]]
    return None, left


def defaults(trial):
    if trial.base is None or job_names(trial.keys):
        return
    more = written_out(trial)
    outcome, left = accepted(trial, more)
    if outcome is None or figures(outcome.summary) == figures(trial.base):
        return
    for key, value in left.items():
        one = trial.program.run(trial.config.but({key: value}))
        if one.code == 0 and figures(one.summary) != figures(trial.base):
            trial.broken("defaults", f"{key} = {value} is said to be the default, but changes the run", one)
    trial.broken("defaults", "the config with all defaults written out is another run", outcome)
