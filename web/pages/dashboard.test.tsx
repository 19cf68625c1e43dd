import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Role } from '#domain/accounts/roles.ts';
import {
  breakdownRow,
  getActiveZones,
  getBreakdown,
  getEarnings,
  getSpending,
  listTransactions,
  transaction,
} from '#domain/analytics/contract.ts';
import { getGettingStarted } from '#domain/analytics/getting-started-contract.ts';
import { getAd } from '#domain/ads/contract.ts';
import { listWaiting } from '#domain/ads/waiting-contract.ts';
import { answer } from '#web/testing/answers.ts';
import { saying, see } from '#web/testing/look.ts';
import { makeAd, makeSubmission, uuid } from '#web/testing/market.ts';
import { person } from '#web/testing/people.ts';
import { answerBuyerDashboard, answerSellerDashboard } from '#web/testing/screens.ts';
import { sample } from '#web/testing/sample.ts';
import { closeScreen, openPage } from '#web/testing/screen.tsx';

const sections = {
  seller: ['seller-analytics', 'active-ad-zones', 'pending-approvals'],
  buyer: ['buyer-analytics', 'my-campaigns', 'campaign-performance'],
};
const tab = (name: string) => page.getByRole('tab', { name });

describe('the dashboard', () => {
  // Proves DASH-S-01, DASH-S-02, DASH-S-04, DASH-S-36
  it.each<[role: Role, tabs: string[], shown: string[]]>([
    ['buyer', ['Buyer Dashboard'], sections.buyer],
    ['both', ['Seller Dashboard', 'Buyer Dashboard'], sections.seller],
    ['seller', ['Seller Dashboard'], sections.seller],
  ])('shows role %s only its own tabs, the first one open', async (role, tabs, shown) => {
    answerSellerDashboard();
    answerBuyerDashboard();
    await openPage('/dashboard', { as: person(role) });
    const dashboards = page.getByRole('tablist', { name: 'Dashboards' }).getByRole('tab');
    await see(dashboards.first());
    expect(dashboards.elements().map(({ textContent }) => textContent)).toEqual(tabs);
    await expect.element(tab(tabs[0]!)).toHaveAttribute('aria-selected', 'true');
    const found = () =>
      Object.values(sections)
        .flat()
        .filter((id) => document.getElementById(id));
    await expect.poll(found).toEqual(shown);
    const words = page.getByText('Manage your advertising business').elements();
    expect(words).toHaveLength(role === 'both' ? 1 : 0);
  });

  // Proves DASH-B-02, DASH-B-03, DASH-S-02
  it('?payment=success opens the buyer tab for role both, with the payment banner until it is closed', async () => {
    answerSellerDashboard();
    answerBuyerDashboard();
    await openPage('/dashboard?payment=success', { as: person('both') });
    const banner = saying('Your ad is live immediately');
    await see(banner);
    await expect.element(tab('Buyer Dashboard')).toHaveAttribute('aria-selected', 'true');
    expect(window.location.search).toBe('?payment=success');
    await page.getByRole('main').getByRole('button', { name: 'Close' }).click();
    await expect.element(banner).not.toBeInTheDocument();
    expect(window.location.pathname + window.location.search).toBe('/dashboard');
  });

  it('after a payment, the banner says when an ad of a later start is shown, and offers its calendar', async () => {
    const ad = makeAd({ title: 'Later', status: 'active', startDate: '2026-12-14T00:00:00.000Z' });
    answerBuyerDashboard([ad]);
    answer(getAd, ad);
    await openPage('/dashboard?payment=success', { as: person('buyer'), state: { paid: ad.publicId } });
    await see(page.getByText('Paid. Starts Mon, Dec 14'));
    expect(saying('Your ad is live immediately').elements()).toEqual([]);
    await expect
      .element(page.getByRole('link', { name: 'Add to calendar' }))
      .toHaveAttribute('href', `/api/ads/${ad.publicId}/calendar.ics`);
    closeScreen();

    answer(getAd, { ...ad, startDate: '2026-11-20T00:00:00.000Z' });
    await openPage('/dashboard?payment=success', { as: person('buyer'), state: { paid: ad.publicId } });
    await see(saying('Your ad is live immediately'));
  });
});

// Proves DASH-S-05, DASH-S-07, DASH-B-06, DASH-B-08, HOME-13, API-30, API-31, API-32
it('each card of the dashboards and of Home shows its own figures', async () => {
  answerSellerDashboard();
  answerBuyerDashboard();
  answer(getEarnings, {
    totalEarnings: '1234.50',
    delivered: '1200.00',
    notDelivered: '34.50',
    thisMonth: '67.80',
  });
  answer(getActiveZones, { count: 4 });
  answer(getSpending, {
    totalSpending: '2345.60',
    delivered: '2000.60',
    notDelivered: '345.00',
    thisMonth: '78.90',
    totalImpressions: 9001,
    totalClicks: 502,
    impressionsThisMonth: 303,
    clicksThisMonth: 14,
  });
  answer(listWaiting, { steps: [], more: 0 });
  answer(getGettingStarted, sample(getGettingStarted.reply));
  await openPage('/dashboard', { as: person('both') });
  const card = (label: string) =>
    [...document.querySelectorAll<HTMLElement>('#seller-analytics button, #buyer-analytics > *')]
      .map(({ innerText }) => innerText.replaceAll(/\s+/g, ' '))
      .find((text) => text.startsWith(label));
  await expect.poll(() => card('Total Earnings')).toMatch(/\$1,234\.50 .*\$67\.80 this month/i);
  await expect.poll(() => card('Active AdZones')).toMatch(/AdZones 4 /);
  await tab('Buyer Dashboard').click();
  await expect.poll(() => card('Campaign Spend')).toMatch(/\$2,345\.60 .*\$78\.90 this month/i);
  await expect.poll(() => card('Total Clicks')).toMatch(/502 .*14 this month/i);

  // Home shows the counts of this month. [OP-044]
  window.history.pushState(null, '', '/');
  const figures = page.getByRole('region', { name: 'Figures' });
  for (const count of ['$2,345.60', '303', '14']) await see(figures.getByText(count, { exact: true }));
});

describe('a thumbnail of each text, image and video ad', () => {
  const PIXEL = 'data:image/gif;base64,R0lGODlhAQABAAAAACH5BAEKAAEALAAAAAABAAEAAAICTAEAOw==';
  const kinds = ['text', 'image', 'video'] as const;
  const imageOf = (adType: (typeof kinds)[number]) => (adType === 'text' ? null : PIXEL);

  /** Each kind with the source of its picture, in the element with this text. */
  const shownIn = (element: (kind: string) => Element) =>
    kinds.map((kind) => {
      const found = [...element(kind).querySelectorAll(`[data-thumbnail=${kind}]`)];
      return found.map((thumbnail) => thumbnail.querySelector('img')?.getAttribute('src') ?? null);
    });
  const expected = [[null], [PIXEL], [PIXEL]];

  it('is in the pending ads, the breakdown and the transactions', async () => {
    answerSellerDashboard(
      kinds.map((adType, at) =>
        makeSubmission({ id: 31 + at, adType, title: `New ${adType}`, imageUrl: imageOf(adType) }),
      ),
    );
    answer(
      getBreakdown,
      kinds.map((adType, at) =>
        sample(breakdownRow, {
          publicId: uuid(31 + at),
          name: `Live ${adType}`,
          impressions: 5,
          amount: '1.00',
          creative: { adType, imageUrl: imageOf(adType), videoUrl: null, status: 'active' },
        }),
      ),
    );
    answer(getEarnings, {
      totalEarnings: '3.00',
      delivered: '3.00',
      notDelivered: '0.00',
      thisMonth: '3.00',
    });
    await openPage('/dashboard', { as: person('seller') });
    const pending = page.getByRole('region', { name: 'Pending Ad Approvals' });
    await see(saying('New video', pending));
    expect(
      shownIn((kind) => pending.getByRole('button', { name: new RegExp(`New ${kind}`) }).element()),
    ).toEqual(expected);
    const report = page.getByRole('region', { name: 'Performance', exact: true });
    await see(saying('Live video', report));
    expect(
      shownIn((kind) =>
        report
          .getByRole('row')
          .filter({ hasText: `Live ${kind}` })
          .element(),
      ),
    ).toEqual(expected);
    closeScreen();

    answer(
      listTransactions,
      kinds.map((adType, at) =>
        sample(transaction, { id: 31 + at, adType, title: `Live ${adType}`, imageUrl: imageOf(adType) }),
      ),
    );
    await openPage('/transactions', { as: person('seller') });
    const main = page.getByRole('main');
    await see(main.getByRole('row').filter({ hasText: 'Live video' }));
    expect(
      shownIn((kind) =>
        main
          .getByRole('row')
          .filter({ hasText: `Live ${kind}` })
          .element(),
      ),
    ).toEqual(expected);
  });
});
