# Spack recipe of weft. There is no public address of its sources to fetch yet; from a checkout:
#   spack repo create weft-repo && mkdir -p weft-repo/packages/weft && cp package.py weft-repo/packages/weft/
#   spack repo add weft-repo && spack develop --path /path/to/weft weft@main && spack install weft@main
from spack.package import *


class Weft(CMakePackage):
    """Parallel discrete-event simulator of interconnection networks, with one result on any number of ranks."""

    homepage = "file:///path/to/weft"
    git = "file:///path/to/weft"
    license("Apache-2.0")

    version("main", branch="main")

    variant("native", default=False, description="Tune for the processor of the machine that builds")
    variant("python", default=True, description="The Python package")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("cmake@3.25:", type="build")
    depends_on("ninja", type="build")
    depends_on("pkgconfig", type="build")
    depends_on("mpi")
    depends_on("hdf5+mpi")
    depends_on("boost@1.74:+math", type="build")
    depends_on("eigen", type="build")
    depends_on("cli11", type="build")
    depends_on("tomlplusplus", type="build")
    depends_on("spdlog")
    depends_on("pugixml")
    depends_on("metis")
    depends_on("otf2")
    depends_on("zstd")
    depends_on("xz")
    depends_on("zlib-api")
    # Headers that plug-ins are compiled with as well.
    depends_on("fmt", type=("build", "link", "run"))
    depends_on("nlohmann-json", type=("build", "run"))
    depends_on("random123", type=("build", "run"))
    with when("+python"):
        depends_on("python@3.11:", type="run")
        for name in ("py-numpy", "py-h5py", "py-pandas", "py-matplotlib"):
            depends_on(name, type="run")

    generator("ninja")

    def cmake_args(self):
        return [
            self.define_from_variant("WEFT_NATIVE", "native"),
            self.define("WEFT_BASELINE", ""),  # Spack's compilers get the target's instruction set from Spack
            self.define("WEFT_TESTS", False),
            self.define("WEFT_BENCH", False),
        ]

    def setup_run_environment(self, env):
        if self.spec.satisfies("+python"):
            env.prepend_path("PYTHONPATH", self.prefix.lib.python3.join("dist-packages"))

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_program(self):
        weft = Executable(self.prefix.bin.weft)
        weft("topology", join_path(self.prefix.share.weft.examples, "torus-uniform.toml"))
