/** The console's page about payouts by bank transfer. */
import { SEPA_CURRENCY } from '#domain/payments/limits.ts';
import { counted } from '#domain/format.ts';
import { decimalOf } from '#domain/money.ts';
import type { PayoutMethod } from '#domain/payments/payout-contract.ts';
import { html, type Markup } from '#server/platform/http/html.ts';
import { hidden } from '#server/platform/http/page/form.ts';
import { rows, time } from '#server/platform/http/page/parts.ts';
import type { ListedFile, UnpaidPayout } from '#server/money/payouts/bank-file.ts';
import { MAKE_BANK_FILE, NOTE_BANK_PAID, NOTE_BANK_RETURNED } from '../acts/acts-about-money.ts';
import { addressOf, formOf } from '../acts/define-act.ts';
import type { ConsolePage } from './console.ts';
import { confirmFirst, foldedForm, isReady, type Viewer } from './markup.ts';

export function bankPage(
  {
    method,
    mode,
    payouts,
    files,
  }: {
    method: PayoutMethod;
    mode: 'live' | 'test' | 'sandbox';
    payouts: readonly UnpaidPayout[];
    files: readonly ListedFile[];
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
<p class="quiet">Read your bank’s statement with <code>openslot money bank-statement</code>, or note here what your bank did. The publisher reads your reason.</p>
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
