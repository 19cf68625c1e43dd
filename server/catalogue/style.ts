import { FRAME_STYLE } from '../pages/frame.ts';

export const STYLE = `${FRAME_STYLE}
.wide>main>.lead{margin:0 0 1.75rem;color:var(--ink-soft);font-size:1.125rem;line-height:1.55}
.site-picture{display:block;flex:none;width:4.5rem;height:4.5rem;border:1px solid var(--line);border-radius:.5rem;background:var(--sunken);object-fit:cover}
.site-picture rect{fill:var(--accent-soft)}
.site-picture text{fill:var(--accent);font-weight:600;text-anchor:middle;dominant-baseline:central}
.tone-1 rect{fill:var(--sunken)}.tone-1 text{fill:var(--ink-soft)}
.tone-2 rect{fill:var(--accent-strong)}.tone-2 text{fill:var(--on-accent)}
.verified{color:var(--good)}
.unverified{color:var(--warn)}
.filters{gap:.75rem;margin:0 0 1.75rem}
.filters .row{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:.75rem;align-items:end}
.filters .field:first-child{grid-column:1/-1}
.filters .field{gap:.25rem;font-size:.875rem}
.filters label{font-weight:500}
.filters .button{width:100%}
.filters summary{width:fit-content;padding:.625rem 0;color:var(--accent);font-weight:500;font-size:.875rem;cursor:pointer;border-radius:.25rem}
.filters details .row{padding-top:.25rem}
.filters .row .field.wide{grid-column:1/-1}
.sites{display:grid;grid-template-columns:repeat(auto-fill,minmax(min(100%,21rem),1fr));gap:1rem;margin:0 0 2rem}
.site{position:relative;display:grid;grid-template-columns:auto minmax(0,1fr);grid-row:span 4;grid-template-rows:subgrid;gap:.75rem 1rem;padding:1.25rem;border:1px solid var(--line);border-radius:.875rem;background:var(--surface)}
.site:hover{border-color:var(--line-strong)}
.site:focus-within{outline:2px solid var(--accent);outline-offset:2px}
.site h2{margin:0;font-size:1.0625rem;line-height:1.35;display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}
.site h2 a{color:var(--ink);text-decoration:none}
.site h2 a::after{content:"";position:absolute;inset:0}
.site h2 a:focus-visible{outline:0}
.site p{margin:0;font-size:.875rem;line-height:1.5}
.site .meta{color:var(--ink-faint)}
.site>.about,.site>.numbers,.site>.price{grid-column:1/-1}
.site .address{display:block;overflow:hidden;text-overflow:ellipsis;white-space:nowrap}
.site .about{color:var(--ink-soft);display:-webkit-box;-webkit-box-orient:vertical;-webkit-line-clamp:2;overflow:hidden}
.numbers{display:grid;grid-template-columns:repeat(2,minmax(0,1fr));gap:.25rem 1rem;margin:0;padding-top:.75rem;border-top:1px solid var(--line)}
.numbers>div{display:flex;flex-direction:column-reverse;justify-content:flex-end}
.numbers dt{font-size:.8125rem;line-height:1.35}
.numbers dd{font-size:1.25rem;line-height:1.4;font-weight:600;font-variant-numeric:tabular-nums}
.numbers .unknown dd{font-size:.875rem;line-height:1.75rem;font-weight:400;color:var(--ink-faint)}
.price strong{font-variant-numeric:tabular-nums}
.crumb{margin:-1rem 0 .5rem;font-size:.875rem}
.crumb a{display:inline-block;padding:.625rem 0}
.title{display:flex;gap:1.25rem;align-items:flex-start;margin:0 0 1.5rem}
.title .site-picture{width:6rem;height:6rem}
.title h1{margin:0 0 .25rem}
.title p{margin:0}
.title .quiet{display:flex;flex-wrap:wrap;gap:.125rem 1rem}
.title p>a{display:inline-block;padding:.125rem 0}
.title .from{margin-top:.5rem;font-size:1.0625rem}
.title .from strong{font-variant-numeric:tabular-nums}
h2+.ads{margin-top:1rem}
.verified svg{vertical-align:-.125em;margin-right:.25rem}
.halves{display:grid;gap:1.5rem;margin:0 0 2.5rem}
.halves h2,.zones h2{margin-top:0}
.panel{padding:1.25rem 1.5rem;border:1px solid var(--line);border-radius:.875rem;background:var(--surface)}
.panel h2{font-size:1rem;margin-bottom:.75rem}
.panel dl{margin:0}
.panel dl>div{display:flex;justify-content:space-between;gap:1.5rem;padding:.4375rem 0;border-top:1px solid var(--line)}
.panel dt{color:var(--ink-soft);font-size:.9375rem}
.panel dd{font-weight:600;text-align:right;font-variant-numeric:tabular-nums}
.panel p{margin:0;font-size:.875rem;color:var(--ink-faint)}
.panel dl+p,.panel p+p{margin-top:.75rem}
.panel+.panel{margin-top:1rem}
.sketch{display:block;width:100%;max-height:34rem;margin:0 auto}
.sketch .paper{fill:var(--surface);stroke:var(--line);stroke-width:1;vector-effect:non-scaling-stroke}
.places{display:flex;grid-column:1/-1;order:1;flex-wrap:wrap;gap:1rem 2rem}
.places figure{display:flex;gap:.75rem}
.places figcaption{max-width:14rem;margin:0}
.places .sketch{flex:none;width:auto;height:8rem;max-width:10rem;margin:0}
.places>p{flex-basis:100%}
.places .free rect{stroke:var(--lit);stroke-width:2;vector-effect:non-scaling-stroke}
.sketch .fold{fill:none;stroke:var(--ink-faint);stroke-dasharray:4 4;vector-effect:non-scaling-stroke}
.sketch .line{fill:var(--sunken)}
.sketch .rule{stroke:var(--line);vector-effect:non-scaling-stroke}
.sketch .free rect{fill:var(--lit-soft)}
.sketch .free path{fill:none;stroke:var(--lit);stroke-width:2;vector-effect:non-scaling-stroke}
.sketch .taken rect{fill:var(--sunken)}
.sketch .taken path{fill:none;stroke:var(--line-strong);stroke-width:1.5;vector-effect:non-scaling-stroke}
.sketch text{fill:var(--ink);font-weight:600;text-anchor:middle;dominant-baseline:central}
figure{margin:0}
figcaption{margin-top:.5rem;color:var(--ink-faint);font-size:.8125rem}
.zones{display:grid;gap:1rem;margin:0 0 2.5rem}
.zone{display:grid;gap:1rem;padding:1.25rem 1.5rem;border:1px solid var(--line);border-radius:.875rem;background:var(--surface);scroll-margin-top:1rem}
.zone:target{border-color:var(--accent)}
.zone h3{margin:0;font-size:1.0625rem;line-height:1.4}
.zone p{margin:0;font-size:.875rem;color:var(--ink-soft)}
.zone ul{display:grid;gap:.375rem;margin:0;padding:0;list-style:none;font-size:.9375rem}
.zone li{display:grid;grid-template-columns:3.5rem minmax(0,1fr);gap:.75rem}
.zone li>span:first-child{color:var(--ink-faint)}
.zone li>span:last-child{font-variant-numeric:tabular-nums}
.zone small{display:block;color:var(--ink-faint);font-size:.8125rem;line-height:1.45}
.zone .acts{display:flex;flex-wrap:wrap;align-items:center;gap:.75rem 1.25rem}
.zone .button{min-height:2.75rem;padding:.625rem 1.25rem}
.number{display:inline-grid;place-items:center;min-width:1.625rem;height:1.625rem;margin-right:.5rem;padding:0 .375rem;border-radius:.8125rem;background:var(--sunken);color:var(--ink-soft);font-size:.8125rem;font-weight:600}
.number.lit{background:var(--lit-soft);color:var(--ink);box-shadow:inset 0 0 0 1px var(--lit)}
.notice{margin:0 0 1.5rem;padding:.75rem 1rem;border:1px solid var(--line);border-left:3px solid var(--warn);border-radius:.5rem;background:var(--surface)}
.notice :last-child{margin-bottom:0}
.notice ul{margin:.25rem 0 0;padding-left:1.25rem}
.zones .wide-note{margin:0}
@media(min-width:48rem){.filters .row{grid-template-columns:minmax(0,2fr) repeat(2,minmax(0,1fr)) auto}.filters .field:first-child{grid-column:auto}.filters .button{width:auto}.filters details .row{grid-template-columns:repeat(5,minmax(0,1fr))}.filters .row .field.wide{grid-column:auto}}
@media(min-width:60rem){.halves{grid-template-columns:minmax(0,1.15fr) minmax(0,1fr)}.zone{grid-template-columns:minmax(0,1fr) minmax(0,1.35fr) auto;align-items:start}.zone .acts{display:grid;justify-items:center}.title .site-picture{width:7rem;height:7rem}}
@media(max-width:40rem){.filters .row>.button{grid-column:1/-1}.site{padding:1rem;gap:.5rem .875rem}.site .about{-webkit-line-clamp:1}.numbers{padding-top:.5rem}.numbers dd{font-size:1.0625rem}.numbers .unknown dd{line-height:1.55}}
@media(max-width:26rem){.top{gap:.875rem}.top .button{padding:.5rem .75rem}}`;
