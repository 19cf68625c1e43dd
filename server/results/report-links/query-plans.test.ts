import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { planOf, rowsMet } from '#server/testing/database/query-plans.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeAd, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';
import { deleteEndedLinks, findOpenLink, insertLink, listLinks, listLinksOf } from './store.ts';

const server = useOwnServer();

// Proves RES-41
it('reads only the links that it needs', async () => {
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  const product = await makeProduct(seller, await makeZone(seller, await makeWebsite(seller)));
  const [first, second] = [await makeAd(buyer, product), await makeAd(buyer, product)];
  const other = await server.signIn('buyer');
  const { db } = server.ctx;
  await sql`insert into report_links (key, user_id, ad_id, created_at, expires_at)
    select 'key' || n, case when n % 20 = 0 then ${buyer.user.id}::integer else ${other.user.id}::integer end,
        case when n % 20 = 0 then ${first.id}::integer else ${second.id}::integer end,
        timestamptz '2026-01-01' + n * interval '1 hour', timestamptz '2027-01-01' + n * interval '1 hour'
      from generate_series(1, 2000) n`.execute(db);
  await sql`vacuum analyze report_links`.execute(server.owner);
  const subject = { adId: first.id };
  const at = new Date('2027-01-01T12:00:00Z');
  const link = {
    subject,
    userId: buyer.user.id,
    key: 'new',
    name: null,
    createdAt: at,
    expiresAt: new Date('2028-01-01'),
  };
  for (const [most, query] of [
    [21, (tx) => listLinks(tx, subject, { before: null, limit: 21 })],
    [21, (tx) => listLinksOf(tx, buyer.user.id, { after: 0, limit: 21 })],
    [1, (tx) => findOpenLink(tx, 'key7', at)],
    [100, (tx) => insertLink(tx, link, 50)],
    [12, (tx) => deleteEndedLinks(tx, at)],
  ] satisfies [number, Parameters<typeof planOf>[1]][])
    expect(rowsMet(await planOf(db, query, { analyze: true }), 'report_links')).toBeLessThanOrEqual(most);
});
