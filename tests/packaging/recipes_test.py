#!/usr/bin/env python3
"""The recipes of Spack and EasyBuild name all that the build looks for, options that it has, and files that are
installed. Neither tool is run: a recipe is read as the Python that it is, with the words that its tool provides."""

import re
import sys
import types
import unittest
from contextlib import nullcontext
from unittest import mock

import harness
from installed import shared

RECIPES = harness.ROOT / "tools" / "packaging"
# What tools/packaging/libraries.cmake looks for, as EasyBuild and Spack call it. MPI is part of EasyBuild's toolchain.
PACKAGES = {"MPI": (None, "mpi"), "HDF5": ("HDF5", "hdf5+mpi"), "Boost": ("Boost", "boost@1.74:+math"),
            "Eigen3": ("Eigen", "eigen"),
            "fmt": ("fmt", "fmt"), "spdlog": ("spdlog", "spdlog"), "nlohmann_json": ("nlohmann_json", "nlohmann-json"),
            "CLI11": ("CLI11", "cli11"), "LibLZMA": ("XZ", "xz"), "ZLIB": ("zlib", "zlib-api"),
            "pugixml": ("pugixml", "pugixml"),
            "PkgConfig": ("pkgconf", "pkgconfig"), "TOMLPLUSPLUS": ("tomlplusplus", "tomlplusplus"),
            "ZSTD": ("zstd", "zstd"),
            "OTF2": ("OTF2", "otf2"), "METIS": ("METIS", "metis"), "RANDOM123": ("Random123", "random123")}


def looked_for():
    """Names of packages that the build demands."""
    text = (harness.ROOT / "tools" / "packaging" / "libraries.cmake").read_text()
    found = re.findall(r"^ *(?:needs_package|find_package|pkg_check_modules|find_path|find_library)"
                       r"\((\w+?)(?:_LIBRARY|_INCLUDE_DIR)?[ )]", text, re.MULTILINE)
    return set(found)


def options():
    """Options that the build has."""
    return set(re.findall(r"^(?:option|set)\((WEFT_\w+)", (harness.ROOT / "CMakeLists.txt").read_text(), re.MULTILINE))


def easybuild(name):
    values = {"SYSTEM": {"name": "system", "version": "system"}}
    exec(compile((RECIPES / "easybuild" / name).read_text(), name, "exec"), values)  # noqa: S102
    return values


def spack():
    """The recipe's class, with what its directives were told: dependencies, variants."""
    told = types.SimpleNamespace(dependencies=[], variants=[])
    module = types.ModuleType("spack.package")
    module.CMakePackage = type("CMakePackage", (), {"define": lambda _, key, value: (key, value),
                                                    "define_from_variant": lambda _, key, variant: (key, variant)})
    module.depends_on = lambda spec, **_: told.dependencies.append(spec)
    module.variant = lambda name, **_: told.variants.append(name)
    module.when = lambda _: nullcontext()
    module.run_after = module.on_package_attributes = lambda *_, **__: lambda function: function
    for directive in ("license", "version", "generator"):
        setattr(module, directive, lambda *_, **__: None)
    parent = types.ModuleType("spack")
    values = {}
    with mock.patch.dict(sys.modules, {"spack": parent, "spack.package": module}):
        # The class's own body calls the directives, as in Spack.
        exec(compile((RECIPES / "spack" / "package.py").read_text(), "package.py", "exec"), values)  # noqa: S102
    return values["Weft"], told


class Recipes(unittest.TestCase):
    def test_the_table_here_has_all_that_the_build_looks_for(self):
        self.assertEqual(looked_for(), set(PACKAGES))

    def test_easybuild_has_every_package_and_options_and_files_that_are_there(self):
        recipe = easybuild("weft-0.1.0-foss-2024a.eb")
        named = {each[0] for each in recipe["builddependencies"] + recipe["dependencies"]}
        self.assertLessEqual({easy for easy, _ in PACKAGES.values() if easy} | {"CMake", "Ninja"}, named)
        self.assertLessEqual(set(re.findall(r"-D(\w+)=", recipe["configopts"])), options())
        for path in recipe["sanity_check_paths"]["files"] + recipe["sanity_check_paths"]["dirs"]:
            self.assertTrue((shared().prefix / path).exists(), path)

    def test_easybuild_s_own_recipe_beside_it_is_the_version_asked_for(self):
        own = easybuild("Random123-1.14.0.eb")
        self.assertIn((own["name"], own["version"], "", own["toolchain"]),
                      easybuild("weft-0.1.0-foss-2024a.eb")["dependencies"])

    def test_spack_has_every_package_and_options_that_are_there(self):
        recipe, told = spack()
        self.assertLessEqual({name for _, name in PACKAGES.values()}, set(told.dependencies))
        settings = dict(recipe().cmake_args())
        self.assertLessEqual(set(settings), options())
        self.assertIn(settings["WEFT_NATIVE"], told.variants)


if __name__ == "__main__":
    unittest.main()
