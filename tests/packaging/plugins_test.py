#!/usr/bin/env python3
"""Plug-ins built against an installed weft: they run as what is linked into the program does, results and checkpoints
know them, and each mistake is told with what to do.

Environment: WEFT_LINKED is a program that one of the plug-ins is linked into."""

import json
import os
import shutil
import subprocess
import unittest

import harness
from installed import called, outside, shared

h5py = harness.module("h5py")

NEARBY = """
[topology]
kind = "torus"
dims = [4, 4]
[simulation]
cycles = 2000
[workload]
pattern = "nearby"
reach = 3
"""
HALFWAY = """
[topology]
kind = "full-mesh"
nodes = 12
[router]
kind = "halfway"
[simulation]
cycles = 4000
[workload]
offered_load = 0.2
"""


class Outside(harness.Scratch):
    @classmethod
    def setUpClass(cls):
        cls.installation = shared()
        cls.libraries = outside()
        cls.weft = cls.installation.weft

    def config(self, *libraries, settings=NEARBY, name="config.toml"):
        names = ", ".join(f'"{library}"' for library in libraries)
        return self.write(name, f"format = 1\nplugins = [{names}]\n{settings}")

    def library(self, name):
        return self.libraries / f"lib{name}.so"

    def run_weft(self, *arguments, ranks=1, program=None, **variables):
        command = harness.with_mpi([program or self.weft, *arguments], ranks)
        return subprocess.run(command, capture_output=True, text=True, env=harness.environment(ranks, **variables),
                              check=False,
                              cwd=self.folder)

    def result(self, config, *arguments, ranks=1, program=None, **variables):
        done = self.run_weft("run", config, "--json", "-", "--progress", "never", *arguments, ranks=ranks,
                             program=program, **variables)
        self.assertEqual(done.returncode, 0, done.stderr)
        return json.loads(done.stdout)

    def refusal(self, *libraries, command=("topology",), code=2):
        done = self.run_weft(*command, self.config(*libraries))
        self.assertEqual(done.returncode, code, done.stderr)
        self.assertNotIn("internal error", done.stderr)
        return done.stderr


class Runs(Outside):
    def test_a_plug_in_gives_what_it_gives_when_it_is_linked_into_the_program(self):
        linked = self.result(self.write("linked.toml", f"format = 1\n{NEARBY}"), program=os.environ["WEFT_LINKED"])
        config = self.config(self.library("nearby"))
        for ranks in (1, 2):
            self.assertEqual(self.result(config, ranks=ranks)["digest"], linked["digest"], ranks)
        self.assertNotEqual(self.result(config, "--set", "workload.reach=2")["digest"], linked["digest"])

    def test_a_router_sends_packets_as_its_rule_says(self):
        pairs = [(a, b) for a in range(12) for b in range(12) if a != b]
        hops = [1 if (a + b) // 2 in (a, b) else 2 for a, b in pairs]
        config = self.config(self.library("halfway"), settings=HALFWAY)
        one = self.result(config, "--set", "simulation.cycles=40000")
        self.assertAlmostEqual(one["distance"]["mean"], sum(hops) / len(hops), delta=0.01)
        self.assertEqual(self.result(config)["digest"], self.result(config, ranks=2)["digest"])
        refused = self.run_weft("run", config, "--set", "router.virtual_channels=1")
        self.assertEqual((refused.returncode, "use virtual_channels = 2" in refused.stderr), (2, True), refused.stderr)

    def test_it_is_found_beside_the_config_that_names_it_or_in_the_path_or_given(self):
        for folder in ("here", "there"):
            (self.folder / folder).mkdir()
        shutil.copy(self.library("nearby"), self.folder / "here")
        expected = self.result(self.config("here/libnearby.so"))["digest"]
        self.config("libnearby.so", name="here/base.toml")
        self.write("outer.toml", 'include = "here/base.toml"\n')
        self.assertEqual(self.result(self.folder / "outer.toml")["digest"], expected)
        path = f"/no/such/folder:{self.folder / 'here'}"
        self.assertEqual(self.result(self.config("libnearby.so", name="there/c.toml"), WEFT_PLUGIN_PATH=path)["digest"],
                         expected)
        plain = self.write("plain.toml", f"format = 1\n{NEARBY}")
        self.assertEqual(self.result(plain, "--plugin", "here/libnearby.so")["digest"], expected)

    def test_results_name_it_and_reports_draw_its_network(self):
        config = self.config(self.library("halfway"), settings=HALFWAY)
        found = self.result(config, "--out", self.folder / "r.h5")
        self.assertEqual([row["name"] for row in found["plugins"]], ["libhalfway.so"])
        with h5py.File(self.folder / "r.h5") as file:
            lines = [line.decode() for line in file["plugins"]]
        self.assertEqual(lines, [f"libhalfway.so {found['plugins'][0]['hash']}"])
        done = self.run_weft("report", "r.h5", "--out", "r.html")
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_a_frozen_config_names_it_by_an_absolute_path(self):
        done = self.run_weft("run", self.config(self.library("nearby")), "--print-config")
        self.assertIn(f'plugins = ["{self.library("nearby")}"]', done.stdout)
        frozen = self.write("elsewhere/frozen.toml", done.stdout) if (self.folder
                                                                      / "elsewhere").mkdir() is None else None
        self.assertEqual(self.result(frozen)["digest"], self.result(self.config(self.library("nearby")))["digest"])

    def test_points_of_a_sweep_load_it(self):
        self.config(self.library("nearby"))
        study = self.write("study.toml", 'format = 1\n[sweep]\nname = "reach"\nbase = "config.toml"\nout = "out"\n'
                           '[[sweep.axis]]\nkey = "workload.reach"\nvalues = [1, 2]\n')
        done = self.run_weft("sweep", study, "--progress", "never")
        self.assertEqual(done.returncode, 0, done.stderr)
        self.assertEqual(len(list((self.folder / "out" / "points").glob("*.h5"))), 2)

    def test_a_checkpoint_goes_on_with_the_same_plug_in_only(self):
        shutil.copy(self.library("nearby"), self.folder / "libnearby.so")
        config = self.config("libnearby.so")
        whole = self.result(config, "--set", "checkpoint.every_cycles=1000", "--set", "checkpoint.path=c.h5")
        self.assertEqual(self.result(config, "--resume", "c.h5", ranks=2)["digest"], whole["digest"])
        with open(self.folder / "libnearby.so", "ab") as file:
            file.write(b"another build")
        done = self.run_weft("run", config, "--resume", "c.h5")
        self.assertEqual(done.returncode, 2, done.stderr)
        self.assertRegex(done.stderr,
                         r"a run with the plug-ins libnearby.so [0-9a-f]{16}, this one has the plug-ins libnearby.so "
                         r"[0-9a-f]{16};")


class Descriptions(Outside):
    def test_describe_lists_what_it_brings(self):
        done = self.run_weft("describe", "--plugin", self.library("nearby"), "--plugin", self.library("halfway"))
        self.assertIn('pattern kind "nearby"', done.stdout)
        self.assertIn('router kind "halfway"', done.stdout)
        found = json.loads(self.run_weft("describe", "--plugin", self.library("nearby"), "--json", "-").stdout)
        self.assertEqual(found["plugins"][0]["registers"], [{"what": "pattern kind", "name": "nearby"}])
        self.assertIn("workload.reach", [row["key"] for row in found["settings"]])
        schema = json.loads(self.run_weft("describe", "--plugin", self.library("nearby"), "--schema", "-").stdout)
        self.assertIn("reach", schema["definitions"]["workload"]["properties"])
        self.assertIn("plugins", schema["properties"])

    def test_its_keys_and_names_are_those_of_a_config(self):
        text = self.run_weft("describe", "--plugin", self.library("nearby"), "workload.reach").stdout
        self.assertIn("integer, 1..1048576 nodes", text)
        done = self.run_weft("run", self.config(self.library("nearby"),
                                                settings=NEARBY.replace('"nearby"\nreach = 3', '"neerby"')))
        self.assertIn('did you mean "nearby"', done.stderr)
        self.assertEqual(self.run_weft("describe", "workload.reach").returncode, 2)


class Refusals(Outside):
    def test_what_is_not_there(self):
        self.assertIn("config.toml:2: plugins: there is no plug-in ./libmine.so", self.refusal("./libmine.so"))
        self.assertIn("WEFT_PLUGIN_PATH", self.refusal("libmine.so"))

    def test_what_is_no_shared_library(self):
        self.write("text.so", "no library at all, but more than the header of one would take: " + 100 * "x")
        self.write("short.so", "\x7fELF")
        for name in ("text.so", "short.so", self.weft.parents[1] / "include/weft/version.hpp"):
            self.assertIn("is no shared library", self.refusal(name))

    def test_a_library_that_is_no_plug_in(self):
        self.assertIn("has no stamp); build it by weft_add_plugin()", self.refusal(self.library("unstamped")))

    def test_plug_ins_of_another_weft(self):
        content = self.library("nearby").read_bytes()
        for old, new, said in ((b"weft=0.1.0;", b"weft=0.0.9;", "weft 0.0.9, here 0.1.0"),
                               (b"compiler=gcc", b"compiler=tcc", "compiler tcc"),
                               (b"headers=", b"hedders=", "headers unknown"),
                               (b"assertions=o", b"assertions=x", "assertions x")):
            self.assertEqual(content.count(old), 1, old)
            (self.folder / "other.so").write_bytes(content.replace(old, new))
            text = self.refusal("other.so")
            self.assertIn(said, text)
            self.assertIn("build it again with the headers of this one", text)

    def test_a_damaged_one(self):
        content = self.library("nearby").read_bytes()
        (self.folder / "cut.so").write_bytes(content[: len(content) // 3])
        self.assertIn("is cut short", self.refusal("cut.so"))

    def test_a_name_that_is_taken(self):
        self.assertIn('registers the matching kind "order", a name that weft itself has; give it another one',
                      self.refusal(self.library("taken")))
        shutil.copy(self.library("nearby"), self.folder / "again.so")
        self.assertIn('the pattern kind "nearby", a name that libnearby.so has registered',
                      self.refusal(self.library("nearby"), "again.so"))

    def test_the_same_one_twice_is_one(self):
        (self.folder / "link.so").symlink_to(self.library("nearby"))
        done = self.run_weft("topology", self.config(self.library("nearby"), "link.so"))
        self.assertEqual(done.returncode, 0, done.stderr)

    def test_one_that_registers_nothing(self):
        self.assertIn("registers nothing", self.refusal(self.library("empty")))

    def test_one_that_cannot_start(self):
        self.assertIn("its initialisation throws: no luck today", self.refusal(self.library("throwing")))
        self.assertIn("undefined symbol: weft_test_not_there", self.refusal(self.library("undefined")))

    def test_all_ranks_end_with_one_message(self):
        done = self.run_weft("run", self.config(self.library("unstamped")), ranks=2)
        self.assertEqual(done.stderr.count("has no stamp"), 1, done.stderr)

    def test_what_is_no_list_of_libraries(self):
        for text in ("3", "[]", '[""]', '["a.so", 4]', "{}"):
            done = self.run_weft("topology", self.write("c.toml", f"plugins = {text}\nformat = 1\n{NEARBY}"))
            self.assertIn("c.toml:1: plugins are no shared libraries", done.stderr)
        done = self.run_weft("topology", self.config(self.library("nearby")), "--set", "plugins=x.so")
        self.assertIn("use --plugin FILE", done.stderr)


class WithoutCMake(Outside):
    def test_pkg_config_has_all_that_a_compiler_needs(self):
        variables = dict(os.environ, PKG_CONFIG_PATH=str(self.installation.prefix / "lib" / "pkgconfig"))
        flags = called("pkg-config", "--cflags", "weft", env=variables).split()
        flags += called("pkg-config", "--variable=plugin_flags", "weft", env=variables).split()
        source = harness.ROOT / "tests" / "packaging" / "outside" / "taken.cpp"
        called("g++", "-O0", *flags, source, "-o", self.folder / "taken.so")
        self.assertIn("a name that weft itself has", self.refusal("taken.so"))


if __name__ == "__main__":
    unittest.main()
