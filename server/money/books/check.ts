import { DAY_MS } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { checkDocuments } from '../documents/check.ts';
import { checkLedger, inSnapshot } from '../ledger/check.ts';
import { scopeOf } from '../ledger/scope.ts';
import { checkLog, entriesOf } from '../transparency-log/check.ts';
import type { Range } from '../transparency-log/merkle.ts';
import {
  checkOpenings,
  countPostings,
  findSoundOpening,
  type Opening,
  readAfter,
  sizeIn,
} from '../transparency-log/opening.ts';
import { listMoney, type WaitingMoney } from './list.ts';
import type { Difference } from './store.ts';

/** So many older leaves are compared with their postings again by each check. A power of two, so that it is a subtree. */
const AGAIN = 4096;

/** What a check has read. */
type Part = {
  /** The day whose opening it started from, YYYY-MM-DD; null if it read everything. */
  since: string | null;
  /** The number of postings since then. */
  postings: number;
  /** The number of older leaves of the log that it compared with their postings again. */
  rechecked: number;
};

export type Check = Part & {
  /** Whether the books agree with themselves. */
  holds: boolean;
  differences: Difference[];
  /** Money that waits for a decision. It is booked, so it is no difference. */
  suspense: WaitingMoney[];
};

/**
 * Checks the ledger, the payments, the refunds, the documents and the public log against each other, without asking the
 * provider. Reads what came since the newest signed day; with `all`, or if that day's opening is not sound, everything.
 * docs/decisions/033-ledger-log.md says what only the latter finds. [BOOK-03]
 */
export async function checkMoney(
  ctx: Pick<Context, 'config' | 'db' | 'keysFor' | 'now'>,
  { all = false } = {},
): Promise<Check> {
  const part = all ? null : await inSnapshot(ctx.db, async (tx) => await checkSince(ctx, tx));
  const { differences, ...read } = part ?? (await checkEverything(ctx.db));
  const { suspense } = await listMoney(ctx);
  return { holds: differences.length === 0, differences, ...read, suspense };
}

async function checkSince(
  { config, keysFor, now }: Pick<Context, 'config' | 'keysFor' | 'now'>,
  tx: Tx,
): Promise<(Part & { differences: Difference[] }) | null> {
  const opening = await findSoundOpening({ keysFor }, tx, config.paymentBook);
  if (opening === null) return null;
  const { postings, entries } = await readAfter(tx, opening);
  const again = readAgain(opening, now());
  const older = await entriesOf(tx, opening.book, again);
  return {
    since: opening.day,
    postings,
    rechecked: again.to - again.from,
    differences: [
      ...(await checkLedger(tx, await scopeOf(tx, [...entries, ...older]))),
      ...(await checkLog(tx, { opening, again })),
      ...(await checkDocuments(tx, opening.day)),
    ],
  };
}

/** The older leaves that are read again: each day others, until all were. */
function readAgain(opening: Opening, now: Date): Range {
  const size = sizeIn(opening, opening.book);
  const blocks = Math.max(1, Math.ceil(size / AGAIN));
  const from = (Math.floor(Number(now) / DAY_MS) % blocks) * AGAIN;
  return { from, to: Math.min(size, from + AGAIN) };
}

/** Reads everything, several times. A backup is proven by it. */
export async function checkEverything(db: Tx): Promise<Part & { differences: Difference[] }> {
  const differences: Difference[] = [
    ...(await checkLedger(db)),
    ...(await checkLog(db)),
    ...(await checkDocuments(db)),
    ...(await checkOpenings(db)),
  ];
  return { since: null, postings: await countPostings(db), rechecked: 0, differences };
}
