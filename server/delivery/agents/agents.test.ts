/** Declared agents, from their headers to the table of a publisher's results. */
import { sql } from 'kysely';
import { describe, expect, it } from 'vitest';
import type { CountingBucket } from '#domain/analytics/contract.ts';
import type { AgentRow } from '#domain/analytics/publisher-contract.ts';
import { renderProof } from '#domain/delivery/render-proof.ts';
import { DAY_MS, later, utcDay } from '#domain/time.ts';
import type { Client } from '#server/testing/client.ts';
import { BROWSERS, headersOf } from '#server/testing/delivery/browsers.ts';
import {
  adRow,
  type AdServerTest,
  figures,
  makeRunningAd,
  makeSiteWithZone,
  storeVideo,
} from '#server/testing/delivery/delivery.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { createAgents, removeOldAgents } from './agents.ts';

const production = useOwnAdServer({ TRAFFIC_RULES: 'production', TRUSTED_PROXIES: '127.0.0.1' });
const development = useOwnAdServer({ TRAFFIC_RULES: 'development' });
const SERVERS = [
  ['production', production],
  ['development', development],
] as const;

type Headers = Record<string, string>;
const CHROME = 'Chrome on Windows';
const chromeWith = (word: string): Headers => ({ 'user-agent': `${BROWSERS[CHROME]['user-agent']} ${word}` });
const signed = (agent: string): Headers => ({ 'signature-agent': agent });
const brands = (brand: string): Headers => ({ 'sec-ch-ua': `"Chromium";v="150", "${brand}";v="150"` });
const CLAUDE = chromeWith('(compatible; Claude-User/1.0; +Claude-User@anthropic.com)');
const HEADLESS = brands('HeadlessChrome');

const KNOWN = [
  'ChatGPT-User',
  'Claude-User',
  'Perplexity-User',
  'MistralAI-User',
  'Google-Agent',
  'Gemini-Deep-Research',
  'DuckAssistBot',
  'Meta-ExternalFetcher',
  'Amzn-User',
  'NovaAct',
  'Manus-User',
];
const AUTOMATION = ['HeadlessChrome', 'Playwright', 'Puppeteer', 'Selenium', 'PhantomJS', 'Cypress'];

const NAMED: [Headers, string][] = [
  ...[...KNOWN, ...AUTOMATION].map((word): [Headers, string] => [chromeWith(`${word}/1.0`), word]),
  ...AUTOMATION.map((word): [Headers, string] => [brands(word), word]),
  [signed('"https://ChatGPT.com"'), 'chatgpt.com'],
  [signed('sig1="https://chatgpt.com:8443/a?b", sig2="https://second.example"'), 'chatgpt.com'],
  // The header goes before the words.
  [{ ...CLAUDE, ...signed('http://chatgpt.com') }, 'chatgpt.com'],
  [signed('chatgpt'), 'unnamed'],
  [signed('"https://"'), 'unnamed'],
  [signed('"https://[2001:db8::1]"'), 'unnamed'],
  [signed(`"https://${'a'.repeat(60)}.${'b'.repeat(60)}.example"`), 'unnamed'],
  [{ 'signature-input': 'sig1=("@authority");created=1735689600;tag="web-bot-auth"' }, 'unnamed'],
];
const CRAWLERS = [
  'GPTBot/1.2',
  'ClaudeBot/1.0',
  'PerplexityBot/1.0',
  'Googlebot/2.1',
  'meta-externalagent/1.1',
];

async function publish(on: AdServerTest) {
  const [seller, buyer] = [await on.signIn('seller'), await on.signIn('buyer')];
  const placed = await makeLiveAd(seller, buyer, {
    product: { pricingModel: 'per_impression', impressions: 100, duration: null, price: '100.00' },
  });
  await on.app.refreshDelivery();
  return { seller, buyer, ...placed };
}

const browser = (headers: Headers) => ({ headers: { ...headersOf(CHROME, 'fetch'), ...headers } });
const clicking = (headers: Headers) => ({ headers: { ...headersOf(CHROME, 'navigation'), ...headers } });

/** A request, a view and a click, of which the second headers are those of both reports. */
async function visit(on: AdServerTest, zone: string, asking: Headers, reporting = asking): Promise<void> {
  const { view, click } = await on.decide(zone, { userAgent: '', ...browser(asking) });
  on.clock.advance(2000);
  const report = `${new URL(view).pathname}?${renderProof(view)}`;
  expect((await on.caller.send('POST', report, undefined, browser(reporting).headers)).status).toBe(204);
  expect((await on.click(click, clicking(reporting))).status).toBe(302);
}

const dayOf = (on: AdServerTest, daysAgo = 0) => utcDay(later(on.clock.now(), -daysAgo * DAY_MS));

async function agentsOf(on: AdServerTest, client: Client, query = ''): Promise<AgentRow[]> {
  await on.app.flushDelivery();
  const answer = await client.get(`/api/analytics/agents?from=${dayOf(on, 40)}&to=${dayOf(on)}${query}`);
  expect([answer.status, answer.body]).toEqual([200, expect.any(Array)]);
  return answer.body as AgentRow[];
}

/** The reasons of all decisions of a zone, such as { agent: 3, '': 1 }. */
async function decisionsOf(on: AdServerTest, zoneId: number): Promise<Record<string, number>> {
  await on.app.flushDelivery();
  const { rows } = await sql<{ reason: string; n: number }>`
    select reason, sum(n)::integer as n from delivery_hourly where kind = 'decision' and zone_id = ${zoneId}
      group by reason`.execute(on.ctx.db);
  return Object.fromEntries(rows.map(({ reason, n }) => [reason, n]));
}

// Proves AGNT-200
it('names each agent by its headers, and leaves crawlers and people as they are', async () => {
  const { seller, zone } = await publish(production);
  for (const [headers] of NAMED) await production.ask([zone.publicId], browser(headers));
  expect(await decisionsOf(production, zone.id)).toEqual({ agent: NAMED.length });
  const expected = new Map<string, number>();
  for (const [, name] of NAMED) expected.set(name, (expected.get(name) ?? 0) + 1);
  const rows = await agentsOf(production, seller);
  expect(new Map(rows.map(({ name, requests }) => [name, requests]))).toEqual(expected);
  expect(rows.map(({ requests }) => requests)).toEqual([...expected.values()].toSorted((a, b) => b - a));

  const other = await publish(production);
  const ask = async (headers: Headers) => await production.ask([other.zone.publicId], { headers });
  for (const crawler of CRAWLERS) await ask({ ...headersOf(CHROME, 'fetch'), ...chromeWith(crawler) });
  for (const name of Object.keys(BROWSERS)) await ask(headersOf(name as keyof typeof BROWSERS, 'fetch'));
  // An empty header declares nothing.
  await ask({ ...headersOf(CHROME, 'fetch'), ...signed('') });
  expect(await decisionsOf(production, other.zone.id)).toEqual({
    bot: CRAWLERS.length,
    '': Object.keys(BROWSERS).length + 1,
  });
  expect(await agentsOf(production, other.seller)).toEqual([]);
});

describe.each(SERVERS)('under the traffic rules of %s', (rules, on) => {
  // Proves AGNT-201, DEL-19
  it.each([
    ['Signature-Agent', signed('"https://chatgpt.com"'), 'chatgpt.com'],
    ['a known word', CLAUDE, 'Claude-User'],
  ])(
    'an agent known by %s is never billed, by its request or only by its reports',
    async (_, agent, name) => {
      const { seller, zone, ad } = await publish(on);
      await visit(on, zone.publicId, agent);
      await visit(on, zone.publicId, {}, agent);
      // A person reports what the agent requested.
      await visit(on, zone.publicId, agent, {});
      expect(await figures(on.ctx, ad.id)).toEqual({ 'view agent': 3, 'click agent': 3 });
      expect(await adRow(on.ctx, ad.id)).toMatchObject({ totalImpressions: 0, totalClicks: 0 });
      expect(await agentsOf(on, seller)).toEqual([
        { name, requests: 2, views: 2, clicks: 2 },
        { name: 'unnamed', requests: 0, views: 1, clicks: 1 },
      ]);
    },
  );

  // Proves AGNT-201
  it('declared automation is noted, and counted only in development', async () => {
    const { seller, zone, ad } = await publish(on);
    await visit(on, zone.publicId, HEADLESS);
    expect(await decisionsOf(on, zone.id)).toEqual({ agent: 1 });
    expect(await figures(on.ctx, ad.id)).toEqual(
      rules === 'production' ? { 'view agent': 1, 'click agent': 1 } : { view: 1, click: 1 },
    );
    expect(await agentsOf(on, seller)).toEqual([
      { name: 'HeadlessChrome', requests: 1, views: 1, clicks: 1 },
    ]);
  });
});

// Proves AGNT-201
it('finds agents in frames and video players, too', async () => {
  const { zone, zoneId } = await makeSiteWithZone(production.ctx);
  const { id: userId } = await production.ctx.db.selectFrom('users').select('id').executeTakeFirstOrThrow();
  const videoUrl = await storeVideo(production.ctx, userId);
  const ad = await makeRunningAd(production.ctx, zoneId, { adType: 'video', videoUrl });
  await production.app.refreshDelivery();
  const { text } = await production.caller.get(`/z/${zone}`, { referer: 'https://daily.example/' });
  const framed = /<ad-zone zone="([^"]+)"/.exec(text)?.[1] ?? '';
  await production.ask([framed], {
    site: 'null',
    headers: { ...headersOf(CHROME, 'fetch'), origin: 'null', ...CLAUDE },
  });
  const vast = await production.caller.get(`/api/serve/vast/${zone}`, browser(CLAUDE).headers);
  const viewable = new URL(/<Viewable>\s*(?:<!\[CDATA\[)?([^<\]]+)/.exec(vast.text)?.[1] ?? '').pathname;
  expect(await decisionsOf(production, zoneId)).toEqual({ agent: 2 });
  production.clock.advance(3000);
  expect((await production.caller.get(viewable, headersOf(CHROME, 'image'))).status).toBe(204);
  expect(await figures(production.ctx, ad.id)).toEqual({ 'view agent': 1 });
});

// Proves AGNT-202
it('keeps twenty names of a zone and day, and adds up later ones, also of two servers', async () => {
  const { seller, zone } = await publish(production);
  const { db } = production.ctx;
  const nowMs = production.clock.now().getTime();
  const [one, other] = [createAgents(db), createAgents(db)];
  const note = (tally: typeof one, from: number, to: number, atMs = nowMs) => {
    for (let n = from; n < to; n += 1)
      tally.note('requests', zone.id, { name: `agent-${n}.example`, isAutomation: false }, atMs);
  };
  note(one, 0, 12);
  note(other, 6, 30);
  await Promise.all([one.flush(), other.flush()]);
  note(one, 0, 30);
  await one.flush();
  const rows = await agentsOf(production, seller);
  expect(rows).toHaveLength(21);
  expect(rows.reduce((sum, { requests }) => sum + requests, 0)).toBe(12 + 24 + 30);
  expect(rows[0]).toMatchObject({ name: 'other' });
  // Another day has names of its own, and the answer at most fifty.
  for (const days of [1, 2]) {
    note(one, days * 100, days * 100 + 20, nowMs - days * DAY_MS);
    await one.flush();
  }
  expect(await agentsOf(production, seller)).toHaveLength(50);
});

// Proves AGNT-202
it('has the sums of the filter table, for the publisher of the zone only', async () => {
  const { seller, buyer, website, zone, ad } = await publish(production);
  await visit(production, zone.publicId, CLAUDE);
  await visit(production, zone.publicId, signed('"https://agent.example"'));
  await visit(production, zone.publicId, {}, HEADLESS);
  await production.ask([zone.publicId], browser(CLAUDE));
  const rows = await agentsOf(production, seller, `&zone=${zone.publicId}&website=${website.publicId}`);
  expect(rows).toEqual([
    { name: 'Claude-User', requests: 2, views: 1, clicks: 1 },
    { name: 'agent.example', requests: 1, views: 1, clicks: 1 },
    { name: 'HeadlessChrome', requests: 0, views: 1, clicks: 1 },
  ]);
  const sum = (of: 'requests' | 'views' | 'clicks') => rows.reduce((total, row) => total + row[of], 0);
  const range = `from=${dayOf(production, 1)}&to=${dayOf(production)}`;
  const { body } = await seller.get(
    `/api/analytics/counting?side=seller&${range}&step=month&campaign=${ad.publicId}`,
  );
  const uncounted = (kind: 'views' | 'clicks') =>
    (body as { buckets: CountingBucket[] }).buckets.flatMap((bucket) => bucket[kind].uncounted);
  expect(uncounted('views')).toEqual([{ reason: 'agent', count: sum('views') }]);
  expect(uncounted('clicks')).toEqual([{ reason: 'agent', count: sum('clicks') }]);
  expect((await decisionsOf(production, zone.id))['agent']).toBe(sum('requests'));

  expect(await agentsOf(production, buyer)).toEqual([]);
  const path = `/api/analytics/agents?${range}`;
  for (const filter of [`zone=${zone.publicId}`, `website=${website.publicId}`])
    expect((await buyer.get(`${path}&${filter}`)).status).toBe(404);
  expect((await seller.get('/api/analytics/agents?from=2026-06-02&to=2026-06-01')).status).toBe(400);
  expect((await production.anyone().get(path)).status).toBe(401);
});

// Proves AGNT-203
it('no agent has a vote on the published shares, or is a request of the forecast', async () => {
  const { seller, zone } = await publish(production);
  const votes = async () => {
    await production.app.flushDelivery();
    const { rows } = await sql`
      select kind from delivery_hourly where zone_id = ${zone.id} and kind like 'vote%' order by 1`.execute(
      production.ctx.db,
    );
    return rows;
  };
  const at = (address: string): Headers => ({ 'x-forwarded-for': address });
  await visit(production, zone.publicId, { ...CLAUDE, ...at('91.64.1.1') });
  await visit(production, zone.publicId, at('91.64.2.1'), { ...HEADLESS, ...at('91.64.2.1') });
  expect(await votes()).toEqual([]);
  await visit(production, zone.publicId, at('91.64.3.1'));
  expect(await votes()).toEqual([
    { kind: 'vote_judged' },
    { kind: 'vote_rendered' },
    { kind: 'vote_viewable' },
  ]);
  const { body } = await seller.get(`/api/analytics/zones?from=${dayOf(production)}&to=${dayOf(production)}`);
  expect(body).toMatchObject([{ requests: 2, filled: 2 }]);
});

it('forgets agents after 400 days', async () => {
  const { zone } = await publish(production);
  const { db } = production.ctx;
  const tally = createAgents(db);
  const now = production.clock.now();
  for (const days of [0, 400, 401]) tally.note('views', zone.id, null, later(now, -days * DAY_MS).getTime());
  await tally.flush();
  await removeOldAgents({ db, now: () => now });
  const kept = db.selectFrom('zoneAgents').select('day').where('zoneId', '=', zone.id).orderBy('day');
  expect(await kept.execute()).toEqual([{ day: dayOf(production, 400) }, { day: dayOf(production) }]);
});
