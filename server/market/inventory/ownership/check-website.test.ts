import { beforeEach, describe, expect, it } from 'vitest';
import type { Verification } from '#domain/inventory/contract.ts';
import type { Client } from '#server/testing/client.ts';
import { startDnsServer } from '#server/testing/mail/dns.ts';
import { mailTo, mailToOperator } from '#server/testing/mail/mail.ts';
import { useOwnServer, useStarted } from '#server/testing/starts/use-server.ts';
import { makeAd, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';
import { checkDueWebsites, checksPerRun } from './check-website.ts';
import { decideOwnership, listClaims } from './decide-ownership.ts';

const HOUR_MS = 60 * 60 * 1000;
const DAY_MS = 24 * HOUR_MS;

const dns = useStarted(startDnsServer);
const server = useOwnServer(() => ({ dnsServers: [dns.address] }));
beforeEach(async () => {
  dns.records.clear();
  await server.ctx.db.deleteFrom('siteChecks').execute();
  await server.ctx.db.deleteFrom('ownershipClaims').execute();
});

let sites = 0;
type Owned = { owner: Client; id: number; path: string; host: string };

async function addSite(owner?: Client, host = `owned-${++sites}.example`): Promise<Owned> {
  const client = owner ?? (await server.signIn('seller'));
  const { id, publicId } = await makeWebsite(client, { url: `https://${host}` });
  return { owner: client, id, path: `/api/websites/${publicId}/verification`, host };
}

const read = async ({ owner, path }: Owned) => (await owner.get(path)).body as Verification;
const verify = async ({ owner, path }: Owned) => (await owner.post(path)).body as Verification;

/** Publishes the DNS records of these websites of one host. */
async function publish(...owned: Owned[]): Promise<void> {
  const values: string[] = [];
  for (const each of owned) values.push((await read(each)).proofs.find(({ way }) => way === 'dns')!.value);
  dns.records.set(`TXT _openslot.${owned[0]!.host}`, values);
}

async function verified(host?: string): Promise<Owned> {
  const owned = await addSite(undefined, host);
  await publish(owned);
  expect((await verify(owned)).state).toBe('verified');
  return owned;
}

const decide = async (what: { websiteId: number; reason: string }) =>
  await server.ctx.db.transaction().execute(
    async (tx) =>
      await decideOwnership(server.ctx, tx, {
        ...what,
        // server/operator/decisions/queues.ts records the decision.
        recordRefusal: async ({ publicId }) => `${server.url}/decision/${publicId}?key=x`,
      }),
  );
const withdraw = ({ host }: Owned) => void dns.records.delete(`TXT _openslot.${host}`);
const kindsTo = async ({ owner }: Owned) =>
  (await mailTo(server.ctx, owner.user.email)).map(({ kind }) => kind);

/** Lets days pass, with the job once an hour after each. */
async function passDays(days: number): Promise<void> {
  for (let day = 0; day < days; day += 1) {
    server.clock.advance(DAY_MS + HOUR_MS);
    while ((await checkDueWebsites(server.ctx)) > 0);
  }
}

describe('the daily check', () => {
  // Proves OWN-02
  it('keeps a verification while there is a proof, and looks only once a day', async () => {
    const owned = await verified();
    expect(await checkDueWebsites(server.ctx)).toBe(0);
    const { checkedAt } = await read(owned);
    await passDays(10);
    expect(await checkDueWebsites(server.ctx)).toBe(0);
    const after = await read(owned);
    expect(after).toMatchObject({ state: 'verified', failingSince: null, lostAt: null });
    expect(Date.parse(after.checkedAt!) - Date.parse(checkedAt!)).toBeGreaterThanOrEqual(10 * DAY_MS);
    expect(await kindsTo(owned)).toEqual([]);
  });

  // Proves OWN-02
  it('ends a verification after seven days without a proof, warns before, and says since when', async () => {
    const owned = await verified();
    withdraw(owned);
    await passDays(1);
    const failing = await read(owned);
    expect(failing.state).toBe('failing');
    expect(failing.failingSince).toBe(failing.checkedAt);
    expect(Date.parse(failing.lostAt!) - Date.parse(failing.failingSince!)).toBe(7 * DAY_MS);
    expect(await kindsTo(owned)).toEqual([]);

    await passDays(5);
    expect(await read(owned)).toMatchObject({ state: 'failing', failingSince: failing.failingSince });
    expect(await kindsTo(owned)).toEqual(['proof-missing']);

    await passDays(2);
    expect(await read(owned)).toMatchObject({
      state: 'unverified',
      verifiedAt: null,
      lostAt: null,
      failingSince: failing.failingSince,
    });
    expect(await kindsTo(owned)).toEqual(['proof-missing', 'proof-lost']);
    expect((await mailTo(server.ctx, owned.owner.user.email))[1]?.text).toContain(
      'earnings from this website are on hold',
    );
  });

  // Proves OWN-02
  it('begins to count again after a proof in between, and warns again', async () => {
    const owned = await verified();
    withdraw(owned);
    await passDays(6);
    await publish(owned);
    await passDays(1);
    expect(await read(owned)).toMatchObject({ state: 'verified', failingSince: null });
    withdraw(owned);
    await passDays(6);
    expect((await read(owned)).state).toBe('failing');
    expect(await kindsTo(owned)).toEqual(['proof-missing', 'proof-missing']);
  });

  // Proves OWN-02
  it('finds a proof that came later, looks for a week after the publisher’s last check, and then stops', async () => {
    const late = await addSite();
    const never = await addSite();
    for (const owned of [late, never]) expect((await verify(owned)).state).toBe('unverified');
    await passDays(3);
    await publish(late);
    await passDays(1);
    expect((await read(late)).state).toBe('verified');
    await passDays(4);
    const { checkedAt } = await read(never);
    await passDays(3);
    expect((await read(never)).checkedAt).toBe(checkedAt);
  });

  // Proves OWN-02
  it('verifies again once the proof is back', async () => {
    const owned = await verified();
    withdraw(owned);
    await passDays(9);
    expect((await read(owned)).state).toBe('unverified');
    await publish(owned);
    expect(await verify(owned)).toMatchObject({ state: 'verified', failingSince: null });
  });

  it('reaches each of a million websites every day, and looks at forty a minute while there are few', () => {
    expect([0, 100, 38_400].map(checksPerRun)).toEqual([40, 40, 40]);
    for (const websites of [50_000, 1_000_000]) {
      expect(checksPerRun(websites) * 24 * 60).toBeGreaterThanOrEqual(1.5 * websites);
      expect(checksPerRun(websites) * 24 * 60).toBeLessThan(1.6 * websites);
    }
  });

  // Proves OWN-02
  it('checks each website once if two instances run it at once', async () => {
    for (let n = 0; n < 5; n += 1) await verified();
    server.clock.advance(DAY_MS + HOUR_MS);
    const taken = await Promise.all([checkDueWebsites(server.ctx), checkDueWebsites(server.ctx)]);
    expect(taken[0] + taken[1]).toBe(5);
  });
});

describe('a site that two accounts prove', () => {
  async function makeClaim(): Promise<{ holder: Owned; claimant: Owned }> {
    const holder = await verified();
    const claimant = await addSite(undefined, `www.${holder.host}`);
    claimant.host = holder.host;
    await publish(holder, claimant);
    expect((await verify(claimant)).state).toBe('disputed');
    return { holder, claimant };
  }

  // Proves OWN-04
  it('stays with the first, and both accounts get one e-mail', async () => {
    const { holder, claimant } = await makeClaim();
    await verify(claimant);
    await passDays(2);
    expect((await read(holder)).state).toBe('verified');
    expect((await read(claimant)).state).toBe('disputed');
    expect(await kindsTo(holder)).toEqual(['site-claimed']);
    expect(await kindsTo(claimant)).toEqual(['site-taken']);
    const told = (await mailToOperator(server.ctx, 'site-contested')).map(({ text }) => text);
    expect(told.filter((text) => text.includes(claimant.host))).toHaveLength(1);
    const { body } = await claimant.owner.get('/api/websites/my');
    expect(body).toMatchObject([{ isVerified: false }]);
  });

  // Proves OWN-04
  it('may have several websites of one account', async () => {
    const first = await verified();
    const second = await addSite(first.owner, first.host);
    await publish(first, second);
    expect((await verify(second)).state).toBe('verified');
    expect((await read(first)).state).toBe('verified');
  });

  // Proves OWN-04
  it('has one holder if their first proofs are found at the same time', async () => {
    for (let round = 0; round < 5; round += 1) {
      const first = await addSite();
      const others = [await addSite(undefined, first.host), await addSite(undefined, first.host)];
      const all = [first, ...others];
      await publish(...all);
      const states = (await Promise.all(all.map(verify))).map(({ state }) => state);
      const now = (await Promise.all(all.map(read))).map(({ state }) => state);
      expect(now.toSorted()).toEqual(['disputed', 'disputed', 'verified']);
      expect(states).toEqual(now);
    }
  });

  // Proves OWN-04
  it('is never verified for two accounts, because a constraint refuses it', async () => {
    const { claimant } = await makeClaim();
    await expect(
      server.ctx.db
        .updateTable('websites')
        .set({ verifiedAt: new Date() })
        .where('id', '=', claimant.id)
        .execute(),
    ).rejects.toMatchObject({ code: '23P01', constraint: 'websites_one_owner' });
  });

  // Proves OWN-04
  it('goes to the second once the first has lost its proof', async () => {
    const { holder, claimant } = await makeClaim();
    await publish(claimant);
    await passDays(9);
    expect((await read(holder)).state).toBe('unverified');
    expect((await read(claimant)).state).toBe('verified');
    expect((await listClaims(server.ctx, {})).items).toEqual([]);
  });

  // Proves OWN-04
  it('has no claim to it any more once the second has lost its proof for seven days', async () => {
    const { holder, claimant } = await makeClaim();
    await publish(holder);
    await passDays(9);
    expect((await read(claimant)).state).toBe('unverified');
    expect((await listClaims(server.ctx, {})).items).toEqual([]);
  });

  // Proves OWN-04
  it('is free again once the account of the first was deleted', async () => {
    const { holder, claimant } = await makeClaim();
    // An ad keeps the website's row for the history of its advertiser.
    const zone = await makeZone(holder.owner, { id: holder.id });
    await makeAd(await server.signIn('buyer'), await makeProduct(holder.owner, zone));
    expect((await holder.owner.delete('/api/user/account')).status).toBe(200);
    const kept = server.ctx.db.selectFrom('websites').select('isActive').where('id', '=', holder.id);
    expect(await kept.execute()).toEqual([{ isActive: false }]);
    expect((await verify(claimant)).state).toBe('verified');
  });

  // Proves OWN-05
  it('is listed for the operator, page by page', async () => {
    const cases = [await makeClaim(), await makeClaim(), await makeClaim()];
    const first = await listClaims(server.ctx, { limit: 2 });
    const second = await listClaims(server.ctx, { limit: 2, cursor: first.next! });
    expect(second.next).toBeNull();
    expect([...first.items, ...second.items]).toMatchObject(
      cases.map(({ holder, claimant }) => ({
        claimant: { id: claimant.id, email: claimant.owner.user.email, verifiedAt: null },
        holder: { id: holder.id, email: holder.owner.user.email },
      })),
    );
  });

  // Proves OWN-05
  it('goes to the account that the operator chooses, and the decision stands', async () => {
    const { holder, claimant } = await makeClaim();
    await decide({ websiteId: claimant.id, reason: ' The domain was sold. ' });
    expect((await read(claimant)).state).toBe('verified');
    expect(await read(holder)).toMatchObject({ state: 'refused', reason: 'The domain was sold.' });
    expect(await kindsTo(claimant)).toEqual(['site-taken', 'site-granted']);
    expect(await kindsTo(holder)).toEqual(['site-claimed', 'site-refused']);
    expect((await mailTo(server.ctx, holder.owner.user.email))[1]?.text).toContain('The domain was sold.');
    expect((await listClaims(server.ctx, {})).items).toEqual([]);

    // Neither a check nor the end of the other proof changes what the operator decided.
    await verify(holder);
    await publish(holder);
    await passDays(9);
    expect((await read(claimant)).state).toBe('unverified');
    expect((await verify(holder)).state).toBe('refused');
    expect(await kindsTo(holder)).toEqual(['site-claimed', 'site-refused']);

    await decide({ websiteId: holder.id, reason: 'The sale was undone.' });
    expect((await read(holder)).state).toBe('verified');
  });

  // Proves OWN-05
  it('stays with the first if the operator decides so', async () => {
    const { holder, claimant } = await makeClaim();
    await decide({ websiteId: holder.id, reason: 'The domain is theirs.' });
    expect((await read(holder)).state).toBe('verified');
    expect((await read(claimant)).state).toBe('refused');
    await verify(claimant);
    expect((await read(claimant)).state).toBe('refused');
    expect((await listClaims(server.ctx, {})).items).toEqual([]);
  });

  // Proves OWN-05
  it('is decided once if the operator decides twice at the same time', async () => {
    const { holder, claimant } = await makeClaim();
    const decisions = await Promise.allSettled(
      [holder, claimant].map(({ id }) => decide({ websiteId: id, reason: 'Asked both' })),
    );
    const states = [(await read(holder)).state, (await read(claimant)).state];
    expect(states.toSorted()).toEqual(['refused', 'verified']);
    expect(decisions.some(({ status }) => status === 'fulfilled')).toBe(true);
  });

  // Proves OWN-05
  it('is not decided without a reason, a claim, a website or a proof, and nothing changes', async () => {
    const { holder, claimant } = await makeClaim();
    const alone = await verified();
    await expect(decide({ websiteId: claimant.id, reason: '  ' })).rejects.toMatchObject({
      status: 400,
    });
    await expect(decide({ websiteId: 999_999, reason: 'x' })).rejects.toMatchObject({
      status: 404,
    });
    await expect(decide({ websiteId: alone.id, reason: 'x' })).rejects.toMatchObject({
      status: 409,
      message: 'No other account claims this website, so there is nothing to decide.',
    });
    const third = await addSite(undefined, holder.host);
    await verify(third);
    await expect(decide({ websiteId: third.id, reason: 'x' })).rejects.toMatchObject({
      status: 409,
      message: 'We find no valid proof of ownership for this website, so it can’t be verified.',
    });
    expect((await read(holder)).state).toBe('verified');
    expect((await read(claimant)).state).toBe('disputed');
  });
});
