import { AD_KINDS } from '#domain/ads/types.ts';
import { zoneForecastText } from '#domain/delivery/forecast-text.ts';
import { UNVERIFIED_WARNING } from '#domain/inventory/ownership.ts';
import { sitePagePath } from '#domain/inventory/site-page.ts';
import { displayAddress } from '../net/web-address.ts';
import type { Config } from '../config.ts';
import { dayText } from '../http/dates.ts';
import { html } from '../http/html.ts';
import type { ServerPage } from '../http/page/page.ts';
import type { ListedWebsite } from '../inventory/browse.ts';
import { drawZones } from './drawing.ts';
import { optionNotes, optionText, sizeText, verification } from './facts.ts';
import { STYLE } from './style.ts';
import { figures, siteLink } from './site-page.ts';
import { previewPicture, sitePicture } from './site-picture.ts';

const PRINT = `
.prices{width:100%;margin:0 0 1.5rem;border-collapse:collapse;font-size:.9375rem}
.prices th,.prices td{padding:.5rem .75rem .5rem 0;border-bottom:1px solid var(--line);text-align:left;vertical-align:top}
.prices th{color:var(--ink-faint);font-weight:500;font-size:.8125rem}
.prices tbody th{color:var(--ink);font-weight:600;font-size:.9375rem}
.prices td span{display:block}
.prices small{display:block;color:var(--ink-faint);font-weight:400}
@media(max-width:40rem){.prices thead{position:absolute;clip-path:inset(50%);width:1px;height:1px;overflow:hidden}.prices tr{display:grid;padding:.75rem 0;border-bottom:1px solid var(--line)}.prices th,.prices td{padding:.125rem 0;border:0}}
@media print{@page{margin:16mm}:root{color-scheme:light}body{background:#fff}body>header,body>footer,.screen{display:none}main{padding:0;max-width:none!important}.panel,.prices tr,figure{break-inside:avoid}.sketch{max-height:80mm}.sketch *,.site-picture *,.number{print-color-adjust:exact}a{color:inherit;text-decoration:none}.halves{grid-template-columns:1fr 1fr;gap:1rem}}`;

/** The sheet that a publisher hands to advertisers: one page with the figures, the ad zones and the prices of today. */
export function mediaKit(config: Config, { website, page, zones }: ListedWebsite, now: Date): ServerPage {
  const { name, description, category, isVerified } = website;
  const address = `${config.publicUrl}${sitePagePath(page)}`;
  return {
    title: `Media kit of ${name}`,
    style: STYLE + PRINT,
    wide: true,
    isPublic: true,
    // Search engines find the website's page, which has the same content.
    found: {
      description: `The ad zones, prices and figures of ${name} on one page to print.`,
      address,
      picture: previewPicture(config, website.picture),
      isHidden: true,
    },
    main: html`<p class="crumb screen"><a href="${sitePagePath(page)}">Back to the page of <bdi>${name}</bdi></a></p>
<div class="title">${sitePicture(website)}
<div><h1 dir="auto">${name}</h1>
<p>${siteLink(website)}</p>
<p class="quiet"><span>Media kit, ${dayText(now)}</span><span>${category}</span>${verification(website)}</p></div></div>
<p class="quiet screen">Print this page, or save it as a PDF in your browser’s print dialog.</p>
${!isVerified && html`<div class="notice"><p>${UNVERIFIED_WARNING}</p></div>`}
${description !== null && html`<p class="lead" dir="auto">${description}</p>`}
<div class="halves"><div>${figures(website, config.currency)}</div>
${zones.length > 0 && html`<figure>${drawZones(zones.map((zone, at) => ({ ...zone, number: at + 1, isFree: zone.liveAds === 0 })))}<figcaption>Ad zones to scale on a page.</figcaption></figure>`}</div>
<h2>Ad zones and prices</h2>
${
  zones.length === 0
    ? html`<p>Nothing is for sale on this site right now.</p>`
    : html`<table class="prices"><thead><tr><th scope="col">Ad zone</th><th scope="col">Size in pixels</th><th scope="col">Prices</th></tr></thead>
<tbody>${zones.map(
        (
          zone,
          at,
        ) => html`<tr><th scope="row">${at + 1}. <bdi>${zone.name}</bdi> <small>${zoneForecastText(zone.forecast)}</small></th><td>${sizeText(zone)}</td>
<td>${
          zone.products.length === 0
            ? 'Not for sale right now'
            : zone.products.map(
                (option) =>
                  html`<span>${AD_KINDS[option.adType].name}: ${optionText(option, config.currency)}${optionNotes(option, config.currency).map((note) => html`<small>${note}</small>`)}</span>`,
              )
        }</td></tr>`,
      )}</tbody></table>`
}
<p>Book at <a href="${sitePagePath(page)}">${displayAddress(address)}</a>. The publisher approves every ad. Undelivered parts are refunded.</p>`,
  };
}
