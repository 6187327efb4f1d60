// How the page looks: by day and by night, on wide screens and narrow ones.
// SPDX-License-Identifier: BSD-3-Clause
#pragma once

namespace atrium::profile {

inline constexpr const char* page_style = R"(
:root { color-scheme: light dark; --back: #fff; --text: #1c2430; --soft: #5b6675; --line: #d9dee5; --panel: #f5f7f9;
  --work: #2f7d6b; --wait: #d9803a; --idle: #c3d3e6; --own: #7d9cc4; --heat: 47, 125, 107; }
@media (prefers-color-scheme: dark) { :root { --back: #14181e; --text: #e4e8ee; --soft: #9aa5b3; --line: #333b46;
  --panel: #1c222a; --work: #4fb39b; --wait: #e79a58; --idle: #35445a; --own: #6284b5; --heat: 79, 179, 155; } }
* { box-sizing: border-box; }
body { margin: 0 auto; max-width: 80rem; padding: 1.5rem 1rem 4rem; background: var(--back); color: var(--text);
  font: 15px/1.5 system-ui, sans-serif; }
h1 { font-size: 1.5rem; margin: 0; } h2 { font-size: 1.1rem; margin: 2.2rem 0 .3rem; }
p { margin: .2rem 0 .6rem; color: var(--soft); max-width: 60rem; }
.facts { display: flex; flex-wrap: wrap; gap: .6rem; margin: 1rem 0; }
.facts div { background: var(--panel); border: 1px solid var(--line); border-radius: 6px; padding: .5rem .9rem; }
.facts b { display: block; font-size: 1.25rem; } .facts span { color: var(--soft); font-size: .85rem; }
.wide { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; font-size: .9rem; }
th { color: var(--soft); font-weight: 500; text-align: right; vertical-align: bottom; }
td { text-align: right; white-space: nowrap; } td, th { padding: .22rem .7rem; border-bottom: 1px solid var(--line); }
td.name, th.name { text-align: left; } td.name { font-family: ui-monospace, monospace; }
.bar { display: flex; width: 8rem; height: .8rem; background: var(--idle); border-radius: 2px; overflow: hidden; }
.bar i { display: block; height: 100%; } .wait { background: var(--wait); } .work { background: var(--work); }
.idle { background: var(--idle); } .own { background: var(--own); }
.key { display: inline-block; width: .8rem; height: .8rem; border-radius: 2px; margin: 0 .3rem 0 .8rem; vertical-align: -1px; }
.matrix td, .matrix th { white-space: nowrap; padding: .25rem .45rem; border: 1px solid var(--line); font-size: .8rem; }
.foot { margin-top: 2.2rem; }
.warning { border-left: 3px solid var(--wait); padding-left: .7rem; color: var(--text); }
svg { width: 100%; height: auto; max-width: 48rem; } svg text { fill: var(--soft); font-size: 12px; }
svg polyline { fill: none; stroke: var(--work); stroke-width: 1.5; } svg line { stroke: var(--line); }
@media (max-width: 40rem) { body { font-size: 14px; } .bar { width: 6rem; } td, th { padding: .2rem .4rem; } }
)";

}  // namespace atrium::profile
