import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { listDocuments } from '#domain/payments/document-contract.ts';
import { listMyPayments, type BuyerPayment } from '#domain/payments/refund-contract.ts';
import { answer, broken } from '#web/testing/answers.ts';
import { saying, see } from '#web/testing/look.ts';
import { uuid } from '#web/testing/market.ts';
import { person } from '#web/testing/people.ts';
import { render } from '#web/testing/screen.tsx';
import { Documents } from './documents.tsx';
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
  page.getByRole('list', { name: 'Payments' }).getByRole('listitem').filter({ hasText: 'Tea' });

it('Billing says that there are no payments and documents, and offers to try again', async () => {
  answer(listMyPayments, broken);
  answer(listDocuments, broken);
  render(
    <>
      <MyPayments />
      <Documents side="buyer" />
    </>,
    { as: person('buyer') },
  );
  await see(saying('Could not load your payments'));
  await see(saying('Could not load your documents'));
  answer(listMyPayments, []);
  answer(listDocuments, []);
  for (const name of ['Payments', 'Documents'])
    await page.getByRole('region', { name, exact: true }).getByRole('button', { name: 'Try again' }).click();
  await see(page.getByText('No payments yet'));
  await see(page.getByText('No documents yet'));
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
  await see(line().getByRole('link', { name: /R-2026-000001/ }));
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
