/** The console's own style sheet, with the sizes of the product's type scale (docs/design-language.md). */
export const CONSOLE_STYLE = `body{font-size:.9375rem;line-height:1.6}
main{padding-top:1.25rem}
h1{font-size:1.5rem;line-height:1.25}
h2{font-size:1rem;line-height:1.5}
small,.field small,dt,.quiet,.rows li>span{font-size:.8125rem;line-height:1.4}
.counts .rows li>*{font-size:.9375rem}
.console{margin:0 0 1.75rem}
.console .tabs{flex-wrap:wrap;gap:0 clamp(.75rem,4vw,1.25rem);margin:0}
.console .tabs+.tabs{border-bottom:0}
.console .tabs+.tabs a{border-bottom:0;font-weight:400}
.console .tabs+.tabs a[aria-current]{color:var(--accent);font-weight:600;text-decoration:underline}
.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,9.5rem),1fr));gap:1px;margin:0 0 2rem;border:1px solid var(--line);border-radius:.875rem;background:var(--surface);overflow:hidden}
.figures>div{padding:.75rem 1rem;box-shadow:0 0 0 1px var(--line)}
.figures dd{font-size:1.25rem;line-height:1.4;font-weight:600;letter-spacing:-.015em;font-variant-numeric:tabular-nums}
.figures dd.quiet{font-size:.8125rem;font-weight:400;letter-spacing:0}
.charts{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,20rem),1fr));gap:1.5rem;margin:0 0 1rem}
.charts figure{margin:0}
.charts figcaption{display:flex;flex-wrap:wrap;justify-content:space-between;gap:0 1rem;font-weight:600}
.charts .quiet{font-weight:400}
.charts svg{display:block;width:100%;height:7rem;margin:.5rem 0 .25rem;border-bottom:1px solid var(--line-strong);fill:var(--accent)}
.charts .open{opacity:.5}
.ends{display:flex;justify-content:space-between;color:var(--ink-faint);font-size:.8125rem;line-height:1.4}
.days{width:100%;max-width:36rem;border-collapse:collapse;font-variant-numeric:tabular-nums}
.days th,.days td{padding:.375rem .5rem;border-bottom:1px solid var(--line);text-align:right;font-weight:400}
.days th:first-child{padding-left:0;text-align:left}
.days thead th{color:var(--ink-faint);font-size:.8125rem}
.button.second{border:1px solid var(--line-strong);background:var(--surface);color:var(--ink)}
.button.second:hover{background:var(--sunken)}
details{margin:0 0 1.5rem}
.ground{display:inline-block;padding:.5rem;border:1px solid var(--line);border-radius:.5rem;line-height:0}
.ground.light{background:#fff}.ground.dark{background:#131f22}
summary{width:fit-content;padding:.6875rem 0;color:var(--accent);font-weight:500;cursor:pointer}`;
