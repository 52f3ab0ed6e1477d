"""What `weft study` starts: runs studies, and prints what is published beside what is simulated."""

from __future__ import annotations

import argparse
import fnmatch
import json
import os
import signal
import sys
from pathlib import Path
from typing import Any

from .. import _program
from .._errors import Error, nearest
from .._pool import Pool
from .._progress import LineDisplay, display_of
from . import _index, _load, _slurm, _table
from ._load import Study
from ._rows import Row
from ._runs import Found, Place

OUTSIDE, STOPPED = 1, 75


def _parsed(words: list[str]) -> argparse.Namespace:
    parser = argparse.ArgumentParser(prog="weft study", add_help=False)
    parser.add_argument("names", nargs="*")
    for flag in ("quick", "table", "again", "strict", "slurm", "submit"):
        parser.add_argument(f"--{flag}", action="store_true")
    parser.add_argument("--only", action="append", default=[])
    for value in ("part", "out", "traces", "markdown", "json"):
        parser.add_argument(f"--{value}", default="")
    for number in ("jobs", "reseed"):
        parser.add_argument(f"--{number}", type=int, default=0)
    return parser.parse_args(words)


def _listed() -> str:
    studies = [_load.load(name) for name in _load.names()]
    width = max(len(study.name) for study in studies)
    lines = [
        f"{study.name.ljust(width)}  {study.title}\n{'':{width}}  {study.published['source']}; "
        f"{study.published['page']}" for study in studies]
    return "\n".join([*lines, "weft study NAME --quick takes below two minutes; weft study NAME is the whole."])


def _share(text: str, names: list[str]) -> list[str]:
    """The runs of a part "I/N"."""
    if not text:
        return names
    ix, _, parts = text.partition("/")
    if not (ix.isdigit() and parts.isdigit() and 0 <= int(ix) < int(parts)):
        raise Error(f"--part {text} is no share (the first of 8 is 0/8, the last 7/8); give I/N")
    return names[int(ix)::int(parts)]


def _chosen(places: dict[str, Place], options: argparse.Namespace) -> dict[str, Place]:
    names = list(places)
    if options.only:
        for pattern in options.only:
            if not fnmatch.filter(places, pattern):
                raise Error(f"--only {pattern} is none of the study's {len(places)} runs; {nearest(pattern, places)}")
        names = [name for name in names if any(fnmatch.fnmatch(name, pattern) for pattern in options.only)]
    return {name: places[name] for name in _share(options.part, names)}


def _refuse_stale(study: Study, places: dict[str, Place], version: str) -> None:
    """Throws Error if there are results that must not be mixed with those of now."""
    folder = next(iter(places.values())).folder
    found: dict[str, list[Place]] = {}
    for place in places.values():
        found.setdefault(place.state(), []).append(place)
    what_to_do = "run the study with --again, or keep them and give another folder with --out"
    if old := found.get("version"):
        kept = old[0].kept() or {}
        raise Error(f"{len(old)} of {len(places)} results of study '{study.name}' in '{folder}' are of another version "
                    f"({kept.get('weft')}; this is {version}); {what_to_do}", 3)
    if old := found.get("settings"):
        raise Error(
            f"{len(old)} of {len(places)} results of study '{study.name}' in '{folder}' are of other settings than "
            f"the study has now ('{old[0].name}' for one); {what_to_do}", 3)


def _run(study: Study, places: dict[str, Place], options: argparse.Namespace) -> dict[str, Error]:
    """Runs what has no result; errors by name of the run."""
    to_run = [place for place in places.values() if place.has_input and not place.is_done]
    if not to_run:
        return {}
    folder = to_run[0].folder
    folder.mkdir(parents=True, exist_ok=True)
    pool = Pool(options.jobs or _program.usable_cores(), 1)
    try:
        errors = pool.run(to_run, display_of(None) or LineDisplay(sys.stderr))
    except KeyboardInterrupt:
        left = sum(not place.is_done for place in places.values())
        raise Error(f"stopped: {len(places) - left} of {len(places)} runs of study '{study.name}' have a result; "
                    "the same command goes on with the others", STOPPED) from None
    names = {place.name: name for name, place in places.items()}
    return {names[name]: error for name, error in errors.items()}


def _shown(study: Study, places: dict[str, Place], options: argparse.Namespace, version: str,
           objects: list[dict[str, Any]], index: list[tuple[str, ...]]) -> bool:
    """Prints the table, and adds it to `objects` and `index`; whether something is outside its tolerance."""
    found = Found(places)
    rows = study.rows(found, options.quick)
    choices = study.choices(found, options.quick) if study.choices else []
    results = _index.results(study, rows)
    objects.append(_table.as_object(study, rows, choices, results, found, version))
    index += _index.lines(study.command(options.quick), results, found)
    if options.json != "-":
        _print_table(study, places, options, version, found, rows, choices)
    if options.markdown:
        _table.renew(options.markdown, study, options.quick, rows, choices, found, version)
    return any(row.inside is False and row.is_of_the_text for row in rows)


def _print_table(study: Study, places: dict[str, Place], options: argparse.Namespace, version: str, found: Found,
                 rows: list[Row], choices: list[Row]) -> None:
    print(
        f"{study.title}\n{study.published['source']}; {study.published['page']}; {len(found.done)} of {len(places)} "
        f"runs, {version}\n\n{_table.as_text(rows)}")
    if choices:
        print(f"\n{_table.choices_as_text(choices)}")
    print(f"\n{_table.verdict(rows, found)}")
    waiting = [name for name, place in places.items() if found.kept[name] is None and place.has_input]
    if waiting:
        print(f"{len(waiting)} of {len(places)} runs have no result ('{waiting[0]}' for one): "
              f"{study.command(options.quick)} goes on")


def _lacking(study: Study, places: dict[str, Place]) -> Error | None:
    lacking = [place for place in places.values() if not place.has_input]
    if not lacking:
        return None
    what_to_do = ("name its folder with --traces or WEFT_TRACES" if lacking[0].run.input_path
                  else "tools/install-packages --guests installs what programs of weft cosim need")
    return Error(f"study '{study.name}': {len(lacking)} of {len(places)} runs need '{lacking[0].lacking}' "
                 f"(it is not there, and no part of weft); {what_to_do}", 3)


def _write_json(path: str, found: Any) -> None:
    """To a file, or to standard output ("-")."""
    text = json.dumps(found, indent=2, ensure_ascii=False, allow_nan=False) + "\n"
    if path == "-":
        sys.stdout.write(text)
        return
    if Path(path).exists() and not Path(path).is_file():  # /dev/null: nothing takes the place of a device
        Path(path).write_text(text, encoding="utf-8")
        return
    partial = Path(path + ".part")
    partial.write_text(text, encoding="utf-8")
    os.replace(partial, path)


def _done(study: Study, options: argparse.Namespace, version: str, objects: list[dict[str, Any]],
          index: list[tuple[str, ...]]) -> int:
    usual = f"results/studies-reseed-{options.reseed}" if options.reseed else "results/studies"
    out = Path(os.path.abspath(options.out or usual))
    everything = study.places(options.quick, out, version, options.reseed)
    places = _chosen(everything, options)
    if options.again:
        for place in places.values():
            for ending in ("json", "ckpt.h5", "failed.json"):
                place.file(ending).unlink(missing_ok=True)
    _refuse_stale(study, everything, version)
    if options.slurm:
        words = ["--out", str(out), *(["--quick"] if options.quick else [])]
        words += ["--traces", options.traces] if options.traces else []
        words += ["--reseed", str(options.reseed)] if options.reseed else []
        scripts = _slurm.write(study, sum(not place.is_done for place in everything.values()), out, words)
        print("\n".join(f"wrote {script}" for script in scripts))
        if options.submit:
            array, table = _slurm.submit(scripts)
            print(
                f"submitted job array {array}, and job {table} for the table afterwards: "
                f"{scripts[1].parent / 'table.txt'}")
        return 0
    errors: dict[str, Error] = {} if options.table else _run(study, places, options)
    for name, error in errors.items():
        print(f"weft: warning: run '{name}' failed: {error}", file=sys.stderr)
    outside = False if options.part else _shown(study, everything, options, version, objects, index)
    if errors:
        name, error = next(iter(errors.items()))
        raise Error(
            f"{len(errors)} of {len(places)} runs of study '{study.name}' failed, the first '{name}': {error.message}",
            error.code if error.code > 0 else 5)
    if lacking := _lacking(study, places):
        raise lacking
    return OUTSIDE if outside and options.strict else 0


def _interrupted(number: int, frame: Any) -> None:
    raise KeyboardInterrupt


def _checked(options: argparse.Namespace) -> None:
    if options.submit and not options.slurm:
        raise Error("--submit is of --slurm alone (a study that runs here is not submitted); add --slurm")
    if options.json and (options.slurm or options.part):
        raise Error(
            "--json goes with neither --slurm nor --part (which print no table); leave it out, and give it with "
            "--table when the runs are done")
    if options.reseed and options.markdown:
        raise Error("--markdown goes not with --reseed (a page has the table of the study's own seeds); leave one out")
    if options.slurm and (options.table or options.part or options.only):
        raise Error("--slurm goes with none of --table, --part and --only (the job array has all runs); leave them out")
    if options.table and options.again:
        raise Error(
            "--table and --again are both given (the one runs nothing, the other everything); leave one of them out")
    if options.traces:
        os.environ["WEFT_TRACES"] = os.path.abspath(options.traces)


def main(words: list[str]) -> int:
    for number in (signal.SIGTERM, signal.SIGUSR1, signal.SIGHUP):
        signal.signal(number, _interrupted)
    try:
        options = _parsed(words)
        _checked(options)
        if not options.names:
            if options.json:
                _write_json(
                    options.json, {"studies": [_table.listed_object(_load.load(name)) for name in _load.names()]})
            if options.json != "-":
                print(_listed())
            return 0
        names = _load.names() if options.names == ["all"] else options.names
        studies = [_load.load(name) for name in names]
        version = _program.call(["--version"]).strip()
        codes = []
        objects: list[dict[str, Any]] = []
        index: list[tuple[str, ...]] = []
        try:
            for place, study in enumerate(studies):
                if place > 0 and options.json != "-":
                    print(flush=True)
                codes.append(_done(study, options, version, objects, index))
            if len(studies) > 1 and options.json != "-" and index:
                print(f"\n{_table.index_as_text(index)}")
            if options.markdown and options.names == ["all"]:
                _table.renew_index(options.markdown, index)
        finally:  # as the tables in text: those there are before an error
            if options.json and objects:
                _write_json(options.json, objects[0] if len(studies) == 1 else {"studies": objects})
        return max(codes)
    except Error as error:
        sys.stdout.flush()
        print(f"weft: {'warning' if error.code == STOPPED else 'error'}: {error}", file=sys.stderr)
        return error.code
    except OSError as error:
        print(
            f"weft: error: {error.filename or 'a file'}: {error.strerror or error} (the study's results cannot be "
            "kept there); give another folder with --out", file=sys.stderr)
        return 5
    except KeyboardInterrupt:
        print("weft: warning: stopped before the first run; the same command begins anew", file=sys.stderr)
        return STOPPED


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
