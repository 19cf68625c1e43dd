import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { listDocuments, type DocumentItem } from '#domain/payments/document-contract.ts';
import {
  getPayouts,
  type PayoutRefusal,
  requestPayout,
  saveBankAccount,
  startOnboarding,
} from '#domain/payments/payout-contract.ts';
import { listTransactions, transaction } from '#domain/analytics/contract.ts';
import { getStatement } from '#domain/payments/statement-contract.ts';
import { noPayouts, toastTitled } from '#web/testing/account.ts';
import { answer, refused } from '#web/testing/answers.ts';
import { person } from '#web/testing/people.ts';
import { sample } from '#web/testing/sample.ts';
import { openPage } from '#web/testing/screen.tsx';

const payouts = noPayouts({
  pending: '12.00',
  available: '20.00',
  held: '34.00',
  paidOut: '100.00',
  owed: '5.00',
  tax: '16.15',
  holds: [
    { id: 1, amount: '30.00', reason: 'unverified_site', until: null, adPublicId: null, adTitle: null },
    { id: 2, amount: '1.00', reason: 'traffic', until: null, adPublicId: 'a1', adTitle: 'Fresh coffee' },
    { id: 3, amount: '3.00', reason: 'traffic', until: null, adPublicId: 'b2', adTitle: 'Old tea' },
  ],
  nextPayoutAt: '2026-11-30T12:00:00.000Z',
  expected: [{ at: '2026-11-30T12:00:00.000Z', amount: '30.00' }],
  minimum: '25.00',
  account: { state: 'restricted', country: 'DE', requirements: ['Enter your address.'] },
  history: [
    { id: 2, at: '2026-11-23T00:00:00.000Z', amount: '100.00', status: 'failed', message: 'M2' },
    { id: 1, at: '2026-11-16T00:00:00.000Z', amount: '50.00', status: 'paid', message: null },
  ],
});
const ready = { ...payouts, account: { ...payouts.account, state: 'ready' as const } };

async function openEarnings(query = ''): Promise<void> {
  answer(listTransactions, []);
  answer(listDocuments, []);
  await openPage(`/earnings${query}`, { as: person('seller') });
}

const paper = (number: string, kind: DocumentItem['kind']): DocumentItem =>
  sample(listDocuments.reply.element, { number, kind, date: '2026-12-01', month: '2026-11', title: null });

const region = (name: string) => page.getByRole('region', { name, exact: true });

it('payouts say what is on hold, owed, missing or refused, and what to do about each', async () => {
  answer(getPayouts, refused(500, 'M1'));
  await openEarnings('?payouts=expired');
  await expect.element(page.getByText('The link to the card provider has expired')).toBeVisible();
  expect(window.location.search).toBe('');
  await expect.element(page.getByText('Could not load your payouts')).toBeVisible();
  answer(getPayouts, payouts);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(page.getByTestId('available')).toHaveTextContent('$20.00');
  await expect.element(page.getByText(/You no longer earn this amount/)).toBeVisible();
  await expect.element(page.getByText(/tax that your self-billing invoices added/)).toBeVisible();
  await expect.element(page.getByText('$16.15')).toBeVisible();
  const onHold = region('On hold');
  await expect
    .element(onHold.getByRole('link', { name: 'Verify your website' }))
    .toHaveAttribute('href', '/ad-zones');
  expect(onHold.getByText(/The traffic of this campaign is unusual/).elements()).toHaveLength(1);
  const coffee = onHold.getByRole('listitem').filter({ hasText: 'Fresh coffee' }).last();
  await expect.element(coffee.getByText('$1.00')).toBeVisible();
  await expect.element(coffee.getByRole('link')).toHaveAttribute('href', '/ledger/a1?side=publisher');
  await expect.element(region('Payout history').getByText('M2')).toBeVisible();
  await expect.element(region('Payout Settings').getByText('Enter your address.')).toBeVisible();
});

it('a link to the card provider that can’t be made is an error toast', async () => {
  answer(getPayouts, payouts);
  await openEarnings();
  const asked = answer(startOnboarding, refused(503, 'M3'));
  await region('Payout Settings').getByRole('button', { name: 'Update details' }).click();
  await expect.element(toastTitled('Payout Set-up Failed').getByText('M3')).toBeVisible();
  expect(asked.map(({ body }) => body)).toEqual([{ country: 'DE' }]);
});

it.each<[reason: PayoutRefusal, step: string]>([
  ['below_minimum', 'pay it out as soon as it’s large enough'],
  ['held', 'what ends its hold'],
  ['not_onboarded', 'Finish your set-up'],
  ['running', 'Check the history'],
])('a payout that is refused as %s says what to do next', async (reason, step) => {
  answer(getPayouts, ready);
  await openEarnings();
  await page.getByRole('button', { name: 'Pay out now' }).click();
  const asked = answer(requestPayout, refused(409, `No: ${reason}.`, { reason, missing: '5.00' }));
  const dialog = page.getByRole('dialog');
  await dialog.getByRole('button', { name: 'Pay out $20.00' }).click();
  const refusal = dialog.getByRole('alert');
  await expect.element(refusal).toMatchTextContent(new RegExp(`^No: ${reason}\\. .*${step}`));
  expect(asked.map(({ body }) => body)).toEqual([{}]);
});

it('a payout is made once the publisher has confirmed its amount', async () => {
  let current = ready;
  answer(getPayouts, () => current);
  await openEarnings();
  answer(requestPayout, () => {
    const sent = { id: 3, amount: '20.00', status: 'sent' as const };
    current = {
      ...ready,
      available: '0.00',
      history: [{ ...sent, at: '2026-11-24T00:00:00.000Z', message: null }, ...ready.history],
    };
    return sent;
  });
  await page.getByRole('button', { name: 'Pay out now' }).click();
  const dialog = page.getByRole('dialog');
  await expect.element(dialog.getByText(/We send \$20\.00 to your bank account now/)).toBeVisible();
  await dialog.getByRole('button', { name: 'Pay out $20.00' }).click();
  await expect.element(toastTitled('Payout Sent').getByText(/\$20\.00 is on its way/)).toBeVisible();
  await expect.element(region('Payout history').getByText('On its way')).toBeVisible();
  await expect.element(page.getByTestId('available')).toHaveTextContent('$0.00');
});

it('‘Pay out now’ says why it can’t be used, and the set-up asks for the country of the bank account', async () => {
  answer(getPayouts, noPayouts());
  await openEarnings();
  const payOut = page.getByRole('button', { name: 'Pay out now' });
  await payOut.click({ force: true });
  await expect.element(toastTitled('Set up payouts first, under Payout Settings.')).toBeVisible();
  await page.getByRole('button', { name: 'Set up payouts' }).click();
  await expect
    .element(region('Payout Settings').getByText('Choose the country of your bank account.'))
    .toBeVisible();
});

// Proves PAYO-200
it('a marketplace that pays by bank transfer asks for the IBAN, shows its end, and asks again after a return', async () => {
  let current = noPayouts({ method: 'bank', bankAccount: null });
  answer(getPayouts, () => current);
  await openEarnings();
  const settings = region('Payout Settings');
  await settings.getByLabelText('Account holder').fill('Pat');
  await settings.getByLabelText('IBAN').fill('DE88 3704 0044 0532 0130 00');
  const save = settings.getByRole('button', { name: 'Save bank account' });
  const issues = [{ path: 'iban', message: 'This IBAN isn’t right.' }];
  answer(saveBankAccount, refused(400, 'This IBAN isn’t right.', { issues }));
  await save.click();
  await expect.element(settings.getByText('This IBAN isn’t right.')).toBeVisible();
  await expect.element(settings.getByLabelText('IBAN')).toHaveFocus();
  const asked = answer(saveBankAccount, () => {
    const account = { state: 'ready' as const, country: 'DE', requirements: [] };
    current = noPayouts({ method: 'bank', account, bankAccount: { holder: 'Pat', last4: '3000' } });
    return { account, bankAccount: current.bankAccount };
  });
  await settings.getByLabelText('IBAN').fill('DE89 3704 0044 0532 0130 00');
  await save.click();
  await expect.element(settings.getByText(/account ending in 3000/)).toBeVisible();
  expect(asked.map(({ body }) => body)).toEqual([{ holder: 'Pat', iban: 'DE89370400440532013000' }]);
  await expect.element(toastTitled('Bank Account Saved')).toBeVisible();
  await settings.getByRole('button', { name: 'Change bank account' }).click();
  await expect.element(settings.getByLabelText('IBAN')).toHaveFocus();
  answer(saveBankAccount, refused(503, 'M4'));
  await settings.getByLabelText('IBAN').fill('NL91ABNA0417164300');
  await save.click();
  await expect.element(toastTitled('Bank Account Not Saved').getByText('M4')).toBeVisible();
});

// Proves PAYO-200
it('a returned bank transfer says what to do, without a link to the card provider', async () => {
  answer(
    getPayouts,
    noPayouts({
      method: 'bank',
      account: { state: 'restricted', country: 'DE', requirements: ['Save it again.'] },
      bankAccount: { holder: 'Pat', last4: '3000' },
      history: [
        { id: 1, at: '2026-11-16T00:00:00.000Z', amount: '50.00', status: 'failed', message: 'Came back.' },
      ],
    }),
  );
  await openEarnings();
  await expect.element(region('Payout Settings').getByText('Save it again.')).toBeVisible();
  await expect.element(region('Payout history').getByText('Came back.')).toBeVisible();
  expect(page.getByRole('button', { name: 'Update details' }).elements()).toHaveLength(0);
});

const coming = region('Coming payouts');

// Proves PAYO-600
it('Earnings says when each payout leaves, and what waits for more', async () => {
  answer(getPayouts, {
    ...ready,
    available: '98.00',
    pending: '131.07',
    expected: [
      { at: '2026-12-05T12:00:00.000Z', amount: '98.00' },
      { at: '2026-12-12T12:00:00.000Z', amount: '119.07' },
    ],
  });
  await openEarnings();
  await expect.element(coming).toBeVisible();
  const days = coming
    .getByRole('listitem')
    .elements()
    .map((line) => (line as HTMLElement).innerText.split(/\s*\n\s*/));
  expect(days).toEqual([
    ['Dec 5, 2026', '$98.00'],
    ['Dec 12, 2026', '$119.07'],
  ]);
  await expect
    .element(coming.getByText('The other $12.00 leaves once it has grown to $25.00.'))
    .toBeVisible();
});

// Proves PAYO-601
it('a first set-up says when payouts start, and nothing of a change', async () => {
  answer(
    getPayouts,
    noPayouts({
      account: { state: 'ready', country: 'DE', requirements: [] },
      nextPayoutAt: '2026-12-07T12:00:00.000Z',
      minimum: '25.00',
    }),
  );
  await openEarnings();
  await expect.element(coming.getByText('Your first payouts')).toBeVisible();
  await expect
    .element(coming.getByText('They start on Dec 7, 2026 at the earliest, once you have earned $25.00.'))
    .toBeVisible();
  expect(page.getByText(/Not you/).elements()).toHaveLength(0);
});

// Proves PAYO-602
it('Earnings shows the latest sales, the way to all of them, and the tax papers by month', async () => {
  answer(getPayouts, ready);
  answer(listDocuments, [paper('N-2026-000002', 'commission_note'), paper('S-2026-000007', 'statement')]);
  answer(
    listTransactions,
    Array.from({ length: 13 }, (_, at) =>
      sample(transaction, { id: at + 1, title: `Ad ${at + 1}`, endedReason: null }),
    ),
  );
  await openPage('/earnings', { as: person('seller') });
  const sales = region('Transactions');
  await expect.element(sales.getByText('Ad 12')).toBeVisible();
  expect(sales.getByText('Ad 13').elements()).toHaveLength(0);
  await expect
    .element(sales.getByRole('link', { name: 'All transactions' }))
    .toHaveAttribute('href', '/transactions');
  const november = region('Tax papers').getByRole('region', { name: 'November 2026' });
  await expect
    .element(november.getByRole('link', { name: /^PDF of Commission note N-2026-000002/ }))
    .toHaveAttribute('href', '/api/documents/N-2026-000002.pdf');
  answer(getStatement, sample(getStatement.reply, { side: 'publisher', document: 'S-2026-000007' }));
  await november.getByText('Statement of November 2026').click();
  await expect
    .element(november.getByRole('link', { name: 'Download CSV' }))
    .toHaveAttribute('href', '/api/statements/2026-11.csv?side=publisher');
  await expect
    .element(november.getByRole('link', { name: 'Download PDF' }))
    .toHaveAttribute('href', '/api/documents/S-2026-000007.pdf');
});
