import { sql } from 'kysely';
import { listSteps } from '#server/results/analytics/to-do/store-waiting.ts';
import { beforeAll, expect, it } from 'vitest';
import { findCreatives } from '#server/delivery/clicks/store-conversions.ts';
import { findSecondCreatives } from '#server/delivery/snapshot/store.ts';
import { selectUsed } from '#server/platform/media/store.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { planOf, rowsMet } from '#server/testing/database/query-plans.ts';
import { useServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import {
  listPendingVariantsOf,
  listVariantsOf,
  lockUnanswered,
  takeDueTargets,
} from '#server/ads/variants/store.ts';

const server = useServer();
let adId: number;
let publisherId: number;
beforeAll(async () => {
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  ({ id: adId } = (await makeLiveAd(seller, buyer)).ad);
  publisherId = seller.user.id;
  await sql`insert into ads (user_id, ad_zone_id, product_id, ad_type, title, description, target_url, total_amount,
      commission_amount, pricing_model, duration)
    select user_id, ad_zone_id, product_id, ad_type, title, description, target_url, total_amount, commission_amount,
      pricing_model, duration from ads, generate_series(1, 3000) where ads.id = ${adId}`.execute(
    server.ctx.db,
  );
  // One waits, five are shown, and thousands are over.
  await sql`insert into ad_variants (ad_id, number, title, description, target_url, image_url, status,
      rejection_reason, created_at, decided_at, check_due_at)
    select a.id, 1, 'Second', 'One.', 'https://a.example', '/ad-images/' || a.id || repeat('x', 22),
        case when n = 1 then 'pending' when n <= 6 then 'approved' else 'rejected' end, case when n > 6 then 'No' end,
        now() - interval '1 day', case when n > 1 then now() end, case when n <= 6 then now() end
      from (select id, row_number() over (order by id) as n from ads) a`.execute(server.ctx.db);
  await sql`vacuum analyze ad_variants`.execute(server.owner);
  await sql`vacuum analyze ads`.execute(server.owner);
});

const STEPS = {
  buys: true,
  sells: true,
  rejectedSince: new Date(0),
  limit: 4,
  book: 'sandbox',
  method: 'connect',
} as const;

const QUERIES: [string, number, (tx: Tx) => Promise<unknown>][] = [
  ['the pending list', 2, (tx) => listPendingVariantsOf(tx, publisherId, { after: 0, limit: 101 })],
  ['the next steps', 6, (tx) => listSteps(tx, publisherId, STEPS)],
  ['the list of an ad', 1, (tx) => listVariantsOf(tx, adId)],
  ['the snapshot', 2, (tx) => findSecondCreatives(tx, [adId, adId + 1])],
  ['the results', 1, (tx) => findCreatives(tx, adId)],
  ['the unanswered ones', 2, (tx) => lockUnanswered(tx, server.ctx.now(), 200)],
  // The scan, the update, and the join of the two.
  ['the targets that are due', 18, (tx) => takeDueTargets(tx, server.ctx.now(), server.ctx.now(), 8)],
  ['the use of files', 2, (tx) => selectUsed(tx, ['x'.repeat(22)])],
];

it.each(QUERIES)('%s reads only the second creatives that it shows', async (_name, most, query) => {
  const plan = await planOf(server.ctx.db, query, { analyze: true });
  expect(rowsMet(plan, 'ad_variants')).toBeLessThanOrEqual(most);
});
