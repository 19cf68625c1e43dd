/** The commands `openslot money …`. */
import { counted } from '#domain/format.ts';
import { decimalOf } from '#domain/money.ts';
import { type Check, checkMoney } from '#server/money/books/check.ts';
import { checkAllMoney } from '#server/money/books/whole-check.ts';
import { EXPORT_FORMATS, exportBooks } from '#server/money/books/export/export.ts';
import { waitedText, waitingCancels } from '#server/money/refunds/cancelling/overdue.ts';
import { listMoney, type WaitingMoney } from '#server/money/books/list.ts';
import { openTaxIds } from '#server/money/tax-ids/list.ts';
import { taxIdText } from '#domain/payments/tax-ids.ts';
import { type Difference, reconcile } from '#server/money/books/reconcile.ts';
import { runMoneyWork } from '#server/money/books/run.ts';
import { at, type Command, type Outcome, UsageError } from '../acts/command.ts';
import { periodIn, timeZoneIn, writable } from './period-options.ts';

const amountText = ({ amountCents, currency }: { amountCents: number; currency: string }) =>
  `${decimalOf(amountCents)} ${currency}`;

const differenceLine = (each: Difference) =>
  `${each.kind}  ${each.ref}  ${amountText(each)}  since ${at(each.since)}`;

const waitingLine = (each: WaitingMoney) =>
  `${each.id}  ${amountText(each)}  ad ${each.ad ?? 'unknown'}  ${each.problem}  since ${at(each.since)}`;

/** On the wire, amounts are strings with two decimals and instants are ISO 8601. */
export const onWire = <Row extends { amountCents: number; since: Date }>({ amountCents, ...row }: Row) => ({
  ...row,
  amount: decimalOf(amountCents),
  since: row.since.toISOString(),
});

function found(
  { differences, unknown = [] }: { differences: Difference[]; unknown?: string[] },
  none: string,
): Pick<Outcome, 'lines' | 'refused'> {
  const lines = [...differences.map(differenceLine), ...unknown.map((id) => `unknown payment  ${id}`)];
  return { lines: lines.length === 0 ? [none] : lines, refused: lines.length > 0 };
}

/** What a check has left out, as a sentence. */
const readText = ({ since, postings, rechecked }: Check): string[] =>
  since === null
    ? []
    : [
        `This read ${counted(postings, 'posting')} since the signed day ${since}, and ${counted(rechecked, 'older line')} of the log again. To read everything: openslot money check --all`,
      ];

export const MONEY_COMMANDS: Readonly<Record<string, Command>> = {
  'money check': {
    usage: '[--all]',
    summary: 'Compare ledger, payments and refunds with each other, since the last signed day or --all',
    run: async ({ ctx, options }) => {
      const isNoted = options.all && !options.dryRun;
      const check = isNoted ? await checkAllMoney(ctx) : await checkMoney(ctx, { all: options.all ?? false });
      const { holds, differences, suspense, since, postings } = check;
      const { lines, refused } = found(check, 'The books hold.');
      return {
        json: {
          holds,
          differences: differences.map(onWire),
          suspense: suspense.map(onWire),
          since,
          postings,
        },
        lines: [...lines, ...suspense.map((each) => `in suspense  ${waitingLine(each)}`), ...readText(check)],
        refused,
      };
    },
  },
  'money reconcile': {
    usage: '',
    summary: 'Compare the books with the card provider',
    run: async ({ ctx }) => {
      const { differences, unknown } = await reconcile(ctx);
      return {
        json: { holds: differences.length === 0, differences: differences.map(onWire), unknown },
        ...found(
          { differences, unknown },
          `The books and the card provider agree.${ctx.config.payoutMethod === 'bank' ? ' Payouts by bank are compared by money bank-statement.' : ''}`,
        ),
      };
    },
  },
  'money run': {
    usage: '',
    summary: 'Do all money work that is due, now',
    run: async ({ ctx, options }) => {
      if (options.dryRun)
        throw new UsageError('`money run` has no dry run, because it calls the card provider.');
      const { differences, unknown, ...counts } = await runMoneyWork(ctx);
      const { lines, refused } = found({ differences, unknown }, 'The books and the card provider agree.');
      return {
        json: { ...counts, holds: differences.length === 0, differences: differences.map(onWire), unknown },
        lines: [...Object.entries(counts).map(([name, count]) => `${name.padEnd(10)} ${count}`), ...lines],
        refused,
      };
    },
  },
  'money list': {
    usage: '',
    summary: 'List stuck payments and events, money in suspense, refunds owed, and tax numbers to look at',
    run: async ({ ctx }) => {
      const { stuck, suspense, refundsOwed } = await listMoney(ctx);
      const taxIds = await openTaxIds(ctx);
      const cancels = await waitingCancels(ctx);
      const section = (title: string, rows: WaitingMoney[]) =>
        rows.length === 0 ? [] : [`${title}:`, ...rows.map((each) => `  ${waitingLine(each)}`)];
      const lines = [
        ...section('Stuck', stuck),
        ...section('In suspense', suspense),
        ...section('Refunds owed', refundsOwed),
        ...(cancels.length === 0 ? [] : ['Cancels that wait for you:']),
        ...cancels.map(
          ({ ad, amountCents, currency, since }) =>
            `  ${ad}  ${decimalOf(amountCents)} ${currency}  since ${since.toISOString()}, for ${waitedText(since, ctx.now())}`,
        ),
        ...(taxIds.length === 0 ? [] : ['Tax numbers that VIES has not confirmed:']),
        ...taxIds.map(
          ({ email, result, since, ads, ...taxId }) =>
            `  ${taxIdText(taxId)}  ${result}  since ${since.toISOString()}  ${email}  ${ads.length === 1 ? '1 sale' : `${ads.length} sales`}`,
        ),
      ];
      return {
        json: {
          stuck: stuck.map(onWire),
          suspense: suspense.map(onWire),
          refundsOwed: refundsOwed.map(onWire),
          taxIds,
          cancels: cancels.map(({ ad, amountCents }) => ({ ad, amount: decimalOf(amountCents) })),
        },
        lines: lines.length === 0 ? ['Nothing waits.'] : lines,
      };
    },
  },
  'money export': {
    usage: '--year YYYY | --from DAY --to DAY [--dir DIR] [--format csv|beancount|datev] [--time-zone ZONE]',
    summary: 'Write the books of a year, a quarter or a month for an accountant',
    run: async ({ ctx, options }) => {
      const { dir = '.' } = options;
      const format = EXPORT_FORMATS.find((each) => each === (options.format ?? 'csv'));
      if (format === undefined)
        throw new UsageError(`--format: expected one of ${EXPORT_FORMATS.join(', ')}.`);
      const timeZone = await timeZoneIn(ctx, options);
      const period = periodIn(ctx, options, timeZone);
      if (format === 'datev' && period.from.slice(0, 4) !== period.to.slice(0, 4))
        throw new UsageError('--to: DATEV reads the days of one calendar year at a time.');
      const files = await writable(dir, () => exportBooks(ctx, period, dir, { format, timeZone }));
      return {
        json: { ...period, ...(options.year !== undefined && { year: Number(options.year) }), files },
        lines: files.map(({ file, rows }) => `${file}  ${rows} ${rows === 1 ? 'row' : 'rows'}`),
      };
    },
  },
};
