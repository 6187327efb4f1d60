# What an installation has in it, and in which packages of Debian it ends.
# SPDX-License-Identifier: BSD-3-Clause
# shellcheck shell=bash
. "$SOURCE_TREE/tests/install/installed.sh"

installs_and_moves() {
  rm -rf "$PREFIX" "$PREFIX.first"
  "$CMAKE" --install "$BUILD_TREE" --prefix "$PREFIX.first" >/dev/null
  mv "$PREFIX.first" "$PREFIX"
}

prefix_is_complete() {
  local file
  for file in bin/{oshcc,oshc++,oshcxx,oshCC,shmemcc,shmemc++,shmemcxx,shmemCC,oshrun,atrium-info} include/{shmem.h,shmemx.h,shnode.h,pshmem.h,mpp/{shmem,shmemx}.h} \
    lib/{libatrium.so,libatrium.a,libshnode.a,libsma.so,libsma.a,pkgconfig/atrium.pc,pkgconfig/sma.pc} \
    lib/cmake/Atrium/AtriumConfig.cmake share/man/man1/{oshcc,oshrun,atrium-info}.1 share/man/man7/atrium.7 share/man/man3/shnode.3 \
    share/doc/atrium/{README.md,examples/{README.md,01_hello.c,heat/heat.h,python/heat.py}}; do
    [[ -e $PREFIX/$file ]] || { echo "missing: $file" && missing=1; }
  done
  [[ -z ${missing:-} ]]
}

# So that builds in two folders are alike. Debug information names sources.
nothing_installed_names_the_folder_of_the_build() {
  grep -qx 'CMAKE_BUILD_TYPE:.*=Release' "$BUILD_TREE/CMakeCache.txt" && [[ -z $SANITIZE ]] || skip "it has debug information"
  local found
  found=$(grep -rlFe "$SOURCE_TREE/" -e "$BUILD_TREE/" "$PREFIX" || true)
  [[ -z $found ]] || { echo "$found" && exit 1; }
}

# Debian's own tools refuse a package when a file is in none; here that is known without building one. The folder of libraries
# has a part more there, and debian/copyright has the license (packaging/debian/rules).
# But modules for flang, with which no package is built (Build-Depends).
every_installed_file_is_in_a_debian_package() {
  local file pattern patterns missing=
  mapfile -t patterns < <(cat "$SOURCE_TREE"/packaging/debian/{*.install,not-installed})
  grep -qw flang "$SOURCE_TREE/packaging/debian/control" || patterns+=('usr/include/atrium/fortran/flang-*')
  while IFS= read -r file; do
    file=usr/${file/#lib\//lib/triplet/}
    for pattern in "${patterns[@]}" usr/share/doc/atrium/LICENSE; do
      # shellcheck disable=SC2053 # these are patterns
      [[ $file != $pattern && $file != $pattern/* ]] || continue 2
    done
    echo "in no Debian package: $file" && missing=yes
  done < <(cd "$PREFIX" && find . ! -type d -printf '%P\n')
  [[ -z $missing ]]
}

# Libraries that are opened at run time, which no tool that makes packages sees.
every_library_that_is_opened_is_named_by_the_packages() {
  local library file missing=
  local -A of_fedora=([libdw]=elfutils-libs [libfabric]=libfabric [libhwloc]=hwloc-libs [libopen-trace-format2]=otf2 [libpmix]=pmix)
  for library in $(grep -aohE 'lib(dw|fabric|hwloc|open-trace-format2|pmix)\.so\.[0-9]+' "$bin/oshrun" "$PREFIX/lib/libatrium.so" | sort -u); do
    for file in debian/control container/Dockerfile; do
      grep -qE "[ ,]${library%.so.*}-?${library##*.}\b" "$SOURCE_TREE/packaging/$file" || { echo "$file does not name $library" && missing=yes; }
    done
    grep -qE "(Recommends|Suggests): +${of_fedora[${library%.so.*}]}$" "$SOURCE_TREE/packaging/atrium.spec" || { echo "atrium.spec does not name $library" && missing=yes; }
  done
  [[ -n $library && -z $missing ]]
}

# Their licenses ask for it in every copy.
what_others_wrote_has_its_notice() {
  local notices=$PREFIX/share/doc/atrium/THIRD-PARTY.md
  ! grep -aq nlohmann "$bin/oshrun" || grep -q "Niels Lohmann.*MIT" "$notices"
  [[ ! -d $PREFIX/share/doc/atrium/manual ]] || grep -q "Pradyun Gedam.*MIT" "$notices"
  grep -q "Permission is hereby granted" "$notices"
}

the_bill_of_materials_names_every_file() {
  need python3
  mkdir -p atrium-9.9 && echo 1 >atrium-9.9/a && echo 2 >atrium-9.9/b
  tar --mtime=@86400 -czf atrium-9.9.tar.gz atrium-9.9
  python3 "$SOURCE_TREE/packaging/sbom.py" "$work/atrium-9.9.tar.gz" >sbom.json
  python3 -c 'import json, sys
bill = json.load(open("sbom.json"))
assert sorted(f["fileName"] for f in bill["files"]) == ["./a", "./b"], bill["files"]
assert bill["packages"][0]["versionInfo"] == "9.9" and bill["spdxVersion"] == "SPDX-2.3"
assert bill["creationInfo"]["created"] == "1970-01-02T00:00:00Z", bill["creationInfo"]'
}

atrium_info_tells_people_and_programs_the_same() {
  need python3
  says "Atrium" "$bin/atrium-info" --version
  says "PMIx" "$bin/atrium-info"
  says "hwloc" "$bin/atrium-info"
  says "$(readlink -f "$PREFIX")/share/doc/atrium (examples/README.md" "$bin/atrium-info"
  ATRIUM_WAIT=yield SHMEM_SYMMETRIC_SIZE=1M "$bin/atrium-info" -n 3 --json >info.json
  ATRIUM_WAIT=yield SHMEM_SYMMETRIC_SIZE=1M "$bin/atrium-info" -n 3 >info.txt
  python3 -c 'import json
info, text = json.load(open("info.json")), open("info.txt").read()
assert "3 PEs" in info["job"]["waiting"] and info["job"]["waiting"].startswith("yield"), info["job"]
for section in "build", "machine", "job":
    for name, value in info[section].items():
        assert name in text and value in text, (name, value)
values = {v["name"]: v["value"] for v in info["variables"]}
assert values["ATRIUM_WAIT"] == "yield" and values["ATRIUM_SEGMENT"] is None, values
assert all(name in text for name in values)'
}

# (A build that found no libfabric cannot use any.)
atrium_info_says_once_what_is_missing() {
  ! ATRIUM_LIBFABRIC=/no/libfabric.so "$bin/atrium-info" --fabric >said 2>&1
  [[ $(grep -cE 'cannot (open the network library|use libfabric)' said) -eq 1 ]] || { cat said && exit 1; }
  ! grep -q 'Providers' said || { echo "a heading above nothing" && exit 1; }
  ! "$bin/atrium-info" --hosts >said 2>&1
  says "'--hosts' needs a word behind it" cat said
  ! "$bin/atrium-info" --hots a >said 2>&1
  says "'--hots' is no option" cat said
}
