#!/usr/bin/env python3
"""The package as a package: what a wheel holds, types, docstrings, and the examples. Environment: WEFT_BINARY."""

import inspect
import json
import re
import shutil
import subprocess
import sys
import tomllib
import unittest
import zipfile

import package
import harness

import weft

WEFT = harness.weft()

EXAMPLES = harness.ROOT / "examples" / "python"


class Wheel(harness.Scratch):
    def test_a_wheel_holds_everything_and_can_be_imported(self):
        if not (package.has("setuptools") and package.has("wheel")):
            self.skipTest("the module wheel is not installed")
        shutil.copytree(package.PACKAGE, self.folder / "package",
                        ignore=shutil.ignore_patterns("__pycache__", "build", "*.egg-info"))
        script = "from setuptools import build_meta\nprint(build_meta.build_wheel('dist'))"
        subprocess.run([sys.executable, "-c", script], cwd=self.folder / "package", check=True, capture_output=True)
        wheel = next((self.folder / "package" / "dist").glob("weft-*-py3-none-any.whl"))
        with zipfile.ZipFile(wheel) as file:
            names = {name for name in file.namelist() if name.startswith("weft/")}
            file.extractall(self.folder / "installed")
        expected = {path.relative_to(package.PACKAGE).as_posix() for path in (package.PACKAGE / "weft").rglob("*")
                    if path.suffix == ".py" or path.name == "py.typed"}
        self.assertEqual(names, expected)
        script = f"import weft; print(weft.__file__, weft.run({package.SMALL!r})['nodes'])"
        done = subprocess.run([sys.executable, "-B", "-c", script], cwd=self.folder, text=True, capture_output=True,
                              check=True,
                              env=package.with_package() | {"PYTHONPATH": str(self.folder / "installed")})
        self.assertEqual(done.stdout, f"{self.folder}/installed/weft/__init__.py 16\n")

    def test_its_version_is_the_programs(self):
        said = subprocess.run([WEFT, "--version"], capture_output=True, text=True, check=True).stdout.split()[-1]
        project = tomllib.loads((package.PACKAGE / "pyproject.toml").read_text(encoding="utf-8"))
        self.assertEqual((weft.__version__, project["project"]["version"]), (said, said))


class Text(unittest.TestCase):
    def test_everything_public_is_typed_and_explained(self):
        modules = [weft, weft.plot]
        for module in modules:
            for name in module.__all__:
                thing = getattr(module, name)
                if inspect.ismodule(thing):
                    continue
                with self.subTest(name=name):
                    self.assertTrue(inspect.getdoc(thing))
                    functions = [thing] if inspect.isfunction(thing) else \
                        [item for key, item in vars(thing).items() if inspect.isfunction(item)
                         and not key.startswith("_")
                         and item.__module__.startswith("weft")]
                    for function in functions:
                        self.assertIn("return", function.__annotations__, function)
                        parameters = [one for one in inspect.signature(function).parameters.values()
                                      if one.name != "self"]
                        self.assertTrue(all(one.annotation is not inspect.Parameter.empty for one in parameters),
                                        function)

    def test_lines_are_short_and_files_say_what_they_are(self):
        for path in (package.PACKAGE / "weft").rglob("*.py"):
            lines = path.read_text(encoding="utf-8").splitlines()
            self.assertTrue(lines[0].startswith('"""'), path)
            self.assertLess(len(lines), 400, path)
            self.assertLess(max(map(len, lines)), 131, path)


class Examples(unittest.TestCase):
    def test_the_architects_task_takes_fifteen_lines(self):
        text = (EXAMPLES / "architect.py").read_text(encoding="utf-8")
        code = re.sub(r'""".*?"""', "", text, count=1, flags=re.S)
        self.assertLessEqual(len([line for line in code.splitlines() if line.strip()]), 15)

    def test_its_networks_are_of_about_that_size_and_its_points_are_right(self):
        text = (EXAMPLES / "architect.py").read_text(encoding="utf-8").split("print(study.estimate())")[0]
        names = {}
        arguments, sys.argv = sys.argv, ["architect.py", str(harness.ROOT)]
        try:
            exec(text.replace("out=sys.argv[-1]", "out=None"), names)
        finally:
            sys.argv = arguments
        sizes = {name: weft.topology({"topology": settings["topology"]})["nodes"] for name,
                 settings in names["networks"].items()}
        self.assertEqual(sizes["Dragonfly"], 1056)
        for name, nodes in sizes.items():
            self.assertAlmostEqual(nodes / 1056, 1, delta=0.1, msg=name)
        names["study"]._check()
        self.assertEqual(len(names["study"]), 4 * 2 * 8)

    def test_the_notebook_is_as_it_is_kept(self):
        notebook = json.loads((EXAMPLES / "tour.ipynb").read_text(encoding="utf-8"))
        cells = [cell for cell in notebook["cells"] if cell["cell_type"] == "code"]
        self.assertGreaterEqual(len(cells), 5)
        for cell in cells:  # results are not kept in the repository
            self.assertEqual((cell["outputs"], cell["execution_count"]), ([], None))


if __name__ == "__main__":
    unittest.main()
