import type { Context } from '../../context.ts';
import { checkDocuments } from '../documents/check.ts';
import { checkLedger } from '../ledger/check.ts';
import { checkLog } from '../transparency-log/check.ts';
import { listMoney, type WaitingMoney } from './list.ts';
import type { Difference } from './store.ts';

export type Check = {
  /** Whether the books agree with themselves. */
  holds: boolean;
  differences: Difference[];
  /** Money that waits for a decision. It is booked, so it is no difference. */
  suspense: WaitingMoney[];
};

/** Checks the ledger, the payments, the refunds, the documents and the public log against each other, without asking the provider. [BOOK-03] */
export async function checkMoney(ctx: Pick<Context, 'config' | 'db'>): Promise<Check> {
  const differences = [
    ...(await checkLedger(ctx.db)),
    ...(await checkLog(ctx.db)),
    ...(await checkDocuments(ctx.db)),
  ];
  const { suspense } = await listMoney(ctx);
  return { holds: differences.length === 0, differences, suspense };
}
