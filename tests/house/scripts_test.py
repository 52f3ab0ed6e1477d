"""Tests of the scripts in tools/ that set a machine up: what they do when packages, rights or cores are missing."""

import os
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
TOOLS = ROOT / "tools"

# Stand-ins on PATH: dpkg-query knows what the file `installed` lists, apt-get adds to it and notes its calls.
DPKG_QUERY = """#!/bin/sh
# Stand-in: all that is installed, whatever was asked for; fails like the real one if a name is unknown.
sed 's/$/ installed/' "$FAKE/installed"; exit 1
"""
APT_GET = """#!/bin/bash
# Stand-in: fails as often as the file `failures` says, then installs.
echo "$DEBIAN_FRONTEND apt-get $*" >>"$FAKE/calls"
[[ " $* " == *" install "* ]] || exit 0
left=$(cat "$FAKE/failures")
if ((left > 0)); then echo $((left - 1)) >"$FAKE/failures"; echo "E: Could not get lock" >&2; exit 100; fi
for word; do [[ $word == pkg-* ]] && echo "$word" >>"$FAKE/installed"; done
exit 0
"""
APT_CACHE = "#!/bin/sh\n# Stand-in: no list was ever fetched unless told so.\ntest -e $FAKE/lists\n"
ID = '#!/bin/sh\n# Stand-in for id -u.\ncat "$FAKE/uid"\n'
SUDO = """#!/bin/bash
# Stand-in: refuses if told so.
[[ $1 == -n ]] && shift
[[ -e $FAKE/no-sudo ]] && exit 1
exec "$@"
"""


class InstallPackages(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.folder = Path(folder.name)
        self.bin = self.folder / "bin"
        self.bin.mkdir()
        # A PATH of our own, so that the machine's sudo and apt-get are out of reach.
        for name in ("bash", "sh", "sed", "grep", "dirname", "env", "sleep", "cat", "true"):
            source = next(p for p in (Path("/usr/bin") / name, Path("/bin") / name) if p.exists())
            (self.bin / name).symlink_to(source)
        for name, text in (("dpkg-query", DPKG_QUERY), ("apt-get", APT_GET), ("apt-cache", APT_CACHE), ("id", ID)):
            self.script(name, text)
        self.put("packages.txt", "# list\npkg-a  # reason\npkg-b\n\n  pkg-c # and\n")
        self.put("installed", "pkg-a\n")
        self.put("failures", "0")
        self.put("uid", "0")
        self.put("calls", "")

    def put(self, name, text):
        (self.folder / name).write_text(text, encoding="utf-8")

    def script(self, name, text):
        (self.bin / name).write_text(text, encoding="utf-8")
        (self.bin / name).chmod(0o755)

    def install(self, *arguments, **variables):
        environment = {"PATH": str(self.bin), "FAKE": str(self.folder), "WEFT_RETRY_PAUSE_S": "0",
                       "WEFT_PACKAGE_LIST": str(self.folder / "packages.txt"), **variables}
        command = [str(self.bin / "bash"), str(TOOLS / "install-packages"), *arguments]
        done = subprocess.run(command, env=environment, capture_output=True, text=True, stdin=subprocess.DEVNULL,
                              check=False)
        return done.returncode, done.stdout, done.stderr

    def calls(self):
        return (self.folder / "calls").read_text(encoding="utf-8").splitlines()

    def test_nothing_is_called_when_all_packages_are_there(self):
        self.put("installed", "pkg-a\npkg-b\npkg-c\n")
        code, out, err = self.install()
        self.assertEqual(code, 0, err)
        self.assertIn("all 3 packages are installed", out)
        self.assertEqual(self.calls(), [])

    def test_only_what_is_missing_is_installed_after_one_update_of_the_lists(self):
        code, out, err = self.install()
        self.assertEqual(code, 0, out + err)
        calls = self.calls()
        self.assertEqual(len(calls), 2, calls)
        self.assertTrue(calls[0].endswith("update"), calls)
        self.assertTrue(calls[1].endswith("install -y --no-install-recommends pkg-b pkg-c"), calls)
        self.assertTrue(all(call.startswith("noninteractive ") for call in calls), calls)

    def test_lists_that_know_the_packages_are_not_fetched_again(self):
        self.put("lists", "")
        self.assertEqual(self.install()[0], 0)
        self.assertEqual(len(self.calls()), 1, self.calls())

    def test_a_name_that_is_part_of_an_installed_one_still_counts_as_missing(self):
        self.put("packages.txt", "pkg-a\npkg-b\n")
        self.put("installed", "pkg-a\npkg-b-dev\nlibpkg-b\n")
        self.assertEqual(self.install()[0], 0)
        self.assertTrue(self.calls()[-1].endswith(" pkg-b"), self.calls())

    def test_a_lock_that_passes_is_waited_out(self):
        self.put("failures", "2")
        code, out, err = self.install()
        self.assertEqual(code, 0, out + err)
        self.assertIn("attempt 3 of 3", out)

    def test_a_lock_that_stays_is_an_error(self):
        self.put("failures", "9")
        code, out, err = self.install()
        self.assertEqual(code, 5, out + err)
        self.assertIn("apt-get install failed", err)

    def test_optional_packages_are_installed_on_request_only(self):
        self.put("packages.txt", "pkg-a  # reason\npkg-b  # optional: a test\n")
        self.assertEqual(self.install()[0], 0)
        self.assertEqual(self.calls(), [])
        self.assertEqual(self.install("--optional")[0], 0)
        self.assertTrue(self.calls()[-1].endswith("install -y --no-install-recommends pkg-b"), self.calls())

    def test_the_program_alone_needs_neither_what_tests_nor_what_python_needs(self):
        self.put("packages.txt", "pkg-a  # reason\npkg-b  # tests: a test\npkg-c  # python: tables\n")
        self.assertEqual(self.install("--program")[0], 0)
        self.assertEqual(self.calls(), [])
        self.assertEqual(self.install()[0], 0)
        self.assertTrue(self.calls()[-1].endswith("install -y --no-install-recommends pkg-b pkg-c"), self.calls())

    def test_optional_packages_that_cannot_be_installed_are_no_error(self):
        self.put("packages.txt", "pkg-a  # reason\npkg-b  # optional: a test\n")
        self.put("failures", "9")
        code, out, _ = self.install("--optional")
        self.assertEqual(code, 0, out)
        self.assertIn("will be skipped", out)
        self.put("packages.txt", "pkg-c  # reason\npkg-b  # optional: a test\n")
        self.put("failures", "9")
        self.assertEqual(self.install("--optional")[0], 5, "packages that all need are as before")

    def test_without_root_and_sudo_the_error_gives_the_one_command_to_run(self):
        self.put("uid", "1000")
        code, _, err = self.install()
        self.assertEqual(code, 5)
        self.assertIn("neither root nor sudo", err)
        self.assertIn("apt-get update && apt-get install -y --no-install-recommends pkg-b pkg-c", err)
        self.assertEqual(self.calls(), [])

    def test_a_user_with_sudo_installs(self):
        self.put("uid", "1000")
        self.script("sudo", SUDO)
        code, out, err = self.install()
        self.assertEqual(code, 0, out + err)
        self.assertTrue(self.calls()[-1].startswith("noninteractive apt-get"), self.calls())

    def test_a_user_whom_sudo_refuses_gets_the_command_too(self):
        self.put("uid", "1000")
        self.put("no-sudo", "")
        self.script("sudo", SUDO)
        code, _, err = self.install()
        self.assertEqual(code, 5)
        self.assertIn("apt-get install -y --no-install-recommends pkg-b pkg-c", err)

    def test_other_systems_are_told_what_to_do(self):
        (self.bin / "dpkg-query").unlink()
        code, _, err = self.install()
        self.assertEqual(code, 5)
        self.assertIn("not a Debian system", err)
        self.assertEqual(self.install(WEFT_SKIP_PACKAGES="1")[0], 0)


class PackageList(unittest.TestCase):
    def test_every_package_has_a_reason_and_is_named_once(self):
        names = []
        for line in (TOOLS / "packages.txt").read_text(encoding="utf-8").splitlines():
            if line.startswith("#"):
                continue
            self.assertRegex(line, r"^[a-z0-9][a-z0-9+.-]+ +# \S")
            names.append(line.split()[0])
        self.assertEqual(len(names), len(set(names)))


class MpiEnvironment(unittest.TestCase):
    def environment(self, ranks, **more):
        """The OMPI_ variables after sourcing, in a shell as strict as the scripts'."""
        variables = {"PATH": os.environ["PATH"], "WEFT_RANKS": str(ranks), **more}
        command = ["bash", "-euo", "pipefail", "-c", f'. "{TOOLS}/mpi-env.sh"; env']
        done = subprocess.run(command, env=variables, capture_output=True, text=True, check=True)
        return dict(line.split("=", 1) for line in done.stdout.splitlines() if line.startswith("OMPI_"))

    def test_ranks_yield_only_when_they_outnumber_the_cores(self):
        self.assertEqual(self.environment(100000)["OMPI_MCA_mpi_yield_when_idle"], "1")
        self.assertNotIn("OMPI_MCA_mpi_yield_when_idle", self.environment(1))

    def test_more_ranks_than_cores_are_allowed(self):
        self.assertEqual(self.environment(1)["OMPI_MCA_rmaps_base_oversubscribe"], "1")

    def test_running_as_root_is_allowed_to_root_alone(self):
        self.assertEqual("OMPI_ALLOW_RUN_AS_ROOT" in self.environment(1), os.geteuid() == 0)

    def test_what_the_user_has_set_stays(self):
        found = self.environment(100000, OMPI_MCA_mpi_yield_when_idle="0")
        self.assertEqual(found["OMPI_MCA_mpi_yield_when_idle"], "0")


class ShellCheck(unittest.TestCase):
    def test_the_job_scripts_are_clean(self):
        if shutil.which("shellcheck") is None:
            self.skipTest("shellcheck is not installed")
        scripts = [*sorted((ROOT / "cluster-scripts").glob("weft*")), *sorted((ROOT / "tests" / "slurm").glob("*.sh")),
                   *(TOOLS / name for name in ("install-packages", "build", "check", "fuzz", "quickstart"))]
        self.assertGreaterEqual(len(scripts), 5)
        done = subprocess.run(["shellcheck", "-x", *map(str, scripts)], cwd=ROOT, capture_output=True, text=True,
                              check=False)
        self.assertEqual(done.returncode, 0, done.stdout)


class Build(unittest.TestCase):
    """tools/build with a stand-in for cmake that notes how it is called."""

    def calls(self, *arguments, says="", code=0):
        with tempfile.TemporaryDirectory() as folder:
            path = Path(folder) / "cmake"
            path.write_text(f'#!/bin/sh\necho "$*" >>{folder}/calls\necho "{says}"\n', encoding="utf-8")
            path.chmod(0o755)
            done = subprocess.run([str(TOOLS / "build"), *arguments], check=False, capture_output=True,
                                  env=dict(os.environ, PATH=f"{folder}:{os.environ['PATH']}", WEFT_BUILD_JOBS="2"))
            self.assertEqual(done.returncode, code)
            return (Path(folder) / "calls").read_text(encoding="utf-8").splitlines()

    def test_a_build_is_of_all_targets_unless_only_the_program_is_wanted(self):
        configure = "--preset release"
        build = "--build --preset release --parallel 2"
        self.assertEqual(self.calls(), [configure, build])
        self.assertEqual(self.calls("release", "--program"),
                         [configure + " -D WEFT_TESTS=OFF", build + " --target weft"])
        self.assertEqual(self.calls("--program", "debug")[0], "--preset debug -D WEFT_TESTS=OFF")

    def test_the_check_compiles_with_the_flags_of_quickstart_and_fails_if_the_compiler_warns(self):
        plain = self.calls()
        self.assertEqual(self.calls("--werror"), plain)
        self.assertEqual(self.calls("--werror", says="a.cpp:1:2: warning: unused variable", code=1), plain)
        self.assertEqual(self.calls(says="a.cpp:1:2: warning: unused variable"), plain)

    def test_quickstarts_build_the_program_alone_and_the_check_all(self):
        for name in ("quickstart", "quickstart-cosim"):
            script = (TOOLS / name).read_text(encoding="utf-8")
            self.assertIn("\ntools/install-packages --program\n", script)
            self.assertIn("\ntools/build release --program\n", script)
        check = (TOOLS / "check").read_text(encoding="utf-8")
        self.assertIn("\npreset=release\n", check)
        self.assertIn('\ntools/build "$preset" --werror\n', check)


class CommandLine(unittest.TestCase):
    def test_scripts_that_people_and_machines_start_can_be_started(self):
        for name in ("install-packages", "build", "quickstart", "quickstart-cosim", "check", "check-times",
                     "check-layering", "check-format", "fuzz"):
            self.assertTrue(os.access(TOOLS / name, os.X_OK), name)
        self.assertTrue(os.access(ROOT / ".ci" / "run", os.X_OK))

    def test_unknown_arguments_are_usage_errors_before_anything_is_done(self):
        for command in (["check", "--lable"], ["check", "--label"], ["build", "--fast"], ["build", "a", "b"],
                        ["quickstart", "now"], ["quickstart-cosim", "now"], ["check-format", "--fixx"],
                        ["install-packages", "--optionall"], ["install-guest-kernel", "--agian"], ["fuzz"],
                        ["fuzz", "none"],
                        ["fuzz", "ti", "--seconds"], ["fuzz", "--jobs", "0", "ti"]):
            done = subprocess.run([str(TOOLS / command[0]), *command[1:]], capture_output=True, text=True,
                                  stdin=subprocess.DEVNULL, check=False)
            self.assertEqual(done.returncode, 2, command)
            self.assertIn("usage:", done.stderr, command)


if __name__ == "__main__":
    unittest.main()
