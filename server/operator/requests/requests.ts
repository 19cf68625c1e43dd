/** With two operators who have the right, one alone neither changes the operators nor gives away large amounts. */
import { holds, type Right } from '#domain/operator/rights.ts';
import { DAY_MS, later } from '#domain/time.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { conflict, forbidden, notFound } from '#server/platform/http/errors.ts';
import { type Operator, perform, reasonWithAmount, record } from '../act.ts';
import { type EndedDebt, endDebtNow, writtenOffOf } from '../money/debts.ts';
import { type Refund, refundAd, type Refunded, refundNow } from '../money/money.ts';
import {
  addNow,
  type Change,
  type Changed,
  removeNow,
  requireCandidate,
  requireOperator,
  setRoleNow,
  type WithRole,
} from '../rights.ts';
import { countOperatorsWith, lockOperators, operatorRole } from '../store.ts';
import {
  findRequest,
  insertRequest,
  listOpenRequests,
  type NewRequest,
  type RequestRow,
  rightFor,
  settleRequest,
  sumRefundsByOperators,
} from './store-requests.ts';
import { requireSubject } from '../decisions/suspend.ts';
import { type Currency, decimalOf, moneyText } from '#domain/money.ts';

export { countOpenRequests, type RequestRow } from './store-requests.ts';

/** How long a request waits for the second operator. */
const WAITS_DAYS = 7;

/** Whether another operator has to confirm it, so that nothing has happened yet. */
type Waits = { waits: boolean };

/** The owner of the machine, who uses the command line, can change the database as well, and so needs no second. */
async function needsSecond(tx: Tx, operator: Operator, right: Right): Promise<boolean> {
  return operator.id !== null && (await countOperatorsWith(tx, right)) >= 2;
}

/** Adds an operator, or asks the second operator for it. Throws as `addNow`. [OPER-22] */
export async function addOperator(
  ctx: Context,
  operator: Operator,
  change: WithRole,
): Promise<Changed & Waits> {
  return await perform(ctx, operator, async (tx) => {
    await lockOperators(tx);
    return await addOrAsk(ctx, tx, operator, change);
  });
}

/** The same in the caller's transaction, which holds the lock of `lockOperators`. */
export async function addOrAsk(
  ctx: Context,
  tx: Tx,
  operator: Operator,
  change: WithRole,
): Promise<Changed & Waits> {
  if (!(await needsSecond(tx, operator, 'owner')))
    return { ...(await addNow(ctx, tx, operator, change)), waits: false };
  const { email, role, reason } = change;
  const { id } = await requireCandidate(tx, email);
  if ((await operatorRole(tx, id)) !== null) throw conflict(`${email} is an operator already.`);
  await ask(ctx, tx, operator, { kind: 'add-operator', subjectId: id, role, reason });
  return { id, email, waits: true };
}

/** Changes the role of an operator, or asks the second owner for it. Throws as `setRoleNow`. [OPER-22] */
export async function setOperatorRole(
  ctx: Context,
  operator: Operator,
  change: WithRole,
): Promise<Changed & Waits> {
  return await changeOperators(ctx, operator, async (tx, isAlone) => {
    if (isAlone) return { ...(await setRoleNow(ctx, tx, operator, change)), waits: false };
    const { email, role, reason } = change;
    const { id } = await requireOperator(tx, email);
    await ask(ctx, tx, operator, { kind: 'set-operator-role', subjectId: id, role, reason });
    return { id, email, waits: true };
  });
}

/** Removes an operator, or asks the second operator for it. Throws as `removeNow`. [OPER-02, OPER-22] */
export async function removeOperator(
  ctx: Context,
  operator: Operator,
  change: Change,
): Promise<Changed & Waits> {
  return await changeOperators(ctx, operator, async (tx, isAlone) => {
    if (isAlone) return { ...(await removeNow(ctx, tx, operator, change)), waits: false };
    const { email, reason } = change;
    const { id } = await requireOperator(tx, email);
    await ask(ctx, tx, operator, { kind: 'remove-operator', subjectId: id, reason });
    return { id, email, waits: true };
  });
}

async function changeOperators<T>(
  ctx: Context,
  operator: Operator,
  change: (tx: Tx, isAlone: boolean) => Promise<T>,
): Promise<T> {
  return await perform(ctx, operator, async (tx) => {
    await lockOperators(tx);
    return await change(tx, !(await needsSecond(tx, operator, 'owner')));
  });
}

class TooLarge extends Error {
  readonly amountCents: number;
  constructor(amountCents: number) {
    super('The amount needs a second operator, so the transaction is rolled back.');
    this.amountCents = amountCents;
  }
}

/**
 * Refunds, or asks the second operator if operators have then refunded more than OPERATOR_REFUND_LIMIT for this ad. The sum
 * counts, so that a large refund cannot be split. Throws as `refundAd`. [OPER-22]
 */
export async function refundOrAsk(
  ctx: Context,
  operator: Operator,
  refund: Refund,
): Promise<Refunded & Waits> {
  try {
    const refunded = await refundAd(ctx, operator, refund, async (tx, { refundCents }) => {
      if (!(await needsSecond(tx, operator, 'money'))) return;
      if ((await sumRefundsByOperators(tx, refund.id)) > ctx.config.operatorRefundLimitCents)
        throw new TooLarge(refundCents);
    });
    return { ...refunded, waits: false };
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    const { id, amount, reason } = refund;
    await perform(ctx, operator, async (tx) => {
      await ask(ctx, tx, operator, {
        kind: 'refund',
        subjectId: id,
        amountCents: error.amountCents,
        isEverything: amount === null,
        reason,
      });
    });
    return { refundCents: error.amountCents, isEnded: false, waits: true };
  }
}

/**
 * Writes off what a publisher owes, or asks the second owner if more than OPERATOR_REFUND_LIMIT of this publisher's debts is
 * then written off. Throws as `endDebt`. [BOOK-221]
 */
export async function writeOffOrAsk(
  ctx: Context,
  operator: Operator,
  debt: EndedDebt,
): Promise<{ cents: number } & Waits> {
  try {
    return await perform(ctx, operator, async (tx) => {
      const cents = await endDebtNow(ctx, tx, operator, { ...debt, outcome: 'written_off' });
      const isLarge = (await writtenOffOf(ctx, tx, debt.id)) > ctx.config.operatorRefundLimitCents;
      if (isLarge && (await needsSecond(tx, operator, 'owner'))) throw new TooLarge(cents);
      return { cents, waits: false };
    });
  } catch (error) {
    if (!(error instanceof TooLarge)) throw error;
    const { id, reason } = debt;
    const { amountCents } = error;
    await perform(ctx, operator, async (tx) => {
      await ask(ctx, tx, operator, { kind: 'write-off', subjectId: id, amountCents, reason });
    });
    return { cents: amountCents, waits: true };
  }
}

export async function openRequests(ctx: Context): Promise<RequestRow[]> {
  return await listOpenRequests(ctx.db, ctx.realNow());
}

const CHANGES = {
  'add-operator': addNow,
  'remove-operator': removeNow,
  'set-operator-role': setRoleNow,
};

/**
 * Does what another operator asked for. Throws 404, 403 without the right that the request needs, or 409 if it is the caller's own request, has expired or was decided,
 * or is refused by now. [OPER-22]
 */
export async function confirmRequest(ctx: Context, operator: Operator, id: number): Promise<RequestRow> {
  return await perform(ctx, operator, async (tx) => {
    await lockOperators(tx);
    await requireRight(tx, operator, id);
    const request = await settle(ctx, tx, operator, id, 'confirmed');
    const { kind, subjectId, email, reason } = request;
    if (kind === 'write-off') {
      const debt = { id: subjectId, amount: Number(request.amountCents), reason };
      await endDebtNow(ctx, tx, operator, { ...debt, outcome: 'written_off' });
      return request;
    }
    if (kind !== 'refund') {
      if (email === null) throw conflict('This account no longer exists. Decline the request.');
      const change = { email, role: request.role ?? 'owner', reason };
      await CHANGES[kind](ctx, tx, operator, change);
      return request;
    }
    const amount = request.isEverything ? null : request.amountCents;
    const { refundCents } = await refundNow(ctx, tx, operator, { id: subjectId, amount, reason });
    if (refundCents > Number(request.amountCents))
      throw conflict('More is left to refund than when this was requested. Decline it, and ask again.');
    return request;
  });
}

/** Refuses a request, or takes one's own back. Throws 404 or 409. [OPER-22] */
export async function declineRequest(
  ctx: Context,
  operator: Operator,
  { id, reason }: { id: number; reason: string },
): Promise<RequestRow> {
  return await perform(ctx, operator, async (tx) => {
    await requireRight(tx, operator, id);
    const request = await settle(ctx, tx, operator, id, 'declined');
    await recordAbout(ctx, tx, operator, { act: 'decline-request', request, reason });
    return request;
  });
}

/** Only who could ask for it decides about it. */
async function requireRight(tx: Tx, { id: by }: Operator, id: number): Promise<void> {
  const request = await findRequest(tx, id);
  if (by === null || !request) return;
  const role = await operatorRole(tx, by);
  if (role === null || !holds(role, rightFor(request.kind)))
    throw forbidden('Your role doesn’t allow a decision about this request.');
}

async function ask(ctx: Context, tx: Tx, operator: Operator, request: NewRequest): Promise<void> {
  const now = ctx.realNow();
  const isNew = await insertRequest(tx, {
    ...request,
    requestedBy: Number(operator.id),
    requestedAt: now,
    expiresAt: later(now, WAITS_DAYS * DAY_MS),
  });
  if (!isNew) throw conflict('This was requested already, and waits for another operator. See Requests.');
  const { amountCents, reason } = request;
  await recordAbout(ctx, tx, operator, {
    act: `request-${request.kind}`,
    request,
    reason: amountCents ? reasonWithAmount(amountCents, ctx.config.currency, reason) : reason,
  });
}

async function settle(
  ctx: Context,
  tx: Tx,
  operator: Operator,
  id: number,
  outcome: 'confirmed' | 'declined',
): Promise<RequestRow> {
  const now = ctx.realNow();
  const isSettled = await settleRequest(tx, { id, outcome, by: operator.id, now });
  const request = await findRequest(tx, id);
  if (!request) throw notFound('There is no request with this number.');
  if (isSettled) return request;
  if (request.outcome !== null) throw conflict(`This request was ${request.outcome} already.`);
  if (request.expiresAt <= now) throw conflict('This request has expired. Ask again.');
  if (request.requestedBy === operator.id) throw conflict('Another operator has to confirm your request.');
  throw conflict('The person who requested this can’t do so any more. Decline the request.');
}

/** The person or the advertiser does not see it, because nothing has happened yet. */
async function recordAbout(
  ctx: Context,
  tx: Tx,
  operator: Operator,
  about: {
    act: `request-${NewRequest['kind']}` | 'decline-request';
    request: Pick<NewRequest, 'kind' | 'subjectId'>;
    reason: string;
  },
): Promise<void> {
  const { act, request, reason } = about;
  const { kind, subjectId } = request;
  const subject =
    kind === 'refund'
      ? { subject: 'ad' as const, subjectName: (await requireSubject(tx, 'ad', subjectId)).name }
      : { subject: 'person' as const };
  await record(ctx, tx, operator, { act, ...subject, subjectId, affectedId: null, reason });
}

/** 'Add the operator pat@example.com', 'Refund USD 612.00 for “Autumn sale” (ad 7)'. */
export function requestWords(
  { kind, subjectId, email, title, amountCents, role }: RequestRow,
  currency: Currency,
): string {
  if (kind === 'refund')
    return `Refund ${moneyText(decimalOf(amountCents ?? 0), currency)} for “${title ?? ''}” (ad ${subjectId})`;
  if (kind === 'write-off')
    return `Write off ${moneyText(decimalOf(amountCents ?? 0), currency)} that ${email ?? `the deleted account ${subjectId}`} owes`;
  const name = email ?? `of the deleted account ${subjectId}`;
  const to = role === null || role === 'owner' ? '' : `, role ${role}`;
  if (kind === 'set-operator-role') return `Give the operator ${name} the role ${role}`;
  return `${kind === 'add-operator' ? 'Add' : 'Remove'} the operator ${name}${to}`;
}
