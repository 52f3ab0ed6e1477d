"""What the tests of weft fabric share: the program on one or several ranks, and a config of a small Clos network."""

import json
import subprocess

import harness

CLOS = 'format = 1\n[topology]\nkind = "clos"\nleaf_down = 4\nleaf_up = 4\nleaves = 4\n'


def fabric(*words, ranks=1, code=0, timeout=120):
    done = subprocess.run(harness.with_mpi([harness.weft(), "fabric", *map(str, words)], ranks),
                          env=harness.environment(ranks),
                          capture_output=True, text=True, check=False, timeout=timeout)
    assert done.returncode == code, f"{words}: exit {done.returncode}, not {code}\n{done.stdout}{done.stderr}"
    return done


def ebb(*words, ranks=1, timeout=120):
    return json.loads(fabric("ebb", *words, "--json", "-", ranks=ranks, timeout=timeout).stdout)
