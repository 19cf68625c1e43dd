/** The console's page about owed, held and disputed money. */
import { randomUUID } from 'node:crypto';
import { decimalOf } from '#domain/money.ts';
import { MAX_PAYMENT_REFERENCE } from '#domain/operator/forms.ts';
import { countryName } from '#domain/countries.ts';
import { percentOf } from '#domain/payments/tax.ts';
import { stageOf, takesEvidence } from '#domain/payments/disputes.ts';
import type { HoldReason } from '#domain/payments/holds.ts';
import { html, type Markup } from '#server/platform/http/html.ts';
import { type Books, type OpenDispute, type OpenHold, taxOwedTo } from '#server/money/books/books.ts';
import {
  BOOK_DEBT_PAID,
  PAY_TAX,
  REFUND_TAX,
  RELEASE,
  SEND_EVIDENCE,
  WRITE_OFF,
} from '../acts/acts-about-money.ts';
import type { ConsolePage } from './console.ts';
import { addressOf, formOf } from '../acts/define-act.ts';
import { hidden, input } from '#server/platform/http/page/form.ts';
import { fact, facts, lines, rows, time } from '#server/platform/http/page/parts.ts';
import { actForm, confirmFirst, foldedForm, isReady, REASON, type Viewer } from './markup.ts';

const STAGES: Record<ReturnType<typeof stageOf>, string> = {
  inquiry: 'An inquiry by the bank. No money has moved',
  needs_response: 'The bank waits for evidence',
  under_review: 'The bank decides',
  appeal: 'An appeal. Answer it in the provider’s dashboard',
  won: 'Won',
  lost: 'Lost',
  unknown: 'Unknown state. Look at it in the provider’s dashboard',
};
const HOLDS: Record<HoldReason, string> = {
  unverified_site: 'The website isn’t verified',
  same_person: 'Advertiser and publisher share an account, a bank account or a card',
  dispute: 'The payment is disputed. The hold ends when the bank has decided',
  fraud_warning: 'The bank or the card provider doubts the payment',
  traffic: 'The traffic was suspicious. The hold ends when an operator releases it',
  operator: 'Held by an operator',
  payout_change: 'The payout account was opened for changes. The hold ends by itself',
};
const EVIDENCE: Record<OpenDispute['evidence'], string> = {
  none: 'Evidence is not prepared yet',
  staged: 'Evidence is prepared',
  sending: 'Evidence is being sent',
  sent: 'The bank has the evidence',
};

/** The text of an amount in cents. */
type Money = (cents: number) => string;

export function booksPage(
  { currency, owed, covered, waived, ageing, taxOwed, creditors, debtors, holds, disputes }: Books,
  { typed, today, viewer }: { typed: TypedTax; today: string; viewer: Viewer },
): ConsolePage {
  const money: Money = (cents) => `${decimalOf(cents)} ${currency}`;
  const isDisputed = (adId: number | null) => disputes.some((each) => each.adId === adId);
  return {
    title: 'Books',
    main: html`<h1>Books</h1>
<div class="columns"><section><h2>Owed</h2>
${facts(
  fact('To publishers, earned', money(owed.publishers)),
  fact('To advertisers, refunds', money(owed.refunds)),
  fact('Not delivered yet', money(owed.deferred)),
  fact('In suspense', money(owed.suspense)),
  fact('Tax, less what you may deduct', money(owed.tax)),
  fact('Total', html`<strong>${money(owed.total)}</strong>`),
)}</section>
<section><h2>Covered by</h2>
${facts(
  fact('Balance at the card provider', money(covered.providerBalance)),
  fact('Charges whose fee is not known yet', money(covered.providerClearing)),
  fact('Moved to your bank', money(covered.bank)),
  fact('Taken by open disputes', money(covered.disputed)),
  fact('Owed by publishers, without doubtful debts', money(covered.publishersOwe)),
  fact('Your own commission of what is not delivered yet', money(covered.unearnedCommission)),
  fact('Total', html`<strong>${money(covered.total)}</strong>`),
)}</section></div>
${
  covered.missing > 0
    ? html`<p class="error" role="alert">${money(covered.missing)} of the owed amounts is not covered. Fees and lost disputes are yours to cover: add that much to the balance at the card provider.</p>`
    : html`<p>All owed amounts are covered.</p>`
}
${waived > 0 && html`<p>Publishers who deleted their accounts gave up ${money(waived)} of earnings. They are yours.</p>`}
${taxOwed.length > 0 && taxSection(taxOwed, money, { typed, today, viewer })}
<h2>Age of owed amounts</h2>
${facts(
  ageing.map(({ days, publishers, refunds }) =>
    fact(`${days} days`, `${money(publishers)} to publishers, ${money(refunds)} of refunds`),
  ),
)}
${creditors.length > 0 && creditorsSection(creditors, money)}
${debtors.length > 0 && debtorsSection(debtors, money, viewer)}
<h2>Disputes</h2>
<p class="quiet">We send the evidence automatically one day before it is due. A bank accepts it once.</p>
${rows(disputes.map(disputeRow), 'No dispute is open.')}
<h2>On hold</h2>
<p class="quiet">Earnings that are not paid out. Hold more on the page of a publisher or an ad.</p>
${holds.length > 0 && confirmFirst(viewer, formOf(RELEASE), 'release holds')}
${rows(
  holds.map((hold) => holdRow(hold, money, { isDisputed: isDisputed(hold.adId), viewer })),
  'No earnings are on hold.',
)}`,
  };
}

function holdRow(
  { id, userId, email, adId, ad, reason, amountCents, since, until }: OpenHold,
  money: Money,
  { isDisputed, viewer }: { isDisputed: boolean; viewer: Viewer },
): Markup {
  return html`<strong>${money(amountCents)}</strong><span class="quiet"><a href="/operator/people/${userId}">${email ?? 'Deleted account'}</a>, ${
    adId === null ? 'all ads' : html`<a href="/operator/ads/${adId}">ad ${(ad ?? '').slice(0, 8)}</a>`
  }, since ${time(since)}. ${HOLDS[reason]}${until && html`, on ${time(until)} or later`}.</span>
${!(reason === 'dispute' && isDisputed) && foldedForm({ viewer, form: formOf(RELEASE), ids: { id } })}`;
}

function disputeRow(each: OpenDispute): Markup {
  return html`<strong>${decimalOf(each.amountCents)} ${each.currency}: ${STAGES[stageOf(each.status)]}</strong><span class="quiet"><a href="/operator/ads/${each.adId}">ad ${each.ad.slice(0, 8)}</a>, ${each.id}, ${each.status.replaceAll('_', ' ')}${each.reason !== '' && `, ${each.reason.replaceAll('_', ' ')}`}, since ${time(each.openedAt)}. ${
    each.dueAt && html`Answer by ${time(each.dueAt)}. `
  }${EVIDENCE[each.evidence]}.${each.evidenceError !== null && html` Last try: <bdi>${each.evidenceError}</bdi>`}</span>
${
  takesEvidence(each.status) &&
  each.evidence !== 'sent' &&
  html`<p><a class="plain" href="/operator/evidence/${each.id}">Read the evidence</a></p>`
}`;
}

function taxSection(
  taxOwed: Books['taxOwed'],
  money: Money,
  { typed, today, viewer }: { typed: TypedTax; today: string; viewer: Viewer },
): Markup {
  return html`<h2>Tax owed</h2>
<p class="quiet">The tax of sales, less the tax of publishers’ self-billing documents. When you have paid tax to a state from your bank account, book it here. An amount below zero is what the state owes you: book it when the state has paid it.</p>
${confirmFirst(viewer, formOf(PAY_TAX), 'book a payment')}
${rows(
  taxOwed.map(
    (tax) =>
      html`<strong>${money(tax.amountCents)}</strong><span class="quiet">${countryName(tax.country)}, ${percentOf(tax.rate)}%${
        tax.inputCents !== 0 && `: output tax ${money(tax.outputCents)}, input tax ${money(tax.inputCents)}`
      }</span>
${isReady(viewer, formOf(PAY_TAX)) && taxForm(tax, taxOwed, { typed, today })}`,
  ),
)}`;
}

function creditorsSection(creditors: Books['creditors'], money: Money): Markup {
  return html`<h2>Largest amounts owed to publishers</h2>
${rows(
  creditors.map(
    ({ userId, email, amountCents }) =>
      html`<a href="/operator/people/${userId}">${email ?? 'Deleted account'}</a><span class="quiet">${money(amountCents)}</span>`,
  ),
)}`;
}

function debtorsSection(debtors: Books['debtors'], money: Money, viewer: Viewer): Markup {
  return html`<h2>Owed by publishers</h2>
<p class="quiet">A bank took back what was paid out. Later earnings settle a debt. It is doubtful, and covers nothing, while its account is deleted or suspended, and after 90 days without a change.</p>
${confirmFirst(viewer, formOf(WRITE_OFF), 'write off a debt')}
${rows(
  debtors.map(
    ({ userId, name, email, amountCents, movedAt, isDoubtful }) =>
      html`<strong>${money(amountCents)}${isDoubtful && ', doubtful'}</strong><span class="quiet"><a href="/operator/people/${userId}"><bdi>${name}</bdi></a>${email !== null && html`, ${email}`}, last changed ${time(movedAt)}</span>
${isReady(viewer, formOf(BOOK_DEBT_PAID)) && debtForm(userId, amountCents)}
${foldedForm({ viewer, form: formOf(WRITE_OFF), ids: { id: userId } })}`,
  ),
)}`;
}

function debtForm(userId: number, amountCents: number): Markup {
  const form = formOf(BOOK_DEBT_PAID);
  return html`<details><summary>${form.button}</summary>
<form method="post" action="${addressOf(form, { id: userId })}">${hidden('ref', randomUUID())}
${input({ id: `debt-${userId}`, name: 'amount', label: 'Amount', value: decimalOf(amountCents), isRequired: true, max: 12, more: html`inputmode="decimal"` })}
${input({ ...REASON, id: `debt-${userId}-reason`, max: MAX_PAYMENT_REFERENCE })}<button class="button">${form.button}</button></form></details>`;
}

/** A form that was refused: its fields as they were typed. */
export type TypedTax = Readonly<Record<string, string | undefined>>;

/** The payment that the row of a rate is about, at most what is owed to the country or by it; none if that is nothing. */
function taxForm(
  { country, rate, amountCents }: Books['taxOwed'][number],
  taxes: Books['taxOwed'],
  { typed, today }: { typed: TypedTax; today: string },
): Markup | false {
  const total = taxOwedTo(country, taxes);
  const isRefund = amountCents < 0;
  const most = isRefund ? Math.min(-amountCents, -total) : Math.min(amountCents, total);
  if (most <= 0) return false;
  const isTyped = typed['country'] === country && typed['rate'] === percentOf(rate);
  const { paid = decimalOf(most), day = today, reason = '' } = isTyped ? typed : {};
  const id = `tax-${country}-${rate}`;
  const form = formOf(isRefund ? REFUND_TAX : PAY_TAX);
  const title = isRefund ? 'Book a refund' : 'Book a payment';
  return html`<details${isTyped && html` open`}><summary aria-label="${title}: ${countryName(country)}, ${percentOf(rate)}%">${title}</summary>
<form method="post" action="${addressOf(form, {})}">
${hidden('country', country)}${hidden('rate', percentOf(rate))}${hidden('ref', (isTyped && typed['ref']) || randomUUID())}
${input({ id: `${id}-paid`, name: 'paid', label: 'Amount', value: paid, isRequired: true, max: 12, more: html`inputmode="decimal"` })}
${input({ id: `${id}-day`, name: 'day', label: 'Day of the payment', type: 'date', value: day, more: html`max="${today}"` })}
${input({
  id: `${id}-reason`,
  name: 'reason',
  label: 'Reference',
  value: reason,
  isRequired: true,
  max: MAX_PAYMENT_REFERENCE,
  hint: 'Such as the month and the number of the transfer. It goes to the audit trail.',
})}<button class="button">${form.button}</button></form></details>`;
}

const EVIDENCE_NAMES: Record<string, string> = {
  productDescription: 'What was sold',
  customerName: 'Customer',
  customerEmail: 'E-mail address',
  serviceDate: 'First day of the delivery',
  activityLog: 'Delivery',
  refundPolicy: 'Terms of refunds',
  cancellationPolicy: 'Terms of cancellation',
  summary: 'What happened',
};

/** The evidence of a dispute as the bank would read it, with the form that sends it. */
export function evidencePage(
  disputeId: string,
  evidence: Record<string, string>,
  viewer: Viewer,
): ConsolePage {
  return {
    title: 'Evidence',
    main: html`<h1>Evidence</h1>
<p class="quiet">For dispute ${disputeId}.</p>
${facts(Object.entries(evidence).map(([name, text]) => fact(EVIDENCE_NAMES[name] ?? name, html`<bdi>${lines(text)}</bdi>`)))}
${actForm({ form: formOf(SEND_EVIDENCE), ids: { id: disputeId }, viewer })}`,
  };
}
