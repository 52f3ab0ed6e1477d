#!/usr/bin/env python3
"""The recipes of containers, tried without a registry: the image that they start from is a Debian made from the mirror.

The Dockerfile is built by buildah, from the files that git tracks; the sections of the Apptainer definition run in a
Debian of their own, with the packages of this build. Needs root, the network, mmdebstrap and buildah; compiles weft,
which takes some 20 minutes."""

import re
import shutil
import unittest

import debian
import harness
from installed import called, digest_of

RECIPES = harness.ROOT / "tools" / "packaging" / "container"
EXAMPLE = "/usr/share/weft/examples/torus-uniform.toml"


class Docker(harness.Scratch):
    def buildah(self, *words):
        store = ("--root", self.folder / "store", "--runroot", self.folder / "run", "--storage-driver", "vfs")
        return called("buildah", *store, *words).strip()

    def run_in(self, container, *words):
        return self.buildah("run", "--isolation", "chroot", "--network", "host", container, "--", *words)

    def base(self):
        """The image debian:12, without a registry."""
        root = self.folder / "root"
        debian.System(root)
        container = self.buildah("from", "scratch")
        self.buildah("add", "--quiet", container, root, "/")
        self.buildah("commit", "--quiet", "--rm", container, "debian:12")
        shutil.rmtree(root)

    def test_an_image_is_built_from_source_and_runs_on_two_ranks(self):
        debian.skip_without("buildah", "git")
        self.base()
        source = debian.checkout_into(self.folder / "weft")
        self.buildah("bud", "--isolation", "chroot", "--network", "host", "-f", source
                     / "tools/packaging/container/Dockerfile",
                     "-t", "weft", source)
        self.assertEqual(self.buildah("inspect", "--type", "image", "--format", "{{.OCIv1.Config.Entrypoint}}", "weft"),
                         "[weft]")
        container = self.buildah("from", "weft")
        alone = digest_of(self.run_in(container, "weft", "run", EXAMPLE))
        both = digest_of(self.run_in(container, "mpirun", "--oversubscribe", "-n", "2", "weft", "run", EXAMPLE))
        here = digest_of(called(harness.weft(), "run", harness.ROOT / "examples/torus-uniform.toml"))
        self.assertEqual({alone, both}, {here})


class Apptainer(harness.Scratch):
    def sections(self):
        """The definition's sections by name, each a text."""
        parts = re.split(r"^%(\w+)\n", (RECIPES / "weft.def").read_text(), flags=re.MULTILINE)
        return dict(zip(parts[1::2], parts[2::2], strict=True))

    def test_its_sections_make_a_system_that_runs(self):
        debian.skip_without()
        sections = self.sections()
        self.assertEqual(set(sections), {"files", "post", "runscript", "test"})
        packages = debian.packages_into(self.folder / "packages")
        system = debian.System(self.folder / "root")
        source, target = sections["files"].split()
        self.assertEqual(source, "build/portable/packages/*.deb")
        for package in packages.glob("*.deb"):
            shutil.copy(package, system.root / target.lstrip("/"))
        for name in ("post", "test", "runscript"):
            (system.root / "root" / name).write_text(sections[name])
        system.inside("sh -e ./post")
        system.inside("sh -e ./test")
        here = digest_of(called(harness.weft(), "run", harness.ROOT / "examples/torus-uniform.toml"))
        self.assertEqual(digest_of(system.inside(f"sh -e ./runscript run {EXAMPLE}")), here)
        self.assertEqual(list((system.root / "opt").iterdir()), [])


if __name__ == "__main__":
    unittest.main()
