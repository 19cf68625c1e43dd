/** These tests check in the sandbox what the product expects of every payment provider. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createDatabase, createPool, type Database } from '../db/database.ts';
import { createTestDatabase, type TestDatabase } from '../testing/database.ts';
import { createSandbox, type SandboxProvider } from './sandbox-payments.ts';

let database: TestDatabase;
let db: Database;
let provider: SandboxProvider;
beforeAll(async () => {
  database = await createTestDatabase();
  db = createDatabase(createPool(database.url));
  provider = createSandbox(db, () => new Date('2026-11-21T12:00:00Z'));
});
afterAll(async () => {
  await db.destroy();
  await database.drop();
});

const CARD = { number: '4242424242424242', expMonth: 12, expYear: 2040, cvc: '123' };
const intent = (fields: object = {}) => ({
  amount: 5000,
  currency: 'USD' as const,
  customerId: 'sbx_cus_1',
  transferGroup: 'ad_1',
  description: 'Ad 1',
  metadata: { payment_id: '1', ad_id: '7' },
  ...fields,
});
let keys = 0;
const key = () => `key:${++keys}`;
const paid = async (amount = 5000) => {
  const { clientSecret } = await provider.createIntent(intent({ amount }), key());
  return provider.confirm(clientSecret, CARD);
};

describe('payment intents', () => {
  // Proves PAY-02
  it('are created once per key, also in parallel, and returned in their current state', async () => {
    const made = await Promise.all(Array.from({ length: 10 }, () => provider.createIntent(intent(), 'pi:1')));
    expect(new Set(made.map(({ id }) => id)).size).toBe(1);
    expect(made[0]).toMatchObject({ status: 'requires_payment', amountReceived: 0, live: false });
    expect(made[0]?.metadata).toEqual({ payment_id: '1', ad_id: '7' });
    await provider.confirm(made[0]?.clientSecret as string, CARD);
    expect(await provider.createIntent(intent(), 'pi:1')).toMatchObject({
      status: 'succeeded',
      amountReceived: 5000,
    });
  });

  // Proves PAY-02
  it('are refused when a key is reused with other parameters', async () => {
    const again = key();
    await provider.createIntent(intent(), again);
    await expect(provider.createIntent(intent({ amount: 1 * 100 }), again)).rejects.toMatchObject({
      kind: 'conflict',
      code: 'idempotency_error',
    });
  });

  // Proves PAY-05
  it('survive a restart with their client secrets', async () => {
    const { id, clientSecret } = await provider.createIntent(intent(), key());
    const restarted = createSandbox(db, () => new Date('2026-11-22T12:00:00Z'));
    expect(await restarted.getIntent(id)).toMatchObject({ clientSecret });
    expect(await restarted.confirm(clientSecret, CARD)).toMatchObject({
      status: 'succeeded',
      chargeId: expect.stringMatching(/^sbx_ch_/),
    });
  });

  // Proves PAY-06
  it('accept no card after cancellation, cannot be canceled once paid, and can be canceled twice', async () => {
    const { id, clientSecret } = await provider.createIntent(intent(), key());
    expect(await provider.cancelIntent(id)).toMatchObject({ status: 'canceled' });
    expect(await provider.cancelIntent(id)).toMatchObject({ status: 'canceled' });
    await expect(provider.confirm(clientSecret, CARD)).rejects.toMatchObject({ kind: 'conflict' });
    await expect(provider.cancelIntent((await paid()).id)).rejects.toMatchObject({ kind: 'conflict' });
    await expect(provider.getIntent('sbx_pi_unknown')).rejects.toMatchObject({ kind: 'not_found' });
  });
});

describe('refunds', () => {
  // Proves PAY-06
  it('happen once per key, and never exceed the payment', async () => {
    const { id } = await paid();
    const refund = { intentId: id, amount: 3000, metadata: { refund_id: '1' } };
    const again = key();
    const sent = await Promise.all([1, 2, 3].map(() => provider.refund(refund, again)));
    expect(new Set(sent.map((one) => one.id)).size).toBe(1);
    expect(await provider.getRefund(sent[0]?.id as string)).toEqual(
      expect.objectContaining({ status: 'succeeded', amount: 3000 }),
    );
    await expect(provider.refund({ ...refund, amount: 2001 }, key())).rejects.toMatchObject({
      kind: 'invalid',
    });
    await provider.refund({ ...refund, amount: 2000 }, key());
    await expect(provider.refund({ ...refund, amount: 1 }, key())).rejects.toMatchObject({ kind: 'invalid' });
  });

  // Proves PAY-06
  it('are refused for an unpaid intent', async () => {
    const { id } = await provider.createIntent(intent(), key());
    await expect(provider.refund({ intentId: id, amount: 1, metadata: {} }, key())).rejects.toMatchObject({
      kind: 'invalid',
    });
  });
});

describe('customers and payees', () => {
  // Proves PAY-07
  it('creates a customer once, and shows the sandbox’s own page as the billing portal', async () => {
    const person = { metadata: { user_id: '1' }, email: 'a@example.test', name: 'Ann' };
    const { id } = await provider.createCustomer(person, 'cus:1');
    expect(await provider.createCustomer(person, 'cus:1')).toEqual({ id });
    const { url } = await provider.billingPortal(id, 'http://localhost:3000/settings?tab=billing');
    expect(url).toBe('http://localhost:3000/api/sandbox/billing-portal');
    await provider.forgetCustomer(id);
    await expect(provider.billingPortal('sbx_cus_unknown', 'http://localhost:3000/')).rejects.toMatchObject({
      kind: 'not_found',
    });
    const kept = JSON.stringify(await db.selectFrom('sandboxObjects').selectAll().execute());
    expect(kept).not.toContain('a@example.test');
  });

  // Proves PAY-03
  it('pays a payee from a charge once per key', async () => {
    const payee = await provider.createPayee(
      { metadata: { user_id: '1' }, email: 'a@example.test', name: 'Ann', country: 'DE' },
      'acct:1',
    );
    expect(await provider.getPayee(payee.id)).toMatchObject({ transfersStatus: 'active', requirements: [] });
    const link = await provider.payeeLink(payee.id, {
      refresh: 'http://x.example/r',
      return: 'http://x.example/b',
    });
    expect(link).toEqual({ url: 'http://x.example/b', expiresAt: new Date('2026-11-21T12:05:00Z') });
    const transfer = {
      payeeId: payee.id,
      amount: 100,
      currency: 'USD' as const,
      transferGroup: 'ad_1',
      metadata: {},
      sourceChargeId: (await paid()).chargeId as string,
    };
    const sent = await provider.transfer(transfer, 'tr:1');
    expect(await provider.transfer(transfer, 'tr:1')).toEqual(sent);
    await expect(provider.transfer({ ...transfer, sourceChargeId: 'ch' }, 'tr:2')).rejects.toMatchObject({
      kind: 'not_found',
    });
  });

  // Proves PAY-07
  it('accepts no events from outside', () => {
    expect(() => provider.readEvent(Buffer.from('{}'), {}, 'account')).toThrow(/sandbox/);
  });
});
