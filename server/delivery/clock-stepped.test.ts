/** A server whose machine's clock is stepped by an hour, which libfaketime does for one process. */
import path from 'node:path';
import { setTimeout as pause } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import { HOUR_MS } from '#domain/time.ts';
import { VIEWABLE_MS } from '#domain/delivery/wire.ts';
import { freePort } from '#server/platform/database/embedded/process.ts';
import { Client } from '#server/testing/client.ts';
import {
  FAKETIME_ADVICE,
  searchFaketime,
  type SteppableClock,
  steppableClock,
} from '#server/testing/programs/faketime.ts';
import { ready, type ServerProcess, spawnServer } from '#server/testing/server-process.ts';
import { PASSWORD, SESSION_SECRET } from '#server/testing/server.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { newTemporaryFolder } from '#server/testing/temporary.ts';

const LIBRARY = searchFaketime();

/** Its clock is right. */
let clock: SteppableClock;
const started: ServerProcess[] = [];
// Its ad has run for a day, so that it also runs by a clock that is an hour late.
const server = useOwnServer({ start: new Date(Date.now() - 24 * HOUR_MS) });
beforeAll(() => {
  if (LIBRARY !== null) clock = steppableClock(LIBRARY, path.join(newTemporaryFolder('clock'), 'offset'));
});
afterAll(async () => {
  for (const each of started) if (each.child.exitCode === null) await each.stop('SIGTERM');
});

async function start(): Promise<{ child: ServerProcess; url: string }> {
  const port = await freePort();
  const url = `http://127.0.0.1:${port}`;
  const child = spawnServer({
    ...clock.env,
    DATABASE_URL: server.databaseUrl,
    DATABASE_OWNER_URL: server.ownerUrl,
    DATA_DIR: newTemporaryFolder('stepped'),
    PORT: String(port),
    PUBLIC_URL: url,
    SESSION_SECRET,
    SAMPLE_DATA: '0',
  });
  started.push(child);
  return { child, url };
}

// Proves OPS-74
it('a clock that is stepped while the server runs is named, and loses nothing that was acknowledged', async (test) => {
  if (LIBRARY === null) return test.skip(FAKETIME_ADVICE);
  const buyer = await server.signIn('buyer', { email: 'buyer@example.test' });
  const { zone, ad } = await makeLiveAd(await server.signIn('seller'), buyer, {
    product: { pricingModel: 'per_impression', duration: null, impressions: 1_000_000 },
  });
  server.clock.set(new Date());
  clock.setOffset(0);
  const { child, url } = await start();
  await ready(child, url);
  const person = new Client(url);
  const login = await person.post('/api/auth/login', { email: 'buyer@example.test', password: PASSWORD });
  expect(login.status).toBe(200);

  const decide = async () => {
    const { body } = await new Client(url).get(`/api/serve/ads?z=${zone.publicId}`);
    return (body as { ads: { click: string; view: string }[] }).ads[0]!;
  };
  const report = async (view: string) =>
    (await fetch(view, { method: 'POST', headers: { origin: url } })).status;
  const health = async (what: string) => await new Client(url).get(`/api/health/${what}`);
  const isKept = async (recipient: string) =>
    (await server.ctx.db
      .selectFrom('messages')
      .select('kept')
      .where('recipient', '=', recipient)
      .executeTakeFirst())!.kept;

  let counted = 0;
  for (const seconds of [3600, -3600]) {
    const before = await decide();
    clock.setOffset(seconds);
    await vi.waitUntil(async () => (await health('ready')).status === 503, { timeout: 60_000 });
    expect((await health('ready')).body).toMatchObject({
      reasons: [expect.stringMatching(/clock .* differ by \d+ seconds\. Synchronize both with NTP\./)],
    });
    expect([(await health('live')).status, (await health('delivery')).status]).toEqual([200, 200]);
    // Sessions go on, and so do jobs and the row of the server.
    expect((await person.get('/api/auth/user')).status).toBe(200);
    const email = `new${seconds}@example.test`;
    const account = { email, password: PASSWORD, firstName: 'A', lastName: 'B' };
    expect((await person.post('/api/auth/register', account)).status).toBe(201);
    await vi.waitUntil(async () => await isKept(email), { timeout: 60_000 });
    // A view of before the step is refused. A click leads to the target, and counts with its view for a day.
    expect(await report(before.view)).toBe(400);
    const click = await fetch(before.click, { redirect: 'manual' });
    expect([click.status, click.headers.get('location')]).toEqual([302, ad.targetUrl]);
    if (seconds > 0) counted += 1;
    // A view of after the step counts.
    const after = await decide();
    await pause(VIEWABLE_MS + 200);
    expect(await report(after.view)).toBe(204);
    counted += 1;

    clock.setOffset(0);
    await vi.waitUntil(async () => (await health('ready')).status === 200, { timeout: 60_000 });
  }
  const last = await decide();
  await pause(VIEWABLE_MS + 200);
  expect(await report(last.view)).toBe(204);
  counted += 1;
  const found = async () => {
    const { rows } = await server.app.pool.query(
      `select a.total_impressions as total, (select count(*)::int from ad_events e
         where e.ad_id = a.id and e.kind = 'view' and e.reason is null) as events,
         (select count(*)::int from servers where server like $2 and seen > now() - interval '30 seconds') as servers
         from ads a where a.id = $1`,
      [ad.id, `% port ${new URL(url).port}`],
    );
    return rows as unknown[];
  };
  // The other server may own the partition of the publisher, and counts what this one has stored.
  await expect.poll(found).toEqual([{ total: counted, events: counted, servers: 1 }]);
});

// Proves OPS-74
it('a server whose clock is an hour from that of the database does not start, and names the difference', async (test) => {
  if (LIBRARY === null) return test.skip(FAKETIME_ADVICE);
  clock.setOffset(-3600);
  const { child } = await start();
  expect(await child.ended).toBe(1);
  expect(child.output()).toMatch(
    /clock .* differ by \d+ seconds\. Synchronize both with NTP\. Then start again\./,
  );
  expect(child.output()).not.toContain('    at ');
});
