/** The console's page about money. */
import { randomUUID } from 'node:crypto';
import { decimalOf } from '#domain/money.ts';
import { CANCEL_WAITS_DAYS } from '#domain/payments/cancels.ts';
import { taxIdText } from '#domain/payments/tax-ids.ts';
import { SUSPENSE_OUTCOMES, SUSPENSE_TEXTS } from '#domain/payments/suspense.ts';
import { html, type Markup } from '#server/platform/http/html.ts';
import type { Check } from '#server/money/books/check.ts';
import type { MoneyList, WaitingMoney } from '#server/money/books/list.ts';
import { waitedText, type WaitingCancel } from '#server/money/refunds/cancelling/overdue.ts';
import type { OpenTaxId } from '#server/money/tax-ids/list.ts';
import type { Difference } from '#server/money/books/reconcile.ts';
import {
  PAY_REFUND,
  REFUND,
  REFUSE_CANCEL,
  RELEASE_CANCEL,
  RETRY_REFUND,
  RUN_MONEY_WORK,
  SETTLE_SUSPENSE,
} from '../acts/acts-about-money.ts';
import type { ConsolePage } from './console.ts';
import { addressOf, formOf } from '../acts/define-act.ts';
import { hidden, input, select } from '#server/platform/http/page/form.ts';
import { rows, time } from '#server/platform/http/page/parts.ts';
import { actForm, confirmFirst, isReady, REASON, smallForm, type Viewer } from './markup.ts';

const amount = ({ amountCents, currency }: { amountCents: number; currency: string }) =>
  `${decimalOf(amountCents)} ${currency}`;

const difference = (each: Difference): Markup =>
  html`<strong>${each.kind.replaceAll('_', ' ')}: ${amount(each)}</strong><span class="quiet">${each.ref}, since ${time(each.since)}</span>`;

const waiting = ({ id, ad, problem, since, ...row }: WaitingMoney): Markup =>
  html`<strong>${amount(row)}</strong><span class="quiet">${problem.replaceAll('_', ' ')}, since ${time(since)}, ${
    ad === null ? 'no ad' : html`<a href="/operator/find?subject=ad&amp;q=${ad}">ad ${ad.slice(0, 8)}</a>`
  }, ${id}</span>`;

/** `against` is the result of the last comparison with the provider; null before the first one. `whole` is about the check of everything. */
export function moneyPage(
  { holds, differences }: Check,
  {
    stuck,
    suspense,
    refundsOwed,
    taxIds,
    cancels,
  }: MoneyList & { taxIds: OpenTaxId[]; cancels: WaitingCancel[] },
  against: { at: Date; differences: Difference[] } | null,
  whole: { text: string; problem: string | null },
  viewer: Viewer,
  now: Date,
): ConsolePage {
  return {
    title: 'Money',
    main: html`<h1>Money</h1>
<h2>The books</h2>
${
  holds
    ? html`<p>Ledger, payments and refunds agree.</p>`
    : html`<p class="error" role="alert">Ledger, payments and refunds disagree. Find out why before the next payout.</p>
${rows(differences.map(difference))}`
}
<p class="quiet">${whole.problem ?? whole.text}</p>
<h2>The card provider</h2>
${
  against === null
    ? html`<p class="quiet">Nothing was sold yet, or the first comparison runs tonight.</p>`
    : html`<p class="quiet">Compared ${time(against.at)}. Differences are never corrected automatically.</p>
${rows(against.differences.map(difference), 'The provider and the ledger agree.')}`
}
<h2>Refunds owed</h2>
${rows(
  refundsOwed.map(
    (refund) =>
      html`${waiting(refund)}
${smallForm({ viewer, form: formOf(RETRY_REFUND), ids: { ref: refund.id } })}
${smallForm({ viewer, form: formOf(PAY_REFUND), ids: { ref: refund.id } })}`,
  ),
  'No refund is owed.',
)}
${cancels.length > 0 && cancelsSection(cancels, viewer, now)}
<h2>In suspense</h2>
<p class="quiet">Payments that differ from what was agreed, and movements that belong to no sale. Compare each with the provider’s dashboard before you decide. A decision is final.</p>
${(suspense.length > 0 || refundsOwed.length > 0 || cancels.length > 0) && confirmFirst(viewer, formOf(SETTLE_SUSPENSE), 'decide')}
${rows(
  suspense.map(
    (money) => html`${waiting(money)}
${isReady(viewer, formOf(SETTLE_SUSPENSE)) && suspenseForm(money)}`,
  ),
  'Nothing is in suspense.',
)}
<h2>Stuck</h2>
${rows(stuck.map(waiting), 'Nothing is stuck.')}
${taxIds.length > 0 && taxIdsSection(taxIds)}
${actForm({ form: formOf(RUN_MONEY_WORK), viewer })}`,
  };
}

function cancelsSection(cancels: readonly WaitingCancel[], viewer: Viewer, now: Date): Markup {
  return html`<h2>Cancels that wait for you</h2>
<p class="quiet">A campaign of a large sum was canceled within an hour of its payment. It isn’t shown until you decide. If you don’t within ${CANCEL_WAITS_DAYS.release} days, it is refunded by itself. The card provider keeps its fee when you refund. If you refuse, the advertiser reads your reason.</p>
${rows(
  cancels.map(
    ({ adId, ad, title, amountCents, currency, since }) =>
      html`“${title}” (${ad}), ${decimalOf(amountCents)} ${currency}, canceled ${time(since)}, has waited for ${waitedText(since, now)}
${smallForm({ viewer, form: formOf(RELEASE_CANCEL), ids: { id: String(adId) } })}
${smallForm({ viewer, form: formOf(REFUSE_CANCEL), ids: { id: String(adId) } })}`,
  ),
)}`;
}

function taxIdsSection(taxIds: readonly OpenTaxId[]): Markup {
  return html`<h2>Tax numbers</h2>
<p class="quiet">These numbers were accepted before VIES answered. We ask it again until it answers. If it refuses a number after a sale, ask your adviser whether the sale owes tax.</p>
${rows(
  taxIds.map(
    ({ userId, email, result, register, requestId, since, ads, ...taxId }) =>
      html`<strong>${taxIdText(taxId)}: ${result}</strong><span class="quiet"><a href="/operator/people/${userId}">${email}</a>, since ${time(since)}${
        register === 'stand-in' && ', by the local stand-in'
      }${requestId !== null && `, request ${requestId}`}${ads.map(
        (ad) => html`, <a href="/operator/find?subject=ad&amp;q=${ad}">ad ${ad.slice(0, 8)}</a>`,
      )}</span>`,
  ),
)}`;
}

/** Only a payment has a payer to whom it can be refunded. */
function suspenseForm({ id, ad }: WaitingMoney): Markup {
  const outcomes = SUSPENSE_OUTCOMES.filter((outcome) => outcome !== 'refunded' || ad !== null);
  const name = `suspense-${id.replace(':', '-')}`;
  const [of = '', number = ''] = id.split(':');
  const form = formOf(SETTLE_SUSPENSE);
  return html`<form method="post" action="${addressOf(form, { of, id: number })}">
${select({
  id: `${name}-outcome`,
  name: 'outcome',
  label: 'What happens to it',
  options: outcomes.map((outcome) => [outcome, SUSPENSE_TEXTS[outcome]]),
})}${input({ ...REASON, id: name })}<button class="button">${form.button}</button></form>`;
}

/** The part of an ad's page that refunds it. */
export function refundForm(adId: number, viewer: Viewer): Markup | false {
  return actForm({
    form: formOf(REFUND),
    ids: { id: adId },
    before: html`${hidden('ref', randomUUID())}${input({
      name: 'amount',
      label: 'Amount',
      max: 12,
      hint: 'Such as 1.00. Leave it empty for all that is left.',
      more: html`inputmode="decimal"`,
    })}`,
    viewer,
  });
}
