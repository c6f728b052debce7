/* SPDX-License-Identifier: GPL-2.0-or-later */
/*
 * How a comparison's page looks. Colours are of Okabe and Ito's palette, which people
 * who do not tell red from green can tell apart; shades of waits go from light to dark,
 * in the dark the other way. A curve is told by its stroke and marks too.
 */
#include "sim-frontend/report/comparison_page.h"

static const char look[] =
":root{color-scheme:light dark;--paper:#fff;--ink:#1b1f24;--soft:#59636e;\n"
"--line:#d5dae0;--card:#f4f6f8;--m:#0068a8;--s:#c04f00;\n"
"--w0:#dfe9f3;--w1:#9cc3e0;--w2:#4a8fc4;--w3:#0d4a86;\n"
"--t0:#1b1f24;--t1:#1b1f24;--t2:#fff;--t3:#fff;\n"
"--p0:#8b95a1;--p1:#c6cdd4;--p2:#d55e00;--p3:#cc79a7;--p4:#e69f00;--p5:#009e73;\n"
"--p6:#56b4e9}\n"
"@media (prefers-color-scheme:dark){:root{--paper:#14181d;--ink:#e6eaee;\n"
"--soft:#9aa5b1;--line:#343b44;--card:#1d232a;--m:#56b4e9;--s:#f0a030;\n"
"--w0:#33414f;--w1:#2f5f86;--w2:#5a9fd0;--w3:#cfe6f7;\n"
"--t0:#e6eaee;--t1:#fff;--t2:#14181d;--t3:#14181d;\n"
"--p0:#76818d;--p1:#4a535d}}\n"
"@media print{:root{color-scheme:light;--paper:#fff;--ink:#000;--soft:#444;\n"
"--line:#ccc;--card:#fff;--m:#0068a8;--s:#c04f00;--w0:#dfe9f3;--w1:#9cc3e0;\n"
"--w2:#4a8fc4;--w3:#0d4a86;--t0:#000;--t1:#000;--t2:#fff;--t3:#fff;\n"
"--p0:#8b95a1;--p1:#c6cdd4}}\n"
"*{box-sizing:border-box}\n"
"body{margin:0 auto;padding:1.2rem;max-width:78rem;background:var(--paper);\n"
"color:var(--ink);font:16px/1.5 system-ui,-apple-system,\"Segoe UI\",\"DejaVu Sans\",\n"
"sans-serif;-webkit-print-color-adjust:exact;print-color-adjust:exact}\n"
"h1{font-size:1.55rem;line-height:1.2;margin:.2rem 0 .4rem}\n"
"h2{font-size:1.15rem;margin:2.2rem 0 .6rem}\n"
"p{max-width:46rem;margin:.5rem 0}p.head{max-width:none}.soft,figcaption small{color:var(--soft)}\n"
".verdict{max-width:46rem;margin:1rem 0;padding:.6rem .9rem;background:var(--card);\n"
"border:1px solid var(--line);border-left:.4rem solid var(--soft);border-radius:.4rem}\n"
".verdict p{margin:.2rem 0}.verdict ul{margin:.3rem 0;padding-left:1.2rem}\n"
".cards{display:grid;gap:.7rem;margin:1.1rem 0;\n"
"grid-template-columns:repeat(auto-fit,minmax(min(100%,10.4rem),1fr))}\n"
".card{background:var(--card);border:1px solid var(--line);border-radius:.5rem;\n"
"padding:.6rem .7rem}.card h3{margin:0;font-size:.86rem;font-weight:600;\n"
"color:var(--soft)}.card p{margin:.1rem 0;font-size:.95rem;font-variant-numeric:tabular-nums}\n"
".card b{font-size:1.25rem}.m,.card .m b{color:var(--m)}.s,.card .s b{color:var(--s)}\n"
".figures{display:grid;gap:1.1rem 1.4rem;\n"
"grid-template-columns:repeat(auto-fit,minmax(min(100%,21.5rem),1fr))}\n"
"figure{margin:0;break-inside:avoid}figure.wide{margin:1rem 0}\n"
"figcaption{font-weight:600;margin-bottom:.25rem}\n"
"svg{display:block;width:100%;height:auto;font-size:12.5px}\n"
"svg text{fill:var(--ink)}svg .small{font-size:11px}\n"
"svg .unit{fill:var(--soft)}svg .title{font-size:14px;font-weight:600}\n"
"svg text.measured{fill:var(--m)}svg text.simulated{fill:var(--s)}\n";

static const char pictures[] =
".grid{stroke:var(--line);stroke-width:1}.axis{stroke:var(--soft);stroke-width:1}\n"
".edge{stroke:var(--ink);stroke-width:1;stroke-dasharray:2 3}\n"
".curve{fill:none;stroke-width:2.2;stroke-linejoin:round}\n"
".curve.measured{stroke:var(--m)}\n"
".curve.simulated{stroke:var(--s);stroke-dasharray:6 3}\n"
".mark{stroke:var(--paper);stroke-width:1.5}.mark.measured{fill:var(--m)}\n"
".mark.simulated{fill:var(--s)}\n"
".bars rect{stroke:var(--paper);stroke-width:.5}.bars rect.n{stroke:none}.bars text{font-size:11px}\n"
".w0 rect,.k.w0{fill:var(--w0);background:var(--w0)}\n"
".w1 rect,.k.w1{fill:var(--w1);background:var(--w1)}\n"
".w2 rect,.k.w2{fill:var(--w2);background:var(--w2)}\n"
".w3 rect,.k.w3{fill:var(--w3);background:var(--w3)}\n"
"svg .w0 text{fill:var(--t0)}svg .w1 text{fill:var(--t1)}\n"
"svg .w2 text{fill:var(--t2)}svg .w3 text{fill:var(--t3)}\n"
".part{stroke:var(--paper);stroke-width:1}\n"
".p0{fill:var(--p0);background:var(--p0)}.p1{fill:var(--p1);background:var(--p1)}\n"
".p2{fill:var(--p2);background:var(--p2)}.p3{fill:var(--p3);background:var(--p3)}\n"
".p4{fill:var(--p4);background:var(--p4)}.p5{fill:var(--p5);background:var(--p5)}\n"
".p6{fill:var(--p6);background:var(--p6)}\n"
"svg .on{font-size:12px}svg .o0,svg .o2,svg .o3,svg .o4,svg .o5,svg .o6{fill:#000}\n"
".k{display:inline-block;width:.85em;height:.85em;border:1px solid var(--line);\n"
"border-radius:2px;margin:0 .35em 0 0;vertical-align:-.08em}\n"
".keys{margin:.3rem 0;font-size:.9rem}.keys span{white-space:nowrap;\n"
"margin-right:1.1rem}\n"
".scroll{overflow-x:auto}.scroll svg{min-width:46rem}\n"
"table{border-collapse:collapse;font-variant-numeric:tabular-nums;\n"
"font-size:.88rem;margin:.3rem 0 1.2rem}caption{text-align:left;font-weight:600;\n"
"padding:.2rem 0}th,td{padding:.2rem .5rem;text-align:right;\n"
"border-bottom:1px solid var(--line);white-space:nowrap}\n"
"th{font-weight:600;color:var(--soft)}th:first-child,td:first-child{\n"
"text-align:left}thead tr:first-child th{text-align:center;border-bottom:0}\n"
"td.m{padding-left:1rem}code{font-size:.92em}li{max-width:46rem;margin:.3rem 0}\n";

static const char in_print[] =
"@media print{body{padding:0;font-size:10.5pt;max-width:none}\n"
"@page{size:A4;margin:14mm}.figures{grid-template-columns:1fr 1fr}\n"
".scroll{overflow:visible}.scroll svg{min-width:0}\n"
"table{font-size:8.2pt}th,td{padding:.1rem .28rem}td.m{padding-left:.5rem}\n"
"tr,.card{break-inside:avoid}h2,caption{break-after:avoid}\n"
".cards{grid-template-columns:repeat(3,1fr)}}\n";

void lxfw_page_style(struct lxfw_output *output)
{
	lxfw_output_text(output, look);
	lxfw_output_text(output, pictures);
	lxfw_output_text(output, in_print);
}
