# Spack recipe. It lies in a repository of yours, REPO, which `spack repo create mine mine` makes (mine/spack_repo/mine) or, with Spack 0.23,
# `spack repo create mine` (mine):
#   mkdir REPO/packages/atrium; cp package.py REPO/packages/atrium/; spack repo add REPO; ATRIUM_SOURCE=... spack install atrium
# SPDX-License-Identifier: BSD-3-Clause
import os

from spack.package import *

try:  # since Spack 1.0; before, spack.package has them
    from spack_repo.builtin.build_systems.cmake import CMakePackage, generator
except ImportError:
    pass


class Atrium(CMakePackage):
    """OpenSHMEM 1.6 for the processes of a node: put, get and atomics are plain loads and stores."""

    git = os.environ.get("ATRIUM_SOURCE", "")  # where you take Atrium from: the address of a git repository

    license("BSD-3-Clause")

    version("main", branch="main")
    # The checksum is that of the release's tarball, which ./atrium package source makes.
    # version("0.1.0", sha256="...")

    variant("mpi", default=False, description="Atrium for MPI and node windows, for the MPI of this build")
    variant("fabric", default=True, description="Network cards between nodes, by libfabric, which is opened at run time")
    variant("fortran", default=True, description="oshfort and the Fortran modules")
    variant("pmix", default=True, description="Join jobs that mpirun or srun start")
    variant("otf2", default=False, description="oshrun --trace writes OTF2 archives, too")
    variant("hwloc", default=True, description="Know which cores share caches and NUMA nodes")

    depends_on("c", type="build")
    depends_on("cxx", type="build")
    depends_on("fortran", type="build", when="+fortran")
    depends_on("cmake@3.22:", type="build")
    depends_on("ninja", type="build")
    depends_on("nlohmann-json", type="build")  # headers alone, for oshrun --trace
    depends_on("mpi", when="+mpi")
    depends_on("libfabric", when="+fabric")
    depends_on("pmix", when="+pmix")
    depends_on("hwloc", when="+hwloc")
    depends_on("otf2@3:", when="+otf2")

    provides("openshmem@1.6")

    conflicts("platform=darwin", msg="Atrium needs Linux")
    conflicts("%gcc@:10", msg="Atrium needs C++20: gcc 11 or clang 14")
    conflicts("%clang@:13", msg="Atrium needs C++20: gcc 11 or clang 14")

    # oshcc and its like keep the compiler that built them: the true one, not Spack's wrapper, which runs within Spack alone.
    filter_compiler_wrappers("oshcc", "oshc++", "oshfort", relative_root="bin")

    generator("ninja")
    build_targets = ["product"]

    def cmake_args(self):
        return [
            self.define("BUILD_TESTING", False),
            self.define_from_variant("ATRIUM_MPI", "mpi"),
            # What is opened at run time lies in folders that only this build knows.
            self.define("CMAKE_INSTALL_RPATH", ";".join(join_path(self.spec[name].prefix, "lib")
                                                        for name in ("libfabric", "pmix", "hwloc", "otf2") if name in self.spec)),
        ]

    def setup_dependent_build_environment(self, env, dependent_spec):
        env.set("OSHCC", join_path(self.prefix.bin, "oshcc"))
        env.set("OSHCXX", join_path(self.prefix.bin, "oshc++"))

    @run_after("install")
    @on_package_attributes(run_tests=True)
    def check_install(self):
        Executable(self.prefix.bin.join("atrium-info"))("--variables")
