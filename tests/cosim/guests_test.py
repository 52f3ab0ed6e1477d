"""weft cosim with virtual machines: what a guest's own clock says of the network is judged by closed forms; the same
history on any number of ranks; guests that panic or are killed are named; nothing is left running. What is missing is
named with the command that installs it.

    tests/by-hand tests/cosim/guests_test.py [CLASS]"""

import json
import os
import re
import shutil
import signal
import subprocess
import time
import unittest
from pathlib import Path

import harness

WEFT = harness.weft()
CACHE = Path(os.environ.get("WEFT_CACHE_DIR") or Path(os.environ.get("XDG_CACHE_HOME") or Path.home() / ".cache")
             / "weft")
THERE = shutil.which("qemu-system-x86_64") and Path("/bin/busybox").exists() and (CACHE
        / "guest-kernel/vmlinuz").exists()
# A cycle is 1 ns; two nodes; flits pass through two NICs and two links of this latency, and the switch.
NETWORK = """topology = {kind = "torus", dims = [2]}
router = {kind = "switch"}
link = {rate_gbps = 64, latency_cycles = 200}
packet = {phits = 64, phit_bytes = 8}
"""


class Guests(harness.Scratch):
    def prepare(self, command, network=NETWORK, **cosim):
        keys = {"endpoints": "guests", "guest_command": command, "memory_mib": 80, "nic_latency_ns": 5000,
                "consoles": "consoles", **cosim}
        lines = "".join(f"{key} = {json.dumps(value)}\n" for key, value in keys.items())
        return self.write("machine.toml", f"format = 1\n{network}\n[cosim]\n{lines}")

    def begin(self, config, *words, ranks=1, **variables):
        return self.start([WEFT, "cosim", config, "--json", "-", "--quiet", *words], ranks=ranks, variables=variables)

    def cosim(self, config, *words, ranks=1, code=0, seconds=200):
        found, out, err = self.finish(self.begin(config, *words, ranks=ranks), seconds=seconds)
        self.assertEqual(found, code, err)
        return json.loads(out) if code == 0 else err

    def console(self, number=0):
        return (self.folder / f"consoles/guest{number}.console.log").read_text(encoding="utf-8", errors="replace")

    def qemus(self):
        """Processes of QEMU that have this test's folder in their words."""
        return [process.pid for process in harness.running()
                if process.words[0].endswith("qemu-system-x86_64") and str(self.folder) in " ".join(process.words)]

    def wait_for_qemus(self, count, seconds=100):
        end = time.monotonic() + seconds
        while len(self.qemus()) != count and time.monotonic() < end:
            time.sleep(0.05)
        self.assertEqual(len(self.qemus()), count)
        return self.qemus()


@unittest.skipUnless(THERE, "QEMU or the guests' kernel is not there")
class Clocks(Guests):
    def round_trip_us(self, **cosim):
        config = self.prepare("ping -c 4 -i 0.001 guest1", **cosim)
        summary = self.cosim(config)
        times = [float(text) * 1000 for text in re.findall(r"time=([0-9.]+) ms", self.console())]
        self.assertEqual(len(times), 4, self.console())
        self.assertEqual(summary["cosim"]["late"]["messages"], 0)
        self.assertEqual([row.get("said", "") for row in summary["cosim"]["endpoints"]], ["status 0", ""])
        self.assertTrue(all(row["ended"] for row in summary["cosim"]["endpoints"]))
        return min(times)

    def test_ping_shows_the_latency_of_network_and_nics(self):
        # There and back: two NICs each way.
        near, far = self.round_trip_us(), self.round_trip_us(nic_latency_ns=30_000)
        self.assertAlmostEqual(far - near, 4 * 25, delta=2)

    def test_random_numbers_are_there_at_once_and_guests_are_told_apart(self):
        """MPI programs start by asking for some; a kernel that has to gather noise first takes a second. By its boot_id
        a machine is known."""
        config = self.prepare("head -c 8 /dev/random >/dev/null; cat /proc/sys/kernel/random/boot_id "
                              "/sys/class/net/eth0/operstate", everywhere=True)
        summary = self.cosim(config)
        self.assertLess(summary["cosim"]["time_ns"], 100e6)
        said = [re.findall(r"^([0-9a-f-]{36})\s+up\s", self.console(number), re.MULTILINE) for number in (0, 1)]
        self.assertEqual([len(found) for found in said], [1, 1], said)
        self.assertNotEqual(*said)


@unittest.skipUnless(THERE, "QEMU or the guests' kernel is not there")
class Repeats(Guests):
    def test_the_same_frames_at_the_same_ticks_on_any_number_of_ranks(self):
        config = self.prepare("ping -c 3 -i 0.002 -s 1000 guest1")
        runs = [self.cosim(config, ranks=ranks) for ranks in (1, 2, 1)]
        for run in runs[1:]:
            self.assertEqual(run["digest"], runs[0]["digest"])
            for key in ("payload_digest", "messages", "time_ns", "slices", "latency_ns", "endpoints"):
                self.assertEqual(run["cosim"][key], runs[0]["cosim"][key], key)


@unittest.skipUnless(THERE, "QEMU or the guests' kernel is not there")
class Failures(Guests):
    def test_a_panic_is_named_with_the_guest_and_its_words(self):
        error = self.cosim(self.prepare("echo c >/proc/sysrq-trigger"), code=4)
        self.assertRegex(error, r"guest 0 panicked at \d+ ns of simulated time \(not syncing: sysrq triggered crash\)")
        self.assertEqual(self.qemus(), [])

    def test_a_guest_that_is_killed_is_named_and_the_other_ends(self):
        run = self.begin(self.prepare("ping -c 100000 -i 0.0001 guest1"))
        os.kill(self.wait_for_qemus(2)[0], signal.SIGKILL)
        code, _, error = self.finish(run, seconds=100)
        self.assertEqual(code, 5, error)
        self.assertRegex(error, r"guest \d .*killed by signal 9")
        self.wait_for_qemus(0, seconds=10)

    def test_nothing_is_left_when_the_program_is_killed(self):
        for number in (signal.SIGTERM, signal.SIGKILL, signal.SIGHUP, signal.SIGINT):
            run = self.begin(self.prepare("ping -c 100000 -i 0.0001 guest1"))
            self.wait_for_qemus(2)
            run.send_signal(number)
            self.finish(run, seconds=100)
            self.wait_for_qemus(0, seconds=20)


class Missing(Guests):
    def test_what_is_missing_is_named_with_the_command_that_installs_it(self):
        code, _, error = self.finish(self.begin(self.prepare("true"), WEFT_CACHE_DIR=str(self.folder / "none")),
                                     seconds=60)
        self.assertEqual(code, 5, error)
        self.assertIn("tools/install-guest-kernel", error)

    def test_a_config_without_a_command_or_with_odd_instructions_is_refused(self):
        for keys, words in (({"guest_command": ""}, "cosim.guest_command is not given"),
                            ({"instruction_ns": 3}, "cosim.instruction_ns = 3 is no power of two")):
            self.assertIn(words, self.cosim(self.prepare("true", **keys), code=2))


class Kernel(harness.Scratch):
    """tools/install-guest-kernel, with a mirror that the test plays."""

    DRIVERS = ("virtio_ring virtio virtio_pci_legacy_dev virtio_pci_modern_dev virtio_pci failover net_failover "
               "virtio_net qemu_fw_cfg".split())

    def package(self, drivers):
        """A package of a kernel with these drivers, as apt would download it."""
        tree = self.folder / "tree"
        for name, content in (("DEBIAN/control",
                               "Package: linux-image-9-cloud-amd64\nVersion: 9.1\nArchitecture: amd64\n"
                                                 "Maintainer: a test <a@b>\nDescription: kernel\n"),
                              ("boot/vmlinuz-9-cloud-amd64", "the kernel"),
                              *((f"lib/modules/9/kernel/drivers/{name}.ko", f"driver {name}") for name in drivers)):
            path = tree / name
            path.parent.mkdir(parents=True, exist_ok=True)
            path.write_text(content, encoding="utf-8")
        subprocess.run(["dpkg-deb", "-b", str(tree), str(self.folder / "mirror.deb")], check=True, capture_output=True)

    def install(self, *words):
        tools = self.folder / "bin"
        tools.mkdir(exist_ok=True)
        for name, text in (("apt-cache", "echo '  Depends: linux-image-9-cloud-amd64'"),
                           ("apt-get",
                            f'[[ " $* " != *" download "* ]] || cp "{self.folder}/mirror.deb" ./linux-image-9.deb'),
                           ("sudo", "exit 1")):
            (tools / name).write_text(f"#!/bin/bash\n{text}\n", encoding="utf-8")
            (tools / name).chmod(0o755)
        done = subprocess.run([str(harness.ROOT / "tools/install-guest-kernel"), *words], capture_output=True,
                              text=True, check=False,
                              stdin=subprocess.DEVNULL, env=dict(os.environ, PATH=f"{tools}:{os.environ['PATH']}",
                                                                 WEFT_CACHE_DIR=str(self.folder / "cache")))
        return done.returncode, done.stdout + done.stderr

    def test_kernel_and_drivers_are_in_the_cache_and_fetched_once(self):
        self.package(self.DRIVERS)
        self.assertEqual(self.install()[0], 0)
        kernel = self.folder / "cache/guest-kernel"
        self.assertEqual((kernel / "vmlinuz").read_text(encoding="utf-8"), "the kernel")
        self.assertEqual(sorted(path.stem for path in (kernel / "modules").iterdir()), sorted(self.DRIVERS))
        self.assertEqual((kernel / "version").read_text(encoding="utf-8"), "linux-image-9-cloud-amd64 9.1\n")
        (self.folder / "mirror.deb").unlink()
        code, said = self.install()
        self.assertEqual(code, 0, said)
        self.assertIn("linux-image-9-cloud-amd64 9.1 is there", said)
        self.assertEqual(self.install("--again")[0], 5)
        self.assertTrue((kernel / "vmlinuz").exists(), "one that cannot be fetched anew stays")

    def test_without_network_or_a_driver_the_error_says_so_and_nothing_is_left(self):
        code, said = self.install()
        self.assertEqual(code, 5)
        self.assertIn("apt-get download linux-image-9-cloud-amd64 failed", said)
        self.package(self.DRIVERS[:-1])
        code, said = self.install()
        self.assertEqual(code, 5)
        self.assertIn("has no driver qemu_fw_cfg.ko", said)
        self.assertEqual(list((self.folder / "cache").iterdir()), [])


if __name__ == "__main__":
    unittest.main()
