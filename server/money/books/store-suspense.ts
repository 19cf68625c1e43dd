/** The SQL of suspense.ts: money that waits for the operator's decision. Amounts are cents. */
import { sql } from 'kysely';
import type { Currency } from '#domain/money.ts';
import type { SuspenseOutcome } from '#domain/payments/suspense.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { sumSuspenseRefunds } from '../refunds/of-payments.ts';

export type SuspendedPayment = {
  id: number;
  adId: number;
  book: PaymentBook;
  /** Null if the money is not in our books, because it is another book's or installation's. */
  received: { amountCents: number; currency: Currency } | null;
};

/** Returns null for an id that is no payment in suspense. The caller has locked its ad. */
export async function findSuspendedPayment(tx: Tx, id: number): Promise<SuspendedPayment | null> {
  const row = await tx
    .selectFrom('payments')
    .select(['id', 'adId', 'book', 'receivedCents', 'receivedCurrency'])
    .where('id', '=', id)
    .where('status', '=', 'suspense')
    .executeTakeFirst();
  if (!row) return null;
  const { receivedCents, receivedCurrency, ...payment } = row;
  if (receivedCents === null || receivedCurrency === null) return { ...payment, received: null };
  // A part may have been refunded in the provider's dashboard.
  const amountCents = receivedCents - (await sumSuspenseRefunds(tx, id));
  return { ...payment, received: { amountCents, currency: receivedCurrency } };
}

export type SuspendedEntry = {
  id: number;
  externalRef: string;
  book: PaymentBook;
  currency: Currency;
  /** Positive if money arrived. */
  amountCents: number;
};

/** An entry in suspense that is no payment's; null for any other. */
export async function findSuspendedEntry(tx: Tx, id: number): Promise<SuspendedEntry | null> {
  const { rows } = await sql<Omit<SuspendedEntry, 'amountCents'> & { cents: string }>`
    ${entriesInSuspense()} and t.id = ${id}`.execute(tx);
  const row = rows[0];
  if (!row) return null;
  const { cents, ...entry } = row;
  return { ...entry, amountCents: Number(cents) };
}

/** Entries in suspense that no payment explains. */
export const entriesInSuspense = () => sql`
  select t.id, t.external_ref as "externalRef", a.book, a.currency, -l.amount_cents as cents,
      t.recorded_at as since, t.meta
    from ledger_tx t
    join ledger_postings l on l.tx_id = t.id
    join ledger_accounts a on a.id = l.account_id and a.kind = 'suspense'
    where t.kind = 'suspense'
      and not exists (
        select from payments p
          where p.status = 'suspense' and t.external_ref in (p.charge_id, p.intent_id))`;

/** Records a decision. Returns false if there was one before. */
export async function insertDecision(
  tx: Tx,
  decision: { paymentId: number | null; txId: number | null; outcome: SuspenseOutcome; decidedAt: Date },
): Promise<boolean> {
  const { numInsertedOrUpdatedRows } = await tx
    .insertInto('suspenseDecisions')
    .values(decision)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirst();
  return numInsertedOrUpdatedRows === 1n;
}

/** The ad of a payment, which is locked before the payment. */
export async function findAdOfPayment(tx: Tx, id: number): Promise<number | null> {
  const row = await tx.selectFrom('payments').select('adId').where('id', '=', id).executeTakeFirst();
  return row?.adId ?? null;
}
