import sharp from 'sharp';
import { sql } from 'kysely';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { DAY_MS, MINUTE_MS } from '#domain/time.ts';
import { ownSettings } from '../accounts/settings.ts';
import { registerWebsite } from '../inventory/offer.ts';
import { removeFiles } from '../media/close-account.ts';
import { openUpload } from '../media/uploads.ts';
import { readBooks } from '../payments/books/books.ts';
import { makeMonthlyDocuments } from '../payments/documents/months.ts';
import { applyProviderEvent } from '../payments/events.ts';
import { accrueDue } from '../payments/ledger/accrue.ts';
import { ledgerImbalances } from '../payments/ledger/check.ts';
import { runPayouts } from '../payments/payouts/run.ts';
import { sendDueRefunds } from '../payments/refunds/send.ts';
import { outOfReach, withProvider } from '../testing/checkout.ts';
import type { Client } from '../testing/client.ts';
import { countAt } from '../testing/figures.ts';
import { codeFor, mailTo } from '../testing/mail.ts';
import { deliver, makeEarned, onboard, waitDays } from '../testing/payouts.ts';
import { PASSWORD, startTestServer, type TestServer } from '../testing/server.ts';
import { approve, makeAd, makeLiveAd, makeProduct, makeWebsite, makeZone } from '../testing/story.ts';

let server: TestServer;
beforeAll(async () => {
  server = await startTestServer();
});
afterAll(async () => await server.close());

const remove = async (caller: Client) => await caller.delete('/api/user/account');
const giveUp = async (caller: Client, amount: string) =>
  await caller.delete(`/api/user/account?waive=${amount}`);
const userRow = async (id: number) =>
  await server.ctx.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
const adRow = async (id: number) =>
  await server.ctx.db.selectFrom('ads').selectAll().where('id', '=', id).executeTakeFirst();
const settingsOf = async (userId: number) =>
  await server.ctx.db.selectFrom('userSettings').selectAll().where('userId', '=', userId).execute();

async function upload(caller: Client, color: string): Promise<string> {
  const picture = await sharp({ create: { width: 30, height: 20, channels: 3, background: color } })
    .png()
    .toBuffer();
  const { uploadURL } = (await caller.post('/api/ad-images/upload')).body as { uploadURL: string };
  const stored = await caller.put(uploadURL, picture, { 'content-type': 'image/png' });
  expect(stored.status).toBeLessThan(300);
  const imagePath = `/ad-images/${uploadURL.split('/').at(-1)}`;
  await caller.post('/api/media-library', { imagePath, filename: 'picture.png', fileSize: picture.length });
  return imagePath;
}

/** Runs the queued jobs that delete files, because tests start no jobs. */
async function deleteFiles(): Promise<void> {
  const { rows } = await server.app.pool.query<{ payload: { name: string; rendition: string } }>(
    `delete from graphile_worker._private_jobs jobs using graphile_worker._private_tasks tasks
     where tasks.id = jobs.task_id and tasks.identifier = 'remove-files' returning jobs.payload`,
  );
  for (const { payload } of rows) await removeFiles(server.ctx, payload);
}

describe('DELETE /api/user/account', () => {
  // Proves API-27
  it('answers 401 without a session', async () => {
    expect((await remove(server.anyone())).status).toBe(401);
  });

  // Proves API-27, STATE-19, ENT-12, ENT-07
  it('removes a user who owns nothing, with settings, sessions, codes and mail', async () => {
    const email = 'leaving@example.test';
    const caller = server.anyone();
    const person = { email, password: PASSWORD, firstName: 'Lea', lastName: 'Ving' };
    await caller.post('/api/auth/register', person);
    await caller.post('/api/auth/verify-email', { email, code: await codeFor(server.ctx, email) });
    const second = server.anyone();
    const login = await second.post('/api/auth/login', { email, password: PASSWORD });
    const { id } = login.body.user as { id: number };

    const answer = await remove(caller);
    expect(answer.status).toBe(200);
    expect(answer.body).toEqual({ success: true });
    expect(await userRow(id)).toBeUndefined();
    expect(await settingsOf(id)).toEqual([]);
    expect(await mailTo(server.ctx, email)).toEqual([]);
    for (const one of [caller, second]) expect((await one.get('/api/auth/user')).status).toBe(401);
    expect((await second.post('/api/auth/login', { email, password: PASSWORD })).status).toBe(401);
    // The address can be registered again.
    expect((await second.post('/api/auth/check-email', { email })).body.available).toBe(true);
    expect((await second.post('/api/auth/register', person)).status).toBe(201);
  });

  // Proves API-27
  it('answers 409 to advertiser and publisher while a campaign runs, and changes nothing', async () => {
    const seller = await server.signIn('seller');
    const buyer = await server.signIn('buyer');
    const { ad, zone } = await makeLiveAd(seller, buyer);
    for (const caller of [seller, buyer]) {
      const answer = await remove(caller);
      expect(answer.status).toBe(409);
      expect(answer.body.message).toContain('active campaigns');
      expect((await caller.get('/api/auth/user')).status).toBe(200);
    }
    expect((await adRow(ad.id))?.status).toBe('active');
    const { isActive, deletedAt } = await server.ctx.db
      .selectFrom('adZones')
      .select(['isActive', 'deletedAt'])
      .where('id', '=', zone.id)
      .executeTakeFirstOrThrow();
    expect({ isActive, deletedAt }).toEqual({ isActive: true, deletedAt: null });
  });

  // Proves API-27
  it('removes the unpaid ads of an advertiser', async () => {
    const seller = await server.signIn('seller');
    const buyer = await server.signIn('buyer');
    const product = await makeProduct(seller, await makeZone(seller, await makeWebsite(seller)));
    const pending = await makeAd(buyer, product);
    const approved = await makeAd(buyer, product);
    await approve(seller, approved);
    expect((await remove(buyer)).status).toBe(200);
    expect(await adRow(pending.id)).toBeUndefined();
    expect(await adRow(approved.id)).toBeUndefined();
    expect(await userRow(buyer.user.id)).toBeUndefined();
    expect((await seller.get('/api/ads/pending')).body).toEqual([]);
  });

  // Proves API-27
  it('closes the ad zones of a publisher, and rejects unpaid ads on them with a reason and a mail', async () => {
    const seller = await server.signIn('seller');
    const buyer = await server.signIn('buyer');
    const website = await makeWebsite(seller);
    const zone = await makeZone(seller, website);
    const empty = await makeZone(seller, website, { name: 'Never sold' });
    const product = await makeProduct(seller, zone);
    const ad = await makeAd(buyer, product);
    expect((await remove(seller)).status).toBe(200);

    const rejected = await adRow(ad.id);
    expect(rejected?.status).toBe('rejected');
    expect(rejected?.rejectionReason).toMatch(/publisher/i);
    const mail = (await mailTo(server.ctx, buyer.user.email)).at(-1);
    expect(mail?.kind).toBe('ad-rejected');
    expect((await buyer.get(`/api/websites/${website.publicId}/ad-zones`)).status).toBe(404);
    const zones = await server.ctx.db
      .selectFrom('adZones')
      .select('id')
      .where('websiteId', '=', website.id)
      .execute();
    expect(zones.map(({ id }) => id)).toEqual([zone.id]);
    expect(empty.id).not.toBe(zone.id);
    // The advertiser still sees the website on which the ad was meant to run.
    const [own] = (await buyer.get('/api/ads/my')).body as { websiteName: string }[];
    expect(own?.websiteName).toBe(website.name);
  });

  // Proves API-27
  it('keeps paid ads for the other party, without personal data of the deleted user', async () => {
    const seller = await server.signIn('seller');
    const buyer = await server.signIn('buyer', { firstName: 'Greta', lastName: 'Gone' });
    const { ad } = await makeLiveAd(seller, buyer);
    await server.ctx.db.updateTable('ads').set({ status: 'completed' }).where('id', '=', ad.id).execute();
    const before = (await seller.get('/api/analytics/transactions')).body as { amount: string }[];
    await buyer.patch('/api/user/profile', { email: `moved-${buyer.user.email}` });

    expect((await remove(buyer)).status).toBe(200);
    const addresses = await server.ctx.db
      .selectFrom('emailChanges')
      .select('oldEmail')
      .where('userId', '=', buyer.user.id)
      .execute();
    expect(addresses).toEqual([]);
    expect((await adRow(ad.id))?.status).toBe('completed');
    const row = await userRow(buyer.user.id);
    expect(row).toMatchObject({
      email: `deleted-${buyer.user.id}@deleted.invalid`,
      firstName: null,
      lastName: null,
      password: '',
      stripeCustomerId: null,
    });
    expect(row?.deletedAt).not.toBeNull();
    expect(await settingsOf(buyer.user.id)).toEqual([]);
    const after = await seller.get('/api/analytics/transactions');
    expect((after.body as { amount: string }[])[0]?.amount).toBe(before[0]?.amount);
    expect(after.text).not.toContain(buyer.user.email);
    const login = { email: buyer.user.email, password: PASSWORD };
    expect((await server.anyone().post('/api/auth/login', login)).status).toBe(401);
    // The remaining row cannot be used to sign in either.
    const remaining = { email: `deleted-${buyer.user.id}@deleted.invalid`, password: 'x' };
    expect((await server.anyone().post('/api/auth/login', remaining)).status).toBe(401);
    expect((await server.anyone().post('/api/auth/forgot-password', { email: remaining.email })).status).toBe(
      200,
    );
    expect(await mailTo(server.ctx, remaining.email)).toEqual([]);
  });

  // Proves API-27
  it('removes images with their files, except those of paid ads and files shared with another user', async () => {
    const seller = await server.signIn('seller');
    const buyer = await server.signIn('buyer');
    const shown = await upload(buyer, '#aa0000');
    const loose = await upload(buyer, '#00aa00');
    const shared = await upload(buyer, '#0000aa');
    const others = await upload(seller, '#0000aa');
    const renditionOf = async (path: string) =>
      (
        await server.ctx.db
          .selectFrom('uploads')
          .select('rendition')
          .where('name', '=', path.slice('/ad-images/'.length))
          .executeTakeFirst()
      )?.rendition;
    const looseRendition = await renditionOf(loose);
    const sharedRendition = await renditionOf(shared);
    expect(await renditionOf(others)).toBe(sharedRendition);
    const { ad } = await makeLiveAd(seller, buyer, { product: { adType: 'image' }, ad: { imageUrl: shown } });
    await server.ctx.db.updateTable('ads').set({ status: 'completed' }).where('id', '=', ad.id).execute();

    expect((await remove(buyer)).status).toBe(200);
    await deleteFiles();
    expect((await server.anyone().get(shown)).status).toBe(200);
    expect((await server.anyone().get(loose)).status).toBe(404);
    expect((await server.anyone().get(shared)).status).toBe(404);
    expect((await server.anyone().get(others)).status).toBe(200);
    expect(await server.ctx.blobs.size(`m/${looseRendition}`)).toBeNull();
    expect(await server.ctx.blobs.size(`m/${sharedRendition}`)).not.toBeNull();
    const library = await server.ctx.db
      .selectFrom('mediaLibrary')
      .select('id')
      .where('userId', '=', buyer.user.id)
      .execute();
    expect(library).toEqual([]);
  });

  // Proves API-27
  it('deletes once for ten parallel calls, and answers 401 to the others', async () => {
    const caller = await server.signIn();
    const answers = await Promise.all(Array.from({ length: 10 }, () => remove(caller)));
    const statuses = answers.map(({ status }) => status);
    expect(statuses.filter((status) => status === 200)).toHaveLength(1);
    expect(statuses.filter((status) => status === 401)).toHaveLength(9);
  });

  // Proves API-27
  it('leaves no pending ad on a closed zone when ads are submitted at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      const seller = await server.signIn('seller');
      const buyer = await server.signIn('buyer');
      const product = await makeProduct(seller, await makeZone(seller, await makeWebsite(seller)));
      const body = {
        adZoneId: product.adZoneId,
        productId: product.id,
        adType: 'text',
        title: 'T',
        description: 'D',
        targetUrl: 'https://a.example/',
      };
      const answers = await Promise.all([
        remove(seller),
        buyer.post('/api/ads', body),
        buyer.post('/api/ads', body),
      ]);
      for (const { status } of answers) expect(status).toBeLessThan(500);
      const ads = (await buyer.get('/api/ads/my')).body as { status: string }[];
      for (const { status } of ads) expect(status).toBe('rejected');
    }
  });

  // Proves API-27
  it('answers no 5xx and leaves no partial change when ads are approved and paid at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      const seller = await server.signIn('seller');
      const buyer = await server.signIn('both');
      const product = await makeProduct(seller, await makeZone(seller, await makeWebsite(seller)));
      const pending = await makeAd(buyer, product);
      const approved = await makeAd(buyer, product);
      await approve(seller, approved);
      const intent = { adPublicId: approved.publicId, amount: approved.totalAmount };
      const answers = await Promise.all([
        remove(round % 2 ? seller : buyer),
        seller.put(`/api/ads/${pending.id}/approve`),
        buyer.post('/api/create-payment-intent', intent),
        buyer.patch('/api/user/profile', { firstName: 'Still here' }),
        buyer.post('/api/auth/forgot-password', { email: buyer.user.email }),
      ]);
      for (const { status } of answers) expect(status).toBeLessThan(500);
      expect(answers[0]?.status).toBe(200);
      for (const { id } of [pending, approved]) {
        const row = await adRow(id);
        if (row) expect(row.status).toBe('rejected');
      }
    }
  });

  // Proves SEC-11
  it('leaves nothing behind when the account creates things at the same time', async () => {
    for (let round = 0; round < 10; round++) {
      const person = await server.signIn('both');
      const website = await makeWebsite(person);
      const zone = { websiteId: website.id, name: 'Z', zoneType: 'rectangle', width: 300, height: 250 };
      const site = { name: 'Late', url: 'https://late.example', category: 'Technology' };
      const answers = await Promise.all([
        ...Array.from({ length: 4 }, () => person.post('/api/websites', site)),
        person.post('/api/ad-zones', zone),
        remove(person),
        person.get('/api/user/settings'),
        person.patch('/api/user/settings', { currency: 'EUR' }),
        person.post('/api/ad-images/upload'),
        ...Array.from({ length: 4 }, () => person.post('/api/websites', site)),
      ]);
      for (const { status } of answers) expect(status).toBeLessThan(500);
      expect(await ownedBy(person.user.id)).toEqual([0, 0, 0]);
    }
  });

  // Proves SEC-11
  it('lets no use case create anything for an account that is deleted but kept', async () => {
    const person = await server.signIn('both');
    const who = { id: person.user.id, role: 'both' as const };
    await server.ctx.db
      .updateTable('users')
      .set({ deletedAt: server.clock.now() })
      .where('id', '=', who.id)
      .execute();
    const website = { name: 'Late', url: 'https://late.example', category: 'Technology' as const };
    const body = { ...website, description: null, monthlyVisitors: 0, isActive: true };
    await expect(registerWebsite(server.ctx, who, { body })).rejects.toMatchObject({ status: 401 });
    const request = { host: 'x', protocol: 'http' } as const;
    await expect(openUpload(server.ctx, who, undefined, request)).rejects.toMatchObject({ status: 401 });
    await server.ctx.db.deleteFrom('userSettings').where('userId', '=', who.id).execute();
    await expect(ownSettings(server.ctx, who)).rejects.toMatchObject({ status: 401 });
    expect(await ownedBy(who.id)).toEqual([0, 0, 0]);
  });
});

/** How many websites, uploads and settings the account has. */
/** The money that the answer 409 lists as left, as 'kind amount'. */
async function leftOf(caller: Client): Promise<string[]> {
  const { status, body } = await remove(caller);
  expect(status).toBe(409);
  return (body.left as { kind: string; amount: string; currency: string }[]).map(
    ({ kind, amount, currency }) => `${kind} ${amount} ${currency}`,
  );
}

const VIEWS = { pricingModel: 'per_impression', duration: null, impressions: 100 };
const countNow = (ad: Ad, views: number) => countAt(server.ctx, ad, server.ctx.now().toISOString(), views);
async function eventsHandled(): Promise<void> {
  const events = await server.ctx.db
    .selectFrom('providerEvents')
    .select('id')
    .where('doneAt', 'is', null)
    .execute();
  for (const { id } of events) await applyProviderEvent(server.ctx, id);
}

describe('money that is left', () => {
  // Proves GONE-01, API-27
  it('of a campaign keeps both sides, with what is not delivered up to now', async () => {
    const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
    const { ad } = await makeLiveAd(seller, buyer, { product: VIEWS });
    expect([await leftOf(buyer), await leftOf(seller)]).toEqual([
      ['campaign 100.00 USD'],
      ['campaign 85.00 USD'],
    ]);
    await countNow(ad, 40);
    expect([await leftOf(buyer), await leftOf(seller)]).toEqual([
      ['campaign 60.00 USD'],
      ['campaign 51.00 USD', 'earnings 34.00 USD'],
    ]);
    const both = await server.signIn('both');
    await makeLiveAd(both, both, { product: VIEWS });
    expect(await leftOf(both)).toEqual(['campaign 100.00 USD']);
  });

  // Proves GONE-01, GONE-02
  it('of a completed campaign keeps its publisher only, whose books stay as they are', async () => {
    const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
    const { ad } = await makeLiveAd(seller, buyer, { product: VIEWS });
    await countNow(ad, 100);
    expect((await adRow(ad.id))?.status).toBe('completed');
    const answer = await remove(seller);
    expect(answer).toMatchObject({
      status: 409,
      body: {
        message:
          'You have earnings that are not paid out. Have them paid out, or give them up. You can delete your account once this is settled.',
        left: [{ kind: 'earnings', amount: '85.00', currency: 'USD' }],
      },
    });
    const month = server.ctx.now().toISOString().slice(0, 7);
    await accrueDue(server.ctx, { early: true });
    const before = (await seller.get(`/api/statements/${month}`)).body;
    expect((await remove(buyer)).status).toBe(200);
    expect((await seller.get(`/api/statements/${month}`)).body).toEqual(before);
    const payment = await server.ctx.db
      .selectFrom('payments')
      .select(['status', 'amountCents', 'card'])
      .where('adId', '=', ad.id)
      .executeTakeFirstOrThrow();
    expect(payment).toEqual({ status: 'succeeded', amountCents: '10000', card: null });
    expect(await ledgerImbalances(server.ctx.db)).toEqual([]);
  });

  // Proves GONE-04
  it('can be paid out below the minimum for a deletion, but not while a campaign runs', async () => {
    const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
    const running = await makeEarned(server, seller, buyer, { price: '10.00', views: 99 });
    await onboard(server.ctx, seller.user.id);
    await waitDays(server, 31);
    const payOut = (final: boolean) => seller.post('/api/payouts', { final });
    const refused = { status: 409, body: { reason: 'below_minimum' } };
    for (const final of [false, true]) expect(await payOut(final)).toMatchObject(refused);
    await deliver(server, running, 1);
    await waitDays(server, 31);
    expect(await payOut(false)).toMatchObject(refused);
    expect(await payOut(true)).toMatchObject({ status: 201, body: { amount: '8.50' } });
    await seller.post('/api/user/reauthenticate', { password: PASSWORD });
    expect(await leftOf(seller)).toEqual(['earnings 8.50 USD']);
    await runPayouts(server.ctx);
    expect((await remove(seller)).status).toBe(200);
    expect(await ledgerImbalances(server.ctx.db)).toEqual([]);
  });

  // Proves GONE-06
  it('can be given up by its exact amount, which the statement and the books show', async () => {
    const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
    const ad = await makeEarned(server, seller, buyer, { price: '40.00', views: 50 });
    expect(await giveUp(seller, '17.00')).toMatchObject({
      status: 409,
      body: { left: [{ kind: 'campaign' }, { kind: 'earnings', amount: '17.00' }] },
    });
    await deliver(server, ad, 50);
    expect(await giveUp(seller, '17.00')).toMatchObject({
      status: 409,
      body: {
        message: 'Your earnings that are not paid out are $34.00 now. Confirm this amount.',
        left: [{ kind: 'earnings', amount: '34.00', currency: 'USD' }],
      },
    });
    for (const amount of ['all', '34', '']) expect((await giveUp(seller, amount)).status).toBe(400);

    const before = await readBooks(server.ctx);
    expect((await giveUp(seller, '34.00')).status).toBe(200);
    expect(await ledgerImbalances(server.ctx.db)).toEqual([]);
    const after = await readBooks(server.ctx);
    expect([after.waived - before.waived, before.owed.publishers - after.owed.publishers]).toEqual([
      3400, 3400,
    ]);
    server.clock.advance(40 * DAY_MS);
    await makeMonthlyDocuments(server.ctx);
    const statement = await server.ctx.db
      .selectFrom('documents')
      .select(['amountCents', 'content'])
      .where('userId', '=', seller.user.id)
      .where('kind', '=', 'statement')
      .orderBy('id', 'desc')
      .executeTakeFirstOrThrow();
    expect(statement.amountCents).toBe('0');
    expect(JSON.stringify(statement.content)).toContain('"earnings_waived"');
  });

  // Proves GONE-06
  it('is given up although the weekly payout waits for the deletion', async () => {
    const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
    const ad = await makeEarned(server, seller, buyer, { price: '40.00', views: 100 });
    await onboard(server.ctx, seller.user.id);
    await waitDays(server, 40);
    await seller.post('/api/user/reauthenticate', { password: PASSWORD });
    const { db } = server.ctx;
    const waiting = async () => {
      const { rows } = await sql`
        select from pg_stat_activity where datname = current_database() and wait_event_type = 'Lock'`.execute(
        db,
      );
      return rows.length;
    };
    const [taken, released] = [Promise.withResolvers<void>(), Promise.withResolvers<void>()];
    const held = db.transaction().execute(async (tx) => {
      await tx.selectFrom('ads').select('id').where('id', '=', ad.id).forNoKeyUpdate().execute();
      taken.resolve();
      await released.promise;
    });
    await taken.promise;
    // The deletion has locked the account and waits for the ad.
    const deleted = giveUp(seller, '34.00');
    await expect.poll(waiting).toBe(1);
    const errors: unknown[] = [];
    const log = Object.assign(Object.create(server.ctx.log), { error: (each: unknown) => errors.push(each) });
    const run = runPayouts({ ...server.ctx, log });
    await expect.poll(waiting).toBe(2);
    released.resolve();
    expect((await deleted).status).toBe(200);
    await Promise.all([held, run]);
    expect(errors).toEqual([]);
    const payouts = await db
      .selectFrom('payouts')
      .select('id')
      .where('userId', '=', seller.user.id)
      .execute();
    expect(payouts).toEqual([]);
  });

  // Proves GONE-06
  it('is paid out or given up, and never both, when a payout begins at the same time', async () => {
    const sellers = await Promise.all(Array.from({ length: 4 }, async () => await server.signIn('seller')));
    const buyer = await server.signIn('buyer');
    for (const seller of sellers) {
      await makeEarned(server, seller, buyer, { price: '40.00' });
      await onboard(server.ctx, seller.user.id);
    }
    await waitDays(server, 40);
    for (const seller of sellers) await seller.post('/api/user/reauthenticate', { password: PASSWORD });
    const answers = await Promise.all([
      runPayouts(server.ctx),
      ...sellers.map(async (seller) => (await giveUp(seller, '34.00')).status),
    ]);
    const paid = await server.ctx.db
      .selectFrom('payouts')
      .select('userId')
      .where(
        'userId',
        'in',
        sellers.map(({ user }) => user.id),
      )
      .execute();
    expect(answers.slice(1)).toEqual(
      sellers.map(({ user }) => (paid.some(({ userId }) => userId === user.id) ? 409 : 200)),
    );
    expect(await ledgerImbalances(server.ctx.db)).toEqual([]);
  });

  // Proves GONE-01
  it('of an open dispute keeps both sides until the bank has decided', async () => {
    const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
    const { ad } = await makeLiveAd(seller, buyer, { product: VIEWS });
    const play = (name: string) => server.anyone().post('/dev/sandbox', { play: name, ad: ad.id });
    expect((await play('dispute')).status).toBe(200);
    await eventsHandled();
    expect([await leftOf(buyer), await leftOf(seller)]).toEqual([
      ['campaign 100.00 USD', 'dispute 100.00 USD'],
      ['campaign 85.00 USD', 'dispute 100.00 USD'],
    ]);
    await play('dispute_lost');
    await eventsHandled();
    for (const person of [buyer, seller]) expect((await remove(person)).status).toBe(200);
  });

  // Proves GONE-01
  it('of a refund keeps the advertiser until it has arrived', async () => {
    const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
    const { ad } = await makeLiveAd(seller, buyer, { product: VIEWS });
    await withProvider(
      server.ctx,
      () => ({ refund: outOfReach }),
      () => buyer.post(`/api/ads/${ad.id}/cancel`, { refundAmount: '100.00' }),
    );
    expect(await leftOf(buyer)).toEqual(['refund 100.00 USD']);
    server.clock.advance(10 * MINUTE_MS);
    await sendDueRefunds(server.ctx);
    await eventsHandled();
    for (const person of [buyer, seller]) expect((await remove(person)).status).toBe(200);
  });

  // Proves GONE-01
  it('never disappears with an account that is deleted while its earnings are posted', async () => {
    for (let round = 0; round < 5; round++) {
      const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
      const { ad } = await makeLiveAd(seller, buyer, { product: VIEWS });
      const answers = await Promise.all([
        remove(seller),
        countNow(ad, 100),
        accrueDue(server.ctx, { early: true }),
        remove(seller),
      ]);
      expect([answers[0].status, answers[3].status]).toEqual([409, 409]);
      expect(await leftOf(seller)).toEqual(['earnings 85.00 USD']);
    }
  });
});

async function ownedBy(userId: number): Promise<number[]> {
  return await Promise.all(
    (['websites', 'uploads', 'userSettings'] as const).map(async (table) => {
      const rows = await server.ctx.db
        .selectFrom(table)
        .select('userId')
        .where('userId', '=', userId)
        .execute();
      return rows.length;
    }),
  );
}

describe('POST /api/user/export-data', () => {
  // Proves API-28
  it('answers 401 without a session', async () => {
    expect((await server.anyone().post('/api/user/export-data')).status).toBe(401);
  });

  // Proves API-28, SET-10, GONE-05
  it('exports all data of the caller, without secrets or data of other users', async () => {
    const seller = await server.signIn('seller');
    const buyer = await server.signIn('buyer');
    const stranger = await server.signIn('both');
    await makeWebsite(stranger, { name: 'Not yours' });
    const { website, zone, product, ad } = await makeLiveAd(seller, buyer);
    const image = await upload(buyer, '#123456');
    await buyer.post('/api/auth/forgot-password', { email: buyer.user.email });
    const code = await codeFor(server.ctx, buyer.user.email);

    const bought = await buyer.post('/api/user/export-data');
    expect(bought.status).toBe(200);
    expect(bought.body).toMatchObject({
      profile: { id: buyer.user.id, email: buyer.user.email },
      settings: { userId: buyer.user.id },
      websites: [],
      ads: [{ id: ad.id, status: 'active' }],
      images: [{ imagePath: image }],
      transactions: [],
    });
    const sold = await seller.post('/api/user/export-data');
    expect(sold.body).toMatchObject({
      websites: [{ id: website.id, adZones: [{ id: zone.id, products: [{ id: product.id }] }] }],
      ads: [],
      transactions: [{ title: ad.title, amount: '100.00', earnings: '85.00' }],
    });
    expect(bought.body).toMatchObject({
      payments: [{ adPublicId: ad.publicId, amount: '100.00', refunds: [] }],
      documents: [{ kind: 'receipt', adPublicId: ad.publicId, amount: '100.00' }],
      postings: {
        publisher: [],
        buyer: [
          { kind: 'paid', amount: '85.00' },
          { kind: 'paid', amount: '15.00' },
        ],
      },
    });
    expect(sold.body).toMatchObject({
      payments: [],
      documents: [],
      postings: { publisher: [], buyer: [] },
      payouts: { available: '0.00', account: { state: 'none' }, history: [] },
    });
    for (const { text } of [bought, sold]) {
      expect(text).not.toMatch(/argon2|password|verificationCode|ResetCode|stripe|cus_|sbx_/i);
      expect(text).not.toContain('Not yours');
      expect(text).not.toContain(stranger.user.email);
    }
    expect(bought.text).not.toMatch(new RegExp(`"${code}"`));
  });

  // Proves API-28
  it('exports all pages of long lists', async () => {
    const seller = await server.signIn('seller');
    const buyer = await server.signIn('buyer');
    const product = await makeProduct(seller, await makeZone(seller, await makeWebsite(seller)));
    for (let round = 0; round < 103; round++) await makeAd(buyer, product, { title: `Ad ${round}` });
    const { ads } = (await buyer.post('/api/user/export-data')).body as { ads: { title: string }[] };
    expect(new Set(ads.map(({ title }) => title)).size).toBe(103);
  });
});
