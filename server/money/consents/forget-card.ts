import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Context } from '#server/platform/context.ts';

/** The job. A card of another provider can only be forgotten there. */
export async function forgetCard(
  ctx: Context,
  { cardId, book }: { cardId: string; book: PaymentBook },
): Promise<void> {
  if (book === ctx.payments.book) await ctx.payments.forgetCard(cardId);
}
