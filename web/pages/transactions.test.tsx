import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { getEarnings, listTransactions, transaction, type Transaction } from '#domain/analytics/contract.ts';
import { AD_STATUSES } from '#domain/ads/status.ts';
import { answer } from '#web/testing/answers.ts';
import { answerNewAccount } from '#web/testing/new-account.ts';
import { person } from '#web/testing/people.ts';
import { sample } from '#web/testing/sample.ts';
import { openPage } from '#web/testing/screen.tsx';

const table = page.getByRole('table', { name: 'Transactions' });
const rowOf = (title: string) => table.getByRole('row').filter({ hasText: title });
const textsOf = (elements: Element[]) => elements.map((element) => (element as HTMLElement).innerText.trim());

/** The title and the figure of each card. */
const cards = () => {
  const summary = page.getByRole('region', { name: 'Summary' }).elements()[0];
  return textsOf([...(summary?.children ?? [])]).map((text) => text.split(/\n+/));
};

const paidAd = (members: Partial<Transaction>): Transaction =>
  sample(transaction, {
    adZoneName: 'Sidebar',
    advertiserEmail: 'buyer@site.example',
    status: 'active',
    refunded: '0.00',
    delivered: '0.00',
    date: '2026-03-15T12:00:00.000Z',
    ...members,
  });

// Proves TXN-01, TXN-06
it('a new publisher sees that there are no transactions, and each card shows its own figure', async () => {
  answerNewAccount();
  answer(getEarnings, {
    totalEarnings: '1234.50',
    delivered: '1000.00',
    notDelivered: '234.50',
    thisMonth: '67.80',
  });
  await openPage('/transactions', { as: person('seller') });
  await expect.element(page.getByText('No transactions found', { exact: true })).toBeVisible();
  await expect.element(table).not.toBeInTheDocument();
  await expect.poll(cards).toEqual([
    ['Total Earnings', '$1,234.50'],
    ['This Month', '$67.80'],
    ['Total Transactions', '0'],
  ]);
});

// Proves TXN-01, TXN-04, TXN-07, LEDG-01
it('the transactions page lists each paid ad with its amount and the publisher’s part of it', async () => {
  answerNewAccount();
  const sales = [
    ['Whole', '100.00', '85.00'],
    ['Third', '33.33', '28.33'],
    ['Least', '0.99', '0.84'],
  ] as const;
  answer(
    listTransactions,
    sales.map(([title, amount, earnings], at) =>
      paidAd({ id: at + 1, title, websiteName: `${title} site`, amount, earnings, notDelivered: earnings }),
    ),
  );
  await openPage('/transactions', { as: person('seller') });
  await expect.element(rowOf('Whole')).toBeVisible();
  await expect.poll(() => cards()[2]).toEqual(['Total Transactions', '3']);
  expect(textsOf(table.getByRole('columnheader').elements())).toEqual([
    'Ad Campaign',
    'Ad Zone',
    'Website',
    'Advertiser',
    'Amount',
    'Your Earnings',
    'Status',
    'Date',
  ]);
  for (const [title, amount, earned] of sales) {
    const cells = textsOf(rowOf(title).getByRole('cell').elements());
    expect(cells.slice(0, 7)).toEqual([
      title,
      'Sidebar',
      `${title} site`,
      'buyer@site.example',
      `$${amount}`,
      `$${earned}`,
      'active',
    ]);
    expect(cells[7]).toContain('2026');
  }
});

// Proves TXN-05
it('the badges of approved, active and completed ads have the highlight color', async () => {
  answerNewAccount();
  answer(
    listTransactions,
    AD_STATUSES.map((status, at) => paidAd({ id: at + 1, title: `Ad ${at}`, status })),
  );
  await openPage('/transactions', { as: person('seller') });
  await expect.element(rowOf('Ad 0')).toBeVisible();
  const look = (status: string) =>
    getComputedStyle(table.getByText(status, { exact: true }).element()).backgroundColor;
  expect(look('pending')).not.toBe(look('approved'));
  expect(look('rejected')).toBe(look('pending'));
  expect([look('active'), look('completed')]).toEqual([look('approved'), look('approved')]);
});
