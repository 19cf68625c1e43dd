import { type RawBuilder, sql } from 'kysely';
import { decimalOf } from '#domain/money.ts';
import type { Tx } from '../../db/database.ts';
import { FACTS, RULES } from './rules.ts';

/** The kinds of differences that the check can find, each with its rule. */
export const DIFFERENCES = RULES;

type Kind = keyof typeof RULES;

export type Difference = {
  kind: Kind;
  /** Our number of the entry, the ad, or the payment, or the account's kind and owner. */
  ref: string;
  /** The size of the difference; 0 if the missing row has no amount. */
  amountCents: number;
  currency: string;
  /** When the latest entry behind the difference was recorded. */
  since: Date;
};

/**
 * Checks the ledger against itself, the payments, the earnings and the refunds, and returns the differences, the oldest
 * first. All rules read one snapshot; a transaction of the caller must be one. Reads all entries several times, so use
 * it only in tests, nightly and on command. [LEDG-05]
 */
export async function checkLedger(tx: Tx): Promise<Difference[]> {
  const found = tx.isTransaction
    ? await findAll(tx)
    : await tx
        .transaction()
        .setIsolationLevel('repeatable read')
        .setAccessMode('read only')
        .execute((snapshot) => findAll(snapshot));
  return found.toSorted((a, b) => Number(a.since) - Number(b.since));
}

async function findAll(tx: Tx): Promise<Difference[]> {
  const found: Difference[] = [];
  for (const [kind, { find }] of Object.entries(RULES) as [Kind, { find: RawBuilder<unknown> }][]) {
    const { rows } = await sql<Omit<Difference, 'kind' | 'amountCents'> & { cents: string }>`
      ${FACTS}
      select ref, cents, currency, since from (${find}) as found (ref, cents, currency, since)
        order by since, ref`.execute(tx);
    found.push(...rows.map(({ cents, ...row }) => ({ kind, amountCents: Number(cents), ...row })));
  }
  return found;
}

/** The differences as sentences, for a terminal or a page. */
export async function ledgerImbalances(tx: Tx): Promise<string[]> {
  return (await checkLedger(tx)).map(
    ({ kind, ref, amountCents, currency }) =>
      `${RULES[kind].sentence} (${kind} ${ref}: ${decimalOf(amountCents)} ${currency}).`,
  );
}
