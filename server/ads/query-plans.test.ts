import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { planOf, rowsMet } from '#server/testing/database/query-plans.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeAd, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';
import { countPendingOf, listAdsOfPlans } from './store.ts';

const server = useOwnServer();
let ad: Ad;
beforeAll(async () => {
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  ad = await makeAd(buyer, await makeProduct(seller, await makeZone(seller, await makeWebsite(seller))));
  await sql`insert into ads (user_id, ad_zone_id, product_id, ad_type, title, description, target_url, total_amount,
      commission_amount, pricing_model, duration)
    select user_id, ad_zone_id, product_id, ad_type, title, description, target_url, total_amount, commission_amount,
      pricing_model, duration from ads, generate_series(1, 3000) where ads.id = ${ad.id}`.execute(
    server.ctx.db,
  );
  await sql`update ads set status = 'rejected', rejection_reason = 'No' where id > ${ad.id + 20}`.execute(
    server.ctx.db,
  );
  await sql`with plan as (insert into plans (user_id, request_id, body_hash, name)
      values (${ad.userId}, gen_random_uuid(), '', 'Plan') returning id)
    update ads set plan_id = plan.id from plan where ads.id between ${ad.id} and ${ad.id + 4}`.execute(
    server.ctx.db,
  );
  await sql`vacuum analyze ads`.execute(server.owner);
});

// Proves DOOR-10
it('the quota of waiting ads reads only ads that wait', async () => {
  const plan = await planOf(server.ctx.db, (tx) => countPendingOf(tx, ad.userId), { analyze: true });
  expect(rowsMet(plan, 'ads')).toBeLessThanOrEqual(21);
  expect(await countPendingOf(server.ctx.db, ad.userId)).toBe(21);
});

it('the ads of a plan are read without the others', async () => {
  const { id } = await server.ctx.db.selectFrom('plans').select('id').executeTakeFirstOrThrow();
  const plan = await planOf(server.ctx.db, (tx) => listAdsOfPlans(tx, [id]), { analyze: true });
  // The refunds and suspensions of each of the five ads read it again.
  expect(rowsMet(plan, 'ads')).toBeLessThanOrEqual(15);
});
