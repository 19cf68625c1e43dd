import type { FastifyInstance } from 'fastify';
import { reachText } from '#domain/transparency/reach.ts';
import type { Context } from '../context.ts';
import { notFound } from '../http/errors.ts';
import { escapeHtml } from '../http/html.ts';
import { type CallDescription, UNKNOWN } from '../http/openapi.ts';
import { sendPage } from '../http/page.ts';
import { browseArchive, showArchivedAd } from './archive.ts';
import type { ArchivedAd } from './store-archive.ts';

const MAX_SEARCHED = 100;
const PURPOSE =
  'Every ad that was shown through this server, while it runs and for a year after: what it said, on whose behalf, who paid, where and when it ran, and how many it reached.';

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

/** `/ad-archive` and a page for each ad (Digital Services Act, article 39): public, and without a script. */
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
      ...(search === '' && cursor === undefined && { found: { description: PURPOSE } }),
      main: listPage(items, { search, first: cursor === undefined, next }),
    });
  });

  app.get('/ad-archive/:publicId', { config: { page: true, call: ARCHIVED_AD } }, async (request, reply) => {
    const ad = await showArchivedAd(ctx, (request.params as { publicId: string }).publicId);
    if (!ad) throw notFound('There is no such ad in the archive: it was never shown, or over a year ago.');
    return sendPage(reply, { title: ad.title, film: true, main: adPage(ad, ctx.now()) });
  });
}

function listPage(
  ads: readonly ArchivedAd[],
  { search, first, next }: { search: string; first: boolean; next: string | null },
): string {
  const address = (after: string | null) => {
    const query = new URLSearchParams({ ...(search && { q: search }), ...(after && { after }) }).toString();
    return escapeHtml(query === '' ? '/ad-archive' : `/ad-archive?${query}`);
  };
  const none =
    search === ''
      ? '<p class="quiet">No ad has been shown yet.</p>'
      : `<p class="quiet">No ad, and no advertiser, has “<bdi>${escapeHtml(search)}</bdi>” in it. <a href="/ad-archive">Show all ads</a></p>`;
  const pages = [
    ...(first ? [] : [`<a class="plain" href="${address(null)}">Newest ads</a>`]),
    ...(next === null ? [] : [`<a class="button" rel="next" href="${address(next)}">Older ads</a>`]),
  ];
  return `<h1>Ad archive</h1>
<p class="quiet">${PURPOSE}</p>
<form class="search" role="search" method="get" action="/ad-archive">
<div class="field"><label for="q">Advertiser, or words of the ad</label>
<input id="q" name="q" type="search" maxlength="${MAX_SEARCHED}" dir="auto" value="${escapeHtml(search)}"></div>
<button class="button">Search</button>
</form>
${ads.length === 0 ? none : `<ol class="ads">\n${ads.map(card).join('\n')}\n</ol>`}
${pages.length === 0 ? '' : `<nav class="actions" aria-label="Pages">${pages.join('\n')}</nav>`}`;
}

function card(ad: ArchivedAd): string {
  const picture =
    ad.image === null
      ? `<p dir="auto">${escapeHtml(ad.description)}</p>`
      : `<img src="/m/${ad.image}" alt="" loading="lazy"${size(ad.imageWidth, ad.imageHeight)}>`;
  return `<li><div class="picture">${picture}</div>
<div class="about"><h2 dir="auto"><a href="/ad-archive/${ad.publicId}">${escapeHtml(ad.title)}</a></h2>
<span>${nameOf(ad)}</span>
<span class="quiet">${period(ad)}</span></div></li>`;
}

function adPage(ad: ArchivedAd, now: Date): string {
  const facts: [string, string][] = [
    ['Shown on behalf of', nameOf(ad)],
    ['Paid for by', nameOf(ad)],
    [
      'Shown on',
      `<bdi>${escapeHtml(ad.websiteName)}</bdi> (${escapeHtml(hostOf(ad.websiteUrl))}), in the ad space “<bdi>${escapeHtml(ad.zoneName)}</bdi>”`,
    ],
    ['When', period(ad)],
    ...(ad.takenDownReason === null
      ? [['Leads to', escapeHtml(hostOf(ad.targetUrl))] as [string, string]]
      : []),
    [
      ad.endedAt === null || ad.endedAt > now ? 'Reach so far' : 'Reach',
      `${reachText(ad.views)} (<a href="/measurement">how they are counted</a>)`,
    ],
    [
      'Who it was shown to',
      `Everybody who visited the page: the advertiser booked this ad space, and the publisher approved the ad. No profile,
no cookie and no identifier was used to choose who sees it.`,
    ],
  ];
  return `<p><a class="plain" href="/ad-archive">Ad archive</a></p>
<h1 dir="auto">${escapeHtml(ad.title)}</h1>
${
  ad.takenDownReason === null
    ? `<div class="shown"><span class="mark">Ad</span>
${creative(ad)}</div>`
    : `<p>Whoever runs this server has taken it down, so its content is not shown. Reason: <bdi>${escapeHtml(ad.takenDownReason)}</bdi></p>`
}
<dl class="facts">
${facts.map(([name, value]) => `<div><dt>${name}</dt><dd>${value}</dd></div>`).join('\n')}
</dl>
<p class="actions">${ad.takenDownReason === null ? `<a class="button" href="/report-ad/${ad.publicId}">Report this ad</a>` : ''}
<a class="plain" href="/api/serve/why/${ad.publicId}">Why is an ad shown?</a></p>`;
}

/** What was shown, as far as it lies with us: a picture from elsewhere would tell its owner who looks here. */
export function creative(ad: ArchivedAd): string {
  const text = `<strong dir="auto">${escapeHtml(ad.title)}</strong>\n<span dir="auto">${escapeHtml(ad.description)}</span>`;
  if (ad.adType === 'video') {
    if (ad.video === null) return `${text}\n<span class="quiet">The film is hosted elsewhere.</span>`;
    const poster = ad.image === null ? '' : ` poster="/m/${ad.image}"`;
    return `<video src="/m/${ad.video}"${poster} controls muted playsinline preload="metadata" aria-label="${escapeHtml(ad.title)}"${size(ad.videoWidth, ad.videoHeight)}></video>\n${text}`;
  }
  if (ad.adType === 'text' || ad.image === null) return text;
  return `<img src="/m/${ad.image}" alt="${escapeHtml(ad.title)}"${size(ad.imageWidth, ad.imageHeight)}>\n<span class="quiet" dir="auto">${escapeHtml(ad.description)}</span>`;
}

function size(width: number | null, height: number | null): string {
  return width !== null && height !== null ? ` width="${width}" height="${height}"` : '';
}

function nameOf({ advertiser }: ArchivedAd): string {
  return advertiser === '' ? 'An advertiser who has left Openslot' : `<bdi>${escapeHtml(advertiser)}</bdi>`;
}

const DAY = new Intl.DateTimeFormat('en-GB', {
  timeZone: 'UTC',
  day: 'numeric',
  month: 'short',
  year: 'numeric',
});

/** In UTC, the days of the figures. */
function period({ startedAt, endedAt }: ArchivedAd): string {
  const day = (at: Date) => `<time datetime="${at.toISOString()}">${DAY.format(at)}</time>`;
  return endedAt === null ? `Since ${day(startedAt)}` : `${day(startedAt)} to ${day(endedAt)}`;
}

function hostOf(address: string): string {
  return URL.parse(address)?.host ?? address;
}
