import { expect, it, vi } from 'vitest';
import { page } from 'vitest/browser';
import { listMyPayments, type BuyerPayment } from '#domain/payments/refund-contract.ts';
import { getStatement } from '#domain/payments/statement-contract.ts';
import { answer, broken } from '#web/testing/answers.ts';
import { saying, see } from '#web/testing/look.ts';
import { uuid } from '#web/testing/market.ts';
import { person } from '#web/testing/people.ts';
import { sample } from '#web/testing/sample.ts';
import { render } from '#web/testing/screen.tsx';
import { MyPayments } from './my-payments.tsx';

type Refund = BuyerPayment['refunds'][number];

const refund = (members: Partial<Refund> = {}): Refund => ({
  amount: '75.00',
  cancelFee: '0.00',
  status: 'done',
  reason: 'canceled',
  at: '2026-11-20T12:00:00.000Z',
  creditNote: null,
  ...members,
});

const payment = (members: Partial<BuyerPayment> = {}): BuyerPayment => ({
  adPublicId: uuid(31),
  title: 'Tea',
  amount: '100.00',
  currency: 'USD',
  status: 'paid',
  paidAt: '2026-11-10T12:00:00.000Z',
  receipt: 'R-2026-000001',
  refunds: [],
  ...members,
});

const line = () =>
  page
    .getByRole('list', { name: /^Payments of / })
    .getByRole('listitem')
    .filter({ hasText: 'Tea' });

it('Billing says that there are no payments, and offers to try again', async () => {
  answer(listMyPayments, broken);
  render(<MyPayments />, { as: person('buyer') });
  await see(saying('Could not load your payments'));
  answer(listMyPayments, []);
  await page.getByRole('button', { name: 'Try again' }).click();
  await see(page.getByText('No payments yet'));
});

// Proves DOCU-600
it('Billing has one list by month, with the receipt of each payment and the statement of each month', async () => {
  vi.setSystemTime('2027-01-10T12:00:00.000Z');
  answer(listMyPayments, [
    payment({ title: 'Coffee', paidAt: '2027-01-02T12:00:00.000Z', receipt: 'R-2027-000001' }),
    payment(),
  ]);
  render(<MyPayments />, { as: person('buyer') });
  await see(line());
  const months = page
    .getByRole('heading', { level: 3 })
    .elements()
    .map(({ textContent }) => textContent);
  expect(months).toEqual(['January 2027', 'December 2026', 'November 2026']);
  const november = page.getByRole('region', { name: 'November 2026', exact: true });
  await expect
    .element(november.getByRole('link', { name: /^PDF of Receipt R-2026-000001/ }))
    .toHaveAttribute('href', '/api/documents/R-2026-000001.pdf');
  answer(getStatement, broken);
  await november.getByText('Statement of November 2026').click();
  await see(saying('Could not load your statement', november));
  answer(getStatement, sample(getStatement.reply, { side: 'buyer', document: null, final: false }));
  await november.getByRole('button', { name: 'Try again' }).click();
  await expect
    .element(november.getByRole('link', { name: 'Download CSV' }))
    .toHaveAttribute('href', '/api/statements/2026-11.csv?side=buyer');
});

it.each<[members: Partial<Refund>, words: string]>([
  [{ status: 'owed' }, 'Refund pending since Nov 20, 2026. You canceled this campaign.'],
  [{ status: 'sent' }, 'Refund on its way to your card since Nov 20, 2026. You canceled this campaign.'],
  [{ status: 'done' }, 'Refunded to your card on Nov 20, 2026. You canceled this campaign.'],
  [{ reason: 'chargeback' }, 'Taken back by your bank on Nov 20, 2026. The payment was disputed.'],
  [{ amount: '0.00' }, 'Ended without a refund on Nov 20, 2026.'],
])('Billing says the state of each refund, and its reason: %#', async (members, words) => {
  answer(listMyPayments, [payment({ status: 'partly_refunded', refunds: [refund(members)] })]);
  render(<MyPayments />, { as: person('buyer') });
  await see(saying(words, line()));
  await see(line().getByText('Partly refunded', { exact: true }));
  await see(line().getByText('$100.00'));
  await see(line().getByRole('link', { name: /^Receipt R-2026-000001/ }));
});

// Proves OWNS-84
it('Billing shows the fee that is kept after a cancel', async () => {
  answer(listMyPayments, [
    payment({
      status: 'partly_refunded',
      refunds: [refund({ amount: '96.80', cancelFee: '3.20', creditNote: 'C-2026-000002' })],
    }),
  ]);
  render(<MyPayments />, { as: person('buyer') });
  await see(saying('Refunded to your card on', line()));
  await see(line().getByText('−$96.80'));
  await see(line().getByText('Card fee kept, because you canceled'));
  await see(line().getByText('$3.20'));
  await expect
    .element(line().getByRole('link', { name: /^Credit note C-2026-000002/ }))
    .toHaveAttribute('href', '/api/documents/C-2026-000002');
});
