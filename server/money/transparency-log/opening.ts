/**
 * The opening of a signed day: the balances of the books at that moment, signed with the day's root. The check of the books
 * reads what came since (docs/decisions/033-ledger-log.md).
 */
import type { Currency } from '#domain/money.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { rootOf } from './prove.ts';
import { isSignedByUs, signWithRootKey } from './root-key.ts';
import { findRoot, loggedBooks, type SignedRoot } from './store.ts';
import {
  type Balance,
  findOpening,
  hashLoggedMonths,
  hashMonths,
  insertOpening,
  markNow,
  type Opening,
  sizeIn,
  STORED_KINDS,
  sumLogged,
  sumUpTo,
} from './store-opening.ts';

export { countPostings, type Opening, readAfter, sizeIn } from './store-opening.ts';

/** The text under the signature of an opening. The root binds it to the leaves of the log. */
function openingText(
  { book, day, sizes, lastTx, balances, monthsHash }: Omit<Opening, 'signature'>,
  root: Buffer,
): string {
  const lines = [book, day, root.toString('hex'), JSON.stringify(sizes), lastTx, JSON.stringify(balances)];
  return `openslot-opening v1\n${lines.join('\n')}\n${monthsHash.toString('hex')}\n`;
}

/**
 * Sums up the books as they are in the log now, under the lock of the log. It adds the new leaves to the opening before, and
 * reads all postings if there is none that we have signed.
 */
export async function makeOpening(
  ctx: Context,
  tx: Tx,
  book: PaymentBook,
): Promise<Omit<Opening, 'book' | 'day' | 'signature'>> {
  const before = await findOpening(tx, book);
  const mark = await markNow(tx);
  const isKnown = before !== null && (await isSigned(ctx, tx, before));
  return {
    ...mark,
    balances: await sumLogged(tx, mark, isKnown ? before : null),
    monthsHash: await hashLoggedMonths(tx),
  };
}

/** Stores the opening of a day, in the transaction of its root. [BOOK-03] */
export async function signOpening(
  ctx: Context,
  tx: Tx,
  opening: Omit<Opening, 'signature'>,
  root: Buffer,
): Promise<void> {
  const { signature } = signWithRootKey(ctx, openingText(opening, root));
  await insertOpening(tx, { ...opening, signature });
}

/** The sums of a book in one currency, in cents: owed to publishers and advertisers, and held to pay them. */
export function totalsOf(
  balances: readonly Balance[],
  book: PaymentBook,
  currency: Currency,
): { owedCents: number; heldCents: number } {
  const sum = (kinds: readonly string[]) =>
    balances.reduce(
      (cents, balance) =>
        balance[0] === book && balance[1] === currency && kinds.includes(balance[2])
          ? cents + balance[3]
          : cents,
      0,
    );
  return {
    // Subtract from 0 instead of negating, so that nothing is 0 and not -0.
    owedCents: 0 - sum(STORED_KINDS.filter((kind) => kind !== 'publisher_receivable')),
    heldCents: sum(['provider_clearing', 'provider_balance']),
  };
}

/** Whether one of our keys has signed the opening together with the root of its day. */
async function isSigned(ctx: Pick<Context, 'keysFor'>, tx: Tx, opening: Opening): Promise<boolean> {
  const root = await findRoot(tx, opening.book, opening.day);
  if (!root) return false;
  return isSignedByUs(ctx, openingText(opening, root.root), opening.signature);
}

/**
 * The newest opening of a book, if the check can start from it: it is signed, the hashes of the log below it lead to the
 * signed root, the stored balances without what came since are those of the day, and they sum to zero. Reads a row for
 * each account and month, and what came since. [BOOK-03]
 */
export async function findSoundOpening(
  ctx: Pick<Context, 'keysFor'>,
  tx: Tx,
  book: PaymentBook,
): Promise<Opening | null> {
  const opening = await findOpening(tx, book);
  if (opening === null || !(await isSigned(ctx, tx, opening))) return null;
  const root = await findRoot(tx, book, opening.day);
  if (!root || root.size !== sizeIn(opening, book) || !(await fitsRoot(tx, root))) return null;
  if (!isBalanced(opening.balances)) return null;
  return (await hashMonths(tx, opening)).equals(opening.monthsHash) ? opening : null;
}

async function fitsRoot(tx: Tx, { book, size, root }: SignedRoot): Promise<boolean> {
  return await rootOf(tx, book, size).then(
    (hash) => hash.equals(root),
    // A hash is missing.
    () => false,
  );
}

function isBalanced(balances: Opening['balances']): boolean {
  const sums = new Map<string, number>();
  for (const [book, currency, , cents] of balances)
    sums.set(`${book} ${currency}`, (sums.get(`${book} ${currency}`) ?? 0) + cents);
  return [...sums.values()].every((sum) => sum === 0);
}

export type OpeningDifference = {
  /** The newest opening of a book does not follow from its postings. */
  kind: 'opening_differs';
  ref: string;
  amountCents: number;
  currency: string;
  since: Date;
};

/** Computes the newest opening of each book again, from all postings. [BOOK-03] */
export async function checkOpenings(tx: Tx): Promise<OpeningDifference[]> {
  const differences: OpeningDifference[] = [];
  for (const book of await loggedBooks(tx)) {
    const opening = await findOpening(tx, book);
    if (opening === null || (await followsFromPostings(tx, opening))) continue;
    const root = await findRoot(tx, book, opening.day);
    differences.push({
      kind: 'opening_differs',
      ref: `${book} ${opening.day}`,
      amountCents: 0,
      currency: root?.currency ?? '',
      since: root?.signedAt ?? new Date(0),
    });
  }
  return differences;
}

async function followsFromPostings(tx: Tx, opening: Opening): Promise<boolean> {
  return (
    JSON.stringify(await sumUpTo(tx, opening)) === JSON.stringify(opening.balances) &&
    (await hashMonths(tx, opening)).equals(opening.monthsHash)
  );
}
