import { type Currency, decimalOf } from '#domain/money.ts';
import type { ActSubject, Act } from '#domain/operator/acts.ts';
import { MAX_REASON } from '#domain/operator/limits.ts';
import { holds } from '#domain/operator/rights.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { conflict, forbidden } from '#server/platform/http/errors.ts';
import { isMemberOf } from '#server/people/members/members.ts';
import { noteAct } from '#server/money/transparency-log/acts.ts';
import { appendActs } from '#server/money/transparency-log/append.ts';
import { insertAct, operatorRole } from './store.ts';

/** The actor: an operator's account, or the command line or the server itself, which have no account. */
export type Operator = {
  id: number | null;
  /** The name of the session in which an operator acts in the console. */
  session?: string;
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

const OWN_CASE =
  'You can’t decide about your own account, or one of which you’re a member. Another operator can, or the command line on the server.';
const OPERATORS_ACCOUNT = 'This account is an operator’s. Only an owner can do this.';

/** The reason of an act about money, which begins with the amount so that the trail says it. */
export function reasonWithAmount(cents: number, currency: Currency, reason: string): string {
  const whole = `${decimalOf(cents)} ${currency}. ${reason}`;
  // A request that an earlier release stored may have a reason that leaves no room for the amount.
  return whole.length > MAX_REASON ? `${whole.slice(0, MAX_REASON - 1).toWellFormed()}…` : whole;
}

/** They have rules of their own (requests.ts), and an operator may resign, or take a request back. */
export const ABOUT_OPERATORS: readonly Act[] = [
  'add-operator',
  'remove-operator',
  'set-operator-role',
  'request-add-operator',
  'request-remove-operator',
  'request-set-operator-role',
  'decline-request',
];

/**
 * Refuses an operator who decides in their own case (409), and one who is no owner an act about the account of an operator
 * (403). Every act passes here in its transaction. The command line belongs to the owner of the machine. Reading a file
 * changes nothing. [WARD-08]
 */
async function requireImpartial(
  tx: Tx,
  { id: by }: Operator,
  { act, subject, subjectId, affectedId }: ActRecord,
): Promise<void> {
  if (by === null || act === 'read-person' || ABOUT_OPERATORS.includes(act)) return;
  const account = subject === 'person' ? subjectId : affectedId;
  if (account === null) return;
  if (account === by || (await isMemberOf(tx, account, by))) throw conflict(OWN_CASE);
  if (subject !== 'person' || (await operatorRole(tx, account)) === null) return;
  const role = await operatorRole(tx, by);
  if (role === null || !holds(role, 'owner')) throw forbidden(OPERATORS_ACCOUNT);
}

/**
 * Writes the act to the audit trail, in the transaction of `perform`. Returns the ids of the new row. Throws as
 * `requireImpartial`.
 */
export async function record(
  ctx: Context,
  tx: Tx,
  operator: Operator,
  act: ActRecord,
): Promise<{ id: number; publicId: string }> {
  await requireImpartial(tx, operator, act);
  const row = await insertAct(tx, {
    ...act,
    subjectName: (act.subjectName ?? '').slice(0, 200),
    operatorId: operator.id,
    actedAt: ctx.now(),
  });
  await noteAct(tx, row.id);
  return row;
}
