/**
 * Measures how far two servers count more than one when they count for different publishers, as the owners of different
 * partitions do (docs/decisions/111-counting-by-publisher.md).
 */
import { randomBytes } from 'node:crypto';
import type { AdEvent } from '../../server/delivery/event-log/event-log.ts';
import { type DirectCounter, openCounter } from '../../server/testing/delivery/counting.ts';
import { encode } from '../../server/delivery/event-log/sharing/message.ts';
import { withDatabase, withoutTriggers } from '../../server/testing/database/fill.ts';
import {
  addZone,
  makeRunningAd,
  makeSiteWithZone,
  type Tables,
} from '../../server/testing/delivery/running-ads.ts';
import { openBenchApp } from './app.ts';
import type { Row } from './delivery.ts';
import { median } from './median.ts';

const PUBLISHERS_PER_SERVER = 8;
const ZONES_PER_PUBLISHER = 2;
const ADS_PER_ZONE = 3;
const BATCH = 1000;
/** Of this many viewed decisions, one is clicked instead. */
const CLICKED = 50;
/** A side of a round has this many turns. */
const TURNS = 6;
const TURN_MS = 500;
const BATCHES_FOR_BYTES = 300;
/** So many that hardly any two views of a batch are of the same ad, as in a marketplace with much traffic. */
const MANY_ADS = 5000;
/** Enough that each of the many ads has been counted several times, and their pages are as they are after a while. */
const BATCHES_BEFORE_MANY = 80;
const BATCHES_OF_MANY = 60;
const UNREACHABLE = 1_000_000_000;
const GOAL = 1.6;

type Shown = { adId: number; zoneId: number };

export async function measureCounting(dataDir: string, rounds: number): Promise<Row[]> {
  const { app, databaseUrl, ownerUrl, close } = await openBenchApp(dataDir, { TRAFFIC_RULES: 'production' });
  const first = openCounter(databaseUrl, { ceilings: true });
  const second = openCounter(databaseUrl, { ceilings: true });
  try {
    const ofFirst = await makePublishers(app.ctx);
    const ofSecond = await makePublishers(app.ctx);
    const one = async () => await countFor(TURN_MS, first, ofFirst);
    const two = async () => {
      const rates = await Promise.all([
        countFor(TURN_MS, first, ofFirst),
        countFor(TURN_MS, second, ofSecond),
      ]);
      return rates[0] + rates[1];
    };
    await two();
    const rates: { one: number; two: number }[] = [];
    for (let round = 0; round < rounds; round += 1) {
      const sum = { one: 0, two: 0 };
      // The order alternates in short turns, so that a change of the machine's load is the same for both sides.
      for (let turn = 0; turn < TURNS; turn += 1) {
        if (turn % 2 === 0) sum.one += await one();
        sum.two += await two();
        if (turn % 2 === 1) sum.one += await one();
      }
      const rate = { one: sum.one / TURNS, two: sum.two / TURNS };
      rates.push(rate);
      console.log(
        `  round ${round + 1}: one connection ${Math.round(rate.one)}/s, two ${Math.round(rate.two)}/s, ${(rate.two / rate.one).toFixed(2)}`,
      );
    }
    const bytes = await measureBytes(ownerUrl, first, ofFirst, BATCHES_FOR_BYTES);
    const many = await fillAds(ownerUrl, ofFirst);
    await countBatches(first, many, BATCHES_BEFORE_MANY);
    const ofMany = await measureBytes(ownerUrl, first, many, BATCHES_OF_MANY);
    const value = median(rates.map((rate) => rate.two / rate.one));
    if (value < GOAL) process.exitCode = 1;
    return [
      {
        what: 'events counted per second, one connection',
        value: median(rates.map(({ one: rate }) => rate)),
        goal: '',
        unit: '/s',
      },
      {
        what: 'events counted per second, two connections',
        value: median(rates.map(({ two: rate }) => rate)),
        goal: '',
        unit: '/s',
      },
      { what: 'disjoint publishers, two connections ÷ one', value, goal: `≥ ${GOAL}`, unit: '' },
      { what: 'tables and indexes of events per counted view', value: bytes.disk, goal: '', unit: 'B' },
      { what: 'WAL per counted view', value: bytes.wal, goal: '', unit: 'B' },
      { what: 'messages to NATS per counted view', value: bytes.stream, goal: '', unit: 'B' },
      { what: `events counted per second, ${MANY_ADS} ads`, value: ofMany.rate, goal: '', unit: '/s' },
      { what: `WAL per counted view, ${MANY_ADS} ads`, value: ofMany.wal, goal: '', unit: 'B' },
    ];
  } finally {
    await first.close();
    await second.close();
    await close();
  }
}

/** The bytes that a counted view and the event of its rendered ad write, and the events counted per second meanwhile. */
type Written = { disk: number; wal: number; stream: number; rate: number };

async function measureBytes(
  ownerUrl: string,
  counter: DirectCounter,
  shown: readonly Shown[],
  batches: number,
): Promise<Written> {
  return await withDatabase(ownerUrl, async (client) => {
    const written = async () => {
      const { rows } = await client.query<{ wal: string; disk: string }>(
        `select pg_current_wal_lsn() - '0/0' as wal, (
            select sum(pg_total_relation_size(oid)) from pg_class where relkind = 'r' and relname like 'ad_events%') as disk`,
      );
      return { wal: Number(rows[0]?.wal), disk: Number(rows[0]?.disk) };
    };
    const before = await written();
    const { views, stream, ms } = await countBatches(counter, shown, batches);
    const after = await written();
    return {
      disk: (after.disk - before.disk) / views,
      wal: (after.wal - before.wal) / views,
      stream: stream / views,
      rate: (batches * BATCH * 1000) / ms,
    };
  });
}

/** `stream`: the bytes of the same batches as messages to NATS. `ms`: the time of counting alone. */
async function countBatches(
  counter: DirectCounter,
  shown: readonly Shown[],
  batches: number,
): Promise<{ views: number; stream: number; ms: number }> {
  const sum = { views: 0, stream: 0, ms: 0 };
  let decisions = decide(shown);
  for (let batch = 0; batch < batches; batch += 1) {
    const viewed = decisions;
    decisions = decide(shown);
    const events = batchOf(decisions, viewed);
    const from = performance.now();
    await counter.count(events, new Date());
    sum.ms += performance.now() - from;
    sum.views += events.filter(({ kind }) => kind === 'view').length;
    sum.stream += encode({ receivedAtMs: Date.now(), events }).length;
  }
  return sum;
}

/** Copies of the ads that are paid by the view. */
async function fillAds(ownerUrl: string, shown: readonly Shown[]): Promise<Shown[]> {
  return await withDatabase(ownerUrl, async (client) => {
    await withoutTriggers(client, async () => {
      await client.query(
        `insert into ads (user_id, ad_zone_id, ad_type, title, description, target_url, total_amount, commission_amount,
            pricing_model, impressions, status, payment_intent_id, start_date, approved_at)
          select a.user_id, a.ad_zone_id, a.ad_type, a.title, a.description, a.target_url, a.total_amount,
              a.commission_amount, a.pricing_model, a.impressions, 'active', 'bench_' || n, now(), now()
            from generate_series(1, $2::integer) n
            join (
              select ads.*, row_number() over (order by id) as place, count(*) over () as places
                from ads where id = any ($1) and pricing_model = 'per_impression') as a on a.place = n % a.places + 1`,
        [shown.map(({ adId }) => adId), MANY_ADS],
      );
    });
    const { rows } = await client.query<Shown>(
      `select id as "adId", ad_zone_id as "zoneId" from ads where payment_intent_id like 'bench_%'`,
    );
    await client.query('analyze ads');
    return rows;
  });
}

/** Publishers with live ads of each kind. Like established ones, they have no ceiling; its row is locked all the same. */
async function makePublishers(ctx: Tables): Promise<Shown[]> {
  const shown: Shown[] = [];
  for (let publisher = 0; publisher < PUBLISHERS_PER_SERVER; publisher += 1) {
    const { websiteId, zoneId } = await makeSiteWithZone(ctx);
    const zones = [zoneId];
    while (zones.length < ZONES_PER_PUBLISHER) zones.push((await addZone(ctx, websiteId)).zoneId);
    for (const zone of zones) {
      for (let ad = 0; ad < ADS_PER_ZONE; ad += 1) {
        const quota = {
          pricingModel: ad === 1 ? 'per_impression' : 'per_click',
          amount: UNREACHABLE,
        } as const;
        const { id } = await makeRunningAd(ctx, zone, ad === 0 ? {} : quota);
        shown.push({ adId: id, zoneId: zone });
      }
    }
    const { userId } = await ctx.db
      .selectFrom('websites')
      .select('userId')
      .where('id', '=', websiteId)
      .executeTakeFirstOrThrow();
    await ctx.db
      .insertInto('publisherDays')
      .values({ userId, date: ctx.now().toISOString().slice(0, 10) })
      .execute();
  }
  return shown;
}

/** Counts batches one after the other. Returns the events per second. */
async function countFor(ms: number, counter: DirectCounter, shown: readonly Shown[]): Promise<number> {
  const from = performance.now();
  let before = decide(shown);
  let events = 0;
  while (performance.now() - from < ms) {
    const decisions = decide(shown);
    const batch = batchOf(decisions, before);
    await counter.count(batch, new Date());
    events += batch.length;
    before = decisions;
  }
  return events / ((performance.now() - from) / 1000);
}

type Decision = Shown & { decisionId: string; issuedAtMs: number };

function decide(shown: readonly Shown[]): Decision[] {
  const issuedAtMs = Date.now() - 5000;
  return Array.from({ length: BATCH / 2 }, () => ({
    ...shown[Math.floor(Math.random() * shown.length)]!,
    decisionId: randomBytes(12).toString('hex'),
    issuedAtMs,
  }));
}

/** An ad is viewed a second after it was rendered, so a batch has views of the decisions that the one before had rendered. */
function batchOf(rendered: readonly Decision[], viewed: readonly Decision[]): AdEvent[] {
  const rest = { reason: null, implied: false, creative: 0 };
  return [
    ...rendered.map((decision) => ({ ...decision, ...rest, kind: 'rendered' as const })),
    ...viewed.map((decision, index) =>
      index % CLICKED === 0
        ? { ...decision, ...rest, kind: 'click' as const, reason: 'not_rendered' as const }
        : { ...decision, ...rest, kind: 'view' as const },
    ),
  ];
}
