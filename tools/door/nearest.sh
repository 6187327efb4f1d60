# Finds the known word that a mistyped one was probably meant to be.
# SPDX-License-Identifier: BSD-3-Clause

# nearest WORD CANDIDATE...: the first of the candidates with the fewest changes to WORD (a letter changed, left out, put in, or
# swapped with its neighbour); none where that takes more than a third of the candidate's letters, and more than one.
nearest() {
  local word=$1
  shift
  printf '%s\n' "$@" | awk -v word="$word" '
    function least(a, b) { return a < b ? a : b }
    function changes(from, to,    i, j, cost, d) {
      for (i = 0; i <= length(from); ++i) d[i, 0] = i
      for (j = 0; j <= length(to); ++j) d[0, j] = j
      for (i = 1; i <= length(from); ++i)
        for (j = 1; j <= length(to); ++j) {
          cost = substr(from, i, 1) != substr(to, j, 1)
          d[i, j] = least(d[i - 1, j - 1] + cost, least(d[i - 1, j], d[i, j - 1]) + 1)
          if (i > 1 && j > 1 && substr(from, i - 1, 2) == substr(to, j, 1) substr(to, j - 1, 1))
            d[i, j] = least(d[i, j], d[i - 2, j - 2] + 1)
        }
      return d[length(from), length(to)]
    }
    { few = changes(word, $0); most = length($0) / 3; if (few <= (most < 1 ? 1 : most) && (best == "" || few < fewest)) { best = $0; fewest = few } }
    END { if (best != "") print best }'
}
