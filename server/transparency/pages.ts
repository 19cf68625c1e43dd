import type { FastifyInstance } from 'fastify';
import { getDomain } from 'tldts';
import type { Context } from '../context.ts';
import { sendPage } from '../http/page.ts';
import { registerArchivePages } from './archive-pages.ts';
import { registerModerationPages } from './moderate-pages.ts';
import { registerReportPages } from './report-pages.ts';
import { listSellers, type SellerRow } from './store.ts';

/** How long the list of sellers is kept: buyers' crawlers come daily, and anybody may come at any time. */
const SELLERS_LAST_MS = 10 * 60 * 1000;
/** When what the privacy signal changes here last changed. */
const GPC_SINCE = '2026-11-21';

/** What the supply chain publishes about itself, for anybody to read and for machines to check. */
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

  // IAB Tech Lab, ads.txt 1.1, section 3.2.1: this host shows no ads itself, and says so with a placeholder.
  app.get('/ads.txt', (_request, reply) =>
    reply
      .header('cache-control', 'public, max-age=86400')
      .type('text/plain; charset=utf-8')
      .send('placeholder.example.com, placeholder, DIRECT, placeholder\n'),
  );

  registerArchivePages(app, ctx);
  registerReportPages(app, ctx);
  registerModerationPages(app, ctx);

  // Global Privacy Control, section 4: this server abides by the signal (see server/delivery/event.ts).
  app.get('/global-privacy-control', (_request, reply) => sendPage(reply, PRIVACY_SIGNAL));
  app.get('/.well-known/gpc.json', (_request, reply) =>
    reply.header('cache-control', 'public, max-age=86400').send({ gpc: true, lastUpdate: GPC_SINCE }),
  );
}

const PRIVACY_SIGNAL = {
  title: 'Global Privacy Control',
  found: {
    description: 'What the signal Sec-GPC: 1 changes where Openslot shows ads, and what it need not change.',
  },
  main: `<h1>Global Privacy Control</h1>
<p>Some browsers send <code>Sec-GPC: 1</code> for people who do not want their data sold, shared or used to follow them.
This server abides by it (<a href="/.well-known/gpc.json">gpc.json</a>).</p>
<h2>What it changes here</h2>
<p>Without the signal, the server tells visitors apart for a day at most, for two things: what one person does with one ad
is not counted more often than people look and click, and who has been shown an ad six times in a day is shown others
first, where there are others. For that it makes a number out of a part of the network address and the browser’s name, with
a key that is thrown away every day. The number stays in memory, is in no table and on no disk, and is only ever used
together with an ad or a website, never to follow anybody from one to another.</p>
<p>With the signal, no such number is made of your visit: not when an ad is chosen, not when it is seen, and not when it is
clicked. What stays concerns no single person: how much comes from a whole network of 256 addresses or more in a minute,
and whether an address belongs to a data centre.</p>
<h2>What it need not change</h2>
<p>Nothing is sold, shared or used to follow anybody, with the signal or without it. Ads are chosen by the ad space they
were booked for, never by who you are or what you did elsewhere. On publishers’ pages no cookie is set, nothing is stored in the browser, and no profile is made.</p>
<p class="actions"><a class="button" href="/ad-archive">See which ads were shown</a></p>`,
};

async function sellersJson(ctx: Context): Promise<string> {
  const sellers = (await listSellers(ctx.db)).map(viewSeller);
  return JSON.stringify({ contact_email: ctx.config.contactEmail, version: '1.0', sellers });
}

/** A person stays unnamed; who gave a business name sells under it. */
function viewSeller({ id, businessName, website, siteUrl }: SellerRow) {
  const seller = { seller_id: String(id), seller_type: 'PUBLISHER' };
  const domain = getDomain(website ?? '') ?? getDomain(siteUrl);
  if (businessName === null || domain === null) return { ...seller, is_confidential: 1 };
  return { ...seller, is_confidential: 0, name: businessName, domain };
}
