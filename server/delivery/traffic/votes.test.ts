/** One address cannot move what the marketplace publishes about an ad zone, however many requests it sends. */
import { expect, it } from 'vitest';
import { type EventKind, type Reason } from '#domain/delivery/reasons.ts';
import { measuredOf } from '#domain/delivery/forecast-fields.ts';
import { minVotes, VOTE_MS } from '#domain/delivery/votes.ts';
import { DAY_MS } from '#domain/time.ts';
import { measureAgain } from '#server/testing/figures.ts';
import { BROWSER, makeRunningAd, makeSiteWithZone, SITE } from '#server/testing/delivery/delivery.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';
import { figuresOfWebsites } from '../forecast/zone-figures.ts';
import { createVotes } from './votes.ts';

const server = useOwnAdServer({ PUBLIC_URL: 'http://ads.example', TRUSTED_PROXIES: '127.0.0.1' });

const ROBOT = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
const RIVAL = '90.7.7.7';
const REQUESTS = 600;

async function makeZone() {
  const place = await makeSiteWithZone(server.ctx);
  await makeRunningAd(server.ctx, place.zoneId, {});
  await server.app.refreshDelivery();
  return place;
}

type Report = { address: string; kind: 'view' | 'rendered'; userAgent?: string };

/** Asks for an ad for each report, and then sends the reports: that it was viewable, or only rendered. */
async function report(zone: string, reports: readonly Report[]): Promise<void> {
  for (let at = 0; at < reports.length; at += 50) {
    const visits = reports.slice(at, at + 50).map(({ address, kind, userAgent = BROWSER }) => ({
      kind,
      userAgent,
      headers: { 'x-forwarded-for': address },
    }));
    const views = await Promise.all(visits.map(async (visit) => (await server.decide(zone, visit)).view));
    server.clock.advance(1500);
    await Promise.all(
      visits.map(async ({ kind, userAgent, headers }, index) => {
        const path = new URL(views[index]!).pathname + (kind === 'rendered' ? '?rendered' : '');
        const sent = { origin: SITE, 'user-agent': userAgent, ...headers };
        expect((await server.caller.send('POST', path, undefined, sent)).status).toBe(204);
      }),
    );
  }
}

/** 60 networks, of which two of three see the ad. One of six only renders it, and then sends a robot. */
const AUDIENCE = Array.from({ length: 60 }, (_, network): Report => {
  const kind = network % 3 === 0 ? 'rendered' : 'view';
  return { address: `82.1.${network}.9`, kind };
});
const ROBOTS = AUDIENCE.filter((_, network) => network % 6 === 0).map(({ address }): Report => ({
  address,
  kind: 'view',
  userAgent: ROBOT,
}));
const ATTACK = Array.from({ length: REQUESTS }, (_, at): Report => {
  return at % 2 === 0
    ? { address: RIVAL, kind: 'rendered' }
    : { address: RIVAL, kind: 'view', userAgent: ROBOT };
});

async function measuredIn(websiteId: number) {
  await server.app.flushDelivery();
  server.clock.advance(DAY_MS);
  await measureAgain(server.ctx);
  const figures = await figuresOfWebsites(server.ctx.db, [websiteId]);
  server.clock.advance(-DAY_MS);
  return measuredOf(figures.get(websiteId)!.flatMap(({ measured }) => measured ?? []))!;
}

// Proves WARD-110
it('publishes the shares of networks, which 600 reports of one address move by less than 5 points', async () => {
  const [attacked, left] = [await makeZone(), await makeZone()];
  for (const { zone } of [attacked, left]) for (const each of [AUDIENCE, ROBOTS]) await report(zone, each);
  await report(attacked.zone, ATTACK);
  const [now, without] = [await measuredIn(attacked.websiteId), await measuredIn(left.websiteId)];
  expect(without).toMatchObject({ viewability: 40 / 60, invalidShare: 10 / 50 });
  expect(now.viewability).toBe(40 / 61);
  expect(now.invalidShare).toBe(11 / 51);
  expect(now.viewsPerDay).toBe(without.viewsPerDay);
}, 60_000);

const WEEK = 52 * VOTE_MS;

/** Casts votes without a server, and returns their counts. */
function ballot() {
  const counts: Record<string, number> = {};
  const votes = createVotes({
    add: ({ kind, reason }) => {
      const name = `${kind} ${reason}`.trim();
      counts[name] = (counts[name] ?? 0) + 1;
      return undefined;
    },
  });
  return {
    counts,
    cast: (
      kind: EventKind,
      {
        zoneId = 1,
        network = 7 as number | null,
        decision = 1,
        reason = null as Reason | null,
        forPlayer = false,
        at = 0,
      },
    ) => {
      const decisionId = decision.toString(16).padStart(24, '0');
      votes.cast({ kind, zoneId, decisionId, reason, forPlayer }, network, WEEK + at);
    },
  };
}

// Proves WARD-110
it('takes the first report of a network in a week, of each ad zone', () => {
  const { counts, cast } = ballot();
  for (let decision = 1; decision <= REQUESTS; decision += 1) cast('rendered', { decision });
  for (let decision = 1001; decision <= 1100; decision += 1) cast('view', { decision });
  expect(counts).toEqual({ vote_rendered: 1, vote_judged: 1 });
  cast('view', { network: 8 });
  cast('view', { zoneId: 2 });
  cast('view', { at: VOTE_MS - 1, decision: 5000 });
  expect(counts).toEqual({ vote_rendered: 3, vote_viewable: 2, vote_judged: 3 });
  cast('view', { at: VOTE_MS });
  expect(counts).toEqual({ vote_rendered: 4, vote_viewable: 3, vote_judged: 4 });
});

// Proves WARD-110
it('an ad that voted as rendered and is then viewable has voted for a viewable one, once', () => {
  const { counts, cast } = ballot();
  cast('rendered', { decision: 1 });
  cast('rendered', { decision: 2 });
  cast('view', { decision: 2 });
  expect(counts).toEqual({ vote_rendered: 1, vote_judged: 1 });
  cast('view', { decision: 1 });
  cast('view', { decision: 1 });
  expect(counts).toEqual({ vote_rendered: 1, vote_viewable: 1, vote_judged: 1 });
  // The start of a player's ad has voted, on this server or on another.
  cast('view', { network: 9, forPlayer: true });
  expect(counts).toEqual({ vote_rendered: 1, vote_viewable: 2, vote_judged: 2 });
});

// Proves WARD-110
it('a filtered report is a vote about traffic only, unless it is about others, and a tool on this machine has none', () => {
  const { counts, cast } = ballot();
  cast('view', { network: null });
  for (const reason of ['wrong_site', 'ad_cap', 'publisher_cap'] as const) cast('view', { reason });
  expect(counts).toEqual({});
  cast('click', { reason: 'bot' });
  cast('view', { reason: 'bot' });
  cast('rendered', { reason: 'bot' });
  expect(counts).toEqual({ 'vote_judged bot': 1 });
  cast('view', {});
  cast('click', {});
  expect(counts).toEqual({ 'vote_judged bot': 1, vote_rendered: 1, vote_viewable: 1 });
});

// Proves WARD-110
it('publishes no share of so few networks that one of them would move it by 5 points', () => {
  const sums = { viewsPerDay: 1, views: 0, clicks: 0 };
  const shares = (days: number, votes: number) => {
    const { viewability, invalidShare } = measuredOf([
      { ...sums, days, rendered: votes, viewable: votes, judged: votes, invalid: 0 },
    ])!;
    return [viewability, invalidShare];
  };
  expect(minVotes(1)).toBe(40);
  expect(minVotes(28)).toBe(100);
  expect([shares(1, 39), shares(1, 40), shares(28, 99), shares(28, 100)]).toEqual([
    [null, null],
    [1, 0],
    [null, null],
    [1, 0],
  ]);
  // Other ad zones of the website do not make up for a small one.
  const zone = { ...sums, days: 1, rendered: 39, viewable: 0, judged: 39, invalid: 39 };
  expect(measuredOf([zone, zone])).toMatchObject({ viewability: null, invalidShare: null });
});
