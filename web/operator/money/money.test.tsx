/** The pages of the console about money. */
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { actAt, type OfferedAct, offeredAct } from '#domain/operator/console/act-contract.ts';
import { getBankPayouts, readBankStatement } from '#domain/operator/console/bank-contract.ts';
import { getDisputeEvidence, getOperatorBooks } from '#domain/operator/console/books-contract.ts';
import { getMoneyWork } from '#domain/operator/console/money-contract.ts';
import { getConsoleNotices, getConsoleSession } from '#domain/operator/console/session-contract.ts';
import { answer, refused } from '#web/testing/answers.ts';
import { saying, see } from '#web/testing/look.ts';
import { person } from '#web/testing/people.ts';
import { sample } from '#web/testing/sample.ts';
import { openPage } from '#web/testing/screen.tsx';

const SINCE = '2026-11-01T10:00:00.000Z';
const AD = { id: 7, title: 'Autumn tea' };

async function open(path: string) {
  answer(getConsoleSession, sample(getConsoleSession.reply, { role: 'owner', isProven: true, hasApp: true }));
  answer(getConsoleNotices, { alarms: [], more: 0, outbound: null, waiting: {} });
  await openPage(path, { as: person('both', { isOperator: true }) });
}

const act = (path: string, button: string, members: Partial<OfferedAct> = {}): OfferedAct =>
  sample(offeredAct, {
    path: `/api/operator${path}`,
    title: button,
    button,
    confirm: button,
    consequence: null,
    reason: 'required',
    reasons: ['Checked'],
    hidden: {},
    ...members,
  });
const paid = (name: string, value: string) => ({
  name,
  label: 'Amount',
  kind: 'amount' as const,
  value,
  isRequired: true,
  max: 12,
  hint: null,
  choices: [],
});

const sum = { amount: '45.00', currency: 'USD', since: SINCE };
const waiting = { id: 'payment:12', ad: AD, problem: 'charge disputed', ...sum, acts: [] };
const NOTHING_WAITS = {
  disagree: null,
  whole: { text: 'Everything was last checked on Nov 1.', isProblem: false },
  provider: { comparedAt: SINCE, differences: [] },
  cancelDays: 14,
  cancels: [],
  refundsOwed: [],
  suspense: [],
  stuck: [],
  taxIds: [],
  acts: [act('/money/run', 'Run now')],
};

it('shows the money work that waits, and decides about a cancel', async () => {
  answer(getMoneyWork, {
    ...NOTHING_WAITS,
    cancels: [{ ad: AD, ...sum, waited: '3 days', acts: [act('/cancels/7/release', 'Refund and end it')] }],
    refundsOwed: [waiting],
    suspense: [{ ...waiting, id: 'entry:3', ad: null, currency: 'JPY', problem: 'unexplained movement' }],
  });
  await open('/operator/money');
  await see(saying('Ledger, payments and refunds agree.'));
  await see(saying('Has waited for 3 days'));
  await see(saying('45.00 JPY'));
  const calls = answer(actAt('/api/operator/cancels/7/release'), { said: 'Refunding $45.00.', next: null });
  await page.getByRole('button', { name: 'Refund and end it: Autumn tea' }).click();
  const sheet = page.getByRole('dialog', { name: 'Refund and end it' });
  await sheet.getByRole('button', { name: 'Checked' }).click();
  await sheet.getByRole('button', { name: 'Refund and end it' }).click();
  await see(saying('Refunding $45.00.').first());
  expect(calls[0]?.body).toEqual({ reason: 'Checked' });
});

it('says so when the books disagree, and when nothing waits', async () => {
  const difference = { kind: 'entry without transaction', ref: 'txn_1', ...sum };
  answer(getMoneyWork, { ...NOTHING_WAITS, disagree: [difference], provider: null });
  await open('/operator/money');
  await see(saying('Find out why before the next payout.'));
  await see(saying('txn_1'));
  for (const text of ['No refund is owed', 'nothing is in suspense', 'the first comparison runs tonight'])
    await see(saying(text));
});

const BOOKS = {
  owed: {
    publishers: '700.00',
    refunds: '0.00',
    deferred: '60.00',
    suspense: '0.00',
    tax: '13.68',
    total: '773.68',
  },
  covered: {
    providerBalance: '790.00',
    providerClearing: '15.44',
    bank: '0.00',
    disputed: '0.00',
    publishersOwe: '0.00',
    unearnedCommission: '9.00',
    total: '814.44',
  },
  yours: '40.76',
  waived: '0.00',
  ageing: [{ days: '0-7', publishers: '700.00', refunds: '0.00' }],
  taxOwed: [],
  creditors: [],
  debtors: [],
  disputes: [],
  holds: [],
};

it('names what is the operator’s own, below totals that are the sums of their figures', async () => {
  answer(getOperatorBooks, BOOKS);
  await open('/operator/books');
  await see(saying('Yours now: $40.76'));
  for (const card of ['Owed', 'Covered by']) {
    const amounts = page.getByRole('region', { name: card, exact: true }).element().querySelectorAll('dd');
    const cents = [...amounts].map(({ textContent }) =>
      Math.round(Number(textContent.replaceAll(/[$,]/g, '')) * 100),
    );
    expect(cents.slice(0, -1).reduce((one, other) => one + other, 0)).toBe(cents.at(-1));
  }
  await see(saying('No dispute is open.'));
});

it('says how much is not covered', async () => {
  answer(getOperatorBooks, { ...BOOKS, yours: '-3.20' });
  await open('/operator/books');
  await see(saying('$3.20 of the owed amounts is not covered'));
});

it('books a payment of tax, and keeps what was typed when it is refused', async () => {
  const path = '/api/operator/books/tax-paid';
  answer(getOperatorBooks, {
    ...BOOKS,
    taxOwed: [
      {
        country: 'DE',
        rate: '19.00',
        amount: '13.68',
        output: '13.68',
        input: '0.00',
        acts: [
          act('/books/tax-paid', 'Book a payment', {
            confirm: 'Book {paid} as paid',
            hidden: { country: 'DE', rate: '19.00', ref: 'r' },
            fields: [paid('paid', '13.68')],
          }),
        ],
      },
    ],
  });
  await open('/operator/books');
  await page.getByRole('button', { name: 'Book a payment: Germany, 19.00%' }).click();
  const sheet = page.getByRole('dialog', { name: 'Book a payment' });
  await sheet.getByLabelText('Amount').fill('20');
  await sheet.getByLabelText('Reason').fill('October');
  answer(actAt(path), refused(409, 'Only 13.68 USD of tax is owed to DE at this rate.'));
  await sheet.getByRole('button', { name: 'Book $20.00 as paid' }).click();
  await see(saying('Only 13.68 USD', sheet));
  const calls = answer(actAt(path), { said: 'Booked 13.00 USD of tax as paid.', next: null });
  await sheet.getByLabelText('Amount').fill('13,00');
  await sheet.getByRole('button', { name: 'Book $13.00 as paid' }).click();
  await see(saying('Booked 13.00 USD of tax as paid.').first());
  expect(calls[0]?.body).toEqual({
    country: 'DE',
    rate: '19.00',
    ref: 'r',
    paid: '13.00',
    reason: 'October',
  });
});

it('shows disputes, holds and debts with what can be done about them', async () => {
  answer(getOperatorBooks, {
    ...BOOKS,
    disputes: [
      {
        id: 'dp_1',
        ad: AD,
        stage: 'needs_response',
        status: 'needs response',
        reason: 'fraudulent',
        amount: '100.00',
        currency: 'USD',
        openedAt: SINCE,
        dueAt: SINCE,
        evidence: 'staged',
        evidenceError: null,
        isAnswerable: true,
      },
    ],
    holds: [
      {
        id: 3,
        userId: 5,
        email: null,
        ad: null,
        reason: 'operator',
        amount: '42.50',
        since: SINCE,
        until: null,
        acts: [act('/holds/3/release', 'Release')],
      },
    ],
    debtors: [
      {
        userId: 5,
        name: 'Ann Bell',
        email: null,
        amount: '170.00',
        changedAt: SINCE,
        isDoubtful: true,
        acts: [
          act('/debts/5/write-off', 'Write off', {
            confirm: 'Write off {amount}',
            fields: [paid('amount', '170.00')],
          }),
        ],
      },
    ],
  });
  await open('/operator/books');
  await see(saying('The bank waits for evidence'));
  await expect
    .element(page.getByRole('link', { name: 'Read the evidence: Autumn tea' }))
    .toHaveAttribute('href', '/operator/evidence/dp_1');
  await see(page.getByRole('button', { name: 'Release: Deleted account' }));
  await page.getByRole('button', { name: 'Write off: Ann Bell' }).click();
  await see(page.getByRole('dialog').getByRole('button', { name: 'Write off $170.00' }));
});

it('shows the evidence of a dispute as the bank reads it', async () => {
  answer(getDisputeEvidence, {
    id: 'dp_1',
    evidence: [{ name: 'What was sold', text: 'Ad\nspace' }],
    acts: [act('/evidence/dp_1/send', 'Send to the bank', { isHarmful: true })],
  });
  await open('/operator/evidence/dp_1');
  await see(saying('What was sold'));
  await see(page.getByRole('button', { name: 'Send to the bank' }));
});

it('says when the bank takes no evidence', async () => {
  answer(getDisputeEvidence, { id: 'dp_1', evidence: [], acts: [] });
  await open('/operator/evidence/dp_1');
  await see(saying('The bank takes no evidence for this dispute now'));
});

const PAYOUT = {
  id: 9,
  userId: 5,
  email: 'ann@site.example',
  holder: 'Ann Bell',
  last4: '2606',
  amount: '170.00',
  currency: 'EUR',
  since: SINCE,
  fileId: null,
  isHeld: false,
  acts: [act('/bank/payouts/9/returned', 'Don’t make this payout')],
};

it('reads a statement of the bank, and shows what each line did', async () => {
  answer(getBankPayouts, {
    method: 'bank',
    isLive: true,
    mayRead: true,
    waiting: [PAYOUT],
    atBank: [{ ...PAYOUT, id: 8, fileId: 2 }],
    files: [{ id: 2, madeAt: SINCE, amount: '170.00', currency: 'EUR', payouts: 1, open: 1 }],
    acts: [act('/bank/files', 'Make the file', { reason: 'optional' })],
  });
  await open('/operator/bank');
  await see(saying('Payout 9'));
  await expect
    .element(page.getByRole('link', { name: 'Download file 2' }))
    .toHaveAttribute('href', '/operator/bank/files/2');
  const line = { payout: 8, amount: '170.00', currency: 'EUR', statement: 'S1', problem: null };
  const calls = answer(readBankStatement, {
    lines: [
      { ...line, did: 'paid', entry: 1 },
      { ...line, did: 'problem', entry: 2, problem: 'The amount is another one.' },
    ],
    others: 3,
  });
  const statement = new File(['<Document/>'], 'camt.xml', { type: 'application/xml' });
  await userEvent.upload(page.getByLabelText(/^Read a statement/), statement);
  await see(saying('Booked as paid'));
  await see(saying('The amount is another one.'));
  await see(saying('3 lines about something else.'));
  expect(calls[0]?.body).toEqual({ file: btoa('<Document/>') });
  answer(readBankStatement, refused(400, 'The statement is of the account that ends in 2606.'));
  await userEvent.upload(page.getByLabelText(/^Read a statement/), statement);
  await see(saying('The statement is of the account that ends in 2606.'));
});

const NO_PAYOUTS = { isLive: false, waiting: [], atBank: [], files: [], acts: [] };

it('offers no statement to an operator without the right', async () => {
  answer(getBankPayouts, { ...NO_PAYOUTS, method: 'bank', mayRead: false });
  await open('/operator/bank');
  await see(saying('No payout waits for a file.'));
  await expect.element(saying('Read a statement')).not.toBeInTheDocument();
});

it('says so where the card provider pays and always did', async () => {
  answer(getBankPayouts, { ...NO_PAYOUTS, method: 'connect', mayRead: true });
  await open('/operator/bank');
  await see(saying('No payout was made by bank transfer'));
  await expect.element(saying('Read a statement')).not.toBeInTheDocument();
});
