/** These tests check in the sandbox what the product expects of every payment provider. */
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { sql } from 'kysely';
import { DAY_MS, SECOND_MS } from '#domain/time.ts';
import { createDatabase, createPool, type Database } from '../../database/database.ts';
import { createTestDatabase, type TestDatabase } from '#server/testing/database/database.ts';
import { describeProvider } from '../contract/describe-provider.ts';
import { type Dispute, ProviderError, type ProviderEvent } from '../payment-provider.ts';
import { createSandbox, type SandboxProvider } from './payments.ts';

/** A sandbox with a database and a clock of its own. */
async function startSandbox() {
  const database = await createTestDatabase();
  const db = createDatabase(createPool(database.url));
  let aheadMs = 0;
  const provider = createSandbox(db, () => new Date(Date.now() + aheadMs));
  return {
    db,
    provider,
    wait: (ms: number) => {
      aheadMs += ms;
    },
    /** As the inbox of the server received them. No job handles them here. */
    events: async (): Promise<ProviderEvent[]> => {
      const { rows } = await sql<{
        id: string;
        type: string;
        payload: Pick<ProviderEvent, 'objectId' | 'metadata' | 'accountId'>;
        createdAt: Date;
      }>`select id, type, payload, created_at from provider_events order by ctid`.execute(db);
      return rows.map(({ payload, ...row }) => ({ ...row, ...payload, live: false }));
    },
    close: async () => {
      await db.destroy();
      await database.drop();
    },
  };
}

const PAID_BY = { expMonth: 12, expYear: 2040, cvc: '123' };

// Proves STRP-02, CONS-07
describeProvider('The sandbox', async () => {
  const { provider, wait, events, close } = await startSandbox();
  let isHeld = false;
  const answered = async (act: Promise<unknown>) => {
    await act.catch((error: unknown) => {
      if (!(error instanceof ProviderError)) throw error;
    });
  };
  return {
    provider: {
      ...provider,
      refund: async (refund, key) => {
        if (isHeld) await provider.play.planRefund(refund.intentId, 'refund_pending');
        return provider.refund(refund, key);
      },
    },
    pay: async (clientSecret, number) =>
      await answered(provider.confirm(clientSecret, { ...PAID_BY, number })),
    authenticate: async (clientSecret, outcome) =>
      await answered(provider.authenticate(clientSecret, outcome)),
    saveCard: async (clientSecret, number) =>
      await answered(provider.saveCard(clientSecret, { ...PAID_BY, number })),
    authenticateSetup: async (clientSecret, outcome) =>
      await answered(provider.authenticateSetup(clientSecret, outcome)),
    makeFeesKnown: async () => {
      wait(2 * SECOND_MS);
      await provider.settle();
    },
    holdRefunds: (held) => {
      isHeld = held;
    },
    refundOutside: provider.play.refundOutside,
    settleRefund: provider.play.settleRefund,
    dispute: provider.play.dispute,
    closeDispute: async (id, status) =>
      await provider.play.closeDispute(String((await provider.getDispute(id)).intentId), status),
    appeal: async (id) => await provider.play.appeal(String((await provider.getDispute(id)).intentId)),
    openReview: provider.play.openReview,
    closeReview: async (id) =>
      await provider.play.closeReview(String((await provider.getReview(id)).intentId)),
    warnOfFraud: provider.play.warnOfFraud,
    payBank: async () => {
      wait(2 * DAY_MS);
      await provider.settle();
    },
    failBank: async (id) => await provider.play.failLastPayout(id),
    mendBank: async (id) => await provider.play.reviewPayee(id, true),
    finishOnboarding: async (id) => await provider.play.reviewPayee(id, true),
    movePayouts: async (id, destination) => await provider.play.movePayouts(id, destination),
    restrictPayee: async (id) => await provider.play.reviewPayee(id, false),
    events,
    close,
  };
});

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
  // Proves STATE-30
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

  // Proves STATE-30
  it('are refused when a key is reused with other parameters', async () => {
    const again = key();
    await provider.createIntent(intent(), again);
    await expect(provider.createIntent(intent({ amount: 1 * 100 }), again)).rejects.toMatchObject({
      kind: 'conflict',
      code: 'idempotency_error',
    });
  });

  // Proves HOOK-05
  it('survive a restart with their client secrets', async () => {
    const { id, clientSecret } = await provider.createIntent(intent(), key());
    const restarted = createSandbox(db, () => new Date('2026-11-22T12:00:00Z'));
    expect(await restarted.getIntent(id)).toMatchObject({ clientSecret });
    expect(await restarted.confirm(clientSecret, CARD)).toMatchObject({
      status: 'succeeded',
      chargeId: expect.stringMatching(/^sbx_ch_/),
    });
  });

  // Proves HOOK-05
  it('accept no card after cancellation, cannot be canceled once paid, and can be canceled twice', async () => {
    const { id, clientSecret } = await provider.createIntent(intent(), key());
    expect(await provider.cancelIntent(id)).toMatchObject({ status: 'canceled' });
    expect(await provider.cancelIntent(id)).toMatchObject({ status: 'canceled' });
    await expect(provider.confirm(clientSecret, CARD)).rejects.toMatchObject({ kind: 'conflict' });
    await expect(provider.cancelIntent((await paid()).id)).rejects.toMatchObject({ kind: 'conflict' });
    await expect(provider.getIntent('sbx_pi_unknown')).rejects.toMatchObject({ kind: 'not_found' });
  });
});

it('names a card by its buyer and number, whether it pays, is declined or is saved, and however it is written', async () => {
  const fingerprints = async (customerId: string, number: string) => {
    const { clientSecret } = await provider.createIntent(intent({ customerId }), key());
    const setup = await provider.createSetup({ customerId, metadata: {} }, key());
    const spaced = { ...CARD, number: number.replaceAll(/\d{4}/g, '$& ') };
    const cards = [
      (await provider.confirm(clientSecret, { ...CARD, number })).card,
      (await provider.saveCard(setup.clientSecret, spaced)).card,
    ];
    return cards.map((card) => card?.fingerprint);
  };
  const [paidBy, savedBy] = await fingerprints('sbx_cus_1', CARD.number);
  expect(savedBy).toBe(paidBy);
  expect(paidBy).toMatch(/^[a-z]{16}$/);
  const others = [
    ...(await fingerprints('sbx_cus_2', CARD.number)),
    ...(await fingerprints('sbx_cus_1', '5555555555554444')),
  ];
  expect(others).not.toContain(paidBy);

  const { id, clientSecret } = await provider.createIntent(intent({ customerId: 'sbx_cus_3' }), key());
  await expect(provider.confirm(clientSecret, { ...CARD, number: '4000000000000002' })).rejects.toMatchObject(
    { kind: 'declined' },
  );
  const declined = (await provider.getIntent(id)).card?.fingerprint;
  const again = await provider.createIntent(intent({ customerId: 'sbx_cus_3' }), key());
  await expect(
    provider.confirm(again.clientSecret, { ...CARD, number: '4000000000000002' }),
  ).rejects.toMatchObject({ kind: 'declined' });
  expect((await provider.getIntent(again.id)).card?.fingerprint).toBe(declined);
});

describe('customers', () => {
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

  // Proves PAY-07
  it('accepts no events from outside', () => {
    expect(() => provider.readEvent(Buffer.from('{}'), {}, 'account')).toThrow(/sandbox/);
  });
});

describe('the steps that the sandbox takes by itself', () => {
  let sandbox: Awaited<ReturnType<typeof startSandbox>>;
  beforeAll(async () => {
    sandbox = await startSandbox();
  });
  afterAll(async () => await sandbox.close());

  const pay = async (number = CARD.number, amount = 5000) => {
    const { clientSecret } = await sandbox.provider.createIntent(intent({ amount }), key());
    return sandbox.provider.confirm(clientSecret, { ...CARD, number });
  };
  const typesAbout = async (objectId: string) =>
    (await sandbox.events()).filter((event) => event.objectId === objectId).map(({ type }) => type);
  const movedBy = async (sourceId: string) => {
    const moved = [];
    for await (const one of sandbox.provider.balanceTransactionsSince(new Date(0)))
      if (one.sourceId === sourceId) moved.push(one);
    return moved;
  };

  it('the fee is unknown at first, is known once, and the money is available two days later', async () => {
    const { id, chargeId, balanceTransaction } = await pay();
    expect(balanceTransaction).toBeNull();
    expect((await sandbox.provider.getIntent(id)).balanceTransaction).toBeNull();
    expect(await movedBy(String(chargeId))).toEqual([]);
    sandbox.wait(2 * SECOND_MS);
    const [first, second] = await Promise.all([1, 2].map(() => sandbox.provider.getIntent(id)));
    expect(first).toEqual(second);
    expect(first?.balanceTransaction).toMatchObject({ amount: 5000, fee: 175, net: 4825 });
    const { createdAt, availableAt } = first?.balanceTransaction ?? {};
    expect(Number(availableAt) - Number(createdAt)).toBe(2 * DAY_MS);
    await sandbox.provider.settle();
    expect(await movedBy(String(chargeId))).toEqual([first?.balanceTransaction]);
    expect(await typesAbout(String(chargeId))).toEqual(['charge.updated']);
  });

  it('a payment with the disputed card is disputed once its fee is known', async () => {
    const { id } = await pay('4000 0000 0000 0259');
    sandbox.wait(2 * SECOND_MS);
    await sandbox.provider.settle();
    const dispute = (await sandbox.events()).findLast(({ type }) => type === 'charge.dispute.created');
    expect(await sandbox.provider.getDispute(String(dispute?.objectId))).toMatchObject({
      intentId: id,
      status: 'needs_response',
      amount: 5000,
      balanceTransactions: [{ amount: -5000, fee: 1500, net: -6500 }],
    } satisfies Partial<Dispute> | object);
  });

  it('the next refund can be planned to fail, once, and a pending one arrives after seven days', async () => {
    const { id } = await pay();
    await sandbox.provider.play.planRefund(id, 'refund_fails');
    const sent = await sandbox.provider.refund({ intentId: id, amount: 5000, metadata: {} }, key());
    expect(sent).toMatchObject({ status: 'succeeded', balanceTransaction: { amount: -5000 } });
    sandbox.wait(2 * SECOND_MS);
    expect(await sandbox.provider.getRefund(sent.id)).toMatchObject({
      status: 'failed',
      failureReason: 'lost_or_stolen_card',
      failureBalanceTransaction: { amount: 5000 },
    });
    const again = await sandbox.provider.refund({ intentId: id, amount: 5000, metadata: {} }, key());
    sandbox.wait(2 * SECOND_MS);
    expect(await sandbox.provider.getRefund(again.id)).toMatchObject({ status: 'succeeded' });

    const other = await pay();
    await sandbox.provider.play.planRefund(other.id, 'refund_pending');
    const pending = await sandbox.provider.refund({ intentId: other.id, amount: 5000, metadata: {} }, key());
    expect(pending).toMatchObject({ status: 'pending', balanceTransaction: null });
    expect(await movedBy(pending.id)).toEqual([]);
    sandbox.wait(7 * DAY_MS);
    expect(await sandbox.provider.getRefund(pending.id)).toMatchObject({
      status: 'succeeded',
      balanceTransaction: { amount: -5000 },
    });
  });

  it('a refund that was sent waits again, and fails without moving money twice', async () => {
    const { id } = await pay();
    const sent = await sandbox.provider.refund({ intentId: id, amount: 1000, metadata: {} }, key());
    await sandbox.provider.play.planRefund(id, 'refund_pending');
    expect(await sandbox.provider.getRefund(sent.id)).toMatchObject({ status: 'pending' });
    await sandbox.provider.play.planRefund(id, 'refund_fails');
    expect(await sandbox.provider.getRefund(sent.id)).toMatchObject({ status: 'failed' });
    sandbox.wait(8 * DAY_MS);
    expect(await sandbox.provider.getRefund(sent.id)).toMatchObject({ status: 'failed' });
    expect((await movedBy(sent.id)).reduce((sum, { net }) => sum + net, 0)).toBe(0);
  });

  it('an inquiry can close, or become a dispute; a lost or refunded payment cannot be disputed', async () => {
    const { play } = sandbox.provider;
    const getDispute = (id: string) => sandbox.provider.getDispute(id);
    const asked = await pay();
    const inquiry = await play.dispute(asked.id, 'inquiry');
    await expect(play.dispute(asked.id, 'inquiry')).rejects.toMatchObject({ kind: 'conflict' });
    await expect(play.closeDispute(asked.id, 'lost')).rejects.toMatchObject({ kind: 'conflict' });
    expect(await play.dispute(asked.id, 'dispute')).toBe(inquiry);
    expect(await getDispute(inquiry)).toMatchObject({ status: 'needs_response' });
    await play.closeDispute(asked.id, 'lost');
    const lost = await getDispute(inquiry);
    expect(lost).toMatchObject({ status: 'lost', balanceTransactions: [{ net: -6500 }] });
    await expect(play.dispute(asked.id, 'dispute')).rejects.toMatchObject({ kind: 'conflict' });
    await expect(play.closeDispute(asked.id, 'won')).rejects.toMatchObject({ kind: 'conflict' });

    const closed = await pay();
    const harmless = await play.dispute(closed.id, 'inquiry');
    await play.closeDispute(closed.id, 'won');
    expect(await getDispute(harmless)).toMatchObject({ status: 'warning_closed', balanceTransactions: [] });

    const refunded = await pay();
    await sandbox.provider.refund({ intentId: refunded.id, amount: 5000, metadata: {} }, key());
    await expect(play.dispute(refunded.id, 'dispute')).rejects.toMatchObject({ kind: 'conflict' });
    const unpaid = await sandbox.provider.createIntent(intent(), key());
    await expect(play.dispute(unpaid.id, 'dispute')).rejects.toMatchObject({ kind: 'conflict' });
    await expect(play.warnOfFraud(unpaid.id)).rejects.toMatchObject({ kind: 'conflict' });
    await play.warnOfFraud(closed.id);
    await expect(play.warnOfFraud(closed.id)).rejects.toMatchObject({ kind: 'conflict' });
  });

  it('a payout reaches the bank after two days, and the last one can fail', async () => {
    const { provider } = sandbox;
    const person = { email: 'p@example.test', name: 'Pat', country: 'DE', metadata: { user_id: '2' } };
    const { id: payeeId } = await provider.createPayee(person, key());
    await expect(provider.play.failLastPayout(payeeId)).rejects.toMatchObject({ kind: 'conflict' });
    await provider.play.reviewPayee(payeeId, true);
    const { chargeId } = await pay();
    const transfer = {
      payeeId,
      amount: 4000,
      currency: 'USD' as const,
      sourceChargeId: String(chargeId),
      transferGroup: 'ad_1',
      metadata: {},
    };
    const sent = await provider.transfer(transfer, key());
    expect((await movedBy(sent.id)).map(({ net }) => net)).toEqual([-4000]);
    const payouts = async () =>
      (await sandbox.events()).filter(
        ({ accountId, type }) => accountId === payeeId && type.startsWith('payout.'),
      );
    sandbox.wait(2 * DAY_MS);
    await provider.settle();
    expect((await payouts()).map(({ type }) => type)).toEqual(['payout.paid']);
    await provider.play.failLastPayout(payeeId);
    expect((await payouts()).map(({ type }) => type)).toEqual(['payout.paid', 'payout.failed']);
    await expect(provider.play.failLastPayout(payeeId)).rejects.toMatchObject({ kind: 'conflict' });
    await provider.play.reviewPayee(payeeId, false);
    await expect(provider.transfer(transfer, key())).rejects.toMatchObject({ kind: 'invalid' });
    await expect(provider.transfer({ ...transfer, currency: 'EUR' }, key())).rejects.toMatchObject({
      kind: 'invalid',
    });
  });

  it('has the least amount of each currency', async () => {
    for (const [currency, amount] of [
      ['USD', 50],
      ['EUR', 50],
      ['GBP', 30],
      ['CAD', 50],
      ['AUD', 50],
    ] as const) {
      await sandbox.provider.createIntent(intent({ currency, amount }), key());
      await expect(
        sandbox.provider.createIntent(intent({ currency, amount: amount - 1 }), key()),
      ).rejects.toMatchObject({ kind: 'invalid', code: 'amount_too_small' });
    }
  });

  // Proves PAY-07
  it('keeps nothing of a number that could be real', async () => {
    const { id, clientSecret } = await sandbox.provider.createIntent(intent(), key());
    const real = { ...CARD, number: '4111111111111111' };
    await expect(sandbox.provider.confirm(clientSecret, real)).rejects.toMatchObject({
      code: 'sandbox_card_only',
    });
    expect((await sandbox.provider.getIntent(id)).card).toBeNull();
  });
});

it('with SANDBOX_CHAOS every event arrives twice, and some are late', async () => {
  const chaotic = createSandbox(db, () => new Date('2026-11-21T12:00:00Z'), { chaos: true });
  const ids = [];
  for (let each = 0; each < 5; each++) {
    const { id, clientSecret } = await chaotic.createIntent(intent(), key());
    await chaotic.confirm(clientSecret, CARD);
    ids.push(id);
  }
  const { rows } = await sql<{ objectId: string; late: boolean }>`
    select e.payload ->> 'objectId' as object_id, j.run_at > now() as late
      from provider_events e join graphile_worker._private_jobs j on j.payload ->> 'eventId' = e.id
      where e.payload ->> 'objectId' = any (${ids})`.execute(db);
  expect(rows.map(({ objectId }) => objectId).toSorted()).toEqual([...ids, ...ids].toSorted());
  expect(rows.some(({ late }) => late)).toBe(true);
});
