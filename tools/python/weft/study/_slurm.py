"""A study as a SLURM job array, and the job after it that prints the table."""

from __future__ import annotations

import functools
import os
import re
import shlex
import shutil
import subprocess
from pathlib import Path

from .. import _program
from .._errors import Error
from ._load import Study, roots

MOST_TASKS = 100
#: Between the warning and the end of a task's time.
WARNING_S = 120
_BEGIN, _END = "# >>> job functions", "# <<< job functions"


def job_functions() -> str:
    """What the job scripts of weft have in common, out of weft.sbatch. Throws Error."""
    for root in roots():
        try:
            text = (root / "cluster-scripts" / "weft.sbatch").read_text(encoding="utf-8")
            return text[text.index(_BEGIN):text.index(_END)]
        except (OSError, ValueError):
            continue
    raise Error(
        "cluster-scripts/weft.sbatch is not there or lost its marks (job scripts are made of it); install weft anew", 5)


def _check_limit() -> None:
    """Throws Error if the time limit that sbatch takes from its variable is over when tasks are warned."""
    text = os.environ.get("SBATCH_TIMELIMIT", "")
    if not re.fullmatch(r"[0-9]+(:[0-9]+){0,2}", text):
        return  # none, or days
    parts = [int(part) for part in text.split(":")]
    seconds = parts[0] * 60 if len(parts) == 1 else functools.reduce(lambda sum_s, part: sum_s * 60 + part, parts)
    if 0 < seconds <= WARNING_S:
        raise Error(
            f"SBATCH_TIMELIMIT = {text} is {seconds} s, not longer than the warning {WARNING_S} s before the end "
            f"(each start would be requeued at once); set SBATCH_TIMELIMIT={2 * WARNING_S // 60} or more")


def _head(name: str, logs: Path, lines: list[str]) -> str:
    options = [f"--job-name=study-{name}", "--ntasks=1", *lines, "--open-mode=append", f"--output={_log(logs)}"]
    return "#!/bin/bash\n" + "".join(f"#SBATCH {option}\n" for option in options) + "set -uo pipefail\nwho=study\n"


def _log(logs: Path) -> str:
    text = str(logs)
    if any(mark in text for mark in "\\\n\r\t \"'"):
        raise Error(
            f"--out: '{text}' has a blank, a quote or a backslash in its name (SLURM takes names of logs literally); "
            "choose another")
    return text.replace("%", "%%") + "/%x-%A_%a.log"


def _command(study: Study, words: list[str]) -> str:
    return " ".join(map(shlex.quote, [_program.program(), "study", study.name, *words]))


def write(study: Study, runs: int, out: Path, words: list[str]) -> tuple[Path, Path]:
    """Writes the scripts of the array and of the table; `words`: --quick and the like. Throws Error."""
    if runs == 0:
        raise Error(f"study '{study.name}' has nothing left to run; print its table with --table")
    _check_limit()
    place = out / study.name
    logs = place / "logs"
    logs.mkdir(parents=True, exist_ok=True)
    tasks = min(runs, MOST_TASKS)
    array = _head(study.name, logs, [f"--array=0-{tasks - 1}", f"--signal=B:USR1@{WARNING_S}", "--requeue"])
    array += job_functions() + f"""
code=0
run {_command(study, [*words, '--jobs', '1', '--part'])} "$SLURM_ARRAY_TASK_ID/{tasks}" || code=$?
if ((code == 75)); then
  requeue "${{SLURM_ARRAY_JOB_ID}}_${{SLURM_ARRAY_TASK_ID}}" "stopped early" "submit again to go on with what is left"
  exit 75
fi
exit "$code"
"""
    table = _head(study.name, logs, []) + f"""
{_command(study, [*words, '--table'])} | tee {shlex.quote(str(place / 'table.txt'))}
exit "${{PIPESTATUS[0]}}"
"""
    scripts = place / "array.sbatch", place / "table.sbatch"
    for path, text in zip(scripts, (array, table), strict=True):
        path.write_text(text, encoding="utf-8")
        path.chmod(0o755)
    return scripts


def _submitted(words: list[str]) -> str:
    done = subprocess.run(
        ["sbatch", "--parsable", *words], capture_output=True, text=True, check=False, stdin=subprocess.DEVNULL)
    if done.returncode != 0:
        raise Error(
            f"sbatch does not take '{words[-1]}' ({done.stderr.strip()}); its options are also those of the variables "
            "SBATCH_PARTITION, SBATCH_ACCOUNT and SBATCH_TIMELIMIT", 5)
    return done.stdout.strip().partition(";")[0]


def submit(scripts: tuple[Path, Path]) -> tuple[str, str]:
    """Numbers of the two jobs. Throws Error."""
    if shutil.which("sbatch") is None:
        raise Error(
            "sbatch is not found (SLURM is not installed here); run the study without --submit, or copy its scripts "
            "to a machine that has it", 5)
    array = _submitted([str(scripts[0])])
    # After the end of all tasks, well or not: the table says what is missing.
    return array, _submitted([f"--dependency=afterany:{array}", str(scripts[1])])
