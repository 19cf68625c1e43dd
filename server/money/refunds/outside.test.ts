/** Refunds that are made in the provider's dashboard: each becomes one of ours, and the books agree after every step. */
import { randomUUID } from 'node:crypto';
import { sql } from 'kysely';
import { afterEach, beforeAll, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { parseTaxTable } from '#domain/payments/tax-table.ts';
import { DAY_MS, HOUR_MS } from '#domain/time.ts';
import { isSandbox, type SandboxProvider } from '#server/platform/provider/sandbox/payments.ts';
import type { Client } from '#server/testing/client.ts';
import { countAt } from '#server/testing/figures.ts';
import { mailTo, mailToOperator } from '#server/testing/mail/mail.ts';
import {
  beginPayment,
  CARD,
  losesAnswer,
  makeApprovedAd,
  payByCard,
  withProvider,
} from '#server/testing/money/checkout.ts';
import { applyWaitingEvents } from '#server/testing/money/sandbox.ts';
import { requireBalance } from '#server/testing/money/refunds.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { listMoney } from '../books/list.ts';
import { reconcile } from '../books/reconcile.ts';
import { settleSuspense } from '../books/suspense.ts';
import { checkDocuments } from '../documents/check.ts';
import { applyProviderEvent } from '../events/events.ts';
import { checkPayments } from '../events/check-payments.ts';
import { accrueDue } from '../ledger/accrue.ts';
import { settleByHand } from './by-hand.ts';
import { refundByOperator } from './by-operator.ts';
import { endOverdueAds } from './endings.ts';
import { sendDueRefunds, sendRefund } from './send.ts';

const TAX = `{"version": 2, "seller": "DE", "countries": {"DE": {"rate": "19.00"}},
  "default": {"rate": "0.00", "reason": "not_taxed", "sentence": "Not taxable in Germany."}}`;

const server = useOwnServer({ start: new Date('2026-03-02T00:00:00Z') });
let sandbox: SandboxProvider;
beforeAll(async () => {
  if (!isSandbox(server.ctx.payments)) throw new Error('These tests need the sandbox');
  sandbox = server.ctx.payments;
});
afterEach(async () => {
  await booksAgree();
  const { refundsOwed } = await listMoney(server.ctx);
  if (refundsOwed.length > 0) throw new Error(`Still owed: ${JSON.stringify(refundsOwed)}`);
});

const VIEWS = { pricingModel: 'per_impression', duration: null, impressions: 1000, price: '100.00' };

type Story = { ad: Ad; buyer: Client; seller: Client; zoneId: number; intentId: string };
async function running(views = 0): Promise<Story> {
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  const { ad, zone } = await makeLiveAd(seller, buyer, { product: VIEWS });
  const { intentId } = await server.ctx.db
    .selectFrom('payments')
    .select('intentId')
    .where('adId', '=', ad.id)
    .executeTakeFirstOrThrow();
  const story = { ad, buyer, seller, zoneId: zone.id, intentId: String(intentId) };
  if (views > 0) await deliver(story, views);
  return story;
}
const deliver = async ({ ad }: Story, views: number) => {
  await countAt(server.ctx, ad, server.clock.now().toISOString(), views);
  await accrueDue(server.ctx, { early: true });
};
/** Withdraws all views of the running hour. */
const withdraw = async ({ zoneId }: Story) => {
  const hour = server.clock.now().toISOString();
  server.clock.advance(HOUR_MS);
  await sql`select withdraw_traffic(${server.clock.now()}, ${zoneId}, date_trunc('hour', ${hour}::timestamptz),
    date_trunc('hour', ${hour}::timestamptz) + interval '1 hour', '[{"signal": "network", "value": 1, "bound": 0}]')`.execute(
    server.ctx.db,
  );
  await accrueDue(server.ctx);
};
const refundOutside = async ({ intentId }: Story, amount: number) =>
  await sandbox.play.refundOutside(intentId, amount);

/** Each refund with its parts: undelivered shares, and what the marketplace bears. */
const refundsOf = async ({ ad }: Pick<Story, 'ad'>) => {
  const rows = await server.ctx.db
    .selectFrom('refunds as r')
    .innerJoin('payments', 'payments.id', 'r.paymentId')
    .leftJoin('documents', 'documents.refundId', 'r.id')
    .selectAll('r')
    .select('documents.amountCents as note')
    .where('payments.adId', '=', ad.id)
    .orderBy('r.id')
    .execute();
  return rows.map(({ status, cause, amountCents, publisherCents, commissionCents, goodwillCents, note }) => ({
    text: `${amountCents} ${cause} ${status}`,
    shares: [publisherCents, commissionCents, goodwillCents],
    note,
  }));
};
const read = async ({ ad, buyer }: Story) => (await buyer.get(`/api/ads/${ad.id}/details`)).body as Ad;
const mails = async (client: Client, kind: string) =>
  (await mailTo(server.ctx, client.user.email)).filter((mail) => mail.kind === kind);
const adopted = async () => await mailToOperator(server.ctx, 'refund-adopted');
const cancel = async ({ ad, buyer }: Story) => {
  const { refundAmount } = (await buyer.get(`/api/ads/${ad.id}/refund-quote`)).body;
  expect((await buyer.post(`/api/ads/${ad.id}/cancel`, { refundAmount })).status).toBe(200);
};
const earnedBy = async ({ seller }: Story) => {
  const { rows } = await sql<{ cents: string }>`
    select coalesce(-sum(p.amount_cents), 0) as cents from ledger_postings p join ledger_accounts a on a.id = p.account_id
      where a.kind in ('publisher_payable', 'publisher_receivable') and a.owner_id = ${seller.user.id}`.execute(
    server.ctx.db,
  );
  return Number(rows[0]?.cents);
};

/** No difference with itself, the documents or the provider. */
async function booksAgree(): Promise<void> {
  server.clock.advance(2 * HOUR_MS);
  await checkPayments(server.ctx);
  await requireBalance(server.ctx);
  expect(await checkDocuments(server.ctx.db)).toEqual([]);
  expect((await reconcile(server.ctx)).differences).toEqual([]);
}

describe('a refund in the provider’s dashboard', () => {
  // Proves FIELD-75, FIELD-76
  it('of everything ends the campaign once, with a credit note, and all three are told', async () => {
    const story = await running();
    const told = (await adopted()).length;
    await refundOutside(story, 10_000);
    const waiting = await server.ctx.db
      .selectFrom('providerEvents')
      .select('id')
      .where('doneAt', 'is', null)
      .execute();
    // The event comes twice to two servers, while the comparison finds the refund by itself.
    await Promise.all([
      ...[...waiting, ...waiting].map(({ id }) => applyProviderEvent(server.ctx, id)),
      reconcile(server.ctx),
      reconcile(server.ctx),
    ]);
    expect(await refundsOf(story)).toEqual([
      { text: '10000 operator done', shares: [8500, 1500, 0], note: 10_000 },
    ]);
    expect(await read(story)).toMatchObject({ status: 'completed', endedReason: 'operator' });
    expect(await mails(story.seller, 'ad-ended')).toHaveLength(1);
    expect(await mails(story.buyer, 'ad-ended')).toHaveLength(1);
    const [refunded, ...more] = await mails(story.buyer, 'payment-refunded');
    expect([refunded?.text.includes('100.00'), refunded?.text.includes('Credit note C-'), more]).toEqual([
      true,
      true,
      [],
    ]);
    const operator = (await adopted()).slice(told);
    expect(operator).toHaveLength(1);
    expect(operator[0]?.text).toContain(`payment for ad ${story.ad.id} was refunded`);
    expect(await earnedBy(story)).toBe(0);
    // Nothing is left to cancel, and nothing is sent again.
    expect((await story.buyer.get(`/api/ads/${story.ad.id}/refund-quote`)).status).toBe(409);
  });

  // Proves FIELD-76
  it('takes the undelivered part first, and the marketplace bears what was delivered', async () => {
    const story = await running(600);
    await refundOutside(story, 10_000);
    await applyWaitingEvents(server.ctx);
    expect(await refundsOf(story)).toEqual([
      { text: '10000 operator done', shares: [3400, 600, 6000], note: 10_000 },
    ]);
    expect(await earnedBy(story)).toBe(5100);
    expect((await adopted()).at(-1)?.text.replaceAll(/\s+/g, ' ')).toMatch(
      /40\.00 was not delivered.*60\.00 was delivered\. The publisher keeps/,
    );
    const { body } = await story.buyer.get(`/api/ads/${story.ad.id}/ledger`);
    expect(body).toMatchObject({ total: '100.00', earned: '0.00', refunded: '100.00', open: '0.00' });
    expect(
      body.entries.map(({ kind, amount }: { kind: string; amount: string }) => `${kind} ${amount}`),
    ).toEqual(['paid 100.00', 'accrual 60.00', 'undelivered 40.00', 'goodwill 60.00', 'refund 100.00']);
    const theirs = (await story.seller.get(`/api/ads/${story.ad.id}/ledger`)).body;
    expect(theirs).toMatchObject({ earned: '51.00', refunded: '34.00', open: '0.00' });
    const [payment] = (await story.buyer.get('/api/billing/payments')).body;
    expect(payment).toMatchObject({ status: 'refunded', refunds: [{ amount: '100.00', status: 'done' }] });
  });

  // Proves FIELD-76
  it('after a campaign has ended and was paid for in full is the marketplace’s loss alone', async () => {
    const story = await running(1000);
    server.clock.advance(DAY_MS);
    await endOverdueAds(server.ctx);
    expect(await read(story)).toMatchObject({ status: 'completed', endedReason: 'delivered' });
    await refundOutside(story, 2500);
    await refundOutside(story, 1);
    await applyWaitingEvents(server.ctx);
    expect(await refundsOf(story)).toEqual([
      { text: '2500 operator done', shares: [0, 0, 2500], note: 2500 },
      { text: '1 operator done', shares: [0, 0, 1], note: 1 },
    ]);
    expect([await earnedBy(story), (await read(story)).endedReason]).toEqual([8500, 'delivered']);
  });

  // Proves FIELD-75, FIELD-76
  it('of a part lets the campaign run until the rest is delivered, and a cancel refunds exactly the rest', async () => {
    const [delivered, canceled] = [await running(), await running()];
    for (const story of [delivered, canceled]) await refundOutside(story, 3000);
    await applyWaitingEvents(server.ctx);
    for (const story of [delivered, canceled]) {
      expect(await read(story)).toMatchObject({ status: 'active' });
      for (const client of [story.buyer, story.seller]) {
        const [mail, ...more] = await mails(client, 'ad-refunded');
        expect([mail?.text.includes('30.00'), mail?.text.includes('dashboard'), more]).toEqual([
          true,
          true,
          [],
        ]);
      }
    }
    await deliver(delivered, 700);
    await endOverdueAds(server.ctx);
    expect(await read(delivered)).toMatchObject({ status: 'completed', endedReason: 'operator' });
    expect(await earnedBy(delivered)).toBe(5950);
    await cancel(canceled);
    await sendDueRefunds(server.ctx);
    expect((await refundsOf(canceled)).map(({ text }) => text)).toEqual([
      '3000 operator done',
      '7000 canceled done',
    ]);
  });

  // Proves FIELD-76
  it('of a taxed sale takes its tax back with it', async () => {
    const before = server.ctx.config.taxTable;
    server.ctx.config.taxTable = parseTaxTable(TAX);
    const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
    const made = await makeApprovedAd(seller, buyer, { product: VIEWS });
    const receiptFor = { company: '', name: 'Ann Bell', address: 'Weg 1', country: 'DE' };
    const begun = await buyer.post('/api/create-payment-intent', {
      amount: made.totalAmount,
      adPublicId: made.publicId,
      receiptFor,
    });
    server.ctx.config.taxTable = before;
    expect(begun.status).toBe(200);
    const { clientSecret } = begun.body as { clientSecret: string };
    await buyer.post('/api/sandbox/confirm', { clientSecret, ...CARD });
    const intentId = clientSecret.split('_secret_')[0] as string;
    await buyer.post('/api/payment-success', { paymentIntentId: intentId });
    const story = { ad: made, buyer, seller, zoneId: made.adZoneId, intentId };
    await deliver(story, 600);
    await refundOutside(story, 7000);
    await applyWaitingEvents(server.ctx);
    await refundOutside(story, 3000);
    await applyWaitingEvents(server.ctx);
    const { rows } = await sql<{ tax: string }>`
      select coalesce(sum(p.amount_cents), 0) as tax from ledger_tx t join ledger_postings p on p.tx_id = t.id
        join ledger_accounts a on a.id = p.account_id and a.kind in ('tax_payable', 'tax_deferred')
        where t.ad_id = ${made.id}`.execute(server.ctx.db);
    expect(rows).toEqual([{ tax: '0' }]);
    expect((await refundsOf(story)).map(({ note }) => note)).toEqual([7000, 3000]);
  });
});

describe('beside a refund of ours', () => {
  /** An advertiser cancels before the event about the dashboard's refund arrives. */
  async function canceledAfter(amount: number): Promise<Story> {
    const story = await running(200);
    await refundOutside(story, amount);
    await cancel(story);
    return story;
  }
  const requestsOf = async (story: Story) =>
    await server.ctx.db
      .selectFrom('refundTries')
      .innerJoin('payments', 'payments.id', 'refundTries.paymentId')
      .select(['refundTries.state', 'refundTries.madeOutside'])
      .where('payments.adId', '=', story.ad.id)
      .orderBy('refundTries.beganAt')
      .execute();

  // Proves FIELD-79
  it('a refusal because everything was refunded ends our refund at once, without an event', async () => {
    const story = await canceledAfter(10_000);
    await server.ctx.db
      .deleteFrom('providerEvents')
      .where('type', '=', 'refund.created')
      .where('doneAt', 'is', null)
      .execute();
    await sendDueRefunds(server.ctx);
    expect(await refundsOf(story)).toEqual([
      { text: '0 canceled done', shares: [0, 0, 0], note: null },
      { text: '10000 operator done', shares: [6800, 1200, 2000], note: 10_000 },
    ]);
    const before = await requestsOf(story);
    server.clock.advance(3 * DAY_MS);
    await sendDueRefunds(server.ctx);
    expect(await requestsOf(story)).toEqual(before);
    const [payment] = (await story.buyer.get('/api/billing/payments')).body;
    expect(payment).toMatchObject({ status: 'refunded', refunds: [{ amount: '100.00' }] });
  });

  // Proves FIELD-79
  it('a part that was refunded outside is taken off ours, which then sends the rest', async () => {
    const story = await canceledAfter(5000);
    await sendDueRefunds(server.ctx);
    expect((await refundsOf(story)).map(({ text }) => text)).toEqual([
      '3000 canceled owed',
      '5000 canceled done',
    ]);
    server.clock.advance(5 * HOUR_MS);
    await sendDueRefunds(server.ctx);
    expect(await refundsOf(story)).toMatchObject([
      { text: '3000 canceled done', note: 3000 },
      { text: '5000 canceled done', note: 5000 },
    ]);
    expect(await mails(story.buyer, 'payment-refunded')).toHaveLength(2);
  });

  // Proves FIELD-79
  it('the same amount is ours, and no second one is sent', async () => {
    const story = await canceledAfter(8000);
    await applyWaitingEvents(server.ctx);
    await sendDueRefunds(server.ctx);
    expect(await refundsOf(story)).toMatchObject([{ text: '8000 canceled done', note: 8000 }]);
    expect(await requestsOf(story)).toEqual([{ state: 'succeeded', madeOutside: true }]);
  });

  // Proves FIELD-79
  it('one that was sent after a backup was made is not sent again after its restore', async () => {
    const story = await running();
    await server.ctx.db
      .transaction()
      .execute((tx) =>
        refundByOperator(server.ctx, tx, { adId: story.ad.id, amountCents: 3000, reason: 'For a test' }),
      );
    // The restored database knows neither the request nor its key.
    const metadata = { refund_key: randomUUID() };
    await sandbox.refund({ intentId: story.intentId, amount: 3000, metadata }, 'of the original server');
    await server.ctx.db.deleteFrom('providerEvents').where('doneAt', 'is', null).execute();
    server.clock.advance(HOUR_MS);
    await sendDueRefunds(server.ctx);
    expect(await refundsOf(story)).toMatchObject([{ text: '3000 operator done', note: 3000 }]);
    const made = [];
    for await (const refund of sandbox.refundsOf(story.intentId)) made.push(refund.amount);
    expect(made).toEqual([3000]);
    await cancel(story);
    await sendDueRefunds(server.ctx);
  });

  // Proves FIELD-79
  it('waits while the answer to our own request is missing', async () => {
    const story = await running(200);
    await cancel(story);
    const { id } = await server.ctx.db
      .selectFrom('refunds')
      .select('id')
      .where('status', '=', 'owed')
      .executeTakeFirstOrThrow();
    await withProvider(
      server.ctx,
      (real) => ({
        refund: losesAnswer(async (...given: Parameters<typeof real.refund>) => await real.refund(...given)),
      }),
      async () => await sendRefund(server.ctx, id),
    );
    await refundOutside(story, 2000);
    const own = await server.ctx.db
      .selectFrom('refunds')
      .select('ref')
      .where('id', '=', id)
      .executeTakeFirstOrThrow();
    const events = await server.ctx.db
      .selectFrom('providerEvents')
      .select(['id', 'payload'])
      .where('doneAt', 'is', null)
      .execute();
    const outside = events.filter(({ payload }) => !JSON.stringify(payload).includes(own.ref));
    for (const event of outside) await applyProviderEvent(server.ctx, event.id);
    expect((await refundsOf(story)).map(({ text }) => text)).toEqual(['8000 canceled owed']);
    server.clock.advance(HOUR_MS);
    await checkPayments(server.ctx);
    server.clock.advance(HOUR_MS);
    await checkPayments(server.ctx);
    expect(await refundsOf(story)).toMatchObject([
      { text: '8000 canceled done', note: 8000 },
      { text: '2000 operator done', shares: [0, 0, 2000], note: 2000 },
    ]);
  });

  // Proves FIELD-79
  it('one that came back from the bank is paid by it, and no amount has two credit notes', async () => {
    const story = await running(200);
    await sandbox.play.planRefund(story.intentId, 'refund_fails');
    await cancel(story);
    await sendDueRefunds(server.ctx);
    server.clock.advance(HOUR_MS);
    await sandbox.settle();
    await applyWaitingEvents(server.ctx);
    expect(await refundsOf(story)).toMatchObject([{ text: '8000 canceled owed', note: 8000 }]);
    await refundOutside(story, 5000);
    await applyWaitingEvents(server.ctx);
    expect(await refundsOf(story)).toMatchObject([
      { text: '3000 canceled owed', note: 8000 },
      { text: '5000 canceled done', note: null },
    ]);
    server.clock.advance(DAY_MS);
    await sendDueRefunds(server.ctx);
    expect(await refundsOf(story)).toMatchObject([{ text: '3000 canceled done', note: 8000 }, {}]);
  });
});

describe('later', () => {
  // Proves FIELD-77
  it('traffic that is withdrawn pays the marketplace back, and nothing is refunded twice', async () => {
    const story = await running(600);
    await refundOutside(story, 9000);
    await applyWaitingEvents(server.ctx);
    expect(await refundsOf(story)).toMatchObject([{ shares: [3400, 600, 5000] }]);
    await withdraw(story);
    await endOverdueAds(server.ctx);
    await sendDueRefunds(server.ctx);
    expect(await refundsOf(story)).toMatchObject([
      { text: '9000 operator done', shares: [7650, 1350, 0], note: 9000 },
      { text: '1000 operator done', shares: [850, 150, 0], note: 1000 },
    ]);
    expect(await earnedBy(story)).toBe(0);
  });

  // Proves FIELD-77
  it('a campaign that runs on for withdrawn views can be canceled for what the advertiser does not have yet', async () => {
    const story = await running(1000);
    await refundOutside(story, 3000);
    await applyWaitingEvents(server.ctx);
    await withdraw(story);
    expect((await read(story)).status).toBe('active');
    await expect(
      server.ctx.db
        .transaction()
        .execute((tx) =>
          refundByOperator(server.ctx, tx, { adId: story.ad.id, amountCents: 7001, reason: 'Goodwill' }),
        ),
    ).rejects.toThrow('Only 70.00 USD is left');
    await cancel(story);
    await sendDueRefunds(server.ctx);
    expect(await refundsOf(story)).toEqual([
      { text: '3000 operator done', shares: [2550, 450, 0], note: 3000 },
      { text: '7000 canceled done', shares: [5950, 1050, 0], note: 7000 },
    ]);
    expect(await earnedBy(story)).toBe(0);
  });

  // Proves FIELD-76
  it('one that the bank sends back is owed and sent again, like any refund of ours', async () => {
    const story = await running();
    const id = await refundOutside(story, 10_000);
    await applyWaitingEvents(server.ctx);
    await sandbox.play.settleRefund(id, 'failed');
    await applyWaitingEvents(server.ctx);
    expect((await refundsOf(story)).map(({ text }) => text)).toEqual(['10000 operator owed']);
    expect(await mails(story.buyer, 'refund-returned')).toHaveLength(1);
    server.clock.advance(DAY_MS);
    await sendDueRefunds(server.ctx);
    expect(await refundsOf(story)).toMatchObject([{ text: '10000 operator done', note: 10_000 }]);
  });

  // Proves FIELD-76, FIELD-79
  it('one that failed before any money moved holds up neither the rest of it nor later refunds', async () => {
    const story = await running();
    await sandbox.play.planRefund(story.intentId, 'refund_pending');
    const id = await refundOutside(story, 8000);
    await applyWaitingEvents(server.ctx);
    await sandbox.play.settleRefund(id, 'failed');
    await applyWaitingEvents(server.ctx);
    await refundOutside(story, 5000);
    await applyWaitingEvents(server.ctx);
    server.clock.advance(DAY_MS);
    await sendDueRefunds(server.ctx);
    // The campaign had ended with the first refund of a part, so nothing of it is left but the 20.00 that it goes on for.
    expect((await refundsOf(story)).map(({ text }) => text)).toEqual([
      '3000 operator done',
      '5000 operator done',
    ]);
  });

  // Proves FIELD-77
  it('traffic that is withdrawn pays the marketplace back beside a refund that was paid by hand', async () => {
    const story = await running(1000);
    const id = await refundOutside(story, 5000);
    await applyWaitingEvents(server.ctx);
    await sandbox.play.settleRefund(id, 'failed');
    await applyWaitingEvents(server.ctx);
    const { refundId } = await server.ctx.db
      .selectFrom('refundTries')
      .select('refundId')
      .where('providerId', '=', id)
      .executeTakeFirstOrThrow();
    await server.ctx.db.transaction().execute((tx) => settleByHand(server.ctx, tx, refundId));
    await refundOutside(story, 6000);
    await applyWaitingEvents(server.ctx);
    expect(await refundsOf(story)).toMatchObject([{ shares: [0, 0, 5000] }, { shares: [0, 0, 6000] }]);
    await withdraw(story);
    await endOverdueAds(server.ctx);
    expect(await refundsOf(story)).toMatchObject([
      { text: '5000 operator done', shares: [4250, 750, 0] },
      { text: '6000 operator done', shares: [4250, 750, 1000] },
    ]);
  });

  // Proves FIELD-76
  it('one that had come back before we learned of it changes no campaign, and its movements are booked', async () => {
    const story = await running();
    const id = await refundOutside(story, 10_000);
    await sandbox.play.settleRefund(id, 'failed');
    await applyWaitingEvents(server.ctx);
    expect([await refundsOf(story), (await read(story)).status]).toEqual([[], 'active']);
    await booksAgree();
    await cancel(story);
    await sendDueRefunds(server.ctx);
  });

  // Proves FIELD-75
  it('the comparison finds it without any event, and lists no difference', async () => {
    const story = await running(100);
    await refundOutside(story, 4000);
    await server.ctx.db.deleteFrom('providerEvents').where('doneAt', 'is', null).execute();
    server.clock.advance(2 * HOUR_MS);
    expect((await reconcile(server.ctx)).differences).toEqual([]);
    expect(await refundsOf(story)).toMatchObject([{ text: '4000 operator done', note: 4000 }]);
    await cancel(story);
    await sendDueRefunds(server.ctx);
  });

  // Proves FIELD-75
  it('a payment that was refunded before we learned of it is booked first', async () => {
    const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
    const ad = await makeApprovedAd(seller, buyer, { product: VIEWS });
    const { paymentIntentId: intentId } = await payByCard(buyer, ad);
    const story = { ad, buyer, seller, zoneId: ad.adZoneId, intentId };
    await refundOutside(story, 10_000);
    const events = await server.ctx.db
      .selectFrom('providerEvents')
      .select('id')
      .where('doneAt', 'is', null)
      .orderBy('receivedAt', 'desc')
      .orderBy('type', 'desc')
      .execute();
    for (const { id } of events) await applyProviderEvent(server.ctx, id);
    expect(await read(story)).toMatchObject({ status: 'completed', endedReason: 'operator' });
    expect(await refundsOf(story)).toMatchObject([{ text: '10000 operator done', note: 10_000 }]);
  });

  // Proves FIELD-75
  it('money in suspense that is refunded in parts leaves suspense, and the decision is about the rest', async () => {
    const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
    const ad = await makeApprovedAd(seller, buyer, { product: VIEWS });
    expect((await beginPayment(buyer, ad)).status).toBe(200);
    const { paymentIntentId: intentId } = await payByCard(buyer, ad);
    await withProvider(
      server.ctx,
      (real) => ({ getIntent: async (id) => ({ ...(await real.getIntent(id)), amount: 9000 }) }),
      async () => await applyWaitingEvents(server.ctx),
    );
    const story = { ad, buyer, seller, zoneId: ad.adZoneId, intentId };
    const inSuspense = async () =>
      (await listMoney(server.ctx)).suspense
        .filter((row) => row.intent === intentId)
        .map(({ amountCents }) => amountCents);
    expect(await inSuspense()).toEqual([10_000]);
    await refundOutside(story, 4000);
    await applyWaitingEvents(server.ctx);
    expect(await inSuspense()).toEqual([6000]);
    const payment = await server.ctx.db
      .selectFrom('payments')
      .select('id')
      .where('intentId', '=', intentId)
      .executeTakeFirstOrThrow();
    await server.ctx.db
      .transaction()
      .execute((tx) => settleSuspense(server.ctx, tx, { of: 'payment', id: payment.id }, 'refunded'));
    await sendDueRefunds(server.ctx);
    expect((await refundsOf(story)).map(({ text }) => text)).toEqual([
      '4000 not_as_agreed done',
      '6000 not_as_agreed done',
    ]);
    expect(await inSuspense()).toEqual([]);
  });

  // Proves FIELD-75
  it('the refund of a payment that came too late may be made outside as well', async () => {
    const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
    const ad = await makeApprovedAd(seller, buyer, { product: VIEWS });
    const { paymentIntentId: intentId } = await payByCard(buyer, ad);
    // The ad expires before the event about its payment arrives.
    await server.ctx.db
      .updateTable('ads')
      .set({ status: 'rejected', rejectionReason: 'Not paid in time' })
      .where('id', '=', ad.id)
      .execute();
    const story = { ad, buyer, seller, zoneId: ad.adZoneId, intentId };
    await refundOutside(story, 2500);
    await applyWaitingEvents(server.ctx);
    await sendDueRefunds(server.ctx);
    server.clock.advance(DAY_MS);
    await sendDueRefunds(server.ctx);
    expect((await refundsOf(story)).map(({ text }) => text)).toEqual([
      '7500 too_late done',
      '2500 too_late done',
    ]);
  });

  // Proves FIELD-76
  it('a dispute of the rest takes the rest', async () => {
    const story = await running(600);
    await refundOutside(story, 7000);
    await applyWaitingEvents(server.ctx);
    await sandbox.play.dispute(story.intentId, 'dispute');
    await applyWaitingEvents(server.ctx);
    await sandbox.play.closeDispute(story.intentId, 'lost');
    await applyWaitingEvents(server.ctx);
    expect(await refundsOf(story)).toMatchObject([{ text: '7000 operator done', shares: [3400, 600, 3000] }]);
    // The bank takes 30.00, of which the publisher bears its share.
    expect(await earnedBy(story)).toBe(5100 - 2550);
  });

  // Proves FIELD-76
  it('a dispute of more than the rest has a credit note of the rest, so that none is about the same money', async () => {
    const story = await running(1000);
    await sandbox.play.dispute(story.intentId, 'inquiry');
    await refundOutside(story, 7000);
    await sandbox.play.dispute(story.intentId, 'dispute');
    await applyWaitingEvents(server.ctx);
    await sandbox.play.closeDispute(story.intentId, 'lost');
    await applyWaitingEvents(server.ctx);
    expect(await refundsOf(story)).toEqual([
      { text: '7000 operator done', shares: [0, 0, 7000], note: 7000 },
    ]);
    const { disputeId, amountCents: notedCents } = await server.ctx.db
      .selectFrom('documents')
      .innerJoin('payments', 'payments.id', 'documents.paymentId')
      .select(['documents.disputeId', 'documents.amountCents'])
      .where('payments.adId', '=', story.ad.id)
      .where('documents.disputeId', 'is not', null)
      .executeTakeFirstOrThrow();
    const { borneCents } = await server.ctx.db
      .selectFrom('disputes')
      .select('borneCents')
      .where('id', '=', disputeId)
      .executeTakeFirstOrThrow();
    expect([notedCents, borneCents]).toEqual([3000, 8500]);
  });
});
