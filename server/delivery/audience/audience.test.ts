/** The audience of an ad zone, from the requests of its pages to the sums that forecasts read. */
import { writeFileSync } from 'node:fs';
import path from 'node:path';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { AUDIENCE_FACTS, type Audience, MAX_INVENTED_VALUES, OTHERS } from '#domain/delivery/audience.ts';
import { VOTE_MS } from '#domain/delivery/votes.ts';
import type { ServedAd } from '#domain/delivery/wire.ts';
import type { Excludes } from '#domain/targeting/limits.ts';
import type { Facts } from '#domain/targeting/matches.ts';
import { DAY_MS } from '#domain/time.ts';
import { createDatabase, createPool } from '#server/platform/database/database.ts';
import type { Client } from '#server/testing/client.ts';
import { headersOf } from '#server/testing/delivery/browsers.ts';
import { SITE } from '#server/testing/delivery/delivery.ts';
import { countryFile } from '#server/testing/delivery/country-file.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { newTemporaryFolder, removeFolder } from '#server/testing/temporary.ts';
import { REQUESTS_PER_REPORT } from '../position/position-sample.ts';
import { createAudience, removeOldAudiences } from './audience.ts';
import { readAudiences } from './read-audiences.ts';

let folder: string;
beforeAll(() => {
  folder = newTemporaryFolder('audience');
  writeFileSync(path.join(folder, 'countries.mmdb'), countryFile({ '82.0.0.0/8': { country_code: 'DE' } }));
  writeFileSync(path.join(folder, 'centers.txt'), '82.9.9.0/24');
});
afterAll(() => removeFolder(folder));
const server = useOwnAdServer(() => ({
  TRUSTED_PROXIES: '127.0.0.1',
  TRAFFIC_RULES: 'production',
  COUNTRY_DATABASE_FILE: path.join(folder, 'countries.mmdb'),
  DATA_CENTRES_FILE: path.join(folder, 'centers.txt'),
}));
let seller: Client;
let buyer: Client;
beforeAll(async () => {
  [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  // A Wednesday at noon, so that the hour of the week is known.
  server.clock.set(new Date('2026-12-09T12:00:00Z'));
});

const PAGE = 'p=/sport/tennis&t=Tennis,Cycling,tennis&tz=Europe/Berlin';
const GERMAN = { ...headersOf('Chrome on Windows', 'fetch'), 'accept-language': 'de-DE,de;q=0.9' };

type Visit = { from?: string; headers?: Record<string, string> };
async function ask(query: string, { from = '82.1.1.7', headers = {} }: Visit = {}): Promise<ServedAd> {
  const { body, status } = await server.caller.get(`/api/serve/ads?${query}`, {
    origin: SITE,
    'x-forwarded-for': from,
    ...GERMAN,
    ...headers,
  });
  expect(status).toBe(200);
  return (body as { ads: [ServedAd] }).ads[0];
}

async function makeZone(excludes: Excludes | null = null) {
  const { zone } = await makeLiveAd(seller, buyer, { zone: { ...(excludes && { excludes }) } });
  await server.app.refreshDelivery();
  return zone;
}

async function audienceOf(zone: { id: number }): Promise<Audience> {
  await server.app.flushDelivery();
  return (await readAudiences(server.ctx.db, [zone.id], server.ctx.now()))(zone.id);
}
const votesOn = (audience: Audience, fact: string): [string, number][] =>
  [...(audience.get(fact) ?? [])].toSorted(([one], [other]) => (one < other ? -1 : 1));
const sumOf = (votes: Iterable<[string, number]>): number => [...votes].reduce((sum, [, n]) => sum + n, 0);

// Proves FORE-302
it('sums each fact of a sampled request by itself, one vote of a network in a week', async () => {
  const zone = await makeZone();
  await ask(`m&z=${zone.publicId}&${PAGE}`);
  const expected: Record<string, [string, number][]> = {
    device: [['desktop', 1]],
    language: [['de', 1]],
    place: [['DE', 1]],
    ownHour: [[String(2 * 24 + 13), 1]],
    utcHour: [[String(2 * 24 + 12), 1]],
    path: [['/sport/tennis', 1]],
    topics: [['cycling,tennis', 1]],
  };
  const read = async () => {
    const audience = await audienceOf(zone);
    return Object.fromEntries(AUDIENCE_FACTS.map((fact) => [fact, votesOn(audience, fact)]));
  };
  expect(await read()).toEqual(expected);
  // Of the same network, whatever its browser says.
  for (let repeat = 0; repeat < 20; repeat++)
    await ask(`m&z=${zone.publicId}&p=/forged/${repeat}&t=forged&tz=UTC`, { from: `82.1.1.${repeat}` });
  expect(await read()).toEqual(expected);
  // Another network; nothing but its address is known.
  await ask(`m&z=${zone.publicId}&p=nonsense&tz=Nowhere`, {
    from: '10.1.1.1',
    headers: { 'accept-language': '*' },
  });
  expect(await read()).toMatchObject({
    place: [
      ['', 1],
      ['DE', 1],
    ],
    language: [
      ['', 1],
      ['de', 1],
    ],
    ownHour: [
      ['', 1],
      ['61', 1],
    ],
    path: [
      ['', 1],
      ['/sport/tennis', 1],
    ],
    topics: [
      ['', 1],
      ['cycling,tennis', 1],
    ],
  });
});

// Proves FORE-302, AGNT-203
it('counts no robot, agent, data center, foreign page or excluded visitor, and no request that is not sampled', async () => {
  const zone = await makeZone({ topics: ['gambling'] });
  const query = `m&z=${zone.publicId}&${PAGE}`;
  await ask(query, { headers: { 'user-agent': 'Googlebot/2.1' } });
  await ask(query, { headers: { 'signature-agent': '"https://agent.example"' } });
  await ask(query, { headers: { origin: 'https://other.example' } });
  await ask(query, { headers: { 'sec-purpose': 'prefetch' } });
  await ask(query, { from: '82.9.9.9' });
  await ask(query, { from: '127.0.0.1' });
  await ask(`m&z=${zone.publicId}&t=gambling`);
  // The tag asks again with the facts of its page, because the zone needs them. Nine of ten are not sampled.
  for (let each = 1; each < REQUESTS_PER_REPORT; each++) {
    await ask(`n&z=${zone.publicId}`, { from: `82.2.${each}.1` });
    await ask(`z=${zone.publicId}&${PAGE}`, { from: `82.2.${each}.1` });
  }
  expect(await audienceOf(zone)).toEqual(new Map());
  expect((await ask(`n&z=${zone.publicId}`, { from: '82.3.1.1' })).needs).toMatch(/placement\.js/);
  await ask(query, { from: '82.3.1.1' });
  expect(sumOf(votesOn(await audienceOf(zone), 'device'))).toBe(1);
});

it('samples clients that cannot ask again at once, such as video players and frames', async () => {
  const zone = await makeZone();
  for (let each = 0; each < 3 * REQUESTS_PER_REPORT; each++)
    await ask(`z=${zone.publicId}`, { from: `82.4.${each}.1` });
  expect(sumOf(votesOn(await audienceOf(zone), 'device'))).toBe(3);
  const player = await makeZone();
  for (let each = 0; each < 2 * REQUESTS_PER_REPORT; each++)
    await server.caller.get(`/api/serve/vast/${player.publicId}`, {
      origin: SITE,
      'x-forwarded-for': `82.5.${each}.1`,
      ...GERMAN,
    });
  expect(sumOf(votesOn(await audienceOf(player), 'device'))).toBe(2);
});

const AWAY = 'Cannot use a pool after calling end on the pool';

const factsOf = (topic: string): Facts => ({
  country: 'DE',
  region: null,
  language: 'de',
  device: 'phone',
  path: `/${topic}`,
  topics: [topic],
  hourOfWeek: () => 12,
});

// Proves FORE-302
it('keeps a hundred topics and pages of a zone and week, however many strangers invent and however many servers write', async () => {
  const zone = await makeZone();
  const nowMs = server.ctx.now().getTime();
  const servers = [createAudience(server.ctx.db), createAudience(server.ctx.db)];
  for (let network = 0; network < 400; network++)
    servers[network % 2]!.vote(zone.id, factsOf(`topic${network % 300}`), network, nowMs);
  await Promise.all(servers.map(async (each) => await each.flush()));
  servers[0]!.vote(zone.id, factsOf('late'), 999, nowMs);
  await servers[0]!.flush();
  const audience = await audienceOf(zone);
  for (const fact of ['topics', 'path']) {
    const votes = votesOn(audience, fact);
    expect(votes).toHaveLength(MAX_INVENTED_VALUES + 1);
    expect(sumOf(votes)).toBe(401);
    expect(new Map(votes).get(OTHERS)).toBeGreaterThan(200);
  }
  expect(votesOn(audience, 'device')).toEqual([['phone', 401]]);
  // One server that gets all requests of a network counts it once.
  for (let repeat = 0; repeat < 600; repeat++) servers[0]!.vote(zone.id, factsOf('flood'), 7, nowMs);
  await servers[0]!.flush();
  expect(votesOn(await audienceOf(zone), 'device')).toEqual([['phone', 402]]);
});

it('keeps what it cannot write for the next time, and what was written before a server was killed', async () => {
  const zone = await makeZone();
  const nowMs = server.ctx.now().getTime();
  const pool = createPool(server.ownerUrl);
  const away = createAudience(createDatabase(pool));
  away.vote(zone.id, factsOf('cycling'), 1, nowMs);
  await away.flush();
  away.vote(zone.id, factsOf('cycling'), 2, nowMs);
  await pool.end();
  await expect(away.flush()).rejects.toThrow(AWAY);
  away.vote(zone.id, factsOf('tennis'), 3, nowMs);
  await expect(away.flush()).rejects.toThrow(AWAY);
  // It is killed. The server that takes over has what was written, and adds to it.
  const next = createAudience(server.ctx.db);
  next.vote(zone.id, factsOf('cycling'), 4, nowMs);
  await next.flush();
  expect(votesOn(await audienceOf(zone), 'topics')).toEqual([['cycling', 2]]);
});

it('forgets sums that no forecast reads any more', async () => {
  const zone = await makeZone();
  const tally = createAudience(server.ctx.db);
  const count = async () =>
    (await server.ctx.db.selectFrom('zoneAudiences').select('n').where('zoneId', '=', zone.id).execute())
      .length;
  const begin = Math.floor(server.ctx.now().getTime() / VOTE_MS) * VOTE_MS;
  for (let week = 0; week < 7; week++) tally.vote(zone.id, factsOf('cycling'), 1, begin - week * VOTE_MS);
  await tally.flush();
  expect(await count()).toBe(7 * AUDIENCE_FACTS.length);
  await removeOldAudiences(server.ctx);
  expect(await count()).toBe(5 * AUDIENCE_FACTS.length);
  expect(votesOn(await audienceOf(zone), 'device')).toEqual([['phone', 5]]);
  server.clock.advance(6 * VOTE_MS + DAY_MS);
  expect(await audienceOf(zone)).toEqual(new Map());
});
