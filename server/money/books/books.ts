/** The marketplace's debts and the money that covers them, for the operator. [BOOK-10] */
import { dayIn } from '#domain/analytics/days.ts';
import { later, MINUTE_MS } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import {
  type Aged,
  type Book,
  countOpenDisputes,
  type Creditor,
  findKeptDay,
  findMeasured,
  keepDay,
  keepMeasured,
  type Debtor,
  listAged,
  listCreditors,
  listDebtors,
  listOpenDisputes,
  type OpenDispute,
  listTaxOwed,
  sumAccounts,
  type TaxOwed,
  totalTaxOwed,
} from './store-books.ts';
import { listOpenHolds, type OpenHold } from './store-holds.ts';

export { type OpenDispute, taxOwedTo } from './store-books.ts';
export type { OpenHold } from './store-holds.ts';

/** The number of disputes about payments that are not decided. */
export const openDisputeCount = ({ db }: Context): Promise<number> => countOpenDisputes(db);

/** To see more rows, query the database. */
const MAX_ROWS = 500;
const MAX_CREDITORS = 20;

/** Cents. `deferred`: paid, and neither delivered nor refunded. */
export type Owed = {
  publishers: number;
  refunds: number;
  deferred: number;
  suspense: number;
  /** To states, from the payment on, less the tax of publishers' documents (totalTaxOwed). */
  tax: number;
  total: number;
};

/**
 * Cents. `providerBalance` and `providerClearing`: at the card provider, with and without a known fee. `disputed`:
 * taken by banks that have not decided. `publishersOwe`: paid out, and owed back since, without doubtful debts. `unearnedCommission`: the
 * marketplace's own part of `Owed.deferred`, without its tax, which needs no money behind it. `missing`: the owed amounts
 * that are not covered.
 */
export type Covered = {
  providerBalance: number;
  providerClearing: number;
  bank: number;
  disputed: number;
  publishersOwe: number;
  unearnedCommission: number;
  total: number;
  missing: number;
};

export type AgeBucket = { days: string; publishers: number; refunds: number };

export type Books = {
  currency: Context['config']['currency'];
  owed: Owed;
  covered: Covered;
  /** Cents of earnings that publishers gave up when they deleted their accounts. The marketplace keeps them. */
  waived: number;
  ageing: AgeBucket[];
  /** The tax that is owed to each state. */
  taxOwed: TaxOwed[];
  /** The publishers with the largest balances. */
  creditors: Creditor[];
  /** The publishers who owe money. */
  debtors: Debtor[];
  holds: OpenHold[];
  disputes: OpenDispute[];
};

/** Days since the money was earned or became owed, up to and including the last day. */
const BUCKETS: readonly [name: string, lastDay: number][] = [
  ['0-7', 7],
  ['8-30', 30],
  ['31-90', 90],
  ['91+', Infinity],
];

/**
 * Reads the books of the present provider in one snapshot. It reads many postings, so call it for the operator only.
 */
export async function readBooks({ db, config, payments, now }: Context): Promise<Books> {
  const { currency } = config;
  const of = { book: payments.book, currency };
  return await db
    .transaction()
    .setIsolationLevel('repeatable read')
    .setAccessMode('read only')
    .execute(async (tx) => {
      const debtors = await listDebtors(tx, of, now());
      return {
        currency,
        ...(await sumUp(tx, of, debtors)),
        debtors,
        ageing: bucketed(await listAged(tx, of, now())),
        taxOwed: await listTaxOwed(tx, of),
        creditors: await listCreditors(tx, of, MAX_CREDITORS),
        holds: await listOpenHolds(tx, MAX_ROWS, now()),
        disputes: await listOpenDisputes(tx, MAX_ROWS),
      };
    });
}

/** The tax that is owed to all states, in cents. */
export async function findTaxOwed(tx: Tx, of: Book): Promise<number> {
  return totalTaxOwed(await listTaxOwed(tx, of));
}

/** Cents of the owed amounts that are not covered. It reads many postings, so call it rarely. */
export async function findUncovered(ctx: Pick<Context, 'db' | 'config' | 'now'>): Promise<number> {
  return Math.max(0, -(await findKept(ctx)));
}

/** What covers the owed amounts less these, in cents: what the operator may take out. Negative: what is missing. */
export const keptIn = ({ covered, owed }: Record<'covered' | 'owed', { total: number }>): number =>
  covered.total - owed.total;

async function findKept(ctx: Pick<Context, 'db' | 'config' | 'now'>): Promise<number> {
  const of = presentBook(ctx);
  return keptIn(await sumUp(ctx.db, of, await listDebtors(ctx.db, of, ctx.now())));
}

/**
 * What the operator could take out at the end of a UTC day, in cents; null if the books were not summed up on it, because
 * the server did not run or was older than this.
 */
export const findKeptOn = async (ctx: Context, day: string): Promise<number | null> =>
  await findKeptDay(ctx.db, presentBook(ctx), day);

const presentBook = ({ config }: Pick<Context, 'config'>): Book => ({
  book: config.paymentBook,
  currency: config.currency,
});

const MEASURED_FOR_MS = 10 * MINUTE_MS;

/** Like findUncovered, as any instance found it in the last ten minutes. */
export async function findUncoveredLately(ctx: Context): Promise<number> {
  const since = later(ctx.now(), -MEASURED_FOR_MS);
  return (await findMeasured(ctx.db, presentBook(ctx), since)) ?? (await measureUncovered(ctx));
}

/** Like findUncovered, and keeps the result for findUncoveredLately and findKeptOn. */
export async function measureUncovered(ctx: Context): Promise<number> {
  const keptCents = await findKept(ctx);
  const uncovered = Math.max(0, -keptCents);
  const of = presentBook(ctx);
  await keepMeasured(ctx.db, of, uncovered, ctx.now());
  await keepDay(ctx.db, of, dayIn('UTC', ctx.now()), keptCents);
  return uncovered;
}

async function sumUp(
  tx: Tx,
  of: Book,
  debtors: readonly Debtor[],
): Promise<Pick<Books, 'owed' | 'covered' | 'waived'>> {
  const sums = await sumAccounts(tx, of);
  const asset = (kind: string) => sums.get(kind) ?? 0;
  // Subtract from 0 instead of negating, so that an empty account is 0 and not -0.
  const debt = (...kinds: string[]) => kinds.reduce((sum, kind) => sum - asset(kind), 0);
  const owed = totaled({
    publishers: debt('publisher_payable'),
    refunds: debt('refund_payable'),
    // The tax inside deferred money is owed to a state already.
    deferred: debt('deferred_publisher', 'deferred_commission', 'tax_deferred'),
    suspense: debt('suspense'),
    tax: await findTaxOwed(tx, of),
  });
  const covered = totaled({
    providerBalance: asset('provider_balance'),
    providerClearing: asset('provider_clearing'),
    bank: asset('bank'),
    disputed: asset('dispute_receivable'),
    publishersOwe: debtors.reduce(
      (sum, { amountCents, isDoubtful }) => sum + (isDoubtful ? 0 : amountCents),
      0,
    ),
    unearnedCommission: debt('deferred_commission', 'tax_deferred'),
  });
  return {
    owed,
    covered: { ...covered, missing: Math.max(0, -keptIn({ covered, owed })) },
    waived: debt('waived_earnings'),
  };
}

function totaled<Sums extends Record<string, number>>(sums: Sums): Sums & { total: number } {
  return { ...sums, total: Object.values(sums).reduce((sum, cents) => sum + cents, 0) };
}

function bucketed(aged: readonly Aged[]): AgeBucket[] {
  const bucketOf = (days: number) => BUCKETS.find(([, lastDay]) => days <= lastDay)?.[0];
  return BUCKETS.map(([name]) => {
    const sumOf = (what: Aged['what']) =>
      aged
        .filter((each) => each.what === what && bucketOf(each.ageDays) === name)
        .reduce((sum, { amountCents }) => sum + amountCents, 0);
    return { days: name, publishers: sumOf('publishers'), refunds: sumOf('refunds') };
  });
}
