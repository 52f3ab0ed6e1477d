#!/usr/bin/env python3
"""Pages in a headless Chromium: they are drawn without an error and without a network, series are switched off, axes
zoomed, units switched, figures exported, names of all kinds are inert, and nothing is wider than a narrow screen."""

import base64
import csv
import io
import json
import shutil
import subprocess
import sys
import tempfile
import unittest
import xml.etree.ElementTree as xml
from pathlib import Path

import harness
from browser import Browser, chromium, run_tests

HOSTILE = "</script><img src=x onerror='window.hacked=1'> \"é"
CONFIG = """format = 1
[topology]
kind = "torus"
dims = [4, 4]
[link]
rate_gbps = 32
[workload]
kind = "synthetic"
pattern = "uniform"
offered_load = 0.2
[measure]
warmup_cycles = 500
batches = 3
batch_cycles = 300
intervals = 2
interval_cycles = 200
[statistics]
series_cycles = 50
distances = true
occupancy_cycles = 50
ports = true
pairs = true
"""
SWEEP = """format = 1
[sweep]
base = "net.toml"
[[sweep.axis]]
key = "workload.offered_load"
values = [0.1, 0.3]
"""
JOBS = """format = 1
[topology]
kind = "torus"
dims = [4, 4]
[[job]]
name = "stencil"
workload = { kind = "collective", name = "allreduce", tasks = 8, message_bytes = 4096 }
[[job]]
name = "-noise"
workload = { kind = "collective", name = "broadcast", tasks = 8, message_bytes = 4096 }
"""
FLAPPING = """format = 1
topology = {kind = "torus", dims = [4, 4]}
workload = {kind = "synthetic", pattern = "uniform", offered_load = 0.2}
simulation = {cycles = 2000}
statistics = {series_cycles = 50}
faults = {event = "500cycles link r0:0 down; 800cycles router 3 down; 900cycles link r0:0 up; 1200cycles link r5:0 error 0.1"}
"""


def setUpModule():
    global folder, browser
    folder = Path(tempfile.mkdtemp(prefix="weft-pages-"))
    (folder / "points").mkdir()
    (folder / "net.toml").write_text(CONFIG, encoding="utf-8")
    (folder / "jobs.toml").write_text(JOBS, encoding="utf-8")
    runs = []
    for number, load in enumerate((0.2, 0.5, 0.95)):
        for routing in ("oblivious", "shortest"):
            runs.append(f"{routing}-{number}.h5" if number else f"{routing}.h5")
            weft("run", "net.toml", "--set", f"workload.offered_load={load}", "--set", f"router.routing={routing}",
                 "-q", "--out", runs[-1])
    weft("run", "jobs.toml", "-q", "--out", "jobs.h5")
    (folder / "flapping.toml").write_text(FLAPPING, encoding="utf-8")
    weft("run", "flapping.toml", "-q", "--out", "flapping.h5")
    weft("report", "flapping.h5", "--out", "flapping.html")
    # A name of a file has no slash; a path has, and is the name of runs whose files are called alike.
    hostile = [f"{HOSTILE.replace('/', '∕')}.h5", "a<b>/run.h5", "</script><b>bold</b>/run.h5", "=1+1.h5"]
    for name in hostile:
        (folder / name).parent.mkdir(parents=True, exist_ok=True)
        shutil.copy(folder / "jobs.h5", folder / name)
    weft("report", *runs, "--out", "many.html")
    weft("report", runs[0], "--out", "one.html")
    weft("report", "jobs.h5", *hostile, "--out", "hostile.html")
    weft("fabric", "report", harness.ROOT / "tests" / "data" / "fabrics" / "dfly-4-2-2" / "ibnetdiscover.txt",
         "--count", "50", "--out",
         "fabric.html", code=None)
    leaves = harness.ROOT / "tests" / "data" / "fabrics" / "leaves-4-2"
    weft("fabric", "report", leaves / "iblinkinfo.txt", "--count", "50", "--out", "counters.html", "--counters", leaves
         / "perfquery-after.txt.xz",
         "--counters-before", leaves / "perfquery-before.txt.xz", "--seconds", "10")
    weft("fabric", "what-if", leaves / "ibnetdiscover.txt", "--each-link", "--count", "50", "--out", "losses.html")
    weft("fabric", "what-if", leaves / "ibnetdiscover.txt", "--without", "spine2", "--count", "50", "--out",
         "what-if.html")
    weft("fabric", "compare", leaves / "ibnetdiscover.txt", "net.toml", "--count", "50", "--out", "compare.html")
    (folder / "loads.toml").write_text(SWEEP, encoding="utf-8")
    weft("sweep", "loads.toml", "--progress", "never")
    weft("fabric", "ebb", "net.toml", "--count", "50", "--out", "ebb.h5")
    weft("report", runs[0], "loads/loads.h5", "ebb.h5", "--out", "mixed.html")
    weft("trace", "stats", harness.IS_TRACE, "--out", "stats.html")
    browser = Browser()


def tearDownModule():
    browser.close()
    shutil.rmtree(folder)


def weft(*words, code=0):
    done = subprocess.run([harness.weft(), *map(str, words)], cwd=folder, capture_output=True, text=True, check=False)
    assert code is None or done.returncode == code, done.stderr
    return done.stdout


# Figures by their titles; what their buttons save is kept.
SCRIPT = """
window.figureOf = (title) => [...document.querySelectorAll('figure')].find((f) => f.getAttribute('aria-label') === title);
window.curvesOf = (title) => figureOf(title).querySelector('.figure-body').curves;
window.saved = [];
URL.createObjectURL = (blob) => { saved.push(blob); return 'data:,'; };
HTMLAnchorElement.prototype.click = () => {};
"""


class Pages(unittest.TestCase):
    def setUp(self):
        browser.size(1280)
        browser.dark(False)
        browser.errors.clear()
        browser.requests.clear()

    def tearDown(self):
        self.assertEqual(browser.errors, [])
        self.assertEqual([url for url in browser.requests if not url.startswith(("file:", "data:", "blob:"))], [])

    def open(self, name):
        browser.open(folder / name)
        browser.run(SCRIPT)
        self.assertEqual(browser.run("document.querySelectorAll('.not-drawn').length"), 0,
                         "figures that were not drawn")

    def scroll_to(self, title):
        """The middle of a plot, after it was scrolled into sight: x, y, width, height."""
        return browser.run(f"""(() => {{
            document.documentElement.style.scrollBehavior = 'auto';
            const over = figureOf({json.dumps(title)}).querySelector('.u-over');
            over.scrollIntoView({{block: 'center'}});
            const box = over.getBoundingClientRect();
            return [box.x, box.y, box.width, box.height];
        }})()""")

    def test_every_page_is_drawn_at_every_width_light_dark_and_on_paper(self):
        for name in ("one.html", "many.html", "hostile.html", "mixed.html", "fabric.html", "counters.html",
                     "losses.html", "what-if.html",
                     "compare.html", "stats.html"):
            with self.subTest(name):
                self.open(name)
                for width in (1280, 420):
                    browser.size(width)
                    browser.run("new Promise((done) => requestAnimationFrame(() => requestAnimationFrame(done)))")
                    wide = browser.run("[document.documentElement.scrollWidth, document.documentElement.clientWidth]")
                    self.assertLessEqual(wide[0], wide[1], f"{name} scrolls to the side at {width}")
        browser.dark(True)
        browser.call("Emulation.setEmulatedMedia", media="print")
        self.assertEqual(browser.run("getComputedStyle(document.querySelector('header')).display"), "none")
        browser.call("Emulation.setEmulatedMedia", media="")

    def test_a_series_is_switched_off_alone_and_on_again(self):
        self.open("many.html")
        shown = "curvesOf('Mean latency').all.map((one) => one.shown)"
        self.assertEqual(browser.run(shown), [True, True])
        button = "figureOf('Mean latency').querySelectorAll('.legend button')[0]"
        browser.run(f"{button}.click()")
        self.assertEqual(browser.run(shown), [False, True])
        self.assertEqual(browser.run(f"{button}.getAttribute('aria-pressed')"), "false")
        browser.run(f"{button}.click()")
        browser.run(f"{button}.dispatchEvent(new MouseEvent('dblclick'))")
        self.assertEqual(browser.run(shown), [True, False])
        browser.run(f"{button}.dispatchEvent(new MouseEvent('dblclick'))")
        self.assertEqual(browser.run(shown), [True, True])

    def test_dragging_zooms_and_a_double_click_shows_all(self):
        self.open("many.html")
        scales = "Object.values(curvesOf('Accepted load').plot.scales).map((s) => [s.min, s.max])"
        whole = browser.run(scales)
        x, y, width, height = self.scroll_to("Accepted load")
        browser.drag(x + width * 0.25, y + height / 2, x + width * 0.75, y + height / 2)
        zoomed = browser.run(scales)
        self.assertAlmostEqual(zoomed[0][1] - zoomed[0][0], (whole[0][1] - whole[0][0]) / 2, delta=0.02 * whole[0][1])
        self.assertFalse(browser.run("figureOf('Accepted load').querySelector('[data-reset]').hidden"))
        browser.click(x + width / 2, y + height / 2, times=2)
        self.assertEqual(browser.run(scales), whole)
        self.assertTrue(browser.run("figureOf('Accepted load').querySelector('[data-reset]').hidden"))

    def test_what_is_under_the_pointer_is_said_and_a_click_follows_the_series(self):
        self.open("many.html")
        self.scroll_to("Accepted load")
        place = browser.run("""(() => { const c = curvesOf('Accepted load'), box = c.plot.over.getBoundingClientRect();
            return [box.x + c.plot.valToPos(c.all[0].xs[1], 'x'), box.y + c.plot.valToPos(c.all[0].ys[1], 'y')]; })()""")
        browser.mouse("mouseMoved", place[0] - 30, place[1])
        browser.mouse("mouseMoved", *place)
        tip = browser.run("figureOf('Accepted load').querySelector('.tip').innerText")
        self.assertRegex(tip,
                         r"(oblivious|shortest)\noffered load: 2 GB/s per node\naccepted load: [12]\.\d+ GB/s per node")
        browser.click(*place)
        selected = browser.run("weft.selected")
        self.assertIn(selected, ("oblivious", "shortest"))
        self.assertEqual(browser.run("curvesOf('Mean latency').all.filter((one) => curvesOf('Mean "
                                     "latency').faded(one)).length"), 1)
        browser.key("Escape")
        self.assertIsNone(browser.run("weft.selected"))

    def test_units_are_switched_in_place(self):
        # A phit of 4 bytes takes a nanosecond at 32 Gbit/s.
        self.open("many.html")
        first = "curvesOf('Mean latency').label(curvesOf('Mean latency').spec.y)"
        load = ("[curvesOf('Accepted load').label(curvesOf('Accepted load').spec.y), curvesOf('Accepted "
                "load').all[0].ys[0]]")
        self.assertEqual(browser.run(first), "latency from generation, ns")
        label, gigabytes = browser.run(load)
        self.assertEqual(label, "accepted load, GB/s per node")
        for unit in ("cycles", "phits"):
            browser.run(f"document.querySelector('[data-unit={unit}]').click()")
        self.assertEqual(browser.run(first), "latency from generation, cycles")
        label, phits = browser.run(load)
        self.assertEqual(label, "accepted load, phits/node/cycle")
        self.assertAlmostEqual(gigabytes, 4 * phits, places=9)
        self.assertIn("offered, phits/node/cycle", browser.run("document.querySelector('#runs thead').innerText"))

    def test_failures_and_repairs_are_drawn_into_what_happened_over_time(self):
        self.open("flapping.html")
        curves = "curvesOf('Load, finely')"
        self.assertEqual(browser.run(f"{curves}.lines.map((line) => [line.x, line.label])"),
                         [[500, "link r0:0 down"], [800, "router 3 down"], [900, "link r0:0 up"],
                          [1200, "link r5:0 error 0.1"]])
        self.assertEqual(browser.run(f"{curves}.bands.map((band) => [band.from, band.to, band.label])"),
                         [[500, 900, "link r0:0 down"], [800, 2000, "router 3 down"]])
        drawn = self.saved("Load, finely", "svg").decode()
        for text in ("link r0:0 down", "router 3 down", "link r0:0 up", "link r5:0 error 0.1"):
            self.assertIn(text, drawn)
        # Where both do not work the shade is twice as dark: each is a rectangle of its own, as wide as its time.
        boxes = xml.fromstring(drawn).iter("{http://www.w3.org/2000/svg}rect")
        widths = sorted(float(one.get("width")) for one in boxes
                        if one.get("opacity", one.get("fill-opacity")) == "0.12")
        self.assertEqual(len(widths), 2)
        self.assertAlmostEqual(widths[1] / widths[0], 1200 / 400, delta=0.02)
        self.open("one.html")
        self.assertEqual(browser.run(f"{curves}.lines.length"), 0)

    def test_axes_become_logarithmic_and_figures_answer_to_keys(self):
        self.open("one.html")
        browser.run("figureOf('Load over time').querySelector('.plot').focus()")
        browser.key("ArrowRight")
        browser.key("ArrowRight")
        self.assertIn("time: ", browser.run("figureOf('Load over time').querySelector('.tip').innerText"))
        browser.key("y")
        self.assertEqual(browser.run("curvesOf('Load over time').plot.scales.y.distr"), 3)
        before = browser.run("curvesOf('Load over time').plot.scales.x.max - curvesOf('Load over "
                             "time').plot.scales.x.min")
        browser.key("+")
        after = browser.run("curvesOf('Load over time').plot.scales.x.max - curvesOf('Load over "
                            "time').plot.scales.x.min")
        self.assertAlmostEqual(after, before / 2, delta=before / 100)
        browser.key("t")
        self.assertEqual(browser.run("document.documentElement.dataset.theme"), "dark")

    def saved(self, title, kind):
        browser.run(f"saved.length = 0; figureOf({json.dumps(title)}).querySelector('[data-export={kind}]').click()")
        browser.wait("saved.length === 1")
        text = browser.run("""new Promise((done) => { const reader = new FileReader();
            reader.onload = () => done(reader.result); reader.readAsDataURL(saved[0]); })""")
        return base64.b64decode(text.split(",", 1)[1])

    def test_figures_are_saved_as_png_svg_and_csv(self):
        self.open("many.html")
        for title in ("Mean latency", "How long packets took", "Latency over accepted load"):
            with self.subTest(title):
                self.assertEqual(self.saved(title, "png")[:8], b"\x89PNG\r\n\x1a\n")
                root = xml.fromstring(self.saved(title, "svg"))
                texts = [element.text for element in root.iter("{http://www.w3.org/2000/svg}text")]
                self.assertIn(title, texts)
                self.assertIn("shortest", " ".join(text or "" for text in texts))
                self.assertGreater(len(list(root.iter("{http://www.w3.org/2000/svg}polyline"))), 4)
        rows = list(csv.reader(io.StringIO(self.saved("Mean latency", "csv").decode())))
        self.assertEqual(rows[0][:3], ["series", "offered load, GB/s per node", "latency from generation, ns"])
        self.assertEqual(len(rows), 7)
        self.assertEqual([row[5] for row in rows[1:]], ["no", "no", "yes"] * 2, "saturated")

    def test_tables_are_sorted_and_filtered(self):
        self.open("many.html")
        column = "[...document.querySelectorAll('#runs tbody tr')].map((row) => row.cells[0].innerText.trim())"
        before = browser.run(column)
        self.assertEqual(len(before), 6)
        for _ in range(2):
            browser.run("[...document.querySelectorAll('#runs th button')].at(-1).click()")
        values = browser.run("[...document.querySelectorAll('#runs tbody tr')].map((row) => "
                             "parseFloat(row.cells[row.cells.length - 1].innerText.replace(/,/g, '')))")
        self.assertEqual(values, sorted(values, reverse=True))
        self.assertIn("saturated", browser.run("document.querySelector('.top').innerText"))

    def test_hosts_and_switches_are_found_and_their_routes_shown(self):
        net = harness.ROOT / "tests" / "data" / "fabrics" / "leaves-4-2" / "iblinkinfo.txt"
        weft("fabric", "route", net, "--engine", "minhop", "--out", "minhop.lfts")
        hops = weft("fabric", "paths", net, "node1", "node16", "--tables", "minhop.lfts").splitlines()[1:]
        self.open("counters.html")

        def search(*words):
            return browser.run(f"""(() => {{
                const figure = document.querySelector('figure.kind-fabric');
                const fields = [...figure.querySelectorAll('.fabric-search input')];
                {json.dumps(words)}.forEach((word, k) => {{ fields[k].value = word; fields[k].dispatchEvent(new Event('input')); }});
                return [figure.querySelector('output').innerText, figure.querySelectorAll('.link.on').length,
                        [...figure.querySelectorAll('rect.on')].map((r) => r.querySelector('title').textContent.split(':')[0]).sort()];
            }})()""")

        answer, links, switches = search("node1", "node16")
        senders = [hop.split(" -> ")[0].split(None, 1)[1] for hop in hops]
        self.assertEqual(answer.split(" → "), [*senders, "node16"])
        self.assertEqual((links, len(switches)), (2, 3))
        self.assertEqual(search("spine1", "")[1:], [4, ["leaf1", "leaf2", "leaf3", "leaf4", "spine1"]])
        answer, links, switches = search("NODE2", "")
        self.assertIn("node2: at leaf1", answer)
        self.assertGreaterEqual(links, 4)
        self.assertEqual(search("no such name", ""), ["There is no host and no switch of this name.", 0, []])
        self.assertEqual(search("", ""), ["", 0, []])

    def test_names_are_inert(self):
        self.open("hostile.html")
        self.assertIsNone(browser.run("window.hacked"))
        self.assertEqual(browser.run("document.querySelectorAll('img, main b:not(.tile b):not(.tip b)').length"), 0)
        for section in ("what", "jobs"):
            text = browser.run(f"document.querySelector('#{section}').innerText")
            self.assertIn("</script><b>bold</b>/run.h5", text)
            self.assertIn("onerror='window.hacked=1'", text)
        saved = self.saved("Duration of jobs", "csv").decode()
        self.assertIn("'=1+1,", saved, "no formula")
        xml.fromstring(self.saved("Duration of jobs", "svg"))


if __name__ == "__main__":
    if chromium() is None:
        print("skipped: there is no chromium (tools/packages.txt names it as optional)")
        sys.exit(77)
    run_tests()
