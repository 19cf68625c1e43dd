import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Website } from '#domain/inventory/contract.ts';
import { planOf, rowsMet } from '#server/testing/database/query-plans.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeAd, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';
import { countAdsRun } from './store.ts';

const server = useOwnServer();

it('the record of a website (since when, how many paid ads) reads no more of its ads than it names, and none of other websites', async () => {
  const { db } = server.ctx;
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  const websites: Website[] = [];
  await sql`alter table ads disable trigger user, drop constraint ads_live_is_paid`.execute(server.owner);
  for (let n = 0; n < 3; n++) {
    const website = await makeWebsite(seller);
    websites.push(website);
    const ad = await makeAd(buyer, await makeProduct(seller, await makeZone(seller, website)));
    await sql`insert into ads (user_id, ad_zone_id, product_id, ad_type, title, description, target_url, total_amount,
        commission_amount, pricing_model, duration, status, ended_reason, start_date)
      select user_id, ad_zone_id, product_id, ad_type, title, description, target_url, total_amount,
        commission_amount, pricing_model, duration, case when n % 2 = 0 then 'completed' else 'pending' end,
        case when n % 2 = 0 then 'delivered' end, case when n % 2 = 0 then now() end
        from ads, generate_series(1, ${n === 0 ? 100 : 6000}) n where ads.id = ${ad.id}`.execute(
      server.owner,
    );
  }
  await sql`vacuum analyze ads, ad_zones`.execute(server.owner);
  for (const [at, count] of [
    [0, 50],
    [1, 1000],
  ] as const) {
    const id = websites[at]!.id;
    expect(await countAdsRun(db, id, 1000)).toBe(count);
    const plan = await planOf(db, (tx) => countAdsRun(tx, id, 1000), { analyze: true });
    expect(rowsMet(plan, 'ads')).toBeLessThanOrEqual(count + 100);
  }
});
