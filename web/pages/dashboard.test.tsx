import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import type { Role } from '#domain/accounts/roles.ts';
import { saying, see } from '#web/testing/look.ts';
import { person } from '#web/testing/people.ts';
import { answerBuyerDashboard, answerSellerDashboard } from '#web/testing/screens.ts';
import { openPage } from '#web/testing/screen.tsx';

const sections = {
  seller: ['seller-analytics', 'active-ad-zones', 'pending-approvals'],
  buyer: ['buyer-analytics', 'my-campaigns', 'campaign-performance'],
};
const tab = (name: string) => page.getByRole('tab', { name });

describe('the dashboard', () => {
  // Proves DASH-S-01, DASH-S-02, DASH-S-03, DASH-S-04, DASH-B-01, DASH-B-05, DASH-S-36
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
});
