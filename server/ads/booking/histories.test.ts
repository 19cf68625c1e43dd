/**
 * Random histories of bookings, whose acts are played at the same time by several processes. After each round, no day has
 * more ads than slots. `npm run lab bookings -- HISTORIES SEED` plays more of them, and repeats a run.
 */
import { type ChildProcess, fork } from 'node:child_process';
import fc from 'fast-check';
import { sql } from 'kysely';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { HOUR_MS, addDays, utcDay } from '#domain/time.ts';
import type { Act, Scene } from '#server/testing/bookings/acts.ts';
import type { Order, Result } from '#server/testing/bookings/worker.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';

const HISTORIES = Number(process.env.BOOKING_HISTORIES ?? 20);
const SEED = Number(process.env.BOOKING_SEED ?? Date.now() % 2 ** 31);
const PROCESSES = 3;
const ROUNDS = 4;

const server = useOwnServer();
let workers: ChildProcess[];
let userIds: number[];
let websiteId: number;
let zoneTemplate: number;
const waiting = new Map<number, (result: Result) => void>();

beforeAll(async () => {
  // The histories pay for nothing.
  await sql`alter table ads disable trigger live_ad_is_paid`.execute(server.owner);
  const buyers = await Promise.all([1, 2, 3].map(() => server.signIn('buyer')));
  userIds = buyers.map(({ user }) => user.id);
  const seller = await server.signIn('seller');
  const zone = await makeZone(seller, await makeWebsite(seller), { slots: 1 });
  await makeProduct(seller, zone, { duration: 2 });
  [websiteId, zoneTemplate] = [zone.websiteId, zone.id];
  workers = Array.from({ length: PROCESSES }, () => {
    const worker = fork(new URL('../../testing/bookings/worker.ts', import.meta.url), {
      env: { ...process.env, DATABASE_URL: server.databaseUrl },
      execArgv: [],
    });
    worker.on('message', (result: Result) => waiting.get(result.id)?.(result));
    return worker;
  });
});
afterAll(async () => {
  const ends = workers.map((worker) => new Promise((resolve) => worker.once('exit', resolve)));
  for (const worker of workers) worker.disconnect();
  await Promise.all(ends);
});

let orders = 0;

function order(worker: ChildProcess, scene: Scene, act: Act): Promise<Result> {
  const id = ++orders;
  return new Promise((resolve) => {
    waiting.set(id, (result) => {
      waiting.delete(id);
      resolve(result);
    });
    worker.send({ id, scene, act } satisfies Order);
  });
}

const day = fc.integer({ min: 0, max: 6 });
const someAct: fc.Arbitrary<Act> = fc.oneof(
  {
    weight: 8,
    arbitrary: fc.record({
      act: fc.constant('submit' as const),
      user: fc.nat(2),
      start: fc.option(day),
      duration: fc.integer({ min: 1, max: 3 }),
    }),
  },
  {
    weight: 8,
    arbitrary: fc.record({
      act: fc.constantFrom('reject' as const, 'approve', 'approve', 'pay', 'pay', 'end', 'extend'),
      nth: fc.nat(5),
      days: fc.integer({ min: -1, max: 3 }),
    }),
  },
  {
    weight: 2,
    arbitrary: fc.record({
      act: fc.constant('slots' as const),
      slots: fc.option(fc.integer({ min: 1, max: 3 }), { freq: 4 }),
    }),
  },
  {
    weight: 1,
    arbitrary: fc.record({ act: fc.constant('block' as const), days: fc.array(day, { maxLength: 2 }) }),
  },
  { weight: 2, arbitrary: fc.record({ act: fc.constant('wait' as const), user: fc.nat(2), start: day }) },
  { weight: 1, arbitrary: fc.constant<Act>({ act: 'offer' }) },
);
const round = fc.record({
  acts: fc.array(someAct, { minLength: PROCESSES, maxLength: PROCESSES }),
  hours: fc.constantFrom(0, 0, 5, 24, 30),
});
type Round = { acts: Act[]; hours: number };
const someHistory = fc.array(round, { minLength: ROUNDS, maxLength: ROUNDS });

async function makeScene(): Promise<Scene> {
  const { rows } = await sql<{ zoneId: number; productId: number }>`
    with zone as (
      insert into ad_zones (website_id, name, width, height, zone_type, slots)
        select ${websiteId}, name, width, height, zone_type, 2 from ad_zones where id = ${zoneTemplate}
        returning id)
    insert into ad_zone_products (ad_zone_id, ad_type, price, pricing_model, duration)
      select id, 'text', 10, 'per_day', 2 from zone returning ad_zone_id as zone_id, id as product_id`.execute(
    server.owner,
  );
  return { ...rows[0]!, userIds, now: Date.UTC(2027, 0, 4, 9) };
}

/** Which of the promises about a zone is broken; none if all hold. */
async function brokenPromises({ zoneId, now }: Scene): Promise<unknown[]> {
  const today = utcDay(new Date(now));
  const { rows } = await sql`
    select 'too many on a day' as broken, b.day, count(*) as n, z.slots
      from booked_days b join ad_zones z on z.id = b.zone_id
      where b.zone_id = ${zoneId} group by b.day, z.slots having count(*) > z.slots
    union all
    select 'a slot on a blocked day', b.day, 1, z.slots
      from booked_days b join ad_zones z on z.id = b.zone_id
      where b.zone_id = ${zoneId} and b.day = any (z.blocked_days)
    union all
    select 'a slot of an ad that is over', b.day, 1, null
      from booked_days b join ads a on a.id = b.ad_id
      where b.zone_id = ${zoneId} and a.status in ('rejected', 'completed')
    union all
    select 'a slot of a zone without a limit', b.day, 1, null
      from booked_days b join ad_zones z on z.id = b.zone_id
      where b.zone_id = ${zoneId} and z.slots is null
    union all
    -- Approved ads that have not started hold all of their days that are not past.
    select 'a day that is not held', d::date, a.id, z.slots
      from ads a join ad_zones z on z.id = a.ad_zone_id
      cross join generate_series(greatest(a.chosen_start, ${today}::date), a.chosen_start + a.duration - 1, '1 day') as d
      where a.ad_zone_id = ${zoneId} and z.slots is not null and a.status = 'approved'
        and not exists (select from booked_days b where b.ad_id = a.id and b.day = d::date)
    union all
    select 'two people are offered a day', x.start_day, 1, null
      from waiting_list x join waiting_list y on y.zone_id = x.zone_id and y.id > x.id
      where x.zone_id = ${zoneId} and x.state = 'offered' and y.state = 'offered'
        and x.start_day < y.end_day and y.start_day < x.end_day`.execute(server.owner);
  return rows;
}

it(
  'no day of any zone is sold more often than it has slots, whatever several processes do at the same time',
  async () => {
    const outcomes = { done: 0, refused: 0, failed: 0 };
    const history = async (rounds: Round[]) => {
      const scene = await makeScene();
      for (const { acts, hours } of rounds) {
        scene.now += hours * HOUR_MS;
        const results = await Promise.all(
          acts.map(async (act, index) => await order(workers[index] as ChildProcess, scene, act)),
        );
        for (const { outcome, error } of results) {
          outcomes[outcome] += 1;
          if (outcome === 'failed') throw new Error(error);
        }
        expect(await brokenPromises(scene)).toEqual([]);
      }
      // Past histories would only slow the job down.
      await sql`delete from waiting_list`.execute(server.owner);
    };
    const { failed, numRuns, errorInstance, counterexample } = await fc.check(
      fc.asyncProperty(someHistory, history),
      { numRuns: HISTORIES, seed: SEED, endOnFailure: true },
    );
    if (failed)
      throw new Error(`Seed ${SEED}, history ${numRuns}: ${JSON.stringify(counterexample)}`, {
        cause: errorInstance,
      });
    console.log(`${numRuns} histories, ${JSON.stringify(outcomes)}, seed ${SEED}`);
    expect(outcomes.done).toBeGreaterThan(HISTORIES);
  },
  3 * 60 * 60_000,
);

it('the promises are checked: a day that is sold too often is found', async () => {
  const scene = await makeScene();
  await order(workers[0] as ChildProcess, scene, { act: 'submit', user: 0, start: 1, duration: 1 });
  await order(workers[0] as ChildProcess, scene, { act: 'submit', user: 0, start: 1, duration: 1 });
  await sql`alter table ad_zones disable trigger guard_calendar`.execute(server.owner);
  await sql`update ad_zones set slots = 1 where id = ${scene.zoneId}`.execute(server.owner);
  await sql`alter table ad_zones enable trigger guard_calendar`.execute(server.owner);
  const tomorrow = addDays(utcDay(new Date(scene.now)), 1);
  expect(await brokenPromises(scene)).toMatchObject([{ broken: 'too many on a day', day: tomorrow, n: 2 }]);
});
