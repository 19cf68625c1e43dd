import { once } from 'node:events';
import http from 'node:http';
import { beforeEach, describe, expect, it, vi } from 'vitest';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/time.ts';
import { completeDueAds } from '#server/ads/life/complete.ts';
import { type App, buildApp } from '#server/app/app.ts';
import { ClockMoved } from '#server/platform/database/clock.ts';
import { ensureEventPartitions } from '#server/delivery/event-log/partitions/partitions.ts';
import { onceAnHour } from '#server/app/jobs/once-an-hour.ts';
import { removeExpired } from '#server/app/jobs/remove-expired.ts';
import {
  adRow,
  type AdServerTest,
  makeSiteWithZone,
  makeRunningAd,
  startAdServerTest,
} from '#server/testing/delivery/delivery.ts';
import { DEV_KEY } from '#server/testing/client.ts';
import { PASSWORD, SESSION_SECRET, startTestServer } from '#server/testing/server.ts';
import { untilTestEnds } from '#server/testing/starts/use-server.ts';

const WEEK_SECONDS = 7 * 24 * 60 * 60;

let server: AdServerTest;
beforeEach(async () => {
  server = await untilTestEnds(startAdServerTest());
});

const advance = (seconds: unknown, at = server.anyone()) => at.post('/dev/clock', { advance: seconds });

/** Another instance of the server on the same database, started now. It does not listen. */
async function anotherInstance(change: Partial<App['ctx']['config']> = {}): Promise<App> {
  return await buildApp({
    config: { ...server.ctx.config, ...change },
    databaseUrl: server.databaseUrl,
    sessionSecrets: [SESSION_SECRET],
    now: server.clock.now,
    logger: false,
  });
}

const aheadMs = ({ ctx }: Pick<App, 'ctx'>) => ctx.now().getTime() - ctx.realNow().getTime();
/** Two readings of a clock may be a few milliseconds apart. `Math.round` would make -0 of -1 ms. */
const seconds = (ms: number) => Math.floor((ms + 500) / 1000);

describe('/dev/clock', () => {
  it('moves the marketplace’s clock forward and answers its time', async () => {
    const before = server.ctx.realNow().getTime();
    const moved = await advance(WEEK_SECONDS);
    expect(moved.status).toBe(200);
    expect(seconds(Date.parse(moved.body.now) - before)).toBeCloseTo(WEEK_SECONDS, -1);
    expect(seconds(aheadMs(server.app))).toBe(WEEK_SECONDS);
    expect(seconds(server.ctx.clockAheadMs())).toBe(WEEK_SECONDS);
    expect((await server.anyone().get('/api/health')).headers.get('x-clock-ahead')).toBe(
      String(WEEK_SECONDS),
    );
    const told = await server.anyone().get('/dev/clock');
    expect(told.status).toBe(200);
    expect(told.headers.get('cache-control')).toBe('no-store');
    expect(Date.parse(told.body.now)).toBeGreaterThanOrEqual(Date.parse(moved.body.now));
    expect((await advance(0)).status).toBe(200);
    expect((await advance(60)).status).toBe(200);
    expect(seconds(aheadMs(server.app))).toBe(WEEK_SECONDS + 60);
  });

  it('refuses to go back, by fractions or beyond what can be stored, and stays where it was', async () => {
    const tooFar = 75 * 366 * 24 * 60 * 60;
    for (const wrong of [-1, 0.5, '60', null, undefined, [], 1e18, Number.MAX_SAFE_INTEGER, tooFar]) {
      const answer = await advance(wrong);
      expect([wrong, answer.status]).toEqual([wrong, 400]);
      expect(answer.body.message).toMatch(/The clock (never goes back|can’t go beyond the year 2098)\.$/);
    }
    expect(aheadMs(server.app)).toBeLessThan(1000);
  });

  it('holds for every process on the database within a second, and over a restart', async () => {
    const other = await anotherInstance();
    try {
      expect(seconds(aheadMs(other))).toBe(0);
      await Promise.all([advance(WEEK_SECONDS), advance(3600)]);
      expect(seconds(aheadMs(server.app))).toBe(WEEK_SECONDS + 3600);
      await vi.waitUntil(() => seconds(aheadMs(other)) === WEEK_SECONDS + 3600, { timeout: 60_000 });
    } finally {
      await other.close();
    }
    const restarted = await anotherInstance();
    expect(seconds(aheadMs(restarted))).toBe(WEEK_SECONDS + 3600);
    await restarted.close();
  });

  // Proves DOOR-01
  it('is closed to a request through a proxy or for another host', async () => {
    const through: Record<string, string>[] = [
      { host: 'ads.example.com' },
      { host: 'rebound.example:3000' },
      { 'x-forwarded-for': '203.0.113.9' },
      { forwarded: 'for=203.0.113.9' },
      { via: '1.1 proxy' },
    ];
    for (const headers of through) {
      for (const method of ['GET', 'POST']) {
        const request = http.request(`${server.url}/dev/clock`, {
          method,
          headers: { 'content-type': 'application/json', 'x-dev-key': DEV_KEY, ...headers },
          agent: false,
        });
        request.end(method === 'POST' ? '{"advance":60}' : undefined);
        const [answer] = (await once(request, 'response')) as [http.IncomingMessage];
        answer.resume();
        expect([headers, method, answer.statusCode]).toEqual([headers, method, 403]);
      }
    }
    expect(aheadMs(server.app)).toBeLessThan(1000);
  });

  // Proves DOOR-01
  it('is closed to another machine, to a page of another site, and does not exist in production', async () => {
    const { port } = new URL(server.url);
    const from = async (remoteAddress: string, headers = {}) => {
      const request = { url: '/dev/clock', method: 'POST' as const, payload: { advance: 60 }, remoteAddress };
      const host = `localhost:${port}`;
      return (
        await server.app.fastify.inject({ ...request, headers: { host, 'x-dev-key': DEV_KEY, ...headers } })
      ).statusCode;
    };
    for (const address of ['192.0.2.7', '2001:db8::1']) expect(await from(address)).toBe(403);
    expect(await from('127.0.0.1', { origin: 'https://evil.example' })).toBe(403);
    expect(await from('127.0.0.1')).toBe(200);

    const other = await untilTestEnds(
      startTestServer({
        env: {
          NODE_ENV: 'production',
          SESSION_SECRET: 'x'.repeat(32),
          SMTP_URL: 'smtp://127.0.0.1:9',
          ALLOW_SANDBOX_PAYMENTS: 'yes-no-real-money',
        },
      }),
    );
    expect((await advance(60, other.anyone())).status).toBe(404);
    expect(aheadMs(other.app)).toBeLessThan(1000);
  });

  // Proves REHE-05
  it('keeps real money out of a database whose clock was moved', async () => {
    const environment = { SELLER_NAME: 'Ads', SELLER_ADDRESS: 'Street 5', SELLER_TAX_ID: 'DE1' };
    const live = { paymentBook: 'stripe-live' as const, production: true, environment };
    await (await anotherInstance(live)).close();
    await advance(60);
    await expect(anotherInstance(live)).rejects.toThrow(ClockMoved);
    await (await anotherInstance({ production: true })).close();
  });
});

describe('after the clock was moved', () => {
  it('sessions, codes and limits keep to the wall clock', async () => {
    // In the last hour of a day, this server's wall clock is at the next midnight. The counters take the process's own.
    server.clock.set(new Date());
    const person = await server.signIn('buyer');
    const email = 'code@example.test';
    const signingUp = server.anyone();
    await signingUp.post('/api/auth/register', { email, password: PASSWORD, firstName: 'A', lastName: 'B' });
    const counters = async () =>
      (await server.ctx.db.selectFrom('rateLimits').select('key').execute()).length;
    const codes = async () =>
      (await server.ctx.db.selectFrom('emailVerifications').select('id').execute()).length;
    const before = [await counters(), await codes()];
    expect(before).not.toContain(0);

    await advance(400 * 24 * 60 * 60);
    await removeExpired(server.ctx);
    expect([await counters(), await codes()]).toEqual(before);
    expect((await person.get('/api/auth/user')).status).toBe(200);
    const { token } = await linkMailedTo(email);
    expect((await signingUp.post('/api/auth/verify-link', { token })).status).toBe(200);
  });

  async function linkMailedTo(email: string): Promise<{ token: string }> {
    const [mail] = (await server.anyone().get(`/dev/mail.json?to=${email}`)).body as { text: string }[];
    return { token: /verify=([\w-]+)/.exec(mail?.text ?? '')?.[1] ?? '' };
  }

  it('counts a view that was served before the jump, in the hour after it, and once', async () => {
    const { zone, zoneId } = await makeSiteWithZone(server.ctx);
    const { id } = await makeRunningAd(server.ctx, zoneId, { pricingModel: 'per_impression', amount: 5 });
    await server.app.refreshDelivery();
    const { view } = await server.decide(zone);
    server.clock.advance(2000);
    await advance(WEEK_SECONDS);
    expect(await server.view(view)).toBe(204);
    expect(await server.view(view)).toBe(204);
    expect((await adRow(server.ctx, id)).totalImpressions).toBe(1);
    const { hour } = await server.ctx.db
      .selectFrom('deliveryHourly')
      .select('hour')
      .where('adId', '=', id)
      .where('kind', '=', 'view')
      .where('reason', '=', '')
      .executeTakeFirstOrThrow();
    expect(server.ctx.now().getTime() - hour.getTime()).toBeLessThan(HOUR_MS + MINUTE_MS);
    // Its reservation was released: four of five are left.
    for (let left = 4; left > 0; left--) expect((await server.ask([zone]))[0]?.kind).toBe('text');
    expect((await server.ask([zone]))[0]?.kind).toBe('house');
  });

  it('a view token expires by the wall clock, not by the marketplace’s', async () => {
    const { zone, zoneId } = await makeSiteWithZone(server.ctx);
    await makeRunningAd(server.ctx, zoneId, { pricingModel: 'per_impression', amount: 5 });
    await server.app.refreshDelivery();
    const { view, click } = await server.decide(zone);
    await advance(2 * WEEK_SECONDS);
    server.clock.advance(2000);
    expect(await server.view(view)).toBe(204);
    server.clock.advance(DAY_MS + HOUR_MS);
    expect(await server.view(view)).toBe(400);
    expect((await server.click(click)).status).toBe(302);
  });

  it('an ad ends, is no longer served and completes by the marketplace’s clock', async () => {
    const { zone, zoneId } = await makeSiteWithZone(server.ctx);
    const { id } = await makeRunningAd(server.ctx, zoneId, { amount: 3 });
    await server.app.refreshDelivery();
    expect((await server.ask([zone]))[0]?.kind).toBe('text');
    await advance(3 * 24 * 60 * 60);
    expect((await server.ask([zone]))[0]?.kind).toBe('house');
    expect(await completeDueAds(server.ctx)).toBe(1);
    expect((await adRow(server.ctx, id)).status).toBe('completed');
  });

  it('keeps the events of the wall clock’s today, because tokens carry its time', async () => {
    await ensureEventPartitions(server.ctx);
    await advance(60 * 24 * 60 * 60);
    expect(await ensureEventPartitions(server.ctx)).toBe(0);
  });

  it('an hourly job runs once for each full hour of the marketplace’s clock', async () => {
    const ran: string[] = [];
    const run = async () =>
      await onceAnHour(server.ctx, 'a job', async (ctx) => ran.push(ctx.now().toISOString()));
    await run();
    await run();
    expect(ran).toHaveLength(1);
    await advance(3600);
    await run();
    await run();
    expect(ran).toHaveLength(2);
    const failing = onceAnHour(server.ctx, 'a failing job', () => Promise.reject(new Error('away')));
    await expect(failing).rejects.toThrow('away');
    await onceAnHour(server.ctx, 'a failing job', async () => ran.push('again'));
    expect(ran.at(-1)).toBe('again');
  });
});
