/** What a scrape of `/metrics` has, to whom it is given, and what it has while the database hangs. */
import { sql } from 'kysely';
import { afterAll, expect, it, vi } from 'vitest';
import { freePort } from '#server/platform/database/embedded/process.ts';
import { RELEASE } from '#server/platform/settings/release.ts';
import { promtool, promtoolIsHere } from '#server/testing/programs/promtool.ts';
import { freezable, type FreezableDatabase } from '#server/testing/database/freezable.ts';
import { startTestServer } from '#server/testing/server.ts';
import { untilTestEnds, useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';

const TOKEN = 'token-of-the-scrape';
const { here, note } = await promtoolIsHere();

let database: FreezableDatabase;
afterAll(() => {
  database.close();
});
const server = useOwnServer({
  env: { METRICS_TOKEN: TOKEN },
  through: async (databaseUrl) => {
    database = await freezable(databaseUrl);
    return database.url;
  },
});

async function scrape(): Promise<string> {
  const { status, text } = await server.anyone().get('/metrics', { authorization: `Bearer ${TOKEN}` });
  expect(status).toBe(200);
  return text;
}

/** The value of a series such as `openslot_jobs{state="failed"}`; undefined if the scrape does not have it. */
function valueOf(text: string, series: string): number | undefined {
  const line = text.split('\n').find((each) => each.startsWith(`${series} `));
  return line === undefined ? undefined : Number(line.slice(series.length));
}

const namesOf = (text: string) =>
  [...text.matchAll(/^([a-z]\w*(?:\{[^}]*\})?) /gm)].map(([, series]) => series);

// Proves OPS-21
it('is given to those who have the token, and does not exist without the setting', async () => {
  const anyone = server.anyone();
  for (const authorization of [undefined, `Bearer ${TOKEN}x`, 'Bearer ', `Basic ${TOKEN}`, TOKEN]) {
    const answer = await anyone.get('/metrics', authorization === undefined ? {} : { authorization });
    expect([answer.status, answer.headers.get('www-authenticate')]).toEqual([401, 'Bearer']);
    expect(answer.text).not.toContain('openslot_');
  }
  const { status, headers } = await anyone.get('/metrics', { authorization: `Bearer ${TOKEN}` });
  expect([status, headers.get('content-type'), headers.get('cache-control')]).toEqual([
    200,
    'text/plain; version=0.0.4; charset=utf-8',
    'no-store',
  ]);
  const without = await untilTestEnds(startTestServer());
  expect((await without.anyone().get('/metrics', { authorization: 'Bearer ' })).status).toBe(404);
});

it('has the promised metrics, and no more series after requests with invented names', async () => {
  // The pattern of all addresses without a route has one series, which begins with its first request.
  await server.anyone().get('/made/up');
  await server.anyone().post('/api/serve/view/made-up');
  const before = await scrape();
  expect(namesOf(before)).toEqual(
    expect.arrayContaining([
      `openslot_info{release="${RELEASE}"}`,
      ...['ad', 'none', 'unknown'].map((outcome) => `openslot_decisions_total{outcome="${outcome}"}`),
      ...['view', 'click'].flatMap((kind) =>
        ['accepted', 'repeated', 'refused', 'failed'].map(
          (outcome) => `openslot_events_total{kind="${kind}",outcome="${outcome}"}`,
        ),
      ),
      'openslot_event_queue_length',
      'openslot_event_queue_age_seconds',
      'openslot_counting_lag_seconds',
      'openslot_event_log_unsynced',
      'openslot_snapshot_age_seconds',
      'openslot_copies',
      'openslot_jobs{state="waiting"}',
      'openslot_jobs{state="failed"}',
      'openslot_job_oldest_seconds',
      'openslot_jobs_given_up',
      'openslot_mail_waiting',
      'openslot_mail_oldest_seconds',
      'openslot_disk_free_bytes',
      'openslot_disk_size_bytes',
      'openslot_http_requests_total{route="*",status="4xx"}',
      'openslot_database_connections{state="busy"}',
      'openslot_database_connections{state="idle"}',
      'openslot_database_connections_max',
      'openslot_outbound_held',
      'openslot_reconciliation_differences',
      'openslot_archive_differences',
      'openslot_cancels_late',
      'openslot_money_uncovered{currency="USD"}',
      'process_resident_memory_bytes',
      'nodejs_heap_size_used_bytes',
      'nodejs_eventloop_lag_p99_seconds',
    ]),
  );
  const anyone = server.anyone();
  for (let each = 0; each < 50; each += 1) {
    await anyone.get(`/api/serve/ads?z=made-up-${each}`);
    await anyone.get(`/api/serve/vast/made-up-${each}`);
    await anyone.post(`/api/serve/view/made-up-${each}`);
    await anyone.get(`/made/up/${each}`);
  }
  const after = await scrape();
  // Node names what keeps its loop alive, such as an open connection, and a kind of collection of garbage after its first.
  const ours = (text: string) =>
    namesOf(text).filter((series) => !/^nodejs_(?:active|gc_)/.test(series ?? ''));
  expect(ours(after)).toEqual(ours(before));
  const grown = (series: string) => (valueOf(after, series) ?? 0) - (valueOf(before, series) ?? 0);
  expect(grown('openslot_decisions_total{outcome="unknown"}')).toBe(100);
  expect(grown('openslot_events_total{kind="view",outcome="refused"}')).toBe(50);
});

it.skipIf(!here)(`passes the check of Prometheus${note}`, async () => {
  expect(await promtool(['check', 'metrics'], { input: await scrape() })).toEqual({ code: 0, output: '' });
});

it('counts decisions and events by their outcome', async () => {
  const { zone } = await makeLiveAd(await server.signIn('seller'), await server.signIn('buyer'));
  await server.app.refreshDelivery();
  const before = await scrape();
  const anyone = server.anyone();
  const decide = async () => {
    const { body } = await anyone.get(`/api/serve/ads?z=${zone.publicId}`);
    return (body as { ads: { click: string; view: string }[] }).ads[0]!;
  };
  const { view, click } = await decide();
  await decide();
  const report = async (address: string, method: 'GET' | 'POST') =>
    (await fetch(address, { method, redirect: 'manual', headers: { origin: server.url } })).status;
  expect([await report(view, 'POST'), await report(view, 'POST'), await report(view, 'POST')]).toEqual([
    204, 204, 204,
  ]);
  // A click implies a view, which nobody reported.
  expect([await report(click, 'GET'), await report(click, 'GET')]).toEqual([302, 302]);
  expect(await report(`${server.url}/api/serve/click/forged`, 'GET')).toBe(302);

  const after = await scrape();
  const grown = Object.fromEntries(
    namesOf(after).flatMap((series = '') => {
      const by = (valueOf(after, series) ?? 0) - (valueOf(before, series) ?? 0);
      return /^openslot_(?:decisions|events)_total/.test(series) && by !== 0 ? [[series, by]] : [];
    }),
  );
  expect(grown).toEqual({
    'openslot_decisions_total{outcome="ad"}': 2,
    'openslot_events_total{kind="view",outcome="accepted"}': 1,
    'openslot_events_total{kind="view",outcome="repeated"}': 2,
    'openslot_events_total{kind="click",outcome="accepted"}': 1,
    'openslot_events_total{kind="click",outcome="repeated"}': 1,
    'openslot_events_total{kind="click",outcome="refused"}': 1,
  });
});

it('has the queue of jobs, unsent mail and differences of the books', async () => {
  const { db } = server.ctx;
  await server.anyone().post('/api/auth/register', {
    email: 'waiting@example.test',
    password: 'a long password',
    firstName: 'A',
    lastName: 'B',
  });
  await sql`update graphile_worker._private_jobs set run_at = now() - interval '500 seconds'`.execute(db);
  await sql`select graphile_worker.add_job('remove-expired', run_at => now() + interval '1 day')`.execute(db);
  await sql`
    update graphile_worker._private_jobs set last_error = 'broken', attempts = max_attempts
      where id = (select max(id) from graphile_worker._private_jobs)`.execute(db);
  await sql`
    insert into differences (book, kind, ref, amount_cents, currency, since)
      values ('sandbox', 'not_at_provider', 'x', 100, 'USD', now())`.execute(db);
  const text = await scrape();
  expect(valueOf(text, 'openslot_copies')).toBe(1);
  expect(valueOf(text, 'openslot_database_connections_max')).toBe(11);
  expect(valueOf(text, 'openslot_mail_waiting')).toBeGreaterThan(0);
  expect(valueOf(text, 'openslot_jobs{state="waiting"}')).toBeGreaterThan(0);
  expect(valueOf(text, 'openslot_jobs{state="failed"}')).toBe(1);
  expect(valueOf(text, 'openslot_job_oldest_seconds')).toBeGreaterThanOrEqual(500);
  expect(valueOf(text, 'openslot_jobs_given_up')).toBe(1);
  expect(valueOf(text, 'openslot_reconciliation_differences')).toBe(1);
  await db.deleteFrom('differences').execute();
});

it('sees a dead relay: a job that fails gets older while its next try lies in the future, and so does its mail', async () => {
  const away = await untilTestEnds(
    startTestServer({
      env: { METRICS_TOKEN: TOKEN, SMTP_URL: `smtp://127.0.0.1:${await freePort()}` },
      jobs: true,
    }),
  );
  await away.anyone().post('/api/auth/register', {
    email: 'waiting@example.test',
    password: 'a long password',
    firstName: 'A',
    lastName: 'B',
  });
  const figures = async () =>
    (await away.anyone().get('/metrics', { authorization: `Bearer ${TOKEN}` })).text;
  await away.ctx.db
    .updateTable('messages')
    .set({ createdAt: new Date(Date.now() - 3_600_000) })
    .execute();
  // The third failure moves the next try by e^3 seconds, after e and e^2.
  await vi.waitFor(
    async () => {
      await sql`update graphile_worker._private_jobs set run_at = now() where run_at > now() and attempts < 3`.execute(
        away.ctx.db,
      );
      const { rows } = await sql<{ later: boolean }>`
        select run_at > now() as later from graphile_worker.jobs
          where last_error is not null and attempts = 3`.execute(away.ctx.db);
      expect(rows).toEqual([{ later: true }]);
    },
    { timeout: 60_000, interval: 300 },
  );
  const text = await figures();
  expect(valueOf(text, 'openslot_job_oldest_seconds')).toBeGreaterThan(7);
  expect(valueOf(text, 'openslot_mail_oldest_seconds')).toBeGreaterThanOrEqual(3600);
  expect(valueOf(text, 'openslot_mail_waiting')).toBeGreaterThan(0);
});

it('counts answers by the pattern of their route, also those that failed', async () => {
  const series = (status: string) => `openslot_http_requests_total{route="/api/ads/:ref",status="${status}"}`;
  const buyer = await server.signIn('buyer');
  const before = valueOf(await scrape(), series('4xx')) ?? 0;
  expect([(await buyer.get('/api/ads/999999')).status, (await buyer.get('/api/ads/999998')).status]).toEqual([
    404, 404,
  ]);
  expect(valueOf(await scrape(), series('4xx'))).toBe(before + 2);
  await sql`alter table ads rename to ads_away`.execute(server.owner);
  try {
    expect((await buyer.get('/api/ads/999999')).status).toBe(500);
  } finally {
    await sql`alter table ads_away rename to ads`.execute(server.owner);
  }
  expect(valueOf(await scrape(), series('5xx'))).toBe(1);
});

it('answers while the database hangs, without its figures', async () => {
  const { zone } = await makeLiveAd(await server.signIn('seller'), await server.signIn('buyer'));
  await server.app.refreshDelivery();
  const { body } = await server.anyone().get(`/api/serve/ads?z=${zone.publicId}`);
  const { view } = (body as { ads: { view: string }[] }).ads[0]!;
  database.freeze();
  try {
    const reported = fetch(view, { method: 'POST', headers: { origin: server.url } });
    await vi.waitFor(async () => {
      const text = await scrape();
      expect(valueOf(text, 'openslot_event_queue_length')).toBe(1);
      expect(valueOf(text, 'openslot_event_queue_age_seconds')).toBeGreaterThan(0);
      expect(valueOf(text, 'openslot_snapshot_age_seconds')).toBeGreaterThan(0);
      for (const series of ['openslot_copies', 'openslot_jobs{state="failed"}', 'openslot_mail_waiting'])
        expect(valueOf(text, series)).toBeUndefined();
    }, 60_000);
    expect((await reported).status).toBe(503);
    expect(valueOf(await scrape(), 'openslot_events_total{kind="view",outcome="failed"}')).toBe(1);
  } finally {
    database.thaw();
  }
  await vi.waitFor(async () => expect(valueOf(await scrape(), 'openslot_copies')).toBe(1), {
    timeout: 60_000,
  });
});
