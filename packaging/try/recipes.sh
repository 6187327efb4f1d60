#!/usr/bin/env bash
# Checks recipes whose package managers are not here by what PyPI has: the parser of conda's rattler-build, and the schemas of
# GitHub's workflows and actions and of GitLab's pipelines. Spack's recipe is run with stand-ins for what Spack 0.23 and Spack 1 offer. Requires: PyPI.
# SPDX-License-Identifier: BSD-3-Clause
set -euo pipefail
cd "$(dirname -- "$(readlink -f -- "${BASH_SOURCE[0]}")")/../.."
work=$(mktemp -d)
trap 'rm -rf "$work"' EXIT

python3 -m venv "$work/env"
"$work/env/bin/pip" -q install --disable-pip-version-check check-jsonschema py-rattler-build
for workflow in .github/workflows/*.yml; do "$work/env/bin/check-jsonschema" --builtin-schema vendor.github-workflows "$workflow"; done
"$work/env/bin/check-jsonschema" --builtin-schema vendor.github-actions .github/actions/*/action.yml
"$work/env/bin/check-jsonschema" --builtin-schema vendor.gitlab-ci packaging/ci/gitlab.yml
"$work/env/bin/python" -c 'import rattler_build as conda
names = {"c_compiler": ["gcc"], "cxx_compiler": ["gxx"], "fortran_compiler": ["gfortran"], "c_stdlib": ["sysroot"], "c_stdlib_version": ["2.17"]}
for variant in conda.Stage0Recipe.from_file("packaging/conda/recipe.yaml").render(conda.VariantConfig(names)): print("conda:", variant)'
python3 - packaging/spack/package.py <<'END'
import runpy
import sys
from types import ModuleType

DIRECTIVES = "license version variant depends_on provides conflicts filter_compiler_wrappers run_after on_package_attributes".split()
OF_CMAKE = {"CMakePackage": type("CMakePackage", (), {}), "generator": lambda name: None}


def offer(name, contents):
    """A module of this name, and the packages in which it lies."""
    parts = name.split(".")
    for end in range(1, len(parts) + 1):
        sys.modules.setdefault(".".join(parts[:end]), ModuleType(parts[end - 1]))
    vars(sys.modules[name]).update(contents)


for spack in "0.23", "1":
    names = {name: lambda *arguments, **more: lambda function: function for name in DIRECTIVES}
    offer("spack.package", {**names, **(OF_CMAKE if spack == "0.23" else {})})
    if spack != "0.23":
        offer("spack_repo.builtin.build_systems.cmake", OF_CMAKE)
    recipe = runpy.run_path(sys.argv[1])["Atrium"]
    print(f"Spack {spack}: a {recipe.__mro__[1].__name__} for {', '.join(recipe.build_targets)}")
    for name in [name for name in sys.modules if name.split(".")[0] in ("spack", "spack_repo")]:
        del sys.modules[name]
END
echo
echo "the recipes are well-formed"
