"""OTF2 against otf2-print (otf2-tools), which shares nothing with the reader but the library: counts of what weft
reads, what otf2-print says of what weft writes; and damaged archives, which must not end the program by a signal."""

import os
import random
import re
import shutil
import subprocess
import tarfile
import unittest
from collections import Counter
from pathlib import Path

import harness

OTF2_PRINT = harness.needed("OTF2_PRINT", "otf2-print")
SMALL = harness.ROOT / "tests" / "data" / "otf2" / "small"
STENCIL = harness.ROOT / "examples" / "traces" / "otf2" / "stencil4d-32"
RECORD = re.compile(r"([A-Z][A-Z_0-9]+) +(\d+) +(\d+)")


def records_of(anchor, complaints=None):
    """Kinds of records, and lengths of sent messages, as otf2-print has them. It must have nothing to say against the
    archive but `complaints`."""
    done = subprocess.run([OTF2_PRINT, str(anchor)], capture_output=True, text=True, check=False)
    left = [line for line in done.stderr.splitlines() if not complaints or not re.search(complaints, line)]
    assert done.returncode == 0 and not left, f"otf2-print {anchor}: {left}"
    kinds, sent, collectives = Counter(), 0, Counter()
    for line in done.stdout.splitlines():
        found = RECORD.match(line)
        if not found:
            continue
        kinds[found[1]] += 1
        if found[1] in ("MPI_SEND", "MPI_ISEND"):
            sent += int(re.search(r"Length: (\d+)", line)[1])
        elif found[1] in ("MPI_COLLECTIVE_END", "NON_BLOCKING_COLLECTIVE_COMPLETE"):
            operation, sizes = re.search(r"Operation: ([A-Z_]+).*(Sent: \d+, Received: \d+)", line).groups()
            collectives[operation, sizes] += 1
    return kinds, sent, collectives


class Otf2(harness.Scratch):
    def trace_errors(self, *words, code):
        self.weft("trace", *words, code=code)
        return self.errors

    def copy(self, archive):
        return Path(shutil.copytree(archive, self.folder / archive.name))

    def test_counts_are_those_of_otf2_print(self):
        for archive in (SMALL, STENCIL):
            kinds, sent, _ = records_of(archive / "traces.otf2")
            info = self.json_of("trace", "info", str(self.copy(archive)))
            self.assertEqual(info["format"], "otf2")
            self.assertEqual(info["messages"], kinds["MPI_SEND"] + kinds["MPI_ISEND"])
            self.assertEqual(info["bytes"], sent)
            self.assertEqual(info["operations"]["receive"], kinds["MPI_RECV"] + kinds["MPI_IRECV"])

    def test_every_receive_finds_its_message(self):
        for archive in (SMALL, STENCIL):
            self.weft("trace", "check", str(self.copy(archive) / "traces.otf2"))

    def test_an_archive_written_again_has_the_same_records(self):
        for archive in (SMALL, STENCIL):
            self.weft("trace", "convert", str(self.copy(archive)), "--out", f"{archive.name}-again.otf2")
            before = records_of(archive / "traces.otf2")
            after = records_of(self.folder / f"{archive.name}-again.otf2" / "traces.otf2")
            # Times at which recording was off or on are not kept, and a region that never ended has ended.
            for counts in (before[0], after[0]):
                counts.pop("MEASUREMENT_ON_OFF", None)
            self.assertEqual(before, after)

    def test_a_trace_without_times_becomes_an_archive(self):
        self.weft("trace", "convert", str(harness.IS_TRACE), "--out", "is.otf2")
        kinds, sent, _ = records_of(self.folder / "is.otf2" / "traces.otf2")
        self.assertEqual((kinds["MPI_SEND"], kinds["MPI_RECV"], sent), (4842, 4842, 3426152))
        self.weft("trace", "check", "is.otf2")
        info = self.json_of("trace", "info", "is.otf2")
        self.assertEqual((info["tasks"], info["messages"], info["bytes"]), (16, 4842, 3426152))

    def test_eztrace_has_sizes_of_calls_and_locations_of_any_number(self):
        shared = Path(os.environ.get("WEFT_SHARED", harness.ROOT.parent / "shared"))
        packed = shared / "traces" / "otf2" / "hpcc-debian-4ranks-eztrace.otf2.tar.xz"
        if not packed.is_file():
            self.skipTest("the trace is not there")
        with tarfile.open(packed) as archive:
            archive.extractall(self.folder)
        anchor = next(self.folder.rglob("*.otf2"))
        kinds, sent, _ = records_of(anchor, "out of order|duplicate")
        for name in (str(anchor), "again.otf2"):
            info = self.json_of("trace", "info", name)
            self.assertEqual((info["tasks"], info["messages"], info["bytes"]),
                             (4, kinds["MPI_SEND"] + kinds["MPI_ISEND"], sent))
            self.assertEqual(info["operations"]["receive"], kinds["MPI_RECV"] + kinds["MPI_IRECV_REQUEST"])
            self.assertEqual({name: (one["calls"], one["bytes"]) for name, one in info["collectives"].items()},
                             {"allreduce": (2465, 11936), "broadcast": (1468, 19232), "barrier": (596, 0),
                              "all-to-all": (116, 853440), "reduce": (252, 10832), "gather": (5, 120)})
            if name != "again.otf2":
                self.weft("trace", "convert", name, "--out", "again.otf2")
        # Messages of MPI_Irecv are not in the archive: they are left over, but no task waits for ever.
        checked = self.trace_errors("check", "again.otf2", code=4)
        self.assertIn("every task ends", checked)
        self.assertEqual(records_of(self.folder / "again.otf2" / "traces.otf2")[1], sent)

    def test_damaged_archives_end_in_an_error(self):
        rng = random.Random(5)
        codes = Counter()
        for _ in range(40):
            archive = self.copy(SMALL)
            path = rng.choice(sorted(p for p in archive.rglob("*") if p.is_file()))
            data = bytearray(path.read_bytes())
            place = rng.randrange(len(data))
            if rng.random() < 0.5:
                data = data[:place]
            else:
                data[place] ^= 1 << rng.randrange(8)
            path.write_bytes(data)
            code, _, err = self.finish(self.start([harness.weft(), "trace", "info", archive]))
            self.assertIn(code, (0, 3), f"{path}, byte {place}: {err}")
            codes[code] += 1
            shutil.rmtree(archive)
            shutil.rmtree(self.folder / (archive.name + ".weft-store"), ignore_errors=True)
        self.assertGreater(codes[3], 5)

    def test_what_is_no_archive_is_named(self):
        (self.folder / "x").mkdir()
        for name, text in (("x/a.otf2", "s 0 1 0 0\n"), ("b.otf2", "\x03BOTF2 but no more")):
            self.write(name, text)
        self.assertIn("a.otf2", self.trace_errors("info", "x", code=3))
        self.assertIn("b.otf2", self.trace_errors("info", "b.otf2", code=3))


if __name__ == "__main__":
    unittest.main()
