/** The books' own check finds each kind of damage, even one that the database would refuse. */
import { sql } from 'kysely';
import { beforeAll, expect, it } from 'vitest';
import type { Ad } from '#domain/ads/contract.ts';
import { HOUR_MS, later } from '#domain/time.ts';
import { countAt } from '#server/testing/figures.ts';
import { undone } from '#server/testing/money/undone.ts';
import { useOwnServer } from '#server/testing/starts/use-server.ts';
import { makeLiveAd } from '#server/testing/story.ts';
import { accrueDue } from './accrue.ts';
import { checkLedger, type Difference, DIFFERENCES } from './check.ts';

const server = useOwnServer();
let ad: Ad;
beforeAll(async () => {
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  const product = { pricingModel: 'per_impression', duration: null, impressions: 100 };
  ({ ad } = await makeLiveAd(seller, buyer, { product }));
  const start = new Date(ad.startDate as string);
  await countAt(server.ctx, ad, start.toISOString(), 40, 0);
  await accrueDue({ ...server.ctx, now: () => later(start, HOUR_MS) });
});

/** The differences after `damage`, which is then rolled back. */
async function after(damage: string): Promise<Difference[]> {
  let found: Difference[] = [];
  await undone(server.owner, async (tx) => {
    await sql.raw(damage).execute(tx);
    found = await checkLedger(tx);
  });
  return found;
}

const of = (kind: string) => `(select id from ledger_accounts where kind = '${kind}' limit 1)`;
const accrual = `(select id from ledger_tx where kind = 'accrual')`;
const sale = `(select id from ledger_tx where kind = 'paid')`;

const refundOf = (cents: number) => `insert into refunds
  (payment_id, amount_cents, commission_cents, publisher_cents, cause, look_at, created_at, updated_at)
  select id, ${cents}, 0, ${cents}, 'operator', now(), now(), now() from payments`;

/** A transfer without an entry. */
const transferOf = (cents: number) => `with payout as (
    insert into payouts (user_id, book, currency, account_id, amount_cents, requested_by, created_at)
      select owner_id, book, currency, 'acct_1', ${cents}, 'schedule', now() from ledger_accounts
        where kind = 'publisher_payable' returning id)
  insert into payout_transfers (payout_id, ad_id, charge_id, amount_cents, state, provider_id, began_at)
    select id, (select ad_id from payments), 'ch_1', ${cents}, 'sent', 'tr_1', now() from payout`;

const DAMAGE: Record<keyof typeof DIFFERENCES, string> = {
  tax_differs: `with a as (insert into tax_accounts (country, rate) values ('DE', 19000) returning id)
    update payments set tax_account_id = a.id, tax_cents = 100, tax_split = 'gross' from a`,
  unbalanced_entry: `update ledger_postings set amount_cents = amount_cents - 7 where account_id = ${of('commission')}`,
  unbalanced_book: `update ledger_postings set amount_cents = amount_cents - 7 where account_id = ${of('commission')}`,
  kept_differs: `insert into cancels (payment_id, state, refund_cents, fee_cents, kept_publisher_cents, created_at)
    select id, 'done', 0, 1, 1, now() from payments`,
  empty_entry: `insert into ledger_tx (kind, external_ref, occurred_at) values ('other', 'x', now())`,
  overdrawn: `update ledger_postings set amount_cents = -amount_cents where account_id = ${of('publisher_payable')}`,
  balance_differs: 'update ledger_balances set amount_cents = amount_cents - 1',
  month_differs: 'update ledger_months set last_tx = last_tx + 1',
  payment_not_booked: 'update payments set amount_cents = amount_cents + 1',
  sale_without_payment: `update payments set status = 'canceled'`,
  earnings_differ: 'update ad_earnings set publisher_cents = publisher_cents + 1',
  hours_differ: 'update earned_hours set publisher_cents = publisher_cents + 1',
  earnings_wrong: 'update ad_earnings set units = units + 1',
  refunded_too_much: refundOf(6001),
  undelivered_differs: refundOf(1),
  money_missing: `update ledger_tx set kind = 'other' where id = ${accrual}`,
  loss_differs: `insert into disputes (dispute_id, payment_id, status, amount_cents, currency, opened_at, lost_at, absorbed_cents)
    select 'dp_1', id, 'lost', 100, 'USD', now(), now(), 100 from payments`,
  goodwill_differs: `insert into refunds
    (payment_id, amount_cents, commission_cents, publisher_cents, goodwill_cents, cause, look_at, created_at, updated_at)
    select id, 1, 0, 0, 1, 'operator', now(), now(), now() from payments`,
  refund_differs: refundOf(1),
  transfer_differs: transferOf(3401),
  transferred_too_much: transferOf(3401),
  publisher_differs: transferOf(3400),
  input_tax_differs: `insert into documents (book, kind, user_id, month, amount_cents, currency, tax_rate, tax_cents,
      tax_country, seller, customer, content, issued_at)
    select 'sandbox', 'self_billing', owner_id, '2026-01-01', 119, 'USD', 19000, 19, 'DE', '{}', '{}',
      '{"kind": "self_billing", "publisherTax": "included"}', now() from ledger_accounts where kind = 'publisher_payable'`,
};

// Proves LEDG-05, PAYO-07
it.each(Object.entries(DAMAGE))('finds %s', async (kind, damage) => {
  expect((await after(damage)).map((each) => each.kind)).toContain(kind);
});

// Proves LEDG-05
it('finds nothing in sound books, and states the amount of each difference', async () => {
  expect(await checkLedger(server.ctx.db)).toEqual([]);
  const found = await after(
    `delete from ledger_unlogged where tx_id = ${sale}; delete from ledger_postings where tx_id = ${sale};
      delete from ledger_tx where id = ${sale}`,
  );
  expect(found).toContainEqual({
    kind: 'payment_not_booked',
    ref: expect.any(String),
    amountCents: 10_000,
    currency: 'USD',
    since: expect.any(Date),
  });
  const lost = await after(
    `update ledger_postings set amount_cents = sign(amount_cents) where tx_id = ${accrual}`,
  );
  expect(lost).toContainEqual(
    expect.objectContaining({ kind: 'earnings_differ', ref: String(ad.id), amountCents: -3998 }),
  );
});
