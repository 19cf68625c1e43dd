import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { listAdsOfPlans } from '../ads/store.ts';
import { planOf, rowsMet } from '../testing/database/plans.ts';
import { startTestServer, type TestServer } from '../testing/server.ts';
import { makeAd, makeProduct, makeWebsite, makeZone } from '../testing/story.ts';
import { listPlansOf } from './store.ts';

let server: TestServer;
let ad: Ad;
let planId: number;
beforeAll(async () => {
  server = await startTestServer();
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  ad = await makeAd(buyer, await makeProduct(seller, await makeZone(seller, await makeWebsite(seller))));
  const { db } = server.ctx;
  await sql`insert into plans (user_id, request_id, body_hash, name)
    select ${ad.userId}, gen_random_uuid(), '', 'Plan' from generate_series(1, 1000)`.execute(db);
  await sql`insert into ads (user_id, ad_zone_id, product_id, plan_id, ad_type, title, description, target_url,
      total_amount, commission_amount, pricing_model, duration)
    select ads.user_id, ads.ad_zone_id, ads.product_id, plans.id, ads.ad_type, ads.title, ads.description,
        ads.target_url, ads.total_amount, ads.commission_amount, ads.pricing_model, ads.duration
      from ads, plans, generate_series(1, 3) where ads.id = ${ad.id}`.execute(db);
  await sql`vacuum analyze ads, plans`.execute(server.owner);
  planId = (await db.selectFrom('plans').select('id').limit(1).executeTakeFirstOrThrow()).id;
});
afterAll(async () => await server.close());

// Proves PLAN-04
it('a page of plans and the ads of a plan read only their own rows', async () => {
  const { db } = server.ctx;
  const page = { before: null, limit: 21 };
  const list = await planOf(db, (tx) => listPlansOf(tx, ad.userId, page), { analyze: true });
  expect(rowsMet(list, 'plans')).toBeLessThanOrEqual(21);
  const ads = await planOf(db, (tx) => listAdsOfPlans(tx, [planId]), { analyze: true });
  expect(rowsMet(ads, 'ads')).toBeLessThanOrEqual(10);
});
