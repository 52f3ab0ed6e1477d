#!/usr/bin/env python3
"""weft.plot: what is drawn, how it is marked, and what files are written. Environment: WEFT_BINARY."""

import os
import re
import subprocess
import sys
import unittest

import package
import harness

harness.module("h5py")
pandas = harness.module("pandas")
numpy = harness.module("numpy")
harness.module("matplotlib")

import weft
from weft import _sweep, plot
from weft.plot import _maps, _results, _style

WEFT = harness.weft()

LOAD = "workload.offered_load"


def table(series=("a", "b"), saturated=(False, False, True)):
    """A table as a study makes it: 3 loads for each series."""
    rows = [{"net": name, LOAD: load, "latency_mean": 10 * load + number, "latency_mean_ci95": 0.5,
             "load_accepted": load,
             "load_accepted_ci95": 0.01, "saturated": full, "converged": True}
            for number, name in enumerate(series) for load, full in zip((0.1, 0.2, 0.3), saturated, strict=True)]
    frame = pandas.DataFrame(rows).astype({"saturated": "boolean", "converged": "boolean"})
    frame.attrs.update(axes=["net", LOAD], units={LOAD: "phits/node/cycle", "latency_mean": "cycles"})
    return frame


def texts(figure):
    return [text.get_text() for text in figure.findobj(lambda item: hasattr(item, "get_text"))]


class Curves(harness.Scratch):
    def test_each_series_has_a_curve_a_band_and_its_name(self):
        figure = plot.load_latency(table())
        ax = figure.axes[0]
        labels = [text.get_text() for text in ax.get_legend().get_texts()]
        self.assertEqual(labels, ["a", "b"])
        self.assertEqual(len(ax.collections), 2)
        self.assertEqual((ax.get_xlabel(), ax.get_ylabel()),
                         ("Offered load (phits/node/cycle)", "Mean latency (cycles)"))
        numpy.testing.assert_allclose(ax.lines[0].get_xydata(), [(0.1, 1), (0.2, 2), (0.3, 3)])
        band = ax.collections[0].get_paths()[0].vertices
        self.assertAlmostEqual(band[:, 1].max(), 3.5)

    def test_saturated_points_are_hollow(self):
        ax = plot.load_latency(table(("a",))).axes[0]
        hollow = [line for line in ax.lines if line.get_markerfacecolor() == "white"]
        numpy.testing.assert_allclose(hollow[0].get_xydata(), [(0.3, 3)])
        self.assertIn("hollow: saturated or not converged", texts(ax.figure))
        none = plot.load_latency(table(saturated=(False,) * 3))
        self.assertNotIn("hollow: saturated or not converged", texts(none))

    def test_the_axis_of_latency_ends_near_what_is_not_saturated(self):
        frame = table()
        frame.loc[frame[LOAD] == 0.3, "latency_mean"] = 5000.0
        self.assertLess(plot.load_latency(frame).axes[0].get_ylim()[1], 20)
        self.assertEqual(plot.load_latency(frame, ymax=77).axes[0].get_ylim()[1], 77)

    def test_published_points_are_crosses_in_the_colour_of_their_curve(self):
        ax = plot.load_latency(table(), published={"b": ([0.1, 0.2], [2.1, 3.1]), "Kim 2008": [(0.1, 9)]}).axes[0]
        crosses = [line for line in ax.lines if line.get_marker() == "x"]
        curve = next(line for line in ax.lines if line.get_label() == "b")
        self.assertEqual([line.get_label() for line in crosses], ["b, published", "Kim 2008"])
        self.assertEqual(crosses[0].get_color(), curve.get_color())
        self.assertNotIn(crosses[1].get_color(), [line.get_color() for line in ax.lines[:2]])

    def test_any_number_of_series_look_different(self):
        names = [f"s{number}" for number in range(60)]
        looks = _style.looks(names)
        self.assertEqual(len(set(looks.values())), 60)
        self.assertEqual([len(legend.get_texts()) for legend in plot.load_latency(table(names)).legends], [60])

    def test_colours_are_told_apart_by_the_colour_blind(self):
        # Deuteranopia and protanopia by the matrices of Machado, Oliveira, Fernandes (2009), full severity; the first
        # six.
        simulations = ([[0.367322, 0.860646, -0.227968], [0.280085, 0.672501, 0.047413],
                        [-0.011820, 0.042940, 0.968881]],
                       [[0.152286, 1.052583, -0.204868], [0.114503, 0.786281, 0.099216],
                        [-0.003882, -0.048116, 1.051998]])
        colours = [numpy.array([int(c[i:i + 2], 16) / 255 for i in (1, 3, 5)]) for c in _style.COLOURS[:6]]
        for matrix in simulations:
            seen = [numpy.clip(numpy.array(matrix) @ colour, 0, 1) for colour in colours]
            least = min(numpy.abs(a - b).sum() for n, a in enumerate(seen) for b in seen[:n])
            self.assertGreater(least, 0.15)

    def test_files_are_vectors_with_their_fonts_and_the_same_each_time(self):
        figure = plot.load_latency(table(), width="double")
        pdf = self.folder / "a.pdf"
        figure.save(pdf)
        content = pdf.read_bytes()
        self.assertTrue(content.startswith(b"%PDF"))
        self.assertIn(b"/FontFile2", content)  # TrueType, as publishers want
        self.assertNotIn(b"/Subtype /Image", content)
        box = [float(x) for x in re.search(rb"/MediaBox \[ 0 0 ([\d.]+) ([\d.]+)", content).groups()]
        self.assertAlmostEqual(box[0], 7.16 * 72, delta=20)
        figure.save(self.folder / "b.pdf")
        self.assertEqual((self.folder / "b.pdf").read_bytes(), content)
        figure.save(self.folder / "a.svg")
        self.assertIn(">Mean latency (cycles)</text>", (self.folder / "a.svg").read_text())
        self.assertTrue(figure._repr_png_().startswith(b"\x89PNG"))
        with self.assertRaisesRegex(weft.Error, "cannot be written"):
            figure.save(self.folder / "a.xyz")

    def test_axes_of_ones_own_are_drawn_into(self):
        figure, axes = plot.new_figure("double", columns=2)
        self.assertIs(plot.load_latency(table(), ax=axes[0]), figure)
        plot.accepted_load(table(), ax=axes[1], errors="bars", legend=None)
        self.assertIsNone(axes[1].get_legend())
        self.assertIn("Accepted load", axes[1].get_ylabel())

    def test_neither_labels_are_cut_nor_legends_on_curves_in_narrow_panels(self):
        rows = [{"routing": name, LOAD: load / 20, "latency_mean": 50 / (1.05 - load / 20), "latency_p99": 90
                 / (1.05 - load / 20),
                 "load_accepted": min(load / 20, 0.8)} for name in ("minimal", "valiant", "ugal-l", "ugal-g",
                                                                    "adaptive, escape")
                for load in range(1, 21)]  # fmt: skip
        frame = pandas.DataFrame(rows)
        frame.attrs.update(axes=["routing", LOAD], units={"latency_mean": "cycles", "latency_p99": "cycles",
                                                          "load_accepted": "phits/node/cycle"})
        figure, axes = plot.new_figure("double", columns=3)
        plot.load_latency(frame, "routing", ax=axes[0])
        plot.load_latency(frame, "routing", y="latency_p99", ax=axes[1])
        plot.accepted_load(frame, "routing", ax=axes[2])
        figure.draw_without_rendering()
        legends = [ax.get_legend() for ax in axes if ax.get_legend()] + figure.legends
        self.assertEqual(sum(len(legend.get_texts()) for legend in legends), 5)
        for ax in axes:
            label = ax.yaxis.label.get_window_extent()
            self.assertGreaterEqual(label.y0, figure.bbox.y0 - 1)
            self.assertLessEqual(label.y1, figure.bbox.y1 + 1)
            for legend in legends:
                place = legend.get_window_extent()
                self.assertFalse(any(place.contains(*point) for line in ax.get_lines()
                                     for point in line.get_transform().transform(line.get_xydata())))
                self.assertFalse(place.overlaps(ax.xaxis.label.get_window_extent()) and legend in figure.legends)

    def test_mistakes_name_what_there_is(self):
        for call, words in ((lambda: plot.curves(table(), LOAD, "latency_men"), "did you mean 'latency_mean'"),
                            (lambda: plot.curves(table(), "net", "latency_mean", by="net"), "no numbers"),
                            (lambda: plot.curves(table(), LOAD, "latency_mean", errors="boxes"),
                             "'band', 'bars' or None"),
                            (lambda: plot.curves(3, LOAD, "latency_mean"), "cannot be drawn"),
                            (lambda: plot.size("triple"), "'single', 'double'")):
            with self.subTest(words=words), self.assertRaisesRegex(weft.Error, words):
                call()


class Bars(unittest.TestCase):
    FRAME = pandas.DataFrame({"kernel": ["W2", "W2", "BT", "BT"], "net": ["tree", "torus"] * 2,
                              "completion_cycles": [10.0, 15.0, 20.0, 20.0],
                              "completion_cycles_ci95": [1.0, 1.0, 2.0, float("nan")]})

    def test_bars_are_grouped_and_divided_by_a_reference(self):
        ax = plot.bars(self.FRAME, "completion_cycles", "kernel", "net", relative_to="tree",
                       published={"torus": {"BT": 1.1}}).axes[0]
        self.assertEqual([round(bar.get_height(), 6) for bar in ax.patches], [1, 1, 1.5, 1])
        self.assertEqual([label.get_text() for label in ax.get_xticklabels()], ["W2", "BT"])
        self.assertEqual(ax.get_ylabel(), "Completion time, relative to tree")
        with self.assertRaisesRegex(weft.Error, "did you mean 'torus'"):
            plot.bars(self.FRAME, "completion_cycles", "kernel", "net", relative_to="tors")
        with self.assertRaisesRegex(weft.Error, "several rows"):
            plot.bars(self.FRAME, "completion_cycles", "kernel", [])


class LogAxes(unittest.TestCase):
    def test_a_name_that_is_no_axis_is_refused(self):
        frame = pandas.DataFrame({"load": [0.1, 0.2], "latency": [1.0, 2.0]})
        for log in ("z", "yz", True):
            with self.assertRaisesRegex(weft.Error, "log = .* names no axes; give"):
                plot.curves(frame, "load", "latency", log=log)


class Results(harness.Scratch):
    @classmethod
    def setUpClass(cls):
        cls.result = weft.run({"topology": {"kind": "torus", "dims": [4, 4]}, "statistics": {"ports": True},
                               "simulation": {"stop": "cycles", "cycles": 20000}, "packet.phits": 16,
                               "workload.offered_load": 0.4})

    def test_the_histogram_has_all_packets(self):
        ax = plot.histogram(self.result, log="").axes[0]
        steps = ax.patches[0].get_data()
        self.assertAlmostEqual(float((steps.values * numpy.diff(steps.edges)).sum()), 1.0)
        self.assertIn("p99", texts(ax.figure))

    def test_the_tail_crosses_its_percentiles(self):
        line = plot.percentiles({"x": self.result}).axes[0].lines[0]
        xs, ys = line.get_data()
        for name, level in (("p50", 0.5), ("p99", 0.01)):
            at = numpy.interp(-level, -numpy.asarray(ys), xs)
            self.assertAlmostEqual(at / self.result.summary.figure(f"latency.{name}"), 1, delta=1 / 16)

    def test_link_loads_add_up_to_the_phits_of_all_hops(self):
        loads = _maps.link_loads(self.result)
        self.assertEqual(len(loads), 4 * 16)
        self.assertEqual(len(loads.groupby(["router", "dimension", "step"])), 64)
        busy = loads["load"].sum() * self.result["cycles"]
        self.assertAlmostEqual(busy / (16 * self.result["hops"]), 1, delta=0.01)  # but for packets in flight

    def test_a_map_shows_where_a_one_way_pattern_goes(self):
        # Everybody sends one to the right: only those links of dimension 0 carry anything.
        self.write("matrix.txt", "\n".join(f"{n} {n - n % 4 + (n + 1) % 4} 1" for n in range(16)) + "\n")
        result = weft.run({"topology": {"kind": "torus", "dims": [4, 4]}, "statistics": {"ports": True}, "simulation":
                           {"stop": "cycles", "cycles": 2000}, "workload": {"pattern": "matrix", "offered_load": 0.3,
                            "matrix_path": str(self.folder / "matrix.txt")}})
        loads = _maps.link_loads(result)
        right = (loads["dimension"] == 0) & (loads["step"] == 1)
        self.assertGreater(loads["load"][right].min(), 0.1)
        self.assertEqual(loads["load"][~right].sum(), 0)
        figure = plot.link_load(result)
        self.assertEqual(len(figure.axes[0].collections[0].get_segments()), 64)
        self.assertIn("Busy fraction of the time", texts(figure))
        with self.assertRaisesRegex(weft.Error, "no plane of a 4x4"):
            plot.link_load(result, dimensions=(0, 2))

    def test_what_a_result_does_not_have_is_said(self):
        plain = weft.run(package.SMALL)
        with self.assertRaisesRegex(weft.Error, "statistics.ports"):
            plot.link_load(plain)
        with self.assertRaisesRegex(weft.Error, "statistics.series_cycles"):
            plot.timeline(self.result)
        self.assertEqual(plot.timeline(plain).axes[0].get_xlabel(), "Time (cycles)")

    def test_activities_of_tasks_are_boxes(self):
        class Lanes:
            tables = ["timeline", "activities"]
            frames = {"activities": pandas.DataFrame({"name": ["compute", "send"]}),
                      "timeline": pandas.DataFrame({"task": [0, 0, 1], "lane": [0, 0, 0], "activity": [0, 1, 0],
                                                    "begin": [0.0, 5.0, 2.0], "end": [5.0, 9.0, 4.0]})}

            def frame(self, name):
                return self.frames[name]

        ax = plot.timeline(Lanes()).axes[0]
        self.assertEqual([one.get_label() for one in ax.collections], ["compute", "send"])
        box = ax.collections[1].get_paths()[0].get_extents()
        self.assertEqual((box.x0, box.x1, box.y0, box.y1), (5, 9, -0.4, 0.4))
        self.assertEqual(len(plot.timeline(Lanes(), tasks=[1]).axes[0].collections), 1)
        with self.assertRaisesRegex(weft.Error, "none of the tasks"):
            plot.timeline(Lanes(), tasks=[9])

    def test_failures_and_repairs_are_drawn_into_what_happened_over_time(self):
        result = weft.run(package.SMALL | {
            "measure": {}, "simulation": {"cycles": 2000}, "statistics": {"series_cycles": 50},
            "faults": {"event": "500cycles link r0:0 down; 800cycles router 3 down; 900cycles link r0:0 up; 1200cycles "
                                "link r5:0 error 0.1"}})
        ax = plot.timeline(result).axes[0]
        lines = [line.get_xdata()[0] for line in ax.lines if line.get_linestyle() == ":"]
        self.assertEqual(lines, [500, 800, 900, 1200])
        labels = [text.get_text() for text in ax.texts]
        self.assertEqual(labels, ["link r0:0 down", "router 3 down", "link r0:0 up", "link r5:0 error 0.1"])
        spans = sorted(tuple(patch.get_extents().transformed(ax.transData.inverted()).intervalx) for patch in ax.patches
                       if patch.get_alpha() == 0.12)
        numpy.testing.assert_allclose(spans, [(500, 900), (800, 2000)])
        bare = plot.timeline(result, faults=False).axes[0]
        self.assertEqual([len(bare.texts), len([one for one in bare.patches if one.get_alpha() == 0.12])], [0, 0])

    def test_gaps_of_a_histogram_are_empty(self):
        edges, heights = _results._steps(*(numpy.array(x, dtype=float) for x in ([0, 4], [2, 5], [7, 8])))
        self.assertEqual((list(edges), list(heights)), ([0, 2, 4, 5], [7, 0, 8]))


STUDY = """format = 1
[sweep]
base = "base.toml"
name = "s"
repeat = 2
[sweep.search]
from = 0.1
to = 0.9
precision = 0.4
points = 3
[[sweep.axis]]
key = "router.routing"
values = ["oblivious", "shortest"]
labels = ["DOR", "adaptive"]
[[sweep.column]]
name = "per_port"
quotient = ["accepted_most", "radix"]
[[sweep.published]]
figure = "latency_mean"
at = {routing = "DOR"}
x = [0.1, 0.5]
y = [20, 30]
label = "DOR"
source = "A paper"
"""


class CommandLine(harness.Scratch):
    """`weft plot`: the program starts the package."""

    def setUp(self):
        super().setUp()
        self.write("base.toml", 'format = 1\n[topology]\nkind = "torus"\ndims = [4, 4]\n[simulation]\ncycles = 1500\n')
        self.write("s.toml", STUDY)
        subprocess.run([WEFT, "sweep", "s.toml", "--progress", "never"], cwd=self.folder, check=True,
                       capture_output=True)

    def plot(self, *words, code=0):
        done = subprocess.run([WEFT, "plot", *words], cwd=self.folder, capture_output=True, text=True, check=False,
                              env=dict(os.environ, WEFT_PYTHON=os.environ.get("WEFT_PYTHON", sys.executable)))
        self.assertEqual(done.returncode, code, done.stdout + done.stderr)
        return done.stdout if code == 0 else done.stderr

    def test_a_sweep_is_curves_with_bands_and_crosses_and_its_columns_of_curves_are_bars(self):
        self.assertEqual(self.plot("s/s.h5", "--out", "a.svg"), "wrote a.svg\n")
        text = (self.folder / "a.svg").read_text(encoding="utf-8")
        for part in ("DOR", "adaptive", "DOR, published", "Offered load (phits/node/cycle)", "Mean latency (cycles)"):
            self.assertIn(part, text)
        self.assertIn("Per port", (self.folder / self.plot("s/s.h5", "--y", "per_port", "--out",
                                                           "b.svg").split()[1]).read_text())
        self.plot("s/s.h5", "--y", "accepted", "--errors", "bars", "--width", "double", "--out", "c.pdf")
        self.assertEqual((self.folder / "c.pdf").read_bytes()[:5], b"%PDF-")

    def test_means_over_seeds_are_those_of_the_points(self):
        frame = weft.load(self.folder / "s" / "s.h5")
        table = _sweep.means(frame)
        self.assertEqual(table.attrs["axes"], ["routing", LOAD])
        for _, row in table.iterrows():
            rows = frame[(frame["routing"] == row["routing"]) & (frame[LOAD] == row[LOAD])]
            self.assertEqual(row["seeds"], 2)
            self.assertAlmostEqual(row["latency_mean"], rows["latency_mean"].mean())
            # Student's t for one degree of freedom is 12.706.
            self.assertAlmostEqual(row["latency_mean_ci95"], 12.706 * abs(rows["latency_mean"].diff().iloc[1]) / 2,
                                   places=1)

    def test_cycles_are_shown_in_ns_where_they_have_a_length(self):
        self.assertIn("have no length", self.plot("s/s.h5", "--y", "latency_ns", "--out", "a.svg", code=2))
        self.assertIn("has no cycles", self.plot("s/s.h5", "--y", "accepted_ns", "--out", "a.svg", code=2))
        self.write("base.toml", (self.folder / "base.toml").read_text() + "[link]\nrate_gbps = 100\n")
        subprocess.run([WEFT, "sweep", "s.toml", "--rerun", "--progress", "never"], cwd=self.folder, check=True,
                       capture_output=True)
        self.plot("s/s.h5", "--y", "latency_ns", "--out", "a.svg")
        self.assertIn(">Mean latency (ns)</text>", (self.folder / "a.svg").read_text())
        result = weft.run({"topology": {"kind": "torus", "dims": [4, 4]}, "simulation.cycles": 1000,
                           "link.rate_gbps": 100}, out=self.folder / "r.h5")
        from weft.plot import __main__ as command

        frame, _ = command._data([str(self.folder / "r.h5")])
        name = command._column(frame, "p99_ns")
        self.assertAlmostEqual(frame[name][0], result.summary["latency.p99"] * result.summary["cycle_ns"])

    def test_errors_say_what_there_is(self):
        self.assertIn("did you mean 'latency_max'?", self.plot("s/s.h5", "--y", "latency_mix", "--out", "a.pdf",
                                                               code=2))
        self.assertIn("a.txt", self.plot("s/s.h5", "--out", "a.txt", code=2))
        self.assertIn("drawn alone", self.plot("s/s.h5", "s/s.h5", "--out", "a.pdf", code=2))
        self.write("python", "#!/bin/sh\necho no module named matplotlib >&2\nexit 1\n").chmod(0o755)
        os.environ["WEFT_PYTHON"] = str(self.folder / "python")
        self.addCleanup(os.environ.pop, "WEFT_PYTHON")
        self.assertIn("install python3-matplotlib", self.plot("s/s.h5", "--out", "a.pdf", code=5))


if __name__ == "__main__":
    unittest.main()
