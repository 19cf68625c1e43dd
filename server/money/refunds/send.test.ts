/** Refunds at the provider: retried until it agrees, asked about while they are pending, and owed again if they fail. */
import { sql } from 'kysely';
import { afterEach, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { Product } from '#domain/inventory/contract.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/time.ts';
import { ProviderError, type Refund } from '#server/platform/provider/payment-provider.ts';
import { isSandbox } from '#server/platform/provider/sandbox/payments.ts';
import { outOfReach, withProvider } from '#server/testing/money/checkout.ts';
import type { Client } from '#server/testing/client.ts';
import { mailTo } from '#server/testing/mail/mail.ts';
import { applyWaitingEvents } from '#server/testing/money/sandbox.ts';
import { openTestBank, requireBalance, type TestBank } from '#server/testing/money/refunds.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { approve, makeAd, makeProduct, makeWebsite, makeZone, pay } from '#server/testing/story.ts';
import { applyRefund } from './apply.ts';
import { refundByOperator } from './by-operator.ts';
import { retryRefund, sendDueRefunds, sendRefund } from './send.ts';
import { listOwed } from './store.ts';

const server = useOwnServer();
let seller: Client;
let buyer: Client;
let bank: TestBank;
let product: Product;
beforeAll(async () => {
  seller = await server.signIn('seller');
  buyer = await server.signIn('buyer');
  product = await makeProduct(seller, await makeZone(seller, await makeWebsite(seller)), QUOTA);
});
beforeEach(() => {
  bank = openTestBank(server.ctx);
});
afterEach(async () => {
  bank.close();
  await requireBalance(server.ctx);
});

const QUOTA = { pricingModel: 'per_impression', duration: null, impressions: 1000, price: '100.00' };

async function liveAd(): Promise<Ad> {
  const ad = await makeAd(buyer, product);
  await approve(seller, ad);
  return await pay(buyer, ad);
}

/** A running ad, and the refund of `amountCents` of it, which is not sent yet. */
async function owe(amountCents: number | null = 4000): Promise<{ ad: Ad; id: number }> {
  const ad = await liveAd();
  await refund(ad, amountCents);
  return { ad, id: (await refundsOf(ad))[0]?.id as number };
}
const refund = (ad: Ad, amountCents: number | null) =>
  server.ctx.db
    .transaction()
    .execute((tx) => refundByOperator(server.ctx, tx, { adId: ad.id, amountCents, reason: 'For a test' }));
const refundsOf = (ad: Ad) =>
  server.ctx.db
    .selectFrom('refunds')
    .innerJoin('payments', 'payments.id', 'refunds.paymentId')
    .selectAll('refunds')
    .where('payments.adId', '=', ad.id)
    .orderBy('refunds.id')
    .execute();
const stateOf = async (ad: Ad) => (await refundsOf(ad)).map(({ status }) => status);
const triesOf = (id: number) =>
  server.ctx.db.selectFrom('refundTries').selectAll().where('refundId', '=', id).orderBy('beganAt').execute();
const mailsOf = async (kind: string) =>
  (await mailTo(server.ctx, buyer.user.email)).filter((mail) => mail.kind === kind).length;
const apply = (state: Refund) =>
  server.ctx.db.transaction().execute((tx) => applyRefund(server.ctx, tx, state));
const only = (): Refund => [...bank.refunds.values()].at(-1) as Refund;
/** The amount that the ledger owes to the ad's advertiser, in cents. */
async function payable(ad: Ad): Promise<number> {
  const { rows } = await sql<{ cents: string }>`
    select coalesce(-sum(p.amount_cents), 0) as cents
      from ledger_postings p join ledger_accounts a on a.id = p.account_id
      where a.kind = 'refund_payable' and a.owner_id = ${ad.id}`.execute(server.ctx.db);
  return Number(rows[0]?.cents);
}
const refusing = (kind: ProviderError['kind'], code?: string) => () => ({
  refund: () => Promise.reject(new ProviderError(kind, 'Refused', code === undefined ? {} : { code })),
});
/** The provider makes the refund, but its answer is lost. */
const answerLost = (real: typeof server.ctx.payments) => ({
  refund: async (...request: Parameters<typeof real.refund>) => {
    await real.refund(...request);
    throw new ProviderError('unavailable', 'socket hang up');
  },
});

/** A refund that the provider has made, although its answer was lost and its repetition refused. */
async function oweRefusedAfterLostAnswer() {
  const owed = await owe();
  await withProvider(server.ctx, answerLost, () => sendRefund(server.ctx, owed.id));
  // The provider does not list it yet.
  const refusedUnseen = () => ({ ...refusing('invalid')(), refundsOf: async function* () {} });
  await withProvider(server.ctx, refusedUnseen, () => sendRefund(server.ctx, owed.id));
  return owed;
}

describe('a refund', () => {
  // Proves REFU-01
  it('is owed in the ledger from its beginning until the provider takes it, and is sent once', async () => {
    const { ad, id } = await owe();
    expect([await stateOf(ad), await payable(ad)]).toEqual([['owed'], 4000]);
    expect(await refundsOf(ad)).toMatchObject([{ publisherCents: 3400, commissionCents: 600 }]);
    const before = await mailsOf('payment-refunded');
    await Promise.all([1, 2, 3].map(() => sendRefund(server.ctx, id)));
    expect([await stateOf(ad), await payable(ad)]).toEqual([['done'], 0]);
    expect(bank.refunds.size).toBe(1);
    expect(await triesOf(id)).toHaveLength(1);
    expect(await mailsOf('payment-refunded')).toBe(before + 1);
    const { id: installation } = await server.ctx.db
      .selectFrom('installation')
      .select('id')
      .executeTakeFirstOrThrow();
    expect(only().metadata).toEqual({
      refund_id: (await refundsOf(ad))[0]?.ref,
      refund_key: expect.stringMatching(/^[0-9a-f-]{36}$/),
      installation,
    });
  });

  // Proves REFU-03
  it('that was not made is sent again with the same key after an unknown outcome, later each time', async () => {
    const { ad, id } = await owe();
    const keys: string[] = [];
    const away = () => ({
      refund: async (_request: unknown, key: string) => {
        keys.push(key);
        return await outOfReach();
      },
    });
    await withProvider(server.ctx, away, async () => {
      await sendRefund(server.ctx, id);
      expect([await stateOf(ad), await payable(ad)]).toEqual([['owed'], 4000]);
      // Too early: the job has put the next try off.
      expect(await sendDueRefunds(server.ctx)).toBe(0);
      server.clock.advance(MINUTE_MS + 1000);
      expect(await sendDueRefunds(server.ctx)).toBe(1);
      server.clock.advance(MINUTE_MS + 1000);
      expect(await sendDueRefunds(server.ctx)).toBe(0);
    });
    server.clock.advance(MINUTE_MS);
    expect(await sendDueRefunds(server.ctx)).toBe(1);
    expect([await stateOf(ad), await payable(ad)]).toEqual([['done'], 0]);
    expect(keys).toHaveLength(2);
    expect(new Set([...keys, ...bank.keys]).size).toBe(1);
    expect(await triesOf(id)).toHaveLength(1);
  });

  // Proves REFU-03
  it('whose answer was lost is looked for before it is sent again', async () => {
    const { ad, id } = await owe();
    await withProvider(server.ctx, answerLost, () => sendRefund(server.ctx, id));
    const made = bank.refunds.size;
    server.clock.advance(2 * MINUTE_MS);
    await sendDueRefunds(server.ctx);
    expect([await stateOf(ad), bank.refunds.size, bank.keys.length]).toEqual([['done'], made, 1]);
  });

  // Proves REFU-03
  it('is found by our key if its event arrives before the answer', async () => {
    const { ad, id } = await owe();
    await withProvider(server.ctx, answerLost, () => sendRefund(server.ctx, id));
    expect(await apply(only())).toBe(true);
    expect([await stateOf(ad), await payable(ad)]).toEqual([['done'], 0]);
    // The event comes twice, and the sweep runs as well.
    await apply(only());
    await sendRefund(server.ctx, id);
    expect(await payable(ad)).toBe(0);
    const foreign = { ...only(), id: 'sbx_re_foreign', metadata: { refund_key: "'; drop table refunds" } };
    expect(await apply(foreign)).toBe(false);
    expect(await apply({ ...foreign, metadata: {} })).toBe(false);
  });

  // Proves REFU-03
  it('is sent under a new key after a refusal', async () => {
    const { ad, id } = await owe();
    await withProvider(server.ctx, refusing('invalid', 'insufficient_funds'), () =>
      sendRefund(server.ctx, id),
    );
    expect(await refundsOf(ad)).toMatchObject([
      { status: 'owed', lastError: 'insufficient_funds', attempts: 1 },
    ]);
    server.clock.advance(2 * MINUTE_MS);
    await sendDueRefunds(server.ctx);
    expect(await refundsOf(ad)).toMatchObject([{ status: 'done', lastError: null, attempts: 2 }]);
    const tries = await triesOf(id);
    expect(tries.map(({ state }) => state)).toEqual(['failed', 'succeeded']);
    expect(bank.keys).toEqual([`re:${tries[1]?.key}`]);
  });

  // Proves REFU-03
  it('that was made although its repetition was refused is found before a new request', async () => {
    const { ad, id } = await oweRefusedAfterLostAnswer();
    server.clock.advance(5 * MINUTE_MS);
    await sendDueRefunds(server.ctx);
    expect([await stateOf(ad), await payable(ad), bank.keys.length]).toEqual([['done'], 0, 1]);
    expect((await triesOf(id)).map(({ state }) => state)).toEqual(['succeeded', 'failed']);
  });

  // Proves REFU-03
  it.each(['pending', 'succeeded'] as const)(
    'that was made although its repetition was refused is settled by its event (%s)',
    async (status) => {
      bank.next = status;
      const { ad, id } = await oweRefusedAfterLostAnswer();
      // A second try waits for a provider that can't be reached.
      const away = () => ({
        refundsOf: () => {
          throw new ProviderError('unavailable', 'socket hang up');
        },
      });
      await withProvider(server.ctx, away, () => sendRefund(server.ctx, id));
      expect((await triesOf(id)).map(({ state }) => state)).toEqual(['failed', 'trying']);
      await apply(only());
      bank.set(only().id, 'succeeded');
      await sendRefund(server.ctx, id);
      expect([await stateOf(ad), await payable(ad), bank.keys.length]).toEqual([['done'], 0, 1]);
      expect((await triesOf(id)).map(({ state }) => state)).toEqual(['succeeded', 'failed']);
    },
  );

  // Proves REFU-03
  it('of a disputed charge waits a day between its tries', async () => {
    const { ad, id } = await owe();
    await withProvider(server.ctx, refusing('invalid', 'charge_disputed'), () => sendRefund(server.ctx, id));
    server.clock.advance(23 * HOUR_MS);
    expect(await sendDueRefunds(server.ctx)).toBe(0);
    expect(await refundsOf(ad)).toMatchObject([{ status: 'owed', lastError: 'charge_disputed' }]);
    server.clock.advance(2 * HOUR_MS);
    await sendDueRefunds(server.ctx);
    expect(await stateOf(ad)).toEqual(['done']);
  });

  // Proves REFU-03
  it('that is pending is asked about until it succeeds', async () => {
    bank.next = 'pending';
    const { ad, id } = await owe();
    await sendRefund(server.ctx, id);
    expect([await stateOf(ad), await payable(ad)]).toEqual([['sent'], 0]);
    server.clock.advance(11 * MINUTE_MS);
    await sendDueRefunds(server.ctx);
    expect(await stateOf(ad)).toEqual(['sent']);
    bank.set(only().id, 'succeeded');
    server.clock.advance(HOUR_MS);
    await sendDueRefunds(server.ctx);
    expect(await stateOf(ad)).toEqual(['done']);
    expect(bank.keys).toHaveLength(1);
    // A late event about the earlier state moves nothing back.
    await apply({ ...only(), status: 'pending' });
    expect(await stateOf(ad)).toEqual(['done']);
  });

  // Proves REFU-03
  it.each(['pending', 'succeeded'] as const)(
    'that fails after it was %s is owed again and sent again',
    async (first) => {
      bank.next = first;
      const { ad, id } = await owe();
      await sendRefund(server.ctx, id);
      const failed = only().id;
      bank.set(failed, 'failed', 'lost_or_stolen_card');
      const returned = await mailsOf('refund-returned');
      await apply(only());
      await apply(only());
      expect([await stateOf(ad), await payable(ad)]).toEqual([['owed'], 4000]);
      expect(await refundsOf(ad)).toMatchObject([{ lastError: 'lost_or_stolen_card' }]);
      expect(await mailsOf('refund-returned')).toBe(returned + 1);
      expect(await listOwed(server.ctx.db, { after: id - 1, limit: 1 })).toMatchObject([
        { id, ad: ad.publicId, amountCents: 4000, currency: 'USD', status: 'owed', cause: 'operator' },
      ]);
      bank.next = 'succeeded';
      server.clock.advance(2 * MINUTE_MS);
      await sendDueRefunds(server.ctx);
      expect([await stateOf(ad), await payable(ad)]).toEqual([['done'], 0]);
      expect((await triesOf(id)).map(({ state }) => state)).toEqual(['failed', 'succeeded']);
      // The old failure is reported once more.
      await apply(bank.refunds.get(failed) as Refund);
      expect([await stateOf(ad), await payable(ad)]).toEqual([['done'], 0]);
    },
  );

  // Proves REFU-03
  it('that fails days after its success is noticed without an event', async () => {
    const { ad, id } = await owe();
    await sendRefund(server.ctx, id);
    server.clock.advance(5 * DAY_MS);
    await sendDueRefunds(server.ctx);
    bank.set(only().id, 'failed', 'expired_or_canceled_card');
    server.clock.advance(6 * DAY_MS);
    await sendDueRefunds(server.ctx);
    expect(await stateOf(ad)).toEqual(['owed']);
  });

  // Proves REFU-03
  it('that failed is owed only when the provider has the money again', async () => {
    const { ad, id } = await owe();
    await sendRefund(server.ctx, id);
    await apply({ ...only(), status: 'failed', failureReason: 'unknown' });
    expect([await stateOf(ad), await payable(ad)]).toEqual([['done'], 0]);
    bank.set(only().id, 'failed', 'unknown');
    server.clock.advance(HOUR_MS);
    await sendDueRefunds(server.ctx);
    expect([await stateOf(ad), await payable(ad)]).toEqual([['owed'], 4000]);
  });

  // Proves REFU-03
  it('that an operator retries goes out at once under a new key, and never twice', async () => {
    const { ad, id } = await owe();
    await withProvider(server.ctx, refusing('unavailable'), () => sendRefund(server.ctx, id));
    server.clock.advance(MINUTE_MS);
    expect(await retryRefund(server.ctx, id)).toBe(true);
    expect(await stateOf(ad)).toEqual(['done']);
    expect((await triesOf(id)).map(({ state }) => state)).toEqual(['failed', 'succeeded']);
    expect(await retryRefund(server.ctx, id)).toBe(false);
    expect(await retryRefund(server.ctx, 2_000_000_000)).toBe(false);

    const lost = await owe();
    await withProvider(server.ctx, answerLost, () => sendRefund(server.ctx, lost.id));
    const made = bank.refunds.size;
    await retryRefund(server.ctx, lost.id);
    expect([await stateOf(lost.ad), bank.refunds.size]).toEqual([['done'], made]);
  });

  // Proves REFU-03
  it('that an operator retries while a request is on its way goes out under the same key', async () => {
    const { ad, id } = await owe();
    const late: (() => Promise<unknown>)[] = [];
    const slow = (real: typeof server.ctx.payments) => ({
      refund: async (...request: Parameters<typeof real.refund>) => {
        late.push(() => real.refund(...request));
        return await outOfReach();
      },
    });
    await withProvider(server.ctx, slow, () => sendRefund(server.ctx, id));
    expect(await retryRefund(server.ctx, id)).toBe(true);
    const made = bank.refunds.size;
    // The provider carries the first request out only now.
    for (const request of late) await request();
    expect([await stateOf(ad), bank.refunds.size]).toEqual([['done'], made]);
  });

  // Proves REFU-03
  it('does not hold up the others if the provider fails for it', async () => {
    const stuck = await owe();
    const fine = await owe();
    const { ref } = (await refundsOf(stuck.ad))[0] as { ref: string };
    await withProvider(
      server.ctx,
      (real) => ({
        refund: (request, key) =>
          request.metadata['refund_id'] === ref
            ? Promise.reject(new Error('socket hang up'))
            : real.refund(request, key),
      }),
      () => sendDueRefunds(server.ctx),
    );
    expect([await stateOf(stuck.ad), await stateOf(fine.ad)]).toEqual([['owed'], ['done']]);
    server.clock.advance(2 * MINUTE_MS);
    await sendDueRefunds(server.ctx);
    expect(await stateOf(stuck.ad)).toEqual(['done']);
  });

  // Proves REFU-03
  it('waits while another refund of the same payment is on its way', async () => {
    bank.next = 'pending';
    const { ad, id } = await owe();
    await sendRefund(server.ctx, id);
    await refund(ad, 1000);
    const second = (await refundsOf(ad))[1]?.id as number;
    await sendRefund(server.ctx, second);
    expect([await stateOf(ad), bank.keys.length]).toEqual([['sent', 'owed'], 1]);
    bank.next = 'succeeded';
    bank.set(only().id, 'succeeded');
    await sendRefund(server.ctx, id);
    server.clock.advance(2 * MINUTE_MS);
    await sendDueRefunds(server.ctx);
    expect(await stateOf(ad)).toEqual(['done', 'done']);
  });

  // Proves REFU-03
  it('of another provider waits for that provider’s settings', async () => {
    const { ad, id } = await owe();
    await withProvider(
      server.ctx,
      () => ({ book: 'stripe-test' as const }),
      () => sendRefund(server.ctx, id),
    );
    expect([await stateOf(ad), bank.keys.length]).toEqual([['owed'], 0]);
    await sendRefund(server.ctx, id);
    expect(await stateOf(ad)).toEqual(['done']);
  });
});

describe('a refund in the sandbox', () => {
  /** Does the work of each minute's jobs: the sandbox moves on, its events arrive, and refunds are sent and asked about. */
  async function jobs(): Promise<void> {
    const sandbox = server.ctx.payments;
    if (!isSandbox(sandbox)) throw new Error('The provider is not the sandbox');
    await sandbox.settle();
    await applyWaitingEvents(server.ctx);
    await sendDueRefunds(server.ctx);
  }

  async function oweAs(plan: 'refund_pending' | 'refund_fails') {
    bank.close();
    const sandbox = server.ctx.payments;
    if (!isSandbox(sandbox)) throw new Error('The provider is not the sandbox');
    const { ad, id } = await owe();
    const { intentId } = await server.ctx.db
      .selectFrom('payments')
      .select('intentId')
      .where('adId', '=', ad.id)
      .executeTakeFirstOrThrow();
    await sandbox.play.planRefund(intentId as string, plan);
    await sendRefund(server.ctx, id);
    return ad;
  }

  // Proves REFU-03
  it('that fails after it was sent is owed again by its event, and then sent again', async () => {
    const ad = await oweAs('refund_fails');
    expect([await stateOf(ad), await payable(ad)]).toEqual([['done'], 0]);
    server.clock.advance(10_000);
    await jobs();
    expect([await stateOf(ad), await payable(ad)]).toEqual([['owed'], 4000]);
    server.clock.advance(10 * MINUTE_MS);
    await jobs();
    expect([await stateOf(ad), await payable(ad)]).toEqual([['done'], 0]);
  });

  // Proves REFU-03
  it('that stays pending is sent, and done when it arrives', async () => {
    const ad = await oweAs('refund_pending');
    expect([await stateOf(ad), await payable(ad)]).toEqual([['sent'], 4000]);
    server.clock.advance(6 * DAY_MS);
    await jobs();
    expect(await stateOf(ad)).toEqual(['sent']);
    server.clock.advance(2 * DAY_MS);
    await jobs();
    expect([await stateOf(ad), await payable(ad)]).toEqual([['done'], 0]);
  });
});

describe('the database', () => {
  const refusal = async (statement: ReturnType<typeof sql>): Promise<string> =>
    await statement.execute(server.owner).then(
      () => 'allowed',
      (error: Error) => error.message,
    );

  // Proves REFU-01
  it('bounds the refunds of a payment, and keeps them', async () => {
    const { ad, id } = await owe();
    const { paymentId } = (await refundsOf(ad))[0] as { paymentId: number };
    const insert = (publisher: number, commission: number) =>
      refusal(sql`
        insert into refunds (payment_id, cause, amount_cents, publisher_cents, commission_cents, look_at)
          values (${paymentId}, 'operator', ${publisher + commission}, ${publisher}, ${commission}, now())`);
    expect(await insert(5101, 0)).toContain('exceed what was paid');
    expect(await insert(0, 901)).toContain('exceed what was paid');
    expect(await insert(0, 0)).toContain('refunds_amount');
    for (const change of [
      'amount_cents = amount_cents + 1',
      "cause = 'canceled'",
      'publisher_cents = 0',
      'payment_id = 1',
    ])
      expect(await refusal(sql`update refunds set ${sql.raw(change)} where id = ${id}`)).not.toBe('allowed');
    expect(await refusal(sql`delete from refunds where id = ${id}`)).toContain('never deleted');
    expect(await refusal(sql`truncate refunds cascade`)).toContain('never deleted');

    await sendRefund(server.ctx, id);
    const tries = (change: string) =>
      refusal(sql`update refund_tries set ${sql.raw(change)} where refund_id = ${id}`);
    for (const change of [
      "state = 'trying'",
      "provider_id = 'other'",
      'taken_by = null',
      'key = gen_random_uuid()',
    ])
      expect(await tries(change)).toContain('only moves forward');
    expect(await refusal(sql`delete from refund_tries where refund_id = ${id}`)).toContain('never deleted');
    expect(
      await refusal(
        sql`insert into refund_tries (refund_id, payment_id, began_at) values (${id}, ${paymentId}, now())`,
      ),
    ).toContain('refund_tries_one_good');
  });

  // Proves REFU-01
  it('lets only as many of concurrent refunds through as the price allows', async () => {
    const ad = await liveAd();
    const answers = await Promise.allSettled(Array.from({ length: 8 }, () => refund(ad, 3000)));
    expect(answers.filter(({ status }) => status === 'fulfilled')).toHaveLength(3);
    for (const answer of answers)
      if (answer.status === 'rejected') expect(answer.reason).toMatchObject({ status: 409 });
    expect(await payable(ad)).toBe(9000);
  });
});
