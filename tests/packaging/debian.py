"""A Debian of its own in a folder, made from the mirror that the machine is configured for. Needs root, mmdebstrap and
the network."""

import os
import re
import shutil
import subprocess
import tempfile
import unittest
from pathlib import Path

import harness
from installed import BUILD, called

APT = "DEBIAN_FRONTEND=noninteractive apt-get install -y --no-install-recommends -o Dpkg::Options::=--force-unsafe-io"


HELPER = "/usr/lib/apt/apt-helper"  # fetches as apt does: with its proxies


def skip_without(*programs):
    """Skips a suite where a system cannot be made: a program or the network is missing."""
    missing = [name for name in ("mmdebstrap", *programs) if not shutil.which(name)]
    if os.geteuid() != 0 or missing:
        raise unittest.SkipTest("needs root" if os.geteuid() != 0 else f"not installed: {', '.join(missing)}")
    if unreachable := why_unreachable(*mirror()):
        raise unittest.SkipTest(unreachable)


def why_unreachable(address, suite):
    """Why nothing can be fetched from an archive, in words; empty where it can."""
    if not Path(HELPER).exists():
        return ""  # mmdebstrap says it
    with tempfile.TemporaryDirectory() as folder:
        fetched = subprocess.run([HELPER, "-o", "Acquire::Retries=0", "download-file",
                                  f"{address.rstrip('/')}/dists/{suite}/InRelease", f"{folder}/release"],
                                 capture_output=True, text=True, check=False)  # fmt: skip
    if fetched.returncode == 0:
        return ""
    words = [line.strip() for line in fetched.stderr.splitlines()
             if line.startswith("E: ")] or ["apt-helper says nothing"]
    return f"no network: Debian's archive {address} cannot be reached ({words[0].removeprefix('E: ')})"


def mirror():
    """Address and suite of the first Debian archive that apt is configured for."""
    text = "".join(path.read_text() for path in Path("/etc/apt/sources.list.d").glob("*.sources"))
    address, suite = re.search(r"^URIs: (\S+)", text, re.MULTILINE), re.search(r"^Suites: (\S+)", text, re.MULTILINE)
    if not address:
        address = suite = re.search(r"^deb (?:\[.*\] )?(\S+) (\S+)", Path("/etc/apt/sources.list").read_text(),
                                    re.MULTILINE)
        return address.group(1), suite.group(2)
    return address.group(1), suite.group(1)


def packages_into(folder):
    """The Debian packages of the build, made into a folder, or those of WEFT_PACKAGES."""
    if "WEFT_PACKAGES" in os.environ:
        return Path(os.environ["WEFT_PACKAGES"])
    called("cpack", "-B", folder, cwd=BUILD)
    return folder


def checkout_into(folder):
    """The files that git tracks, as a fresh clone has them."""
    for name in called("git", "-C", harness.ROOT, "ls-files", "-z").split("\0"):
        if name:
            (folder / name).parent.mkdir(parents=True, exist_ok=True)
            shutil.copy2(harness.ROOT / name, folder / name, follow_symlinks=False)
    return folder


class System:
    """The system in a folder, where commands run in a chroot of their own."""

    def __init__(self, root):
        self.root = Path(root)
        address, suite = mirror()
        called("mmdebstrap", "--mode=root", "--variant=apt", suite, self.root, address)
        for name in ("resolv.conf", "hosts"):
            shutil.copy(Path("/etc") / name, self.root / "etc" / name)

    def command(self, command):
        """The words of a shell command inside, with an environment of its own; what is mounted for it is gone when it
        ends."""
        return ["unshare", "--mount", "sh", "-c",
                'mount -t proc proc "$0/proc" && mount -t tmpfs tmpfs "$0/dev/shm"; '
                'exec env -i HOME=/root PATH=/usr/sbin:/usr/bin:/sbin:/bin chroot "$0" sh -c "cd /root && $1"',
                str(self.root), command]

    def inside(self, command):
        return called(*self.command(command))
