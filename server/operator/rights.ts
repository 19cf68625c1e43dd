import { endSessionsOf } from '../accounts/sessions.ts';
import type { Context } from '../context.ts';
import { conflict, notFound } from '../http/errors.ts';
import { type Operator, perform, record } from './act.ts';
import {
  deleteOperator,
  findAccount,
  insertOperator,
  isOperator,
  listOperators,
  lockOperators,
} from './store.ts';

export type OperatorRow = { id: number; email: string; addedAt: Date };

export async function operators(ctx: Context): Promise<OperatorRow[]> {
  return await listOperators(ctx.db);
}

/**
 * Makes an existing account an operator and signs it out everywhere, so that no session from before, perhaps a stranger's,
 * enters the console. Throws 404 without an account, 409 if it is one or is suspended. [OPER-01, OPER-19]
 */
export async function addOperator(
  ctx: Context,
  operator: Operator,
  { email, reason }: { email: string; reason: string },
): Promise<{ id: number; email: string }> {
  return await perform(ctx, operator, async (tx) => {
    await lockOperators(tx);
    const account = await findAccount(tx, email);
    if (!account) throw notFound(`There is no account with the address ${email}. Sign up with it first.`);
    if (!account.isEmailVerified)
      throw conflict(`${email} isn’t verified yet. Sign in and enter the mailed code first.`);
    if (account.suspendedAt) throw conflict(`${email} is suspended. Restore the account first.`);
    if (!(await insertOperator(tx, account.id, ctx.now())))
      throw conflict(`${email} is an operator already.`);
    await endSessionsOf(tx, account.id);
    await record(ctx, tx, operator, {
      act: 'add-operator',
      subject: 'person',
      subjectId: account.id,
      affectedId: account.id,
      reason,
    });
    return { id: account.id, email };
  });
}

/** Throws 404 if the account is no operator, 409 if it is the last one. [OPER-02] */
export async function removeOperator(
  ctx: Context,
  operator: Operator,
  { email, reason }: { email: string; reason: string },
): Promise<{ id: number; email: string }> {
  return await perform(ctx, operator, async (tx) => {
    await lockOperators(tx);
    const account = await findAccount(tx, email);
    if (!account || !(await isOperator(tx, account.id))) throw notFound(`${email} is no operator.`);
    if (!(await deleteOperator(tx, account.id)))
      throw conflict(`${email} is the last operator. Add another operator first.`);
    await record(ctx, tx, operator, {
      act: 'remove-operator',
      subject: 'person',
      subjectId: account.id,
      affectedId: account.id,
      reason,
    });
    return { id: account.id, email };
  });
}
