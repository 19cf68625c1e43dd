import { MAX_REASON } from '#domain/operator/limits.ts';
import type { OperatorRole } from '#domain/operator/rights.ts';
import { endSessionsOf } from '#server/people/accounts/sessions.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { conflict, notFound } from '#server/platform/http/errors.ts';
import { type Operator, record } from './act.ts';
import {
  deleteOperator,
  findAccount,
  insertOperator,
  listOperators,
  operatorRole,
  updateRole,
} from './store.ts';

export type OperatorRow = { id: number; email: string; role: OperatorRole; addedAt: Date };

export async function operators(ctx: Context): Promise<OperatorRow[]> {
  return await listOperators(ctx.db);
}

export type Change = { email: string; reason: string };
export type Changed = { id: number; email: string };
export type WithRole = Change & { role: OperatorRole };

/**
 * Makes an existing account an operator and signs it out everywhere, so that no session from before, perhaps a stranger's,
 * enters the console. The caller holds the lock of `lockOperators`. Throws 404 without an account, 409 if it is one or is
 * suspended. [OPER-03]
 */
export async function addNow(
  ctx: Context,
  tx: Tx,
  operator: Operator,
  { email, role, reason }: WithRole,
): Promise<Changed> {
  const { id } = await requireCandidate(tx, email);
  if (!(await insertOperator(tx, { userId: id, role, addedAt: ctx.now() })))
    throw conflict(`${email} is an operator already.`);
  await endSessionsOf(tx, id);
  await recordChange(ctx, tx, operator, {
    act: 'add-operator',
    id,
    reason: role === 'owner' ? reason : `${reason} (${role})`.slice(-MAX_REASON),
  });
  return { id, email };
}

/**
 * The caller holds the lock of `lockOperators`. Throws 404 if the account is no operator, 409 if it has the role already or
 * is the last owner.
 */
export async function setRoleNow(
  ctx: Context,
  tx: Tx,
  operator: Operator,
  { email, role, reason }: WithRole,
): Promise<Changed> {
  const { id, role: before } = await requireOperator(tx, email);
  if (before === role) throw conflict(`${email} has the role ${role} already.`);
  if (!(await updateRole(tx, id, role)))
    throw conflict(`${email} is the last owner. Make another operator an owner first.`);
  await recordChange(ctx, tx, operator, {
    act: 'set-operator-role',
    id,
    reason: `${reason} (from ${before} to ${role})`,
  });
  return { id, email };
}

/**
 * The caller holds the lock of `lockOperators`. Throws 404 if the account is no operator, 409 if it is the last owner.
 * [OPER-02]
 */
export async function removeNow(
  ctx: Context,
  tx: Tx,
  operator: Operator,
  { email, reason }: Change,
): Promise<Changed> {
  const { id } = await requireOperator(tx, email);
  if (!(await deleteOperator(tx, id)))
    throw conflict(`${email} is the last owner. Make another operator an owner first.`);
  await recordChange(ctx, tx, operator, { act: 'remove-operator', id, reason });
  return { id, email };
}

/** The account that can become an operator. Throws 404 or 409. */
export async function requireCandidate(tx: Tx, email: string): Promise<{ id: number }> {
  const account = await findAccount(tx, email);
  if (!account) throw notFound(`There is no account with the address ${email}. Sign up with it first.`);
  if (!account.isEmailVerified)
    throw conflict(`${email} isn’t verified yet. Sign in and enter the mailed code first.`);
  if (account.suspendedAt) throw conflict(`${email} is suspended. Restore the account first.`);
  return account;
}

/** Throws 404 if the account is no operator. */
export async function requireOperator(tx: Tx, email: string): Promise<{ id: number; role: OperatorRole }> {
  const account = await findAccount(tx, email);
  const role = account ? await operatorRole(tx, account.id) : null;
  if (!account || role === null) throw notFound(`${email} is no operator.`);
  return { id: account.id, role };
}

async function recordChange(
  ctx: Context,
  tx: Tx,
  operator: Operator,
  {
    act,
    id,
    reason,
  }: { act: 'add-operator' | 'remove-operator' | 'set-operator-role'; id: number; reason: string },
): Promise<void> {
  await record(ctx, tx, operator, { act, subject: 'person', subjectId: id, affectedId: id, reason });
}
