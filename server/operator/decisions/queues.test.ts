import { sql } from 'kysely';
import { beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { REAUTHENTICATE } from '#domain/endpoint.ts';
import { isMonthFinished, openMonthsFrom } from '#domain/invalid-traffic/months.ts';
import type { Verification } from '#domain/inventory/contract.ts';
import { DAY_MS, HOUR_MS } from '#domain/time.ts';
import { listWithdrawals } from '#server/delivery/invalid-traffic/overrule.ts';
import type { Client } from '#server/testing/client.ts';
import { startDnsServer } from '#server/testing/mail/dns.ts';
import { countAt } from '#server/testing/figures.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import {
  confirmOperator,
  makeOperator,
  reopenConsole,
  sendAct,
  sendForm,
  type TestOperator,
} from '#server/testing/operator.ts';
import { useOwnServer, useStarted } from '#server/testing/starts/use-server.ts';
import { makeLiveAd, makeWebsite } from '#server/testing/story.ts';
import { checkDueWebsites } from '#server/market/inventory/ownership/check-website.ts';
import { type Outcome, UsageError } from '../acts/command.ts';
import { commandOf } from '../command-line/commands.ts';

const START = new Date('2026-03-15T12:00:00Z');

const dns = useStarted(startDnsServer);
let operator: TestOperator;
let desk: Client;
const server = useOwnServer(() => ({ dnsServers: [dns.address], start: START }));
beforeAll(async () => {
  operator = await makeOperator(server);
  desk = operator.client;
});

/** Lets the fresh code of an earlier test expire. */
beforeEach(async () => {
  server.clock.advance(16 * 60_000);
  await reopenConsole(server, operator);
});

async function run(line: string, { reason = 'Asked both', dryRun = false } = {}): Promise<Outcome> {
  const { command, args } = commandOf(line.split(' '));
  const options = { reason, dryRun };
  return await command.run({ ctx: server.ctx, operator: { id: null, dryRun }, args, options });
}

const lastAct = async () =>
  await server.ctx.db.selectFrom('operatorActs').selectAll().orderBy('id', 'desc').executeTakeFirst();

/** How many entries the overview shows for a queue. It leaves out an empty one. */
async function waiting(queue: string): Promise<number> {
  const { queues } = (await desk.get('/api/operator/today')).body as {
    queues: { path: string; count: number }[];
  };
  return queues.find(({ path }) => path === `/operator/${queue}`)?.count ?? 0;
}

describe('the queue of ownership claims', () => {
  let sites = 0;
  type Site = { owner: Client; id: number; path: string };

  const stateOf = async ({ owner, path }: Site) => ((await owner.get(path)).body as Verification).state;

  /** Two accounts with a valid proof for one site. The first is verified. */
  async function makeClaim() {
    const host = `claimed-${++sites}.example`;
    const both: Site[] = [];
    for (const name of ['First <b>', 'Second']) {
      const owner = await server.signIn('seller');
      const { id, publicId } = await makeWebsite(owner, { name, url: `https://${host}` });
      both.push({ owner, id, path: `/api/websites/${publicId}/verification` });
    }
    const values: string[] = [];
    for (const { owner, path } of both) {
      const { proofs } = (await owner.get(path)).body as Verification;
      values.push(proofs.find(({ way }) => way === 'dns')?.value ?? '');
    }
    dns.records.set(`TXT _openslot.${host}`, values);
    for (const { owner, path } of both) await owner.post(path);
    const [holder, claimant] = both as [Site, Site];
    expect([await stateOf(holder), await stateOf(claimant)]).toEqual(['verified', 'disputed']);
    return { host, holder, claimant };
  }
  const decide = async ({ id }: Pick<Site, 'id'>, reason = 'The domain was sold') =>
    await sendAct(desk, `/operator/websites/${id}/decide-ownership`, { reason });

  // Proves OWN-05
  it('shows both sides and is decided after a fresh code, once, in the audit trail', async () => {
    const { host, holder, claimant } = await makeClaim();
    expect(await waiting('claims')).toBe(1);
    const decideAt = ({ id }: Site) => `/api/operator/websites/${id}/decide-ownership`;
    expect((await desk.get('/api/operator/claims')).body).toMatchObject([
      {
        url: expect.stringContaining(host),
        holder: { name: 'First <b>', owner: { email: holder.owner.user.email } },
        claimant: { owner: { email: claimant.owner.user.email }, verifiedAt: null },
        acts: [{ path: decideAt(holder) }, { path: decideAt(claimant) }],
      },
    ]);
    expect((await decide(claimant)).body.code).toBe(REAUTHENTICATE);
    expect(await stateOf(claimant)).toBe('disputed');

    await confirmOperator(server, operator);
    expect((await decide(claimant, ' ')).status).toBe(400);
    const answers = await Promise.all([decide(claimant), decide(claimant)]);
    // The second finds the claim of the other account refused, so nothing is left to decide.
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.text).toContain('nothing to decide');
    expect([await stateOf(holder), await stateOf(claimant)]).toEqual(['refused', 'verified']);
    expect(await lastAct()).toMatchObject({
      act: 'decide-ownership',
      subject: 'website',
      subjectId: claimant.id,
      subjectName: 'Second',
      affectedId: claimant.owner.user.id,
      operatorId: desk.user.id,
      reason: 'The domain was sold',
    });
    expect((await claimant.owner.get('/api/user/operator-acts')).body).toHaveLength(1);
    expect((await mailTo(server.ctx, holder.owner.user.email)).at(-1)?.text).toContain('The domain was sold');
    expect(await waiting('claims')).toBe(0);
    const missing = await decide({ id: 999_999 });
    expect([missing.status, missing.text.includes('Website not found.')]).toEqual([404, true]);
  });

  // Proves OWN-05
  it('lets the account whose claim was refused answer once, and a reversal gives it the site', async () => {
    const { host, holder, claimant } = await makeClaim();
    await confirmOperator(server, operator);
    await decide(claimant);
    const mail = (await mailTo(server.ctx, holder.owner.user.email)).at(-1);
    expect(mail?.text).toContain('The domain was sold');
    expect(mail?.text).toMatch(/answer once within 183 days/);
    const address = /http\S+\/decision\/\S+/.exec(mail?.text ?? '')?.[0] ?? '';
    const { pathname, search } = new URL(address);
    // The key in the link admits a reader without a session.
    const page = await server.anyone().get(pathname + search);
    expect(page.text).toContain('Refused the claim to your website “First &lt;b&gt;”');
    expect((await server.anyone().get(pathname)).status).toBe(404);
    expect((await claimant.owner.get(pathname)).status).toBe(404);
    const answer = async (body: string) => await sendForm(holder.owner, pathname, { body });
    expect((await answer('I never sold it.')).status).toBe(303);
    expect((await answer('Really.')).status).toBe(409);
    const acts = (await holder.owner.get('/api/user/operator-acts')).body as {
      act: string;
      appeal: string;
    }[];
    expect(acts[0]).toMatchObject({ act: 'refuse-claim', appeal: 'waiting' });

    const { id } = (await server.ctx.db
      .selectFrom('operatorActs')
      .select('id')
      .where('act', '=', 'refuse-claim')
      .where('subjectId', '=', holder.id)
      .executeTakeFirst())!;
    const reverse = async () =>
      await sendAct(desk, `/operator/appeals/${id}`, { outcome: 'reversed', reason: 'The sale was forged' });
    // Without a proof of ownership the site stays with its account, and the answer still waits.
    await server.ctx.db
      .updateTable('siteChecks')
      .set({ adsTxtProblem: 'missing', metaTagProblem: 'missing', dnsProblem: 'missing' })
      .where('websiteId', '=', holder.id)
      .execute();
    const unproven = await reverse();
    expect([unproven.status, unproven.text.includes('no valid proof')]).toEqual([409, true]);
    expect(await stateOf(claimant)).toBe('verified');
    await holder.owner.post(holder.path);
    expect((await reverse()).status).toBe(200);
    expect([await stateOf(holder), await stateOf(claimant)]).toEqual(['verified', 'refused']);
    expect((await reverse()).status).toBe(409);
    const told = (await mailTo(server.ctx, claimant.owner.user.email)).at(-1);
    expect(told?.text).toContain('The sale was forged');
    expect(told?.text).toContain('/decision/');
    expect((await mailTo(server.ctx, holder.owner.user.email)).at(-1)?.subject).toBe(
      'The decision was reversed',
    );
    expect(host).toContain('claimed');
  });

  // Proves OWN-05
  it('is decided from the command line, and a dry run changes nothing', async () => {
    const { host, holder, claimant } = await makeClaim();
    expect((await run('claims list')).lines.join()).toMatch(
      new RegExp(`${host} since .*website ${holder.id} .*verified.*website ${claimant.id} .*claims it`),
    );
    const last = await lastAct();
    const mails = (await mailTo(server.ctx, holder.owner.user.email)).length;
    const dry = await run(`claims decide ${holder.id}`, { dryRun: true });
    expect(dry.lines[0]).toMatch(/^Dry run, nothing was changed: Website \d+ of .* is verified/);
    expect(await stateOf(claimant)).toBe('disputed');
    expect([await lastAct(), (await mailTo(server.ctx, holder.owner.user.email)).length]).toEqual([
      last,
      mails,
    ]);

    await run(`claims decide ${holder.id}`);
    expect([await stateOf(holder), await stateOf(claimant)]).toEqual(['verified', 'refused']);
    expect(await lastAct()).toMatchObject({
      act: 'decide-ownership',
      subjectId: holder.id,
      operatorId: null,
    });
    expect((await run('claims list')).lines).toEqual(['No ownership claim is open.']);
    await expect(run(`claims decide ${holder.id}`)).rejects.toMatchObject({ status: 409 });
  });
});

describe('the queue of withdrawn traffic', () => {
  /** An ad with 200 views and 3 clicks of one hour, which were withdrawn. */
  async function withdrawn() {
    const product = { pricingModel: 'per_impression', impressions: 1000, duration: undefined };
    const seller = await server.signIn('seller');
    const live = await makeLiveAd(seller, await server.signIn('buyer'), { product });
    const zoneId = live.ad.adZoneId;
    const from = new Date(Math.floor(server.clock.now().getTime() / HOUR_MS) * HOUR_MS - HOUR_MS);
    await countAt(server.ctx, live.ad, from.toISOString(), 200, 3);
    const { rows } = await sql<{ id: number }>`
      select withdraw_traffic(${server.clock.now()}, ${zoneId}, ${from},
        ${from}::timestamptz + interval '1 hour', '[{"signal": "network", "value": 1, "bound": 30}]') as id`.execute(
      server.ctx.db,
    );
    return { seller, ad: live.ad, zoneId, id: rows[0]?.id ?? 0 };
  }
  const overrule = async (id: number, reason = 'A class used it') =>
    await sendAct(desk, `/operator/withdrawals/${id}/overrule`, { reason });
  const viewsOf = async ({ id }: { id: number }) =>
    (
      await server.ctx.db
        .selectFrom('ads')
        .select('totalImpressions')
        .where('id', '=', id)
        .executeTakeFirstOrThrow()
    ).totalImpressions;

  it('says why, and is overruled after a fresh code, once, in the audit trail', async () => {
    const { seller, ad, zoneId, id } = await withdrawn();
    expect(await waiting('withdrawals')).toBe(1);
    expect((await desk.get('/api/operator/withdrawals')).body).toMatchObject([
      {
        id,
        views: 200,
        clicks: 3,
        zone: { id: zoneId },
        signals: [expect.stringContaining('as concentrated as 1.0 networks')],
        overruled: null,
        isFinal: false,
        acts: [{ path: `/api/operator/withdrawals/${id}/overrule` }],
      },
    ]);
    expect((await overrule(id)).body.code).toBe(REAUTHENTICATE);
    expect(await viewsOf(ad)).toBe(0);

    await confirmOperator(server, operator);
    expect((await overrule(id, ' ')).status).toBe(400);
    const answers = await Promise.all([overrule(id), overrule(id)]);
    expect(answers.map(({ status }) => status).toSorted((one, other) => one - other)).toEqual([200, 409]);
    expect(answers.find(({ status }) => status === 409)?.text).toContain('already overruled');
    expect(await viewsOf(ad)).toBe(200);
    expect(await lastAct()).toMatchObject({
      act: 'overrule-withdrawal',
      subject: 'zone',
      subjectId: zoneId,
      affectedId: seller.user.id,
      operatorId: desk.user.id,
      reason: 'A class used it',
    });
    expect(await waiting('withdrawals')).toBe(0);
    expect((await desk.get('/api/operator/withdrawals')).body).toEqual([]);
    expect((await desk.get('/api/operator/withdrawals?all=1')).body).toMatchObject([
      { id, overruled: { by: `operator ${desk.user.id}`, reason: 'A class used it' }, acts: [] },
    ]);
    const missing = await overrule(999_999);
    expect([missing.status, missing.text.includes('Withdrawal not found.')]).toEqual([404, true]);
  });

  it('is overruled from the command line, and a dry run changes nothing', async () => {
    const { ad, id } = await withdrawn();
    expect((await run('withdrawals list')).lines).toEqual([
      expect.stringMatching(new RegExp(`^${id}  .*200 views, 3 clicks.*1\\.0 networks`)),
    ]);
    const last = await lastAct();
    const dry = await run(`withdrawals overrule ${id}`, { dryRun: true });
    expect(dry.lines[0]).toMatch(/^Dry run, nothing was changed: Overruled withdrawal/);
    expect([await viewsOf(ad), await lastAct()]).toEqual([0, last]);
    await run(`withdrawals overrule ${id}`);
    expect(await viewsOf(ad)).toBe(200);
    expect(await lastAct()).toMatchObject({ act: 'overrule-withdrawal', operatorId: null });
    await expect(run(`withdrawals overrule ${id}`)).rejects.toMatchObject({ status: 409 });
    const { items } = await listWithdrawals(server.ctx);
    expect(items.find((item) => item.id === id)).toMatchObject({ overruledBy: 'command line' });
  });

  it('leaves out withdrawals that are final, because their month is finished', async () => {
    const { id } = await withdrawn();
    const open = async () => (await listWithdrawals(server.ctx, { open: true })).items.map((item) => item.id);
    const now = server.clock.now();
    // The clock runs on, so the last millisecond of the day would be over before the list is read.
    server.clock.set(new Date('2026-04-10T23:50:00Z'));
    expect(await open()).toEqual([id]);
    server.clock.set(new Date('2026-04-11T00:00:00Z'));
    expect(await open()).toEqual([]);
    await expect(run(`withdrawals overrule ${id}`)).rejects.toMatchObject({ status: 409 });
    server.clock.set(now);
    expect(isMonthFinished(START, new Date(START.getTime() + 20 * DAY_MS))).toBe(false);
    expect(openMonthsFrom(new Date('2026-01-10T23:00:00Z'))).toEqual(new Date('2025-12-01T00:00:00Z'));
  });
});

describe('a website that cannot prove its owner', () => {
  const stateOf = async (owner: Client, { id }: { id: number }) =>
    ((await owner.get(`/api/websites/${id}/verification`)).body as Verification).state;

  it('is verified by the operator’s word, once, and no check ends this', async () => {
    const owner = await server.signIn('seller', { email: 'made-up@example.test' });
    const site = await makeWebsite(owner, { url: 'https://made-up.example' });
    const dry = await run(`site verify ${site.publicId}`, { dryRun: true });
    expect(dry.lines[0]).toContain('Dry run');
    expect(await stateOf(owner, site)).toBe('unverified');

    expect((await run(`site verify ${site.publicId}`, { reason: 'A rehearsal' })).lines).toEqual([
      `Website ${site.id} of made-up@example.test is verified, https://made-up.example.`,
    ]);
    expect(await stateOf(owner, site)).toBe('verified');
    expect(await lastAct()).toMatchObject({
      act: 'decide-ownership',
      subjectId: site.id,
      operatorId: null,
      reason: 'A rehearsal',
    });
    const mails = (await mailTo(server.ctx, 'made-up@example.test')).filter(
      ({ kind }) => kind === 'site-vouched',
    );
    expect(mails.map(({ text }) => text)).toEqual([expect.stringContaining('A rehearsal')]);
    await expect(run(`site verify ${site.id}`)).rejects.toMatchObject({ status: 409 });

    // The publisher's own check finds no proof, and neither do later ones.
    await owner.post(`/api/websites/${site.id}/verification`);
    for (let day = 0; day < 12; day++) {
      server.clock.advance(DAY_MS);
      await checkDueWebsites(server.ctx);
    }
    expect(await stateOf(owner, site)).toBe('verified');
    await owner.delete('/api/user/account');
  });

  it('is not taken from the account that has proven it, and needs a reason', async () => {
    const holder = await server.signIn('seller');
    const held = await makeWebsite(holder, { url: 'https://held.example' });
    await run(`site verify ${held.id}`);
    const other = await makeWebsite(await server.signIn('seller'), { url: 'https://held.example' });
    await expect(run(`site verify ${other.id}`)).rejects.toMatchObject({ status: 409 });
    await expect(run('site verify 999999')).rejects.toMatchObject({ status: 404 });
    await expect(run(`site verify ${other.id}`, { reason: ' ' })).rejects.toThrow(UsageError);
    expect(await stateOf(holder, held)).toBe('verified');
  });
});
