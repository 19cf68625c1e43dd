import type { FastifyInstance } from 'fastify';
import { getDomain } from 'tldts';
import type { Context } from '#server/platform/context.ts';
import { html } from '#server/platform/http/html.ts';
import { type ServerPage, sendPage } from '#server/platform/http/page/page.ts';
import { registerArchivePages } from './archive-pages.ts';
import { registerReportPages } from './report-pages.ts';
import { listSellers, type SellerRow } from './store.ts';
import { MINUTE_MS } from '#domain/time.ts';

/** How long the list of sellers is cached. Advertising systems fetch it daily, and anyone can request it at any time. */
const SELLERS_LAST_MS = 10 * MINUTE_MS;
/** When this server's handling of the privacy signal last changed. */
const GPC_SINCE = '2026-11-21';

/** Registers the public pages and files about sellers, shown ads, reports and the privacy signal. */
export function registerTransparencyPages(app: FastifyInstance, ctx: Context): void {
  let sellers: { json: Promise<string>; until: number } | null = null;

  // IAB Tech Lab, sellers.json 1.0.
  app.get('/sellers.json', async (_request, reply) => {
    const nowMs = ctx.now().getTime();
    if (!sellers || nowMs >= sellers.until) {
      sellers = { json: sellersJson(ctx), until: nowMs + SELLERS_LAST_MS };
      sellers.json.catch(() => (sellers = null));
    }
    return reply
      .header('cache-control', 'public, max-age=3600')
      .type('application/json; charset=utf-8')
      .send(await sellers.json);
  });

  // This host shows no ads itself and says so with a placeholder (IAB Tech Lab, ads.txt 1.1, section 3.2.1).
  app.get('/ads.txt', (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=86400')
      .type('text/plain; charset=utf-8')
      .send('placeholder.example.com, placeholder, DIRECT, placeholder\n'),
  );

  registerArchivePages(app, ctx);
  registerReportPages(app, ctx);

  // This server honors the signal (Global Privacy Control, section 4).
  app.get('/global-privacy-control', (_request, reply) => sendPage(reply, PRIVACY_SIGNAL));
  app.get('/.well-known/gpc.json', (_request, reply) =>
    reply.header('cache-control', 'public, max-age=86400').send({ gpc: true, lastUpdate: GPC_SINCE }),
  );
}

const PRIVACY_SIGNAL: ServerPage = {
  title: 'Global Privacy Control',
  isPublic: true,
  found: {
    description:
      'What the signal Sec-GPC: 1 changes where this server shows ads, and what it does not need to change.',
  },
  main: html`<h1>Global Privacy Control</h1>
<p>Some browsers send <code>Sec-GPC: 1</code> for people who do not want their data sold, shared or used to track them.
This server honors the signal (<a href="/.well-known/gpc.json">gpc.json</a>).</p>
<h2>What it changes here</h2>
<p>Without the signal, the server tells visitors apart for at most one day. It does so for two purposes: to limit how many
views and clicks by one visitor are counted for an ad, and to show other ads first, where there are any, to a visitor who
has been shown an ad six times in a day. For this, the server derives a number from part of the network address and the browser’s
name, using a key that is discarded every day. The number stays in memory and is never written to a database or a disk. It
is only used together with one ad or one website, never to follow anyone from one to another.</p>
<p>With the signal, the server derives no such number from your visit: not when an ad is selected, not when it is seen, and
not when it is clicked. The checks that remain do not concern a single person: how much traffic comes from a network of 256
or more addresses in a minute and in a day, in all, with the signal, and with the same kind of browser, such as Firefox on
Android; whether the request is one that a browser sends; and whether an address belongs to a data center.</p>
<h2>What it does not need to change</h2>
<p>We do not sell or share data, or use it to follow anyone, with or without the signal. Ads are shown because their ad zone
was booked, never because of who you are or what you did elsewhere. On publishers’ pages, we set no cookies, store nothing
in the browser and build no profiles.</p>
<p class="actions"><a class="button" href="/ad-archive">Browse the ad archive</a></p>`,
};

async function sellersJson(ctx: Context): Promise<string> {
  const sellers = (await listSellers(ctx.db)).map(sellersJsonEntry);
  return JSON.stringify({ contact_email: ctx.config.contactEmail, version: '1.0', sellers });
}

/** A publisher is named only if they have entered a business name in their settings. */
function sellersJsonEntry({ id, businessName, website, siteUrl }: SellerRow) {
  const seller = { seller_id: String(id), seller_type: 'PUBLISHER' };
  const domain = getDomain(website ?? '') ?? getDomain(siteUrl);
  if (businessName === null || domain === null) return { ...seller, is_confidential: 1 };
  return { ...seller, is_confidential: 0, name: businessName, domain };
}
