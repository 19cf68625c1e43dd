import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { Website } from '#domain/inventory/contract.ts';
import { planOf, rowsMet } from '#server/testing/database/query-plans.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeAd, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';
import { listZonesLike } from '../review-rules/similar-zones.ts';
import { lockWaiting } from '../store.ts';

const server = useOwnServer();
let ad: Ad;
let website: { id: number; category: 'Technology' };
beforeAll(async () => {
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  website = (await makeWebsite(seller, { category: 'Technology' })) as typeof website & Website;
  ad = await makeAd(buyer, await makeProduct(seller, await makeZone(seller, website)));
  await sql`insert into ads (user_id, ad_zone_id, product_id, ad_type, title, description, target_url, total_amount,
      commission_amount, pricing_model, duration)
    select user_id, ad_zone_id, product_id, ad_type, title, description, target_url, total_amount, commission_amount,
      pricing_model, duration from ads, generate_series(1, 3000) where ads.id = ${ad.id}`.execute(
    server.ctx.db,
  );
  await sql`update ads set status = 'rejected', rejection_reason = 'No' where id > ${ad.id + 20}`.execute(
    server.ctx.db,
  );
  await sql`vacuum analyze ads`.execute(server.owner);
});

it('the jobs of the review read only the ads that are due', async () => {
  const { db } = server.ctx;
  await sql`update ads set answer_due_at = '2020-01-01', remind_at = '2020-01-01'
    where id between ${ad.id} and ${ad.id + 4}`.execute(db);
  await sql`vacuum analyze ads`.execute(server.owner);
  for (const due of ['answerDueAt', 'remindAt'] as const) {
    const at = new Date('2020-01-02');
    const plan = await planOf(db, (tx) => lockWaiting(tx, due, at, 100), { analyze: true });
    expect(rowsMet(plan, 'ads')).toBeLessThanOrEqual(10);
    expect(await lockWaiting(db, due, at, 100)).toHaveLength(5);
  }
});

it('the similar zones of an ad come from the newest websites of its category only', async () => {
  const { db } = server.ctx;
  await sql`insert into websites (user_id, name, url, category)
    select user_id, 'Site ' || n, 'https://site-' || n || '.example', case when n % 2 = 0 then category else 'Food' end
      from websites, generate_series(1, 4000) n where id = (select min(id) from websites)`.execute(db);
  await sql`vacuum analyze websites, users, ad_zones, ad_zone_products`.execute(server.owner);
  const like = {
    adType: 'text',
    userId: ad.userId,
    width: 300,
    height: 250,
    id: website.id,
    category: website.category,
  } as const;
  const plan = await planOf(db, (tx) => listZonesLike(tx, like), { analyze: true });
  expect(rowsMet(plan, 'websites')).toBeLessThanOrEqual(500);
});
