import { describe, expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { see, wordsOf } from '#web/testing/look.ts';
import { answerNewAccount } from '#web/testing/new-account.ts';
import { openPage } from '#web/testing/screen.tsx';

const address = () => window.location.pathname + window.location.search;
const sites = () => page.getByTestId('sample-site');
const textsOf = (elements: Element[]) => elements.map((element) => (element as HTMLElement).innerText);

async function openLanding(): Promise<void> {
  answerNewAccount();
  await openPage('/');
  await see(page.getByRole('heading', { level: 1, name: 'Buy & Sell Ad Space In Minutes' }));
}

describe('the landing page', () => {
  // Proves LAND-02, LAND-14, NAV-19, AUTH-02
  it.each([
    ['Start Selling Ad Space', 1],
    ['Buy Traffic: Browse Sites', 1],
    ['Load More Websites', 1],
    ['Sign Up', 1],
    ['Advertise Here', 3],
  ])('leads to the sign-up tab by ‘%s’', async (name, count) => {
    await openLanding();
    const links = () => page.getByRole('link', { name, exact: true });
    await see(links().first());
    for (let at = 0; at < count; at++) {
      await links().nth(at).click();
      await see(page.getByRole('tab', { name: 'Sign Up', selected: true }));
      expect(address()).toBe('/auth?tab=signup');
      window.history.back();
      await see(links().first());
    }
  });

  // Proves ACC-01, NAV-19, AUTH-01
  it('leads to the sign-in tab by ‘Login’', async () => {
    await openLanding();
    await page.getByRole('link', { name: 'Login' }).click();
    await see(page.getByRole('tab', { name: 'Sign In', selected: true }));
    expect(textsOf(page.getByRole('tab').elements())).toEqual(['Sign In', 'Sign Up']);
    expect(address()).toBe('/auth');
  });

  // Proves LAND-04
  it('has six feature cards, and promises setup in 5 minutes without HTML knowledge', async () => {
    await openLanding();
    await expect.poll(() => page.getByTestId('feature-card').elements()).toHaveLength(6);
    const text = wordsOf(page.getByRole('main'));
    expect(text).toContain('5 minutes');
    expect(text).toMatch(/no HTML knowledge/i);
  });

  // Proves LAND-09
  it('previews three sample websites with name, category, price, visitors, audience and ad types', async () => {
    await openLanding();
    await see(sites().first());
    const cards = textsOf(sites().elements());
    expect(cards.map((text) => /\$\d+/.exec(text)?.[0])).toEqual(['$25', '$15', '$35']);
    const names = textsOf(sites().getByRole('heading').elements());
    expect(new Set(names).size).toBe(3);
    for (const text of cards) {
      expect(text).toMatch(/per day|\/\s*day/);
      expect(text).toMatch(/\b(Technology|Business|Health|Lifestyle|Finance)\b/);
      expect(text).toMatch(/Monthly visitors\s+[\d.]+K/);
      expect(text).toMatch(/Audience\s+\S+/);
      expect(text).toMatch(/\b(Text|Image|Video)\b/);
    }
  });

  // Proves LAND-05, LAND-25
  it('filters its sample websites when Filter is clicked', async () => {
    await openLanding();
    await see(sites().first());
    const traffic = page.getByLabelText('Traffic level');
    const options = [...(traffic.element() as HTMLSelectElement).options].map(({ text }) => text);
    expect(options).toContain('Low (1k-10k)');
    await traffic.selectOptions('Low (1k-10k)');
    expect(sites().elements()).toHaveLength(3);
    const filter = page.getByRole('button', { name: 'Filter' });
    await filter.click();
    await expect.poll(() => sites().elements()).toHaveLength(1);

    await traffic.selectOptions('All traffic levels');
    await page.getByLabelText('Category').selectOptions('Business');
    await page.getByLabelText('Search websites').fill('ledger');
    await filter.click();
    await expect.poll(() => textsOf(sites().getByRole('heading').elements())).toEqual(['Ledger Weekly']);
  });

  // Proves LAND-17
  it('has a footer with its texts, and placeholder links that stay on the page', async () => {
    await openLanding();
    const footer = page.getByRole('contentinfo');
    const text = wordsOf(footer);
    expect(text).toContain('2006 - 2025');
    expect(text).toContain('Ad space for everyone');
    for (const [title, names] of Object.entries({
      'Quick Links': ['How It Works', 'Pricing', 'Success Stories', 'API Documentation'],
      Support: ['Help Center', 'Contact Us', 'System Status', 'Report Issue'],
      Legal: ['Privacy Policy', 'Terms of Service', 'Cookie Policy', 'Advertiser Terms'],
    })) {
      const group = footer.getByRole('heading', { name: title }).element().closest('section')!;
      const links = [...group.querySelectorAll('a')];
      expect(links.map(({ innerText }) => innerText)).toEqual(names);
      for (const link of links) link.click();
    }
    expect(address()).toBe('/');
    await see(page.getByRole('heading', { level: 1, name: 'Buy & Sell Ad Space In Minutes' }));
  });
});

// Proves ACC-01, DEMO-01, DEMO-04
it('the demo page shows three ad zones that link to the create-ad wizard', async () => {
  await openPage('/demo');
  for (const [name, width, height] of [
    ['Banner', 728, 90],
    ['Square', 300, 300],
    ['Sidebar', 160, 600],
  ] as const) {
    const zone = page.getByRole('region', { name: `${name} ${width}x${height}` });
    await see(zone);
    expect(zone.element().getBoundingClientRect()).toMatchObject({ width, height });
  }
  const links = page.getByRole('link', { name: 'Advertise here' }).elements();
  expect(links.map((link) => link.getAttribute('href'))).toEqual(
    [1, 2, 3].map((zone) => `/create-ad?website=1&zone=${zone}`),
  );
});
