#!/usr/bin/env bash
# Checks recipes whose package managers are not here by what PyPI has: the parser of conda's rattler-build, and the schemas of
# GitHub's workflows and actions and of GitLab's pipelines. Spack's recipe is only compiled. Requires: PyPI.
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
python3 -c 'compile(open("packaging/spack/package.py").read(), "package.py", "exec")'
echo
echo "the recipes are well-formed"
