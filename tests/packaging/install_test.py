#!/usr/bin/env python3
"""What is installed besides headers: manual pages and completions say what the program says of itself, scripts and
examples work from where they are, the Python package finds the program beside it."""

import os
import re
import shutil
import subprocess
import sys
import unittest
from pathlib import Path

import harness
from installed import called, shared


def commands(weft, words=()):
    """Every command of the program with its help text, as lists of words."""
    text = called(weft, "help", *words)
    yield list(words), text
    for section in re.findall(r"\n(?:Subcommands|Not available in this version):\n((?:  .*\n)+)", text):
        for name in re.findall(r"^  ([a-z][a-z-]*) ", section, re.MULTILINE):
            yield from commands(weft, (*words, name))


def options(help_text):
    """Long options in a help text."""
    section = re.search(r"\nOptions:\n((?:  .*\n)+)", help_text)
    return sorted(set(re.findall(r"^  (?:-\w,)?(--[a-z0-9-]+)", section.group(1), re.MULTILINE)))


class Installed(harness.Scratch):
    @classmethod
    def setUpClass(cls):
        cls.prefix = shared().prefix
        cls.weft = shared().weft
        cls.commands = list(commands(cls.weft))


class Pages(Installed):
    def page(self, words):
        return (self.prefix / "share/man/man1" / ("-".join(["weft", *words]) + ".1")).read_text()

    def test_every_command_has_a_page_with_its_options(self):
        self.assertGreater(len(self.commands), 20)
        pages = {path.name for path in (self.prefix / "share/man/man1").iterdir()}
        self.assertEqual(pages, {"-".join(["weft", *words]) + ".1" for words, _ in self.commands})
        for words, text in self.commands:
            page = self.page(words).replace("\\-", "-")
            self.assertTrue(page.startswith(".TH WEFT"), words)
            for option in options(text):
                self.assertIn(f"\\fB{option}\\fR", page, words)

    def test_pages_are_well_formed(self):
        known = {"TH", "SH", "TP", "nf", "fi"}
        for words, _ in self.commands:
            requests = set(re.findall(r"^[.'](\w*)", self.page(words), re.MULTILINE))
            self.assertLessEqual(requests, known, words)

    def test_examples_are_shown_as_they_are_typed(self):
        self.assertIn("\n.nf\nweft run examples/torus\\-uniform.toml \\-\\-out torus.h5\n", self.page(["run"]))


class Completion(Installed):
    def bash(self, line):
        """What is offered at the end of a line."""
        script = (f'source "{self.prefix}/share/bash-completion/completions/weft"; compopt() {{ :; }}; '
                  f'COMP_WORDS=("$@"); '
                  'COMP_CWORD=$((${#COMP_WORDS[@]} - 1)); _weft; printf "%s\\n" "${COMPREPLY[@]}"')
        words = re.split(r"\s+|(?<=\w)(?==)|(?<==)", line)
        return sorted(called("bash", "-c", script, "bash", *words, cwd=self.folder).split())

    def test_commands_and_options_are_offered_as_help_has_them(self):
        for words, text in self.commands:
            offered = [word for word in self.bash(" ".join(["weft", *words, "--"])) if word.startswith("--")]
            self.assertEqual(offered, options(text), words)
        below = {words[0] for words, _ in self.commands if len(words) == 1}
        self.assertEqual(set(self.bash("weft ")), below)
        self.assertEqual(self.bash("weft trace c"), ["check", "convert", "cut"])

    def test_values_are_offered_by_what_they_are(self):
        self.assertEqual(self.bash("weft run x.toml --progress a"), ["always", "auto"])
        self.assertEqual(self.bash("weft run x.toml --progress=n"), ["never"])
        self.assertEqual(self.bash("weft completion "), ["bash", "fish", "zsh"])
        self.assertIn("router.routing=", self.bash("weft run x.toml --set router.r"))
        self.assertEqual(self.bash("weft run x.toml --seed "), [])

    def test_files_are_offered_by_their_endings(self):
        (self.folder / "sub dir").mkdir()
        for name in ("a.toml", "b.h5", "c.so"):
            self.write(name, "")
        self.assertEqual(self.bash("weft run "), ["a.toml", "dir", "sub"])
        self.assertEqual(self.bash("weft report b"), ["b.h5"])
        self.assertEqual(self.bash("weft run a.toml --plugin "), ["c.so", "dir", "sub"])

    def test_other_shells_read_their_scripts(self):
        zsh, fish = (self.prefix / "share/zsh/site-functions/_weft", self.prefix
                     / "share/fish/vendor_completions.d/weft.fish")
        self.assertTrue(zsh.read_text().startswith("#compdef weft\n"))
        for words, text in self.commands:
            for option in options(text):
                self.assertIn(f"{option}[", zsh.read_text())
                self.assertIn(f" -l {option[2:]} ", fish.read_text())
        for shell, script in (("zsh", zsh), ("fish", fish)):
            if shutil.which(shell):
                called(shell, "-n", script)

    def test_a_shell_without_completion_is_told(self):
        done = subprocess.run([self.weft, "completion", "csh"], capture_output=True, text=True, check=False)
        self.assertEqual((done.returncode, "bash, zsh and fish" in done.stderr), (2, True), done.stderr)


class Scripts(Installed):
    def test_scripts_that_messages_name_are_there(self):
        """Each tools/NAME in a text of the program or of the Python package; those of the sources alone say so."""
        named = set()
        for folder in ("tools", "workloads", "models", "engine"):
            for path in (harness.ROOT / folder).rglob("*.[ch]pp"):
                text = "".join(re.findall(r'"(?:[^"\\\n]|\\.)*"', re.sub(r"#include.*", "", path.read_text())))
                named |= set(re.findall(r"own_script\(\"([\w.-]+)\"\)", path.read_text()))
                for script in re.findall(r"tools/([\w.-]+)", text):
                    if (harness.ROOT / "tools" / script).is_file() and "share/weft" not in text:
                        self.fail(f"{path} names tools/{script}, which is elsewhere where weft is installed: use "
                                  f"own_script")
        self.assertEqual(named, {"install-packages", "install-guest-kernel"})
        for script in named:
            done = subprocess.run([self.prefix / "share/weft/tools" / script, "--none"], capture_output=True, text=True,
                                  check=False)
            self.assertEqual((done.returncode, "usage" in done.stderr), (2, True), done.stderr)
        self.assertTrue((self.prefix / "share/weft/tools/packages.txt").is_file())
        self.assertTrue((self.prefix / "share/weft/mpi-env.sh").is_file())

    def test_messages_lead_to_them(self):
        config = self.prefix / "share/weft/examples/cosim/guests.toml"
        environment = os.environ | {"PATH": str(self.folder), "WEFT_CACHE_DIR": str(self.folder / "none")}
        done = subprocess.run([self.weft, "cosim", config], capture_output=True, text=True, check=False,
                              env=environment, cwd=self.folder)
        self.assertEqual(done.returncode, 5, done.stderr)
        self.assertIn(f"{self.prefix}/share/weft/tools/install-guest-kernel)", done.stderr)


class Rest(Installed):
    def test_examples_run_from_where_they_are(self):
        examples = self.prefix / "share/weft/examples"
        for name in ("trace-is-on-torus.toml", "fabric-dragonfly.toml"):
            called(self.weft, "topology", examples / name, cwd=self.folder)

    def test_weft_submit_finds_the_program_beside_it(self):
        script = self.prefix / "bin/weft-submit"
        environment = {key: value for key, value in os.environ.items() if key != "WEFT"} | {"PATH": "/usr/bin:/bin"}
        text = called(script, "--dry-run", "--ntasks", "2", self.prefix / "share/weft/examples/torus-uniform.toml",
                      env=environment,
                      cwd=self.folder)
        self.assertIn("sbatch", text)

    def test_the_python_package_runs_it(self):
        environment = dict(os.environ, PYTHONPATH=str(self.prefix / "lib/python3/dist-packages"), PATH="/usr/bin:/bin")
        environment.pop("WEFT_BINARY", None)
        code = ("import weft; print(weft.__file__); r = weft.run({'format': 1, 'topology': {'kind': 'torus', 'dims': "
                "[4, 4]}, "
                "'simulation': {'cycles': 100}}); print(r.summary['nodes'])")
        file, nodes = called(sys.executable, "-c", code, env=environment, cwd=self.folder).split()
        self.assertEqual((file.startswith(str(self.prefix)), nodes), (True, "16"))

    def test_a_missing_launcher_is_told(self):
        config = self.write("c.toml",
                            'format = 1\ntopology = {kind = "torus", dims = [4, 4]}\nsimulation.cycles = 100\n')
        self.write("study.toml",
                   f'format = 1\n[sweep]\nbase = "{config}"\nout = "out"\nranks = 2\n[[sweep.axis]]\nkey = '
                   f'"simulation.seed"\nvalues = [1]\n')
        environment = {key: value for key, value in os.environ.items()
                       if key != "WEFT_MPIRUN"} | {"PATH": str(self.folder)}
        done = subprocess.run([self.weft, "sweep", "study.toml"], capture_output=True, text=True, check=False,
                              env=environment, cwd=self.folder)
        self.assertNotEqual(done.returncode, 0)
        self.assertRegex(done.stderr, "mpirun.*(openmpi-bin|WEFT_MPIRUN)")

    def test_headers_are_those_that_plug_ins_include_and_what_these_lead_to(self):
        include = self.prefix / "include/weft"
        installed = {path.relative_to(include).as_posix() for path in include.rglob("*.hpp")}
        pages = [*(harness.ROOT / "docs").glob("*.md"), *(harness.ROOT / "tests/packaging/outside").glob("*.cpp"),
                 *(harness.ROOT / "tests/plugins").glob("*.cpp")]
        wanted = {name for page in pages
                  for name in re.findall(r'^ *#include "((?:engine|models|workloads|tools)/[^"]+)"',
                                         page.read_text(encoding="utf-8"), re.M)}
        self.assertGreater(len(wanted), 10)
        self.assertEqual(wanted - installed, set(), "tools/run/plugin/public_headers.txt has what plug-ins include")
        for header in installed:
            for name in re.findall(r'^#include "([^"]+)"', (include / header).read_text(encoding="utf-8"), re.M):
                self.assertIn(name, installed, header)
        every = {path.relative_to(harness.ROOT).as_posix()
                 for top in ("engine", "models", "workloads", "tools") for path in (harness.ROOT / top).rglob("*.hpp")}
        self.assertLess(len(installed), len(every) // 3)

    def test_the_stamp_of_plug_ins_goes_by_public_headers_alone(self):
        tree = self.folder / "tree"
        for top in ("engine", "models", "workloads", "tools"):
            shutil.copytree(harness.ROOT / top, tree / top, ignore=lambda folder, names: [
                name for name in names if not name.endswith((".hpp", ".cmake", ".txt"))
                and not (Path(folder) / name).is_dir()])

        def stamp():
            called("cmake", "-D", f"ROOT={tree}", "-D", "VERSION=1", "-D", f"OUT={self.folder / 'stamp.hpp'}",
                   "-P", tree / "tools/run/plugin/headers_hash.cmake")
            return (self.folder / "stamp.hpp").read_text()

        before = stamp()
        private, public = tree / "tools/cli/man_page.hpp", tree / "models/topology/topology.hpp"
        private.write_text(private.read_text() + "// changed\n")
        self.assertEqual(stamp(), before)
        public.write_text(public.read_text() + '#include "tools/cli/man_page.hpp"\n')
        changed = stamp()
        self.assertNotEqual(changed, before)
        private.write_text(private.read_text() + "// changed\n")  # which has become public
        self.assertNotEqual(stamp(), changed)


if __name__ == "__main__":
    unittest.main()
