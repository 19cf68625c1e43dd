/** The calls of cells, and what a marketplace takes from them. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import { DAY_MS, HOUR_MS, hourOf, later } from '#domain/time.ts';
import { type AdFields, adRow, addZone, figures, makeRunningAd } from '../../testing/delivery.ts';
import { useOwnAdServer } from '../../testing/starts/use-server.ts';
import { makeUser, SITE } from '../../testing/delivery/running-ads.ts';
import type { FiguresBody, SentFigure } from '../wire.ts';
import { addCell, assignPublisher } from './manage.ts';

const server = useOwnAdServer();
let key: string;
let otherKey: string;
beforeAll(async () => {
  const { ctx } = server;
  const add = async (name: string) =>
    await ctx.db
      .transaction()
      .execute((tx) => addCell(ctx, tx, { name, deliveryUrl: 'https://north.example' }));
  key = (await add('north')).key;
  otherKey = (await add('south')).key;
});

type Sold = { id: number; zoneId: number };
let ad: Sold;
let hour: Date;
beforeEach(async () => {
  ad = await sell({ pricingModel: 'per_impression', amount: 10 });
  hour = new Date(hourOf(server.clock.now().getTime()));
});

/** A running ad in an ad zone of the cell 'north'. */
async function sell(fields: AdFields): Promise<Sold> {
  const { ctx } = server;
  const userId = await makeUser(ctx);
  await ctx.db.transaction().execute((tx) => assignPublisher(tx, { userId, cellName: 'north' }));
  const { id: websiteId } = await ctx.db
    .insertInto('websites')
    .values({ userId, name: 'The Daily', url: SITE, category: 'Technology' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { zoneId } = await addZone(ctx, websiteId);
  // It has run for a day.
  const aDayAgo = { ...ctx, now: () => later(ctx.now(), -DAY_MS) };
  const { id } = await makeRunningAd(aDayAgo, zoneId, fields);
  return { id, zoneId };
}

type Count = [
  kind: 'decision' | 'view' | 'click',
  reason: '' | 'bot' | 'not_rendered' | 'not_live',
  n: number,
];

const figureOf = ({ id, zoneId }: Sold, counts: Count[], at = hour): SentFigure => ({
  zoneId,
  adId: id,
  endedAt: null,
  hours: [at.toISOString()],
  counts: counts.map(([kind, reason, n]) => [at.toISOString(), kind, reason, n]),
  creatives: [],
});

/** Like a cell of the release before, which sends no sightings. */
const bodyOf = (sent: SentFigure[]): Omit<FiguresBody, 'sightings'> => ({
  release: '1.0.0',
  countedUntil: null,
  figures: sent,
});

async function send(sent: SentFigure[], withKey = key) {
  return await server.caller.send('POST', '/api/cells/v1/figures', bodyOf(sent), {
    authorization: `Bearer ${withKey}`,
  });
}
/** Why the figures of this ad are refused; [] if they are taken. */
async function refusals(sent: SentFigure[], withKey = key): Promise<string[]> {
  const { status, body, text } = await send(sent, withKey);
  expect([status, text]).toEqual([200, text]);
  return (body as { refused: { why: string }[] }).refused.map(({ why }) => why);
}

// Proves SCALE-78
it('takes the figures of an hour as a whole, so that a repeat changes nothing', async () => {
  const sent = [
    figureOf(ad, [
      ['decision', '', 9],
      ['view', '', 4],
      ['view', 'bot', 2],
      ['click', '', 1],
    ]),
  ];
  for (let times = 0; times < 3; times++) expect(await refusals(sent)).toEqual([]);
  expect(await adRow(server.ctx, ad.id)).toMatchObject({
    status: 'active',
    totalImpressions: 4,
    totalClicks: 1,
  });
  expect(await figures(server.ctx, ad.id)).toEqual({ view: 4, 'view bot': 2, click: 1 });
  expect(
    await refusals([
      figureOf(ad, [
        ['view', '', 6],
        ['click', '', 1],
      ]),
    ]),
  ).toEqual([]);
  expect(await figures(server.ctx, ad.id)).toEqual({ view: 6, click: 1 });
  expect(await performance(ad)).toEqual({ impressions: 6, clicks: 1 });
  // The two hours of a day add up.
  expect(await refusals([figureOf(ad, [['view', '', 1]], later(hour, -HOUR_MS))])).toEqual([]);
  expect(await adRow(server.ctx, ad.id)).toMatchObject({ totalImpressions: 7 });
});

async function performance({ id }: Sold) {
  const rows = await server.ctx.db.selectFrom('adPerformance').selectAll().where('adId', '=', id).execute();
  return {
    impressions: rows.reduce((sum, { impressions }) => sum + impressions, 0),
    clicks: rows.reduce((sum, { clicks }) => sum + clicks, 0),
  };
}

// Proves SCALE-79
it('completes an ad once, at its goal, and takes no more than that', async () => {
  expect(await refusals([figureOf(ad, [['view', '', 11]])])).toEqual(['More is counted than was bought.']);
  expect(await figures(server.ctx, ad.id)).toEqual({});
  const endedAt = later(server.clock.now(), -1000);
  const whole = { ...figureOf(ad, [['view', '', 10]]), endedAt: endedAt.toISOString() };
  for (let times = 0; times < 2; times++) expect(await refusals([whole])).toEqual([]);
  expect(await adRow(server.ctx, ad.id)).toMatchObject({ status: 'completed', totalImpressions: 10 });
  const { rows } = await server.app.pool.query(
    `select from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = 'tell-completed' and (j.payload ->> 'adId')::integer = $1`,
    [ad.id],
  );
  expect(rows).toHaveLength(1);
});

// Proves SCALE-79
it('keeps what was counted after an ad had ended here as filtered, however often it is sent', async () => {
  expect(await refusals([figureOf(ad, [['view', '', 3]])])).toEqual([]);
  await server.ctx.db
    .updateTable('ads')
    .set({ status: 'completed', endedReason: 'canceled', endDate: server.clock.now() })
    .where('id', '=', ad.id)
    .execute();
  for (let times = 0; times < 2; times++)
    expect(
      await refusals([
        figureOf(ad, [
          ['view', '', 5],
          ['view', 'not_live', 1],
        ]),
      ]),
    ).toEqual([]);
  expect(await figures(server.ctx, ad.id)).toEqual({ view: 3, 'view not_live': 3 });
  expect(
    await refusals([
      figureOf(ad, [
        ['view', '', 6],
        ['view', 'not_live', 2],
      ]),
    ]),
  ).toEqual([]);
  expect(await figures(server.ctx, ad.id)).toEqual({ view: 3, 'view not_live': 5 });
  expect(await adRow(server.ctx, ad.id)).toMatchObject({ status: 'completed', totalImpressions: 3 });
});

// Proves SCALE-79
it('counts the views of an ad by the day that were counted before its end', async () => {
  const daily = await sell({ pricingModel: 'per_day', amount: 2 });
  await server.ctx.db
    .updateTable('ads')
    .set({ status: 'completed', endDate: hour })
    .where('id', '=', daily.id)
    .execute();
  expect(await refusals([figureOf(daily, [['view', '', 7]], later(hour, -HOUR_MS))])).toEqual([]);
  expect(await refusals([figureOf(daily, [['view', '', 2]])])).toEqual([]);
  expect(await figures(server.ctx, daily.id)).toEqual({ view: 7, 'view not_live': 2 });
});

// Proves SCALE-81
it('refuses figures that fall, of other publishers, of other ads, and of hours that are too old or yet to come', async () => {
  expect(await refusals([figureOf(ad, [['view', '', 4]])])).toEqual([]);
  expect(await refusals([figureOf(ad, [['view', '', 3]])])).toEqual([
    expect.stringContaining('Fewer events'),
  ]);
  expect(await refusals([figureOf(ad, [])])).toEqual([expect.stringContaining('Fewer events')]);
  expect(await refusals([figureOf(ad, [['view', '', 5]])], otherKey)).toEqual([
    expect.stringContaining('not one of the publishers of this cell'),
  ]);
  const other = await sell({ pricingModel: 'per_impression', amount: 10 });
  expect(await refusals([figureOf({ id: other.id, zoneId: ad.zoneId }, [['view', '', 1]])])).toEqual([
    expect.stringContaining('does not run in this ad zone'),
  ]);
  expect(await refusals([figureOf(ad, [['view', '', 1]], later(hour, -40 * DAY_MS))])).toEqual([
    expect.stringContaining('more than 31 days old'),
  ]);
  expect(await refusals([figureOf(ad, [['view', '', 1]], later(hour, 3 * HOUR_MS))])).toEqual([
    expect.stringContaining('yet to come'),
  ]);
  // The figures of others in the same request are taken.
  const both = [figureOf(ad, [['view', '', 1]]), figureOf(other, [['view', '', 2]])];
  expect(await refusals(both)).toHaveLength(1);
  expect(await adRow(server.ctx, other.id)).toMatchObject({ totalImpressions: 2 });
  expect(await adRow(server.ctx, ad.id)).toMatchObject({ totalImpressions: 4 });
});

// Proves WARD-95
it('refuses what a cell with a fault or a stolen key sends, and takes the figures beside it', async () => {
  const other = await sell({ pricingModel: 'per_impression', amount: 10 });
  const good = figureOf(other, [['view', '', 2]]);
  for (const [count, at, why] of [
    [2_147_483_647, hour, 'more events than one ad can have'],
    [1, later(hour, -20 * DAY_MS), 'before the ad began'],
  ] as const) {
    const perDay = await sell({ pricingModel: 'per_day', amount: 10 });
    expect(await refusals([figureOf(perDay, [['view', '', count]], at), good])).toEqual([
      expect.stringContaining(why),
    ]);
    expect(await adRow(server.ctx, perDay.id)).toMatchObject({ totalImpressions: 0 });
  }
  expect(await adRow(server.ctx, other.id)).toMatchObject({ totalImpressions: 2 });
  const { status } = await server.caller.send(
    'POST',
    '/api/cells/v1/figures',
    { ...bodyOf([]), countedUntil: '2999-01-01T00:00:00.000Z' },
    { authorization: `Bearer ${key}` },
  );
  expect(status).toBe(200);
  const { countedUntil } = await server.ctx.db
    .selectFrom('cells')
    .select('countedUntil')
    .where('name', '=', 'north')
    .executeTakeFirstOrThrow();
  expect(countedUntil!.getTime()).toBeLessThan(Date.now() + DAY_MS);
});

// Proves SCALE-81
it('answers 401 for a wrong key, and 400 for what is no request of this version', async () => {
  const wrong = `cell_${'x'.repeat(43)}`;
  const keys: Record<string, string>[] = [
    {},
    { authorization: `Bearer ${wrong}` },
    { authorization: `Basic ${key}` },
  ];
  for (const headers of keys) {
    for (const path of ['zones?after=0', 'changes?horizon=0&database=x&after=0'])
      expect((await server.caller.get(`/api/cells/v1/${path}`, headers)).status).toBe(401);
    expect((await server.caller.send('POST', '/api/cells/v1/figures', bodyOf([]), headers)).status).toBe(401);
  }
  const authorization = `Bearer ${key}`;
  for (const path of [
    'zones',
    'zones?after=-1',
    'zones?after=x',
    'changes?after=0',
    'changes?horizon=x&database=y&after=0',
  ])
    expect([path, (await server.caller.get(`/api/cells/v1/${path}`, { authorization })).status]).toEqual([
      path,
      400,
    ]);
  for (const body of [
    null,
    {},
    { ...bodyOf([]), figures: 7 },
    bodyOf([{ ...figureOf(ad, []), hours: ['now'] }]),
  ])
    expect((await server.caller.send('POST', '/api/cells/v1/figures', body, { authorization })).status).toBe(
      400,
    );
});

// Proves SCALE-76
it('gives a cell the ad zones of its own publishers only', async () => {
  const of = async (withKey: string) => {
    const zones: { id: number }[] = [];
    for (let after: number | null = 0; after !== null;) {
      const answer = await server.caller.get(`/api/cells/v1/zones?after=${after}`, {
        authorization: `Bearer ${withKey}`,
      });
      const page = answer.body as { zones: { id: number }[]; next: number | null };
      zones.push(...page.zones);
      after = page.next;
    }
    return zones.map(({ id }) => id);
  };
  expect(await of(key)).toContain(ad.zoneId);
  expect(await of(otherKey)).toEqual([]);
});

// Proves SCALE-78
it('takes figures without waiting for an ad zone, whose transaction may go on to lock its ads', async () => {
  const { db } = server.ctx;
  const sending = await db.transaction().execute(async (tx) => {
    await tx.selectFrom('adZones').select('id').where('id', '=', ad.zoneId).forNoKeyUpdate().execute();
    const answer = send([
      figureOf(ad, [
        ['decision', '', 3],
        ['view', '', 2],
      ]),
    ]);
    await expect.poll(async () => (await adRow(server.ctx, ad.id)).totalImpressions).toBe(2);
    await tx.selectFrom('ads').select('id').where('id', '=', ad.id).forNoKeyUpdate().execute();
    return { answer };
  });
  expect((await sending.answer).status).toBe(200);
  const zone = await db
    .selectFrom('adZones')
    .select('tagSeenAt')
    .where('id', '=', ad.zoneId)
    .executeTakeFirst();
  expect(zone?.tagSeenAt).not.toBe(null);
});

// Proves SCALE-90
it('explains to the advertiser what the cell does with the ad', async () => {
  const buyer = await server.signIn('buyer');
  const { id: userId } = (await buyer.get('/api/auth/user')).body as { id: number };
  const own = await sell({ userId, pricingModel: 'per_impression', amount: 10 });
  const showing = async () => (await buyer.get(`/api/ads/${own.id}/showing`)).body as { rule: string | null };
  await refusals([figureOf(own, [['decision', '', 9]])]);
  expect(await showing()).toMatchObject({
    rule: null,
    share: 1,
    requests: { total: 9 },
    lately: { chosen: 9 },
  });
  await server.ctx.db.updateTable('adZones').set({ isActive: false }).where('id', '=', own.zoneId).execute();
  expect(await showing()).toMatchObject({ rule: 'zone_paused', share: 0 });
});

// Proves SCALE-90
it('takes what a cell has seen of its own ad zones while they are watched, and nothing else', async () => {
  const other = await sell({ pricingModel: 'per_impression', amount: 10 });
  const { ctx } = server;
  const until = later(ctx.now(), HOUR_MS);
  for (const { zoneId } of [ad, other])
    await ctx.db.insertInto('zoneWatches').values({ zoneId, until }).execute();
  const seen = (fields: object) => ({
    zoneId: ad.zoneId,
    seenAtMs: ctx.now().getTime(),
    kind: 'request',
    isTest: false,
    origin: SITE,
    decision: null,
    adId: ad.id,
    reason: null,
    afterMs: null,
    asked: null,
    ...fields,
  });
  const report = async (sightings: object[], withKey = key) =>
    await server.caller.send(
      'POST',
      '/api/cells/v1/figures',
      { ...bodyOf([]), sightings },
      { authorization: `Bearer ${withKey}` },
    );
  const kept = async () =>
    await ctx.db
      .selectFrom('zoneSightings')
      .select(['zoneId', 'kind', 'adId'])
      .where('zoneId', 'in', [ad.zoneId, other.zoneId])
      .orderBy('id')
      .execute();
  for (const bad of [{ seenAtMs: 1e300 }, { kind: 'paid' }, { asked: 'x'.repeat(1000) }, { adId: 1e12 }])
    expect(await report([seen(bad)])).toMatchObject({ status: 400 });
  for (const bad of [{ zoneId: 1e12 }, { adId: 1e12 }, { counts: [[hour.toISOString(), 'view', '', 1e12]] }])
    expect(await send([{ ...figureOf(ad, []), ...(bad as object) }])).toMatchObject({ status: 400 });
  const unknownZone = seen({ zoneId: 2_000_000_000 });
  expect(await report([seen({}), seen({ adId: other.id }), unknownZone])).toMatchObject({ status: 200 });
  expect(await report([seen({})], otherKey)).toMatchObject({ status: 200 });
  expect(await kept()).toEqual([{ zoneId: ad.zoneId, kind: 'request', adId: ad.id }]);
  await ctx.db.deleteFrom('zoneWatches').where('zoneId', '=', ad.zoneId).execute();
  expect(await report([seen({})])).toMatchObject({ status: 200 });
  expect(await kept()).toEqual([]);
});
