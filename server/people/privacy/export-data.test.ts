import { describe, expect, it } from 'vitest';
import { codeFor } from '#server/testing/mail/mail.ts';
import { useServer } from '#server/testing/starts/use-server.ts';
import { makeAd, makeLiveAd, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';
import { uploadToLibrary } from '#server/testing/uploads.ts';

const server = useServer();

describe('POST /api/user/export-data', () => {
  // Proves API-28
  it('answers 401 without a session', async () => {
    expect((await server.anyone().post('/api/user/export-data')).status).toBe(401);
  });

  // Proves API-28, SET-10
  it('exports all data of the caller, also payments, postings, payouts and documents, without secrets or data of other users', async () => {
    const seller = await server.signIn('seller');
    const buyer = await server.signIn('buyer');
    const stranger = await server.signIn('both');
    await makeWebsite(stranger, { name: 'Not yours' });
    const { website, zone, product, ad } = await makeLiveAd(seller, buyer);
    const waiting = await makeAd(buyer, product);
    await buyer.post('/api/payment-consents', { limit: '150.00', ads: [waiting.publicId] });
    const image = await uploadToLibrary(buyer, '#123456');
    await buyer.post('/api/auth/forgot-password', { email: buyer.user.email });
    const code = await codeFor(server.ctx, buyer.user.email);

    const bought = await buyer.post('/api/user/export-data');
    expect(bought.status).toBe(200);
    expect(bought.body).toMatchObject({
      profile: { id: buyer.user.id, email: buyer.user.email },
      settings: { userId: buyer.user.id },
      websites: [],
      ads: [{ id: waiting.id }, { id: ad.id, status: 'active' }],
      paymentConsents: [
        { state: 'needs_card', limit: '150.00', card: null, ads: [{ publicId: waiting.publicId }] },
      ],
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
          { kind: 'paid', amount: '15.00' },
          { kind: 'paid', amount: '85.00' },
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

  it.each([
    `<script>window.harmed=1</script> \u{202e}\u{2067}\u{200f} قهوة طازجة "كل" صباح 👩‍👩‍👧‍👦`,
    'x'.repeat(500),
  ])('contains a hostile text exactly as the user entered it: %s', async (description) => {
    const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
    const zone = await makeZone(seller, await makeWebsite(seller));
    const title = description.slice(0, 80);
    await makeAd(buyer, await makeProduct(seller, zone), { title, description });
    const { status, text } = await buyer.post('/api/user/export-data');
    expect(status).toBe(200);
    for (const word of [title, description]) expect(text).toContain(JSON.stringify(word).slice(1, -1));
  });
});
