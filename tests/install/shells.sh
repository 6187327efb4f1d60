# What shells are given: completions and the module file.
# SPDX-License-Identifier: BSD-3-Clause
. "$SOURCE_TREE/tests/install/installed.sh"

completions_are_what_the_flags_say() {
  need python3
  python3 "$SOURCE_TREE/packaging/completion/generate.py" --check
  local shell
  for shell in zsh fish; do
    ! command -v $shell >/dev/null || $shell -n "$SOURCE_TREE"/packaging/completion/*oshrun*"$([[ $shell == zsh ]] || echo .fish)"
  done
}

# completes WORD...: what bash offers for the last word.
function completes {
  local COMP_WORDS=(oshrun "$@") COMP_CWORD=$# COMPREPLY=()
  _oshrun
  printf '%s\n' "${COMPREPLY[@]}"
}

bash_completes_flags_values_and_programs() {
  source "$PREFIX/share/bash-completion/completions/oshrun"
  [[ $(completes --tim) == --timeout ]]
  [[ $(completes -n 2 --bind-to pa) == package ]]
  touch my_program my_input
  [[ $(completes -n 2 my_pro) == my_program ]]
  [[ $(completes -n 2 ./my_program my_in) == my_input ]]
  [[ -z $(completes -n "") ]]
}

the_module_file_follows_the_prefix() {
  local command version said path=$PATH
  command=$(find /usr/lib /usr/share/modules -maxdepth 3 -name modulecmd.tcl 2>/dev/null | head -n 1 || true)
  [[ -n $command ]] || skip "environment-modules is not installed"
  version=$(sed -n 's/^project(atrium VERSION \([0-9.]*\).*/\1/p' "$SOURCE_TREE/CMakeLists.txt")
  said=$(env -u MANPATH "MODULEPATH=$PREFIX/share/modulefiles" "$command" bash load "atrium/$version")
  (eval "$said" && [[ $(command -v oshrun) -ef $bin/oshrun && $ATRIUM_PREFIX -ef $PREFIX && $MANPATH == *: ]]) || { echo "$said" && exit 1; }
  # Twice is once, and leaves nothing.
  export MODULEPATH=$PREFIX/share/modulefiles
  for _ in 1 2; do eval "$("$command" bash load "atrium/$version")"; done
  [[ $(tr : '\n' <<<"$PATH" | grep -cxF "$bin") -eq 1 ]]
  eval "$("$command" bash unload "atrium/$version")"
  [[ $PATH == "$path" && -z ${ATRIUM_PREFIX:-} ]]
}
