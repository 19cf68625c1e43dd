import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { getAdLedger, ledgerEntry, type LedgerEntry } from '#domain/payments/ledger-contract.ts';
import type { Reply } from '#domain/endpoint.ts';
import { answer, broken, refused, type Trouble } from '#web/testing/answers.ts';
import { person } from '#web/testing/people.ts';
import { sample } from '#web/testing/sample.ts';
import { openPage } from '#web/testing/screen.tsx';

const entry = (members: Partial<LedgerEntry>): LedgerEntry =>
  sample(ledgerEntry, { isPosted: true, ...members });

const ledger = sample(getAdLedger.reply, {
  side: 'publisher',
  title: 'Fresh coffee',
  pricingModel: 'per_impression',
  bought: 1000,
  delivered: 101,
  total: '85.00',
  earned: '8.58',
  refunded: '0.00',
  kept: '0.00',
  open: '76.42',
  entries: [
    entry({ kind: 'paid', amount: '85.00', formula: '85.00' }),
    entry({
      kind: 'accrual',
      amount: '8.58',
      from: 0,
      to: 101,
      of: 1000,
      formula: '⌊85.00 × 101 / 1,000⌋',
      notCounted: [{ reason: 'bot', count: 3 }],
    }),
  ],
});

async function openLedger(reply: Reply<typeof getAdLedger> | Trouble) {
  const asked = answer(getAdLedger, reply);
  await openPage('/ledger/7?side=publisher', { as: person('both') });
  return asked;
}

const rowOf = (kind: string) =>
  page.getByRole('table', { name: 'Entries' }).getByRole('row').filter({ hasText: kind });

// Proves LEDG-06
it('the ledger of an ad shows its sums, and each entry with its units, its formula and what was not counted', async () => {
  const asked = await openLedger(ledger);
  await expect.element(page.getByRole('heading', { name: 'Every cent of this ad' })).toBeVisible();
  await expect.element(page.getByText('Fresh coffee')).toBeVisible();
  const cards = [...page.getByRole('region', { name: 'Summary' }).element().children];
  expect(cards.map((card) => (card as HTMLElement).innerText.split(/\n+/).slice(0, 2))).toEqual([
    ['Your share', '$85.00'],
    ['Earned', '$8.58'],
    ['Refunded', '$0.00'],
    ['Open', '$76.42'],
  ]);
  const row = rowOf('Earned');
  await row.getByText('How we calculate it').click();
  await expect.element(row.getByText('⌊85.00 × 101 / 1,000⌋')).toBeVisible();
  await expect.element(row).toMatchTextContent('0 → 101 of 1,000 impressions');
  await row.getByText(/3 impressions: Robot/).click();
  await expect.element(row.getByText(/The request came from a bot/)).toBeVisible();
  expect(asked.map(({ query }) => query.side)).toEqual(['publisher']);
});

it('the ledger says that a payment is disputed, to the advertiser', async () => {
  await openLedger({
    ...ledger,
    side: 'buyer',
    dispute: { stage: 'needs_response', amount: '100.00', openedAt: '2026-03-15T12:00:00.000Z', dueAt: null },
  });
  await expect.element(page.getByText('What you paid')).toBeVisible();
  await expect
    .element(page.getByRole('region', { name: 'Dispute' }))
    .toMatchTextContent(/^\$100\.00 disputed since .* isn’t shown until the bank has decided\.$/);
});

// Proves LEDG-06
it.each([
  [refused(404, 'Ad not found'), 'Ad not found'],
  [refused(409, 'This ad is not paid'), 'Not paid yet'],
  [broken, 'Could not load the amounts of this ad'],
])('a ledger that can’t be shown says why', async (trouble, words) => {
  await openLedger(trouble);
  await expect.element(page.getByText(words)).toBeVisible();
});
