import { expect, it } from 'vitest';
import { makeApprovedAd, payByCard } from '#server/testing/money/checkout.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import { startTestServer } from '#server/testing/server.ts';
import { anotherInstance } from '#server/testing/starts/another-instance.ts';
import { untilTestEnds } from '#server/testing/starts/use-server.ts';

// Proves BOOK-06
it('sells, books and writes in the currency of the setting, which the first sale fixes', async () => {
  const server = await untilTestEnds(startTestServer({ env: { CURRENCY: 'EUR' } }));
  const seller = await server.signIn('seller');
  const buyer = await server.signIn('buyer', { email: 'euro@example.test' });
  const fixed = async () =>
    (await server.ctx.db.selectFrom('installation').select('currency').executeTakeFirstOrThrow()).currency;
  const ad = await makeApprovedAd(seller, buyer);
  expect(await fixed()).toBeNull();
  expect((await buyer.get('/api/payments/config')).body).toMatchObject({ currency: 'EUR' });

  const { paymentIntentId } = await payByCard(buyer, ad);
  expect((await buyer.post('/api/payment-success', { paymentIntentId })).status).toBe(200);
  expect(await fixed()).toBe('EUR');
  const accounts = await server.ctx.db.selectFrom('ledgerAccounts').select('currency').execute();
  expect(new Set(accounts.map(({ currency }) => currency))).toEqual(new Set(['EUR']));
  const mails = await mailTo(server.ctx, 'euro@example.test');
  expect(JSON.stringify(mails)).toContain('€100.00');
  expect(JSON.stringify(mails)).not.toContain('$');

  const start = async (currency: string) => {
    const { close } = await anotherInstance(server, { env: { CURRENCY: currency } });
    await close();
  };
  await expect(start('USD')).rejects.toThrow(
    'CURRENCY is USD, but this marketplace has sold in EUR. Set CURRENCY to EUR.',
  );
  await start('EUR');
});
