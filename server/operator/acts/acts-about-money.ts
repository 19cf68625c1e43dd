/** Acts about refunds, held earnings, disputes and money in suspense. */
import {
  debtForm,
  endForm,
  payTaxForm,
  reasonForm,
  refundForm,
  suspenseForm,
} from '#domain/operator/forms.ts';
import { counted } from '#domain/format.ts';
import { decimalOf, moneyText } from '#domain/money.ts';
import { percentOf } from '#domain/payments/tax.ts';
import { SUSPENSE_OUTCOMES, SUSPENSE_TEXTS } from '#domain/payments/suspense.ts';
import { ProviderError } from '#server/platform/provider/payment-provider.ts';
import { conflict } from '#server/platform/http/errors.ts';
import type { SuspenseRef } from '#server/money/books/suspense.ts';
import {
  AD,
  DISPUTE,
  EARNINGS,
  HOLD_NUMBER,
  NOTHING,
  OWED_REFUND,
  PAYOUT_NUMBER,
  PERSON,
  SUSPENSE,
} from './act-targets.ts';
import { REQUESTS } from './acts-of-accounts.ts';
import {
  decideSuspense,
  holdByOperator,
  payTax,
  refundTax,
  releaseByOperator,
  sendEvidenceByOperator,
} from '../money/books.ts';
import { bookDebtPaid } from '../money/debts.ts';
import { makeFileByOperator, notePaid, noteReturned } from '../money/bank.ts';
import { defineAct } from './define-act.ts';
import {
  payRefundByHand,
  refuseWaitingCancel,
  releaseWaitingCancel,
  runByOperator,
  sendRefundAgain,
} from '../money/money.ts';
import { refundOrAsk, writeOffOrAsk } from '../requests/requests.ts';

const BOOKS = '/operator/books';

/** The command `money run` prints what it did and is no act, so it is written by hand. */
export const RUN_MONEY_WORK = defineAct({
  summary: 'Do all money work that is due, now',
  right: 'money',
  of: NOTHING,
  fields: reasonForm,
  run: runByOperator,
  forms: [
    {
      path: '/operator/money/run',
      title: 'Run the money jobs now',
      button: 'Run now',
      note: 'These jobs ask the provider about open payments, post earnings, send refunds, and compare the books. They also run automatically.',
      dangerous: true,
      harmful: false,
      reasons: ['The provider is back', 'To see the books as they are now', 'A person waits for a refund'],
      says: () => 'The money jobs have run.',
    },
  ],
  command: null,
});

export const RETRY_REFUND = defineAct({
  summary: 'Send an owed refund again now, under a new key',
  right: 'money',
  of: OWED_REFUND,
  fields: reasonForm,
  run: sendRefundAgain,
  forms: [
    {
      path: '/operator/refunds/:ref/retry',
      title: 'Send the refund again',
      button: 'Send again now',
      note: 'Asks the card provider again, at once and under a new key. The refund is never made twice.',
      reasons: ['The provider is back', 'The balance at the provider covers it now'],
    },
  ],
  command: { words: 'money retry', says: ({ id, status }) => `Refund ${id} is ${status}.` },
});

export const PAY_REFUND = defineAct({
  summary: 'Note that you have paid an owed refund by bank transfer',
  right: 'money',
  of: OWED_REFUND,
  fields: reasonForm,
  run: payRefundByHand,
  forms: [
    {
      path: '/operator/refunds/:ref/pay',
      title: 'Book the refund as paid',
      button: 'I paid it by bank transfer',
      note: 'Pay it from your bank account first. The refund is booked as done and its credit note is issued. That can’t be undone.',
      dangerous: true,
      reasons: [
        'The card is closed, so it was paid to a bank account',
        'The payment was disputed, so the provider refuses the refund',
      ],
      says: () => 'The refund is booked as paid by bank transfer.',
    },
  ],
  command: {
    words: 'money pay-refund',
    says: (_, { ref }) => `Refund ${ref} is done. It was paid by bank transfer.`,
    json: (_, { ref }) => ({ id: ref, status: 'done' }),
  },
});

const suspenseId = ({ of, id }: SuspenseRef) => `${of}:${id}`;

export const SETTLE_SUSPENSE = defineAct({
  summary: 'Decide about money in suspense, once, by its id in `money list`',
  right: 'money',
  of: SUSPENSE,
  fields: suspenseForm,
  run: decideSuspense,
  forms: [
    {
      path: '/operator/suspense/:of/:id',
      title: 'Decide about money in suspense',
      button: 'Decide',
      note: 'Compare it with the provider’s dashboard first. A decision is final.',
      dangerous: true,
      reasons: ['Compared with the provider’s dashboard', 'Agreed with the person who paid'],
      says: (_, { outcome }) => `Decided: ${SUSPENSE_TEXTS[outcome]}.`,
    },
  ],
  command: {
    words: 'money settle',
    takes: SUSPENSE_OUTCOMES.join('|'),
    fields: ([, outcome]) => ({ outcome }),
    says: ({ amountCents }, { ref, outcome }) =>
      `Decided about ${suspenseId(ref)}: ${outcome}${amountCents === null ? '. Nothing was booked' : `, ${decimalOf(amountCents)}`}.`,
    json: ({ adId, amountCents }, { ref, outcome }) => ({
      id: suspenseId(ref),
      ad: adId,
      amount: amountCents === null ? null : decimalOf(amountCents),
      outcome,
    }),
  },
});

export const REFUND = defineAct({
  summary: 'Refund the undelivered part of an ad, or less',
  right: 'money',
  of: AD,
  fields: refundForm,
  run: refundOrAsk,
  forms: [
    {
      path: '/operator/ads/:id/refund',
      button: 'Refund',
      title: 'Refund the advertiser',
      confirm: 'Refund {amount}',
      note: 'Refunds the undelivered part of the campaign, or less. If nothing is left after that, the campaign ends. The advertiser gets the reason by e-mail.',
      reasons: [
        'Goodwill, as agreed.',
        'The ad zone was not as described.',
        'The campaign was booked by mistake.',
        'The ad was shown less often than expected.',
      ],
      dangerous: true,
      next: ({ waits }) => (waits ? REQUESTS : null),
    },
  ],
  command: {
    words: 'money refund',
    takes: '[--amount 1.00]',
    says: ({ refundCents, isEnded }, { id }, { config: { currency } }) =>
      `Refunding ${moneyText(decimalOf(refundCents), currency)} for ad ${id}.${isEnded ? ' Its campaign has ended.' : ''}`,
    json: ({ refundCents, isEnded }, { id }, { config: { currency } }) => ({
      ad: id,
      amount: decimalOf(refundCents),
      currency,
      isEnded,
    }),
  },
});

export const RELEASE_CANCEL = defineAct({
  summary: 'Refund a campaign whose cancel waits',
  right: 'money',
  of: AD,
  fields: reasonForm,
  run: releaseWaitingCancel,
  forms: [
    {
      path: '/operator/cancels/:id/release',
      title: 'Refund the canceled campaign',
      button: 'Refund and end it',
      note: 'The advertiser gets the rest back, and the campaign ends. The card provider keeps its fee.',
      dangerous: true,
      reasons: ['Both accounts look right', 'Agreed with both sides'],
    },
  ],
  command: {
    words: 'money release-cancel',
    says: ({ refundCents }, { id }, { config: { currency } }) =>
      `Refunding ${moneyText(decimalOf(refundCents), currency)} for ad ${id}. Its campaign has ended.`,
    json: ({ refundCents }, { id }) => ({ ad: id, amount: decimalOf(refundCents) }),
  },
});

export const REFUSE_CANCEL = defineAct({
  summary: 'Refuse a cancel that waits, and show the ad again',
  right: 'money',
  of: AD,
  fields: reasonForm,
  run: refuseWaitingCancel,
  forms: [
    {
      path: '/operator/cancels/:id/refuse',
      title: 'Refuse the cancel',
      button: 'Refuse, show it again',
      confirm: 'Refuse the cancel',
      note: 'The campaign is shown again, and the advertiser reads your reason.',
      dangerous: true,
      reasons: ['The card seems to be tested', 'Many cancels within a short time'],
    },
  ],
  command: {
    words: 'money refuse-cancel',
    says: (_, { id }) => `The cancel of ad ${id} is refused. The ad is shown again.`,
    json: (_, { id }) => ({ ad: id }),
  },
});

export const HOLD = defineAct({
  summary: 'Hold the earnings of a publisher (e-mail address) or of an ad (id)',
  right: 'money',
  of: EARNINGS,
  fields: reasonForm,
  run: holdByOperator,
  forms: [
    {
      path: '/operator/people/:id/hold',
      button: 'Hold earnings',
      note: 'Nothing is paid out to this publisher until you release the hold on the page Books.',
      reasons: [
        'The traffic is unusual, and we check it.',
        'We wait for papers from the publisher.',
        'A payment behind these earnings may be fraud.',
      ],
      dangerous: true,
    },
    {
      path: '/operator/ads/:id/hold',
      button: 'Hold earnings',
      note: 'The publisher’s earnings from this ad are not paid out until you release the hold on the page Books.',
      reasons: [
        'The traffic is unusual, and we check it.',
        'We wait for papers from the publisher.',
        'A payment behind these earnings may be fraud.',
      ],
      dangerous: true,
    },
  ],
  command: {
    words: 'money hold',
    says: (hold, { of, id }) => `Hold ${hold.id}: the earnings of ${of} ${id} are not paid out.`,
  },
});

export const RELEASE = defineAct({
  summary: 'End a hold, by its number in `money books`',
  right: 'money',
  of: HOLD_NUMBER,
  fields: reasonForm,
  run: releaseByOperator,
  forms: [
    {
      path: '/operator/holds/:id/release',
      title: 'Release the earnings',
      button: 'Release',
      confirm: 'Release the earnings',
      note: 'The earnings can be paid out with the publisher’s next payout.',
      dangerous: true,
      harmful: false,
      reasons: ['Looked at, and all is right', 'Settled with the publisher', 'The bank has decided'],
    },
  ],
  command: { words: 'money release', says: ({ reason }, { id }) => `Released hold ${id} (${reason}).` },
});

export const BOOK_DEBT_PAID = defineAct({
  summary: 'Note that a publisher has paid what they owe, or a part of it, to your bank account',
  right: 'money',
  of: PERSON,
  fields: debtForm,
  run: bookDebtPaid,
  forms: [
    {
      path: '/operator/debts/:id/paid',
      title: 'Book that the debt was paid',
      button: 'It was paid',
      confirm: 'Book {amount} as paid',
      note: 'Book what has arrived on your bank account. The publisher can read your reason.',
      reasons: ['Paid by bank transfer'],
    },
  ],
  command: {
    words: 'money debt-paid',
    takes: '[--amount 1.00]',
    says: ({ cents }, { id }, { config: { currency } }) =>
      `Booked that account ${id} has paid ${moneyText(decimalOf(cents), currency)} of what it owes.`,
    json: ({ cents }, { id }) => ({ user: id, amount: decimalOf(cents) }),
  },
});

export const WRITE_OFF = defineAct({
  summary: 'Give up what a publisher owes, or a part of it',
  right: 'owner',
  of: PERSON,
  fields: debtForm,
  run: writeOffOrAsk,
  forms: [
    {
      path: '/operator/debts/:id/write-off',
      title: 'Write off the debt',
      button: 'Write off',
      confirm: 'Write off {amount}',
      note: 'The marketplace bears the loss. A large write-off waits until another owner confirms it. If the money comes later, it still settles the debt.',
      dangerous: true,
      reasons: [
        'The publisher can’t be reached',
        'The debt is too small to collect',
        'The publisher is insolvent',
      ],
      next: ({ waits }) => (waits ? REQUESTS : null),
    },
  ],
  command: {
    words: 'money write-off',
    takes: '[--amount 1.00]',
    says: ({ cents }, { id }, { config: { currency } }) =>
      `Wrote off ${moneyText(decimalOf(cents), currency)} that account ${id} owes.`,
    json: ({ cents }, { id }) => ({ user: id, amount: decimalOf(cents) }),
  },
});

/** The command `money evidence` also shows the evidence, so it is written by hand. */
export const SEND_EVIDENCE = defineAct({
  summary: 'Send the evidence of a dispute to the bank, once',
  right: 'money',
  of: DISPUTE,
  fields: reasonForm,
  run: async (ctx, operator, asked) => {
    try {
      await sendEvidenceByOperator(ctx, operator, asked);
    } catch (error) {
      if (!(error instanceof ProviderError)) throw error;
      throw conflict('The card provider did not take the evidence. We try again by ourselves in 15 minutes.');
    }
  },
  forms: [
    {
      path: '/operator/evidence/:id/send',
      title: 'Send the evidence to the bank',
      button: 'Send to the bank',
      note: 'The bank takes evidence once, and decides with it.',
      dangerous: true,
      reasons: ['Read, and it is complete'],
      says: () => 'The bank has the evidence.',
      next: () => BOOKS,
    },
  ],
  command: null,
});

const TAX_WORDS = ([country, rate, paid, day]: string[]) => ({ country, rate, paid, day });
const taxJson = (
  { left, currency }: { left: number; currency: string },
  { country, rate, paid }: { country: string; rate: number; paid: number },
) => ({ country, rate: percentOf(rate), amount: decimalOf(paid), left: decimalOf(left), currency });

export const PAY_TAX = defineAct({
  summary: 'Note that you have paid tax to a state',
  right: 'money',
  of: NOTHING,
  fields: payTaxForm,
  run: payTax,
  forms: [
    {
      path: '/operator/books/tax-paid',
      title: 'Book a payment of tax',
      button: 'Book a payment',
      confirm: 'Book {paid} as paid',
      note: 'Book tax that you have paid to the state from your bank account. As the reason, name the month and the number of the transfer, so that your books can be compared with the bank.',
      dangerous: true,
      harmful: false,
    },
  ],
  command: {
    words: 'money tax-paid',
    takes: 'COUNTRY RATE AMOUNT [DAY]',
    fields: TAX_WORDS,
    says: ({ left, currency }, { country, rate, paid }) =>
      `Booked ${decimalOf(paid)} ${currency} of tax as paid. ${decimalOf(left)} ${currency} is still owed to ${country} at ${percentOf(rate)}%.`,
    json: taxJson,
  },
});

export const REFUND_TAX = defineAct({
  summary: 'Note that a state has paid tax back to you',
  right: 'money',
  of: NOTHING,
  fields: payTaxForm,
  run: refundTax,
  forms: [
    {
      path: '/operator/books/tax-refunded',
      title: 'Book a refund of tax',
      button: 'Book a refund',
      confirm: 'Book {paid} as paid back',
      note: 'Book tax that the state has paid to your bank account. As the reason, name the month and the number of the transfer, so that your books can be compared with the bank.',
      dangerous: true,
      harmful: false,
    },
  ],
  command: {
    words: 'money tax-refunded',
    takes: 'COUNTRY RATE AMOUNT [DAY]',
    fields: TAX_WORDS,
    says: ({ left, currency }, { country, paid }) =>
      `Booked ${decimalOf(paid)} ${currency} of tax as paid back. ${country} still owes you ${decimalOf(left)} ${currency}.`,
    json: taxJson,
  },
});

/** The command `money bank-file` also writes and repeats files, so it is written by hand. */
export const MAKE_BANK_FILE = defineAct({
  summary: 'Make a file for your bank of the payouts that wait',
  right: 'money',
  of: NOTHING,
  fields: endForm,
  run: makeFileByOperator,
  forms: [
    {
      path: '/operator/bank/files',
      title: 'Make a file for your bank',
      button: 'Make the file',
      note: 'The payouts that wait and are not on hold go into one file, which you download and upload to your bank once.',
      dangerous: true,
      harmful: false,
      reason: 'optional',
      says: ({ id, payouts }) =>
        `File ${id} has ${counted(payouts, 'payout')}. Download it, then upload it to your bank.`,
    },
  ],
  command: null,
});

export const NOTE_BANK_PAID = defineAct({
  summary: 'Note that your bank paid a payout',
  right: 'money',
  of: PAYOUT_NUMBER,
  fields: reasonForm,
  run: notePaid,
  forms: [
    {
      path: '/operator/bank/payouts/:id/paid',
      title: 'Book the payout as paid',
      button: 'Paid',
      confirm: 'Book it as paid',
      note: 'Your bank has paid it. The publisher reads your reason.',
      dangerous: true,
      harmful: false,
      reasons: ['Paid, as the statement of the bank says'],
    },
  ],
  command: { words: 'money bank-paid', says: (_, { id }) => `Payout ${id} is booked as paid.` },
});

export const NOTE_BANK_RETURNED = defineAct({
  summary: 'Note that a payout came back or was not made',
  right: 'money',
  of: PAYOUT_NUMBER,
  fields: reasonForm,
  run: noteReturned,
  forms: [
    {
      path: '/operator/bank/payouts/:id/returned',
      title: 'The payout came back, or wasn’t made',
      button: 'Came back, or wasn’t made',
      confirm: 'Book it as not paid',
      note: 'Its money is available to the publisher again and goes into a later payout. The publisher reads your reason.',
      dangerous: true,
      reasons: [
        'The bank account doesn’t exist',
        'The name doesn’t fit the account',
        'The bank refused the file',
      ],
    },
  ],
  command: {
    words: 'money bank-returned',
    says: ({ did }, { id }) =>
      `Payout ${id} is booked as ${did === 'returned' ? 'returned' : 'not made'}. Its money is available again.`,
  },
});

export const MONEY_ACTS = [
  MAKE_BANK_FILE,
  NOTE_BANK_PAID,
  NOTE_BANK_RETURNED,
  RUN_MONEY_WORK,
  RETRY_REFUND,
  PAY_REFUND,
  SETTLE_SUSPENSE,
  REFUND,
  HOLD,
  RELEASE,
  SEND_EVIDENCE,
  PAY_TAX,
  REFUND_TAX,
  RELEASE_CANCEL,
  REFUSE_CANCEL,
  BOOK_DEBT_PAID,
  WRITE_OFF,
];
