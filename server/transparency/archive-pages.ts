import type { FastifyInstance } from 'fastify';
import type { AdType } from '#domain/ads/types.ts';
import { reachText } from '#domain/transparency/reach.ts';
import { limitWords } from '#domain/targeting/words.ts';
import { asciiAddress } from '#domain/public-host.ts';
import { displayAddress } from '../net/web-address.ts';
import type { Context } from '../context.ts';
import { dayText } from '../http/dates.ts';
import { notFound } from '../http/errors.ts';
import { html, type Markup } from '../http/html.ts';
import { type CallDescription, UNKNOWN } from '../http/openapi.ts';
import { sendPage } from '../http/page/page.ts';
import { browseArchive, showArchivedAd } from './archive.ts';
import type { ArchivedAd, ArchivedCreative } from './store-archive.ts';

const MAX_SEARCHED = 100;
const PURPOSE =
  'Every ad that was shown through this server, while it runs and for one year after: its content, its advertiser, who paid, where and when it ran, and its reach.';

const ARCHIVE: CallDescription = {
  summary: 'Ads that were shown, newest first; `q` searches, `after` is the cursor of the next page',
  access: 'anyone',
  answers: { 200: 'A page', 400: 'Unknown cursor' },
};

const ARCHIVED_AD: CallDescription = {
  summary: 'One ad that was shown: content, advertiser, who paid, where, when, and how many it reached',
  access: 'anyone',
  answers: { 200: 'A page', ...UNKNOWN },
};

/** Registers `/ad-archive` and a page for each ad, public and without a script (Digital Services Act, article 39). */
export function registerArchivePages(app: FastifyInstance, ctx: Context): void {
  app.get('/ad-archive', { config: { page: true, call: ARCHIVE } }, async (request, reply) => {
    const query = request.query as { q?: unknown; after?: unknown };
    // PostgreSQL's text cannot hold U+0000.
    const search =
      typeof query.q === 'string' ? query.q.replaceAll('\0', '').trim().slice(0, MAX_SEARCHED) : '';
    const cursor = typeof query.after === 'string' ? query.after : undefined;
    const { items, next } = await browseArchive(ctx, { search, cursor });
    return sendPage(reply, {
      title: 'Ad archive',
      wide: true,
      form: true,
      isPublic: true,
      ...(search === '' && cursor === undefined && { found: { description: PURPOSE } }),
      main: listPage(items, { search, first: cursor === undefined, next }),
    });
  });

  app.get('/ad-archive/:publicId', { config: { page: true, call: ARCHIVED_AD } }, async (request, reply) => {
    const found = await showArchivedAd(ctx, (request.params as { publicId: string }).publicId);
    if (!found)
      throw notFound('This ad isn’t in the archive. It was never shown, or it ended more than a year ago.');
    return sendPage(reply, {
      title: found.ad.title,
      video: true,
      isPublic: true,
      main: adPage(found, ctx.now()),
    });
  });
}

function listPage(
  ads: readonly ArchivedAd[],
  { search, first, next }: { search: string; first: boolean; next: string | null },
): Markup {
  const address = (after: string | null) => {
    const query = new URLSearchParams({ ...(search && { q: search }), ...(after && { after }) }).toString();
    return query === '' ? '/ad-archive' : `/ad-archive?${query}`;
  };
  const none =
    search === ''
      ? html`<p class="quiet">No ads have been shown yet. <a href="/">Go home</a></p>`
      : html`<p class="quiet">No ad or advertiser matches “<bdi>${search}</bdi>”. <a href="/ad-archive">Show all ads</a></p>`;
  const pages = [
    !first && html`<a class="plain" href="${address(null)}">Newest ads</a>`,
    next !== null && html`<a class="button" rel="next" href="${address(next)}">Older ads</a>`,
  ].filter((link) => link !== false);
  return html`<h1>Ad archive</h1>
<p class="quiet">${PURPOSE}</p>
<form class="search" role="search" method="get" action="/ad-archive">
<div class="field"><label for="q">Advertiser, or words in the ad</label>
<input id="q" name="q" type="search" maxlength="${MAX_SEARCHED}" dir="auto" value="${search}"></div>
<button class="button">Search</button>
</form>
${ads.length === 0 ? none : html`<ol class="ads">${ads.map(card)}</ol>`}
${pages.length > 0 && html`<nav class="actions" aria-label="Pages">${pages}</nav>`}`;
}

function card(ad: ArchivedAd): Markup {
  const picture =
    ad.image === null
      ? html`<p dir="auto">${ad.description}</p>`
      : html`<img src="/m/${ad.image}" alt="" loading="lazy"${size(ad.imageWidth, ad.imageHeight)}>`;
  return html`<li><div class="picture">${picture}</div>
<div class="about"><h2 dir="auto"><a href="/ad-archive/${ad.publicId}">${ad.title}</a></h2>
<span>${nameOf(ad)}</span>
<span class="quiet">${period(ad)}</span></div></li>`;
}

function adPage(
  { ad, seconds }: { ad: ArchivedAd; seconds: readonly ArchivedCreative[] },
  now: Date,
): Markup {
  const { publicId, title, takenDownReason } = ad;
  const fact = (name: string, value: Markup | string) => html`<div><dt>${name}</dt><dd>${value}</dd></div>`;
  return html`<p><a class="plain" href="/ad-archive">Ad archive</a></p>
<h1 dir="auto">${title}</h1>
${
  takenDownReason === null
    ? html`<div class="shown"><span class="mark">Ad</span>
${creative(ad)}</div>`
    : html`<p>The marketplace operator took this ad down, so its content isn’t shown. Reason: <bdi>${takenDownReason}</bdi></p>`
}
${seconds.map(secondCreative)}
<dl class="facts">
${fact('Shown on behalf of', nameOf(ad))}
${fact('Paid for by', nameOf(ad))}
${fact(
  'Shown on',
  html`<bdi>${ad.websiteName}</bdi> (${hostOf(ad.websiteUrl)}), in the ad zone “<bdi>${ad.zoneName}</bdi>”`,
)}
${fact('When', period(ad))}
${takenDownReason === null && fact('Links to', displayAddress(asciiAddress(ad.targetUrl)))}
${fact(
  ad.endedAt === null || ad.endedAt > now ? 'Reach so far' : 'Reach',
  html`${reachText(ad.views)} (<a href="/measurement">how they are counted</a>)`,
)}
${fact(
  'Who could see it',
  `${ad.targeting === null ? 'Everyone who visited the page' : 'Visitors of the page within the limits below'}. The advertiser booked this ad zone, and the publisher approved the ad. No profile, cookie
or identifier was used to select visitors.`,
)}
${limitWords(ad.targeting).map(({ name, value }) => fact(`Limited to: ${name.toLowerCase()}`, html`<bdi>${value}</bdi>`))}
</dl>
<p class="actions">${takenDownReason === null && html`<a class="button" href="/report-ad/${publicId}">Report this ad</a>`}
<a class="plain" href="/api/serve/why/${publicId}">Why this ad?</a></p>`;
}

/** A second creative that was shown in turn with the first one of an ad. */
export function secondCreative(second: ArchivedCreative): Markup {
  return html`<p class="quiet">Shown in turn with it, linking to ${displayAddress(asciiAddress(second.targetUrl))}:</p>
<div class="shown"><span class="mark">Ad</span>
${creative(second)}</div>`;
}

/**
 * The ad as it was shown, as far as its files are stored here. A file on another host would reveal the reader of this
 * page to that host.
 */
export function creative(ad: ArchivedCreative): Markup {
  return CREATIVES[ad.adType](ad);
}

const textOf = (ad: ArchivedCreative) => html`<strong dir="auto">${ad.title}</strong>
<span dir="auto">${ad.description}</span>`;

const CREATIVES: Record<AdType, (ad: ArchivedCreative) => Markup> = {
  text: textOf,
  image: (ad) =>
    ad.image === null
      ? textOf(ad)
      : html`<img src="/m/${ad.image}" alt="${ad.title}"${size(ad.imageWidth, ad.imageHeight)}>
<span class="quiet" dir="auto">${ad.description}</span>`,
  video: (ad) => {
    if (ad.video === null)
      return html`${textOf(ad)}
<span class="quiet">The video is hosted on another website, so it isn’t shown here.</span>`;
    const poster = ad.image !== null && html` poster="/m/${ad.image}"`;
    return html`<video src="/m/${ad.video}"${poster} controls muted playsinline preload="metadata" aria-label="${ad.title}"${size(ad.videoWidth, ad.videoHeight)}></video>
${textOf(ad)}`;
  },
};

function size(width: number | null, height: number | null): Markup | false {
  return width !== null && height !== null && html` width="${width}" height="${height}"`;
}

function nameOf({ advertiser }: ArchivedAd): Markup {
  return advertiser === '' ? html`An advertiser who has left` : html`<bdi>${advertiser}</bdi>`;
}

function period({ startedAt, endedAt }: ArchivedAd): Markup {
  const day = (at: Date) => html`<time datetime="${at.toISOString()}">${dayText(at)}</time>`;
  return endedAt === null ? html`Since ${day(startedAt)}` : html`${day(startedAt)} to ${day(endedAt)}`;
}

function hostOf(address: string): string {
  return URL.parse(address)?.host ?? address;
}
