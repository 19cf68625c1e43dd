import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { answer, walkTo } from './support/people.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();

/** The text of the card with this label, with each run of white space as one space. */
async function card(page: Page, section: string, label: string): Promise<string> {
  const text = page.getByTestId(section).getByText(label, { exact: true });
  // The card is the innermost button or <div> around the label.
  const box = text.locator('xpath=ancestor::*[self::button or self::div][1]');
  return (await box.innerText()).replaceAll(/\s+/g, ' ');
}

// Proves DASH-S-05, DASH-S-07, DASH-B-06, DASH-B-08, HOME-13, ENT-37, ENT-38, ENT-39
it('each card of the dashboards and of Home shows its own figures', async () => {
  const { page } = await suite.enter('both');
  await answer(page, '/api/analytics/earnings', { json: { totalEarnings: '1234.50', thisMonth: '67.80' } });
  await answer(page, '/api/analytics/active-ad-zones', { json: { count: 4 } });
  await answer(page, '/api/analytics/spending', {
    json: {
      totalSpending: '2345.60',
      thisMonth: '78.90',
      totalImpressions: 9001,
      totalClicks: 502,
      impressionsThisMonth: 303,
      clicksThisMonth: 14,
    },
  });
  await page.goto('/dashboard');
  await expect
    .poll(() => card(page, 'seller-analytics', 'Total Earnings'))
    .toMatch(/\$1,234\.50 .*\$67\.80 this month/i);
  await expect.poll(() => card(page, 'active-ad-zones', 'Active AdZones')).toMatch(/AdZones 4 /);
  await page.getByRole('tab', { name: 'Buyer Dashboard' }).click();
  await expect
    .poll(() => card(page, 'buyer-analytics', 'Campaign Spend'))
    .toMatch(/\$2,345\.60 .*\$78\.90 this month/i);
  await expect.poll(() => card(page, 'buyer-analytics', 'Total Clicks')).toMatch(/502 .*14 this month/i);

  // Home shows the counts of this month. [OP-044]
  await walkTo(page, '/');
  const figures = page.getByRole('region', { name: 'Figures' });
  for (const count of ['$2,345.60', '303', '14']) await figures.getByText(count, { exact: true }).waitFor();
});
