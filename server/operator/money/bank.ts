/** The acts about payouts by bank transfer. docs/decisions/041-payouts.md has the rules. */
import { SEPA_CURRENCY } from '#domain/payments/limits.ts';
import { decimalOf } from '#domain/money.ts';
import { bookLine, bookPaid, bookReturned, lockWhole, payoutsOf } from '#server/money/payouts/bank-book.ts';
import {
  readStatements,
  StatementError,
  type Statement,
  type StatementLine,
} from '#server/money/payouts/camt.ts';
import { makeBankFile } from '#server/money/payouts/bank-file.ts';
import type { Context } from '#server/platform/context.ts';
import { invalid } from '#server/platform/http/errors.ts';
import { type Operator, perform, record } from '../act.ts';

/** Makes a file of the payouts that wait. Throws as `makeBankFile`. [PAYO-202] */
export async function makeFileByOperator(
  ctx: Context,
  operator: Operator,
  { reason = '' }: { reason?: string },
): Promise<Awaited<ReturnType<typeof makeBankFile>>> {
  return await perform(ctx, operator, async (tx) => {
    const file = await makeBankFile(ctx, tx);
    await record(ctx, tx, operator, {
      act: 'make-bank-file',
      subject: 'bank_file',
      subjectId: file.id,
      subjectName: file.name,
      affectedId: null,
      reason: `${file.payouts} payouts, ${decimalOf(file.amountCents)} ${SEPA_CURRENCY}. ${reason}`.trim(),
    });
    return file;
  });
}

type Noted = { id: number; reason: string };

/** Books that the bank has paid a payout. Throws 404 or 409. [PAYO-203] */
export async function notePaid(ctx: Context, operator: Operator, { id, reason }: Noted): Promise<void> {
  await perform(ctx, operator, async (tx) => {
    const payout = await lockWhole(ctx, tx, id);
    await bookPaid(ctx, tx, payout, ctx.now());
    const person = { subject: 'person', subjectId: payout.userId, affectedId: payout.userId } as const;
    await record(ctx, tx, operator, { act: 'note-bank-paid', ...person, reason: `Payout ${id}. ${reason}` });
  });
}

/** Books that a payout came back, or was never made. The publisher reads the reason. Throws 404 or 409. [PAYO-203] */
export async function noteReturned(
  ctx: Context,
  operator: Operator,
  { id, reason }: Noted,
): Promise<{ did: 'returned' | 'not_made' }> {
  return await perform(ctx, operator, async (tx) => {
    const payout = await lockWhole(ctx, tx, id);
    const did = await bookReturned(ctx, tx, payout, { at: ctx.now(), reason });
    const person = { subject: 'person', subjectId: payout.userId, affectedId: payout.userId } as const;
    await record(ctx, tx, operator, {
      act: 'note-bank-returned',
      ...person,
      reason: `Payout ${id}. ${reason}`,
    });
    return { did };
  });
}

export type ReadLine = Pick<
  StatementLine,
  'statement' | 'entry' | 'direction' | 'amountCents' | 'currency' | 'endToEndId'
> & {
  /** Our payout; null for a line that is not about one. */
  payout: number | null;
  /** `known`: booked before. `problem`: about a payout of ours that it does not fit, so that nothing was booked. */
  did: 'paid' | 'returned' | 'known' | 'problem' | 'foreign';
  problem: string | null;
};

/**
 * Reads a statement of the bank, and books what it says about our payouts. Each payout is booked in a transaction of its
 * own, payments before returns, so that reading a statement again continues where it was interrupted. Throws 400 if the
 * file is no statement of the account that pays the publishers. [PAYO-204]
 */
export async function readStatement(
  ctx: Context,
  operator: Operator,
  { bytes }: { bytes: Buffer },
): Promise<{ lines: ReadLine[] }> {
  const lines = statementsIn(bytes, ctx.config.bankIban)
    .flatMap((statement) => statement.lines)
    .toSorted((one, other) => Number(one.direction === 'credit') - Number(other.direction === 'credit'));
  const ours = await payoutsOf(ctx, lines);
  const read: ReadLine[] = [];
  for (const line of lines) {
    const { ref: _, bookedAt: __, reason: ___, ...shown } = line;
    const payout = ours.get(line.endToEndId ?? '') ?? null;
    const outcome =
      payout === null ? ({ did: 'foreign' } as const) : await bookByStatement(ctx, operator, payout, line);
    read.push({ ...shown, payout, problem: null, ...outcome });
  }
  return { lines: read };
}

function statementsIn(bytes: Buffer, bankIban: string | undefined): Statement[] {
  try {
    const statements = readStatements(bytes);
    const foreign = statements.find(({ iban }) => iban !== bankIban);
    if (foreign)
      throw invalid(
        `The statement is of the account that ends in ${foreign.iban.slice(-4)}, which is not that of BANK_IBAN.`,
      );
    return statements;
  } catch (error) {
    if (error instanceof StatementError) throw invalid(error.message);
    throw error;
  }
}

async function bookByStatement(ctx: Context, operator: Operator, payoutId: number, line: StatementLine) {
  return await perform(ctx, operator, async (tx) => {
    const payout = await lockWhole(ctx, tx, payoutId);
    const outcome = await bookLine(ctx, tx, payout, line);
    if (outcome.did === 'paid' || outcome.did === 'returned')
      await record(ctx, tx, operator, {
        act: outcome.did === 'paid' ? 'note-bank-paid' : 'note-bank-returned',
        subject: 'person',
        subjectId: payout.userId,
        affectedId: null,
        reason: `Payout ${payoutId}, by entry ${line.entry} of the statement ${line.statement.slice(0, 100)}.`,
      });
    return outcome;
  });
}
