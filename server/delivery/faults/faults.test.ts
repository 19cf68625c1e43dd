/** Faults under the rules of production, from the requests of pages to what the publisher and the operator read. */
import { beforeAll, beforeEach, expect, it } from 'vitest';
import type { Reply } from '#domain/endpoint.ts';
import type { listFaults } from '#domain/operator/console/system-contract.ts';
import type { Fault } from '#domain/delivery/faults-contract.ts';
import { EXPECTED_MS, UNSEEN_ENDS_MS } from '#domain/delivery/faults.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/time.ts';
import { onceAnHour } from '#server/app/jobs/once-an-hour.ts';
import { removeExpired } from '#server/app/jobs/remove-expired.ts';
import { diagnose } from '#server/operator/command-line/doctor.ts';
import type { Client } from '#server/testing/client.ts';
import {
  BROWSER_NAMES,
  CLOUDFRONT_HEADERS,
  PROTOTYPE_PROOF,
  sendImaRequests,
  sendVisits,
  type Visits,
} from '#server/testing/delivery/visits.ts';
import { addZone, makeRunningAd, SITE } from '#server/testing/delivery/delivery.ts';
import { useOwnAdServer } from '#server/testing/starts/use-server.ts';
import { confirmOperator, makeOperator, sendAct, type TestOperator } from '#server/testing/operator.ts';
import { findFaults } from './find-faults.ts';
import { FIND_SILENT_SITES, findSilentSites } from './silent-sites.ts';

const server = useOwnAdServer({
  TRAFFIC_RULES: 'production',
  TRUSTED_PROXIES: '127.0.0.1',
  METRICS_TOKEN: 'token',
});
let operator: TestOperator;
beforeAll(async () => {
  operator = await makeOperator(server);
});
/** Ends what is open, and begins a new hour two hours later, so that a test sees only its own traffic. */
beforeEach(async () => {
  await server.owner.deleteFrom('deliveryFaults').execute();
  await server.owner.deleteFrom('messages').execute();
  nextHour(2);
});

function nextHour(hours = 1): void {
  const now = server.clock.now().getTime();
  server.clock.set(new Date(now - (now % HOUR_MS) + hours * HOUR_MS + 6 * MINUTE_MS));
}

type Site = { seller: Client; zone: string; zoneId: number; websiteId: number; name: string };

let sites = 0;

/** A publisher's website with a running ad. */
async function makeSite(): Promise<Site> {
  const seller = await server.signIn('seller');
  const name = `Daily ${++sites}`;
  const website = await server.ctx.db
    .insertInto('websites')
    .values({ userId: seller.user.id, name, url: SITE, category: 'Technology' })
    .returning('id')
    .executeTakeFirstOrThrow();
  const { zone, zoneId } = await addZone(server.ctx, website.id);
  await makeRunningAd(server.ctx, zoneId, { amount: 60 });
  await server.app.refreshDelivery();
  return { seller, zone, zoneId, websiteId: website.id, name };
}

const visit = async ({ zone }: Site, visits: Visits) =>
  await sendVisits({ url: server.caller.url, zone, clock: server.clock }, visits);

/** Runs the jobs of two minutes: the first finds the fault, and the second tells its readers. */
async function look(): Promise<void> {
  await server.app.flushDelivery();
  await findFaults(server.ctx);
  server.clock.advance(MINUTE_MS + 1000);
  await findFaults(server.ctx);
}

async function faultsOf({ seller }: Site): Promise<Fault[]> {
  const answer = await seller.get('/api/faults');
  expect(answer.status).toBe(200);
  return answer.body as Fault[];
}

async function mailsTo({ seller }: Site): Promise<{ subject: string; bodyText: string }[]> {
  return await server.ctx.db
    .selectFrom('messages')
    .select(['subject', 'bodyText'])
    .where('kind', '=', 'delivery-fault')
    .where('recipient', '=', seller.user.email)
    .execute();
}

async function consolePage(): Promise<string> {
  await confirmOperator(server, operator);
  const { status, body } = await operator.client.get('/api/operator/faults');
  expect(status).toBe(200);
  const { installation, websites } = body as Reply<typeof listFaults>;
  return [...installation, ...websites]
    .map(({ title, evidence, cause, next }) => `${title}. ${evidence} ${cause} ${next}`)
    .join(' ');
}

async function doctor(): Promise<string> {
  const { databaseUrl: DATABASE_URL, ctx } = server;
  const env = { DATABASE_URL, DATA_DIR: ctx.config.dataDir, PORT: String(ctx.config.port) };
  const findings = await diagnose(env, () => server.clock.now());
  return findings.map(({ check, state, text }) => `${state} ${check} ${text}`).join('\n');
}

async function metric(scope: string, kind: string): Promise<string[]> {
  const { text } = await server.anyone().get('/metrics', { authorization: 'Bearer token' });
  return ['delivery_faults', 'delivery_fault_share'].map(
    (name) =>
      text
        .split('\n')
        .find((line) => line.startsWith(`openslot_${name}{scope="${scope}",kind="${kind}"}`))
        ?.split(' ')
        .at(-1) ?? '',
  );
}

/** Expects that the publisher, and only once by mail, and the operator read these words. */
async function expectSaid(site: Site, publisher: RegExp, ofOperator: RegExp): Promise<Fault> {
  const [fault, ...others] = await faultsOf(site);
  expect(others).toEqual([]);
  const { title, text, next, evidence } = fault!;
  expect(`${title}. ${text} ${next}`).toMatch(publisher);
  await look();
  await look();
  const mails = await mailsTo(site);
  expect(mails.map(({ subject }) => subject.replaceAll(/[\u2066-\u2069]/g, ''))).toEqual([
    `${site.name}: ${title}`,
  ]);
  for (const sentence of [text, next, evidence])
    expect(mails[0]?.bodyText.replaceAll(/\s+/g, ' ')).toContain(sentence);
  expect(await consolePage()).toMatch(ofOperator);
  expect(await doctor()).toContain(
    `warn reports The publishers of these websites were told: ${site.name} (“`,
  );
  return fault!;
}

const PROTOTYPE = () => PROTOTYPE_PROOF;

it('names a script that replaces built-in functions, to the publisher by one mail and to the operator', async () => {
  const site = await makeSite();
  const other = await makeSite();
  await visit(other, { visitors: 30 });
  await visit(site, { visitors: 60, query: PROTOTYPE });
  await look();
  const fault = await expectSaid(site, /Prototype or MooTools.*sandboxed iframe/, /Prototype or MooTools/);
  expect(fault).toMatchObject({ kind: 'no_proof', cause: 'page_scripts', expectedAt: null });
  expect(fault.evidence).toBe(
    '100 % of 60 views and clicks within an hour didn’t count: “No proof of rendering”.',
  );
  expect(await faultsOf(other)).toEqual([]);
  expect(await metric('website', 'no_proof')).toEqual(['1', '1']);
  expect(await metric('installation', 'no_proof')).toEqual(['0', '0']);
});

it('names a proxy that passes on no address, when all visitors reach the limits of one', async () => {
  const site = await makeSite();
  const hidden = { 'x-forwarded-for': 'unknown' };
  await visit(site, { visitors: 340, browser: BROWSER_NAMES[0]!, headers: () => hidden });
  await look();
  const fault = await expectSaid(site, /hides the addresses.*told the operator/, /Visitors seem to have one/);
  expect(fault).toMatchObject({ kind: 'limits', cause: 'private_address' });
  expect(await doctor()).toContain('fail alarm Visitors seem to have one private address. 9');
  expect(await metric('installation', 'limits')).toEqual(['1', expect.stringMatching(/^0\.9/)]);
});

it('names the gateway of Docker when a third of the audience comes from it', async () => {
  const site = await makeSite();
  await visit(site, { visitors: 150, headers: () => ({ 'x-forwarded-for': '172.31.77.1' }) });
  await visit(site, { visitors: 200 });
  await look();
  // The website itself has other visitors, so its publisher is not alarmed.
  expect(await faultsOf(site)).toEqual([]);
  const page = await consolePage();
  expect(page).toMatch(/gateway of Docker.*IPv6/);
  expect(await doctor()).toMatch(/fail alarm Visitors seem to have one private address.*gateway of Docker/);
});

it('names one network, when a proxy writes its own public address for all visitors', async () => {
  const site = await makeSite();
  const hidden = { 'x-forwarded-for': '91.66.1.1' };
  await visit(site, { visitors: 340, browser: BROWSER_NAMES[0]!, headers: () => hidden });
  await look();
  const fault = await expectSaid(site, /come from one network/, /TRUSTED_PROXIES/);
  expect(fault).toMatchObject({ kind: 'limits', cause: 'one_network' });
});

it('names Google’s IMA player, which requests ads under its own address', async () => {
  const site = await makeSite();
  await sendImaRequests({ url: server.caller.url, zone: site.zone }, 60);
  await look();
  const fault = await expectSaid(site, /player uses Google’s IMA/, /Google’s IMA/);
  expect(fault).toMatchObject({ kind: 'wrong_site', cause: 'ima_player' });
  expect(fault.evidence).toContain('100 % of 60 ad requests');
});

it('names a service worker that answers with stored ads', async () => {
  const site = await makeSite();
  await visit(site, { visitors: 5, times: 25 });
  await look();
  const fault = await expectSaid(site, /service worker or cache/, /service worker/);
  expect(fault).toMatchObject({ kind: 'repeated', cause: 'stored_answers' });
});

it('names a CDN that removes the headers of browsers', async () => {
  const site = await makeSite();
  await visit(site, { visitors: 60, headers: () => CLOUDFRONT_HEADERS });
  await look();
  const fault = await expectSaid(site, /CDN or firewall.*told the operator/, /CloudFront.*AllViewer/);
  expect(fault).toMatchObject({ kind: 'bot', cause: 'headers_removed' });
});

it('tells the operator once a day what only they can mend on one website, with the remedy', async () => {
  const site = await makeSite();
  const other = await makeSite();
  await visit(other, { visitors: 60 });
  await visit(site, { visitors: 60, headers: () => CLOUDFRONT_HEADERS });
  await look();
  const fault = await expectSaid(site, /CDN or firewall.*told the operator/, /CloudFront.*AllViewer/);
  expect(fault).toMatchObject({ cause: 'headers_removed' });
  expect(await metric('installation', fault.kind)).toEqual(['0', '0']);
  const alarms = async () =>
    await server.ctx.db
      .selectFrom('messages')
      .select(['subject', 'bodyText'])
      .where('kind', '=', 'installation-fault')
      .execute();
  const [alarm, ...others] = await alarms();
  expect(others).toEqual([]);
  expect(alarm?.subject).toBe('Requests arrive without the headers of a browser');
  expect(alarm?.bodyText.replaceAll(/\s+/g, ' ')).toContain(`AllViewer for /api/serve/*`);
  expect(alarm?.bodyText).toContain(site.name);
  expect(alarm?.bodyText).not.toContain(other.name);
  const file = await operator.client.get(`/api/operator/websites/${site.websiteId}`);
  expect(file.body.faults).toEqual([expect.stringContaining('Requests arrive without the headers')]);
  server.clock.advance(DAY_MS);
  await findFaults(server.ctx);
  expect(await alarms()).toHaveLength(2);
  // The publisher expects it, so it is no alarm.
  await site.seller.patch(`/api/faults/${fault.id}`, { isExpected: true });
  server.clock.advance(DAY_MS);
  await findFaults(server.ctx);
  expect(await alarms()).toHaveLength(2);
});

it('takes robots that name themselves for no fault', async () => {
  const site = await makeSite();
  const agent = 'Mozilla/5.0 (compatible; Googlebot/2.1; +http://www.google.com/bot.html)';
  await visit(site, { visitors: 60, headers: () => ({ 'user-agent': agent }) });
  await look();
  expect(await faultsOf(site)).toEqual([]);
});

it('says that programs send requests without headers, if they come from one network', async () => {
  const site = await makeSite();
  const headers = () => ({ 'user-agent': null, 'x-forwarded-for': '91.64.7.7' });
  await visit(site, { visitors: 60, headers });
  await look();
  expect(await faultsOf(site)).toMatchObject([{ kind: 'bot', cause: 'programs' }]);
});

it('is hidden and ended by no forged report, which anybody can send', async () => {
  const [site, other] = [await makeSite(), await makeSite()];
  for (const each of [site, other]) await visit(each, { visitors: 60, query: PROTOTYPE });
  const forge = async () => {
    for (let report = 0; report < 130; report++) await server.caller.post('/api/serve/view/x');
  };
  await forge();
  await look();
  const [fault] = await faultsOf(site);
  expect(fault).toMatchObject({ kind: 'no_proof', cause: 'reports_altered' });
  nextHour();
  await forge();
  await look();
  expect(await faultsOf(site)).toMatchObject([{ cause: 'reports_altered' }]);
});

/** The ad requests of an hour, and the job of that hour. */
async function hourWith(site: Site, requests: number, times = 1): Promise<void> {
  if (requests > 0) await visit(site, { visitors: requests, times });
  await server.app.flushDelivery();
  nextHour();
  await onceAnHour(server.ctx, FIND_SILENT_SITES, findSilentSites);
}

it.each([
  [0, 'tag_gone', /optimization.*empty its cache/],
  [3, 'tag_stopped', /load our script/],
] as const)(
  'names the optimizer of a website that requests no ads any more and loads the script %i times',
  async (loads, cause, words) => {
    const site = await makeSite();
    const beginning = server.clock.now().getTime();
    await hourWith(site, 55);
    // A day later. Another website shows that the server was there.
    server.clock.set(new Date(beginning + DAY_MS - HOUR_MS));
    const other = await makeSite();
    await hourWith(other, 5);
    for (let load = 0; load < loads; load++)
      await server.caller.get(`/api/serve/zone/${site.zone}`, { origin: SITE });
    await hourWith(other, 5);
    await look();
    const fault = await expectSaid(site, /Autoptimize, WP Rocket, LiteSpeed, Rocket Loader/, /Autoptimize/);
    expect(fault).toMatchObject({ kind: 'silent', cause });
    expect(`${fault.text} ${fault.next}`).toMatch(words);
    await visit(site, { visitors: 1, times: 0 });
    await look();
    expect(await faultsOf(site)).toEqual([]);
  },
);

it('does not take an hour for silent after requests of which no view counted, which anybody can send', async () => {
  const site = await makeSite();
  const beginning = server.clock.now().getTime();
  await hourWith(site, 55, 0);
  server.clock.set(new Date(beginning + DAY_MS - HOUR_MS));
  const other = await makeSite();
  await hourWith(other, 5);
  await hourWith(other, 5);
  await look();
  expect(await faultsOf(site)).toEqual([]);
});

it('does not take an hour for silent in which no server ran, or the zone was paused', async () => {
  const site = await makeSite();
  const beginning = server.clock.now().getTime();
  await hourWith(site, 55);
  server.clock.set(new Date(beginning + DAY_MS));
  await hourWith(site, 0);
  expect(await faultsOf(site)).toEqual([]);
  await server.ctx.db.updateTable('adZones').set({ isActive: false }).where('id', '=', site.zoneId).execute();
  await hourWith(site, 0);
  expect(await faultsOf(site)).toEqual([]);
});

it('needs 50 reports, and takes no reason for a fault that was as dominant in the same hour of three days before', async () => {
  const few = await makeSite();
  await visit(few, { visitors: 49, query: PROTOTYPE });
  await look();
  expect(await faultsOf(few)).toEqual([]);

  const site = await makeSite();
  const { zoneId } = site;
  const hour = server.clock.now().getTime() - (server.clock.now().getTime() % HOUR_MS);
  const before = (days: number) => ({
    hour: new Date(hour - days * DAY_MS),
    adId: null,
    zoneId,
    kind: 'view' as const,
    reason: 'no_proof' as const,
    n: 60,
  });
  const rows = server.ctx.db.insertInto('deliveryHourly');
  await rows.values([before(1), before(2), before(4)]).execute();
  await visit(site, { visitors: 60, query: PROTOTYPE });
  await look();
  expect(await faultsOf(site)).toEqual([]);
  await server.ctx.db
    .deleteFrom('deliveryHourly')
    .where('zoneId', '=', zoneId)
    .where('hour', '=', before(4).hour)
    .execute();
  await look();
  expect(await faultsOf(site)).toHaveLength(1);
});

it('does not end a fault while it goes on or nothing is reported, ends it after the mend, and tells it once a week if it comes and goes', async () => {
  const site = await makeSite();
  await visit(site, { visitors: 60, query: PROTOTYPE });
  await look();
  nextHour();
  await look();
  nextHour();
  await visit(site, { visitors: 60, query: PROTOTYPE });
  await look();
  expect(await faultsOf(site)).toHaveLength(1);
  nextHour();
  await visit(site, { visitors: 60 });
  await look();
  expect(await faultsOf(site)).toEqual([]);
  expect(await mailsTo(site)).toHaveLength(1);
  nextHour();
  await visit(site, { visitors: 60, query: PROTOTYPE });
  await look();
  expect(await faultsOf(site)).toHaveLength(1);
  expect(await mailsTo(site)).toHaveLength(1);
  // Without any report, it is over after a week.
  server.clock.advance(UNSEEN_ENDS_MS);
  await look();
  expect(await faultsOf(site)).toEqual([]);
});

it('stays silent for 30 days after the publisher said that it is expected, and takes that back at once', async () => {
  const site = await makeSite();
  const stranger = await makeSite();
  await visit(site, { visitors: 60, query: PROTOTYPE });
  await server.app.flushDelivery();
  await findFaults(server.ctx);
  const [fault] = await faultsOf(site);
  const answer = async ({ seller }: Site, isExpected: boolean) =>
    await seller.patch(`/api/faults/${fault!.id}`, { isExpected });
  expect((await answer(stranger, true)).status).toBe(404);
  expect((await site.seller.patch('/api/faults/2147483647', { isExpected: true })).status).toBe(404);
  expect((await site.seller.patch(`/api/faults/${fault!.id}`, { isExpected: 'yes' })).status).toBe(400);
  const { status, body } = await answer(site, true);
  expect([status, body.expectedAt]).toEqual([200, expect.any(String)]);
  // Said before the mail, so there is none.
  await look();
  await look();
  expect(await mailsTo(site)).toEqual([]);
  expect(await metric('website', 'no_proof')).toEqual(['0', '0']);
  expect(await doctor()).toContain('ok reports No reason refuses nearly all reports of a website.');

  expect((await answer(site, false)).body.expectedAt).toBeNull();
  await look();
  expect(await mailsTo(site)).toHaveLength(1);
  await answer(site, true);
  server.clock.advance(EXPECTED_MS - DAY_MS);
  await look();
  expect(await faultsOf(site)).toMatchObject([{ id: fault!.id, expectedAt: expect.any(String) }]);
  server.clock.advance(2 * DAY_MS);
  await look();
  expect(await faultsOf(site)).toEqual([]);
});

it('lets an operator expect a fault of the installation, which is an act with a reason, and ends its alarm', async () => {
  const site = await makeSite();
  const other = await makeSite();
  for (const each of [site, other]) await visit(each, { visitors: 30, query: PROTOTYPE });
  await look();
  expect(await consolePage()).toContain('drops the query string of /api/serve/view');
  const waiting = async () =>
    (await operator.client.get('/api/operator/notices')).body.waiting['/operator/faults'] as number;
  expect(await waiting()).toBe(1);
  const row = await server.ctx.db
    .selectFrom('deliveryFaults')
    .select('id')
    .where('websiteId', 'is', null)
    .executeTakeFirstOrThrow();
  const path = `/operator/faults/${row.id}/expect`;
  const offered = (await operator.client.get('/api/operator/faults')).body.installation[0].acts;
  expect(offered).toMatchObject([{ path: `/api${path}`, button: 'This is expected' }]);
  const done = await sendAct(operator.client, path, { reason: 'A load test' });
  expect([done.status, done.body.said]).toEqual([200, expect.stringContaining('is expected.')]);
  expect((await sendAct(operator.client, path, { reason: 'Again' })).status).toBe(404);
  expect(await waiting()).toBe(0);
  expect(await doctor()).not.toContain('alarm');
  const acts = server.ctx.db.selectFrom('operatorActs').select(['act', 'reason']);
  expect(await acts.where('subject', '=', 'fault').execute()).toEqual([
    { act: 'expect-fault', reason: 'A load test' },
  ]);
  expect((await operator.client.get('/api/operator/audit')).text).toContain('A load test');
  expect(await metric('installation', 'no_proof')).toEqual(['0', '0']);
});

it('finds a fault once and tells it once when several servers look at the same time', async () => {
  const site = await makeSite();
  await visit(site, { visitors: 60, query: PROTOTYPE });
  await server.app.flushDelivery();
  const all = async () => await Promise.all(Array.from({ length: 4 }, () => findFaults(server.ctx)));
  await all();
  server.clock.advance(MINUTE_MS + 1000);
  await all();
  expect(await faultsOf(site)).toHaveLength(1);
  expect(await mailsTo(site)).toHaveLength(1);
});

it('keeps facts for a day, ended faults for 90 days, and nothing about a visitor', async () => {
  const site = await makeSite();
  await visit(site, { visitors: 5, headers: () => ({ 'user-agent': '', 'x-forwarded-for': '91.64.200.7' }) });
  await server.app.flushDelivery();
  const facts = await server.ctx.db.selectFrom('refusedFacts').selectAll().execute();
  expect(facts).toContainEqual({
    hour: expect.any(Date),
    zoneId: site.zoneId,
    reason: 'bot',
    n: 5,
    privateAddress: 0,
    sameNetwork: 4,
    imaPlayer: 0,
    strippedHeaders: 5,
  });
  await server.owner
    .insertInto('deliveryFaults')
    .values({
      websiteId: site.websiteId,
      kind: 'bot',
      cause: 'programs',
      counted: 'reports',
      total: 60,
      refused: 60,
      beganAt: server.clock.now(),
      seenAt: server.clock.now(),
      endedAt: server.clock.now(),
    })
    .execute();
  server.clock.advance(2 * DAY_MS);
  await removeExpired(server.ctx);
  expect(await server.ctx.db.selectFrom('refusedFacts').selectAll().execute()).toEqual([]);
  expect(await server.ctx.db.selectFrom('deliveryFaults').select('id').execute()).toHaveLength(1);
  server.clock.advance(90 * DAY_MS);
  await removeExpired(server.ctx);
  expect(await server.ctx.db.selectFrom('deliveryFaults').select('id').execute()).toEqual([]);
});
