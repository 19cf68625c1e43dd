/** Both sides read a change of an ad zone's viewability, and get one mail about it. */
import { sql } from 'kysely';
import { expect, it } from 'vitest';
import { MIN_COMPARED_REPORTS, type Position } from '#domain/analytics/position.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/time.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { tellPositions } from './tell.ts';

const server = useOwnServer({ start: new Date('2026-08-10T12:00:00Z') });

it('the publisher and the advertiser read the same change, and nobody else', async () => {
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  const { zone, ad } = await makeLiveAd(seller, buyer, { product: { duration: 60 } });
  const note = async (hour: string, kind: string, n: number) =>
    await sql`insert into delivery_hourly (hour, zone_id, kind, n)
      values (${hour}::timestamptz, ${zone.id}, ${kind}, ${n})`.execute(server.ctx.db);
  const path = `/api/ads/${ad.publicId}/placement`;
  const unmeasured = { recent: null, before: null, change: null };
  const measured = { secondsInView: unmeasured, firstScreen: unmeasured };
  expect((await buyer.get(path)).body).toEqual({ ...unmeasured, ...measured, places: [] });
  // 800 of 1,000 networks voted for a viewable ad.
  await note('2026-07-06T00:00:00Z', 'vote_rendered', 700);
  await note('2026-07-06T00:00:00Z', 'vote_viewable', 700);
  await note('2026-08-02T23:00:00Z', 'vote_rendered', 300);
  await note('2026-08-02T23:00:00Z', 'vote_viewable', 100);
  // Too old, of today, or no votes.
  await note('2026-07-05T23:00:00Z', 'vote_rendered', 90_000);
  await note('2026-08-10T00:00:00Z', 'vote_viewable', 90_000);
  await note('2026-08-04T00:00:00Z', 'rendered', 90_000);
  await note('2026-08-03T00:00:00Z', 'vote_rendered', 150);
  await note('2026-08-03T00:00:00Z', 'vote_viewable', 150);
  await note('2026-08-09T23:00:00Z', 'vote_rendered', 450);
  const position = { recent: 0.25, before: 0.8, change: 'fell', ...measured };
  expect((await buyer.get(path)).body).toEqual({ ...position, places: [] });
  expect((await buyer.get(`/api/ads/${ad.id}/placement`)).body).toEqual({ ...position, places: [] });
  expect((await seller.get('/api/analytics/placement-changes')).body).toEqual([
    { zone: zone.publicId, zoneName: 'Sidebar', websiteName: 'The Daily Slot', ...position },
  ]);
  expect((await seller.get(path)).status).toBe(404);
  expect((await buyer.get('/api/analytics/placement-changes')).body).toEqual([]);
  // A day later the zone is as it was.
  await note('2026-08-10T01:00:00Z', 'vote_rendered', 120_000);
  server.clock.set(new Date('2026-08-11T00:00:00Z'));
  expect((await seller.get('/api/analytics/placement-changes')).body).toEqual([]);
});

it('both sides read and are told that the time in view and the place have changed, from enough page views in whole days', async () => {
  const start = Date.parse('2026-10-01T01:05:00Z');
  server.clock.set(new Date(start));
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  const { zone, ad } = await makeLiveAd(seller, buyer, { product: { duration: 60 } });
  const report = async (daysAgo: number, count: number, y: number, ms: number) =>
    await sql`
      insert into placement_reports (id, zone_id, reported_at, screen_width, screen_height, page_width, page_height,
          box_x, box_y, box_width, box_height, in_view_ms)
        select decode(md5(random()::text), 'hex'), ${zone.id}, ${new Date(start - daysAgo * DAY_MS)}, 1280, 720, 1280, 4000,
            40, ${y}, 300, 250, ${ms}
          from generate_series(1, ${count})`.execute(server.ctx.db);
  const path = `/api/ads/${ad.publicId}/placement`;
  const figures = async () => {
    const { secondsInView, firstScreen } = (await buyer.get(path)).body as Position;
    return [secondsInView, firstScreen];
  };
  // Too old, and of today.
  await report(28, 500, 3000, 0);
  await report(0, 500, 3000, 0);
  await report(20, MIN_COMPARED_REPORTS, 100, 6000);
  await report(2, MIN_COMPARED_REPORTS - 1, 2000, 2000);
  expect(await figures()).toEqual([
    { recent: null, before: 6, change: null },
    { recent: null, before: 1, change: null },
  ]);
  expect((await seller.get('/api/analytics/placement-changes')).body).toEqual([]);
  await report(2, 1, 2000, 2000);
  const changed = [
    { recent: 2, before: 6, change: 'fell' },
    { recent: 0, before: 1, change: 'fell' },
  ];
  expect(await figures()).toEqual(changed);
  expect((await seller.get('/api/analytics/placement-changes')).body).toMatchObject([
    { zone: zone.publicId, change: null, secondsInView: changed[0], firstScreen: changed[1] },
  ]);
  await tellPositions(server.ctx);
  for (const { user } of [seller, buyer]) {
    const mail = (await mailTo(server.ctx, user.email)).find(({ kind }) => kind === 'placement-changed');
    expect(mail?.subject).toBe('The time in view of Sidebar fell to 2.0 seconds');
    expect(mail?.text.replaceAll(/\s+/g, ' ')).toContain(
      'was on the first screen of 0.0% of the measured page views. In the 20 days before, it was 100.0%.',
    );
  }
});

it('both sides get one mail about a change of more than half, with both figures, at one hour of the day, unless they have turned it off', async () => {
  const start = Date.parse('2027-02-01T01:05:00Z');
  server.clock.set(new Date(start - 30 * DAY_MS));
  const [seller, buyer, quiet] = [
    await server.signIn('seller'),
    await server.signIn('buyer'),
    await server.signIn('seller'),
  ];
  const product = { pricingModel: 'per_impression', impressions: 1_000_000, duration: null, price: '100.00' };
  const live = await makeLiveAd(seller, buyer, { product, zone: { name: 'Top' } });
  const other = await makeLiveAd(quiet, buyer, { product, zone: { name: 'Quiet' } });
  await quiet.patch('/api/user/settings', { campaignUpdates: false });
  const note = async ({ zone }: typeof live, daysAgo: number, kind: string, n: number) =>
    await sql`insert into delivery_hourly (hour, zone_id, kind, n)
      values (date_trunc('hour', ${new Date(start - daysAgo * DAY_MS)}::timestamptz, 'utc'), ${zone.id}, ${kind}, ${n})`.execute(
      server.ctx.db,
    );
  for (const each of [live, other]) {
    await note(each, 20, 'vote_rendered', 1000);
    await note(each, 20, 'vote_viewable', 600);
    await note(each, 3, 'vote_rendered', 1000);
    await note(each, 3, 'vote_viewable', 250);
  }
  const mails = async (client: typeof seller) =>
    (await mailTo(server.ctx, client.user.email)).filter(({ kind }) => kind === 'placement-changed');
  server.clock.set(new Date(start + HOUR_MS));
  await tellPositions(server.ctx);
  expect(await mails(seller)).toEqual([]);
  server.clock.set(new Date(start));
  await Promise.all([1, 2, 3].map(async () => await tellPositions(server.ctx)));
  server.clock.set(new Date(start + DAY_MS));
  await tellPositions(server.ctx);
  const [toPublisher, ...more] = await mails(seller);
  expect(more).toEqual([]);
  expect(toPublisher?.subject).toBe('The viewability of Top fell to 25.0%');
  expect(toPublisher?.text).toContain(`${server.url}/results`);
  expect(toPublisher?.text.replaceAll(/\s+/g, ' ')).toContain(
    '25.0% were viewable. In the 28 days before, it was 60.0%.',
  );
  const toAdvertiser = await mails(buyer);
  expect(toAdvertiser.map(({ subject }) => subject).toSorted()).toEqual([
    'The viewability of Quiet fell to 25.0%',
    'The viewability of Top fell to 25.0%',
  ]);
  expect(toAdvertiser.map(({ text }) => text).join('')).toContain(
    `${server.url}/campaigns/${live.ad.publicId}`,
  );
  expect(await mails(quiet)).toEqual([]);

  // 35 days later, another change is told again.
  const again = start + 35 * DAY_MS + 10 * MINUTE_MS;
  await note(live, -30, 'vote_rendered', 1500);
  await note(live, -30, 'vote_viewable', 100);
  await note(live, -10, 'vote_rendered', 1000);
  await note(live, -10, 'vote_viewable', 1000);
  server.clock.set(new Date(again));
  await tellPositions(server.ctx);
  expect((await mails(seller)).map(({ subject }) => subject)).toEqual([
    'The viewability of Top fell to 25.0%',
    'The viewability of Top fell to 6.7%',
  ]);
});
