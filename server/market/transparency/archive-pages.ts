import type { FastifyInstance } from 'fastify';
import type { AdType } from '#domain/ads/types.ts';
import { reachText } from '#domain/transparency/reach.ts';
import { limitWords } from '#domain/targeting/words.ts';
import { asciiAddress } from '#domain/public-host.ts';
import { displayAddress } from '#server/platform/net/web-address.ts';
import type { Context } from '#server/platform/context.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { html, type Markup } from '#server/platform/http/html.ts';
import { type CallDescription, UNKNOWN } from '#server/platform/http/openapi.ts';
import { searchForm } from '#server/platform/http/page/form.ts';
import { sendPage } from '#server/platform/http/page/page.ts';
import { day, fact, facts, pageLinks, sizes } from '#server/platform/http/page/parts.ts';
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
      look: 'wide',
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
  return html`<h1>Ad archive</h1>
<p class="quiet">${PURPOSE}</p>
${searchForm('/ad-archive', { name: 'q', label: 'Advertiser, or words in the ad', value: search, max: MAX_SEARCHED })}
${
  ads.length === 0
    ? none
    : adCards(ads, 'h2', (ad) => html`<span>${nameOf(ad)}</span><span class="quiet">${period(ad)}</span>`)
}
${pageLinks(next === null ? null : { href: address(next), text: 'Older ads' }, !first && { href: address(null), text: 'Newest ads' })}`;
}

/** A list of ads that link to their pages. `about` stands below the title. */
export function adCards(
  ads: readonly ArchivedAd[],
  level: 'h2' | 'h3',
  about: (ad: ArchivedAd) => Markup,
): Markup {
  const heading = ({ publicId, title }: ArchivedAd) => html`<a href="/ad-archive/${publicId}">${title}</a>`;
  return html`<ol class="ads">${ads.map(
    (ad) => html`<li class="card whole"><div class="picture">${
      ad.image === null
        ? html`<p class="clamp" dir="auto">${ad.description}</p>`
        : html`<img src="/m/${ad.image}" alt="" loading="lazy"${sizes(ad.imageWidth, ad.imageHeight)}>`
    }</div>
<div class="about">${level === 'h2' ? html`<h2 dir="auto">${heading(ad)}</h2>` : html`<h3 dir="auto">${heading(ad)}</h3>`}
${about(ad)}</div></li>`,
  )}</ol>`;
}

function adPage(
  { ad, seconds }: { ad: ArchivedAd; seconds: readonly ArchivedCreative[] },
  now: Date,
): Markup {
  const { publicId, title, takenDownReason } = ad;
  return html`<p><a class="plain" href="/ad-archive">Ad archive</a></p>
<h1 dir="auto">${title}</h1>
${
  takenDownReason === null
    ? html`<div class="shown"><span class="mark">Ad</span>
${creative(ad)}</div>`
    : html`<p>The marketplace operator took this ad down, so its content isn’t shown. Reason: <bdi>${takenDownReason}</bdi></p>`
}
${seconds.map(secondCreative)}
${facts(
  fact('Shown on behalf of', nameOf(ad)),
  fact('Paid for by', nameOf(ad)),
  fact(
    'Shown on',
    html`<bdi>${ad.websiteName}</bdi> (${hostOf(ad.websiteUrl)}), in the ad zone “<bdi>${ad.zoneName}</bdi>”`,
  ),
  fact('When', period(ad)),
  takenDownReason === null && fact('Links to', displayAddress(asciiAddress(ad.targetUrl))),
  fact(
    ad.endedAt === null || ad.endedAt > now ? 'Reach so far' : 'Reach',
    html`${reachText(ad.views)} (<a href="/measurement">how they are counted</a>)`,
  ),
  fact(
    'Who could see it',
    `${ad.targeting === null ? 'Everyone who visited the page' : 'Visitors of the page within the limits below'}. The advertiser booked this ad zone, and the publisher approved the ad. No profile, cookie
or identifier was used to select visitors.`,
  ),
  limitWords(ad.targeting).map(({ name, value }) =>
    fact(`Limited to: ${name.toLowerCase()}`, html`<bdi>${value}</bdi>`),
  ),
)}
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
      : html`<img src="/m/${ad.image}" alt="${ad.title}"${sizes(ad.imageWidth, ad.imageHeight)}>
<span class="quiet" dir="auto">${ad.description}</span>`,
  video: (ad) => {
    if (ad.video === null)
      return html`${textOf(ad)}
<span class="quiet">The video is hosted on another website, so it isn’t shown here.</span>`;
    const poster = ad.image !== null && html` poster="/m/${ad.image}"`;
    return html`<video src="/m/${ad.video}"${poster} controls muted playsinline preload="metadata" aria-label="${ad.title}"${sizes(ad.videoWidth, ad.videoHeight)}></video>
${textOf(ad)}`;
  },
};

function nameOf({ advertiser }: ArchivedAd): Markup {
  return advertiser === '' ? html`An advertiser who has left` : html`<bdi>${advertiser}</bdi>`;
}

function period({ startedAt, endedAt }: ArchivedAd): Markup {
  return endedAt === null ? html`Since ${day(startedAt)}` : html`${day(startedAt)} to ${day(endedAt)}`;
}

function hostOf(address: string): string {
  return URL.parse(address)?.host ?? address;
}
