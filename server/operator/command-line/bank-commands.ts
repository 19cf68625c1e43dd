/** The commands `openslot money bank-…`, for payouts by bank transfer. */
import { stat, readFile, writeFile } from 'node:fs/promises';
import path from 'node:path';
import { SEPA_CURRENCY } from '#domain/payments/limits.ts';
import { counted } from '#domain/format.ts';
import { decimalOf } from '#domain/money.ts';
import { MAX_STATEMENT_BYTES } from '#server/money/payouts/camt.ts';
import { listBankPayouts, readBankFile } from '#server/money/payouts/bank-file.ts';
import { rowNumber } from '#domain/operator/forms.ts';
import { makeFileByOperator, type ReadLine, readStatement } from '../money/bank.ts';
import { at, type Command, done, UsageError } from '../acts/command.ts';
import { writable } from './period-options.ts';

const lineText = ({ did, payout, statement, entry, amountCents, currency, endToEndId, problem }: ReadLine) =>
  `${did.padEnd(8)}  ${payout === null ? '-' : `payout ${payout}`}  ${amountCents === null ? '?' : decimalOf(amountCents)} ${currency}  statement ${statement}, entry ${entry}  ${problem ?? endToEndId ?? ''}`.trimEnd();

export const BANK_COMMANDS: Readonly<Record<string, Command>> = {
  'money bank-payouts': {
    usage: '',
    summary: 'List payouts by bank and their files',
    run: async ({ ctx }) => {
      const { payouts, files } = await listBankPayouts(ctx);
      return {
        json: {
          payouts: payouts.map(({ payoutId, email, amountCents, currency, beganAt, fileId, ...row }) => ({
            id: payoutId,
            email,
            amount: decimalOf(amountCents),
            currency,
            since: beganAt.toISOString(),
            account: row.last4,
            file: fileId,
            held: row.isHeld,
          })),
          files: files.map(({ amountCents, madeAt, ...file }) => ({
            ...file,
            amount: decimalOf(amountCents),
            madeAt: madeAt.toISOString(),
          })),
        },
        lines: [
          payouts.length === 0 ? 'No payout is on its way.' : 'Payouts:',
          ...payouts.map(
            ({ payoutId, amountCents, currency, email, last4, fileId, isHeld, beganAt }) =>
              `  ${payoutId}  ${decimalOf(amountCents)} ${currency}  ${email}  account …${last4}  ${fileId !== null ? `in file ${fileId}` : isHeld ? 'on hold' : 'waits for a file'}  since ${at(beganAt)}`,
          ),
          ...(files.length === 0 ? [] : ['Files:']),
          ...files.map(
            ({ id, madeAt, amountCents, payouts: n, open }) =>
              `  ${id}  made ${at(madeAt)}  ${decimalOf(amountCents)} ${SEPA_CURRENCY}  ${counted(n, 'payout')}, ${open} open`,
          ),
        ],
      };
    },
  },
  'money bank-file': {
    usage: '[FILE] [--dir DIR]',
    summary: 'Write a pain.001 file of the waiting payouts, or a file again',
    run: async (input) => {
      const { ctx, operator, args, options } = input;
      const id = args[0] === undefined ? null : rowNumber(args[0]);
      if (args[0] !== undefined && id === null)
        throw new UsageError('Name the file by its number in `money bank-payouts`.');
      const { dir = '.' } = options;
      const file =
        id === null ? await makeFileByOperator(ctx, operator, options) : await readBankFile(ctx, id);
      const to = path.join(dir, file.name);
      // It has the IBANs of publishers.
      if (!options.dryRun) await writable(dir, () => writeFile(to, file.content, { mode: 0o600 }));
      const next =
        ctx.payments.mode === 'live'
          ? 'Upload it to your bank once.'
          : 'It is a test: nobody has paid with real money, so do not upload it.';
      return done(input, { id: file.id, file: to }, `File ${file.id}: ${to}. ${next}`);
    },
  },
  'money bank-statement': {
    usage: 'STATEMENT',
    summary: 'Book the payouts in a camt.053',
    run: async ({ ctx, operator, args: [file], options }) => {
      const { lines } = await readStatement(ctx, operator, { bytes: await bytesOf(file) });
      const problems = lines.filter(({ did }) => did === 'problem').length;
      return {
        json: {
          lines: lines.map(({ amountCents, ...line }) => ({
            ...line,
            amount: amountCents === null ? null : decimalOf(amountCents),
          })),
          dryRun: options.dryRun,
        },
        lines: [
          ...(options.dryRun ? ['Dry run, nothing was changed:'] : []),
          ...(lines.length === 0 ? ['The statement has no booked lines.'] : lines.map(lineText)),
        ],
        refused: problems > 0,
      };
    },
  },
};

async function bytesOf(file: string | undefined): Promise<Buffer> {
  if (file === undefined) throw new UsageError('Name the file of the statement.');
  try {
    if ((await stat(file)).size <= MAX_STATEMENT_BYTES) return await readFile(file);
  } catch {
    throw new UsageError(`There is no file “${file}” that can be read.`);
  }
  throw new UsageError('The file is larger than 20 MB.');
}
