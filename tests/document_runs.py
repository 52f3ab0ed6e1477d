"""Runs what pages of documentation show (tests/documents.py): commands in the order of the page, in a scratch folder;
compares outputs with what is shown, and renews them."""

import atexit
import functools
import os
import re
import shlex
import shutil
import subprocess
import sys
import tempfile
from pathlib import Path

import harness

from documents import COMMANDS, blocks_of, commands_of, covered, faults_of, text_of, without
from harness import ROOT

EACH = ["-e", "-o", "pipefail"]
QUICK = ("file", "verified", "prepared by", "holds")  # what the default check runs, unless it is slow
NUMBER = re.compile(r"[0-9]+(\.[0-9]+)?(e[-+]?[0-9]+)?( [kMG](?= ))?")  # with the prefix of its unit


@functools.cache
def copies():
    """A folder with copies of examples/ and studies/, to which those of all places are links."""
    folder = tempfile.TemporaryDirectory(prefix="weft-docs-copies-")
    atexit.register(folder.cleanup)
    for name in ("examples", "studies"):
        shutil.copytree(ROOT / name, Path(folder.name, name))
    return Path(folder.name)


class Place:
    """The scratch folder of a document: copies of examples/ and studies/; tools/, tests/, and as source/ all there is;
    weft, mpirun and a python3 with h5py in PATH, which finds the package of tools/python."""

    def __init__(self, folder, weft, mpirun, limit_s=120):
        self.folder, self.limit_s = folder, limit_s
        for name in ("examples", "studies"):
            shutil.copytree(copies() / name, folder / name, copy_function=os.link)
        for name in ("tools", "tests"):
            (folder / name).symlink_to(ROOT / name)
        (folder / "source").symlink_to(ROOT)
        for name, text in (("build/release/bin/weft", f'exec {weft} "$@"'), ("bin/weft", f'exec {weft} "$@"'),
                           ("bin/mpirun", f'exec {mpirun} --bind-to none "$@"'),
                           ("bin/python3", f'exec {sys.executable} "$@"')):
            path = folder / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(f"#!/bin/sh\n{text}\n", encoding="utf-8")
            path.chmod(0o755)

    def keep(self, name, text):
        (self.folder / name).parent.mkdir(parents=True, exist_ok=True)
        (self.folder / name).unlink(missing_ok=True)  # a link
        (self.folder / name).write_text(text + "\n", encoding="utf-8")

    def run(self, command, options=None):
        """What a shell command prints on both streams, as lines, without blanks at their ends. It may end with an error
        of weft, which is then what is shown; with options of bash (-e) it may not."""
        command = command.replace("/usr/bin/python3", "python3")  # the one with h5py that the build has found
        environment = harness.environment(2, PATH=f"{self.folder}/bin:{os.environ['PATH']}",
                                          PYTHONDONTWRITEBYTECODE="1", PYTHONPATH=str(ROOT / "tools" / "python"))
        words = ["timeout", "--kill-after", "5", str(self.limit_s), "bash", *(options or []), "-c",
                 f"exec 2>&1\n{command}"]
        done = subprocess.run(harness.with_mpi(words), cwd=self.folder, env=environment, stdin=subprocess.DEVNULL,
                              capture_output=True, text=True, check=False)
        if done.returncode == 124:
            raise AssertionError(f"not done after {self.limit_s} s: {command}")
        lines = [line.rstrip() for line in (done.stdout + done.stderr).splitlines()]
        if done.returncode != 0 and (options or not any(line.startswith("weft: error") for line in lines)):
            raise AssertionError(f"exit code {done.returncode} of: {command}\n" + "\n".join(lines[-20:]))
        return lines

    def run_part(self, block_text, named):
        """Runs a config that includes what the marker names, with its options, and has the tables of the block."""
        base, *options = shlex.split(named)
        path = Path(base).parent / "part.toml"  # where the block's own files are looked for, too
        self.keep(path, f'format = 1\ninclude = "{Path(base).name}"\n{block_text}')
        self.run(shlex.join(["weft", "run", str(path), "--quiet", *options]), EACH)


def same(shown, printed, varies):
    if varies and re.search(varies, shown) and re.search(varies, printed):
        return NUMBER.sub("N", shown) == NUMBER.sub("N", printed)
    return shown == printed


def same_kind(shown, printed):
    """Whether one line may have become the other: they begin alike."""
    return re.match(r"\s*\S*", shown).group() == re.match(r"\s*\S*", printed).group()


def segments_of(shown):
    """The shown lines between the lines "...": lists of (index, line)."""
    segments = [[]]
    for index, line in enumerate(shown):
        if line.strip() == "...":
            segments.append([])
        else:
            segments[-1].append((index, line))
    return segments


def aligned(shown, printed, alike):
    """For each index of `shown` that is not "...", the printed line that it stands for. None if they cannot be brought
    together: a segment that `alike` nothing in its place, or lines left over at either end."""
    pairs, at = {}, 0
    segments = segments_of(shown)
    for number, segment in enumerate(segments):
        places = range(at, len(printed) - len(segment) + 1)
        if number == 0:
            places = places[:1]
        if number == len(segments) - 1:
            places = [place for place in places if place == len(printed) - len(segment)]
        for place in places:
            if all(alike(line, printed[place + i]) for i, (_, line) in enumerate(segment)):
                pairs.update({index: printed[place + i] for i, (index, _) in enumerate(segment)})
                at = place + len(segment)
                break
        else:
            return None
    return pairs


def renewed(shown, printed, varies):
    """The shown lines with what is printed now; lines that vary stay as they are. None where it is not clear which line
    has become which."""
    def alike(a, b):
        return same(a, b, varies) or same_kind(a, b)

    pairs = aligned(shown, printed, alike)
    if pairs is None:
        return None
    return [line if index not in pairs or same(line, pairs[index], varies) else pairs[index]
            for index, line in enumerate(shown)]


class Page:
    """A document whose blocks are run, and what is wrong with them."""

    def __init__(self, path, weft, mpirun, limit_s=120):
        self.path, self.programs, self.limit_s = path, (weft, mpirun), limit_s
        self.lines = path.read_text(encoding="utf-8").splitlines()
        self.blocks = blocks_of(self.lines)
        self.problems = [f"{path.name}:{line}: {problem}" for line, problem in faults_of(self.lines, self.blocks)]
        self.not_run, self.ran, self.compared = [], 0, 0

    def check(self, whole, update=False):
        """Runs what is verified; with `whole` also what is slow and what shows no output. With `update` blocks that
        only have other figures are written anew."""
        replaced = []
        with tempfile.TemporaryDirectory(prefix="weft-docs-") as folder:
            self.place = None
            for block, after in zip(self.blocks, [*self.blocks[1:], None]):
                wanted = whole or block.word in QUICK and not block.marker["slow"]
                if block.word in ("not run", "not a config"):
                    self.not_run.append(f"{self.path.name}:{block.begin}: {block.marker['command'].strip()}")
                if block.word == "not a config" or block.word == "not run" and not (whole and block.marker["pattern"]):
                    continue
                if wanted and not covered(self.lines, block, after) and self.is_run(block):
                    self.place = self.place or Place(Path(folder), *self.programs, self.limit_s)
                    try:
                        replaced += self.run(block, update)
                    except AssertionError as error:
                        self.problems.append(f"{self.path.name}:{block.begin}: {error}")
        for begin, end, text in reversed(replaced):
            self.lines[begin:end] = text
        if replaced:
            self.path.write_text("\n".join(self.lines) + "\n", encoding="utf-8")
            print(f"{self.path.name}: {len(replaced)} blocks renewed")
        return self.problems

    def is_run(self, block):
        return block.marker or block.language in (*COMMANDS, "toml", "python")

    def run(self, block, update):
        text = text_of(self.lines, block)
        if block.word == "file":
            self.place.keep(block.marker["command"].strip(), text)
            return []
        self.ran += 1
        if block.word == "part of":
            self.place.run_part(text, block.marker["command"].strip())
        elif block.word == "holds":
            self.place.run(block.marker["command"], ["-e"])
        elif block.word == "" and block.language == "toml":
            self.place.keep("config.toml", text)
            self.place.run("weft run config.toml --quiet", EACH)
        elif block.word == "" and block.language == "python":
            self.place.run(f"python3 - <<'END'\n{text}\nEND", EACH)
        elif block.word in ("", "not run"):
            self.place.run(without(block, text), EACH)
        else:
            return self.compare(block, update)
        return []

    def compare(self, block, update):
        """Compares what commands print with what is shown; (begin, end, lines) of what `update` writes anew."""
        replaced = []
        typed = re.search(r"^\$ ", text_of(self.lines, block), re.M) or block.marker["command"]
        for command, begin, end in commands_of(self.lines, block):
            # Of a block with several commands no one may fail, as "..." would hide that.
            printed = self.place.run(command, None if typed and block.language != "prepared" else ["-e"])
            if block.language == "prepared":
                continue
            self.compared += 1
            shown = [line.rstrip() for line in self.lines[begin:end]]
            varies = block.marker["pattern"]
            if aligned(shown, printed, lambda a, b, varies=varies: same(a, b, varies)) is not None:
                continue
            text = renewed(shown, printed, varies) if update else None
            if text is not None:
                replaced.append((begin, end, text))
                continue
            self.problems.append(f"{self.path.name}:{begin + 1}: not what is printed by: {command}\nshown:\n  " +
                                 "\n  ".join(shown) + "\nprinted:\n  " + "\n  ".join(printed[:60]))
        return replaced
