/** Books what the operator's bank did with a payout: that it paid it, that it came back, or that it was never made. */
import { DAY_MS, later } from '#domain/time.ts';
import type { PaymentBook } from '#server/platform/settings/config.ts';
import type { Context } from '#server/platform/context.ts';
import type { Tx } from '#server/platform/database/database.ts';
import { conflict, notFound } from '#server/platform/http/errors.ts';
import { postBankTransfer } from '../ledger/transfers.ts';
import { askToSaveAgain } from '../payees/bank-account.ts';
import { closePayout } from './store.ts';
import { insertReversal, updateReversal, updateTransfer } from './store-transfers.ts';
import { tellIfFailed, tellSent } from './tell.ts';
import type { Currency } from '#domain/money.ts';
import {
  type BankPayout,
  findByEndToEnd,
  findLine,
  insertLine,
  lockBankPayout,
  lockTransfersOf,
} from './store-bank.ts';
import type { StatementLine } from './camt.ts';

type Transfers = Awaited<ReturnType<typeof lockTransfersOf>>;

/** A payout with its transfers, locked. */
export type Locked = BankPayout & {
  book: PaymentBook;
  transfers: Transfers;
  state: 'waiting' | 'in_file' | 'paid' | 'returned' | 'not_made';
};

/** Locks a payout and its transfers. Throws 404 if no payout by bank transfer has this id. */
export async function lockWhole(ctx: Context, tx: Tx, payoutId: number): Promise<Locked> {
  const { book } = ctx.payments;
  const payout = await lockBankPayout(tx, book, payoutId);
  if (payout === null)
    throw notFound(
      'There is no payout by bank transfer with this number. `openslot money bank-payouts` lists them.',
    );
  const transfers = await lockTransfersOf(tx, payoutId);
  return { ...payout, book, transfers, state: stateOf(payout, transfers) };
}

function stateOf({ fileId }: BankPayout, [first]: Transfers): Locked['state'] {
  if (first?.state === 'refused') return 'not_made';
  if (first?.state === 'sent') return first.bankStatus === 'failed' ? 'returned' : 'paid';
  return fileId === null ? 'waiting' : 'in_file';
}

/** Books that the bank paid a payout at `at`. Throws 409 unless a file has it and nothing was booked yet. [PAYO-203] */
export async function bookPaid(ctx: Context, tx: Tx, payout: Locked, at: Date): Promise<void> {
  const { payoutId, state, transfers } = payout;
  if (state === 'waiting') throw conflict('This payout is in no bank file yet. Make the file first.');
  if (state !== 'in_file') throw conflict(`This payout is already ${NAMES[state]}.`);
  for (const { id, key } of transfers)
    await updateTransfer(tx, id, { state: 'sent', providerId: `bank:${key}`, bankStatus: 'paid' });
  for (const transfer of transfers)
    await postBankTransfer(tx, {
      ...moneyOf(ctx, payout, transfer),
      kind: 'transfer',
      externalRef: `bank:${transfer.key}`,
      occurredAt: at,
    });
  if (await closePayout(tx, payoutId)) await tellSent(ctx, tx, payoutId);
}

const NAMES = { paid: 'paid', returned: 'returned', not_made: 'noted as not made' };

/**
 * Books that a payout came back at `at`, or that the bank never made it. Its money is available again. After a return, the
 * publisher saves their IBAN again before the next payout. `reason` is what the publisher reads. Throws 409 if that is
 * booked already. [PAYO-203]
 */
export async function bookReturned(
  ctx: Context,
  tx: Tx,
  payout: Locked,
  { at, reason }: { at: Date; reason: string },
): Promise<'returned' | 'not_made'> {
  const { payoutId, state, transfers } = payout;
  if (state === 'returned' || state === 'not_made') throw conflict(`This payout is already ${NAMES[state]}.`);
  if (state === 'paid') await bookBack(ctx, tx, payout, { at, reason });
  else for (const { id } of transfers) await updateTransfer(tx, id, { state: 'refused', error: reason });
  await closePayout(tx, payoutId);
  await tellIfFailed(ctx, tx, payoutId);
  return state === 'paid' ? 'returned' : 'not_made';
}

async function bookBack(
  ctx: Context,
  tx: Tx,
  payout: Locked,
  { at, reason }: { at: Date; reason: string },
): Promise<void> {
  const reversals = [];
  for (const transfer of payout.transfers) {
    const { id: transferId, amountCents } = transfer;
    const { id, key } = await insertReversal(tx, { transferId, amountCents, beganAt: at, lookAt: null });
    await updateReversal(tx, id, { state: 'done', providerId: `bank:${key}` });
    const changes = { reversedCents: amountCents, bankStatus: 'failed', bankMessage: reason } as const;
    await updateTransfer(tx, transferId, changes);
    reversals.push({ transfer, key });
  }
  await askToSaveAgain(tx, payout.bankAccountId);
  for (const { transfer, key } of reversals)
    await postBankTransfer(tx, {
      ...moneyOf(ctx, payout, transfer),
      kind: 'reversal',
      externalRef: `bank:${key}`,
      occurredAt: at,
    });
}

function moneyOf(
  ctx: Context,
  { payoutId, userId, book, currency }: Locked,
  { id, adId, amountCents }: Transfers[number],
) {
  return {
    publisherId: userId,
    book,
    currency: currency as Currency,
    adId,
    amountCents,
    meta: { payout: payoutId, transfer: id },
    recordedAt: ctx.now(),
  };
}

/** The payouts that these lines are about, by their end-to-end ids. */
export async function payoutsOf(
  { db, payments }: Context,
  lines: readonly StatementLine[],
): Promise<Map<string, number>> {
  const ids = lines.flatMap(({ endToEndId }) => (endToEndId === null ? [] : [endToEndId]));
  return await findByEndToEnd(db, payments.book, ids);
}

/** `known`: booked before, by this line or by an operator. `problem` says why nothing was booked. */
export type LineOutcome = { did: 'paid' | 'returned' | 'known' } | { did: 'problem'; problem: string };

const problem = (text: string): LineOutcome => ({ did: 'problem', problem: text });

/**
 * Books a line of a statement about one of our payouts, once. A line that does not fit the payout books nothing.
 * [PAYO-204]
 */
export async function bookLine(
  ctx: Context,
  tx: Tx,
  payout: Locked,
  line: StatementLine,
): Promise<LineOutcome> {
  const { payoutId, amountCents, currency, state } = payout;
  if (await findLine(tx, { ref: line.ref })) return { did: 'known' };
  if (line.amountCents !== amountCents || line.currency !== currency)
    return problem('the amount is not that of the payout');
  // A day of a bank in the west can end after that of UTC.
  if (line.bookedAt !== null && later(line.bookedAt, 2 * DAY_MS) < payout.beganAt)
    return problem('its day is before the payout began');
  const kind = line.direction === 'debit' ? 'paid' : 'returned';
  if (await findLine(tx, { payoutId, kind }))
    return problem(`the payout was ${kind} before, by another line of a statement`);
  if (state === 'not_made') return problem('the payout is noted as not made');
  if (kind === 'returned' && (state === 'waiting' || state === 'in_file'))
    return problem('its payment was not read yet; read the earlier statement first');
  if (state === 'waiting') return problem('the payout is in no file');
  const now = ctx.now();
  const at = line.bookedAt !== null && line.bookedAt < now ? line.bookedAt : now;
  await insertLine(tx, { ref: line.ref, payoutId, kind, bookedAt: at, readAt: now });
  if (kind === 'paid' && state === 'in_file') await bookPaid(ctx, tx, payout, at);
  else if (kind === 'returned' && state === 'paid')
    await bookReturned(ctx, tx, payout, { at, reason: line.reason ?? 'no reason given' });
  // An operator has noted it before.
  else return { did: 'known' };
  return { did: kind };
}
