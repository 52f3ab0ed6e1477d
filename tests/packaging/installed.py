"""An installation of the build in a folder, which the suites here share, and plug-ins built against it."""

import atexit
import functools
import os
import re
import shutil
import subprocess
import tempfile
from pathlib import Path

import harness

BUILD = Path(os.environ.get("WEFT_BUILD") or Path(harness.weft()).parents[1])
OUTSIDE = Path(__file__).resolve().parent / "outside"


def called(*command, **more):
    """Standard output of a command that must work."""
    done = subprocess.run([str(word) for word in command], capture_output=True, text=True, check=False, **more)
    if done.returncode != 0:
        raise AssertionError(f"{command} ended with {done.returncode}:\n{done.stdout}\n{done.stderr}")
    return done.stdout


def digest_of(said):
    """The digest in what `weft run` prints."""
    return re.search(r"^digest +(\w+)", said, re.MULTILINE).group(1)


class Installation:
    """`cmake --install` into a folder."""

    def __init__(self):
        self.folder = Path(tempfile.mkdtemp(prefix="weft-installed-"))
        self.prefix = self.folder / "prefix"
        called("cmake", "--install", BUILD, "--prefix", self.prefix)
        self.weft = self.prefix / "bin" / "weft"

    def build_outside(self, *settings):
        """The project tests/packaging/outside, without optimisation; its folder of libraries."""
        libraries = self.folder / "outside"
        generator = ["-G", "Ninja"] if shutil.which("ninja") else []
        called("cmake", "-S", OUTSIDE, "-B", libraries, *generator, "-DCMAKE_BUILD_TYPE=Debug",
               "-DCMAKE_CXX_FLAGS_DEBUG=-O0",
               f"-DCMAKE_PREFIX_PATH={self.prefix}", f"-DSOURCE={harness.ROOT}", *settings)
        called("cmake", "--build", libraries, "--parallel", "2")
        return libraries


@functools.cache
def shared():
    """The one of a suite."""
    installation = Installation()
    atexit.register(shutil.rmtree, installation.folder, ignore_errors=True)
    return installation


@functools.cache
def outside():
    """The plug-ins of a suite."""
    return shared().build_outside()
