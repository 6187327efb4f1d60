# Finds what is missing of packages.txt and installs it from the distribution.
# SPDX-License-Identifier: BSD-3-Clause

run_setup() {
  local set
  for set in "$@"; do
    grep -q "^$set " "$atrium_root/tools/door/packages.txt" || refuse "setup knows build, extra, demo, test, rdma, bench, lint and manual, not '$set'"
  done
  need build
  want extra "$@"
  [[ " $* " != *" test "* ]] || want_newer_mpis
  [[ -n $(missing_packages extra "$@") ]] || say "everything is there"
}

help_setup() {
  echo "usage: ./atrium setup [SET...]
Installs from the distribution what building needs, or also what a set is for: demo, test, rdma, bench, lint, manual.
tools/door/packages.txt has the packages. What cannot be had is named with what is left out for it. For test, today's Open MPI
and MPICH come from PyPI into build/newer_mpis."
}

# Requires: the set's packages; ends the program when they cannot be had.
need() {
  local missing
  read -ra missing <<<"$(missing_packages "$1")"
  [[ ${#missing[@]} -eq 0 ]] || install_packages "${missing[@]}" || fail "cannot go on without: ${missing[*]}"
}

# want SET...: would like their packages, asks once for all of them, and goes on without: what they serve is then left out
# with a word.
want() {
  local missing
  [[ " $* " != *" test "* || -z ${CI:-} ]] || set -- "$@" exposed
  read -ra missing <<<"$(missing_packages "$@")"
  [[ ${#missing[@]} -eq 0 ]] || { any_is_offered "${missing[@]}" && install_packages "${missing[@]}"; } || say_what_is_left_out "$@"
  [[ " $* " != *" test "* || -n ${CI:-} ]] || say_what_is_left_out exposed
}

# Today's Open MPI and MPICH, for the suite mpi; what cannot be had is left out with a word.
want_newer_mpis() {
  local reason
  reason=$("$atrium_root/tests/mpi/newer/fetch.sh" "$atrium_root/build/newer_mpis") || say "going on without them: $reason"
}

# say_what_is_left_out SET...: a line for each package that is still not there, and why.
say_what_is_left_out() {
  local set probe package purpose why missing
  missing=" $(missing_packages "$@") "
  while read -r set probe package purpose; do
    [[ " $* " == *" $set "* && $missing == *" $package "* ]] || continue
    why=
    is_offered "$package" || why=": this distribution does not have it"
    [[ $set != exposed ]] || why=": it would open this machine to its network, so please install it yourself"
    say "going on without $package ($purpose)$why"
  done <"$atrium_root/tools/door/packages.txt"
}

# missing_packages SET...: those that are not there, on one line, each once.
missing_packages() {
  local set probe package packages=()
  while read -r set probe package _; do
    [[ " $* " == *" $set "* && " ${packages[*]} " != *" $package "* ]] || continue
    is_there "$probe" || packages+=("$package")
  done <"$atrium_root/tools/door/packages.txt"
  echo "${packages[*]}"
}

is_there() {
  local name=${1#*:}
  case $1 in
    program:*"|"*) have "${name%"|"*}" || have "${name#*"|"}" ;;
    clang:*) echo "int main() {}" | clang -x c - -o /dev/null "$name" >/dev/null 2>&1 ;;
    program:*) have "$name" || have "/usr/sbin/$name" ;;
    header:*) echo "#include <$name>" | c++ -E -x c++ - >/dev/null 2>&1 ;;
    module:*) python3 -c "import $name" >/dev/null 2>&1 ;;
    import:*) python3 -c "import $name" >/dev/null 2>&1 || /usr/bin/python3 -c "import $name" >/dev/null 2>&1 ;; # one of them
    library:*) echo "int main() {}" | c++ -x c++ - -o /dev/null "-l$name" >/dev/null 2>&1 ;;
  esac
}

install_packages() {
  local as_root=()
  if ! have apt-get; then
    say "please install what provides these Debian packages, then try again: $*"
    ! have dnf || say "as Fedora calls them, and RHEL with CRB and EPEL: dnf install $(names_for_dnf "$@")"
    return 1
  fi
  [[ $(id -u) -eq 0 ]] || as_root=(sudo)
  if [[ $(id -u) -ne 0 ]] && ! can_sudo; then
    say "some packages are missing. As root: apt-get update && apt-get install -y --no-install-recommends $*"
    return 1
  fi
  say "installing from the distribution: $*"
  apt_get update || say "apt-get update complained; trying to install nevertheless"
  install_what_is_offered "$@" && hash -r
}

# Of what building needs and is better with.
names_for_dnf() {
  local package names=()
  for package in "$@"; do
    case $package in
      g++) package=gcc-c++ ;;
      nlohmann-json3-dev) package=json-devel ;;
      libopen-trace-format2-dev) package=otf2-devel ;;
      libpmix-dev | libhwloc-dev) package=${package#lib} ;;&
      *-dev) package=${package%-dev}-devel ;;
    esac
    names+=("$package")
  done
  echo "${names[*]}"
}

# One package that the distribution does not have would keep apt from all others. What comes with another one is the other's.
install_what_is_offered() {
  local package offered=()
  for package in "$@"; do
    ! is_offered "$package" || offered+=("$package")
  done
  [[ ${#offered[@]} -eq 0 ]] || apt_get install -y --no-install-recommends "${offered[@]}" || return 1
  [[ ${#offered[@]} -eq $# ]]
}
# Else there is nothing to ask the network for.
any_is_offered() {
  local package
  for package in "$@"; do ! is_offered "$package" || return 0; done
  return 1
}
# As far as apt knows: before its first update that is nothing.
is_offered() {
  have apt-cache && compgen -G '/var/lib/apt/lists/*_Packages*' >/dev/null || return 0
  [[ $(apt-cache policy "$1" 2>/dev/null) =~ Candidate:\ [^\(] ]]
}

# Without a terminal sudo must not ask for a password: nobody would answer.
can_sudo() { have sudo && { [[ -t 0 ]] || sudo -n true 2>/dev/null; }; }

# Requires: as_root set by install_packages. Starts no daemon of what it installs (Slurm's, munge): the last two variables
# keep systemd and its forerunner from it. Quiet unless it fails; waits for another apt instead of giving up.
apt_get() {
  local log status=0
  log=$(mktemp)
  "${as_root[@]}" env DEBIAN_FRONTEND=noninteractive SYSTEMD_OFFLINE=1 RUNLEVEL=1 apt-get -q -o DPkg::Lock::Timeout=300 "$@" \
    </dev/null >"$log" 2>&1 || status=$?
  [[ $status -eq 0 ]] || tail -n 20 "$log" >&2
  rm -f "$log"
  return $status
}
