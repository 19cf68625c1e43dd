import type { Parsed, Reply } from '#domain/endpoint.ts';
import { decimalOf } from '#domain/money.ts';
import type { getLedgerLog } from '#domain/payments/log-contract.ts';
import type { Context } from '#server/platform/context.ts';
import { notFound } from '#server/platform/http/errors.ts';
import { proveConsistency } from './prove.ts';
import { findRoot, type SignedRoot } from './store.ts';

/**
 * Shows the newest signed root, or that of a day. With two sizes: proves that the log of the smaller size is the beginning of
 * the other. Throws 404 for a day without a root, and for more leaves than the newest root has. [LOGS-03] [LOGS-03]
 */
export async function ledgerLog(
  ctx: Context,
  { query: { day, from, to } }: Parsed<typeof getLedgerLog>,
): Promise<Reply<typeof getLedgerLog>> {
  const { book } = ctx.payments;
  const root = await findRoot(ctx.db, book, day);
  if (!root)
    throw notFound(
      day
        ? `No root was signed on ${day}. Choose another day.`
        : 'No root has been signed yet. Try again in a minute.',
    );
  if (from === undefined || to === undefined) return rootReply(ctx, root);
  if (to > root.size) throw notFound(`The newest root has ${root.size} leaves. Choose a size up to that.`);
  // Every log continues the empty one, so there is nothing to prove.
  return { from, to, path: from === 0 ? [] : await proveConsistency(ctx.db, book, from, to) };
}

function rootReply({ config }: Context, root: SignedRoot): Reply<typeof getLedgerLog> {
  return {
    book: root.book,
    day: root.day,
    size: root.size,
    root: root.root.toString('hex'),
    signedAt: root.signedAt.toISOString(),
    publicKey: root.publicKey.toString('base64'),
    signature: root.signature.toString('base64'),
    publicUrl: root.publicUrl,
    ...(config.areLedgerTotalsPublic && {
      owed: decimalOf(root.owedCents),
      held: decimalOf(root.heldCents),
      currency: root.currency,
    }),
  };
}
