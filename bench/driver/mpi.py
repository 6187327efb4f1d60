"""The MPIs that are installed, as libraries of a plan: their compilers with node windows, and a launcher for ranks of this machine."""
# SPDX-License-Identifier: BSD-3-Clause
import shutil

from driver import execute
from driver.plan import BENCH, ROOT, Library

LABELS = {"openmpi": "Open MPI", "mpich": "MPICH"}


def libraries(build, flavours=tuple(LABELS)):
    return [library(build, flavour) for flavour in flavours if shutil.which(f"mpicc.{flavour}")
            and (build / f"lib/libatrium-window-{flavour}.so").exists()]


def library(build, flavour):
    compiler = (shutil.which(f"mpicc.{flavour}"), f"-I{ROOT / 'mpi/window/include'}", f"-L{build / 'lib'}", f"-Wl,-rpath,{build / 'lib'}",
                "-Wl,--no-as-needed", f"-latrium-window-{flavour}")
    return Library(flavour, LABELS[flavour], compiler, (str(BENCH / "windows/launch.sh"), flavour), {"BUILD_TREE": str(build)}, version(flavour))


def version(flavour):
    said = execute.execute([f"mpirun.{flavour}", "--version"], 20).output.split()
    return next((word for word in said if word[0].isdigit()), "")
