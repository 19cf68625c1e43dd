import { sql } from 'kysely';
import { decimalOf } from '#domain/money.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { ALL_FACTS, factsOf, type Rule, RULES, type Scope, STORED_FACTS } from './rules.ts';

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
 * it only in tests, nightly and on command; with a `scope`, reads its ads and entries, and the stored sums of all
 * accounts. [LEDG-05, BOOK-03]
 */
export async function checkLedger(tx: Tx, scope?: Scope): Promise<Difference[]> {
  const found = await inSnapshot(tx, (snapshot) => findAll(snapshot, scope));
  return found.toSorted((a, b) => Number(a.since) - Number(b.since));
}

/** Runs `read` in one snapshot of the database. A transaction of the caller must be one. */
export async function inSnapshot<T>(tx: Tx, read: (snapshot: Tx) => Promise<T>): Promise<T> {
  if (tx.isTransaction) return await read(tx);
  return await tx.transaction().setIsolationLevel('repeatable read').setAccessMode('read only').execute(read);
}

async function findAll(tx: Tx, scope: Scope | undefined): Promise<Difference[]> {
  const all = Object.entries(RULES) as [Kind, Rule][];
  // Over all postings, a rule at a time. Over a scope, one statement reads its entries once for all rules.
  const statements =
    scope === undefined
      ? all.map((rule) => ({ facts: ALL_FACTS, rules: [rule] }))
      : [
          { facts: STORED_FACTS, rules: all.filter(([, { ofAccounts }]) => ofAccounts === 'stored') },
          { facts: factsOf(scope), rules: all.filter(([, { ofAccounts }]) => !ofAccounts) },
        ];
  const found: Difference[] = [];
  for (const { facts, rules } of statements) {
    const finds = rules.map(([kind, { find }]) => sql`(select ${kind}::text, * from (${find}) as breach)`);
    const { rows } = await sql<Omit<Difference, 'amountCents'> & { cents: string }>`
      ${facts}
      select kind, ref, cents, currency, since
        from (${sql.join(finds, sql` union all `)}) as found (kind, ref, cents, currency, since)
        order by since, ref`.execute(tx);
    found.push(...rows.map(({ cents, ...row }) => ({ ...row, amountCents: Number(cents) })));
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
