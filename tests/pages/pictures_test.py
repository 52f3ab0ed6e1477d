"""The large figures of reports in a headless Chromium: links on a drawing of the network, timelines, maps of traffic.
What they say is compared with the tables of the results, read by h5py.

Environment: WEFT_BINARY is the program."""

import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

import browser
import harness
import made_results
from made_results import h5py, np

WEFT = harness.weft()
HOSTILE = '<img src=x onerror="window.struck=1">\u202e&quot;'
CONFIG = """format = 1
[topology]
kind = "torus"
dims = [6, 5, 3]
[workload]
pattern = "hot-region"
offered_load = 0.2
[simulation]
cycles = 400
[statistics]
ports = true
pairs = true
"""
OF = "document.querySelector('figure.kind-{} .figure-body').figure"


class Pictures(unittest.TestCase):
    """One page with all three figures, one browser: a start takes a second."""

    @classmethod
    def setUpClass(cls):
        folder = tempfile.TemporaryDirectory(prefix="weft-pictures-")
        cls.addClassCleanup(folder.cleanup)
        cls.folder = Path(folder.name)
        (cls.folder / "small.toml").write_text(CONFIG)
        cls.weft("run", "small.toml", "--out", "small.h5")
        cls.timeline = made_results.with_timeline(cls.folder / "small.h5", cls.folder / "all.h5", 12, 90,
                                                  ["compute", HOSTILE, "wait", "all"])
        cls.weft("report", "all.h5", "--out", "all.html")
        with h5py.File(cls.folder / "small.h5") as file:
            cls.ports = {name: values[:] for name, values in file["ports"].items()}
            cls.pairs = {name: values[:] for name, values in file["pairs"].items()}
        cls.page = browser.Browser(1200, 900)
        cls.addClassCleanup(cls.page.close)
        cls.page.size(1200, 900)
        cls.page.open(cls.folder / "all.html")

    @classmethod
    def weft(cls, *arguments):
        subprocess.run([WEFT, *arguments], cwd=cls.folder, check=True, capture_output=True, timeout=60)

    def tearDown(self):
        self.assertEqual(self.page.errors, [])
        self.assertEqual([url for url in self.page.requests if not url.startswith(("file:", "data:", "blob:"))], [])

    def figure(self, kind, script):
        return self.page.run(f"(f => {{ {script} }})({OF.format(kind)})")

    def at(self, kind, point):
        """Where a point of a figure's canvas (a list that a script gives) is in the window."""
        return self.figure(kind,
                           f"""f.stage.canvas.scrollIntoView({{block: "center", behavior: "instant"}}); f.stage.reset(); f.stage.paint();
            const [x, y] = {point}, box = f.stage.canvas.getBoundingClientRect(); return [box.x + x, box.y + y];""")

    def tip(self, kind):
        return self.figure(kind, "return f.stage.tip.hidden ? '' : f.stage.tip.innerText")

    def load_of(self, router):
        """Utilisation by port, [port]."""
        mine = self.ports["router"] == router
        loads = np.zeros(6)
        np.add.at(loads, self.ports["port"][mine].astype(int), self.ports["utilisation"][mine])
        return loads

    def test_a_router_that_is_clicked_shows_its_ports_and_channels(self):
        x, y = self.at("topology", "f.stage.to_screen(f.model.x[37], f.model.y[37])")
        self.page.mouse("mouseMoved", x, y)
        self.assertIn("router 37, at (1, 1, 1)", self.tip("topology"))
        self.page.click(x, y)
        rows = self.page.run("[...document.querySelectorAll('.weft-details tbody tr')].map(r => [...r.cells].map(c => "
                             "c.innerText.trim()))")
        heads = self.page.run("[...document.querySelectorAll('.weft-details thead th')].map(c => c.innerText)")
        loads = self.load_of(37)
        self.assertEqual([row[0] for row in rows], [f"dimension {d}{way}" for d in range(3) for way in "+-"])
        self.assertEqual([row[1] for row in rows], [f"router {r}" for r in (38, 36, 43, 31, 67, 7)])
        # Back over each link: what the neighbour's opposite port sends.
        back = [self.load_of(r)[port ^ 1] for port, r in enumerate((38, 36, 43, 31, 67, 7))]
        for row, load, other in zip(rows, loads, back):
            self.assertAlmostEqual(float(row[2].split()[0]), 100 * load, delta=0.06)
            self.assertAlmostEqual(float(row[3].split()[0]), 100 * other, delta=0.06)
        for column, head in enumerate(heads):
            if not head.startswith("VC "):
                continue
            for port, row in enumerate(rows):
                mine = (self.ports["router"] == 37) & (self.ports["port"] == port) & (self.ports["channel"]
                        == int(head[3:]))
                self.assertEqual(int(row[column].replace("–", "0")), self.ports["packets"][mine].sum())
        self.page.key("Escape")
        self.assertEqual(self.figure("topology", "return f.state.picked"), -1)

    def test_the_most_loaded_links_are_those_of_the_result(self):
        loads = np.concatenate([self.load_of(r) for r in range(90)])
        listed = self.figure("topology",
                             "return f.model.busiest(20).map(l => [f.model.owner[l], f.model.peer[l], f.model.load[l], "
                             "f.model.packets[l]])")
        self.assertEqual(len(listed), 20)
        for (router, _, load, _), expected in zip(listed, np.sort(loads)[::-1]):
            self.assertAlmostEqual(load, expected, places=4)
            self.assertLess(np.abs(self.load_of(router) - load).min(), 1e-4)
        self.assertAlmostEqual(self.figure("topology", "return f.model.mean"), loads.mean(), places=4)
        shown = self.page.run("document.querySelector('figure.kind-topology .weft-busiest li').innerText")
        self.assertIn(f"router {listed[0][0]}, dimension", shown)
        self.page.run("document.querySelector('figure.kind-topology .weft-busiest button').click()")
        self.assertEqual(self.figure("topology", "return f.state.picked"), listed[0][0])

    def test_wheel_and_keys_zoom_and_move(self):
        for kind in ("topology", "timeline", "matrix"):
            with self.subTest(kind=kind):
                x, y = self.at(kind, "[f.stage.width * 0.6, f.stage.height * 0.5]")
                before = self.figure(kind,
                                     "return [f.stage.kx, f.stage.to_world(f.stage.width * 0.6, f.stage.height * 0.5)]")
                # A wheel that turns while the page scrolls is the page's.
                self.page.wait("(window.rested = window.rested || performance.now()) && performance.now() - "
                               "window.rested > 300")
                self.page.run("delete window.rested")
                self.page.call("Input.dispatchMouseEvent", type="mouseWheel", x=x, y=y, deltaX=0, deltaY=-300)
                self.page.wait(f"{OF.format(kind)}.stage.kx > {1.5 * before[0]}")
                after = self.figure(kind, "return f.stage.to_world(f.stage.width * 0.6, f.stage.height * 0.5)")
                self.assertAlmostEqual(after[0], before[1][0], delta=2 / before[0])
                self.figure(kind, "f.stage.canvas.focus()")
                left = self.figure(kind, "return f.stage.x")
                self.page.key("ArrowRight")
                self.assertLess(self.figure(kind, "return f.stage.x"), left)
                self.page.key("0")
                self.assertEqual(self.figure(kind, "return f.stage.kx"), before[0])

    def test_shares_of_a_window_are_those_of_the_records(self):
        t = self.timeline
        for first, last, begin, end in ((0, 12, 0, t["end"].max()), (3, 5, 4_000, 9_000), (7, 8, 1_234, 1_300)):
            self.figure("timeline", f"f.stage.show({begin}, {first}, {end}, {last}); f.stage.paint();")
            shown = self.figure("timeline",
                                "const s = f.view.sums; return [f.view.shares, s.from, s.to, s.first, s.last]")
            shares, begin, end, first, last = shown
            seen = (t["task"] >= first) & (t["task"] < last)
            time = np.clip(np.minimum(t["end"], end) - np.maximum(t["begin"], begin), 0, None)
            for activity, share in enumerate(shares):
                expected = time[seen & (t["activity"] == activity)].sum() / ((end - begin) * (last - first))
                self.assertAlmostEqual(share, expected, places=5)

    def test_a_record_under_the_pointer_is_named_and_hostile_names_are_texts(self):
        t = self.timeline
        ix = int(np.flatnonzero((t["task"] == 4) & (t["activity"] == 1))[5])
        begin, end = t["begin"][ix], t["end"][ix]
        self.at("timeline", "[0, 0]")
        self.figure("timeline", f"f.stage.show({begin - 50}, 3, {end + 50}, 6); f.stage.paint();")
        x, y = self.figure("timeline",
                           f"const [x, y] = f.stage.to_screen({(begin + end) / 2}, 4.5), box = "
                           f"f.stage.canvas.getBoundingClientRect(); return [box.x + x, box.y + y]")
        self.page.mouse("mouseMoved", x, y)
        lines = self.tip("timeline").split("\n")
        self.assertEqual(lines[0], "task 4")
        self.assertEqual(lines[1], HOSTILE)
        self.assertEqual(lines[2], f"for {end - begin:,.0f} cycles")
        self.assertEqual(lines[3], f"from {begin:,.0f} cycles to {end:,.0f} cycles")
        self.assertIn(HOSTILE,
                      self.figure("timeline",
                                  "return f.stage.svg('t', () => {}, 20) && "
                                  "document.querySelector('figure.kind-timeline').textContent"))
        self.assertNotIn("<img", self.figure("timeline", "return f.stage.svg('<img>', () => {}, 20)"))
        self.assertIsNone(self.page.run("window.struck || null"))
        # A toggle takes an activity out of the picture, not out of the shares.
        self.page.run("document.querySelectorAll('figure.kind-timeline .weft-shares button')[1].click()")
        self.assertEqual(self.figure("timeline", "return [...f.state.hidden]"), [1])
        self.page.run("document.querySelectorAll('figure.kind-timeline .weft-shares button')[1].click()")

    def test_a_drag_over_the_timeline_zooms_to_what_was_dragged_over(self):
        x, y = self.at("timeline", "[f.stage.padding.left + 100, 40]")
        expected = self.figure("timeline",
                               "return [100, 300].map(px => f.stage.to_world(f.stage.padding.left + px, 0)[0])")
        self.page.drag(x, y, x + 200, y + 5)
        seen = self.figure("timeline", "return [f.stage.seen()[0], f.stage.seen()[2]]")
        for value, wanted in zip(seen, expected):
            self.assertAlmostEqual(value, wanted, delta=0.02 * (expected[1] - expected[0]))

    def test_the_map_has_the_packets_of_the_result(self):
        p = self.pairs
        total = int(p["packets"].sum())
        self.assertIn(f"{len(p['source']):,} of 8,100 pairs; together {total:,} packets",
                      self.page.run("document.querySelector('figure.kind-matrix').innerText"))
        sums = self.figure("matrix", "const s = f.model.sums_of(0); return [[...s.sent], [...s.got]]")
        for name, shown in zip(("source", "destination"), sums):
            self.assertEqual(shown, np.bincount(p[name].astype(int), p["packets"], 90).tolist())
        # Squares of 8 by 8, each with what is in it.
        squares = self.figure("matrix", "return [...f.model.squares(0, 8, 0, 0, 12, 12).sum]")
        expected = np.zeros((12, 12))
        np.add.at(expected, (p["source"].astype(int) // 8, p["destination"].astype(int) // 8), p["packets"])
        self.assertEqual(squares, expected.reshape(-1).tolist())
        most = int(np.argmax(p["packets"]))
        x, y = self.at("matrix",
                       f"f.stage.to_screen({int(p['destination'][most])} + 0.5, {int(p['source'][most])} + 0.5)")
        self.page.mouse("mouseMoved", x, y)
        self.assertIn(f"node {p['source'][most]} → node {p['destination'][most]}\n{p['packets'][most]} packets",
                      self.tip("matrix"))

    def test_exports_are_files_of_their_kind(self):
        for kind, rows in (("topology", 90 * 6), ("timeline", 12 * 90), ("matrix", len(self.pairs["source"]))):
            with self.subTest(kind=kind):
                self.at(kind, "[0, 0]")
                self.page.run("window.kept = []; URL.createObjectURL = (blob) => (window.kept.push(blob), 'data:,')")
                for way in ("png", "svg", "csv"):
                    self.page.run(f"document.querySelector('figure.kind-{kind} [data-export={way}]').click()")
                self.page.wait("window.kept.length === 3")
                texts = self.page.run("Promise.all(window.kept.sort((a, b) => (a.type < b.type ? -1 : 1)).map((b) => "
                                      "b.text()))")
                self.assertEqual(texts[0][1:4], "PNG")
                self.assertTrue(texts[1].startswith("<svg xmlns") and texts[1].rstrip().endswith("</svg>"))
                self.assertEqual(texts[2].count("\n"), rows + 1)

    def test_themes_and_narrow_screens(self):
        dark = self.page.run("getComputedStyle(document.body).backgroundColor")
        for kind in ("topology", "timeline", "matrix"):
            before = self.figure(kind, "f.stage.paint(); return f.stage.canvas.toDataURL()")
            self.page.run("document.getElementById('theme').click()")
            self.assertNotEqual(self.figure(kind, "f.stage.paint(); return f.stage.canvas.toDataURL()"), before)
            self.page.run("document.getElementById('theme').click()")
        self.page.size(420, 900)
        self.page.wait(f"{OF.format('topology')}.stage.width < 420")
        self.assertEqual(self.page.run("document.documentElement.scrollWidth"), 420)
        self.page.size(1200, 900)
        self.assertEqual(self.page.run("getComputedStyle(document.body).backgroundColor"), dark)


class Tiles(unittest.TestCase):
    def test_what_cannot_be_told_apart_is_added_up(self):
        with tempfile.TemporaryDirectory(prefix="weft-tiles-") as name, browser.Browser(1000, 800) as page:
            folder = Path(name)
            (folder / "small.toml").write_text(CONFIG)
            run = lambda *arguments: subprocess.run([WEFT, *arguments], cwd=folder, check=True, capture_output=True,
                                                    timeout=60)
            run("run", "small.toml", "--out", "small.h5")
            table = made_results.with_links(folder / "small.h5", folder / "large.h5", [40, 30, 20], 1)
            run("report", "large.h5", "--out", "large.html")
            page.open(folder / "large.html")
            loads = table["utilisation"].reshape(24000, 6)
            of = OF.format("topology")
            self.assertTrue(page.run(f"{of}.stage.reset(), {of}.stage.paint(), {of}.view.tiled"))
            tiles = page.run(f"(t => [[...t.count], [...t.value], t.size])({of}.view.tiles)")
            count, mean = np.array(tiles[0]), np.array(tiles[1])
            self.assertEqual(count.sum(), 24000)
            self.assertAlmostEqual((count * mean).sum() / 24000, loads.mean(), places=4)
            most = page.run(f"Math.max(...{of}.model.tiles({of}.stage.seen(), {tiles[2]}, true).value)")
            self.assertAlmostEqual(most, loads.max(), places=4)
            # Nearer, routers and links are there one by one.
            page.run(f"{of}.go(2345)")
            page.wait(f"!{of}.view.tiled && {of}.view.shown_routers.includes(2345)")
            self.assertEqual(page.run(f"{of}.model.router_name(2345) + ' ' + {of}.model.place_name(2345)"),
                             "router 2345 at (25, 28, 1)")
            self.assertEqual(page.errors, [])


class Lanes(unittest.TestCase):
    """A step of training: ten activities, several lanes of each of 64 tasks."""

    def test_activities_are_told_apart_lanes_stay_with_their_tasks_and_labels_have_space(self):
        with tempfile.TemporaryDirectory(prefix="weft-pictures-") as name, browser.Browser(1200, 900) as page:
            example = harness.ROOT / "examples" / "training-175b.toml"
            less = [word for key in ("topology.nodes=8", "workload.pipeline=4", "workload.layers=16",
                                     "workload.batch=16", "statistics.timeline_tasks=all")
                    for word in ("--set", key)]  # fmt: skip
            for command in (["run", example, *less, "--quiet", "--out", "x.h5"], ["report", "x.h5", "--out", "x.html"]):
                subprocess.run([WEFT, *command], cwd=name, check=True, capture_output=True, timeout=60)
            page.size(1200, 900)
            page.open(Path(name) / "x.html")
            of = OF.format("timeline")
            colours = page.run(f"""return (f => {{ const made = document.createElement('canvas').getContext('2d');
                return f.view.list.map((one) => {{ made.fillStyle = one; made.fillRect(0, 0, 1, 1); return [...made.getImageData(0, 0, 1, 1).data.slice(0, 3)]; }});
                }})({of})""".removeprefix("return "))  # fmt: skip
            self.assertEqual(len(colours), 10)
            # Of none the hue is that of another with white in it, as far as an eye can tell.
            shades = [[255 - part for part in colour] for colour in colours]
            for ix, one in enumerate(shades):
                for other in shades[:ix]:
                    scale = sum(a * b for a, b in zip(one, other)) / sum(b * b for b in other)
                    apart = sum((a - scale * b) ** 2 for a, b in zip(one, other)) ** 0.5
                    self.assertGreater(apart, 15, (one, other))
            bins, tasks = page.run(f"(f => {{ f.stage.paint(); return [f.view.sums.bins, [...f.model.task]]; }})({of})")
            self.assertEqual((bins[0], bins[-1]), (0, len(tasks)))
            self.assertLess(len(bins), len(tasks))
            for row in bins[1:-1]:
                self.assertNotEqual(tasks[row], tasks[row - 1])
            # Long figures on a narrow page.
            labels = page.run(f"""(f => {{ const at = [], painter = {{ ...Object.fromEntries(['beginPath', 'moveTo', 'lineTo', 'stroke'].map((name) => [name, () => 0])),
                measureText: (text) => ({{ width: 6.5 * text.length }}), fillText: (text, x, y) => at.push([text, x, y]) }};
                const wide = f.stage.width; f.stage.width = 460; f.view.axes(painter, f.stage, f.stage.theme, 0, 1); f.stage.width = wide; return at; }})({of})""")
            scale = sorted((x, 6.5 * len(text)) for text, x, y in labels if text.replace(",", "").isdigit() and y > 100)
            self.assertGreater(len(scale), 1)
            for (x, wide), (after, next_wide) in zip(scale, scale[1:]):
                self.assertLessEqual(x + wide / 2, after - next_wide / 2)
            self.assertEqual(page.errors, [])


class Explained(unittest.TestCase):
    """The timeline of weft explain: for whom a task waits, and the critical path."""

    TRACE = "c 0 5000\ns 0 1 7 100\nr 0 1 7 100\nc 1 3000\n"
    IDEAL = ('format = 1\ntopology = {kind = "ideal", nodes = 2}\nideal = {latency_ns = 1000, overhead_ns = 10, '
             'byte_gap_ns = 0}\n'
             'workload = {kind = "trace", path = "x.trc"}\n')  # fmt: skip

    def test_waits_and_the_path(self):
        with tempfile.TemporaryDirectory(prefix="weft-pictures-") as name, browser.Browser(1200, 900) as page:
            folder = Path(name)
            (folder / "x.trc").write_text(self.TRACE)
            (folder / "ideal.toml").write_text(self.IDEAL)
            subprocess.run([WEFT, "explain", "ideal.toml", "--quiet", "--out", "x.html"], cwd=folder, check=True,
                           capture_output=True,
                           timeout=60)  # fmt: skip
            page.size(1200, 900)
            page.open(folder / "x.html")
            timeline = OF.format("timeline")
            self.assertEqual(page.run(f"(f => f.model.waits_for(f.model.record_at(1, 2000)))({timeline})"), "task 0")
            self.assertEqual(page.run(f"(f => f.model.waits_for(f.model.record_at(0, 2000)))({timeline})"), "")
            # It goes from task 0 to task 1 in the flight of the message: 1,010 ns.
            path = page.run(f"(({{model}}) => ['begin', 'end', 'from', 'task'].map((name) => "
                            f"Array.from(model.path[name])))({timeline})")
            self.assertEqual(path, [[0, 5000, 6010, 6020], [5000, 6010, 6020, 9020], [0, 0, 1, 1], [0, 1, 1, 1]])
            x, y = page.run(f"""(f => {{ f.stage.canvas.scrollIntoView({{block: "center", behavior: "instant"}}); f.stage.paint();
                const [x, y] = f.stage.to_screen(2000, 1.3), box = f.stage.canvas.getBoundingClientRect();
                return [box.x + x, box.y + y]; }})({timeline})""")  # fmt: skip
            page.mouse("mouseMoved", x, y)
            page.wait(f"(f => f.stage.tip.innerText.includes('late sender: waits for task 0'))({timeline})")
            # A click takes the path away.
            shown = page.run(f"""(f => {{ [...document.querySelectorAll('.weft-shares button')].find((b) => b.innerText === 'critical path').click();
                return f.state.path; }})({timeline})""")  # fmt: skip
            self.assertFalse(shown)
            self.assertEqual(page.errors, [])


if __name__ == "__main__":
    if browser.chromium() is None:
        print("skipped: there is no chromium (tools/packages.txt names it as optional)")
        sys.exit(77)
    browser.run_tests()
