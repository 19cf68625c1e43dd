import { AD_KINDS } from '#domain/ads/types.ts';
import { zoneForecastText } from '#domain/delivery/forecast-text.ts';
import { UNVERIFIED_WARNING } from '#domain/inventory/ownership.ts';
import { sitePagePath } from '#domain/inventory/site-page.ts';
import { displayAddress } from '#server/platform/net/web-address.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { dayText } from '#server/platform/http/dates.ts';
import { html } from '#server/platform/http/html.ts';
import type { ServerPage } from '#server/platform/http/page/page.ts';
import { table } from '#server/platform/http/page/parts.ts';
import type { ListedWebsite } from '../inventory/browse.ts';
import { drawSizes } from './drawing.ts';
import { optionNotes, optionText, sizeText, verification, previewPicture, sitePicture } from './facts.ts';
import { figures, siteLink } from './site-page.ts';

/** The sheet that a publisher hands to advertisers: one page with the figures, the ad zones and the prices of today. */
export function mediaKit(config: Config, { website, page, zones }: ListedWebsite, now: Date): ServerPage {
  const { name, description, category, isVerified } = website;
  const address = `${config.publicUrl}${sitePagePath(page)}`;
  return {
    title: `Media kit of ${name}`,
    look: 'wide',
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
${zones.length > 0 && html`<figure>${drawSizes(zones)}<figcaption>The sizes of the ad zones, to scale.</figcaption></figure>`}</div>
<h2>Ad zones and prices</h2>
${
  zones.length === 0
    ? html`<p>Nothing is for sale on this site right now.</p>`
    : table(
        ['Ad zone', 'Size in pixels', 'Prices'],
        zones.map((zone, at) => [
          html`${at + 1}. <bdi>${zone.name}</bdi> <small>${zoneForecastText(zone.forecast)}</small>`,
          html`<span class="line">${sizeText(zone)}</span>`,
          zone.products.length === 0
            ? 'Not for sale right now'
            : html`${zone.products.map(
                (option) =>
                  html`<span>${AD_KINDS[option.adType].name}: ${optionText(option, config.currency)}${optionNotes(option, config.currency).map((note) => html`<small>${note}</small>`)}</span>`,
              )}`,
        ]),
      )
}
<p>Book at <a href="${sitePagePath(page)}">${displayAddress(address)}</a>. The publisher approves every ad. Undelivered parts are refunded.</p>`,
  };
}
