"""The smallest input of hpcc (HPC Challenge), and what its output says."""

import re


def write_input(folder, side):
    """hpccinf.txt: N = 200 on side x side processes; everything else as small as it gets. 32 lines of HPL, then sizes
    of PTRANS beyond HPL's: none."""
    values = [6, 1, 200, 1, 40, 0, 1, side, side, 16.0, 1, 2, 1, 4, 1, 2, 1, 1, 1, 0, 1, 0, 2, 64, 0, 0, 1, 8]
    lines = ["a small input of hpcc", "", "HPL.out", *map(str, values), "-", "0", "0", "0", "0", ""]
    (folder / "hpccinf.txt").write_text("\n".join(lines), encoding="utf-8")


def summary(folder):
    """The figures of hpccoutf.txt, by name; fails where hpcc did not come to its end."""
    text = (folder / "hpccoutf.txt").read_text(encoding="utf-8")
    assert "End of HPC Challenge tests" in text, text[-2000:]
    return dict(re.findall(r"^(\w+)=(\S+)$", text, re.MULTILINE))
