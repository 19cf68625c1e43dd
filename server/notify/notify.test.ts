import { describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { Notice } from '#domain/notifications/notices.ts';
import type { Client } from '#server/testing/client.ts';
import { mailTo, type TestMail } from '#server/testing/mail/mail.ts';
import { useServer } from '#server/testing/starts/use-server.ts';
import { upload } from '#server/testing/uploads.ts';
import { approve, makeAd, makeProduct, makeWebsite, makeZone, pay } from '#server/testing/story.ts';
import { notify } from './notify.ts';

const server = useServer();

async function submitted(title = 'Beans & more'): Promise<{ seller: Client; buyer: Client; ad: Ad }> {
  const seller = await server.signIn('seller');
  const buyer = await server.signIn('buyer');
  const website = await makeWebsite(seller, { name: 'The Daily' });
  const product = await makeProduct(seller, await makeZone(seller, website, { name: 'Sidebar' }));
  return { seller, buyer, ad: await makeAd(buyer, product, { title }) };
}

const kinds = async (client: Client) => (await mailTo(server.ctx, client.user.email)).map(({ kind }) => kind);
const lastMail = async (client: Client): Promise<TestMail> => {
  const mail = (await mailTo(server.ctx, client.user.email)).at(-1);
  if (!mail) throw new Error('No mail');
  return mail;
};
const tell = async (notice: Notice) =>
  await server.ctx.db.transaction().execute(async (tx) => await notify(server.ctx, tx, notice));

describe('mail about an ad', () => {
  // Proves AUTH-26
  it('both sides get mail at each step, with what they need for the next one', async () => {
    const { seller, buyer, ad } = await submitted();
    expect(await kinds(seller)).toEqual(['ad-submitted']);
    expect((await lastMail(seller)).text).toContain('“Beans & more” was submitted for Sidebar on The Daily.');

    await approve(seller, ad);
    expect((await lastMail(buyer)).text).toContain(`${server.url}/checkout/${ad.publicId}`);
    await pay(buyer, ad);
    expect(await kinds(buyer)).toEqual(['ad-approved', 'ad-live']);
    expect(await kinds(seller)).toEqual(['ad-submitted', 'ad-live']);
    expect((await lastMail(buyer)).text).toContain('$100.00');
    expect((await lastMail(seller)).text).toContain('You earn $85.00');
  });

  // Proves REHE-13
  it('begins with TEST unless real money moves, and pages and calls name the mode in a header', async () => {
    const { buyer, seller, ad } = await submitted();
    expect((await lastMail(seller)).text).toMatch(/^TEST: payments run in the sandbox, so no money moves\./);
    expect((await lastMail(seller)).html).toContain('TEST: payments run in the sandbox');
    for (const path of ['/', '/api/health', '/api/ads/my', '/api/nope']) {
      const answer = await buyer.get(path);
      expect([path, answer.headers.get('x-payments-mode')]).toEqual([path, 'sandbox']);
    }
    const testMode = { ...server.ctx, payments: { ...server.ctx.payments, mode: 'test' as const } };
    const liveMode = { ...server.ctx, payments: { ...server.ctx.payments, mode: 'live' as const } };
    const approved = { kind: 'ad-approved' as const, adId: ad.id, card: null };
    await server.ctx.db.transaction().execute(async (tx) => await notify(testMode, tx, approved));
    expect((await lastMail(buyer)).text).toMatch(/^TEST: payments run in test mode/);
    await server.ctx.db.transaction().execute(async (tx) => await notify(liveMode, tx, approved));
    expect((await lastMail(buyer)).text).not.toContain('TEST');
  });

  // Proves ERR-50, DASH-S-34
  it('a rejection mail gives the advertiser the reason and the link to resubmit', async () => {
    const { seller, buyer, ad } = await submitted();
    await seller.put(`/api/ads/${ad.id}/reject`, { rejectionReason: 'Too <b>loud</b>' });
    const mail = await lastMail(buyer);
    expect(mail.kind).toBe('ad-rejected');
    expect(mail.text).toContain('Reason: Too <b>loud</b>');
    expect(mail.html).toContain('Too &lt;b&gt;loud&lt;/b&gt;');
    expect(mail.text).toContain(`/dashboard?editAd=${ad.publicId}`);
  });

  // Proves ERR-50, ENT-11
  it('campaignUpdates off stops campaign mail, and emailNotifications off stops all of it', async () => {
    const { seller, buyer, ad } = await submitted();
    await buyer.patch('/api/user/settings', { campaignUpdates: false });
    await seller.put(`/api/ads/${ad.id}/reject`, { rejectionReason: 'No' });
    expect(await kinds(buyer)).toEqual([]);

    await seller.patch('/api/user/settings', { emailNotifications: false });
    const before = await kinds(seller);
    const product = { id: ad.productId as number, adZoneId: ad.adZoneId, adType: 'text', price: '100.00' };
    await makeAd(buyer, product as Parameters<typeof makeAd>[1]);
    expect(await kinds(seller)).toEqual(before);
  });

  // Proves AUTH-26
  it('the publisher gets a mail about a completed ad, both sides about an expired one, and the advertiser about a refund', async () => {
    const { seller, buyer, ad } = await submitted();
    const adId = ad.id;
    await tell({ kind: 'ad-completed', adId });
    expect((await lastMail(seller)).subject).toBe('A campaign on your site has ended');
    await tell({ kind: 'ad-expired', adId });
    expect((await lastMail(buyer)).subject).toBe('Your ad was not paid for in time');
    expect((await lastMail(seller)).subject).toBe('An approved ad was not paid for');
    await tell({ kind: 'payment-refunded', adId, amountCents: 1205, creditNote: 'C-2026-000007' });
    const refunded = await lastMail(buyer);
    expect(refunded.text).toContain('$12.05');
    expect(refunded.text).toContain(`Credit note C-2026-000007:\n${server.url}/api/documents/C-2026-000007`);
  });

  // Proves AUTH-26
  it('a mail shows its ad, with the image if it is stored on this server', async () => {
    const { seller, buyer, ad } = await submitted();
    expect((await lastMail(seller)).html).toContain(ad.description);
    expect((await lastMail(seller)).html).not.toContain('<img');

    const zone = await makeZone(seller, await makeWebsite(seller), { width: 600, height: 300 });
    const imageUrl = await upload(buyer, 'image/png', [600, 300]);
    await makeAd(buyer, await makeProduct(seller, zone, { adType: 'image' }), { imageUrl });
    expect((await lastMail(seller)).html).toContain(
      `<img src="${server.url}${imageUrl}" alt="Fresh coffee, delivered" width="400"`,
    );

    const video = await makeProduct(seller, zone, { adType: 'video' });
    const videoUrl = await upload(buyer, 'video/mp4');
    await makeAd(buyer, video, { videoUrl, imageUrl: 'https://elsewhere.example/spy.png' });
    expect((await lastMail(seller)).html).not.toMatch(/<img|elsewhere/);
  });

  // Proves AUTH-26
  it('a transaction that is rolled back sends no mail', async () => {
    const { buyer, ad } = await submitted();
    const failure = server.ctx.db.transaction().execute(async (tx) => {
      await notify(server.ctx, tx, { kind: 'ad-approved', adId: ad.id, card: null });
      throw new Error('changed my mind');
    });
    await expect(failure).rejects.toThrow('changed my mind');
    expect(await kinds(buyer)).toEqual([]);
  });

  // Proves AUTH-26
  it('a notice about an unknown ad throws', async () => {
    await expect(tell({ kind: 'ad-live', adId: 999_999, receipt: 'R-2026-000001' })).rejects.toThrow('no ad');
  });

  // Proves API-27
  it('a deleted account gets no mail', async () => {
    const { seller, buyer, ad } = await submitted();
    await server.ctx.db
      .updateTable('users')
      .set({ deletedAt: server.clock.now() })
      .where('id', '=', buyer.user.id)
      .execute();
    await tell({ kind: 'ad-completed', adId: ad.id });
    expect(await kinds(buyer)).toEqual([]);
    expect((await kinds(seller)).at(-1)).toBe('ad-completed');
  });
});
