#!/usr/bin/env python3
"""The notebooks of examples/ run from their first cell to the last, in one namespace and a scratch folder, without
Jupyter: each cell that ends in an expression shows something, figures are drawn, and where a notebook keeps printed
output it is what is printed. (python.notebook runs them in a kernel.) Environment: WEFT_BINARY."""

import ast
import contextlib
import io
import json
import os
import sys
import tempfile
from pathlib import Path

import harness

WEFT = harness.weft()
PACKAGE = harness.ROOT / "tools" / "python"
NOTEBOOKS = sorted((harness.ROOT / "examples").rglob("*.ipynb"))


def shown(value):
    """What a notebook would show of a value: a figure as SVG, a table as HTML, else its text."""
    if hasattr(value, "savefig"):
        drawn = io.StringIO()
        value.savefig(drawn, format="svg")
        return drawn.getvalue()
    html = getattr(value, "_repr_html_", None)
    return html() if html else repr(value)


def run(source, names, number):
    """Printed text and what is shown of the last expression ("" if the cell ends in none)."""
    tree = ast.parse(source)
    last = ast.Expression(tree.body.pop().value) if tree.body and isinstance(tree.body[-1], ast.Expr) else None
    printed, value = io.StringIO(), None
    with contextlib.redirect_stdout(printed):
        exec(compile(tree, f"cell {number}", "exec"), names)
        if last is not None:
            value = eval(compile(last, f"cell {number}", "eval"), names)
    return printed.getvalue(), "" if value is None else shown(value)


def stored(cell):
    """Printed text that the notebook keeps of a cell; None if it keeps none."""
    streams = ["".join(output["text"]) for output in cell.get("outputs", []) if output["output_type"] == "stream"]
    return "".join(streams) if streams else None


def check(path):
    names, figures, cells = {"__name__": "__main__"}, 0, json.loads(path.read_text(encoding="utf-8"))["cells"]
    code = [(number, cell) for number, cell in enumerate(cells) if cell["cell_type"] == "code"]
    for number, cell in code:
        printed, value = run("".join(cell["source"]), names, number)
        ends_in_value = isinstance(ast.parse("".join(cell["source"])).body[-1], ast.Expr)
        assert not ends_in_value or printed or value, f"{path.name}, cell {number}: shows nothing"
        assert stored(cell) in (None, printed), f"{path.name}, cell {number}: prints {printed}, keeps {stored(cell)}"
        figures += value.lstrip().startswith("<?xml")
    assert code and figures, f"{path.name}: {len(code)} cells, {figures} figures"
    print(f"{path.name}: {len(code)} cells run, {figures} figures drawn")


def main():
    sys.path.insert(0, str(PACKAGE))
    os.environ["MPLBACKEND"] = "agg"
    os.environ["PATH"] = f"{Path(WEFT).parent}:{os.environ['PATH']}"
    for module in ("h5py", "pandas", "matplotlib"):
        try:
            __import__(module)
        except ImportError:
            print(f"the module {module} is not installed")
            sys.exit(77)  # the module pandas is not installed
    assert NOTEBOOKS
    for path in NOTEBOOKS:
        with tempfile.TemporaryDirectory(prefix="weft-notebook-") as folder:
            os.chdir(folder)
            check(path)
            os.chdir(harness.ROOT)


if __name__ == "__main__":
    main()
