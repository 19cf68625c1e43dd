import type { FastifyInstance } from 'fastify';
import { getDomain } from 'tldts';
import type { Context } from '../context.ts';
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

  // Global Privacy Control, section 4: this server abides by the signal (see server/delivery/record.ts).
  app.get('/.well-known/gpc.json', (_request, reply) =>
    reply.header('cache-control', 'public, max-age=86400').send({ gpc: true, lastUpdate: GPC_SINCE }),
  );
}

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
