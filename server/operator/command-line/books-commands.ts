/** The commands `openslot money books` and `money evidence`. */
import { decimalOf } from '#domain/money.ts';
import { percentOf } from '#domain/payments/tax.ts';
import { stageOf } from '#domain/payments/disputes.ts';
import { type Books, readBooks } from '#server/money/books/books.ts';
import { showEvidence } from '#server/money/disputes/evidence.ts';
import { DISPUTE } from '../acts/act-targets.ts';
import { sendEvidenceByOperator } from '../money/books.ts';
import { at, type Command, done } from '../acts/command.ts';

const decimals = (amounts: Record<string, number>) =>
  Object.fromEntries(Object.entries(amounts).map(([name, cents]) => [name, decimalOf(cents)]));

function onWire({
  currency,
  owed,
  covered,
  waived,
  ageing,
  taxOwed,
  creditors,
  debtors,
  holds,
  disputes,
}: Books) {
  return {
    currency,
    owed: decimals(owed),
    covered: decimals(covered),
    uncovered: decimalOf(covered.missing),
    taxOwed: taxOwed.map(({ country, rate, outputCents, inputCents, amountCents }) => ({
      country,
      rate: percentOf(rate),
      output: decimalOf(outputCents),
      input: decimalOf(inputCents),
      amount: decimalOf(amountCents),
    })),
    waived: decimalOf(waived),
    ageing: ageing.map(({ days, ...amounts }) => ({ days, ...decimals(amounts) })),
    creditors: creditors.map(({ userId, email, amountCents }) => ({
      user: userId,
      email,
      amount: decimalOf(amountCents),
    })),
    debtors: debtors.map(({ userId, name, email, amountCents, movedAt, isDoubtful }) => ({
      user: userId,
      name,
      email,
      amount: decimalOf(amountCents),
      movedAt: movedAt.toISOString(),
      doubtful: isDoubtful,
    })),
    holds: holds.map(({ id, userId, email, ad, reason, amountCents, since, until }) => ({
      id,
      user: userId,
      email,
      ad,
      reason,
      amount: decimalOf(amountCents),
      currency,
      since: since.toISOString(),
      until: until?.toISOString() ?? null,
    })),
    disputes: disputes.map(
      ({ id, ad, status, reason, amountCents, dueAt, evidence, evidenceError, ...row }) => ({
        id,
        ad,
        status,
        stage: stageOf(status),
        reason,
        amount: decimalOf(amountCents),
        currency: row.currency,
        dueAt: dueAt?.toISOString() ?? null,
        evidence,
        problem: evidenceError,
      }),
    ),
  };
}

/** The amounts of one side as lines, such as 'publishers  85.00 USD'. */
const amountLines = (amounts: Record<string, number>, currency: string) =>
  Object.entries(amounts).map(([name, cents]) => `  ${name.padEnd(18)} ${decimalOf(cents)} ${currency}`);

function bookLines({
  currency,
  owed,
  covered,
  waived,
  ageing,
  taxOwed,
  debtors,
  holds,
  disputes,
}: Books): string[] {
  return [
    'Owed:',
    ...amountLines(owed, currency),
    'Covered by:',
    ...amountLines(covered, currency),
    ...taxOwed.map(
      ({ country, rate, outputCents, inputCents, amountCents }) =>
        `Tax owed to ${country} at ${percentOf(rate)}%: ${decimalOf(amountCents)} ${currency} (output ${decimalOf(outputCents)}, input ${decimalOf(inputCents)})`,
    ),
    `Earnings that publishers gave up: ${decimalOf(waived)} ${currency}`,
    'Age in days:',
    ...ageing.map(
      ({ days, publishers, refunds }) =>
        `  ${days.padEnd(6)} publishers ${decimalOf(publishers)}, refunds ${decimalOf(refunds)} ${currency}`,
    ),
    ...debtors.map(
      ({ userId, name, email, amountCents, movedAt, isDoubtful }) =>
        `Owed by ${name}, ${email ?? 'no address'}, account ${userId}: ${decimalOf(amountCents)} ${currency}, last moved ${at(movedAt)}${isDoubtful ? ', doubtful' : ''}`,
    ),
    holds.length === 0 ? 'No earnings are on hold.' : 'On hold:',
    ...holds.map(
      ({ id, email, ad, reason, amountCents, since, until }) =>
        `  ${id}  ${decimalOf(amountCents)} ${currency}  ${reason}  ${email ?? 'deleted account'}  ${ad === null ? 'all ads' : `ad ${ad}`}  since ${at(since)}${until ? `, until ${at(until)} or later` : ''}`,
    ),
    disputes.length === 0 ? 'No dispute is open.' : 'Disputes:',
    ...disputes.map(
      ({ id, ad, status, amountCents, currency: of, dueAt, evidence }) =>
        `  ${id}  ${decimalOf(amountCents)} ${of}  ad ${ad}  ${status}  due ${dueAt ? at(dueAt) : 'never'}  evidence ${evidence}`,
    ),
  ];
}

export const BOOK_COMMANDS: Readonly<Record<string, Command>> = {
  'money books': {
    usage: '',
    summary: 'Show owed amounts, what covers them, holds, and open disputes',
    run: async ({ ctx }) => {
      const books = await readBooks(ctx);
      return { json: onWire(books), lines: bookLines(books) };
    },
  },
  'money evidence': {
    usage: 'DISPUTE [--send [--reason TEXT]]',
    summary: 'Show the evidence of a dispute, or send it to the bank, once',
    run: async (input) => {
      const { disputeId } = await DISPUTE.inWords(input);
      if (!input.options.send) {
        const evidence = await showEvidence(input.ctx, disputeId);
        return {
          json: { id: disputeId, evidence },
          lines: Object.entries(evidence).map(([name, text]) => `${name}: ${text.replaceAll('\n', ' / ')}`),
        };
      }
      const reason = input.options.reason ?? 'Sent by the command line';
      const { adId, evidence } = await sendEvidenceByOperator(input.ctx, input.operator, {
        disputeId,
        reason,
      });
      return done(
        input,
        { id: disputeId, ad: adId, evidence },
        `The bank has the evidence of dispute ${disputeId}.`,
      );
    },
  },
};
