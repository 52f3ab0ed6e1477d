"""What study extoll sends in place of the paper's traces: Graph500's collective operations, counted by hand; NAMD's
patches and who needs them; the traffic matrix in which each sender has an order of its own.

    tests/by-hand tests/studies/extoll_inputs_test.py"""

import lzma
import unittest
from collections import Counter
from pathlib import Path

import harness

FOLDER = harness.ROOT / "studies" / "extoll"
extoll_namd = harness.script(FOLDER / "extoll_namd.py")
extoll_zipf = harness.script(FOLDER / "extoll_zipf.py")
graph500 = harness.script(FOLDER / "graph500.py")


class Graph500(unittest.TestCase):
    def test_files_are_what_the_script_writes(self):
        for tasks in (256, 512, 1024):
            text = lzma.decompress((FOLDER / f"graph500-{tasks}.trc.xz").read_bytes()).decode()
            self.assertEqual(text.splitlines(), list(graph500.lines(tasks)))

    def test_a_level_is_a_reduction_a_gather_and_two_broadcasts(self):
        sent = [tuple(map(int, line.split()[1:])) for line in graph500.lines(8) if line.startswith("s")]
        taken = [tuple(map(int, line.split()[1:])) for line in graph500.lines(8) if line.startswith("r")]
        self.assertEqual(Counter(sent), Counter(taken))
        by_tag = {tag: sorted((a, b, size) for a, b, each, size in sent if each == tag) for tag in (1, 2, 3, 4)}
        # "the task 0 sends the broadcast message to the tasks 1, 2, 4 [...] the task 1 sends [it] to the tasks 3, 5"
        tree = [(0, 1), (0, 2), (0, 4), (1, 3), (1, 5), (2, 6), (3, 7)]
        self.assertEqual(by_tag[1], [(1, 0, 8), (2, 0, 8), (3, 2, 8), (4, 0, 8), (5, 4, 8), (6, 4, 8), (7, 6, 8)])
        self.assertEqual(by_tag[2], [(*pair, 8) for pair in tree])
        self.assertEqual(by_tag[3], [(task, 0, 2**20 // 8 // 8) for task in range(1, 8)])
        self.assertEqual(by_tag[4], [(*pair, 2**20 // 8) for pair in tree])


class Namd(unittest.TestCase):
    def test_boxes_are_divided_across_x_first_and_shared_out_evenly(self):
        # Four tasks are few for 4 x 2 x 1: where halves fit alike, y is before x; the halves are long for two tasks.
        self.assertEqual(list(extoll_namd.bisected((0, 0, 0), (4, 2, 1), 4)),
                         [((x, y, 0), (2, 1, 1)) for y in (0, 1) for x in (0, 2)])
        # Eight are not.
        self.assertEqual(list(extoll_namd.bisected((0, 0, 0), (4, 2, 1), 8)),
                         [((x, y, 0), (1, 1, 1)) for x in range(4) for y in (0, 1)])
        for tasks, least, most in ((256, 7, 12), (512, 3, 6), (1024, 2, 3)):
            home = extoll_namd.homes(tasks)
            self.assertEqual(len(home), 13**3)
            patches = Counter(home.values())
            self.assertEqual((len(patches), min(patches.values()), max(patches.values())), (tasks, least, most))

    def test_a_patch_goes_to_the_homes_of_its_lower_corners(self):
        home = extoll_namd.homes(1024)
        sent = [(task, other) for patch, task, other in extoll_namd.copies(1024) if patch == 0]  # at (0, 0, 0)
        corners = [home[x, y, z] for x in (0, 12) for y in (0, 12) for z in (0, 12)]
        self.assertEqual(sent, [(corners[0], other) for other in sorted(set(corners) - {corners[0]})])

    def test_positions_go_and_forces_come_back(self):
        sent, taken = Counter(), Counter()
        for line in extoll_namd.lines(256):
            what, source, to, tag, size = line.split()
            (sent if what == "s" else taken)[int(source), int(to), int(tag)] += 1
            self.assertEqual(int(size), 485 * 24)
        self.assertEqual(sent, taken)
        back = {(to, source, tag - 2197) for source, to, tag in sent if tag >= 2197}
        self.assertEqual(back, {each for each in sent if each[2] < 2197})


class OwnOrders(unittest.TestCase):
    def test_all_elements_are_wanted_alike(self):
        path = Path(extoll_zipf.matrix(16))
        self.addCleanup(path.unlink)
        rows = [[float(word) for word in line.split()] for line in path.read_text(encoding="utf-8").splitlines()]
        weights = sorted((round(1 / rank, 4) for rank in range(1, 16)), reverse=True)
        for sender, row in enumerate(rows):
            self.assertEqual(row[sender], 0)
            self.assertEqual(sorted((round(each, 4) for each in row if each), reverse=True), weights)
            self.assertEqual(row.index(1.0), (sender + extoll_zipf.STEP) % 16)
        for column in zip(*rows, strict=True):
            self.assertAlmostEqual(sum(column), sum(rows[0]), places=4)


if __name__ == "__main__":
    unittest.main()
