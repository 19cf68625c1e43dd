import { createPrivateKey, createPublicKey, sign } from 'node:crypto';
import { utcDay } from '#domain/time.ts';
import type { Context } from '../../context.ts';
import { appendActs, appendDocuments, appendPostings } from './append.ts';
import { rootOf } from './prove.ts';
import { findRoot, insertRoot, sumTotals } from './store.ts';

/** The beginning of an Ed25519 private key in PKCS #8, before its 32 bytes (RFC 8410, section 7). */
const PKCS8_ED25519 = Buffer.from('302e020100300506032b657004220420', 'hex');

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
 * one. Returns whether it made one. The job calls it every minute, so the root is of the first minute of the day, in UTC. [LOGS-03]
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
    const { publicKey, signature } = signature25519(ctx, signedText(signed));
    const totals = await sumTotals(tx, book, currency);
    return await insertRoot(tx, { ...signed, ...totals, currency, signedAt, publicKey, signature });
  });
}

// The key is derived from the session secret, so that all instances sign with the same key.
function signature25519(ctx: Context, text: string): { publicKey: Buffer; signature: Buffer } {
  const key = createPrivateKey({
    key: Buffer.concat([PKCS8_ED25519, ctx.keyFor('roots of the ledger')]),
    format: 'der',
    type: 'pkcs8',
  });
  const { x } = createPublicKey(key).export({ format: 'jwk' });
  return { publicKey: Buffer.from(x as string, 'base64url'), signature: sign(null, Buffer.from(text), key) };
}
