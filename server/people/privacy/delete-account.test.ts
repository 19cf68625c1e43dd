import { describe, expect, it } from 'vitest';
import { ownSettings } from '../accounts/settings.ts';
import { registerWebsite } from '#server/market/inventory/offer.ts';
import { removeFiles } from '#server/platform/media/close-account.ts';
import { openUpload } from '#server/platform/media/uploads.ts';
import type { Client } from '#server/testing/client.ts';
import { codeFor, mailTo } from '#server/testing/mail/mail.ts';
import { PASSWORD } from '#server/testing/server.ts';
import { useServer } from '#server/testing/starts/use-server.ts';
import { approve, makeAd, makeLiveAd, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';
import { uploadToLibrary } from '#server/testing/uploads.ts';

const server = useServer();

const remove = async (caller: Client) => await caller.delete('/api/user/account');
const userRow = async (id: number) =>
  await server.ctx.db.selectFrom('users').selectAll().where('id', '=', id).executeTakeFirst();
const adRow = async (id: number) =>
  await server.ctx.db.selectFrom('ads').selectAll().where('id', '=', id).executeTakeFirst();
const settingsOf = async (userId: number) =>
  await server.ctx.db.selectFrom('userSettings').selectAll().where('userId', '=', userId).execute();

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

  // Proves API-27, ENT-11, ENT-07
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
  it('removes images with their files, except those of paid ads and equal ones of another user', async () => {
    const seller = await server.signIn('seller');
    const buyer = await server.signIn('buyer');
    const shown = await uploadToLibrary(buyer, '#aa0000');
    const loose = await uploadToLibrary(buyer, '#00aa00');
    const equal = await uploadToLibrary(seller, '#00aa00');
    const renditionOf = async (path: string) =>
      (
        await server.ctx.db
          .selectFrom('uploads')
          .select('rendition')
          .where('name', '=', path.slice('/ad-images/'.length))
          .executeTakeFirst()
      )?.rendition;
    const looseRendition = await renditionOf(loose);
    const equalRendition = await renditionOf(equal);
    expect(equalRendition).not.toBe(looseRendition);
    const { ad } = await makeLiveAd(seller, buyer, { product: { adType: 'image' }, ad: { imageUrl: shown } });
    await server.ctx.db.updateTable('ads').set({ status: 'completed' }).where('id', '=', ad.id).execute();

    expect((await remove(buyer)).status).toBe(200);
    await deleteFiles();
    expect((await server.anyone().get(shown)).status).toBe(200);
    expect((await server.anyone().get(loose)).status).toBe(404);
    expect(await server.ctx.blobs.size(`m/${looseRendition}`)).toBeNull();
    expect(await server.ctx.blobs.size(`m/${equalRendition}`)).not.toBeNull();
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
    const body = { ...website, description: null, monthlyVisitors: 0, isActive: true, isListed: true };
    await expect(registerWebsite(server.ctx, who, { body })).rejects.toMatchObject({ status: 401 });
    const request = { host: 'x', protocol: 'http' } as const;
    await expect(openUpload(server.ctx, who, undefined, request)).rejects.toMatchObject({ status: 401 });
    await server.ctx.db.deleteFrom('userSettings').where('userId', '=', who.id).execute();
    await expect(ownSettings(server.ctx, who)).rejects.toMatchObject({ status: 401 });
    expect(await ownedBy(who.id)).toEqual([0, 0, 0]);
  });
});

/** How many websites, uploads and settings the account has. */
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
