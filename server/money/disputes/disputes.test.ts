/** Disputes, appeals, reviews and their evidence, with both providers. */
import { sql } from 'kysely';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import type { AdZone } from '#domain/inventory/contract.ts';
import { DAY_MS, HOUR_MS, MINUTE_MS } from '#domain/time.ts';
import { isSandbox, type SandboxProvider } from '#server/platform/provider/sandbox/payments.ts';
import {
  type BalanceTransaction,
  type Dispute,
  type PaymentProvider,
  ProviderError,
} from '#server/platform/provider/payment-provider.ts';
import { beginPayment, CARD, withProvider } from '#server/testing/money/checkout.ts';
import type { Client } from '#server/testing/client.ts';
import { countAt } from '#server/testing/figures.ts';
import { mailTo, mailToOperator } from '#server/testing/mail/mail.ts';
import type { StripeServer } from '#server/testing/stripe/stripe-server.ts';
import { useServerWithStripe } from '#server/testing/stripe/use-stripe.ts';
import { applyWaitingEvents } from '#server/testing/money/sandbox.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { approve, makeAd, makeProduct, makeWebsite, makeZone } from '#server/testing/story.ts';
import { listMoney } from '../books/list.ts';
import { runMoneyWork } from '../books/run.ts';
import { readBooks } from '../books/books.ts';
import { settleSuspense, type SuspenseRef, suspenseRef } from '../books/suspense.ts';
import { answerDueDisputes } from './evidence.ts';
import { ledgerImbalances } from '../ledger/check.ts';
import { refundByOperator } from '../refunds/by-operator.ts';

/** The events at a provider that our server doesn't cause. */
type Bank = {
  pay: (clientSecret: string) => Promise<unknown>;
  dispute: (intentId: string, kind: 'dispute' | 'inquiry') => Promise<string>;
  close: (intentId: string, disputeId: string, status: 'won' | 'lost') => Promise<unknown>;
  appeal: (intentId: string, disputeId: string) => Promise<unknown>;
  openReview: (intentId: string) => Promise<string>;
  closeReview: (intentId: string, id: string) => Promise<unknown>;
  delivered: () => Promise<void>;
};

const bankOfSandbox = (sandbox: SandboxProvider): Bank => ({
  pay: (clientSecret) => sandbox.confirm(clientSecret, CARD),
  dispute: (intentId, kind) => sandbox.play.dispute(intentId, kind),
  close: (intentId, _id, status) => sandbox.play.closeDispute(intentId, status),
  appeal: (intentId) => sandbox.play.appeal(intentId),
  openReview: (intentId) => sandbox.play.openReview(intentId),
  closeReview: (intentId) => sandbox.play.closeReview(intentId),
  delivered: async () => {},
});

const bankOfStripe = (stripe: StripeServer): Bank => ({
  pay: async (clientSecret) => {
    stripe.pay(clientSecret, CARD.number);
    stripe.makeFeesKnown();
  },
  dispute: async (intentId, kind) =>
    stripe.dispute(intentId, kind === 'inquiry' ? 'warning_needs_response' : 'needs_response').id,
  close: async (_intentId, id, status) => stripe.closeDispute(id, status),
  appeal: async (_intentId, id) => stripe.appeal(id),
  openReview: async (intentId) => stripe.openReview(intentId).id,
  closeReview: async (_intentId, id) => stripe.closeReview(id, 'approved'),
  delivered: stripe.delivered,
});

describe.each(['sandbox', 'stripe'] as const)('with %s', (name) => {
  const { server, stripe } =
    name === 'stripe' ? useServerWithStripe() : { server: useOwnServer(), stripe: null };
  const now = () => server.clock.now();
  let bank: Bank;
  let seller: Client;
  let buyer: Client;
  let zone: AdZone;
  beforeAll(async () => {
    if (stripe) stripe.webhooks = { account: `${server.url}/api/webhooks/stripe`, isLost: false };
    const { payments } = server.ctx;
    bank = stripe ? bankOfStripe(stripe) : bankOfSandbox(payments as SandboxProvider);
    if (isSandbox(payments) !== (name === 'sandbox')) throw new Error(`The server does not use ${name}`);
    [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
    zone = await makeZone(seller, await makeWebsite(seller));
  });
  afterAll(async () => {
    const found = await ledgerImbalances(server.ctx.db);
    if (found.length > 0) throw new Error(found.join('\n'));
  });

  /** The events of earlier tests. */
  let earlier: string[] = [];
  beforeEach(async () => {
    earlier = (await server.ctx.db.selectFrom('providerEvents').select('id').execute()).map(({ id }) => id);
  });
  /** Lets each event of this test be handled again. */
  const reopenEvents = async () =>
    await server.ctx.db
      .updateTable('providerEvents')
      .set({ doneAt: null })
      .where('id', 'not in', ['', ...earlier])
      .execute();

  async function handled(): Promise<void> {
    await bank.delivered();
    await applyWaitingEvents(server.ctx);
  }
  async function paidAd(product: object = { duration: 10 }): Promise<{ ad: Ad; intentId: string }> {
    const option = await makeProduct(seller, zone, { ...product });
    const ad = await approve(seller, await makeAd(buyer, option));
    const { clientSecret } = (await beginPayment(buyer, ad)).body as { clientSecret: string };
    const intentId = clientSecret.split('_secret_')[0] as string;
    await bank.pay(clientSecret);
    await handled();
    expect((await buyer.post('/api/payment-success', { paymentIntentId: intentId })).status).toBe(200);
    server.clock.advance(MINUTE_MS);
    return { ad, intentId };
  }
  const VIEWS = { pricingModel: 'per_impression', duration: null, impressions: 100 };
  const adOf = async (ad: Ad) => (await buyer.get(`/api/ads/${ad.id}`)).body as Ad;
  const ledgerOf = async (client: Client, ad: Ad) => (await client.get(`/api/ads/${ad.id}/ledger`)).body;
  const disputeRow = async (disputeId: string) =>
    await server.ctx.db
      .selectFrom('disputes')
      .selectAll()
      .where('disputeId', '=', disputeId)
      .executeTakeFirstOrThrow();
  const subjectsTo = async (client: Client) =>
    (await mailTo(server.ctx, client.user.email)).map(({ subject }) => subject);
  const holdsOf = async (ad: Ad) => {
    const rows = await server.ctx.db
      .selectFrom('holds')
      .select(['reason', 'releasedAt'])
      .where('adId', '=', ad.id)
      .where('reason', '<>', 'unverified_site')
      .orderBy('id')
      .execute();
    return rows.map(({ reason, releasedAt }) => `${reason} ${releasedAt ? 'released' : 'held'}`);
  };

  // Proves HOOK-12
  it('both sides read the state of a dispute on the page of the ad’s money, and get a mail about it', async () => {
    const { ad, intentId } = await paidAd();
    expect((await ledgerOf(buyer, ad)).dispute).toBeNull();
    const id = await bank.dispute(intentId, 'inquiry');
    await handled();
    expect((await ledgerOf(seller, ad)).dispute).toMatchObject({ stage: 'inquiry', amount: '100.00' });
    expect(await adOf(ad)).toMatchObject({ status: 'active', paused: 'dispute' });
    expect(await subjectsTo(buyer)).toContain(
      'Your campaign is paused because your bank asks about its payment',
    );
    await bank.close(intentId, id, 'won');
    await handled();
    expect((await ledgerOf(buyer, ad)).dispute).toMatchObject({ stage: 'won', dueAt: null });
    expect(await adOf(ad)).toMatchObject({ status: 'active', paused: null });
    const disputed = await bank.dispute(intentId, 'dispute');
    await handled();
    expect((await ledgerOf(buyer, ad)).dispute).toMatchObject({
      stage: 'needs_response',
      dueAt: expect.any(String),
    });
    expect(await subjectsTo(seller)).toContain('The payment of a campaign on your site is disputed');
    await bank.close(intentId, disputed, 'lost');
    await handled();
    expect((await ledgerOf(seller, ad)).dispute).toMatchObject({ stage: 'lost', dueAt: null });
    expect(await adOf(ad)).toMatchObject({ status: 'completed', endedReason: 'fraud_warning' });
  });

  // Proves DISP-02
  it('evidence is staged at once and sent one day before it is due, once', async () => {
    const { ad, intentId } = await paidAd(VIEWS);
    await countAt(server.ctx, ad, now().toISOString(), 40, 2);
    const id = await bank.dispute(intentId, 'dispute');
    await handled();
    expect(await answerDueDisputes(server.ctx)).toBe(1);
    const staged = await disputeRow(id);
    expect(staged).toMatchObject({ evidenceState: 'staged', status: 'needs_response', evidenceError: null });
    expect(await server.ctx.payments.getDispute(id)).toMatchObject({ submissions: 0 });
    expect(await answerDueDisputes(server.ctx)).toBe(0);
    const until = (staged.dueAt as Date).getTime() - DAY_MS - now().getTime();
    server.clock.advance(until - HOUR_MS);
    expect(await answerDueDisputes(server.ctx)).toBe(0);
    server.clock.advance(HOUR_MS + MINUTE_MS);
    // Two instances at the same moment.
    const counts = await Promise.all([1, 2, 3].map(() => answerDueDisputes(server.ctx)));
    expect(counts.reduce((sum, count) => sum + count)).toBe(1);
    await handled();
    expect(await disputeRow(id)).toMatchObject({ evidenceState: 'sent', status: 'under_review' });
    expect(await server.ctx.payments.getDispute(id)).toMatchObject({
      submissions: 1,
      status: 'under_review',
    });
    expect((await ledgerOf(buyer, ad)).dispute).toMatchObject({ stage: 'under_review' });
    expect(await subjectsTo(buyer)).toContain('We have answered your dispute');
    expect(await subjectsTo(seller)).toContain('We have answered the dispute about a campaign on your site');
    const { evidence } = (await disputeRow(id)) as unknown as { evidence: Record<string, string> };
    expect(evidence).toMatchObject({
      customerEmail: buyer.user.email,
      activityLog: expect.stringContaining(': 40 viewable impressions, 2 clicks'),
      productDescription: expect.stringContaining('Bought: 100 impressions for 100.00 USD'),
      summary: expect.stringContaining('The publisher approved this submission'),
      refundPolicy: expect.stringContaining('Terms version'),
    });
    if (stripe) {
      expect(stripe.object(id)['evidence']).toMatchObject({
        access_activity_log: evidence['activityLog'],
        uncategorized_text: evidence['summary'],
      });
      expect(
        stripe.requests.filter(({ parameters }) => parameters['submit'] === 'true').length,
      ).toBeGreaterThan(0);
    }
    await bank.close(intentId, id, 'won');
    await handled();
    expect(await adOf(ad)).toMatchObject({ status: 'active', paused: null });
  });

  // Proves DISP-02
  it('evidence does not count traffic that was withdrawn', async () => {
    const { ad, intentId } = await paidAd(VIEWS);
    await countAt(server.ctx, ad, now().toISOString(), 40, 2);
    const counted = now();
    server.clock.advance(2 * HOUR_MS);
    await countAt(server.ctx, ad, now().toISOString(), 7, 0);
    await sql`select withdraw_traffic(${now()}, ${ad.adZoneId}, date_trunc('hour', ${counted}::timestamptz, 'utc'),
      date_trunc('hour', ${counted}::timestamptz, 'utc') + interval '1 hour',
      '[{"signal": "network", "value": 1, "bound": 30}]')`.execute(server.ctx.db);
    const id = await bank.dispute(intentId, 'dispute');
    await handled();
    await answerDueDisputes(server.ctx);
    const { evidence } = (await disputeRow(id)) as unknown as { evidence: Record<string, string> };
    expect(evidence['activityLog']).toMatch(/^[\d-]+ \(UTC\): 7 viewable impressions, 0 clicks$/);
    expect(evidence['summary']).toContain('Counted so far: 7 viewable impressions and 0 clicks.');
    await bank.close(intentId, id, 'won');
    await handled();
  });

  // Proves DISP-02
  it('evidence whose answer was lost is sent again under the same key, and reaches the bank once', async () => {
    const { intentId } = await paidAd();
    const id = await bank.dispute(intentId, 'dispute');
    await handled();
    await answerDueDisputes(server.ctx);
    server.clock.advance(((await disputeRow(id)).dueAt as Date).getTime() - now().getTime() - HOUR_MS);
    const keys: string[] = [];
    await withProvider(
      server.ctx,
      (real) => ({
        submitEvidence: async (...given) => {
          keys.push(given[2]);
          await real.submitEvidence(...given);
          throw new ProviderError('unavailable', 'socket hang up');
        },
      }),
      () => answerDueDisputes(server.ctx),
    );
    expect(await disputeRow(id)).toMatchObject({ evidenceState: 'sending', evidenceError: 'socket hang up' });
    server.clock.advance(HOUR_MS);
    await withProvider(
      server.ctx,
      (real) => ({
        submitEvidence: async (...given) => {
          keys.push(given[2]);
          return await real.submitEvidence(...given);
        },
      }),
      () => answerDueDisputes(server.ctx),
    );
    expect(keys).toHaveLength(2);
    expect(new Set(keys).size).toBe(1);
    expect((await server.ctx.payments.getDispute(id)).submissions).toBe(1);
    expect(await disputeRow(id)).toMatchObject({ evidenceState: 'sent' });
    await handled();
  });

  // Proves DISP-02
  it('evidence whose answer was lost for days counts as sent when the bank has it', async () => {
    const { intentId } = await paidAd();
    const id = await bank.dispute(intentId, 'dispute');
    await handled();
    await answerDueDisputes(server.ctx);
    server.clock.advance(((await disputeRow(id)).dueAt as Date).getTime() - now().getTime() - HOUR_MS);
    const lost = (real: PaymentProvider): Partial<PaymentProvider> => ({
      submitEvidence: async (...given) => {
        await real.submitEvidence(...given);
        throw new ProviderError('unavailable', 'socket hang up');
      },
    });
    await withProvider(server.ctx, lost, () => answerDueDisputes(server.ctx));
    await handled();
    server.clock.advance(2 * DAY_MS);
    await answerDueDisputes(server.ctx);
    expect(await disputeRow(id)).toMatchObject({ evidenceState: 'sent', evidenceError: null });
    expect((await server.ctx.payments.getDispute(id)).submissions).toBe(1);
  });

  // Proves DISP-04, LEDG-12
  it('an appeal that is won after the loss was booked is announced once, and undoes the loss once', async () => {
    const { ad, intentId } = await paidAd(VIEWS);
    await countAt(server.ctx, ad, now().toISOString(), 40, 0);
    await runMoneyWork(server.ctx);
    const id = await bank.dispute(intentId, 'dispute');
    await handled();
    await bank.close(intentId, id, 'lost');
    await handled();
    expect((await ledgerOf(seller, ad)).earned).toBe('0.00');
    await bank.appeal(intentId, id);
    await handled();
    expect((await ledgerOf(seller, ad)).dispute).toMatchObject({ stage: 'appeal' });
    await reopenEvents();
    await handled();
    const told = async (address: string) =>
      (await mailTo(server.ctx, address)).filter(({ kind }) => kind === 'dispute-appealed');
    expect(await told(seller.user.email)).toMatchObject([
      { subject: 'A dispute about a campaign on your site is decided again' },
    ]);
    expect(await told(buyer.user.email)).toMatchObject([{ subject: 'Your dispute is decided again' }]);
    const [mail, ...more] = await told(server.ctx.config.contactEmail);
    expect(more).toEqual([]);
    expect(mail?.text).toContain(`decides the dispute ${id} about $100.00 again`);
    expect(mail?.text).toContain('/operator/books');
    await bank.close(intentId, id, 'won');
    await handled();
    await reopenEvents();
    await handled();
    expect(await ledgerImbalances(server.ctx.db)).toEqual([]);
    expect(await ledgerOf(seller, ad)).toMatchObject({ earned: '34.00', open: '51.00', refunded: '0.00' });
    expect(await subjectsTo(seller)).toContain(
      'The bank has returned the payment of a campaign on your site',
    );
    // The undelivered part goes back to the advertiser, as with any ended campaign.
    await runMoneyWork(server.ctx);
    await runMoneyWork(server.ctx);
    expect(await ledgerOf(buyer, ad)).toMatchObject({ earned: '40.00', refunded: '60.00', open: '0.00' });
    const { body: payments } = await buyer.get('/api/billing/payments');
    const own = (payments as { adPublicId: string; refunds: object[] }[]).find(
      ({ adPublicId }) => adPublicId === ad.publicId,
    );
    expect(own?.refunds).toMatchObject([{ amount: '60.00', reason: 'fraud_warning' }]);
    expect((await disputeRow(id)).recoveredAt).not.toBeNull();
  });

  // Proves LEDG-10, LEDG-12
  it('a refund that a lost dispute took is taken again by the next one, after the bank has returned the first', async () => {
    const { db } = server.ctx;
    const { ad, intentId } = await paidAd(VIEWS);
    const refund = async () =>
      await db
        .selectFrom('refunds')
        .innerJoin('payments', 'payments.id', 'refunds.paymentId')
        .select(['refunds.status', 'refunds.settledBy'])
        .where('payments.adId', '=', ad.id)
        .executeTakeFirstOrThrow();
    const first = await bank.dispute(intentId, 'dispute');
    await handled();
    await db
      .transaction()
      .execute((tx) =>
        refundByOperator(server.ctx, tx, { adId: ad.id, amountCents: 40_00, reason: 'Goodwill' }),
      );
    await bank.close(intentId, first, 'lost');
    await handled();
    await runMoneyWork(server.ctx);
    expect(await refund()).toEqual({ status: 'done', settledBy: (await disputeRow(first)).id });
    await bank.appeal(intentId, first);
    await handled();
    await bank.close(intentId, first, 'won');
    await handled();
    expect(await refund()).toEqual({ status: 'owed', settledBy: null });

    const second = await bank.dispute(intentId, 'dispute');
    await handled();
    await bank.close(intentId, second, 'lost');
    await handled();
    server.clock.advance(2 * DAY_MS);
    await runMoneyWork(server.ctx);
    expect(await refund()).toEqual({ status: 'done', settledBy: (await disputeRow(second)).id });
    expect(await ledgerImbalances(db)).toEqual([]);
  });

  it('the operator is mailed each new dispute or inquiry, and each new hold of earnings, once', async () => {
    const mailed = async (kind: Parameters<typeof mailToOperator>[1], word: string | number) =>
      (await mailToOperator(server.ctx, kind)).filter(({ text }) => text.includes(String(word)));
    for (const [kind, subject] of [
      ['dispute', 'A payment is disputed'],
      ['inquiry', 'A bank asks about a payment'],
    ] as const) {
      const { ad, intentId } = await paidAd();
      const id = await bank.dispute(intentId, kind);
      await handled();
      await reopenEvents();
      await handled();
      await bank.close(intentId, id, 'won');
      await handled();
      const mails = await mailed('dispute-opened', id);
      expect(mails).toMatchObject([{ subject }]);
      expect(mails[0]?.text).toContain(`paid for ad ${ad.id}.`);
      expect(mails[0]?.text).toContain('The bank takes evidence until');
      expect(mails[0]?.text).toContain('/operator/books');
    }
    const { ad, intentId } = await paidAd();
    const id = await bank.openReview(intentId);
    await handled();
    await reopenEvents();
    await handled();
    expect(await mailed('money-held', `ad ${ad.id} `)).toMatchObject([{ subject: 'Earnings are on hold' }]);
    await bank.closeReview(intentId, id);
    await handled();
  });

  // Proves HOOK-13
  it('a review of the provider holds the earnings until it is closed', async () => {
    const { ad, intentId } = await paidAd();
    const id = await bank.openReview(intentId);
    await handled();
    expect(await holdsOf(ad)).toEqual(['fraud_warning held']);
    expect(await adOf(ad)).toMatchObject({ status: 'active', paused: null });
    await bank.closeReview(intentId, id);
    await handled();
    expect(await holdsOf(ad)).toEqual(['fraud_warning released']);
  });

  /** Handles the events about an object again, while the provider answers as `changes` say. */
  async function handleAgain(
    objectId: string,
    changes: (real: PaymentProvider) => Partial<PaymentProvider>,
  ): Promise<void> {
    const { db } = server.ctx;
    await sql`update provider_events set done_at = null where payload ->> 'objectId' = ${objectId}`.execute(
      db,
    );
    await withProvider(server.ctx, changes, handled);
  }
  const disputeWith = (changes: Partial<Dispute>) => (real: PaymentProvider) => ({
    getDispute: async (id: string) => ({ ...(await real.getDispute(id)), ...changes }),
  });

  // Proves DISP-05
  it('an unknown status pauses the ad, is listed, and ends with the next known status', async () => {
    const { ad, intentId } = await paidAd();
    const id = await bank.dispute(intentId, 'inquiry');
    await handleAgain(id, disputeWith({ status: 'warning_a_new_word' }));
    expect(await adOf(ad)).toMatchObject({ paused: 'dispute' });
    expect((await ledgerOf(buyer, ad)).dispute).toMatchObject({ stage: 'unknown' });
    expect((await readBooks(server.ctx)).disputes).toContainEqual(
      expect.objectContaining({ id, status: 'warning_a_new_word' }),
    );
    server.clock.advance(30 * DAY_MS);
    await answerDueDisputes(server.ctx);
    expect((await server.ctx.payments.getDispute(id)).submissions).toBe(0);
    await bank.close(intentId, id, 'won');
    await handled();
    expect(await adOf(ad)).toMatchObject({ paused: null });
  });

  // Proves HOOK-13
  it('a review that ends as fraud keeps the hold', async () => {
    const { ad, intentId } = await paidAd();
    const id = await bank.openReview(intentId);
    await handled();
    await bank.closeReview(intentId, id);
    await handleAgain(id, (real) => ({
      getReview: async (review) => ({
        ...(await real.getReview(review)),
        isOpen: false,
        closedReason: 'refunded_as_fraud',
      }),
    }));
    expect(await holdsOf(ad)).toEqual(['fraud_warning held']);
  });

  // Proves DISP-02
  it('evidence that was sent in the provider’s dashboard is not sent again', async () => {
    const { intentId } = await paidAd();
    const id = await bank.dispute(intentId, 'dispute');
    await handled();
    await answerDueDisputes(server.ctx);
    await handleAgain(id, disputeWith({ submissions: 1 }));
    expect(await disputeRow(id)).toMatchObject({ evidenceState: 'sent', evidenceNextAt: null });
    server.clock.advance(30 * DAY_MS);
    expect(await answerDueDisputes(server.ctx)).toBe(0);
    expect((await server.ctx.payments.getDispute(id)).submissions).toBe(0);
  });

  // Proves LEDG-12
  it('a part of a lost dispute that comes back waits in suspense', async () => {
    const { ad, intentId } = await paidAd();
    const id = await bank.dispute(intentId, 'dispute');
    await handled();
    await bank.close(intentId, id, 'lost');
    await handled();
    const [taken] = (await server.ctx.payments.getDispute(id)).balanceTransactions;
    const part = { ...taken, id: `txn_part_${name}`, amount: 4000, fee: 0, net: 4000 } as BalanceTransaction;
    await handleAgain(
      id,
      disputeWith({ status: 'lost', balanceTransactions: [taken as BalanceTransaction, part] }),
    );
    const { suspense } = await listMoney(server.ctx);
    expect(suspense).toMatchObject([{ ad: null, amountCents: 4000 }]);
    const ref = suspenseRef(String(suspense[0]?.id)) as SuspenseRef;
    await server.ctx.db.transaction().execute((tx) => settleSuspense(server.ctx, tx, ref, 'written_off'));
    expect((await listMoney(server.ctx)).suspense).toEqual([]);
    expect((await ledgerOf(seller, ad)).earned).toBe('0.00');
  });
});
