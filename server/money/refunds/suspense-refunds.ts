import { sql } from 'kysely';
import type { Tx } from '#server/platform/database/database.ts';

/** The refunded part of a payment in suspense. */
export async function sumSuspenseRefunds(tx: Tx, paymentId: number): Promise<number> {
  const { cents } = await tx
    .selectFrom('refunds')
    .select(({ fn }) => fn.coalesce(fn.sum<string>('publisherCents'), sql<string>`0`).as('cents'))
    .where('paymentId', '=', paymentId)
    .executeTakeFirstOrThrow();
  return Number(cents);
}
