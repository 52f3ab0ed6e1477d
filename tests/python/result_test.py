#!/usr/bin/env python3
"""Results as tables: units, what a file says against JSON, large tables, files that are no results. Environment:
WEFT_BINARY."""

import time
import unittest

import package
import harness

h5py = harness.module("h5py")
numpy = harness.module("numpy")
harness.module("pandas")

import weft
from weft import _summary

WEFT = harness.weft()

STATISTICS = {"statistics": {"series_cycles": 100, "ports": True, "distances": True, "pairs": True}}


class Tables(harness.Scratch):
    @classmethod
    def setUpClass(cls):
        cls.result = weft.run({**package.SMALL, **STATISTICS})

    def test_tables_have_the_columns_units_and_values_of_the_file(self):
        with h5py.File(self.result.path) as file:
            for table in self.result.tables:
                frame = self.result.frame(table)
                self.assertEqual(set(frame.columns), {name for name, item in file[table].items()
                                                      if hasattr(item, "shape")})
                for column in frame:
                    self.assertEqual(frame.attrs["units"][column], file[table][column].attrs.get("unit", ""))
                    values = file[table][column]
                    values = values.asstr()[:] if values.dtype == object else values[:]
                    numpy.testing.assert_array_equal(frame[column].to_numpy(), values)
        self.assertEqual(list(self.result.frame("batches").columns[:2]), ["begin", "end"])
        self.assertLessEqual({"batches", "series", "ports", "pairs", "engine/ranks"}, set(self.result.tables))

    def test_a_table_that_is_not_there_is_named_with_the_nearest(self):
        with self.assertRaisesRegex(weft.Error, "no table 'batch'; did you mean 'batches'"):
            self.result.frame("batch")

    def test_figures_have_the_units_that_the_file_says(self):
        with h5py.File(self.result.path) as file:
            for name, item in file["summary"].items():
                path = _summary.path_of_scalar(name)
                if path is not None:
                    self.assertEqual(_summary.unit_of(path), item.attrs.get("unit", ""), name)
            for name, item in file["engine"].items():
                if hasattr(item, "shape"):
                    self.assertEqual(_summary.unit_of(f"engine.{name}"), item.attrs.get("unit", ""), name)
            for name, item in file["engine/ranks"].items():
                self.assertEqual(_summary.unit_of("engine." + ("rank_events" if name == "events" else name)),
                                 item.attrs["unit"])
            for name, item in file["batches"].items():
                self.assertEqual(_summary.unit_of(f"batches.0.{name}"), item.attrs["unit"])
        self.assertEqual(self.result.summary.unit("latency.p99"), "cycles")
        self.assertEqual(self.result.summary.units["load.accepted"], "phits/node/cycle")

    def test_a_loaded_file_has_the_summary_of_the_run(self):
        loaded, run = weft.load(self.result.path).summary, self.result.summary
        self.assertEqual({key for key in run if key not in loaded}, {"statistics"})
        for key in loaded:
            if key != "config":
                self.assertEqual(loaded[key], run[key], key)
        self.assertEqual(loaded["config.topology.dims"], [4, 4])

    def test_a_path_that_is_not_there_names_the_nearest(self):
        with self.assertRaisesRegex(KeyError, "did you mean 'latency.mean'"):
            self.result["latency.meen"]

    def test_packets_are_counted_once_in_every_table(self):
        delivered = self.result["packets.delivered"]
        self.assertEqual(self.result.frame("pairs")["packets"].sum(), delivered)
        self.assertEqual(self.result.frame("nodes")["delivered_packets"].sum(), delivered)
        self.assertEqual(self.result.frame("distances")["packets"].sum(), delivered)


class Files(harness.Scratch):
    def test_a_million_rows_load_in_two_seconds(self):
        rows = 1_000_000
        path = self.folder / "large.h5"
        with h5py.File(weft.run(package.SMALL, out=path).path, "a") as file:
            table = file.create_group("timeline")
            for column in ("task", "lane", "activity"):
                table[column] = numpy.arange(rows, dtype=numpy.uint32) % 64
            table["begin"] = numpy.arange(rows, dtype=numpy.float64)
            table["end"] = numpy.arange(rows, dtype=numpy.float64) + 0.5
        times = []
        for _ in range(3):
            begin = time.monotonic()
            frame = weft.load(path).frame("timeline")
            times.append(time.monotonic() - begin)
        self.assertEqual((len(frame), float(frame["end"].sum())), (rows, rows * (rows - 1) / 2 + rows / 2))
        self.assertLess(min(times), 2)

    def refused(self, path, words):
        with self.assertRaises(weft.Error) as caught:
            weft.load(path)
        self.assertIn(words, str(caught.exception))
        self.assertIn(path.name, str(caught.exception))
        self.assertEqual(caught.exception.code, 3)

    def test_what_is_no_result_is_refused(self):
        path = self.folder / "r.h5"
        weft.run(package.SMALL, out=path)
        whole = path.read_bytes()
        self.refused(self.folder / "none.h5", "No such file")
        self.refused(self.write("empty.h5", b""), "is empty")
        self.refused(self.write("text.h5", "not HDF5 at all"), "is no HDF5 file")
        for size in (100, len(whole) // 2, len(whole) - 200):
            self.refused(self.write(f"cut{size}.h5", whole[:size]), "is damaged or cut short")
        with h5py.File(self.folder / "foreign.h5", "w") as file:
            file["x"] = [1, 2]
        self.refused(self.folder / "foreign.h5", "no result of weft (has no attribute 'format')")
        for version, age in (("0", "older"), ("2", "newer")):
            other = self.write(f"v{version}.h5", whole)
            with h5py.File(other, "a") as file:
                file.attrs["format_version"] = version
            self.refused(other, f"is of an {age}" if age == "older" else f"is of a {age}")

    def test_the_table_of_a_sweep_is_a_frame(self):
        self.write("base.toml",
                   'format = 1\n[topology]\nkind = "torus"\ndims = [4, 4]\n[measure]\nwarmup_cycles = 100\nbatches = '
                   '2\n'
                   "interval_cycles = 100\nbatch_cycles = 100\n")
        self.write("s.toml",
                   'format = 1\n[sweep]\nbase = "base.toml"\nout = "out"\n[[sweep.axis]]\nkey = '
                   '"workload.offered_load"\n'
                   "values = [0.1, 0.2]\n")
        code, _, err = self.finish(self.start([WEFT, "sweep", "s.toml", "--progress", "never"]))
        self.assertEqual(code, 0, err)
        frame = weft.load(self.folder / "out" / "s.h5")
        self.assertEqual(list(frame["workload.offered_load"]), [0.1, 0.2])
        self.assertEqual(list(frame["status"]), ["done", "done"])
        self.assertEqual(frame.attrs["units"]["load_accepted"], "phits/node/cycle")


if __name__ == "__main__":
    unittest.main()
