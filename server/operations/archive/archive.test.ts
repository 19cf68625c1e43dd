/** Old days of events are archived, compared with the counters, and only then dropped. */
import { mkdir, readdir, readFile, rm, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { DuckDBInstance } from '@duckdb/node-api';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS, later, SECOND_MS, utcDay } from '#domain/time.ts';
import { alone } from '#server/platform/jobs/alone.ts';
import { packEvents } from '#server/delivery/event-log/partitions/pack-events.ts';
import { ensureEventPartitions } from '#server/delivery/event-log/partitions/partitions.ts';
import { adRow, figures, makeRunningAd, makeSiteWithZone } from '#server/testing/delivery/delivery.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';
import { planOf } from '#server/testing/database/query-plans.ts';
import { directLog } from '#server/testing/delivery/counting.ts';
import { newEvent } from '#server/testing/delivery/events.ts';
import { runOpenslot } from '#server/testing/openslot.ts';
import {
  fillDisk,
  mountSmallDisk,
  newTemporaryFolder,
  NO_SMALL_DISK,
  removeFolder,
} from '#server/testing/temporary.ts';
import { runArchive } from './archive.ts';
import { sumsOfDay } from './store.ts';

// They archive and read whole days.
vi.setConfig({ testTimeout: 300_000 });

let archive: string;
/** The days of the test before this one are 60 days before those of the next, so that no event is in two of them. */
let first = new Date(`${utcDay(later(new Date(), -2000 * DAY_MS))}T00:00:00Z`);
let today: Date;

beforeAll(() => {
  archive = newTemporaryFolder('archive');
});
afterAll(() => {
  removeFolder(archive);
});
const server = useOwnAdServer(() => ({ ARCHIVE_TO: archive, METRICS_TOKEN: 'metrics' }));
beforeEach(() => {
  first = later(first, 60 * DAY_MS);
  today = new Date();
});

const day = (index: number) => utcDay(later(first, index * DAY_MS));
const fileOf = (index: number, part = 0) => path.join(archive, `day=${day(index)}`, `part-${part}.parquet`);

async function openslot(words: string[], settings: Record<string, string> = {}) {
  const { code, out, err } = await runOpenslot([...words, '--json'], {
    DATABASE_URL: server.databaseUrl,
    DATABASE_OWNER_URL: server.ownerUrl,
    DATA_DIR: server.ctx.config.dataDir,
    PORT: String(server.ctx.config.port),
    ARCHIVE_TO: archive,
    ...settings,
  });
  if (out === '') throw new Error(err);
  return { code, answer: JSON.parse(out) as Record<string, unknown> };
}

const run = async () => {
  server.clock.set(today);
  return await runArchive(server.ctx, server.databaseUrl);
};

/**
 * Counts events of two ads on days in a row: views and clicks, filtered and repeated ones, and views of decisions shortly
 * before midnight that are reported shortly after it.
 */
async function countDays(days: number): Promise<{ ads: number[]; zoneId: number }> {
  const { zoneId } = await makeSiteWithZone(server.ctx);
  server.clock.set(first);
  const ads = [
    (await makeRunningAd(server.ctx, zoneId, { amount: 90 })).id,
    (await makeRunningAd(server.ctx, zoneId, { pricingModel: 'per_impression', amount: 7 })).id,
  ];
  const log = directLog(server);
  for (let index = 0; index < days; index++) {
    server.clock.set(later(first, index * DAY_MS + 9 * HOUR_MS));
    const views = Array.from({ length: 5 }, (_, at) =>
      newEvent(server, { adId: ads[at % 2]!, zoneId, kind: 'view' }),
    );
    const clicks = views.slice(0, 2).map((view) => ({ ...view, kind: 'click' as const }));
    await log.append([...views, ...clicks, newEvent(server, { adId: ads[0]!, zoneId, reason: 'bot' })]);
    await log.append([views[0]!, newEvent(server, { adId: ads[0]!, zoneId, kind: 'rendered' })]);
    // A decision just before midnight.
    server.clock.set(later(first, (index + 1) * DAY_MS - 5 * SECOND_MS));
    const late = [0, 1, 2].map(() => newEvent(server, { adId: ads[0]!, zoneId }));
    await log.append([late[0]!]);
    server.clock.set(later(first, (index + 1) * DAY_MS + 20 * SECOND_MS));
    await log.append(late);
  }
  await log.stop();
  return { ads, zoneId };
}

/** The rows and sums that another author's engine finds in the files. */
async function duck(query: string): Promise<Record<string, unknown>[]> {
  const instance = await DuckDBInstance.create(':memory:');
  const connection = await instance.connect();
  try {
    return (await connection.runAndReadAll(query)).getRowObjectsJson();
  } finally {
    connection.closeSync();
    instance.closeSync();
  }
}

const files = (days: number) =>
  `read_parquet([${Array.from({ length: days }, (_, index) => `'${archive}/day=${day(index)}/*.parquet'`).join()}])`;

/** The sums of all archived events by ad, kind and reason. */
const archivedSums = async (days: number) =>
  Object.fromEntries(
    (
      await duck(
        `select ad_id, kind, reason, count(*)::integer as n from ${files(days)} group by all order by all`,
      )
    ).map(({ ad_id: ad, kind, reason, n }) => [
      `${ad as number} ${kind as string} ${(reason as string) ?? ''}`,
      n,
    ]),
  );

const eventDays = async () => {
  const { rows } = await sql<{ day: string }>`
    select to_date(right(inhrelid::regclass::text, 8), 'YYYYMMDD')::text as day from pg_inherits
      where inhparent = 'ad_events'::regclass order by 1`.execute(server.ctx.db);
  return rows.map((row) => row.day);
};

const isKept = async (index: number) => (await eventDays()).includes(day(index));

async function metric(name: string): Promise<number | undefined> {
  const { text } = await server.anyone().get('/metrics', { authorization: 'Bearer metrics' });
  const line = text.split('\n').find((each) => each.startsWith(`${name} `));
  return line === undefined ? undefined : Number(line.split(' ')[1]);
}

// Proves SCALE-20
it.each([
  { events: 'each event', packed: false },
  { events: 'each packed event', packed: true },
])(
  'archives $events of an old day before the day is dropped, as another engine finds it',
  async ({ packed }) => {
    const { ads } = await countDays(3);
    const before = await sql<{ id: string; kind: string; issued: number; received: number }>`
    select encode(decision_id, 'hex') as id, kind, ad_id, zone_id, reason,
        floor(extract(epoch from issued_at) * 1000)::float8 as issued,
        floor(extract(epoch from counted_at) * 1000)::float8 as received
      from ad_events where ad_id = any (${ads}) order by id, kind`.execute(server.ctx.db);
    const counted = await Promise.all(ads.map(async (ad) => await figures(server.ctx, ad)));
    if (packed) {
      await packEvents({ ...server.ctx, realNow: () => today });
      expect(await eventDays()).not.toContain(day(0));
    }
    const result = await run();
    expect(result).toEqual({
      archived: [day(0), day(1), day(2)],
      kept: [],
      dropped: [day(0), day(1), day(2)],
    });
    expect(await eventDays()).not.toContain(day(0));

    const rows = await duck(
      `select decision_id as id, kind, ad_id as "adId", zone_id as "zoneId", reason, epoch_ms(issued_at)::double as issued,
       epoch_ms(received_at)::double as received from ${files(3)} order by id, kind`,
    );
    expect(rows).toEqual(before.rows);
    expect(
      (await duck(`describe select * from ${files(3)}`)).map(({ column_name: name, column_type: type }) => [
        name,
        type,
      ]),
    ).toEqual([
      ['decision_id', 'VARCHAR'],
      ['kind', 'VARCHAR'],
      ['ad_id', 'INTEGER'],
      ['zone_id', 'INTEGER'],
      ['issued_at', 'TIMESTAMP WITH TIME ZONE'],
      ['received_at', 'TIMESTAMP WITH TIME ZONE'],
      ['reason', 'VARCHAR'],
      // From the name of the folder.
      ['day', 'DATE'],
    ]);
    const sums = await archivedSums(3);
    for (const [index, ad] of ads.entries()) {
      // A repeated report leaves no event.
      const { 'view duplicate': _one, 'rendered duplicate': _other, ...expected } = counted[index]!;
      const found = Object.entries(sums).filter(([key]) => key.startsWith(`${ad} `));
      expect(Object.fromEntries(found.map(([key, n]) => [key.slice(`${ad} `.length).trim(), n]))).toEqual(
        expected,
      );
      expect(await figures(server.ctx, ad)).toEqual(counted[index]);
    }
    expect(await adRow(server.ctx, ads[0]!)).toMatchObject({ totalImpressions: counted[0]!['view'] });

    const { answer } = await openslot(['archive', 'list']);
    const listed = (answer['days'] as { day: string; rows: number; bytes: number; agrees: boolean }[]).slice(
      -3,
    );
    expect(listed.map(({ day: on, agrees }) => [on, agrees])).toEqual(
      [0, 1, 2].map((index) => [day(index), true]),
    );
    expect(listed.reduce((sum, { rows: n }) => sum + n, 0)).toBe(before.rows.length);
    expect(listed[0]!.bytes).toBe((await readFile(fileOf(0))).length);
    expect((await openslot(['archive', 'verify', '--day', day(1)])).code).toBe(0);
  },
);

// Proves SCALE-20
it('keeps a day whose events and counters differ, and only that day, until they agree', async () => {
  const { ads } = await countDays(3);
  const ad = ads[0]!;
  await sql`update delivery_hourly set n = n + 1
    where ad_id = ${ad} and kind = 'view' and reason = 'bot' and hour::date = ${day(1)}::date`.execute(
    server.ctx.db,
  );
  const result = await run();
  expect(result.dropped).toEqual([day(0), day(2)]);
  expect(result.kept).toEqual([
    { day: day(1), problems: [`ad ${ad}, view, bot: 1 in the archive and 2 in the counters`] },
  ]);
  expect(await isKept(1)).toBe(true);
  await ensureEventPartitions(server.ctx);
  expect(await isKept(1)).toBe(true);
  expect(await metric('openslot_archive_differences')).toBe(1);
  const { answer: list } = await openslot(['archive', 'list']);
  expect(list['days']).toContainEqual(expect.objectContaining({ day: day(1), agrees: false }));
  const doctor = await openslot(['doctor']);
  expect(doctor.answer).toContainEqual({
    check: 'archive',
    state: 'fail',
    text: expect.stringContaining(
      `${day(1)} differs from the counters, so it is kept (ad ${ad}, view, bot: 1 in`,
    ) as string,
  });
  const verified = await openslot(['archive', 'verify', '--day', day(1)]);
  expect(verified).toMatchObject({ code: 1, answer: { day: day(1), agrees: false } });

  await sql`update delivery_hourly set n = n - 1
    where ad_id = ${ad} and kind = 'view' and reason = 'bot' and hour::date = ${day(1)}::date`.execute(
    server.ctx.db,
  );
  expect(await run()).toEqual({ archived: [day(1)], kept: [], dropped: [day(1)] });
  expect(await metric('openslot_archive_differences')).toBe(0);
  expect((await openslot(['archive', 'verify', '--day', day(1)])).code).toBe(0);
});

// Proves SCALE-20
it('finds events that are missing in the database, and those that nobody counted', async () => {
  const { ads, zoneId } = await countDays(2);
  // What was received after midnight belongs to the counters of the next day.
  await sql`delete from ad_events where ad_id = ${ads[0]!} and issued_on = ${day(0)} and counted_at::date = ${day(1)}`.execute(
    server.owner,
  );
  await sql`insert into ad_events (issued_on, decision_id, kind, ad_id, zone_id, issued_at, counted_at)
    values (${day(0)}, '\\xabcd', 'view', ${ads[1]!}, ${zoneId}, ${day(0)}, ${day(0)})`.execute(server.owner);
  const { kept } = await run();
  expect(kept).toEqual([
    { day: day(0), problems: [`ad ${ads[1]!}, view, counted: 3 in the archive and 2 in the counters`] },
    { day: day(1), problems: [`ad ${ads[0]!}, view, counted: 4 in the archive and 6 in the counters`] },
  ]);
  // As a restore of the hours would do it.
  await sql`update delivery_hourly set n = n + 1 where ad_id = ${ads[1]!} and kind = 'view' and hour::date = ${day(0)}::date
    and reason = ''`.execute(server.ctx.db);
  await sql`update delivery_hourly set n = n - 2 where ad_id = ${ads[0]!} and kind = 'view' and reason = ''
    and hour::date = ${day(1)}::date and extract(hour from hour) = 9`.execute(server.ctx.db);
  expect(await run()).toMatchObject({ kept: [], dropped: [day(0), day(1)] });
});

// Proves SCALE-20
it('compares the first day as well as it can, if the day before was dropped without an archive', async () => {
  const { ads, zoneId } = await countDays(2);
  await sql`select drop_event_day(${day(0)}::date, current_date, 35, false)`.execute(server.ctx.db);
  // An ad that was not shown on the day before has no event that nobody knows.
  const other = 1_000_000 + ads[0]!;
  await sql`insert into delivery_hourly (hour, ad_id, zone_id, kind, n) values (${day(1)}::timestamptz, ${other}, ${zoneId}, 'view', 1)`.execute(
    server.ctx.db,
  );
  expect((await run()).kept).toEqual([
    { day: day(1), problems: [`ad ${other}, view, counted: 0 in the archive and 1 in the counters`] },
  ]);
  await sql`delete from delivery_hourly where ad_id = ${other}`.execute(server.ctx.db);
  expect(await run()).toEqual({ archived: [day(1)], kept: [], dropped: [day(1)] });
});

it('replaces what an ended run left behind, and lets one process do it', async () => {
  await countDays(1);
  await alone(server.databaseUrl, 'archive', '', async () => {
    await expect(run()).rejects.toThrow('The archive is being written');
  });

  await mkdir(path.dirname(fileOf(0)));
  await writeFile(fileOf(0), 'PAR1 half of a part');
  await writeFile(fileOf(0, 1), 'a part that no day has');
  expect(await run()).toEqual({ archived: [day(0)], kept: [], dropped: [day(0)] });
  expect(await readdir(path.dirname(fileOf(0)))).toEqual(['part-0.parquet']);
  expect((await openslot(['archive', 'verify', '--day', day(0)])).code).toBe(0);
});

it('adds events that were counted after their day was dropped as a new part', async () => {
  const { ads, zoneId } = await countDays(1);
  await run();
  const rows = Number((await duck(`select count(*)::integer as n from ${files(1)}`))[0]!['n']);
  const log = directLog({ ...server, clock: { ...server.clock, now: () => later(first, 10 * HOUR_MS) } });
  await log.append([newEvent(server, { adId: ads[0]!, zoneId, issuedAtMs: first.getTime() + 9 * HOUR_MS })]);
  await log.stop();
  expect(await isKept(0)).toBe(true);
  expect(await run()).toMatchObject({ archived: [day(0)], kept: [], dropped: [day(0)] });
  expect(Number((await duck(`select count(*)::integer as n from ${files(1)}`))[0]!['n'])).toBe(rows + 1);
  expect(await readdir(path.dirname(fileOf(0)))).toEqual(['part-0.parquet', 'part-1.parquet']);
});

it('says what is wrong with an archived day whose files were changed, and exits with 1', async () => {
  await countDays(1);
  await run();
  const verify = async () => await openslot(['archive', 'verify', '--day', day(0)]);
  expect(await verify()).toMatchObject({ code: 0, answer: { agrees: true, problems: [] } });
  const bytes = await readFile(fileOf(0));
  await writeFile(fileOf(0), bytes.subarray(0, bytes.length / 2));
  expect(await verify()).toMatchObject({
    code: 1,
    answer: { agrees: false, problems: [expect.stringContaining('is damaged and cannot be read')] },
  });
  await writeFile(fileOf(0), bytes);
  expect((await verify()).code).toBe(0);
  expect(await openslot(['archive', 'verify', '--day', '2019-01-01'])).toMatchObject({
    code: 1,
    answer: { problems: ['2019-01-01 was not archived.'] },
  });
  expect((await openslot(['archive', 'verify', '--day', 'yesterday'])).code).toBe(2);
  expect((await openslot(['archive', 'run'], { ARCHIVE_TO: '' })).code).toBe(2);
});

it('keeps the day while the disk of the archive is full, and says so', async ({ skip }) => {
  const disk = mountSmallDisk('archive', 1);
  if (disk === null) return skip(NO_SMALL_DISK);
  try {
    await countDays(1);
    const ballast = fillDisk(disk);
    const { code, answer } = await openslot(['archive', 'run'], { ARCHIVE_TO: disk });
    expect(code).toBe(1);
    expect(JSON.stringify(answer)).toMatch(/failed \(ENOSPC\)\. Free some space, or name another place/);
    expect(await isKept(0)).toBe(true);
    await rm(ballast);
    expect((await openslot(['archive', 'run'], { ARCHIVE_TO: disk })).answer).toMatchObject({
      dropped: [day(0)],
    });
  } finally {
    removeFolder(disk);
  }
});

it('never writes into the archive of another installation', async () => {
  await countDays(1);
  await writeFile(path.join(archive, 'openslot-installation'), 'another');
  const { kept, dropped } = await run();
  expect(dropped).toEqual([]);
  expect(kept[0]!.problems).toEqual([
    'ARCHIVE_TO is the archive of another installation. Set it to a place of its own.',
  ]);
  expect(await isKept(0)).toBe(true);
});

it('finds a packed day by an index, and reads no partition for it', async () => {
  const { zoneId } = await makeSiteWithZone(server.ctx);
  await sql`
    insert into packed_events (issued_on, ad_id, zone_id, kind, decision_ids, issued_ms, counted_ms)
      select current_date - 20 - n % 300, n, ${zoneId}::integer, 'view', array['\\x00'::bytea], array[0], array[0]
        from generate_series(1, 30000) n`.execute(server.owner);
  await sql`analyze packed_events`.execute(server.owner);
  const old = utcDay(later(new Date(), -40 * DAY_MS));
  const plan = await planOf(server.ctx.db, async (tx) => await sumsOfDay(tx, old, old));
  const read = plan
    .map((node) => node['Index Name'] ?? node['Relation Name'])
    .filter((name) => name !== undefined);
  expect(read).toContain('packed_events_day');
  expect(read).not.toContain('ad_events');
});
