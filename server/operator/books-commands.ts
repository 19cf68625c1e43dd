/** The commands `openslot money books | hold | release | evidence | settle | pay-refund`. */
import { suspenseForm } from '#domain/operator/forms.ts';
import { decimalOf } from '#domain/money.ts';
import { stageOf } from '#domain/payments/disputes.ts';
import { SUSPENSE_OUTCOMES } from '#domain/payments/suspense.ts';
import { type Books, readBooks } from '../payments/books/books.ts';
import { suspenseRef } from '../payments/books/suspense.ts';
import { showEvidence } from '../payments/evidence.ts';
import { decideSuspense, holdByOperator, releaseByOperator, sendEvidenceByOperator } from './books.ts';
import { at, type Command, done, numberIn, read, reasonOf, targetOf, UsageError } from './command.ts';
import { payRefundByHand } from './money.ts';

const decimals = (amounts: Record<string, number>) =>
  Object.fromEntries(Object.entries(amounts).map(([name, cents]) => [name, decimalOf(cents)]));

function onWire({ currency, owed, covered, waived, ageing, creditors, holds, disputes }: Books) {
  return {
    currency,
    owed: decimals(owed),
    covered: decimals(covered),
    waived: decimalOf(waived),
    ageing: ageing.map(({ days, ...amounts }) => ({ days, ...decimals(amounts) })),
    creditors: creditors.map(({ userId, email, amountCents }) => ({
      user: userId,
      email,
      amount: decimalOf(amountCents),
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
  Object.entries(amounts).map(([name, cents]) => `  ${name.padEnd(16)} ${decimalOf(cents)} ${currency}`);

function bookLines({ currency, owed, covered, waived, ageing, holds, disputes }: Books): string[] {
  return [
    'Owed:',
    ...amountLines(owed, currency),
    'Covered by:',
    ...amountLines(covered, currency),
    `Earnings that publishers gave up: ${decimalOf(waived)} ${currency}`,
    'Age in days:',
    ...ageing.map(
      ({ days, publishers, refunds }) =>
        `  ${days.padEnd(6)} publishers ${decimalOf(publishers)}, refunds ${decimalOf(refunds)} ${currency}`,
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

function disputeIn(word: string | undefined): string {
  if (word === undefined || !/^\w{1,100}$/.test(word))
    throw new UsageError('Name the dispute by its id in `money books`.');
  return word;
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
  'money hold': {
    usage: 'USER|AD --reason TEXT',
    summary: 'Hold the earnings of a publisher (e-mail address) or of an ad (id)',
    run: async (input) => {
      const [named] = input.args;
      const of = named?.includes('@') ? 'person' : 'ad';
      const { id, reason } = await targetOf(input, of, named);
      const hold = await holdByOperator(input.ctx, input.operator, { of, id, reason });
      return done(input, hold, `Hold ${hold.id}: the earnings of ${of} ${id} are not paid out.`);
    },
  },
  'money release': {
    usage: 'HOLD --reason TEXT',
    summary: 'End a hold, by its number in `money books`',
    run: async (input) => {
      const id = numberIn(input.args[0]);
      const hold = await releaseByOperator(input.ctx, input.operator, { id, ...reasonOf(input) });
      return done(input, hold, `Released hold ${id} (${hold.reason}).`);
    },
  },
  'money evidence': {
    usage: 'DISPUTE [--send [--reason TEXT]]',
    summary: 'Show the evidence of a dispute, or send it to the bank, once',
    run: async (input) => {
      const disputeId = disputeIn(input.args[0]);
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
  'money settle': {
    usage: `SUSPENSE ${SUSPENSE_OUTCOMES.join('|')} --reason TEXT`,
    summary: 'Decide about money in suspense, once, by its id in `money list`',
    run: async (input) => {
      const ref = suspenseRef(input.args[0] ?? '');
      if (!ref) throw new UsageError('Name the money by its id in `money list`, such as payment:12.');
      const form = read(suspenseForm, { outcome: input.args[1], reason: input.options.reason });
      const { adId, amountCents } = await decideSuspense(input.ctx, input.operator, { ref, ...form });
      const amount = amountCents === null ? null : decimalOf(amountCents);
      return done(
        input,
        { id: input.args[0], ad: adId, amount, outcome: form.outcome },
        `Decided about ${input.args[0]}: ${form.outcome}${amount === null ? '. Nothing was booked' : `, ${amount}`}.`,
      );
    },
  },
  'money pay-refund': {
    usage: 'REFUND --reason TEXT',
    summary: 'Note that you have paid an owed refund by bank transfer',
    run: async (input) => {
      const [ref = ''] = input.args;
      if (!/^[0-9a-f-]{36}$/.test(ref)) throw new UsageError('Name the refund by its id in `money list`.');
      await payRefundByHand(input.ctx, input.operator, { ref, ...reasonOf(input) });
      return done(input, { id: ref, status: 'done' }, `Refund ${ref} is done. It was paid by bank transfer.`);
    },
  },
};
