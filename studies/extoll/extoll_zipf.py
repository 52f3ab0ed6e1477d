"""Zipf's law with an order of destinations of each sender's own, as a traffic matrix: sender i wants i + STEP first,
then i + 2 STEP ..., modulo the number of elements. All elements are wanted alike, none more than it can take."""

import tempfile
from pathlib import Path

#: Odd, near to the golden section of 256: the next in order is far away.
STEP = 159


def matrix(pes):
    """The path of the file; written if it is not there. `pes`: a power of two."""
    path = Path(tempfile.gettempdir()) / f"weft-zipf-own-order-{pes}.txt"
    if not path.is_file():
        first = ["0"] * pes
        for rank in range(1, pes):
            first[rank * STEP % pes] = f"{1 / rank:.6g}"
        lines = [" ".join(first[-sender:] + first[:-sender]) for sender in range(pes)]
        partial = path.with_suffix(".part")
        partial.write_text("\n".join(lines) + "\n", encoding="utf-8")
        partial.replace(path)
    return str(path)
