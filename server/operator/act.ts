import type { ActSubject, Act } from '#domain/operator/acts.ts';
import type { Context } from '../context.ts';
import type { Tx } from '../db/database.ts';
import { noteAct } from '../payments/transparency-log/acts.ts';
import { appendActs } from '../payments/transparency-log/append.ts';
import { insertAct } from './store.ts';

/** The actor: an operator's account, or the command line, which has no account. */
export type Operator = {
  id: number | null;
  /** Runs the whole use case and rolls it back, so that the caller sees the real answer or refusal. */
  dryRun?: boolean;
};

class DryRun extends Error {
  readonly answer: unknown;
  constructor(answer: unknown) {
    super('The act was a dry run, so its transaction is rolled back.');
    this.answer = answer;
  }
}

/**
 * Runs an act in one transaction, and adds it to the signed log. With `dryRun` the transaction is rolled back, with its
 * mails and notifications.
 */
export async function perform<T>(ctx: Context, operator: Operator, work: (tx: Tx) => Promise<T>): Promise<T> {
  try {
    return await ctx.db.transaction().execute(async (tx) => {
      const answer = await work(tx);
      if (operator.dryRun) throw new DryRun(answer);
      await appendActs(tx, ctx.payments.book);
      return answer;
    });
  } catch (error) {
    if (error instanceof DryRun) return error.answer as T;
    throw error;
  }
}

export type ActRecord = {
  act: Act;
  subject: ActSubject;
  subjectId: number;
  subjectName?: string;
  affectedId: number | null;
  reason: string;
  keyHash?: Buffer | null;
};

/** Writes the act to the audit trail, in the transaction of `perform`. Returns the ids of the new row. */
export async function record(
  ctx: Context,
  tx: Tx,
  operator: Operator,
  act: ActRecord,
): Promise<{ id: number; publicId: string }> {
  const row = await insertAct(tx, {
    ...act,
    subjectName: (act.subjectName ?? '').slice(0, 200),
    operatorId: operator.id,
    actedAt: ctx.now(),
  });
  await noteAct(tx, row.id);
  return row;
}
