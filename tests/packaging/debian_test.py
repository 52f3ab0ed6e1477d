#!/usr/bin/env python3
"""The Debian packages of this build in a Debian of their own: they are installed by apt with nothing else there, and a
router is built against them and run on two ranks. Needs root and mmdebstrap.

WEFT_BUILD is the build folder whose packages are made, WEFT_PACKAGES a folder that has some already."""

import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

import debian
import harness
from installed import called, digest_of, shared


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        debian.skip_without()
        folder = tempfile.TemporaryDirectory(prefix="weft-debian-")
        cls.addClassCleanup(folder.cleanup)
        cls.packages = debian.packages_into(Path(folder.name) / "packages")
        cls.system = debian.System(Path(folder.name) / "root")

    def package(self, name):
        found = list(self.packages.glob(f"{name}_*.deb"))
        self.assertEqual(len(found), 1, found)
        return found[0]

    def test_from_nothing_to_a_router_of_ones_own(self):
        begin = time.monotonic()
        inside, apt = self.system.inside, debian.APT
        for name in ("weft", "weft-dev", "python3-weft"):
            shutil.copy(self.package(name), self.system.root / "root")
        inside(f"apt-get -q update && {apt} ./weft_*.deb")
        self.assertIn("weft 0.1.0", inside("weft --version"))
        inside("weft run /usr/share/weft/examples/torus-uniform.toml --out torus.h5 && weft report torus.h5 --out "
               "torus.html")
        inside("weft run /usr/share/weft/examples/trace-is-on-torus.toml")
        self.without_launcher()
        first_run_s = time.monotonic() - begin
        inside(f"{apt} ./weft-dev_*.deb cmake make openmpi-bin")
        inside("cp -r /usr/share/weft/examples/plugin . && cmake -S plugin -B plugin/build && cmake --build "
               "plugin/build")
        run = "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1"
        digests = [digest_of(inside(f"{start} weft run plugin/halfway.toml")) for start in ("", f"{run} mpirun -n 2")]
        self.assertEqual(*digests)
        print(f"first run after {first_run_s:.0f} s, a router of one's own after {time.monotonic() - begin:.0f} s",
              file=sys.stderr)
        inside(f"{apt} ./python3-weft_*.deb")
        self.assertEqual(inside(
                "python3 -c \"import weft; print(weft.run('plugin/halfway.toml').summary['nodes'])\"").strip(), "16")
        inside("apt-get remove -y weft && test ! -e /usr/bin/weft")

    def without_launcher(self):
        """What starts several ranks says what is missing."""
        (self.system.root / "root/study.toml").write_text(
            'format = 1\n[sweep]\nbase = "/usr/share/weft/examples/torus-uniform.toml"\nout = "out"\nranks = 2\n'
            '[[sweep.axis]]\nkey = "simulation.seed"\nvalues = [1]\n')
        done = subprocess.run(self.system.command("weft sweep study.toml"), capture_output=True, text=True, check=False)
        self.assertIn("openmpi-bin", done.stderr)


class Processors(unittest.TestCase):
    @unittest.skipUnless(shutil.which("qemu-x86_64"), "not installed: qemu-user")
    def test_a_processor_older_than_the_build_is_for_is_told(self):
        done = subprocess.run(["qemu-x86_64", "-cpu", "core2duo", harness.weft(), "--version"], capture_output=True,
                              text=True, check=False)
        self.assertEqual((done.returncode, done.stdout), (5, ""), done.stderr)
        self.assertRegex(done.stderr, "^weft: error: this build needs a processor with .*WEFT_BASELINE")


class Loops(unittest.TestCase):
    def test_an_event_loop_of_a_plug_in_gives_the_history_of_the_program_s(self):
        installation = shared()
        libraries = installation.build_outside("-DLOOPS=ON")
        text = 'format = 1\nplugins = ["{0}/libhalfway.so", "{0}/libown_loop.so"]\n' \
               '[topology]\nkind = "full-mesh"\nnodes = 12\n[router]\nkind = "{1}"\n' \
               "[simulation]\ncycles = 4000\n[workload]\noffered_load = 0.6\n"
        digests = set()
        for kind in ("halfway", "halfway-loop"):
            config = installation.folder / f"{kind}.toml"
            config.write_text(text.format(libraries, kind))
            for ranks in (1, 2):
                out = called(*harness.with_mpi([installation.weft, "run", config], ranks),
                             env=harness.environment(ranks))
                digests.add(digest_of(out))
        self.assertEqual(len(digests), 1, digests)


if __name__ == "__main__":
    unittest.main()
