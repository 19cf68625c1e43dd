/** Mail about withdrawn traffic, to both sides. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { DAY_MS, HOUR_MS } from '#domain/time.ts';
import type { Client } from '#server/testing/client.ts';
import { countAt } from '#server/testing/figures.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeOperator } from '#server/testing/operator.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { listWithdrawals, overruleWithdrawal } from './overrule.ts';
import { withdrawInvalidTraffic } from './withdraw.ts';
import { tellOperators, tellWithdrawn } from './tell.ts';

let day = Date.UTC(2026, 2, 1);
const server = useOwnServer({ start: new Date(day) });

async function pair(): Promise<{ seller: Client; buyer: Client; ad: Ad }> {
  day += 20 * DAY_MS;
  server.clock.set(new Date(day));
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  const { ad } = await makeLiveAd(seller, buyer, {
    product: { pricingModel: 'per_impression', impressions: 10_000, duration: undefined },
    website: { name: 'The Daily' },
  });
  return { seller, buyer, ad };
}

/** Counts views and clicks in an hour of the day, and withdraws them. */
async function withdraw(ad: Ad, hour: number, views: number, clicks: number): Promise<void> {
  const from = new Date(day + hour * HOUR_MS);
  await countAt(server.ctx, ad, from.toISOString(), views, clicks);
  const until = new Date(from.getTime() + HOUR_MS);
  server.clock.set(until);
  await sql`select withdraw_traffic(${until}, ${ad.adZoneId}, ${from}, ${until},
    '[{"signal": "network", "value": 1, "bound": 30}, {"signal": "landings", "value": 0, "bound": 0.17}]')`.execute(
    server.ctx.db,
  );
}

async function mailsOf(client: Client) {
  return (await mailTo(server.ctx, client.user.email)).filter(({ kind }) => kind.startsWith('traffic-'));
}

it('mails both sides which hours were withdrawn and why, once, however many instances run', async () => {
  const { seller, buyer, ad } = await pair();
  await withdraw(ad, 10, 1200, 1);
  await Promise.all([1, 2, 3].map(async () => await tellWithdrawn(server.ctx)));
  const hours =
    /Sidebar on The Daily, \w+ \d+, 2026, 10:00 AM UTC to \w+ \d+, 2026, 11:00 AM UTC: 1,200 views and 1 click\./;
  const why =
    'Why: as concentrated as 1.0 networks (bound: 30); 0.0% of the measured clicks reached the advertiser’s page (bound: 17.0%).';
  for (const [client, meaning] of [
    [seller, 'so they are not billed'],
    [buyer, 'You don’t pay for them'],
  ] as const) {
    const mails = await mailsOf(client);
    expect(mails).toMatchObject([{ kind: 'traffic-withdrawn', subject: 'Invalid traffic was withdrawn' }]);
    const text = mails[0]!.text.replaceAll(/\s+/g, ' ');
    expect(text).toMatch(hours);
    expect(text).toContain(why);
    expect(text).toContain(meaning);
    expect(text).toContain(`${server.url}/dashboard`);
  }
  expect((await mailsOf(seller))[0]!.text).not.toContain('You don’t pay');
});

it('sends at most one mail a day, and the next one has everything since', async () => {
  const { seller, buyer, ad } = await pair();
  await withdraw(ad, 10, 50, 0);
  await tellWithdrawn(server.ctx);
  for (const hour of [11, 12, 20]) {
    await withdraw(ad, hour, hour, 0);
    await tellWithdrawn(server.ctx);
  }
  expect(await mailsOf(seller)).toHaveLength(1);
  server.clock.set(new Date(day + 36 * HOUR_MS));
  await tellWithdrawn(server.ctx);
  await tellWithdrawn(server.ctx);
  for (const client of [seller, buyer]) {
    const mails = await mailsOf(client);
    expect(mails).toHaveLength(2);
    expect(
      [...mails[1]!.text.replaceAll(/\s+/g, ' ').matchAll(/: (\d+) views\./g)].map(([, n]) => n),
    ).toEqual(['20', '12', '11']);
  }
});

it('respects the setting for campaign updates, and does not send it later', async () => {
  const { seller, buyer, ad } = await pair();
  await buyer.patch('/api/user/settings', { campaignUpdates: false });
  await seller.patch('/api/user/settings', { emailNotifications: false });
  await withdraw(ad, 10, 50, 0);
  await tellWithdrawn(server.ctx);
  await buyer.patch('/api/user/settings', { campaignUpdates: true });
  server.clock.advance(2 * DAY_MS);
  await tellWithdrawn(server.ctx);
  expect([...(await mailsOf(seller)), ...(await mailsOf(buyer))]).toEqual([]);
});

it('mails both sides when the operator overrules, in the same transaction', async () => {
  const { seller, buyer, ad } = await pair();
  await withdraw(ad, 10, 50, 2);
  const { id } = (await listWithdrawals(server.ctx, { limit: 1 })).items[0]!;
  const overrule = async (tx: typeof server.ctx.db) =>
    await overruleWithdrawal(server.ctx, tx, { id, by: 'operator 1', reason: 'A class used it.' });
  await expect(
    server.ctx.db.transaction().execute(async (tx) => {
      await overrule(tx);
      throw new Error('a dry run');
    }),
  ).rejects.toThrow('a dry run');
  expect([...(await mailsOf(seller)), ...(await mailsOf(buyer))]).toEqual([]);

  await server.ctx.db.transaction().execute(overrule);
  for (const client of [seller, buyer]) {
    const mails = await mailsOf(client);
    expect(mails).toMatchObject([
      { kind: 'traffic-given-back', subject: 'The operator has overruled a withdrawal' },
    ]);
    const text = mails[0]!.text.replaceAll(/\s+/g, ' ');
    expect(text).toContain(
      '50 views and 2 clicks. The operator has decided that this traffic was valid after all.',
    );
    expect(text).toContain('The operator’s reason: A class used it.');
  }
  // An overruled withdrawal is not mailed as a withdrawal any more.
  await tellWithdrawn(server.ctx);
  expect(await mailsOf(seller)).toHaveLength(1);
});

it('mails each operator the website that lost at least half of its views of a day to the fair share of networks, once a week', async () => {
  const { seller, ad } = await pair();
  const { client: operator } = await makeOperator(server);
  const mails = async () =>
    (await mailTo(server.ctx, operator.user.email)).filter(({ kind }) => kind === 'audiences-to-check');
  const lose = async (hour: number, views: number) => {
    const from = new Date(day + hour * HOUR_MS);
    await countAt(server.ctx, ad, from.toISOString(), views, 0);
    await sql`insert into traffic_clusters (hour, zone_id, ad_id, kind, network, browser, delay, n)
      select ${from}, ${ad.adZoneId}, ${ad.id}, 'view', 1, i % 5, 6, count(*) from generate_series(1, ${views}::integer) as i
        group by 6`.execute(server.ctx.db);
    server.clock.set(new Date(from.getTime() + HOUR_MS + 5 * 60_000));
    await withdrawInvalidTraffic(server.ctx);
    await Promise.all([1, 2].map(async () => await tellOperators(server.ctx)));
  };
  await lose(10, 25);
  expect(await mails()).toEqual([]);
  await lose(11, 200);
  const [first, ...others] = await mails();
  expect(others).toEqual([]);
  expect(first!.text.replaceAll(/\s+/g, ' ')).toContain(
    '225 of 225 views in the last 24 hours. The visitors had 1 network and 5 browsers.',
  );
  expect(first!.text).toContain('The Daily');
  expect(first!.text).toContain(`${server.url}/operator/withdrawals`);
  expect(await mailsOf(seller)).toEqual([]);
  await lose(12, 200);
  await lose(40, 200);
  expect(await mails()).toHaveLength(1);
  await lose(11 + 8 * 24, 200);
  expect(await mails()).toHaveLength(2);
});
