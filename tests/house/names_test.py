#!/usr/bin/env python3
"""Names and counts that README.md, CONTRIBUTING.md and docs/ speak of are those of the program: keys of configs and the
kinds that they name, options of commands, figures of results, environment variables, files of the tree, and how many
kinds there are. Environment: WEFT_BINARY."""

import json
import re
import shlex
import subprocess
import unittest
from pathlib import Path

import harness

from harness import ROOT

WEFT = harness.weft()
# Changelogs name what was; pages that add a part give it keys and kinds of their own.
HISTORY = re.compile(r"changelog-")
OWN_PARTS = re.compile(r"adding-an?-|plugins")
PAGES = [ROOT / "README.md", ROOT / "CONTRIBUTING.md",
         *(page for page in sorted((ROOT / "docs").glob("*.md")) if not HISTORY.match(page.name))]
FENCE = re.compile(r"^```(\w*)\n(.*?)^```$", re.S | re.M)

#: Registries of `weft describe --json -` that say what a key may be, beside its choices.
KINDS_OF = {
    "topology.kind": ["topologies"], "router.kind": ["routers"], "workload.kind": ["workloads"],
    "workload.pattern": ["patterns"], "workload.arrivals": ["arrivals"], "workload.packet_length": ["lengths"],
    "workload.matching": ["matchings"], "placement.policy": ["placements"], "node.nic_policy": ["nic_policies"],
    "router.scheduling": ["schedulers"], "router.engine": ["engines"], "nic.dispersion": ["dispersions"],
    "congestion.kind": ["congestion"], "workload.trace_format": ["formats"],
    "workload.name": ["kernels", "operations", "accelerators.operation", "exchanges"],
    "workload.algorithm": ["collectives.algorithm", "accelerators.algorithm"],
}  # fmt: skip
WORD = r"[a-z][a-z0-9-]*"
#: Values that pages give as wrong ones, to show what is said then.
WRONG = {"python.md: router.virtual_chanels", "configuration.md: router.reqest"}

NUMBERS = {word: number for number, word in enumerate(
    "zero one two three four five six seven eight nine ten eleven twelve thirteen fourteen fifteen sixteen seventeen "
    "eighteen nineteen twenty".split())}
#: What is counted, and how sentences call all of it.
COUNTED = {
    "kernels": r"(?:application |registered )?kernels", "operations": r"(?:collective )?operations(?: of MPI)?",
    "collectives": r"algorithms (?:of|for) collectives?(?: operations)?", "formats": r"(?:trace )?formats",
    "patterns": r"(?:traffic|synthetic) patterns", "topologies": r"(?:kinds of topolog\w+|topologies)",
    "routers": r"kinds of routers?", "workloads": r"kinds of workloads?", "engines": r"routing engines",
    "studies": r"(?:published )?studies",
}  # fmt: skip
#: Sentences that count something else: a paper's, an example's, some of them.
OTHER_COUNTS = {
    "studies.md: seven kernels", "thin-trees.md: seven kernels", "thin-trees.md: four kernels",
    "timelines.md: two formats", "kernels.md: 224 operations", "trace-formats.md: 3 operations",
    "collectives.md: twelve operations", "tracing.md: 12 collective operations", "tracing.md: 17 collective operations",
    "trace-formats.md: 72 operations", "traces.md: 4 operations",
    "traces.md: 8 operations",
}  # fmt: skip

VARIABLE = re.compile(r"\bWEFT_[A-Z][A-Z_]*[A-Z]\b")
READS = re.compile(r"""(?:getenv\(|environ(?:\.get)?[\[(]\s*)["'](WEFT_[A-Z_]+)|\$\{(WEFT_[A-Z_]+):[-?]""")
SOURCE_SUFFIXES = {".cpp", ".hpp", ".h", ".py", ".cmake", ".txt", ".sh", ".sbatch", ".in", ""}
TREE = re.compile(r"(?:examples|tools|docs|tests|studies|models|engine|workloads|cluster-scripts)/[\w./*{},-]*\w")


def printed(*words):
    return subprocess.run([WEFT, *words], capture_output=True, text=True, check=True).stdout


DESCRIBED = json.loads(printed("describe", "--json", "-"))
KEYS = {row["key"]: row for row in DESCRIBED["settings"]}
TABLES = {key.split(".")[0] for key in KEYS if "." in key}
FIGURES = {row["name"] for row in DESCRIBED["figures"]}
KEY = re.compile(rf"(?<![\w./-])(?:{'|'.join(sorted(TABLES))})\.[a-z]\w*(?:\.[a-z]\w*)?(?![\w/(])")
VALUE = re.compile(rf"""({KEY.pattern})\s*=\s*["']?({WORD})["']?(?![\w./,\[-])""")


def entries(registry):
    """Names of a registry, or of a member of its rows."""
    name, _, member = registry.partition(".")
    return {row[member or "name"] for row in DESCRIBED[name]}


def values_of(key):
    """What a key may be by name; None where that is a number, a text, a file."""
    if key == "router.routing":
        modes = [mode for kind in DESCRIBED["routers"] for mode in kind["modes"]]
        also = {name for mode in modes for name in
                ([mode["also"]] if isinstance(mode["also"], str) else mode["also"] or [])}
        return {"auto"} | {mode["name"] for mode in modes} | also | entries("routers")
    if key in KINDS_OF:
        return {"auto", "none"} | set().union(*map(entries, KINDS_OF[key])) | set(KEYS[key]["choices"] or ())
    choices = KEYS[key]["choices"]
    return set(choices) if choices else None


def commands():
    """Options of each command by its words: {"weft run": {"--set", ...}}."""
    text = printed("completion", "bash")
    return {match[1]: set(match[2].split()) for match in
            re.finditer(r"^    '(weft[\w -]*)'\)$.*?_weft_words '(-[^']*)'; return", text, re.S | re.M)}


def parts(page):
    """Code of a page: (is it a block, its language, text)."""
    text = page.read_text(encoding="utf-8")
    yield from ((True, match[1], match[2]) for match in FENCE.finditer(text))
    yield from ((False, "", span) for span in re.findall(r"`([^`\n]+)`", FENCE.sub("", text)))


def shows_an_error(text):
    return "weft: error" in text or "Error:" in text


def test_names():
    """Names of tests, which may look like keys (faults.faults)."""
    return {f"{path.parent.name}.{path.stem.removesuffix('_test')}" for path in (ROOT / "tests").rglob("*")
            if path.suffix in (".py", ".cases")}


class Names(unittest.TestCase):
    def assertNone(self, problems):
        self.assertEqual(sorted(set(problems)), [])

    def test_keys_are_keys_and_their_kinds_are_registered(self):
        problems, tests = [], test_names()
        build = " ".join(path.read_text(encoding="utf-8") for path in (ROOT / "tests").rglob("CMakeLists.txt"))
        for page in PAGES:
            if OWN_PARTS.match(page.name):
                continue
            for block, _, text in parts(page):
                if block and shows_an_error(text):
                    continue
                for match in KEY.finditer(text):
                    key = re.sub(r"^job\.\w+\.(?=\w+(\.|$))", "job.", match.group())
                    two = ".".join(key.split(".")[:2])  # of [link.CLASS] and of jobs: the key of one table
                    known = two in KEYS or key in KEYS or key.removeprefix("job.") in TABLES
                    known = known or any(name.startswith(key + ".") for name in KEYS)
                    begins = key.endswith("_") and any(name.startswith(key) for name in KEYS)
                    known = known or any(name.startswith(key + ".") for name in FIGURES)  # a table of them
                    other = key in FIGURES or two in tests or two in build or two.split(".")[-1] in ("hpp", "md", "key")
                    if not (known or begins or other or f"{page.name}: {two}" in WRONG):
                        problems.append(f"{page.name}: {key}")
                for match in VALUE.finditer(text):
                    values = values_of(match[1]) if match[1] in KEYS else None
                    if values is not None and match[2] not in values:
                        problems.append(f"{page.name}: {match[1]} = {match[2]}")
        self.assertNone(problems)

    def test_tables_of_configs_have_keys_of_the_program(self):
        problems = []
        for page in PAGES:
            if OWN_PARTS.match(page.name):
                continue
            for block, language, text in parts(page):
                if not block or language != "toml":
                    continue
                table = ""
                for line in text.splitlines():
                    if head := re.match(r"\[+([\w.-]+)\]+", line):
                        table = re.sub(r"^job\.?", "", head[1])
                    elif (name := re.match(r"([a-z]\w*)\s*=", line)) and table.split(".")[0] in TABLES:
                        key = f"{table}.{name[1]}"
                        in_list = table in KEYS  # a list of tables in place of the text of a key: [[faults.event]]
                        if not in_list and key not in KEYS and f"{table.split('.')[0]}.{name[1]}" not in KEYS:
                            problems.append(f"{page.name}: [{table}] {name[1]}")
        self.assertNone(problems)

    def test_options_are_those_of_the_command(self):
        of_command = commands()
        self.assertGreater(len(of_command), 20)
        problems = []
        for page in PAGES:
            for block, _, text in parts(page):
                if block and shows_an_error(text):
                    continue
                for line in re.split(r"\n|;|&&|\|", text.replace("\\\n", " ")):
                    words = self.words(line)
                    start = next((at for at, word in enumerate(words) if re.fullmatch(r"([^=]*/)?weft", word)), None)
                    if any(word.endswith((".py", ".sh")) for word in words[:start]):
                        continue
                    if start is None:
                        continue
                    name = "weft"
                    for word in words[start + 1:]:
                        if f"{name} {word}" not in of_command and f"{name} {word}" not in ("weft trace", "weft fabric"):
                            break
                        name += f" {word}"
                    given = {word.split("=")[0] for word in words[start:] if re.match(r"--[a-z]", word)}
                    wrong = given - of_command.get(name, set()) - {"--version", "--help"}
                    problems += [f"{page.name}: {name} {option}" for option in wrong]
        self.assertNone(problems)

    @staticmethod
    def words(line):
        try:
            return shlex.split(line, comments=True)
        except ValueError:
            return line.split()

    def test_options_that_stand_alone_are_of_some_program_here(self):
        known = set().union(*commands().values())
        for folder in ("tools", "cluster-scripts", "tests", "studies"):
            for path in (ROOT / folder).rglob("*"):
                if path.suffix in (".py", ".sh", "") and path.is_file() and path.name != Path(__file__).name:
                    known.update(re.findall(r"--[a-z][\w-]+", path.read_text(encoding="utf-8", errors="replace")))
        foreign = {"--bind-to", "--line", "--switches-only",  # mpirun, iblinkinfo
                   "--alloc_file", "--workload_conf_file"}  # model-net-mpi-replay of CODES
        problems = [f"{page.name}: {text}" for page in PAGES for block, _, text in parts(page)
                    if not block and re.fullmatch(r"--[a-z][\w-]+", text) and text not in known | foreign]
        self.assertNone(problems)

    def test_environment_variables_are_read_and_those_that_are_read_are_named(self):
        sources = [path for folder in ("engine", "models", "workloads", "tools", "cluster-scripts", "studies", "tests")
                   for path in (ROOT / folder).rglob("*")
                   if path.is_file() and path.suffix in SOURCE_SUFFIXES and path.name != Path(__file__).name]
        texts = {path: path.read_text(encoding="utf-8", errors="replace")
                 for path in [*sources, ROOT / "CMakeLists.txt"]}
        known = set().union(*(VARIABLE.findall(text) for text in texts.values()))
        named = {}
        for page in [*PAGES, ROOT / "cluster-scripts" / "README.md"]:
            named.update(dict.fromkeys(VARIABLE.findall(page.read_text(encoding="utf-8")), page.name))
        self.assertNone(f"{page}: {name}" for name, page in named.items() if name not in known)
        read = {name: path for path, text in texts.items() if "tests" not in path.relative_to(ROOT).parts
                for found in READS.findall(text) for name in found if name}
        self.assertGreater(len(read), 15)
        self.assertNone(f"{name} ({path.relative_to(ROOT)}) is in no page"
                        for name, path in read.items() if name not in named)

    def test_files_of_the_tree_are_there(self):
        problems = []
        for page in PAGES:
            for block, _, text in parts(page):
                if block or not TREE.fullmatch(text) or "NAME" in text or OWN_PARTS.match(page.name):
                    continue
                if not any(ROOT.glob(text)) and not any(ROOT.glob(text + ".*")):
                    problems.append(f"{page.name}: {text}")
        self.assertNone(problems)

    def test_figures_of_results_are_explained(self):
        text = (ROOT / "docs" / "results.md").read_text(encoding="utf-8")
        firsts = {name.split(".")[0] for name in FIGURES}
        self.assertNone(name for name in firsts if not re.search(rf"\b{name}\b", text))

    def test_counts_of_kinds_are_right(self):
        counts = {name: len(DESCRIBED[name]) for name in COUNTED if name != "studies"}
        counts["studies"] = len(list((ROOT / "studies").glob("*/study.*")))
        problems = []
        for page in PAGES:
            text = re.sub(r"\s+", " ", FENCE.sub("", page.read_text(encoding="utf-8")))
            for name, words in COUNTED.items():
                for match in re.finditer(rf"(?<![\d,.-])\b(\d+|{'|'.join(NUMBERS)})\s+{words}\b", text):
                    number = int(match[1]) if match[1].isdigit() else NUMBERS[match[1]]
                    sentence = f"{page.name}: {match[1]} {match[0].split(' ', 1)[1]}"
                    if number != counts[name] and sentence not in OTHER_COUNTS:
                        problems.append(f"{sentence} (there are {counts[name]})")
        self.assertNone(problems)


if __name__ == "__main__":
    unittest.main()
