/** The style of every page that the server makes. docs/design-language.md has its rules. */
import { DARK, LIGHT } from '#domain/theme.ts';
import { SCALE, variablesOf } from '../../brand/theme.ts';

/** Frame, text, lists, forms: what all pages have. */
const BASE = `*{box-sizing:border-box}
[hidden]{display:none!important}
html{text-size-adjust:100%;scroll-padding-top:calc(var(--spacing-header) + 1rem)}
body{margin:0;min-height:100vh;display:flex;flex-direction:column;background:var(--canvas);color:var(--ink);font:var(--text-sm)/1.5 var(--font-sans);overflow-wrap:anywhere;-webkit-font-smoothing:antialiased}
a{color:var(--accent);text-underline-offset:4px;border-radius:var(--radius-tight)}
:focus-visible{outline:2px solid var(--accent);outline-offset:2px}
h1,h2,h3,.logo,.figures dd:first-of-type{font-family:var(--font-display);font-weight:600;letter-spacing:-.015em}
h1,h2,h3{text-wrap:balance}
h1{margin:0 0 1rem;font-size:var(--text-3xl);line-height:1.2}
h2{margin:2rem 0 .5rem;font-size:var(--text-xl);line-height:1.3}
h3{margin:1.5rem 0 .375rem;font-size:var(--text-base);line-height:1.5}
p{margin:0 0 1rem;text-wrap:pretty}
code{font:.9375em var(--font-mono)}
small,dt,.quiet,figcaption,thead th{color:var(--ink-soft);font-size:var(--text-xs);font-weight:400;line-height:1.4}
p.quiet{font-size:inherit;line-height:inherit}
dl,dd,figure,fieldset{margin:0;padding:0;border:0;min-width:0}
.skip{position:fixed;top:.5rem;left:.5rem;z-index:50;padding:.5rem 1rem;border-radius:var(--radius-control);background:var(--accent);color:var(--on-accent)}
.skip:not(:focus){width:1px;height:1px;padding:0;overflow:hidden;clip-path:inset(50%);white-space:nowrap}
.announcement{background:var(--accent-soft);border-bottom:1px solid var(--line)}
.announcement p,body>header>div,body>footer>div,main{width:100%;max-width:72rem;margin:0 auto;padding-inline:1rem}
.announcement p{padding-block:.625rem;font-size:.875rem;font-weight:500}
body>header{position:sticky;top:0;z-index:30;border-bottom:1px solid var(--line);background:var(--canvas)}
body>header>div{display:flex;align-items:center;gap:.5rem;min-height:var(--spacing-header)}
.logo{display:flex;align-items:center;gap:.5rem;min-width:0;color:var(--ink);font-size:var(--text-lg);letter-spacing:-.025em;text-decoration:none}
.logo :is(svg,img){flex:none;color:var(--accent)}
.logo span{overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.chip{position:relative;flex:none}
.chip summary,.mark{display:flex;align-items:center;width:fit-content;height:1.5rem;padding:0 .5rem;border:1px solid var(--line-strong);border-radius:999px;color:var(--ink-soft);font-size:var(--text-xs);font-weight:500;white-space:nowrap;list-style:none}
.chip p{position:absolute;top:100%;left:0;width:15rem;margin:.5rem 0 0;padding:.75rem;border:1px solid var(--line);border-radius:var(--radius-control);background:var(--surface);color:var(--ink-soft);font-size:var(--text-xs);box-shadow:var(--shadow-rest)}
.bar{display:flex;flex-wrap:wrap;align-items:center;gap:.25rem}
.bar.end{flex:none;flex-wrap:nowrap;gap:.5rem;margin-left:auto}
.bar a:not(.button){display:inline-flex;align-items:center;min-height:2.25rem;padding:0 .75rem;border-radius:var(--radius-control);color:var(--ink-soft);font-weight:500;white-space:nowrap;text-decoration:none}
.bar a:not(.button):hover{background:var(--sunken);color:var(--ink)}
.bar a[aria-current]:not(.button){background:var(--accent-soft);color:var(--accent)}
.bar .button{min-height:2.25rem;padding:.25rem .75rem;white-space:nowrap}
body>footer{border-top:1px solid var(--line);color:var(--ink-faint);font-size:var(--text-xs)}
body>footer>div{display:flex;flex-wrap:wrap;align-items:center;justify-content:space-between;gap:.25rem 1rem;min-height:3rem;padding-block:.75rem}
body>footer p{margin:0}
body>footer nav{display:flex;flex-wrap:wrap;gap:0 1rem}
body>footer a{display:inline-flex;align-items:center;min-height:1.5rem;color:inherit;text-decoration:none}
body>footer a:hover{color:var(--ink);text-decoration:underline}
main{flex:1;padding-block:1.5rem 4rem;outline:0}
body:not([class])>main{max-width:42rem;padding-top:2.5rem;font-size:var(--text-base);line-height:1.625}
main>p,main>.notice{max-width:46rem}
main>ul:not([class]){margin:0 0 1rem;padding-left:1.25rem}
main>ul:not([class])>li+li,.text li+li{margin-top:.375rem}
main>pre,.text pre,.message pre{margin:0 0 1rem;padding:.75rem 1rem;border:1px solid var(--line);border-radius:var(--radius-control);background:var(--surface);white-space:pre-wrap;font:.875rem/1.6 var(--font-mono)}
.lead{color:var(--ink-soft);font-size:var(--text-lg);line-height:1.55}
.card,.facts,.rows,.figures,table,.mailbox ol{border:1px solid var(--line);border-radius:var(--radius-card);background:var(--surface);box-shadow:var(--shadow-rest)}
.card{padding:1rem}
.card>:first-child{margin-top:0}
.card>:last-child{margin-bottom:0}
.card h2{font-size:var(--text-base);line-height:1.5}
.notice,main>.error,.card>.error{margin:0 0 1rem;padding:.75rem 1rem;border-radius:var(--radius-card);background:var(--warn-soft)}
.notice>:last-child{margin-bottom:0}
.notice p{margin:0 0 .375rem}
.notice ul{margin:.25rem 0;padding-left:1.25rem}
main>.error,.card>.error{background:var(--bad-soft)}
.error{color:var(--bad);font-weight:500}
.facts{margin:0 0 1.5rem}
.facts>div{display:grid;gap:0 1.5rem;padding:.625rem 1rem}
:is(.halves,.columns) .facts>div{display:flex;justify-content:space-between}
:is(.halves,.columns) .facts dd{font-weight:500;text-align:right;font-variant-numeric:tabular-nums}
.facts>div+div,.rows>li+li{border-top:1px solid var(--line)}
.rows{margin:0 0 1.5rem;padding:0;list-style:none}
.rows>li{display:grid;gap:.25rem;padding:.625rem 1rem}
.rows>li>a{display:flex;align-items:center;min-height:1.75rem;font-weight:500}
.rows .facts{margin:.5rem 0;border-color:var(--line);box-shadow:none}
.counts .rows>li{grid-template-columns:minmax(0,1fr) auto;gap:1rem;align-items:center}
.counts .rows .quiet{font-size:inherit;font-variant-numeric:tabular-nums}
.figures{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,9.5rem),1fr));gap:1px;margin:0 0 1.5rem;overflow:hidden}
.figures>div{padding:.75rem 1rem;box-shadow:0 0 0 1px var(--line)}
.figures dd:first-of-type{font-size:var(--text-xl);line-height:1.4;font-variant-numeric:tabular-nums}
table{width:100%;margin:0 0 1.5rem;border-collapse:separate;border-spacing:0;font-variant-numeric:tabular-nums}
:is(th,td){padding:.5rem .75rem;border-top:1px solid var(--line);font-weight:400;text-align:left;vertical-align:top}
thead th{border:0;font-weight:500}
:is(th,td):first-child{padding-left:1rem}
:is(th,td):last-child{padding-right:1rem}
tfoot :is(th,td){font-weight:600}
.n{text-align:right}
.line{white-space:nowrap}
:is(td,th) small,td>span{display:block}
.bars{display:block;width:100%;height:7rem;margin:.5rem 0 .25rem;border-bottom:1px solid var(--line-strong);fill:var(--accent)}
.bars .open{opacity:.5}
.ends{display:flex;justify-content:space-between;margin:0 0 1rem;color:var(--ink-faint);font-size:var(--text-xs)}
.columns{display:grid;grid-template-columns:repeat(auto-fit,minmax(min(100%,20rem),1fr));gap:1rem 1.5rem;align-items:start;margin:0 0 1.5rem}
.tabs{display:flex;flex-wrap:wrap;gap:0 1rem;margin:0 0 1.5rem;border-bottom:1px solid var(--line);font-weight:500}
.tabs a{margin-bottom:-1px;padding:.375rem .125rem .625rem;border-bottom:2px solid transparent;color:var(--ink-soft);text-decoration:none}
.tabs a:hover{color:var(--ink)}
.tabs a[aria-current]{border-color:var(--accent);color:var(--ink)}
.button{display:inline-flex;align-items:center;justify-content:center;min-height:2.5rem;padding:.5rem 1rem;border:1px solid transparent;border-radius:var(--radius-control);background:var(--accent);color:var(--on-accent);font:500 var(--text-sm)/1.375rem var(--font-sans);text-decoration:none;box-shadow:var(--shadow-rest);cursor:pointer;justify-self:start}
.button:hover{background:var(--accent-strong)}
.button.second{border-color:var(--line-strong);background:var(--surface);color:var(--ink)}
.button.second:hover{background:var(--sunken)}
.plain{display:inline-block;padding:.5rem 0;font-weight:500}
.actions{display:flex;flex-wrap:wrap;gap:.5rem 1.5rem;align-items:center;margin:1.5rem 0 0}
summary{width:fit-content;padding:.375rem 0;border-radius:var(--radius-tight);color:var(--accent);font-weight:500;cursor:pointer}
form{display:grid;gap:1rem}
form .actions{margin-top:.5rem}
form.card{max-width:36rem}
.field{display:grid;gap:.375rem;align-content:start;min-width:0}
.field label,legend{padding:0;font-weight:500}
input:not([type=radio]),select,textarea{width:100%;min-height:2.5rem;padding:.5rem .75rem;border:1px solid var(--line-strong);border-radius:var(--radius-control);background:var(--surface);color:var(--ink);font:1rem/1.375rem var(--font-sans);box-shadow:var(--shadow-rest)}
textarea{min-height:6rem;resize:vertical}
::file-selector-button{margin-right:.75rem;padding:.125rem .75rem;border:1px solid var(--line-strong);border-radius:var(--radius-tight);background:var(--sunken);color:var(--ink);font:inherit;cursor:pointer}
[aria-invalid=true]{border-color:var(--bad)!important}
.choices{display:grid;margin-top:.375rem}
.choices label{display:grid;grid-template-columns:auto minmax(0,1fr);gap:.75rem;align-items:start;padding:.5rem 0;font-weight:400;cursor:pointer}
.choices input{width:1.25rem;height:1.25rem;margin:.125rem 0 0;accent-color:var(--accent)}
.search{grid-template-columns:minmax(0,1fr) auto;gap:.5rem;max-width:36rem;margin:0 0 1.5rem;align-items:end}
.rows form{margin:.375rem 0}
.shown{--pen:linear-gradient(var(--lit) 0 0);display:grid;justify-items:start;gap:.5rem;margin:0 0 1.5rem;padding:1.5rem;background:var(--pen) 0 0/1.125rem 1.5px,var(--pen) 0 0/1.5px 1.125rem,var(--pen) 100% 0/1.125rem 1.5px,var(--pen) 100% 0/1.5px 1.125rem,var(--pen) 0 100%/1.125rem 1.5px,var(--pen) 0 100%/1.5px 1.125rem,var(--pen) 100% 100%/1.125rem 1.5px,var(--pen) 100% 100%/1.5px 1.125rem,var(--sunken);background-repeat:no-repeat}
.shown :is(img,video){display:block;max-width:100%;height:auto;background:var(--surface)}
.shown strong{font-size:var(--text-lg);line-height:1.4}
.ads{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,20rem),1fr));gap:1rem;margin:0 0 1.5rem;padding:0;list-style:none}
.ads li{display:grid;grid-template-rows:auto 1fr;padding:0;overflow:hidden}
.ads .picture{display:grid;place-items:center;height:9rem;border-bottom:1px solid var(--line);background:var(--sunken)}
.ads img{display:block;width:100%;height:9rem;object-fit:contain}
.ads .picture p{margin:0;padding:0 1.25rem}
.ads .about{display:grid;gap:.125rem;align-content:start;padding:1rem}
.ads :is(h2,h3){margin:0;font-size:var(--text-base);line-height:1.4}
.whole{position:relative}
.whole:hover{border-color:var(--line-strong)}
.whole:focus-within{outline:2px solid var(--accent);outline-offset:2px}
.whole :is(h2,h3) a{color:var(--ink);text-decoration:none}
.whole :is(h2,h3) a::after{content:"";position:absolute;inset:0}
.whole :is(h2,h3) a:focus-visible{outline:0}
.clamp{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden;color:var(--ink-soft)}
.text{max-width:46rem;font-size:var(--text-base);line-height:1.625}
.text :is(h4,h5,h6){margin:1.25rem 0 .25rem;font-size:var(--text-base)}
.text :is(ul,ol,blockquote,.scroll){margin:0 0 1rem}
.text :is(ul,ol){padding-left:1.5rem}
.text li>:is(ul,ol){margin:.375rem 0 0}
.text blockquote{padding:.125rem 0 .125rem 1rem;border-left:3px solid var(--line-strong);color:var(--ink-soft)}
.text .scroll{overflow-x:auto}
.text .scroll table{margin:0}
.text :is(th,td){min-width:7rem;overflow-wrap:break-word}
.text img{display:block;max-width:100%;height:auto;border-radius:var(--radius-control)}
.text hr{margin:2rem 0;border:0;border-top:1px solid var(--line)}`;

/** The public catalogue: cards, filters, drawings of pages. */
const CATALOGUE = `.crumb{margin:0 0 .75rem}
.filters{gap:.75rem;margin:0 0 1.5rem}
.filters .row{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:.75rem;align-items:end}
.filters .row>:is(:first-child,:last-child){grid-column:1/-1}
.filters .button{width:100%}
.sites{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,21rem),1fr));gap:1rem;margin:0 0 1.5rem}
.site{display:grid;grid-template-columns:auto minmax(0,1fr);grid-row:span 4;grid-template-rows:subgrid;gap:.75rem 1rem}
.site h2{margin:0 0 .125rem;line-height:1.35}
.site h2 a{display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}
.site :is(p,h2){margin:0}
.site>:nth-child(n+3){grid-column:1/-1}
.site .address{display:block;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.site .figures{grid-template-columns:repeat(2,minmax(0,1fr));gap:1rem;margin:0;padding:.75rem 0 0;border-width:1px 0 0;border-radius:0;box-shadow:none;overflow:visible}
.site .figures>div{display:flex;flex-direction:column-reverse;justify-content:flex-end;padding:0;box-shadow:none}
.site .unknown dd:first-of-type{font:400 .875rem/1.75rem var(--font-sans);letter-spacing:0;color:var(--ink-faint)}
.site-picture{display:block;flex:none;width:4rem;height:4rem;border:1px solid var(--line);border-radius:var(--radius-control);background:var(--sunken);object-fit:cover}
.site-picture rect{fill:var(--accent-soft)}
.site-picture text{fill:var(--accent);font-weight:600;text-anchor:middle;dominant-baseline:central}
.tone-1 rect{fill:var(--sunken)}.tone-1 text{fill:var(--ink-soft)}
.tone-2 rect{fill:var(--accent-strong)}.tone-2 text{fill:var(--on-accent)}
.verified{color:var(--good)}
.verified svg{vertical-align:-.125em;margin-right:.25rem}
.unverified{color:var(--warn)}
.title{display:flex;gap:1rem;align-items:flex-start;margin:0 0 1.5rem}
.title .site-picture{width:6rem;height:6rem}
.title h1{margin:0 0 .25rem}
.title p{margin:0}
.title .quiet{display:flex;flex-wrap:wrap;gap:.125rem 1rem}
.halves{display:grid;gap:1.5rem;align-items:start;margin:0 0 2rem}
:is(.halves,.columns) section>h2{margin-top:0}
.columns .facts,.rows p{margin:0}
.facets{display:flex;flex-wrap:wrap;gap:.375rem;margin:0 0 1.25rem}
.facets a{padding:.25rem .625rem;border:1px solid var(--line);border-radius:999px;background:var(--surface);color:var(--ink);font-size:.875rem;text-decoration:none}
.facets a:hover{border-color:var(--accent);color:var(--accent)}
.sketch{display:block;width:100%;max-height:24rem;margin:0 auto .5rem}
.sketch .paper{fill:var(--surface);stroke:var(--line);vector-effect:non-scaling-stroke}
.sketch .fold{fill:none;stroke:var(--ink-faint);stroke-dasharray:4 4;vector-effect:non-scaling-stroke}
.sketch .free rect{fill:var(--lit-soft)}
.sketch .free rect{stroke:var(--lit);stroke-width:2;vector-effect:non-scaling-stroke}
.sketch text{fill:var(--ink);font-weight:600;text-anchor:middle;dominant-baseline:central}
.zone{display:grid;gap:.75rem 1.5rem;margin:0 0 1rem;scroll-margin-top:4.5rem}
.zone:target{border-color:var(--accent)}
.zone :is(h3,p){margin:0}
.zone p:not(.actions){font-size:.875rem;color:var(--ink-soft)}
.zone ul{display:grid;gap:.375rem;margin:0;padding:0;list-style:none}
.zone li{display:grid;grid-template-columns:3.5rem minmax(0,1fr);gap:.75rem}
.zone li>:first-child{color:var(--ink-faint)}
.zone small{display:block}
.zone .actions{margin:0;gap:.75rem 1.25rem}
.number{display:inline-grid;place-items:center;min-width:1.625rem;height:1.625rem;margin-right:.5rem;padding:0 .375rem;border-radius:999px;background:var(--sunken);color:var(--ink-soft);font:600 var(--text-xs) var(--font-sans)}
.places{display:flex;grid-column:1/-1;order:1;flex-wrap:wrap;gap:1rem 2rem}
.places figure{display:flex;gap:.75rem}
.places figcaption{max-width:14rem}
.places .sketch{flex:none;width:auto;height:8rem;max-width:10rem;margin:0}
.places>p{flex-basis:100%}`;

/** The operator's console. */
const CONSOLE = `.console h1,.message h1{font-size:var(--text-2xl);line-height:1.25}
.console h2{font-size:var(--text-base);line-height:1.5}
.acts{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,28rem),1fr));gap:1rem;align-items:start;margin:0 0 1.5rem}
.act{max-width:46rem;margin:0 0 1.5rem}
.acts>.act{max-width:none;margin:0}
.act textarea{min-height:4.5rem}
.source{min-height:24rem!important;font:.875rem/1.6 var(--font-mono)!important}
.ground{display:inline-block;padding:.5rem;border:1px solid var(--line);border-radius:var(--radius-control);line-height:0}
.ground.light{background:${LIGHT.surface}}.ground.dark{background:${DARK.surface}}`;

/** The pages of development: the mailbox, and the panel for rehearsals. */
const DEVELOPMENT = `.mailbox{display:grid;gap:1.5rem;align-items:start}
.mailbox ol{margin:0;padding:0;list-style:none;overflow:hidden}
.mailbox li+li{border-top:1px solid var(--line)}
.mailbox li a{display:flex;flex-wrap:wrap;justify-content:space-between;column-gap:1rem;padding:.75rem 1rem;color:var(--ink-soft);text-decoration:none;font-size:.875rem;line-height:1.4}
.mailbox li a:hover{background:var(--sunken)}
.mailbox li a:focus-visible{outline-offset:-2px}
.mailbox li a[aria-current]{background:var(--accent-soft)}
.mailbox li strong{flex-basis:100%;color:var(--ink);font-weight:600}
.message h1{margin-bottom:.25rem}
.message iframe{display:block;width:100%;height:max(34rem,calc(100vh - 18rem));border:1px solid var(--line);border-radius:var(--radius-card);background:var(--surface)}
.result{position:sticky;top:4.25rem;z-index:1;margin:0 0 1rem}`;

const WIDTHS = `@media(max-width:23rem){.logo svg+span,.logo img+span{display:none}}
@media(max-width:39.99rem){.bar.end .roomy{display:none}.console>header>div{flex-wrap:wrap;padding-block:.5rem}.bar a:not(.button){padding-inline:.5rem}.bar:not(.end){order:1;flex-basis:100%;gap:0;margin:0 -.5rem}.bar:not(.end) a:not(.button){padding-inline:.375rem;font-size:.875rem}}
@media(min-width:40rem){.announcement p,body>header>div,body>footer>div,main{padding-inline:1.5rem}.card{padding:1.5rem}.facts>div,.rows>li{padding-inline:1.5rem}:is(th,td):first-child{padding-left:1.5rem}:is(th,td):last-child{padding-right:1.5rem}input:not([type=radio]),select,textarea{font-size:var(--text-sm)}}
@media(max-width:40rem){.sites{gap:.5rem}.site{gap:.5rem .75rem;padding:.75rem}.site .clamp,.site .stated{display:none}.facets{flex-wrap:nowrap;overflow-x:auto;margin:0 0 .75rem}.facets a{flex:none}.site .site-picture{width:3rem;height:3rem}.site .figures{padding-top:.5rem}}
@media(min-width:48rem){[class]>main>.facts>div{grid-template-columns:15rem minmax(0,1fr);align-items:baseline}.filters .row{grid-template-columns:minmax(0,2fr) repeat(2,minmax(0,1fr)) auto}.filters .row>:is(:first-child,:last-child){grid-column:auto}.filters details .row{grid-template-columns:repeat(5,minmax(0,1fr))}}
@media(max-width:55.99rem){.one-open>nav{display:none}}
@media(min-width:56rem){.mailbox.one-open{grid-template-columns:20rem minmax(0,1fr)}.mailbox.one-open ol{max-height:calc(100vh - 10rem);overflow-y:auto}.mailbox.one-open .back{display:none}}
@media(min-width:60rem){.halves{grid-template-columns:minmax(0,1.15fr) minmax(0,1fr)}.zone{grid-template-columns:minmax(0,1fr) minmax(0,1.35fr) auto}.zone .actions{display:grid;justify-items:center}}
@media print{@page{margin:16mm}:root{color-scheme:light;${variablesOf(LIGHT)}}body{background:none}body>header,body>footer,.skip,.screen{display:none}main{max-width:none!important;padding:0!important}.card,tr,figure,.figures{break-inside:avoid}.sketch{max-height:80mm}.sketch *,.site-picture *,.number,.bars rect{print-color-adjust:exact}.halves{grid-template-columns:1fr 1fr}}`;

export const STYLE = [
  `:root{color-scheme:light dark;${variablesOf(LIGHT)};${variablesOf(SCALE)}}`,
  `@media(prefers-color-scheme:dark){:root{${variablesOf(DARK)}}}`,
  BASE,
  CATALOGUE,
  CONSOLE,
  DEVELOPMENT,
  WIDTHS,
].join('\n');
