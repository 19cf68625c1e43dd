import { usualAnswerText } from '#domain/ads/answer-time.ts';
import { AD_KINDS } from '#domain/ads/types.ts';
import { zoneForecastText } from '#domain/delivery/forecast-text.ts';
import { counted, countText, shortPercentText } from '#domain/format.ts';
import { type MeasuredPlace, placeBasisText, placeText } from '#domain/delivery/place.ts';
import type { MarketplaceWebsite } from '#domain/inventory/contract.ts';
import { UNVERIFIED_WARNING } from '#domain/inventory/ownership.ts';
import { sitePagePath } from '#domain/inventory/site-page.ts';
import { formatVisitors } from '#domain/inventory/traffic.ts';
import { type Currency, moneyText } from '#domain/money.ts';
import type { Config } from '#server/platform/settings/config.ts';
import { dayText } from '#server/platform/http/dates.ts';
import { catalogueAddress } from './query.ts';
import { html, type Markup } from '#server/platform/http/html.ts';
import type { ServerPage } from '#server/platform/http/page/page.ts';
import { fact, facts } from '#server/platform/http/page/parts.ts';
import type { ListedWebsite, ListedZone } from '../inventory/browse.ts';
import type { ArchivedAd } from '../transparency/archive.ts';
import { adCards } from '../transparency/archive-pages.ts';
import { drawPlace, drawSizes } from './drawing.ts';
import {
  lowestOfferText,
  optionNotes,
  optionText,
  sizeText,
  verification,
  addToPlanLink,
  adSpaceLink,
  previewPicture,
  sitePicture,
} from './facts.ts';
import { siteData } from './structured-data.ts';

/** The page of a website in the public catalogue. It names no person: neither its publisher nor advertisers. */
export function sitePage(
  config: Config,
  listed: ListedWebsite,
  { ads, adsRun }: { ads: readonly ArchivedAd[]; adsRun: number },
): ServerPage {
  const { website, page, zones } = listed;
  const { name, description, category, isVerified } = website;
  const price = lowestOfferText(website, config.currency);
  const ofCategory = catalogueAddress({ category, sort: 'views' });
  const forSale = zones.filter(({ products }) => products.length > 0);
  return {
    title: `Advertise on ${name}`,
    look: 'wide',
    isPublic: true,
    found: {
      description: pageDescription(website, price),
      address: `${config.publicUrl}${sitePagePath(page)}`,
      picture: previewPicture(config, website.picture),
      data: siteData(config, listed),
      isHidden: !isVerified,
    },
    main: html`<p class="crumb"><a href="/sites">All sites</a></p>
<div class="title">${sitePicture(website)}
<div><h1 dir="auto">${name}</h1>
<p>${siteLink(website)}</p>
<p class="quiet"><span>${category}</span>${verification(website)}</p>
${price !== null && html`<p>Ad space from <strong>${price}</strong></p>`}</div></div>
${!isVerified && html`<div class="notice"><p>${UNVERIFIED_WARNING}</p></div>`}
<p class="lead" dir="auto">${description ?? 'The publisher hasn’t described this site yet.'}</p>
<div class="halves">
<div>${figures(website, config.currency)}</div>
${
  zones.length > 0 &&
  html`<figure>${drawSizes(zones)}
<figcaption>The sizes of the ad zones, to scale. The numbers are those below.</figcaption></figure>`
}
</div>
<h2>Ad zones and prices</h2>
${
  forSale.length === 0 &&
  html`<p class="quiet">Nothing is for sale on this site right now. <a href="${ofCategory}">See other ${category} sites</a></p>`
}
${zones.map((zone, at) => zoneSection(config.currency, website, zone, at + 1))}
${conditions(website, adsRun)}
${recent(ads)}
<p class="actions"><a class="plain" href="${sitePagePath(page)}/media-kit">Media kit to print</a>
<a class="plain" href="${ofCategory}">More ${category} sites</a></p>`,
  };
}

function pageDescription({ name, category }: MarketplaceWebsite, price: string | null): string {
  const begin = `Ad space on ${name} (${category})`;
  return price === null
    ? `${begin}: its ad zones, measured views and audience.`
    : `${begin} from ${price}: ad zones, prices, measured views and audience.`;
}

/** Addresses of websites begin with http or https. Any other one would be shown as text. */
export function siteLink({ url, displayAddress }: MarketplaceWebsite): Markup {
  return /^https?:\/\//i.test(url)
    ? html`<a href="${url}" rel="nofollow noopener">${displayAddress}</a>`
    : html`${displayAddress}`;
}

/** The figures that our server measured and those of the publisher are two panels, so that nobody takes one for the other. */
export function figures(website: MarketplaceWebsite, currency: Currency): Markup {
  const { measured, monthlyVisitors, audience, costPerThousand } = website;
  const shareText = (share: number | null) => (share === null ? 'Not measured yet' : shortPercentText(share));
  const rates = measured && [
    fact('Viewability', shareText(measured.viewability)),
    measured.clickRate !== null && fact('Click-through rate', shortPercentText(measured.clickRate)),
    fact('Invalid traffic, not billed', shareText(measured.invalidShare)),
  ];
  return html`<section aria-labelledby="measured"><h2 id="measured">Measured by this marketplace</h2>
${
  measured
    ? html`${facts(
        fact('Views a day, all ad zones', countText(measured.viewsPerDay)),
        ...(rates ?? []),
        costPerThousand !== null && fact('Lowest price of 1,000 views', moneyText(costPerThousand, currency)),
      )}
<p class="quiet">From the last ${counted(measured.days, 'day')}. <a href="/measurement">How views are counted</a></p>`
    : html`<p class="quiet">Not measured yet: no ad has run here for a whole day.</p>`
}</section>
${
  (monthlyVisitors > 0 || audience !== null) &&
  html`<section aria-labelledby="stated"><h2 id="stated">Stated by the publisher</h2>
${facts(
  ...(monthlyVisitors > 0 ? [fact('Visitors a month', formatVisitors(monthlyVisitors))] : []),
  ...(audience === null ? [] : [fact('Audience', html`<bdi>${audience}</bdi>`)]),
)}</section>`
}`;
}

/** Where the ad zone stands on pages. The publisher states nothing of it. */
function placesOf(places: readonly MeasuredPlace[]): Markup {
  return html`<div class="places">${places.map((place) => html`<figure>${drawPlace(place)}<figcaption>${placeText(place)}</figcaption></figure>`)}
<p>${placeBasisText(places)} The dashed line ends the first screen.</p></div>`;
}

function zoneSection(
  currency: Currency,
  website: MarketplaceWebsite,
  zone: ListedZone,
  number: number,
): Markup {
  const { publicId, name, liveAds, products, forecast, nextFreeDay, places } = zone;
  const id = `zone-${publicId}`;
  const state =
    liveAds === 0
      ? 'No paid ad runs here now'
      : `${liveAds} paid ${liveAds === 1 ? 'ad runs' : 'ads run'} here now`;
  return html`<section class="card zone" id="${id}" data-zone="${publicId}"${nextFreeDay !== null && html` data-next-free="${nextFreeDay}"`} aria-labelledby="${id}-name">
<div><h3 id="${id}-name"><span class="number" aria-hidden="true">${number}</span><bdi>${name}</bdi></h3>
<p>${sizeText(zone)} pixels</p>
<p>${state}</p>
${nextFreeDay !== null && html`<p>Next free day: ${dayText(new Date(`${nextFreeDay}T00:00:00Z`))}</p>`}
<p>${zoneForecastText(forecast)}</p></div>
${places.length > 0 && placesOf(places)}
${
  products.length === 0
    ? html`<p>Not for sale right now.</p>`
    : html`<ul aria-label="Prices">${products.map((option) => html`<li><span>${AD_KINDS[option.adType].name}</span><span>${optionText(option, currency)}${optionNotes(option, currency).map((note) => html`<small>${note}</small>`)}</span></li>`)}</ul>
<p class="actions"><a class="button" href="${adSpaceLink(website, zone)}" aria-describedby="${id}-name">Advertise here</a>
<a href="${addToPlanLink(zone)}" aria-describedby="${id}-name">Add to plan</a></p>`
}
</section>
`;
}

/** Ads that ran here are counted up to this number. */
export const MAX_ADS_RUN = 1000;

/** The website's record: since when it is here, and how many ads have run. */
function recordText({ createdAt }: MarketplaceWebsite, adsRun: number): string {
  const ran =
    adsRun === 0
      ? 'No paid ad has run here yet'
      : `${countText(adsRun)}${adsRun === MAX_ADS_RUN ? ' or more' : ''} paid ${adsRun === 1 ? 'ad has' : 'ads have'} run here`;
  return `On this marketplace since ${dayText(new Date(createdAt))}. ${ran}.`;
}

/** The record, the usual time of an answer, and the subjects, targets and words that the publisher refuses. */
function conditions(website: MarketplaceWebsite, adsRun: number): Markup {
  const { rules, usualAnswerHours } = website;
  const refused = [
    ['Subjects that are refused', rules.subjects],
    ['Targets that are refused', rules.domains],
    ['Words that are refused', rules.words],
  ] as const;
  const shown = refused.filter(([, texts]) => texts.length > 0);
  return html`<section aria-labelledby="conditions"><h2 id="conditions">Before you advertise</h2>
<p>${recordText(website, adsRun)}</p>
${usualAnswerHours !== null && html`<p>${usualAnswerText(usualAnswerHours)}</p>`}
${
  shown.length > 0 &&
  facts(
    shown.map(([name, texts]) =>
      fact(name, html`${texts.map((text, at) => html`${at > 0 && ', '}<bdi>${text}</bdi>`)}`),
    ),
  )
}</section>`;
}

/** Without advertisers: this page names no person, and their names are in the archive. */
function recent(ads: readonly ArchivedAd[]): Markup | false {
  return (
    ads.length > 0 &&
    html`<h2>Ads shown here lately</h2>
${adCards(ads, 'h3', ({ zoneName }) => html`<span class="quiet">In <bdi>${zoneName}</bdi></span>`)}`
  );
}
