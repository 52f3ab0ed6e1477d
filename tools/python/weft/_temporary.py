"""Temporary folders that go with the object that holds them."""

from __future__ import annotations

import shutil
import tempfile
import weakref


class TemporaryFolder:
    """A folder of its own in TMPDIR; it goes with `cleanup`, with this object, or when Python ends."""

    def __init__(self, prefix: str) -> None:
        self.name = tempfile.mkdtemp(prefix=prefix)
        self.cleanup = weakref.finalize(self, shutil.rmtree, self.name, ignore_errors=True)
