/**
 * Random histories of money: sales, delivery, pauses, ends, refunds that fail, disputes, withdrawn traffic, payouts and
 * their reversals, duplicates, races. The books must hold after each step. At the end of a history, when all work is
 * done, they must also agree with the provider's balance.
 */
import { sql } from 'kysely';
import { type AdPlan, planOf } from '#domain/inventory/pricing.ts';
import type { DebtOutcome } from '#domain/payments/debts.ts';
import { timesPlan } from '#domain/inventory/quantity.ts';
import { centsOf, decimalOf } from '#domain/money.ts';
import { DEFAULT_COMMISSION_PERCENT, splitPrice } from '#domain/payments/split.ts';
import { parseTaxTable } from '#domain/payments/tax-table.ts';
import { later, DAY_MS, HOUR_MS } from '#domain/time.ts';
import { ProviderError } from '#server/platform/provider/payment-provider.ts';
import type { SandboxProvider } from '#server/platform/provider/sandbox/payments.ts';
import { extendForSilentDays } from '#server/ads/clock/clock.ts';
import { completeDueAds } from '#server/ads/life/complete.ts';
import type { Context } from '#server/platform/context.ts';
import { HttpError } from '#server/platform/http/errors.ts';
import { changeZone } from '#server/market/inventory/offer.ts';
import { overruleWithdrawal } from '#server/delivery/invalid-traffic/overrule.ts';
import { chargeConsented, chargeDueConsents } from '#server/money/consents/charge.ts';
import { confirm as confirmConsent } from '#server/money/consents/confirm.ts';
import { create as createConsent } from '#server/money/consents/create.ts';
import { withdrawOwn } from '#server/money/consents/withdraw.ts';
import { checkPayments } from '#server/money/events/check-payments.ts';
import { createIntent } from '#server/money/checkout/create-intent.ts';
import { accrueDue } from '#server/money/ledger/accrue.ts';
import { balancesOf } from '#server/money/ledger/balances.ts';
import { reportSuccess } from '#server/money/checkout/payment-success.ts';
import { refundByOperator } from '#server/money/refunds/by-operator.ts';
import { cancel } from '#server/money/refunds/cancelling/cancel.ts';
import { postedBalance } from '#server/money/payouts/balance.ts';
import { payOutNow } from '#server/money/payouts/request.ts';
import { checkDocuments } from '#server/money/documents/check.ts';
import { makeMonthlyDocuments } from '#server/money/documents/months.ts';
import { runPayouts } from '#server/money/payouts/run.ts';
import { endAndRefund } from '#server/money/refunds/end.ts';
import { endOverdueAds } from '#server/money/refunds/endings.ts';
import { quoteRefund } from '#server/money/refunds/cancelling/quote.ts';
import { sendDueRefunds } from '#server/money/refunds/send.ts';
import { bookDebtPaid } from '#server/operator/money/debts.ts';
import { writeOffOrAsk } from '#server/operator/requests/requests.ts';
import { playCase } from '#server/operator/rehearsal/play.ts';
import { countInPartitions } from '#server/app/sample/count-moments.ts';
import { CARD } from '../money/checkout.ts';
import { onboard } from '../money/payouts.ts';
import type { Act, ActOf, Step } from './acts.ts';
import { type Changes, checkBooks, checkConsents, checkTaxDocuments, UnitsNeverFall } from './invariants.ts';
import type { Market } from './market.ts';

const START = new Date('2026-03-02T09:00:00Z');

/** More ads at once make a history slower, but not richer. */
const MAX_RUNNING = 4;

/** The tables of a history, which begins with empty ones. */
const TABLES = [
  'documents',
  'document_series',
  'closed_months',
  'ads',
  'tag_looks',
  'unsettled_ads',
  'ad_days',
  'payments',
  'payment_consents',
  'consent_ads',
  'refunds',
  'refund_tries',
  'refund_quotes',
  'payouts',
  'payout_transfers',
  'transfer_reversals',
  'payout_weeks',
  'ad_earnings',
  'earned_hours',
  'ledger_tx',
  'ledger_postings',
  'ledger_accounts',
  'ledger_balances',
  'ledger_months',
  'ledger_unlogged',
  'ledger_leaves',
  'ledger_nodes',
  'ledger_roots',
  'withdrawals',
  'withdrawn_hours',
  'delivery_hourly',
  'ad_performance',
  'provider_events',
  'sandbox_objects',
] as const;

/** The acts that move, stop or extend the clock of an ad by the day, or say whether its day was silent. */
const CLOCK_ACTS = new Set<Act['act']>([
  'wait',
  'deliver',
  'request',
  'pause',
  'resume',
  'job',
  'cancel',
  'takeDown',
  'withdraw',
  'overrule',
]);

/** Two countries, one with rates that change after a week and after two months, and reverse charge. Every second advertiser of each country is a business. */
const TAXES = parseTaxTable(`{"version": 2, "seller": "DE", "countries": {
  "DE": [{"rate": "19.00"}, {"from": "2026-03-09", "rate": "16.00"}, {"from": "2026-05-01", "rate": "19.00"}],
  "CH": {"rate": "8.10"},
  "IT": {"rate": "22.00", "business": "reverse_charge", "sentence": "Reverse charge."}}}`);
const COUNTRIES = ['DE', 'CH', 'IT'] as const;

type Made = { id: number; publicId: string; adZoneId: number };
type Sold = Made & { intentId: string };

export class Histories {
  private readonly market: Market;
  private ads: Sold[] = [];
  /** The ads that wait for their publisher, each with a consent. */
  private waiting: (Made & { consentId: number })[] = [];
  private readonly changes: Changes;
  private readonly units = new UnitsNeverFall();
  private away: Pick<ActOf<'away'>, 'how' | 'calls'> | null = null;
  private payeeId = '';
  private readonly faults: Error[] = [];
  private readonly ctx: Context;
  /** Every second history has the traffic rules of production, which judge the days of an ad by its views. */
  private readonly config: Context['config'];
  private histories: number;
  private readonly sandbox: SandboxProvider;

  /** `first` chooses the settings of the first history. Each history has others than the one before. */
  constructor(market: Market, changes: Changes, first: number) {
    const { ctx, sandbox } = market;
    this.histories = first;
    this.market = market;
    this.changes = changes;
    this.sandbox = sandbox;
    this.config = { ...ctx.config };
    this.ctx = {
      ...ctx,
      config: this.config,
      log: this.listen(ctx.log),
      payments: {
        ...sandbox,
        chargeSaved: async (...given) => await this.orFail(() => sandbox.chargeSaved(...given)),
        refund: async (...given) => await this.orFail(() => sandbox.refund(...given)),
        transfer: async (...given) => await this.orFail(() => sandbox.transfer(...given)),
        reverse: async (...given) => await this.orFail(() => sandbox.reverse(...given)),
      },
    };
  }

  /** A job logs an error and goes on with the next row. Here, such an error is a fault unless it was arranged. */
  private listen(log: Context['log']): Context['log'] {
    const error = (about: { err?: unknown }) => {
      if (about.err instanceof Error && !isArranged(about.err)) this.faults.push(about.err);
    };
    return new Proxy(log, { get: (target, key) => (key === 'error' ? error : Reflect.get(target, key)) });
  }

  /** Plays a history from empty books. Throws if the books do not hold after one of its steps. */
  async play(steps: readonly Step[]): Promise<void> {
    this.config.trafficRules = this.histories % 2 === 0 ? 'production' : 'development';
    this.config.taxTable = this.histories % 3 === 0 ? null : TAXES;
    this.config.taxSplit = this.histories % 3 === 1 ? 'net' : 'gross';
    this.config.selfBilling = {
      ...this.market.ctx.config.selfBilling,
      isOffered: this.histories % 5 !== 4,
      publisherTax: Math.floor(this.histories / 3) % 2 === 0 ? 'on_top' : 'included',
    };
    const fee = this.histories % 4 < 2 ? 'operator' : 'buyer';
    this.config.cancels = { ...this.market.ctx.config.cancels, fee, perDay: 1000 };
    this.histories++;
    await this.empty();
    for (const [place, acts] of steps.entries()) {
      try {
        await this.take(acts);
      } catch (error) {
        throw new Error(`Step ${place + 1}, ${JSON.stringify(acts)}: ${String(error)}`, { cause: error });
      }
    }
    await this.finish();
  }

  private async empty(): Promise<void> {
    await this.market.pool.query(`truncate ${TABLES.join(', ')} restart identity cascade`);
    await this.setZone(true);
    // Each history begins at the same time. Otherwise the clock would run past the card's expiry.
    this.market.clock.set(START);
    this.ads = [];
    this.waiting = [];
    this.units.clear();
    this.away = null;
    // A charge on approval takes the country of the settings.
    await sql`insert into user_settings (user_id, country) values (${this.market.buyer.id}, 'DE')
      on conflict (user_id) do update set country = 'DE'`.execute(this.ctx.db);
    this.payeeId = await onboard(this.ctx, this.market.seller.id);
    await this.chargeTax(true);
  }

  private async take(acts: readonly Act[]): Promise<void> {
    const outcomes = await Promise.allSettled(acts.map(async (each) => await this.run(each)));
    for (const outcome of outcomes)
      if (outcome.status === 'rejected' && !isRefusal(outcome.reason)) throw outcome.reason;
    await this.hold(acts);
  }

  /** Checks all invariants that these acts could have broken, and throws for a broken one. Without acts, checks all. */
  private async hold(acts?: readonly Act[]): Promise<void> {
    const [fault] = this.faults.splice(0);
    if (fault) throw fault;
    const changes = await this.changes.take();
    if (changes.books || !acts) {
      await checkBooks(this.ctx.db);
      await checkConsents(this.ctx.db);
    }
    // Only an honored quote and withdrawn traffic take units back.
    const mayFall = acts?.some(({ act }) => act === 'withdraw' || act === 'cancel') ?? true;
    const recent = this.ads.slice(-MAX_RUNNING).map(({ id }) => id);
    const mayRun = acts?.some(({ act }) => CLOCK_ACTS.has(act)) ?? true;
    const areChanged = changes.units || !acts;
    await this.units.check(this.ctx.db, recent, this.ctx.now(), { mayFall, mayRun, areChanged });
  }

  private async run(given: Act): Promise<void> {
    switch (given.act) {
      case 'sell':
        return await this.sell(given);
      case 'consent':
        return await this.consent(given);
      case 'approve':
        return await this.approve();
      case 'removeCard':
        return await this.removeCard();
      case 'wait':
        return this.market.clock.advance(given.ms);
      case 'deliver':
        return await this.deliver(given.ad, given.events);
      case 'request':
        return await this.request();
      case 'pause':
        return await this.setZone(false);
      case 'resume':
        return await this.setZone(true);
      case 'job':
        return await this.job(given.job);
      case 'cancel':
        return await this.cancel(given.ad, given.waitMs);
      case 'takeDown':
        return await this.takeDown(given.ad);
      case 'reportAgain':
        return await this.reportAgain(given.ad);
      case 'refund':
        return await this.refund(given.ad, given.percent);
      case 'refundOutside':
        return await this.refundOutside(given.ad, given.percent);
      case 'play':
        return await this.playOn(given.ad, given.play);
      case 'withdraw':
        return await this.withdraw(given.hours);
      case 'overrule':
        return await this.overrule();
      case 'payOut':
        return await this.payOut();
      case 'chargeTax':
        return await this.chargeTax(given.charges);
      case 'endDebt':
        return await this.endDebt(given.outcome);
      case 'bankFails':
        return await this.bankFails();
      case 'documents':
        return await this.sandbox.play.reviewPayee(this.payeeId, given.areComplete);
      case 'away':
        this.away = { how: given.how, calls: given.calls };
    }
  }

  private async sell({ model, cents, amount, quantity }: ActOf<'sell'>): Promise<void> {
    if ((await this.countRunning()) >= MAX_RUNNING) return;
    const plan = {
      pricingModel: model,
      duration: model === 'per_day' ? amount : null,
      impressions: model === 'per_impression' ? amount : null,
      clicks: model === 'per_click' ? amount : null,
    };
    const ad = await this.makeAd({
      cents: quantity * cents,
      quantity,
      plan: timesPlan(planOf(plan), quantity),
    });
    await this.setApproved(ad);
    await this.payByHand(ad, quantity * cents);
  }

  private async makeAd({
    cents,
    quantity,
    plan,
  }: {
    cents: number;
    quantity: number;
    plan: AdPlan;
  }): Promise<Made> {
    return await this.ctx.db
      .insertInto('ads')
      .values({
        userId: this.market.buyer.id,
        adZoneId: this.market.zoneId,
        adType: 'text',
        title: 'Fresh coffee',
        description: 'Roasted on Monday.',
        targetUrl: 'https://coffee.example/start',
        quantity,
        totalAmount: decimalOf(cents),
        commissionAmount: decimalOf(splitPrice(cents, DEFAULT_COMMISSION_PERCENT).commissionCents),
        ...plan,
      })
      .returning(['id', 'publicId', 'adZoneId'])
      .executeTakeFirstOrThrow();
  }

  private async setApproved({ id }: Made): Promise<void> {
    const change = { status: 'approved', approvedAt: this.ctx.now() } as const;
    await this.ctx.db.updateTable('ads').set(change).where('id', '=', id).execute();
  }

  private async payByHand(ad: Made, cents: number): Promise<void> {
    const country = COUNTRIES[ad.id % 3]!;
    const taxId =
      ad.id % 2 === 0 ? { DE: '123456789', CH: 'CHE123456789', IT: '12345678901' }[country] : null;
    const body = { amount: decimalOf(cents), adPublicId: ad.publicId, receiptFor: { country, taxId } };
    const { clientSecret } = await createIntent(
      this.ctx,
      this.market.buyer,
      { params: {}, query: {}, body },
      { ip: '127.0.0.1' },
    );
    const intent = await this.sandbox.confirm(clientSecret, CARD);
    await this.report(intent.id);
    this.ads.push({ ...ad, intentId: intent.id });
  }

  private async consent({ ads, cents, card, spare }: ActOf<'consent'>): Promise<void> {
    if (this.waiting.length + (await this.countRunning()) >= MAX_RUNNING) return;
    const plan = { pricingModel: 'per_impression', duration: null, impressions: 10, clicks: null } as const;
    const made: Made[] = [];
    for (let n = 0; n < ads; n++) made.push(await this.makeAd({ cents: cents + n, quantity: 1, plan }));
    const sum = made.reduce((total, _, n) => total + cents + n, 0);
    const body = { limit: decimalOf(sum + spare), ads: made.map(({ id }) => ({ id })) };
    const given = { params: undefined, query: undefined, body };
    const { id, clientSecret } = await createConsent(this.ctx, this.market.buyer, given, { ip: '127.0.0.1' });
    const { status } = await this.sandbox.saveCard(clientSecret, { ...CARD, number: card });
    if (status === 'requires_action') await this.sandbox.authenticateSetup(clientSecret, 'complete');
    await confirmConsent(this.ctx, this.market.buyer, { ...given, params: { id } });
    this.waiting.push(...made.map((ad) => ({ ...ad, consentId: id })));
  }

  /** A card that is declined, challenged or removed leaves the ad to be paid by hand. */
  private async approve(): Promise<void> {
    const ad = this.waiting.shift();
    if (!ad) return;
    await this.setApproved(ad);
    await chargeConsented(this.ctx, ad.id);
    const { status, state, totalAmount } = await this.ctx.db
      .selectFrom('ads')
      .innerJoin('consentAds', 'consentAds.adId', 'ads.id')
      .select(['ads.status', 'ads.totalAmount', 'consentAds.state'])
      .where('ads.id', '=', ad.id)
      .executeTakeFirstOrThrow();
    if (status === 'active') {
      const { intentId } = await this.ctx.db
        .selectFrom('payments')
        .select('intentId')
        .where('adId', '=', ad.id)
        .where('intentId', 'is not', null)
        .executeTakeFirstOrThrow();
      this.ads.push({ ...ad, intentId: intentId! });
    } else if (state !== 'charging' && state !== 'waiting') {
      await this.payByHand(ad, centsOf(totalAmount));
    }
  }

  private async removeCard(): Promise<void> {
    const [ad] = this.waiting;
    if (!ad) return;
    const params = { id: ad.consentId };
    await withdrawOwn(this.ctx, this.market.buyer, {
      params,
      query: { ad: { id: ad.id } },
      body: undefined,
    });
  }

  private async countRunning(): Promise<number> {
    const { n } = await this.ctx.db
      .selectFrom('ads')
      .select(({ fn }) => fn.countAll<string>().as('n'))
      .where('status', '=', 'active')
      .executeTakeFirstOrThrow();
    return Number(n);
  }

  private async report(paymentIntentId: string): Promise<void> {
    await reportSuccess(this.ctx, this.market.buyer, { params: {}, query: {}, body: { paymentIntentId } });
  }

  private async reportAgain(place: number): Promise<void> {
    const ad = this.ads.at(-1 - place);
    if (ad) await this.report(ad.intentId);
  }

  private async deliver(place: number, events: number): Promise<void> {
    const ad = this.ads.at(-1 - place);
    const moment = { at: this.ctx.now(), views: events, clicks: events };
    if (ad) await countInPartitions(this.ctx.db, ad, [moment]);
  }

  private async request(): Promise<void> {
    await sql`insert into delivery_hourly (hour, zone_id, kind, reason, n)
      values (date_trunc('hour', ${this.ctx.now()}::timestamptz, 'utc'), ${this.market.zoneId}, 'decision', '', 1)
      on conflict (ad_id, kind, reason, hour, zone_id) do update set n = delivery_hourly.n + 1`.execute(
      this.ctx.db,
    );
  }

  /**
   * The end of a pause moves the days that are not judged yet. The job that judges them runs every minute, so that less
   * than a day is moved. Histories run it seldom, so it runs before a pause can end here.
   */
  private async setZone(isActive: boolean): Promise<void> {
    if (isActive) await this.job('days');
    await changeZone(this.ctx, this.market.seller, {
      params: { ref: { id: this.market.zoneId } },
      body: { isActive },
    });
  }

  private async job(name: ActOf<'job'>['job']): Promise<void> {
    switch (name) {
      case 'days': {
        const now = this.ctx.now();
        await extendForSilentDays(this.ctx, now);
        await completeDueAds(this.ctx, now);
        await makeMonthlyDocuments(this.ctx);
        return;
      }
      case 'charges':
        await chargeDueConsents(this.ctx);
        return;
      case 'accrue':
        await accrueDue(this.ctx);
        return;
      case 'accrueEarly':
        await accrueDue(this.ctx, { early: true });
        return;
      case 'endings':
        await endOverdueAds(this.ctx);
        return;
      case 'refunds':
        await sendDueRefunds(this.ctx);
        return;
      case 'payouts':
        await runPayouts(this.ctx);
        return;
      case 'payments':
        // A dispute that was won ends the pause of its ad, too.
        await this.job('days');
        await checkPayments(this.ctx);
        return;
      case 'settle':
        await this.sandbox.settle();
    }
  }

  private async cancel(place: number, waitMs: number): Promise<void> {
    const ad = this.ads.at(-1 - place);
    if (!ad) return;
    const params = { ref: { id: ad.id } };
    const { refundAmount } = await quoteRefund(
      this.ctx,
      this.market.buyer,
      { params, query: {}, body: {} },
      { ip: '192.0.2.1' },
    );
    this.market.clock.advance(waitMs);
    await cancel(
      this.ctx,
      this.market.buyer,
      { params, query: {}, body: { refundAmount } },
      { ip: '192.0.2.1' },
    );
  }

  private async takeDown(place: number): Promise<void> {
    const ad = this.ads.at(-1 - place);
    if (!ad) return;
    const end = {
      adId: ad.id,
      endedReason: 'taken_down',
      at: this.ctx.now(),
      takenDownReason: 'Not as approved',
    } as const;
    await this.ctx.db.transaction().execute(async (tx) => await endAndRefund(this.ctx, tx, end));
  }

  private async priceOf(ad: Sold): Promise<number> {
    const { totalAmount } = await this.ctx.db
      .selectFrom('ads')
      .select('totalAmount')
      .where('id', '=', ad.id)
      .executeTakeFirstOrThrow();
    return centsOf(totalAmount);
  }

  private async refundOutside(place: number, percent: number): Promise<void> {
    const ad = this.ads.at(-1 - place);
    if (!ad) return;
    const cents = Math.ceil(((await this.priceOf(ad)) * Math.min(percent, 100)) / 100);
    await this.sandbox.play.refundOutside(ad.intentId, cents).catch((error: unknown) => {
      if (!(error instanceof ProviderError)) throw error;
    });
  }

  private async refund(place: number, percent: number): Promise<void> {
    const ad = this.ads.at(-1 - place);
    if (!ad) return;
    const amountCents = percent === 100 ? null : Math.ceil(((await this.priceOf(ad)) * percent) / 100);
    const wanted = { adId: ad.id, amountCents, reason: 'Goodwill' };
    await this.ctx.db.transaction().execute(async (tx) => await refundByOperator(this.ctx, tx, wanted));
  }

  private async playOn(place: number, play: ActOf<'play'>['play']): Promise<void> {
    const ad = this.ads.at(-1 - place);
    if (ad) await playCase(this.ctx, this.sandbox, { play, ad: ad.id });
  }

  private async payOut(): Promise<void> {
    const client = { ip: '127.0.0.1', headers: {} };
    await payOutNow(this.ctx, this.market.seller, { params: undefined, query: undefined, body: {} }, client);
  }

  private async endDebt(outcome: DebtOutcome): Promise<void> {
    const operator = { id: null, dryRun: false };
    const debt = { id: this.market.seller.id, amount: null, reason: 'Played' };
    if (outcome === 'paid') await bookDebtPaid(this.ctx, operator, debt);
    else await writeOffOrAsk(this.ctx, operator, debt);
  }

  /** The publisher, a German business with self-billing, begins or ceases to charge tax. */
  private async chargeTax(charges: boolean): Promise<void> {
    const status = {
      country: 'DE',
      taxStatus: charges ? 'business' : 'small_business',
      chargesTax: charges,
      taxId: 'DE123456789',
      agreesToSelfBilling: true,
    } as const;
    await this.ctx.db
      .insertInto('userSettings')
      .values({ userId: this.market.seller.id, ...status })
      .onConflict((conflict) => conflict.column('userId').doUpdateSet(status))
      .execute();
  }

  private async bankFails(): Promise<void> {
    await this.sandbox.play.failLastPayout(this.payeeId).catch((error: unknown) => {
      if (!(error instanceof ProviderError)) throw error;
    });
  }

  private async withdraw(hours: number): Promise<void> {
    const now = this.ctx.now();
    const until = later(new Date(Math.floor(now.getTime() / HOUR_MS) * HOUR_MS), HOUR_MS);
    await sql`select withdraw_traffic(${now}, ${this.market.zoneId}, ${later(until, -hours * HOUR_MS)}, ${until},
      '[{"signal": "network", "value": 1, "bound": 0}]')`.execute(this.ctx.db);
  }

  private async overrule(): Promise<void> {
    const { rows } = await sql<{ id: number }>`select w.id from withdrawals w
      where w.overrules is null and not exists (select from withdrawals o where o.overrules = w.id)
      order by w.id desc limit 1`.execute(this.ctx.db);
    const id = rows[0]?.id;
    if (id === undefined) return;
    const what = { id, by: 'operator@example.test', reason: 'They were people' };
    await this.ctx.db.transaction().execute(async (tx) => await overruleWithdrawal(this.ctx, tx, what));
  }

  private async orFail<T>(call: () => Promise<T>): Promise<T> {
    const away = this.away;
    if (!away || away.calls === 0) return await call();
    away.calls--;
    if (away.how === 'refused') throw new ProviderError('invalid', 'Refused');
    if (away.how === 'after') await call();
    throw new ProviderError('unavailable', 'socket hang up');
  }

  /** Does all work that is left, and compares the books with the provider. */
  private async finish(): Promise<void> {
    this.away = null;
    await this.decideDisputes();
    // A card is not charged for an ad in a paused zone.
    await this.setZone(true);
    await this.sandbox.play.reviewPayee(this.payeeId, true);
    for (let round = 0; round < 30; round++) {
      this.market.clock.advance(4 * DAY_MS);
      for (const job of [
        'charges',
        'days',
        'endings',
        'accrue',
        'refunds',
        'payouts',
        'settle',
        'payments',
      ] as const)
        await this.job(job);
      if (round >= 2 && (await this.isDone())) break;
    }
    await this.hold();
    const wrongDocuments = await checkDocuments(this.ctx.db);
    if (wrongDocuments.length > 0) throw new Error(JSON.stringify(wrongDocuments));
    await checkTaxDocuments(this.ctx.db);
    await this.checkBalance();
    if (!(await this.isDone()))
      throw new Error(
        'A refund is still owed, an ended ad has deferred money, or a transfer or a charge is not known',
      );
    let net = 0;
    for await (const movement of this.sandbox.balanceTransactionsSince(new Date(0))) net += movement.net;
    const { rows } = await sql<{ kind: string; cents: string }>`
      select a.kind, sum(p.amount_cents) as cents
        from ledger_postings p join ledger_accounts a on a.id = p.account_id
        where a.kind in ('provider_balance', 'provider_clearing', 'dispute_receivable', 'suspense')
        group by a.kind`.execute(this.ctx.db);
    const held = Object.fromEntries(rows.map(({ kind, cents }) => [kind, Number(cents)]));
    if (
      (held['provider_balance'] ?? 0) !== net ||
      (held['provider_clearing'] ?? 0) !== 0 ||
      (held['dispute_receivable'] ?? 0) !== 0 ||
      (held['suspense'] ?? 0) !== 0
    )
      throw new Error(`The provider holds ${net}, the ledger ${JSON.stringify(held)}`);
  }

  /** The balance that the publisher reads is that of the ledger, tax included. */
  private async checkBalance(): Promise<void> {
    const { id } = this.market.seller;
    const balance = await postedBalance(this.ctx, this.ctx.db, id, this.ctx.now());
    const ledger = await balancesOf(this.ctx.db, ['publisher_payable', 'publisher_receivable'], id, {
      book: this.ctx.payments.book,
      currency: this.config.currency,
    });
    const owed = [...ledger.values()].reduce((sum, cents) => sum + cents, 0);
    const shown = balance.pendingCents + balance.availableCents + balance.heldCents - balance.owedCents;
    if (shown !== owed) throw new Error(`The publisher reads ${shown}, and the ledger has ${owed}`);
  }

  /** The bank decides each open dispute. */
  private async decideDisputes(): Promise<void> {
    await this.job('payments');
    for (const { id } of this.ads) {
      const play = id % 2 === 0 ? 'dispute_won' : 'dispute_lost';
      await playCase(this.ctx, this.sandbox, { play, ad: id }).catch((error: unknown) => {
        if (!isRefusal(error)) throw error;
      });
    }
  }

  private async isDone(): Promise<boolean> {
    const { rows } = await sql<{ n: number }>`
      select count(*)::integer as n
        from ledger_balances b
        join ledger_accounts a on a.id = b.account_id
        left join ads d on d.id = a.owner_id
        where b.amount_cents <> 0
          -- After a lost dispute the provider refuses for good what the loss does not cover. The operator sees it.
          and ((a.kind = 'refund_payable' and not exists (
              select from disputes l join payments p on p.id = l.payment_id where p.ad_id = d.id and l.status = 'lost'))
            or (a.kind in ('deferred_publisher', 'deferred_commission', 'tax_deferred') and d.status = 'completed'))
          or exists (select from consent_ads where state = 'charging')
          or exists (select from payout_transfers where state = 'trying')
          or exists (select from transfer_reversals where state = 'trying')`.execute(this.ctx.db);
    return rows[0]?.n === 0;
  }
}

function isArranged(error: unknown): boolean {
  // A refund that was made outside waits for the answer to one of ours, and its event is tried again.
  if (error instanceof Error && /waits until the provider has answered/.test(error.message)) return true;
  return error instanceof ProviderError || isRefusal(error);
}

/** An act that a use case refuses with a sentence is no fault. */
function isRefusal(error: unknown): boolean {
  if (error instanceof HttpError) return error.status < 500;
  return error instanceof Error && /the month of these hours is finished/.test(error.message);
}
