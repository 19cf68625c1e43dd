/** The console's page about payouts by bank transfer. */
import { SEPA_CURRENCY } from '#domain/payments/limits.ts';
import { counted } from '#domain/format.ts';
import { decimalOf } from '#domain/money.ts';
import type { PayoutMethod } from '#domain/payments/payout-contract.ts';
import { html, type Markup } from '#server/platform/http/html.ts';
import { hidden, input } from '#server/platform/http/page/form.ts';
import { rows, time } from '#server/platform/http/page/parts.ts';
import type { ListedFile, UnpaidPayout } from '#server/money/payouts/bank-file.ts';
import { MAKE_BANK_FILE, NOTE_BANK_PAID, NOTE_BANK_RETURNED } from '../acts/acts-about-money.ts';
import { addressOf, formOf } from '../acts/define-act.ts';
import type { ReadLine } from '../money/bank.ts';
import type { ConsolePage } from './console.ts';
import { confirmFirst, foldedForm, isReady, type Viewer } from './markup.ts';

export const STATEMENT_PATH = '/operator/bank/statement';

/** Some hundred payments. The server parses a statement of this size in up to half a second, between ad requests. */
export const MAX_UPLOAD_BYTES = 1024 ** 2;

export function bankPage(
  {
    method,
    mode,
    payouts,
    files,
    statement = null,
  }: {
    method: PayoutMethod;
    mode: 'live' | 'test' | 'sandbox';
    payouts: readonly UnpaidPayout[];
    files: readonly ListedFile[];
    /** The lines of the statement that was just read. */
    statement?: readonly ReadLine[] | null;
  },
  viewer: Viewer,
): ConsolePage {
  const waiting = payouts.filter(({ fileId }) => fileId === null);
  const sent = payouts.filter(({ fileId }) => fileId !== null);
  return {
    title: 'Bank payouts',
    main: html`<h1>Bank payouts</h1>
${method === 'connect' && html`<p class="quiet">The card provider pays your publishers (PAYOUTS=connect). This page is about earlier payouts by bank transfer.</p>`}
${confirmFirst(viewer, formOf(MAKE_BANK_FILE), 'make a file, or to note what your bank did')}
${statement && statementSection(statement)}
<h2>Waiting for a file</h2>
${rows(
  waiting.map(
    (payout) =>
      html`${payoutLine(payout)}${foldedForm({ ...placeOf(payout, viewer, NOTE_BANK_RETURNED), button: 'Don’t make this payout' })}`,
  ),
  'No payout waits for a file.',
)}
${waiting.some(({ isHeld }) => !isHeld) && makeForm(viewer)}
<h2>At your bank</h2>
<p class="quiet">Upload your bank’s statement, or note what your bank did. The publisher reads your reason.</p>
${isReady(viewer, formOf(MAKE_BANK_FILE)) && statementForm()}
${rows(
  sent.map(
    (payout) =>
      html`${payoutLine(payout)}${foldedForm(placeOf(payout, viewer, NOTE_BANK_PAID))}${foldedForm(placeOf(payout, viewer, NOTE_BANK_RETURNED))}`,
  ),
  'No payout is at your bank.',
)}
<h2>Files</h2>
<p class="quiet">${mode === 'live' ? 'Upload each file to your bank once.' : 'These files are tests: nobody has paid with real money, so don’t upload them.'} To note that a paid payout came back, use its number with <code>openslot money bank-returned</code>.</p>
${rows(files.map(fileLine), 'No file was made yet.')}`,
  };
}

function statementForm(): Markup {
  return html`<form method="post" action="${STATEMENT_PATH}" enctype="multipart/form-data">
${input({ name: 'statement', label: 'Statement (camt.053)', type: 'file', isRequired: true, more: html`accept=".xml,application/xml,text/xml"`, hint: `At most ${MAX_UPLOAD_BYTES / 1024 ** 2} MB. Read a larger one with openslot money bank-statement.` })}<button class="button">Read the statement</button></form>`;
}

const DID: Record<Exclude<ReadLine['did'], 'foreign'>, string> = {
  paid: 'Booked as paid',
  returned: 'Booked as returned',
  known: 'Booked before',
  problem: 'Not booked',
};

function statementSection(lines: readonly ReadLine[]): Markup {
  const ours = lines.flatMap(({ did, ...line }) => (did === 'foreign' ? [] : [{ ...line, did }]));
  return html`<section role="status"><h2>Your statement</h2>
${rows(ours.map(statementLine), 'The statement has no entry about a payout.')}
${ours.length < lines.length && html`<p class="quiet">${counted(lines.length - ours.length, 'line')} about something else.</p>`}</section>`;
}

const statementLine = ({
  did,
  payout,
  amountCents,
  currency,
  statement,
  entry,
  problem,
}: ReadLine & { did: keyof typeof DID }): Markup =>
  html`<strong>${DID[did]}: payout ${payout ?? ''}${amountCents !== null && `, ${decimalOf(amountCents)} ${currency}`}</strong><span class="quiet">Statement <bdi>${statement}</bdi>, entry ${entry}${problem !== null && `: ${problem}`}</span>`;

const placeOf = ({ payoutId }: UnpaidPayout, viewer: Viewer, act: typeof NOTE_BANK_PAID) => ({
  viewer,
  form: formOf(act),
  ids: { id: payoutId },
});

const payoutLine = ({
  payoutId,
  userId,
  email,
  amountCents,
  currency,
  holder,
  last4,
  ...row
}: UnpaidPayout): Markup =>
  html`<strong>Payout ${payoutId}: ${decimalOf(amountCents)} ${currency}</strong><span class="quiet"><a href="/operator/people/${userId}">${email}</a>, <bdi>${holder}</bdi>, account …${last4}, since ${time(row.beganAt)}${row.fileId !== null && `, in file ${row.fileId}`}${row.isHeld && ', on hold: it waits for a later file'}</span>`;

function makeForm(viewer: Viewer): Markup | false {
  const form = formOf(MAKE_BANK_FILE);
  return (
    isReady(viewer, form) &&
    html`<form method="post" action="${addressOf(form, {})}">${hidden('end', 'yes')}<button class="button">${form.button}</button></form>`
  );
}

const fileLine = ({ id, madeAt, amountCents, payouts, open }: ListedFile): Markup =>
  html`<a href="/operator/bank/files/${id}" download>File ${id}</a><span class="quiet">${decimalOf(amountCents)} ${SEPA_CURRENCY}, ${counted(payouts, 'payout')}, ${open === 0 ? 'all booked' : `${open} open`}, made ${time(madeAt)}</span>`;
