// What the manual's search shows first: pages of routines in front of texts that mention them. The numbers are Sphinx's own.
// SPDX-License-Identifier: BSD-3-Clause
var Scorer = {
  score: ([page, title, anchor, description, score]) =>
    score + (page.startsWith("routines/") && page !== "routines/index" ? 10 : 0),
  objNameMatch: 11,
  objPartialMatch: 6,
  objPrio: {0: 15, 1: 5, 2: -5},
  objPrioDefault: 0,
  title: 15,
  partialTitle: 7,
  term: 5,
  partialTerm: 2,
};
