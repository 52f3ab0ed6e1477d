#!/usr/bin/env python3
"""The Debian packages of this build in a Debian of their own, made from the mirror that the machine is configured for: they are
installed by apt with nothing else there, and a router is built against them and run on two ranks. Needs root and mmdebstrap.

WEFT_BUILD is the build folder whose packages are made, WEFT_PACKAGES a folder that has some already."""

import os
import re
import shutil
import subprocess
import sys
import tempfile
import time
import unittest
from pathlib import Path

sys.path.insert(0, str(Path(__file__).resolve().parents[1]))
import harness  # noqa: E402
from installed import BUILD, called  # noqa: E402


def mirror():
    """Address and suite of the first Debian archive that apt is configured for."""
    text = "".join(path.read_text() for path in Path("/etc/apt/sources.list.d").glob("*.sources"))
    address, suite = re.search(r"^URIs: (\S+)", text, re.MULTILINE), re.search(r"^Suites: (\S+)", text, re.MULTILINE)
    if not address:
        address = suite = re.search(r"^deb (?:\[.*\] )?(\S+) (\S+)", Path("/etc/apt/sources.list").read_text(), re.MULTILINE)
        return address.group(1), suite.group(2)
    return address.group(1), suite.group(1)


class Packages(unittest.TestCase):
    @classmethod
    def setUpClass(cls):
        if os.geteuid() != 0 or not shutil.which("mmdebstrap"):
            raise unittest.SkipTest("mmdebstrap is not installed, or this is not root")
        folder = tempfile.TemporaryDirectory(prefix="weft-debian-")
        cls.addClassCleanup(folder.cleanup)
        cls.root = Path(folder.name) / "root"
        cls.packages = os.environ.get("WEFT_PACKAGES")
        if not cls.packages:
            called("cpack", "-B", Path(folder.name) / "packages", cwd=BUILD)
            cls.packages = Path(folder.name) / "packages"
        address, suite = mirror()
        called("mmdebstrap", "--mode=root", "--variant=apt", suite, cls.root, address)
        for name in ("resolv.conf", "hosts"):
            shutil.copy(Path("/etc") / name, cls.root / "etc" / name)

    def package(self, name):
        found = list(Path(self.packages).glob(f"{name}_*.deb"))
        self.assertEqual(len(found), 1, found)
        return found[0]

    def command(self, command):
        """The words of a shell command in the new system; what is mounted for it is gone when it ends."""
        return ["unshare", "--mount", "sh", "-c", 'mount -t proc proc "$0/proc" && mount -t tmpfs tmpfs "$0/dev/shm"; exec chroot "$0" sh -c "cd /root && $1"',
                str(self.root), command]

    def inside(self, command):
        return called(*self.command(command))

    def test_from_nothing_to_a_router_of_ones_own(self):
        begin = time.monotonic()
        for name in ("weft", "weft-dev", "python3-weft"):
            shutil.copy(self.package(name), self.root / "root")
        apt = "DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends -o Dpkg::Options::=--force-unsafe-io"
        self.inside(f"apt-get -q update && {apt} ./weft_*.deb")
        self.assertIn("weft 0.1.0", self.inside("weft --version"))
        self.inside("weft run /usr/share/weft/examples/torus-uniform.toml --out torus.h5 && weft report torus.h5 --out torus.html")
        self.inside("weft run /usr/share/weft/examples/trace-is-on-torus.toml")
        self.without_launcher()
        first_run_s = time.monotonic() - begin
        self.inside(f"{apt} ./weft-dev_*.deb cmake make openmpi-bin")
        self.inside("cp -r /usr/share/weft/examples/plugin . && cmake -S plugin -B plugin/build && cmake --build plugin/build")
        run = "OMPI_ALLOW_RUN_AS_ROOT=1 OMPI_ALLOW_RUN_AS_ROOT_CONFIRM=1 OMPI_MCA_rmaps_base_oversubscribe=1"
        digests = [re.search(r"^digest +(\w+)", self.inside(f"{start} weft run plugin/halfway.toml"), re.MULTILINE).group(1)
                   for start in ("", f"{run} mpirun -n 2")]
        self.assertEqual(*digests)
        print(f"first run after {first_run_s:.0f} s, a router of one's own after {time.monotonic() - begin:.0f} s", file=sys.stderr)
        self.inside(f"{apt} ./python3-weft_*.deb")
        self.assertEqual(self.inside("python3 -c \"import weft; print(weft.run('plugin/halfway.toml').summary['nodes'])\"").strip(), "16")
        self.inside("apt-get remove -y weft && test ! -e /usr/bin/weft")

    def without_launcher(self):
        """What starts several ranks says what is missing."""
        (self.root / "root/study.toml").write_text('format = 1\n[sweep]\nbase = "/usr/share/weft/examples/torus-uniform.toml"\nout = "out"\nranks = 2\n'
                                                   '[[sweep.axis]]\nkey = "simulation.seed"\nvalues = [1]\n')
        done = subprocess.run(self.command("weft sweep study.toml"), capture_output=True, text=True, check=False)
        self.assertIn("openmpi-bin", done.stderr)


class Loops(unittest.TestCase):
    def test_an_event_loop_of_a_plug_in_gives_the_history_of_the_program_s(self):
        from installed import shared

        installation = shared()
        libraries = installation.build_outside("-DLOOPS=ON")
        text = 'format = 1\nplugins = ["{0}/libhalfway.so", "{0}/libown_loop.so"]\n[topology]\nkind = "full-mesh"\nnodes = 12\n[router]\nkind = "{1}"\n' \
               "[simulation]\ncycles = 4000\n[workload]\noffered_load = 0.6\n"
        digests = set()
        for kind in ("halfway", "halfway-loop"):
            config = installation.folder / f"{kind}.toml"
            config.write_text(text.format(libraries, kind))
            for ranks in (1, 2):
                out = called(*harness.with_mpi([installation.weft, "run", config], ranks), env=harness.environment(ranks))
                digests.add(re.search(r"^digest +(\w+)", out, re.MULTILINE).group(1))
        self.assertEqual(len(digests), 1, digests)


if __name__ == "__main__":
    unittest.main()
