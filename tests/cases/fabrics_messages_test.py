"""What tools write to their standard error gets into the files of many sites: a fabric with such lines is the fabric
without them, and the program says that they are there. And a file that is cut off anywhere is refused, or is still the
same fabric."""

import unittest

import cases

MESSAGES = ["ibwarn: [1234] mad_rpc: _do_madrpc failed; dport (DR path slid 0; dlid 0; 0,1,31)",
            "src/query_smp.c:195; umad (DR path slid 0; dlid 0; 0,1,1,31 Attr 0x11:0) bad status 110; Connection timed "
            "out",
            "/usr/sbin/ibnetdiscover: iberror: failed: cannot query a port", "-W- Topology file is not specified.",
            "Warning: Permanently added 'node1' (ED25519) to the list of known hosts."]


class Messages(cases.Case):
    case = "fabrics-messages"
    KEYS = ("hosts", "switches", "links", "levels", "speeds", "ports", "lmc")

    def facts(self, fabric):
        found = self.json_of("fabric", "info", fabric)
        return {key: found[key] for key in self.KEYS}

    def test_are_left_out_of_a_fabric_and_named(self):
        want = self.facts("tree16.topo")
        self.assertEqual((want["hosts"], want["links"]), (16, 32))
        for name, line in (("noise-first.topo", 1), ("noise-mid.topo", 21)):
            self.assertEqual(self.facts(name), want)
            self.assertIn(f"{name}:{line}: ", self.errors)
        lines = (self.folder / "tree16.topo").read_text().splitlines(keepends=True)
        for k, message in enumerate(MESSAGES):
            self.write("one.topo", "".join([*lines[:k], message + "\n", *lines[k:-1], message + "\n", lines[-1]]))
            self.assertEqual(self.facts("one.topo"), want, message)
            self.assertIn(f"one.topo:{k + 1}: this and 1 more", self.errors)

    def test_are_left_out_of_tables(self):
        self.weft("fabric", "route", "tree16.topo", "--engine", "updn", "--out", "t.lfts")
        text = (self.folder / "t.lfts").read_text()
        lines = text.splitlines(keepends=True)
        self.write("noisy.lfts", "".join([MESSAGES[0] + "\n", *lines[:40], MESSAGES[1] + "\n", *lines[40:]]))
        found = self.json_of("fabric", "check", "tree16.topo", "--tables", "noisy.lfts")
        self.assertEqual(found["routes"]["arrive"], 240)
        self.assertIn("noisy.lfts:1: ", self.errors)

    def test_a_file_that_is_cut_off_is_refused_or_the_same_fabric(self):
        text = (self.folder / "tree16.topo").read_text()
        want = self.facts("tree16.topo")
        refused = 0
        for cut in [*range(200, len(text) - 200, 1409), *range(len(text) - 100, len(text), 13)]:
            self.write("cut.topo", text[:cut])
            code, out, errors = self.finish(self.start([cases.WEFT, "fabric", "info", "cut.topo", "--json", "-"]))
            self.assertIn(code, (0, 3), errors)
            refused += code == 3
            if code == 0:
                self.assertEqual(self.facts("cut.topo"), want, cut)
            else:
                self.assertRegex(errors, r"cut\.topo(:\d+)?: ")
        self.assertGreater(refused, 5)

    def test_ports_that_no_manager_has_seen_have_no_lid(self):
        text = (self.folder / "tree16.topo").read_text().replace("lid 101 ", "lid 65535 ")
        self.write("new.topo", text)
        self.assertEqual(self.facts("new.topo")["hosts"], 16)


if __name__ == "__main__":
    unittest.main()
