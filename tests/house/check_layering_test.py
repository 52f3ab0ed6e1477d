"""Tests of tools/check-layering: each law is broken once in a small made-up tree, and the offence must be named."""

import runpy
import subprocess
import sys
import tempfile
import unittest
from pathlib import Path

ROOT = Path(__file__).resolve().parents[2]
CHECK = ROOT / "tools" / "check-layering"

HEADER = "// A header.\n#pragma once\n"
SOURCE = "// A source.\n"


class CheckLayering(unittest.TestCase):
    def setUp(self):
        folder = tempfile.TemporaryDirectory()
        self.addCleanup(folder.cleanup)
        self.root = Path(folder.name)
        for layer in ("engine", "models", "workloads", "tools", "tests"):
            self.write(f"{layer}/good.hpp", HEADER + "#include <vector>\n")

    def write(self, path, text):
        file = self.root / path
        file.parent.mkdir(parents=True, exist_ok=True)
        file.write_text(text, encoding="utf-8")

    def check(self):
        command = [sys.executable, str(CHECK), "--root", str(self.root)]
        done = subprocess.run(command, capture_output=True, text=True, stdin=subprocess.DEVNULL, check=False)
        return done.returncode, done.stdout, done.stderr

    def assert_clean(self):
        code, out, err = self.check()
        self.assertEqual(code, 0, out + err)

    def assert_offence(self, where, reason):
        """Exactly one offence, at `where` (file:line), whose text contains `reason`."""
        code, out, err = self.check()
        self.assertEqual(code, 1, out + err)
        lines = out.splitlines()
        self.assertEqual(len(lines), 1, out)
        self.assertTrue(lines[0].startswith(where + ": "), out)
        self.assertIn(reason, lines[0])

    def test_a_tree_that_keeps_the_laws_passes(self):
        self.write("engine/a.cpp", SOURCE + '#include "engine/good.hpp"\n#include <metis.h>\n')
        self.write("engine/transport.cpp", SOURCE + "#include <mpi.h>\n")
        self.write("models/a.cpp", SOURCE + '#include "models/good.hpp"\n#include "engine/good.hpp"\n')
        self.write("workloads/a.cpp", SOURCE + '#include "models/good.hpp"\n#include "workloads/good.hpp"\n')
        self.write("tools/a.cpp", SOURCE + '#include "version.hpp"\n#include "workloads/good.hpp"\n')
        self.assert_clean()

    def test_an_empty_tree_is_an_error_and_not_a_pass(self):
        with tempfile.TemporaryDirectory() as empty:
            self.root = Path(empty)
            self.assertEqual(self.check()[0], 1)

    def test_comments_end_where_code_does(self):
        self.write("engine/a.cpp", SOURCE + "int a;  // " + "x" * 110 + "\n")
        self.assert_offence("engine/a.cpp:2", "comment of 121 characters")
        self.write("engine/a.cpp", SOURCE + "int a;  // " + "x" * 109 + "\n")
        self.write("engine/b.cpp", SOURCE + 'const char* b = "' + "// " * 50 + '";\n')
        self.assert_clean()

    def test_doc_comments_can_be_read_alone(self):
        self.write("engine/a.cpp", SOURCE + "/// Adds one.\nint a();\n/// The same for two.\nint b();\n")
        self.assert_offence("engine/a.cpp:4", "a comment that begins with 'The same' cannot be read alone")
        self.write("engine/a.cpp", SOURCE + "struct A {\n  /// Of a port.\n  int a;\n};\n")
        self.assert_offence("engine/a.cpp:3", "begins with 'Of' cannot be read alone; say what it is")
        self.write("engine/a.cpp", SOURCE + "int a;  ///< ports\nint b;  ///< Those that are free\n")
        self.assert_offence("engine/a.cpp:3", "begins with 'Those' cannot be read alone")

    def test_lines_that_go_on_plain_comments_and_texts_may_begin_with_any_word(self):
        self.write("engine/a.cpp", SOURCE + "/// The ports of a router.\n/// Those of a node are not here.\nint a;\n")
        self.write("engine/b.cpp", SOURCE + "int b;  ///< ports. But for failed ones.\n        ///< Of a node, one.\n")
        self.write("engine/c.cpp", SOURCE + "/// Offers a packet.\nint c;  // Of a port\n")
        self.write("engine/d.cpp", SOURCE + 'const char* d = "/// Of";\nconst char* e = R"(\n/// The same\n)";\n')
        self.assert_clean()

    def test_the_engine_may_not_include_models(self):
        self.write("engine/a.cpp", SOURCE + '\n#include "models/good.hpp"\n')
        self.assert_offence("engine/a.cpp:3", "dependencies point")

    def test_models_may_not_include_workloads_or_tools(self):
        for upper in ("workloads", "tools"):
            self.write("models/a.hpp", HEADER + f'#include "{upper}/good.hpp"\n')
            self.assert_offence("models/a.hpp:3", f'models includes "{upper}/good.hpp"')

    def test_workloads_may_not_include_tools(self):
        self.write("workloads/traffic/a.cpp", SOURCE + '#include "tools/good.hpp"\n')
        self.assert_offence("workloads/traffic/a.cpp:2", "dependencies point")

    def test_no_layer_may_include_a_test(self):
        self.write("models/a.cpp", SOURCE + '#include "tests/good.hpp"\n')
        self.assert_offence("models/a.cpp:2", "dependencies point")

    def test_includes_are_written_from_the_root(self):
        for target in ("good.hpp", "../engine/good.hpp"):
            self.write("engine/a.cpp", SOURCE + f'#include "{target}"\n')
            self.assert_offence("engine/a.cpp:2", "from the root")

    def test_project_headers_are_not_included_like_system_headers(self):
        self.write("models/a.cpp", SOURCE + "#include <tools/good.hpp>\n")
        self.assert_offence("models/a.cpp:2", 'write "tools/good.hpp"')

    def test_mpi_is_included_by_the_transport_alone(self):
        for path in ("engine/other.cpp", "models/other.cpp", "tools/other.cpp", "tests/other.cpp"):
            self.write(path, SOURCE + "# include <mpi.h>\n")
            self.assert_offence(f"{path}:2", "only engine/transport.cpp")
            (self.root / path).unlink()

    def test_slow_headers_stay_out_of_engine_headers_but_not_out_of_sources(self):
        for name in ("iostream", "functional", "chrono"):
            self.write("engine/a.cpp", SOURCE + f"#include <{name}>\n")
            self.write("models/a.hpp", HEADER + f"#include <{name}>\n")
            self.assert_clean()
            self.write("engine/base/system/a.hpp", HEADER + f"#include <{name}>\n")
            self.assert_clean()
            for path in ("engine/b.hpp", "engine/base/a.hpp"):
                self.write(path, HEADER + f"#include <{name}>\n")
                self.assert_offence(f"{path}:3", f"<{name}>")
                (self.root / path).unlink()

    def test_a_model_names_no_rank_communicator_or_thread(self):
        for code in ("int rank;", "int my_rank;", "int RankCount;", "void f(int communicator);", "#include <thread>"):
            self.write("models/a.cpp", SOURCE + code + "\n")
            self.assert_offence("models/a.cpp:2", "a model knows no rank")

    def test_the_same_words_are_free_in_comments_in_texts_and_in_other_layers(self):
        harmless = '// rank\n/* thread\n communicator */ const char* s = "rank \\" thread"; auto r = R"(rank ")";\n'
        self.write("models/a.cpp", SOURCE + harmless)
        self.write("workloads/a.cpp", SOURCE + "int rank, thread, communicator;\n")
        self.assert_clean()

    def test_words_that_merely_contain_rank_are_free(self):
        self.write("models/a.cpp", SOURCE + "int franking, threading_free = 1'000'000; char c = '\"'; int crank;\n")
        self.assert_clean()

    def test_a_comment_inside_a_text_does_not_hide_what_follows(self):
        self.write("models/a.cpp", SOURCE + 'const char* s = "//"; int rank;\n')
        self.assert_offence("models/a.cpp:2", "'rank'")

    def test_includes_in_comments_and_raw_texts_do_not_count(self):
        self.write("engine/a.cpp", SOURCE + '// #include "tools/x.hpp"\n/*\n#include <mpi.h>\n*/\n')
        self.write("models/a.cpp", SOURCE + 'auto s = R"x(\n#include <mpi.h>\n)x";\n')
        self.assert_clean()

    def test_includes_inside_a_layer_lead_down(self):
        down = {
            "engine": ["engine", "engine/base"],
            "models": ["models/machine/cells", "models/core", "models/routing", "models/topology"],
            "workloads": ["workloads/trace", "workloads/generator/kernel", "workloads/program", "workloads/traffic"],
            "tools": ["tools/cli", "tools/study", "tools/report/page", "tools/run/config", "tools/result"]}
        for layer, folders in down.items():
            for folder in folders:
                self.write(f"{folder}/good.hpp", HEADER)
            for upper, lower in zip(folders, folders[1:], strict=False):
                self.write(f"{upper}/a.cpp", SOURCE + f'#include "{lower}/good.hpp"\n#include "{upper}/good.hpp"\n')
                self.assert_clean()
                self.write(f"{lower}/b.cpp", SOURCE + f'#include "{upper}/good.hpp"\n')
                self.assert_offence(f"{lower}/b.cpp:2", f"inside {layer} dependencies point")
                (self.root / f"{lower}/b.cpp").unlink()
            self.write(f"{layer}/attic/a.cpp", SOURCE + f'#include "{folders[-1]}/good.hpp"\n')
            self.assert_offence(f"{layer}/attic/a.cpp:2", "has no floor; give it one in FLOORS")
            (self.root / f"{layer}/attic/a.cpp").unlink()

    def test_machines_do_not_know_each_other_but_what_they_share_may(self):
        for machine in ("cells", "worms"):
            self.write(f"models/machine/{machine}/good.hpp", HEADER)
        self.write("models/machine/memory.cpp", SOURCE + '#include "models/machine/cells/good.hpp"\n')
        self.assert_clean()
        self.write("models/machine/worms/a.cpp", SOURCE + '#include "models/machine/cells/good.hpp"\n')
        self.assert_offence("models/machine/worms/a.cpp:2", "inside models dependencies point")

    def test_a_folder_has_at_most_forty_files(self):
        for number in range(40):
            self.write(f"tools/run/file{number}.hpp", HEADER)
        self.write("tools/run/config/file.hpp", HEADER)
        self.assert_clean()
        self.write("tools/run/one_more.cpp", HEADER)
        self.assert_offence("tools/run:1", "41 files")

    def test_a_large_class_says_why(self):
        functions = "".join(f"  void f{n}() {{}}\n" for n in range(40))
        data = "".join(f"  int d{n}_ = 0, e{n}_{{}};\n" for n in range(8))
        self.write("models/a.hpp", HEADER + "class A {\n public:\n" + functions + "};\n")
        self.assert_clean()
        self.write("models/a.hpp", HEADER + "class A {\n" + functions + "  int one_more() const;\n};\n")
        self.assert_offence("models/a.hpp:3", "A has 41 functions and 0 data members")
        self.write("models/a.hpp", HEADER + "class A {\n  void f();\n" + data + "};\n")
        self.assert_offence("models/a.hpp:3", "A has 1 functions and 16 data members")
        self.write("models/a.hpp", HEADER + "/// Larger than others: a reason.\nclass A {\n" + data + "};\n")
        self.assert_clean()

    def test_no_file_lies_in_a_circle(self):
        self.write("models/a.hpp", HEADER + '#include "models/b.hpp"\n#include "engine/good.hpp"\n')
        self.write("models/b.hpp", HEADER + '#include "models/c.hpp"\n')
        self.write("models/c.hpp", HEADER)
        self.assert_clean()
        self.write("models/c.hpp", HEADER + '#include "models/a.hpp"\n')
        self.assert_offence("models/a.hpp:1", "circle of includes: models/a.hpp, models/b.hpp, models/c.hpp")

    def test_every_folder_has_a_floor(self):
        for layer, floors in runpy.run_path(str(CHECK))["FLOORS"].items():
            folders = {file.relative_to(ROOT / layer).parts[0] for file in (ROOT / layer).glob("*/**/*.?pp")}
            self.assertEqual(folders, {folder for floor in floors for folder in floor} - {""}, layer)

    def register_kinds(self):
        self.write("models/routing/a.cpp", SOURCE + 'bool b = Registry::instance().add(\n    "ring-ish", {});\n')
        self.write("models/topology/b.cpp", SOURCE + 'bool b = Registry::instance().add("star", {});\n')

    def test_tools_and_the_network_name_no_registered_kind(self):
        self.register_kinds()
        for path in ("tools/a.cpp", "tools/run/a.hpp", "models/core/a.cpp"):
            for text in ('"star"', '"Star, planet: help"', '"use kind = \\"star\\""', 'R"(a ring-ish one)"'):
                self.write(path, HEADER + "auto s = " + text + ";\n")
                self.assert_offence(f"{path}:3", "names the kind")
            (self.root / path).unlink()

    def test_modes_and_schemes_of_congestion_control_are_no_names_for_others(self):
        modes = ".modes = {RouterMode::row_of(Mode::go_up, {\"go-up\", \"help\"}), made(Mode::around, \"round-about\")}"
        self.write("models/routing/a.cpp", SOURCE + f'bool b = Registry::instance().add("ring", {{{modes}}});\n')
        self.write("models/nic/a.cpp", SOURCE + 'bool b = CongestionRegistry::instance().add("hold-on", {});\n')
        self.assert_clean()
        for word in ("go-up", "round-about", "hold-on"):
            self.write("tools/a.cpp", SOURCE + f'auto s = "use {word} there";\n')
            self.assert_offence("tools/a.cpp:2", f"names the kind '{word}'")

    def test_lines_of_other_languages_end_where_those_of_cpp_do(self):
        for path, mark in (
                ("tools/a.py", "#"), ("tools/a.cmake", "#"), ("tools/page/a.js", "//"), ("CMakeLists.txt", "#")):
            self.write(path, f"{mark} Says why.\n{mark} " + "word " * 30 + "\n")
            self.assert_offence(f"{path}:2", "characters; they end at 120")
            self.write(path, f"{mark} Says why.\n{mark} https://" + "x" * 150 + "\n")
            self.assert_clean()

    def test_kinds_are_free_where_they_register_in_their_loops_in_comments_code_and_names_of_files(self):
        self.register_kinds()
        self.write("models/topology/c.cpp", SOURCE + 'auto s = "star";\n')
        self.write("tests/a.cpp", SOURCE + 'auto s = "star";\n')
        self.write("tools/run/loops/a.cpp", SOURCE + 'auto s = "star";\n')
        self.write("tools/a.cpp", SOURCE + 'int star; // "star"\nauto s = "examples/star.toml star.h5 starry";\n')
        self.assert_clean()

    def test_headers_need_pragma_once_in_code(self):
        self.write("tools/a.hpp", "// A header.\n// #pragma once\n")
        self.assert_offence("tools/a.hpp:1", "#pragma once")

    def test_every_file_starts_with_a_comment(self):
        self.write("tests/engine/a_test.cpp", "int main() {}\n")
        self.assert_offence("tests/engine/a_test.cpp:1", "start with a comment")

    def test_an_empty_source_is_no_source(self):
        self.write("models/empty.cpp", "")
        self.assert_offence("models/empty.cpp:1", "start with a comment")

    def test_scripts_start_with_a_comment_after_the_interpreter(self):
        self.write("tools/good-script", "#!/bin/sh\n# Says why.\ntrue\n")
        self.write("tests/good.py", '"""Says why."""\n')
        self.write("tools/notes.txt", "free text\n")
        self.assert_clean()
        self.write("tools/script", "#!/bin/sh\ntrue\n")
        self.assert_offence("tools/script:2", "start with a comment")

    def test_data_of_tests_is_not_read(self):
        self.write("tests/data/broken.cpp", "int rank;\n")
        self.assert_clean()

    def test_several_offences_are_all_listed_in_order(self):
        self.write("engine/a.hpp", '#include <chrono>\n#include "tools/good.hpp"\n')
        code, out, _ = self.check()
        self.assertEqual(code, 1)
        where = [line.split(": ")[0] for line in out.splitlines()]
        self.assertEqual(where, ["engine/a.hpp:1"] * 3 + ["engine/a.hpp:2"])


if __name__ == "__main__":
    unittest.main()
