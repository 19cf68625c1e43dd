/** The terms that people accept at the sign-up and at the checkout. */
import { beforeAll, expect, it } from 'vitest';
import type { Client } from '#server/testing/client.ts';
import { makeApprovedAd } from '#server/testing/money/checkout.ts';
import { showPage, removePage, setPage } from '#server/operator/pages/pages.ts';
import { show } from '#server/operator/people/find.ts';
import { PASSWORD } from '#server/testing/server.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';

const CLI = { id: null };
const server = useOwnServer();
let seller: Client;
let buyer: Client;
beforeAll(async () => {
  [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
});

const publish = async (text: string) => await setPage(server.ctx, CLI, { key: 'terms', text, reason: '' });

let people = 0;
async function register(more: object) {
  const email = `reader-${++people}@example.test`;
  const body = { email, password: PASSWORD, firstName: 'A', lastName: 'B', ...more };
  const { status, body: answer } = await server.anyone().post('/api/auth/register', body);
  const row = await server.ctx.db
    .selectFrom('users')
    .select(['id', 'acceptedTerms', 'acceptedTermsAt'])
    .where('email', '=', email)
    .executeTakeFirst();
  return { status, answer, row };
}

// Proves OWNS-130
it('are accepted at the sign-up in the version that is published, or no account is made', async () => {
  expect(await register({})).toMatchObject({
    status: 201,
    row: { acceptedTerms: null, acceptedTermsAt: null },
  });
  expect((await register({ acceptedTerms: 1 })).status).toBe(409);
  await publish('One');
  expect(await register({})).toMatchObject({
    status: 400,
    answer: { issues: [{ path: 'acceptedTerms' }] },
    row: undefined,
  });
  const { status, row } = await register({ acceptedTerms: 1 });
  expect([status, row?.acceptedTerms]).toEqual([201, 1]);
  expect((await show(server.ctx, CLI, 'person', row!.id)).file?.acceptedTerms).toEqual({
    version: 1,
    acceptedAt: row!.acceptedTermsAt,
  });
  await publish('Two');
  const { termsVersion } = (await server.anyone().get('/api/marketplace')).body;
  expect(termsVersion).toBe(2);
  expect(await register({ acceptedTerms: 1 })).toMatchObject({
    status: 409,
    answer: { reason: 'terms' },
    row: undefined,
  });
  for (const acceptedTerms of ['2', 2.5, null]) expect((await register({ acceptedTerms })).status).toBe(400);
  expect((await register({ acceptedTerms: 2 })).row?.acceptedTerms).toBe(2);
  const { body } = await buyer.post('/api/user/export-data');
  expect(body.acceptedTerms).toBeNull();
});

// Proves OWNS-130
it('are stored with a payment and a consent, and an old version charges nothing', async () => {
  const { version } = await showPage(server.ctx, 'terms');
  const ad = await makeApprovedAd(seller, buyer);
  const intent = async (more: object) =>
    await buyer.post('/api/create-payment-intent', {
      amount: ad.totalAmount,
      adPublicId: ad.publicId,
      ...more,
    });
  const stored = async () =>
    (
      await server.ctx.db
        .selectFrom('payments')
        .select('acceptedTerms')
        .where('adId', '=', ad.id)
        .executeTakeFirst()
    )?.acceptedTerms;
  expect((await intent({ acceptedTerms: version + 1 })).status).toBe(409);
  expect(await stored()).toBeUndefined();
  // Programs that know nothing of terms go on.
  expect((await intent({})).status).toBe(200);
  expect(await stored()).toBeNull();
  expect((await intent({ acceptedTerms: version })).status).toBe(200);
  expect((await intent({})).status).toBe(200);
  expect(await stored()).toBe(version);

  const next = await makeApprovedAd(seller, buyer);
  const consent = async (acceptedTerms: number) =>
    await buyer.post('/api/payment-consents', {
      limit: next.totalAmount,
      ads: [next.publicId],
      acceptedTerms,
    });
  expect((await consent(version - 1)).status).toBe(409);
  const { status, body } = await consent(version);
  expect(status).toBe(201);
  const row = await server.ctx.db
    .selectFrom('paymentConsents')
    .select('acceptedTerms')
    .where('id', '=', body.id)
    .executeTakeFirstOrThrow();
  expect(row.acceptedTerms).toBe(version);
  await removePage(server.ctx, CLI, { key: 'terms', reason: '' });
  expect((await register({})).status).toBe(201);
});
