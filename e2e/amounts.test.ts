import type { Response } from 'playwright-core';
import { expect, it } from 'vitest';
import { makeApprovedAd } from '../server/testing/money/checkout.ts';
import { makeLiveAd } from '../server/testing/story.ts';
import { walkToScreen } from './support/screens.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();

const MONEY_FIELDS = new Set([
  'price',
  'totalAmount',
  'commissionAmount',
  'amount',
  'earnings',
  'totalEarnings',
  'totalSpending',
  'thisMonth',
]);

/** Every value of a field with one of these names, at any depth. */
function moneyIn(value: unknown): unknown[] {
  if (typeof value !== 'object' || value === null) return [];
  return Object.entries(value).flatMap(([name, part]) => (MONEY_FIELDS.has(name) ? [part] : moneyIn(part)));
}

// Proves ENT-40, ENT-41, CONST-04, CONST-31
it('amounts are strings with two decimals in the API and on screen, and the platform fee is the only fee', async () => {
  const { page, client } = await suite.enter('both');
  const seller = await suite.client('seller');
  await makeLiveAd(client, client, { product: { price: '1234.5' }, website: { name: 'Money site' } });
  const approved = await makeApprovedAd(seller, client, { product: { price: '10' } });
  const answers: Promise<unknown>[] = [];
  const isJson = (response: Response) => response.headers()['content-type']?.includes('json');
  page.on('response', (response) => {
    if (isJson(response)) answers.push(response.json().catch(() => null));
  });
  const fees: string[] = [];
  for (const [path, text] of [
    ['/', '$1,049.32'],
    ['/dashboard', '$1,049.32'],
    ['/transactions', '$1,049.32'],
    ['/ad-zones', '$1,234.50'],
    [`/checkout/${approved.publicId}`, 'Pay $10.00'],
    ['/marketplace', 'Money site'],
  ] as const) {
    await walkToScreen(page, { name: path, path });
    await page.getByText(text).first().waitFor();
    const main = await page.getByRole('main').innerText();
    const figures = main.match(/\$\d[\d,.]*\d|\$\d/g) ?? [];
    expect(figures.filter((figure) => !/^\$[\d,]+\.\d{2}$/.test(figure))).toEqual([]);
    fees.push(...(main.match(/^.*\b(fees?|surcharge|commission)\b.*$/gim) ?? []));
  }
  expect(fees).toEqual(['Platform fee (15%), included']);
  // A step without an amount says null, and a step of 'Getting Started' whether a price was set.
  const money = moneyIn(await Promise.all(answers)).filter(
    (value) => value !== null && typeof value !== 'boolean',
  );
  expect(money.length).toBeGreaterThan(10);
  expect(money.filter((value) => typeof value !== 'string' || !/^\d+\.\d{2}$/.test(value))).toEqual([]);
});
