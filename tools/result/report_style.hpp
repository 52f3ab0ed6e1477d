// The report's style sheet, kept apart from the code that fills the page.
#pragma once

namespace weft::tools {

inline constexpr const char* report_style = R"css(
:root { color-scheme: light dark; --page: #fbfbfa; --card: #ffffff; --text: #1d1d1b; --soft: #62625c; --line: #dddcd6;
  --band: #ece9de; --series-0: #2a78d6; --series-1: #d9591f; --series-2: #168a61; --series-3: #b77d00;
  --series-4: #c8508a; --series-5: #4a3aa7; --series-6: #d03b3b; --series-7: #4f7d0b; }
@media (prefers-color-scheme: dark) { :root { --page: #161615; --card: #1f1f1d; --text: #eeede8; --soft: #a5a49c;
  --line: #3a3a37; --band: #33322b; --series-0: #5598e7; --series-1: #f07f45; --series-2: #2fb584; --series-3: #d9a021;
  --series-4: #e583b1; --series-5: #9c91ee; --series-6: #ee7373; --series-7: #8cba45; } }
* { box-sizing: border-box; }
body { margin: 0 auto; padding: 1.5rem 1rem 3rem; max-width: 82rem; background: var(--page); color: var(--text);
  font: 15px/1.45 system-ui, "Segoe UI", "Helvetica Neue", Arial, sans-serif; }
h1 { font-size: 1.5rem; margin: 0 0 .2rem; } h2 { font-size: 1.15rem; margin: 2rem 0 .6rem; }
h3 { font-size: .95rem; margin: 1.2rem 0 .3rem; }
p { margin: .3rem 0; } .soft { color: var(--soft); }
section.run, .card { background: var(--card); border: 1px solid var(--line); border-radius: 8px; padding: 1rem 1.2rem;
  margin: 0 0 1rem; }
section.run h2 { margin-top: 0; }
div.grid { display: grid; grid-template-columns: repeat(auto-fit, minmax(min(100%, 27rem), 1fr)); gap: 0 2rem; }
.scroll { overflow-x: auto; }
table { border-collapse: collapse; font-variant-numeric: tabular-nums; }
th, td { padding: .22rem .9rem .22rem 0; border-bottom: 1px solid var(--line); text-align: right;
  white-space: nowrap; vertical-align: top; }
th:first-child, td:first-child { text-align: left; } td:first-child { color: var(--soft); }
tr.group th { padding-top: .9rem; text-align: left; font-size: .85rem; }
td.text { text-align: right; max-width: 22rem; white-space: normal; overflow-wrap: anywhere; }
code, pre { font: 12.5px/1.45 ui-monospace, "DejaVu Sans Mono", Menlo, Consolas, monospace; }
pre { overflow-x: auto; margin: .5rem 0; } summary { cursor: pointer; margin: .6rem 0; }
svg { display: block; width: 100%; max-width: 46rem; height: auto; }
svg text { fill: var(--soft); font-size: 11.5px; } .axis { stroke: var(--soft); } line.grid { stroke: var(--line); }
.line { fill: none; stroke-width: 1.8; stroke-linejoin: round; } .area { opacity: .13; }
.band { fill: var(--band); } .band.odd { fill-opacity: .55; } .bar, .cell { fill: var(--series-0); }
.legend { color: var(--soft); font-size: .85rem; } .legend span { display: inline-block; max-width: 100%;
  margin-right: 1rem; overflow-wrap: anywhere; }
.legend i { display: inline-block; width: 1.5rem; margin-right: .35rem; vertical-align: middle; }
.legend i.ramp { height: .7rem; width: 5rem; margin: 0 .3rem; opacity: 1;
  background: linear-gradient(90deg, color-mix(in srgb, var(--series-0) 8%, transparent), var(--series-0)); }
.warning { border-left: 4px solid var(--series-3); padding-left: .7rem; margin: .4rem 0; }
@media print { section.run, .card { break-inside: avoid; } }
)css";

}  // namespace weft::tools
