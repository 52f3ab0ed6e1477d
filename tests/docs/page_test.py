#!/usr/bin/env python3
"""All commands and configs of pages run, in the order of each page, in a scratch folder; what is shown as output is
what they print. Arguments: pages, docs/tour.md, say; all without one. --update in front of them writes what is printed.
Environment: WEFT_BINARY, WEFT_MPIRUN."""

import sys

import harness

from document_runs import Page
from documents import DOCUMENTS

LIMIT_S = 1800  # for one block


def main(names):
    update = names[:1] == ["--update"]
    names = names[update:]
    paths = [path for path in DOCUMENTS if not names or str(path.relative_to(harness.ROOT)) in names]
    failed = 0
    for path in paths:
        page = Page(path, harness.weft(), harness.mpirun(), LIMIT_S)
        problems = page.check(whole=True, update=update)
        failed += bool(problems)
        print(*problems, sep="\n\n", end="\n" if problems else "")
        print(*(f"not run: {reason}" for reason in page.not_run), sep="\n", end="\n" if page.not_run else "")
        print(f"{path.name}: {page.ran} blocks run, {page.compared} outputs compared, {len(page.not_run)} not run, "
              f"{len(problems)} problems", flush=True)
    return 1 if failed or not paths else 0


if __name__ == "__main__":
    sys.exit(main(sys.argv[1:]))
