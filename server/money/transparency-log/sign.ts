import { utcDay } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import { appendActs, appendDocuments, appendPostings } from './append.ts';
import { makeOpening, signOpening, totalsOf } from './opening.ts';
import { rootOf } from './prove.ts';
import { signWithRootKey } from './root-key.ts';
import { findRoot, insertRoot } from './store.ts';

/** The text under a root's signature. [LOGS-03] */
export function signedText(root: {
  publicUrl: string;
  book: string;
  day: string;
  size: number;
  root: Buffer;
}): string {
  const { publicUrl, book, day, size } = root;
  return `openslot-ledger v1\n${publicUrl}\n${book}\n${day}\n${size}\n${root.root.toString('hex')}\n`;
}

/**
 * Adds new postings, documents and acts to the log, and signs the root of the day of the marketplace's clock unless it has
 * one, with the opening of the day (opening.ts). Returns whether it made one. The job calls it every minute, so the root
 * is of the first minute of the day, in UTC. [LOGS-03]
 */
export async function signDayRoot(ctx: Context): Promise<boolean> {
  const { book } = ctx.payments;
  const signedAt = ctx.now();
  const day = utcDay(signedAt);
  if (await findRoot(ctx.db, book, day)) return false;
  return await ctx.db.transaction().execute(async (tx) => {
    await appendPostings(tx, book);
    await appendDocuments(tx, book);
    const size = await appendActs(tx, book);
    const root = await rootOf(tx, book, size);
    const { currency, publicUrl } = ctx.config;
    const signed = { publicUrl, book, day, size, root };
    const { publicKey, signature } = signWithRootKey(ctx, signedText(signed));
    const opening = await makeOpening(ctx, tx, book);
    const totals = totalsOf(opening.balances, book, currency);
    const isNew = await insertRoot(tx, { ...signed, ...totals, currency, signedAt, publicKey, signature });
    if (isNew) await signOpening(ctx, tx, { ...opening, book, day }, root);
    return isNew;
  });
}
