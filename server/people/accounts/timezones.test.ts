/** The database knows each stored timezone, and one that it stops knowing stops no job. */
import { readFileSync } from 'node:fs';
import { sql } from 'kysely';
import { afterEach, describe, expect, it } from 'vitest';
import { presentTimezone } from '#domain/timezones.ts';
import type { Client } from '#server/testing/client.ts';
import { addressOf, chooseTimezone, countAt } from '#server/testing/figures.ts';
import { runOpenslot } from '#server/testing/openslot.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';

/** Node.js knows it, and the embedded database does not. */
const UNKNOWN = 'US/Pacific-New';
const FUNCTION = new URL('../../platform/database/functions/people/known_timezone.sql', import.meta.url);

const server = useOwnServer({ start: new Date('2026-03-02T12:00:00Z') });

async function run(file: URL): Promise<void> {
  await sql.raw(readFileSync(file, 'utf8')).execute(server.owner);
}

/** As a database does that is older than the timezone, whose users are few. */
async function forgetTimezone(name: string): Promise<void> {
  await sql
    .raw(
      `create or replace function known_timezone(name text) returns text language sql stable as $$
        select case when name = '${name}' then 'UTC' else coalesce(name, 'UTC') end $$`,
    )
    .execute(server.owner);
}

async function store(user: Client, timezone: string): Promise<void> {
  await server.owner
    .updateTable('userSettings')
    .set({ timezone })
    .where('userId', '=', user.user.id)
    .execute();
}

const stored = async (email: string) =>
  await server.owner
    .selectFrom('userSettings')
    .innerJoin('users', 'users.id', 'userSettings.userId')
    .select('timezone')
    .where('email', '=', email)
    .executeTakeFirstOrThrow();

let people = 0;
async function signUp(timezone: unknown) {
  const email = `zone${people++}@example.test`;
  const body = { email, password: 'correct horse 77', firstName: 'Ann', lastName: 'Ray', timezone };
  const { status } = await server.anyone().post('/api/auth/register', body);
  return { status, email };
}

describe('the timezone of a user', () => {
  afterEach(() => run(FUNCTION));

  it('is stored by its present name, which the database knows', async () => {
    const user = await server.signIn();
    for (const [sent, kept] of [
      ['US/Pacific-New', 'America/Los_Angeles'],
      ['Canada/East-Saskatchewan', 'America/Regina'],
      ['Asia/Calcutta', 'Asia/Kolkata'],
      ['europe/berlin', 'Europe/Berlin'],
      ['Pacific', 'America/Los_Angeles'],
    ]) {
      const answer = await user.patch('/api/user/settings', { timezone: sent });
      expect([answer.status, answer.body.timezone]).toEqual([200, kept]);
    }
    const { rows } = await sql<{ name: string }>`select name from pg_timezone_names`.execute(server.ctx.db);
    const known = new Set(rows.map(({ name }) => name));
    const all = [...known, ...Intl.supportedValuesOf('timeZone')].map((name) => presentTimezone(name));
    expect(all.filter((name) => name !== null && !known.has(name))).toEqual([]);
    expect(new Set(all).size).toBeGreaterThan(400);
  });

  it('is refused with a sentence if the database does not know it', async () => {
    const user = await server.signIn();
    await forgetTimezone('America/Coyhaique');
    for (const timezone of ['America/Coyhaique', 'Mars/Olympus', 7]) {
      const answer = await user.patch('/api/user/settings', { timezone });
      expect([answer.status, answer.body.message]).toEqual([
        400,
        'We don’t know this timezone. Choose one of the list, or send its IANA name, such as Europe/Berlin.',
      ]);
    }
    expect((await user.get('/api/user/settings')).body.timezone).toBe('UTC');
  });

  it('never keeps a browser from signing up', async () => {
    await forgetTimezone('America/Coyhaique');
    for (const [sent, kept] of [
      ['Asia/Calcutta', 'Asia/Kolkata'],
      ['Europe/Kiev', 'Europe/Kyiv'],
      ['America/Coyhaique', 'UTC'],
      ['Etc/Unknown', 'UTC'],
      ['Asia/Not_Yet', 'UTC'],
      ['', 'UTC'],
    ]) {
      const { status, email } = await signUp(sent);
      expect([status, await stored(email)]).toEqual([201, { timezone: kept }]);
    }
  });
});

describe('a stored timezone that the database does not know, as after a restore into another image', () => {
  it('is read as UTC by every figure', async () => {
    const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
    const product = { pricingModel: 'per_impression', impressions: 100, duration: null, price: '100.00' };
    const { ad, website } = await makeLiveAd(seller, buyer, { product });
    await countAt(server.ctx, ad, '2026-03-02T23:30:00Z', 3, 1);
    for (const user of [seller, buyer]) await store(user, UNKNOWN);
    const range = { from: '2026-03-02', to: '2026-03-03', step: 'day' };
    for (const [user, side] of [
      [seller, 'seller'],
      [buyer, 'buyer'],
    ] as const) {
      const series = await user.get(addressOf('series', { side, ...range }));
      expect(series.body).toMatchObject({
        timezone: 'UTC',
        buckets: [{ impressions: 3 }, { impressions: 0 }],
      });
      const counting = await user.get(addressOf('counting', { side, ...range }));
      expect(counting.body).toMatchObject({ timezone: 'UTC' });
      const breakdown = await user.get(
        addressOf('breakdown', { side, from: range.from, to: range.to, by: 'campaign' }),
      );
      expect(breakdown.body).toMatchObject([{ impressions: 3 }]);
      expect((await user.get('/api/auth/user')).body.timezone).toBe('UTC');
    }
    const counts = `/api/analytics/two-counts?website=${website.publicId}&from=2026-03-02&to=2026-03-03`;
    expect((await seller.get(counts)).body).toMatchObject({ timezone: 'UTC' });
    await chooseTimezone(buyer, 'Tokyo');
    expect((await buyer.get(addressOf('series', { side: 'buyer', ...range }))).body.timezone).toBe(
      'Asia/Tokyo',
    );
  });

  it('is named by the doctor, with what to do', async () => {
    const doctor = async () =>
      await runOpenslot(['doctor'], {
        DATABASE_URL: server.databaseUrl,
        DATA_DIR: server.ctx.config.dataDir,
      });
    const user = await server.signIn();
    await server.owner.updateTable('userSettings').set({ timezone: 'UTC' }).execute();
    expect((await doctor()).out).toMatch(/^ok +timezones +The database knows those of all users\.$/m);
    await store(user, UNKNOWN);
    expect((await doctor()).out).toMatch(
      /^warn +timezones +The database doesn’t know US\/Pacific-New \(1 user\)\. .*tzdata-legacy on Debian/m,
    );
  });
});
