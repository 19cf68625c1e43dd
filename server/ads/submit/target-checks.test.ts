import { rmSync, writeFileSync } from 'node:fs';
import http from 'node:http';
import type { AddressInfo } from 'node:net';
import path from 'node:path';
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/time.ts';
import type { Client } from '#server/testing/client.ts';
import { startDnsServer } from '#server/testing/mail/dns.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import { startTestServer } from '#server/testing/server.ts';
import { untilTestEnds, useOwnServer, useStarted } from '#server/testing/starts/use-server.ts';
import { approve, makeAd, makeLiveAd, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';
import { checkDueTargets, checkTarget } from './target-checks.ts';

const dns = useStarted(startDnsServer);
let seller: Client;
let buyer: Client;
let port = 0;

type Page = { status?: number; text?: string; location?: string };
/** The answers of the advertisers' websites, by host and path. Any other page says 'hello'. */
const pages = new Map<string, Page>();
let requested: string[] = [];
const site = http.createServer((request, response) => {
  const address = `${request.headers.host ?? ''}${request.url ?? ''}`.replace(/:\d+/, '');
  requested.push(address);
  const { status = 200, text = 'hello', location } = pages.get(address) ?? {};
  response.writeHead(location ? 302 : status, location ? { Location: location } : {}).end(text);
});

const server = useOwnServer(() => ({ dnsServers: [dns.address], start: new Date('2026-03-02T09:00:00Z') }));
beforeAll(async () => {
  seller = await server.signIn('seller', { email: 'seller@targets.test' });
  buyer = await server.signIn('buyer', { email: 'buyer@targets.test' });
  await new Promise<void>((resolve) => site.listen(0, '127.0.0.1', resolve));
  ({ port } = site.address() as AddressInfo);
});
afterAll(() => {
  site.closeAllConnections();
  site.close();
});
beforeEach(() => {
  pages.clear();
  requested = [];
});

let hosts = 0;
/** A host of its own that leads to the advertisers' server. */
function newHost(): string {
  const host = `shop-${++hosts}.example`;
  for (const name of [host, `www.${host}`]) dns.records.set(`A ${name}`, ['127.0.0.1']);
  return host;
}
const at = (host: string, rest = '/') => `http://${host}:${port}${rest}`;
const read = async (ad: Ad, who = buyer) => (await who.get(`/api/ads/${ad.id}/details`)).body as Ad;

async function live(targetUrl: string) {
  const product = { duration: 10 };
  const { ad, zone } = await makeLiveAd(seller, buyer, { product, ad: { targetUrl } });
  return { ad, zone: zone.publicId };
}

/** Submits an ad and runs its first check before it is approved and paid. */
async function pending(targetUrl: string): Promise<Ad> {
  const zone = await makeZone(seller, await makeWebsite(seller));
  const ad = await makeAd(buyer, await makeProduct(seller, zone), { targetUrl });
  await checkTarget(server.ctx, ad.id);
  return await read(ad);
}

async function anotherDay(): Promise<void> {
  server.clock.advance(DAY_MS);
  await lookWithin(3);
  // A target that led elsewhere is looked at again after ten minutes.
  server.clock.advance(8 * MINUTE_MS);
  await lookWithin(3);
}

/** Targets of one host are spread over the following minutes. */
async function lookWithin(minutes: number): Promise<void> {
  for (let minute = 0; minute < minutes; minute++) {
    server.clock.advance(MINUTE_MS);
    await checkDueTargets(server.ctx);
  }
}

async function isServed(zone: string): Promise<boolean> {
  await server.app.refreshDelivery();
  const browser = 'Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0';
  const headers = { origin: 'https://daily.example', 'user-agent': browser };
  const { body } = await server.anyone().get(`/api/serve/ads?z=${zone}`, headers);
  return (body as { ads: { view?: string }[] }).ads.some(({ view }) => view !== undefined);
}

// Proves DEST-01
it('stores and answers a target in ASCII, and shows it as websites are shown', async () => {
  const ad = await pending('https://Bücher.example./ä?x=ö');
  expect(ad).toMatchObject({
    targetUrl: 'https://xn--bcher-kva.example/%C3%A4?x=%C3%B6',
    displayTarget: 'https://bücher.example/%C3%A4?x=%C3%B6',
  });
  expect(await pending('https://аррӏе.com/login')).toMatchObject({
    targetUrl: 'https://xn--80ak6aa92e.com/login',
    displayTarget: 'https://xn--80ak6aa92e.com/login',
  });
});

// Proves DEST-01
it('answers 400 to targets that are not public', async () => {
  const ad = await pending('https://coffee.example');
  const product = {
    adZoneId: ad.adZoneId,
    productId: ad.productId,
    adType: 'text',
    title: 'T',
    description: 'D',
  };
  for (const targetUrl of [
    'http://localhost:3000/api/logout',
    'http://[::ffff:127.0.0.1]/',
    'http://0x7f000001/',
    'http://2130706433/',
    'http://intranet/',
    'https://example.com/\u202egnp.exe',
    'https://a:b@example.com/',
  ]) {
    const answer = await buyer.post('/api/ads', { ...product, targetUrl });
    expect([targetUrl, answer.status, answer.body.issues?.[0]?.path]).toEqual([targetUrl, 400, 'targetUrl']);
  }
});

it('fetches the target of a submitted ad and keeps its final host and the hash of its content', async () => {
  const [from, to] = [newHost(), newHost()];
  pages.set(`${from}/`, { location: at(to, '/landing') });
  const zone = await makeZone(seller, await makeWebsite(seller));
  const submitted = await makeAd(buyer, await makeProduct(seller, zone), { targetUrl: at(from) });
  expect(submitted.targetCheck).toEqual({
    state: 'waiting',
    checkedAt: null,
    finalHost: null,
    problem: null,
    isContentChanged: false,
  });
  // The job is queued in the transaction of the submission.
  const { rows } = await server.app.pool.query(
    `select payload from graphile_worker._private_jobs j join graphile_worker._private_tasks t on t.id = j.task_id
      where t.identifier = 'check-target' and (payload ->> 'adId')::integer = $1`,
    [submitted.id],
  );
  expect(rows).toHaveLength(1);
  await checkTarget(server.ctx, submitted.id);
  expect(requested).toEqual([`${from}/`, `${to}/landing`]);
  expect((await read(submitted, seller)).targetCheck).toMatchObject({
    state: 'reached',
    finalHost: `${to}:${port}`,
  });
  const row = await server.ctx.db
    .selectFrom('targetChecks')
    .selectAll()
    .where('adId', '=', submitted.id)
    .executeTakeFirstOrThrow();
  expect(row.contentHash?.toString('hex')).toBe(
    '2cf24dba5fb0a30e26e83b2ac5b9e29e1b161e5c1fa7425e73043362938b9824',
  );
});

it('takes an ad whose target cannot be reached, and says so to both sides', async () => {
  const gone = await pending('https://nowhere.example/');
  for (const who of [buyer, seller])
    expect((await read(gone, who)).targetCheck).toMatchObject({ state: 'not_reached', finalHost: null });
  const host = newHost();
  pages.set(`${host}/`, { status: 404 });
  const missing = await pending(at(host));
  expect(missing.targetCheck).toMatchObject({
    state: 'not_reached',
    problem: 'The address answered with status 404.',
  });
  expect((await approve(seller, missing)).status).toBe('approved');
  // It is tried again after six hours, not every minute.
  pages.clear();
  server.clock.advance(5 * HOUR_MS);
  await checkDueTargets(server.ctx);
  expect((await read(missing)).targetCheck?.state).toBe('not_reached');
  server.clock.advance(HOUR_MS + 1000);
  await checkDueTargets(server.ctx);
  expect((await read(missing)).targetCheck?.state).toBe('reached');
});

// Proves DEST-05
it('pauses a live ad when its final host changes, until the publisher accepts it', async () => {
  const [from, to] = [newHost(), newHost()];
  const { ad, zone } = await live(at(from));
  await checkTarget(server.ctx, ad.id);
  expect(await isServed(zone)).toBe(true);
  const end = (await read(ad)).endDate!;

  // Another page of the same site, with www., is no other host.
  pages.set(`${from}/`, { location: at(`www.${from}`, '/new') });
  await anotherDay();
  expect(await read(ad)).toMatchObject({
    targetPause: null,
    paused: null,
    targetCheck: { isContentChanged: false },
  });
  pages.set(`www.${from}/new`, { text: 'another page' });
  await anotherDay();
  expect(await read(ad)).toMatchObject({ targetPause: null, targetCheck: { isContentChanged: true } });

  pages.set(`${from}/`, { location: at(to) });
  await anotherDay();
  const paused = await read(ad);
  const pause = { reason: 'changed', from: `${from}:${port}`, to: `${to}:${port}` };
  expect(paused).toMatchObject({ status: 'active', paused: 'target', targetPause: pause });
  expect(await isServed(zone)).toBe(false);
  const words = `led to ${pause.from} when it was approved. It now leads to ${pause.to}`;
  for (const person of ['buyer', 'seller']) {
    const mails = await mailTo(server.ctx, `${person}@targets.test`);
    expect(mails.at(-1)?.text.replaceAll(/\s+/g, ' ')).toContain(words);
  }
  const steps = async () =>
    (await seller.get('/api/waiting?limit=100')).body.steps.filter(
      (step: { kind: string }) => step.kind === 'target',
    );
  expect(await steps()).toMatchObject([{ id: ad.id, title: ad.title }]);
  expect((await buyer.get(`/api/ads/${ad.id}/showing`)).body.rule).toBe('target_paused');

  // The pause is told once, and the same look again changes nothing.
  const told = (await mailTo(server.ctx, 'seller@targets.test')).length;
  await anotherDay();
  expect((await mailTo(server.ctx, 'seller@targets.test')).length).toBe(told);

  const confirm = (host: string, who = seller) => who.put(`/api/ads/${ad.id}/target/confirm`, { host });
  expect((await confirm('other.example')).status).toBe(409);
  const pausedMs = server.clock.now().getTime() - new Date(paused.targetPause!.since).getTime();
  const accepted = await confirm(pause.to);
  expect(accepted).toMatchObject({ status: 200, body: { targetPause: null, paused: null } });
  // The clock of an ad by the day stood during the pause.
  const moved = new Date(accepted.body.endDate).getTime() - new Date(end).getTime();
  expect(moved).toBeGreaterThanOrEqual(pausedMs);
  expect(moved).toBeLessThan(pausedMs + 60_000);
  expect(await isServed(zone)).toBe(true);
  expect((await confirm(pause.to)).status).toBe(409);
  await anotherDay();
  expect((await read(ad)).targetPause).toBeNull();
});

// Proves DEST-05
it('pauses nothing after one look that leads elsewhere, and looks again ten minutes later', async () => {
  const [from, queue] = [newHost(), newHost()];
  const { ad, zone } = await live(at(from));
  await checkTarget(server.ctx, ad.id);
  const looks = () => requested.filter((address) => address === `${from}/`).length;

  pages.set(`${from}/`, { location: at(queue) });
  server.clock.advance(DAY_MS);
  requested = [];
  await lookWithin(1);
  expect(looks()).toBe(1);
  const untouched = {
    paused: null,
    targetPause: null,
    targetCheck: { state: 'reached', finalHost: `${from}:${port}`, isContentChanged: false },
  };
  expect(await read(ad)).toMatchObject(untouched);
  expect(await isServed(zone)).toBe(true);

  pages.clear();
  await lookWithin(9);
  expect(looks()).toBe(1);
  await lookWithin(1);
  expect(looks()).toBe(2);
  expect(await read(ad)).toMatchObject(untouched);
  const mails = await mailTo(server.ctx, 'seller@targets.test');
  expect(mails.filter(({ text }) => text.includes(queue))).toEqual([]);
  // The strange look is forgotten, so the next one is a first look again.
  pages.set(`${from}/`, { location: at(queue) });
  server.clock.advance(DAY_MS);
  await lookWithin(1);
  expect((await read(ad)).targetPause).toBeNull();
});

// Proves DEST-05
it('pauses nothing for an answer that is an error, from whichever host it comes', async () => {
  const [from, queue] = [newHost(), newHost()];
  const { ad, zone } = await live(at(from));
  await checkTarget(server.ctx, ad.id);
  pages.set(`${from}/`, { location: at(queue) });
  for (const status of [503, 429, 403]) {
    pages.set(`${queue}/`, { status });
    await anotherDay();
    expect(await read(ad)).toMatchObject({ targetPause: null, targetCheck: { state: 'not_reached' } });
  }
  // Nor does an error between two looks at a page take the place of the second one.
  pages.delete(`${queue}/`);
  server.clock.advance(DAY_MS);
  await lookWithin(1);
  dns.records.delete(`A ${queue}`);
  await lookWithin(11);
  expect((await read(ad)).targetPause).toBeNull();
  expect(await isServed(zone)).toBe(true);
  dns.records.set(`A ${queue}`, ['127.0.0.1']);
  server.clock.advance(6 * HOUR_MS);
  await lookWithin(1);
  expect((await read(ad)).targetPause).toMatchObject({ reason: 'changed', to: `${queue}:${port}` });
});

it('shows a paused ad again within an hour after its target leads back', async () => {
  const [from, queue] = [newHost(), newHost()];
  const { ad } = await live(at(from));
  await checkTarget(server.ctx, ad.id);
  pages.set(`${from}/`, { location: at(queue) });
  await anotherDay();
  expect((await read(ad)).targetPause?.reason).toBe('changed');
  pages.clear();
  server.clock.advance(HOUR_MS);
  await lookWithin(1);
  expect(await read(ad)).toMatchObject({ paused: null, targetPause: null });
});

// Proves DEST-05
it('lets only the publisher end the ad, and refunds what was not delivered', async () => {
  const [from, to] = [newHost(), newHost()];
  const { ad } = await live(at(from));
  await checkTarget(server.ctx, ad.id);
  const refuse = (who: Client) => who.put(`/api/ads/${ad.id}/target/refuse`);
  expect((await refuse(seller)).status).toBe(409);
  pages.set(`${from}/`, { location: at(to) });
  await anotherDay();
  expect((await refuse(await server.signIn('seller'))).status).toBe(404);
  expect((await refuse(buyer)).status).toBe(403);
  const answers = await Promise.all([refuse(seller), refuse(seller)]);
  expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([200, 409]);
  expect(await read(ad)).toMatchObject({
    status: 'completed',
    endedReason: 'target_refused',
    targetPause: null,
  });
  expect(Number((await read(ad)).refund?.amount)).toBeGreaterThan(0);
});

// Proves DEST-05
it('shows the ad again by itself when the target leads where it was approved', async () => {
  const [from, to] = [newHost(), newHost()];
  const { ad } = await live(at(from));
  await checkTarget(server.ctx, ad.id);
  pages.set(`${from}/`, { location: at(to) });
  await anotherDay();
  expect((await read(ad)).targetPause?.reason).toBe('changed');
  // An answer that does not come keeps the pause.
  dns.records.delete(`A ${from}`);
  await anotherDay();
  expect((await read(ad)).targetPause?.reason).toBe('changed');
  dns.records.set(`A ${from}`, ['127.0.0.1']);
  pages.clear();
  await anotherDay();
  expect((await read(ad)).targetPause).toBeNull();
});

// Proves DEST-07
it('refuses a listed host at submission, and pauses live ads that lead to one', async () => {
  const [from, to, pendingFrom] = [newHost(), newHost(), newHost()];
  pages.set(`${from}/`, { location: at(`login.${to}`) });
  dns.records.set(`A login.${to}`, ['127.0.0.1']);
  const { ad, zone } = await live(at(from));
  await checkTarget(server.ctx, ad.id);
  expect(await isServed(zone)).toBe(true);

  const file = path.join(server.ctx.config.dataDir, 'phishing-hosts.txt');
  writeFileSync(file, `# ours\n${to} # bank\n0.0.0.0 листинг.example\n`);
  await server.ctx.phishingHosts.reload();
  await checkDueTargets(server.ctx);
  expect(await read(ad)).toMatchObject({
    paused: 'target',
    targetPause: { reason: 'listed', to: `login.${to}:${port}` },
    targetCheck: { state: 'listed' },
  });
  expect(await isServed(zone)).toBe(false);
  const operator = await mailTo(server.ctx, server.ctx.config.contactEmail);
  expect(operator.at(-1)?.text).toContain(`/operator/ads/${ad.id}`);
  // The publisher cannot show it again.
  expect((await seller.put(`/api/ads/${ad.id}/target/confirm`, { host: `login.${to}:${port}` })).status).toBe(
    409,
  );

  const body = {
    adZoneId: ad.adZoneId,
    productId: ad.productId,
    adType: 'text',
    title: 'T',
    description: 'D',
  };
  for (const targetUrl of [at(to), at(`a.${to}`), 'https://листинг.example/'])
    expect(await buyer.post('/api/ads', { ...body, targetUrl })).toMatchObject({
      status: 400,
      body: { message: 'This address is on a list of phishing websites, so ads can’t lead there.' },
    });
  // A pending ad that leads there cannot be approved.
  pages.set(`${pendingFrom}/`, { location: at(to) });
  const waiting = await pending(at(pendingFrom));
  expect(waiting.targetCheck?.state).toBe('listed');
  expect((await seller.put(`/api/ads/${waiting.id}/approve`)).status).toBe(409);

  writeFileSync(file, '');
  await server.ctx.phishingHosts.reload();
  await anotherDay();
  expect(await read(ad)).toMatchObject({ targetPause: null, targetCheck: { state: 'reached' } });
  rmSync(file);
});

// Proves DEST-05
it('pauses an ad whose target was approved before targets had to be public, until one side ends it', async () => {
  const [running, other] = [await live(at(newHost())), await live(at(newHost()))];
  const waiting = await pending(at(newHost()));
  // The database keeps the target of an approved ad fixed.
  await server.owner.transaction().execute(async (tx) => {
    await sql`alter table ads disable trigger user`.execute(tx);
    for (const [ad, target] of [
      [running.ad, 'http://192.168.1.1/reboot'],
      [other.ad, 'http://intranet/'],
      [waiting, 'http://printer.local/'],
    ] as const)
      await sql`
        with moved as (update ads set target_url = ${target} where id = ${ad.id} returning id)
        update target_checks c set host = ${new URL(target).host} from moved where c.ad_id = moved.id`.execute(
        tx,
      );
    await sql`alter table ads enable trigger user`.execute(tx);
  });
  expect(await seller.put(`/api/ads/${waiting.id}/approve`)).toMatchObject({
    status: 409,
    body: { message: expect.stringContaining('isn’t on the public internet') },
  });

  await anotherDay();
  expect(await read(running.ad)).toMatchObject({
    paused: 'target',
    targetPause: { reason: 'not_public', to: '192.168.1.1' },
    targetCheck: { state: 'not_reached' },
  });
  expect(await isServed(running.zone)).toBe(false);
  for (const person of ['buyer', 'seller']) {
    const mails = await mailTo(server.ctx, `${person}@targets.test`);
    const words = 'is on 192.168.1.1, which isn’t on the public internet';
    expect(mails.filter(({ text }) => text.replaceAll(/\s+/g, ' ').includes(words))).toHaveLength(1);
  }
  const { steps } = (await seller.get('/api/waiting?limit=100')).body;
  expect(steps).toContainEqual(expect.objectContaining({ kind: 'target', id: running.ad.id }));

  // Nobody can show it again. Either side ends it.
  const confirmed = await seller.put(`/api/ads/${running.ad.id}/target/confirm`, { host: '192.168.1.1' });
  expect(confirmed).toMatchObject({ status: 409 });
  expect(await seller.put(`/api/ads/${running.ad.id}/target/refuse`)).toMatchObject({ status: 200 });
  const { refundAmount } = (await buyer.get(`/api/ads/${other.ad.id}/refund-quote`)).body;
  expect(await buyer.post(`/api/ads/${other.ad.id}/cancel`, { refundAmount })).toMatchObject({
    status: 200,
    body: { endedReason: 'canceled' },
  });
});

it('asks a host once a minute, however many ads lead there, and stops with the ad', async () => {
  const host = newHost();
  const ads: Ad[] = [];
  for (const name of ['a', 'b', 'c']) ads.push(await pending(at(host, `/${name}`)));
  server.clock.advance(DAY_MS);
  requested = [];
  const ours = () => requested.filter((address) => address.startsWith(host)).length;
  await checkDueTargets(server.ctx);
  expect(ours()).toBe(1);
  await checkDueTargets(server.ctx);
  expect(ours()).toBe(1);
  for (let minute = 0; minute < 4; minute++) {
    server.clock.advance(60_000);
    await checkDueTargets(server.ctx);
  }
  expect(ours()).toBe(3);
  for (const { id } of ads) await seller.put(`/api/ads/${id}/reject`, { rejectionReason: 'No' });
  await anotherDay();
  expect(ours()).toBe(3);
});

// Proves WARD-36
it('opens invented hosts of one domain as seldom as one host, and few targets of one account', async () => {
  const start = server.clock.now();
  const strict = await untilTestEnds(
    startTestServer({ dnsServers: [dns.address], start, env: { RATE_LIMIT_FACTOR: '1' } }),
  );
  const publisher = await strict.signIn('seller');
  const option = await makeProduct(publisher, await makeZone(publisher, await makeWebsite(publisher)));
  const domain = newHost();
  let last: Ad | undefined;
  for (let account = 0; account < 2; account++) {
    const advertiser = await strict.signIn('buyer');
    for (let n = 0; n < 20; n++) {
      const name = `n${account}-${n}.${domain}`;
      dns.records.set(`A ${name}`, ['127.0.0.1']);
      last = await makeAd(advertiser, option, { targetUrl: at(name) });
      await checkTarget(strict.ctx, last.id);
    }
  }
  expect(requested).toHaveLength(30);
  // Those that are left follow by a minute each.
  requested = [];
  strict.clock.advance(10 * MINUTE_MS);
  await checkDueTargets(strict.ctx);
  expect(requested).toHaveLength(1);

  // The account's own limit: 60 an hour, of which the ten latest of its twenty were refused by the domain's.
  requested = [];
  for (let n = 0; n < 50; n++) {
    const version = n + 2;
    await strict.ctx.db
      .updateTable('ads')
      .set({ version, targetUrl: at(newHost()) })
      .where('id', '=', last!.id)
      .execute();
    await checkTarget(strict.ctx, last!.id);
  }
  expect(requested).toHaveLength(40);
});

// Proves DEST-05
it('does not take the first redirect of a trusted advertiser’s new ad as approved', async () => {
  const [host, shop, elsewhere] = [newHost(), newHost(), newHost()];
  pages.set(`${host}/one`, { location: at(shop) });
  pages.set(`${host}/two`, { location: at(shop) });
  pages.set(`${host}/three`, { location: at(elsewhere) });
  const product = await makeProduct(seller, await makeZone(seller, await makeWebsite(seller)));
  const first = await makeAd(buyer, product, { targetUrl: at(host, '/one') });
  await checkTarget(server.ctx, first.id);
  expect((await seller.put(`/api/ads/${first.id}/approve`, { version: 1, trust: true })).status).toBe(200);

  const [same, other] = [
    await makeAd(buyer, product, { targetUrl: at(host, '/two') }),
    await makeAd(buyer, product, { targetUrl: at(host, '/three') }),
  ];
  for (const ad of [same, other]) {
    expect(ad.status).toBe('approved');
    await checkTarget(server.ctx, ad.id);
  }
  server.clock.advance(10 * MINUTE_MS);
  await lookWithin(3);
  expect(await read(same)).toMatchObject({ targetPause: null });
  expect(await read(other)).toMatchObject({
    targetPause: { reason: 'changed', from: `${shop}:${port}`, to: `${elsewhere}:${port}` },
  });
});
