"""Storage on the ideal network against closed forms: L + floor((s - 1) G) for a message of s bytes, and the time of a server.

Environment: WEFT_BINARY is the program."""

import json
import subprocess
import unittest

import harness

WEFT = harness.weft()
EXAMPLE = harness.ROOT / "examples" / "ideal.toml"
LATENCY, CONTROL, SERVICE, STRIPE = 1000, 64, 70, 1000
KEYS = {"ideal.latency_ns": LATENCY, "ideal.byte_gap_ns": 0.5, "ideal.overhead_ns": 0, "ideal.gap_ns": 0, "ideal.byte_overhead_ns": 0,
        "workload.kind": "storage", "workload.tasks": 2, "workload.message_bytes": 10 * STRIPE, "workload.stripe_bytes": STRIPE,
        "workload.window": 1, "workload.service_ns": SERVICE, "workload.storage_gbps": 8}  # fmt: skip
SERVING = SERVICE + STRIPE  # 8 Gbit/s are a byte a ns


def gap(size):
    """How long a message holds the NIC that sends it."""
    return (size - 1) // 2


def message(size):
    return LATENCY + gap(size)


def finished_ns(**changed):
    keys = {**KEYS, **{f"workload.{name}": value for name, value in changed.items()}}
    settings = [word for key, value in keys.items() for word in ("--set", f"{key}={json.dumps(value)}")]
    command = [WEFT, "run", EXAMPLE, "--json", "-", "--progress", "never", *settings]
    return json.loads(subprocess.run(command, capture_output=True, text=True, check=True).stdout)["task_finish_cycles"]


class Storage(unittest.TestCase):
    def test_a_window_of_one_takes_the_sum_of_all_steps(self):
        there_and_back = message(STRIPE) + SERVING + message(CONTROL)
        self.assertEqual(finished_ns()[0], 10 * there_and_back)
        self.assertEqual(finished_ns(access="read")[0], 10 * there_and_back)
        self.assertEqual(finished_ns(permission=True)[0], 10 * (there_and_back + 2 * message(CONTROL)))
        self.assertEqual(finished_ns(repetitions=3, phase_ns=500)[0], 3 * (500 + 10 * there_and_back))

    def test_a_wide_window_keeps_the_server_busy(self):
        # A stripe leaves each 499 ns, sooner than the server is done with the one before.
        self.assertEqual(finished_ns(window=100)[0], message(STRIPE) + 10 * SERVING + message(CONTROL))

    def test_servers_share_the_stripes_of_a_file(self):
        # Of 5, each is done with its first stripe long before its second one comes.
        last = 9 * gap(STRIPE) + message(STRIPE)
        self.assertEqual(finished_ns(window=100, tasks=6, io_tasks=5)[0], last + SERVING + message(CONTROL))
        # Of 2, the second one has a stripe to do all the time from its first one on.
        first = gap(STRIPE) + message(STRIPE)
        self.assertEqual(finished_ns(window=100, tasks=6, io_tasks=5, stripe_count=2)[0], first + 5 * SERVING + message(CONTROL))

    def test_aggregators_take_what_their_group_has(self):
        # 4 tasks, of which one writes for all: their data, 40 stripes on one server, then a word to each that it is done.
        done = message(10 * STRIPE) + message(STRIPE) + 40 * SERVING + message(CONTROL)
        times = finished_ns(window=100, tasks=5, file_mode="n-m")
        self.assertEqual(times[0], done + 2 * gap(CONTROL))
        self.assertEqual(times[1:4], [done + n * gap(CONTROL) + message(CONTROL) for n in range(3)])


if __name__ == "__main__":
    unittest.main()
