import { afterAll, beforeAll, expect, it } from 'vitest';
import { afterPendingRequests, assertNoErrors, pathOf, recordCalls } from './support/people.ts';
import { openFixture, signUp, type Fixture } from './support/fixture.ts';
import type { Person } from './support/person.ts';

let fixture: Fixture;
let visitor: Person;

beforeAll(async () => {
  fixture = await openFixture();
  visitor = await fixture.enter();
});
/** Goes to the landing page, unless it is open. */
async function openLanding(): Promise<void> {
  if (pathOf(visitor.page) !== '/') await visitor.page.goto('/');
}

afterAll(async () => {
  assertNoErrors(visitor);
  await fixture.close();
});

// Proves ACC-01, STATE-12, LAND-01, LAND-16
it('the landing page requests nothing from the API', async () => {
  const { page } = visitor;
  const calls = recordCalls(page);
  await page.goto('/');
  expect(await page.getByRole('heading', { level: 1 }).innerText()).toBe('Buy & Sell Ad Space In Minutes');
  expect(pathOf(page)).toBe('/');
  await page.getByRole('button', { name: 'Filter' }).waitFor();
  await afterPendingRequests(page);
  expect(calls).toEqual([]);
  expect(await page.locator('[data-variant]').count()).toBe(0);
});

// Proves LAND-02, LAND-03, LAND-14, LAND-15, NAV-20, AUTH-02
it('every link to sell or buy opens the sign-up tab', async () => {
  const { page } = visitor;
  const ways = [
    'Start Selling Ad Space',
    'Buy Traffic: Browse Sites',
    'Load More Websites',
    'Sign Up',
    'Advertise Here',
  ];
  await openLanding();
  for (const name of ways) {
    const links = page.getByRole('link', { name, exact: true });
    for (const link of name === 'Advertise Here' ? [links.nth(0), links.nth(1), links.nth(2)] : [links]) {
      await link.click();
      await page.getByRole('tab', { name: 'Sign Up', selected: true }).waitFor();
      expect(pathOf(page)).toBe('/auth?tab=signup');
      await page.goBack();
    }
  }
});

// Proves ACC-02, NAV-19, AUTH-01
it('the Login link opens the sign-in tab', async () => {
  const { page } = visitor;
  await openLanding();
  await page.getByRole('link', { name: 'Login' }).click();
  await page.getByRole('tab', { name: 'Sign In', selected: true }).waitFor();
  expect(await page.getByRole('tab').allInnerTexts()).toEqual(['Sign In', 'Sign Up']);
  expect(pathOf(page)).toBe('/auth');
});

// Proves LAND-04, LAND-23, LAND-24
it('the landing page has six feature cards and promises setup in 5 minutes without HTML knowledge', async () => {
  const { page } = visitor;
  await openLanding();
  await page.getByTestId('feature-card').first().waitFor();
  expect(await page.getByTestId('feature-card').count()).toBe(6);
  const text = await page.getByRole('main').innerText();
  expect(text).toContain('5 minutes');
  expect(text).toMatch(/no HTML knowledge/i);
});

// Proves LAND-09, LAND-10, LAND-11, LAND-12, LAND-13, ENT-42
it('the preview shows three sample websites with name, category, price, visitors, audience and ad types', async () => {
  const { page } = visitor;
  await openLanding();
  await page.getByTestId('sample-site').first().waitFor();
  const cards = await page.getByTestId('sample-site').allInnerTexts();
  expect(cards).toHaveLength(3);
  expect(cards.map((text) => /\$\d+/.exec(text)?.[0])).toEqual(['$25', '$15', '$35']);
  const names = await page.getByTestId('sample-site').getByRole('heading').allInnerTexts();
  expect(new Set(names).size).toBe(3);
  for (const text of cards) {
    expect(text).toMatch(/per day|\/\s*day/);
    expect(text).toMatch(/\b(Technology|Business|Health|Lifestyle|Finance)\b/);
    expect(text).toMatch(/Monthly visitors\s+[\d.]+K/);
    expect(text).toMatch(/Audience\s+\S+/);
    expect(text).toMatch(/\b(Text|Image|Video)\b/);
  }
});

// Proves LAND-05, LAND-06, LAND-07, LAND-08, LAND-25
it('the marketplace preview filters its sample websites when Filter is clicked', async () => {
  const { page } = visitor;
  await openLanding();
  const cards = page.getByTestId('sample-site');
  await cards.first().waitFor();
  expect(await page.getByLabel('Traffic level').locator('option').allInnerTexts()).toContain('Low (1k-10k)');

  await page.getByLabel('Traffic level').selectOption('Low (1k-10k)');
  expect(await cards.count()).toBe(3);
  await page.getByRole('button', { name: 'Filter' }).click();
  await expect.poll(() => cards.count()).toBe(1);

  await page.getByLabel('Traffic level').selectOption('All traffic levels');
  await page.getByLabel('Category').selectOption('Business');
  await page.getByLabel('Search websites').fill('ledger');
  await page.getByRole('button', { name: 'Filter' }).click();
  await expect.poll(() => cards.getByRole('heading').allInnerTexts()).toEqual(['Ledger Weekly']);
});

// Proves LAND-17, LAND-18, LAND-19, LAND-20, LAND-21, LAND-22
it('the footer has its texts, and placeholder links that stay on the page', async () => {
  const { page } = visitor;
  await openLanding();
  const footer = page.getByRole('contentinfo');
  expect(await footer.innerText()).toContain('2006 - 2025');
  expect((await footer.innerText()).toLowerCase()).toContain(
    'the modern marketplace for buying and selling ad space, connecting publishers and advertisers worldwide',
  );
  const groups: Record<string, string[]> = {
    'Quick Links': ['How It Works', 'Pricing', 'Success Stories', 'API Documentation'],
    Support: ['Help Center', 'Contact Us', 'System Status', 'Report Issue'],
    Legal: ['Privacy Policy', 'Terms of Service', 'Cookie Policy', 'Advertiser Terms'],
  };
  for (const [title, links] of Object.entries(groups)) {
    const group = footer.locator('section').filter({ has: page.getByRole('heading', { name: title }) });
    expect(await group.getByRole('link').allInnerTexts()).toEqual(links);
    for (const link of await group.getByRole('link').all()) await link.click();
  }
  expect(pathOf(page)).toBe('/');
  expect(await page.getByRole('heading', { level: 1 }).isVisible()).toBe(true);
});

// Proves ACC-03, DEMO-01, DEMO-02, DEMO-03, DEMO-04, CONST-35
it('the demo page shows three ad zones that link to the create-ad wizard', async () => {
  const { page } = visitor;
  await page.goto('/demo');
  for (const [name, width, height] of [
    ['Banner', 728, 90],
    ['Square', 300, 300],
    ['Sidebar', 160, 600],
  ] as const) {
    const zone = page.getByRole('region', { name: `${name} ${width}x${height}` });
    expect(await zone.boundingBox()).toMatchObject({ width, height });
  }
  const links = page.getByRole('link', { name: 'Advertise here' });
  const targets = await links.evaluateAll((all) => all.map((link) => link.getAttribute('href')));
  expect(targets).toEqual([1, 2, 3].map((zone) => `/create-ad?website=1&zone=${zone}`));
});

// Proves RCPT-1
it('the demo page follows an ad from its request to its one counted view, and says why a repeated one is not', async () => {
  const { page } = visitor;
  await page.goto('/');
  await page.getByRole('link', { name: 'Demo' }).click();
  const receipt = page.getByRole('region', { name: 'Watch a view being counted' });
  const done = () => receipt.getByText('(done)').count();
  await receipt.waitFor();
  expect(await done()).toBe(0);
  const again = receipt.getByRole('button', { name: 'Report it again' });
  await receipt.getByRole('list', { name: 'What happened to this ad' }).scrollIntoViewIfNeeded();
  await receipt.getByText('Counted once').waitFor();
  expect(await done()).toBe(5);
  await again.click();
  await receipt.getByText('Not counted: The same view or click had already been reported.').waitFor();
  await again.click();
  await receipt.getByText('Not counted, 2 times').waitFor();
  // After a reload the page asks for a new ad, whose view is a new one.
  await receipt.getByRole('button', { name: 'Reload the page' }).click();
  await receipt.getByText('Not counted').waitFor({ state: 'detached' });
  await receipt.getByRole('list', { name: 'What happened to this ad' }).scrollIntoViewIfNeeded();
  await receipt.getByText('Counted once').waitFor();
});

// Proves LITE-1, LITE-3
it('a page without a session believes its document: it logs no error, starts no worker, loads no schema and does not ask who the user is', async () => {
  for (const path of ['/', '/demo', '/auth', '/auth?tab=signup']) {
    const { page } = visitor;
    page.removeAllListeners('console');
    page.removeAllListeners('request');
    const said: string[] = [];
    page.on('console', (message) => message.type() === 'error' && said.push(message.text()));
    const calls = recordCalls(page);
    const schemas: string[] = [];
    page.on(
      'request',
      (request) => request.url().includes('/assets/schemas-') && schemas.push(request.url()),
    );
    const workers: string[] = [];
    page.on('worker', (worker) => workers.push(worker.url()));
    await page.goto(path, { waitUntil: 'networkidle' });
    await afterPendingRequests(page);
    expect([path, calls.filter((call) => !call.startsWith('GET /api/serve/'))]).toEqual([path, []]);
    expect([path, workers]).toEqual([path, []]);
    expect([path, schemas]).toEqual([path, []]);
    expect([path, said]).toEqual([path, []]);
  }
});

// Proves OPS-78
it('the landing page of an installation without accounts says how to begin and how to bring back a backup, until somebody signs up', async () => {
  const { page } = visitor;
  await page.goto('/');
  await page.getByText('No accounts yet. Is this your marketplace?').click();
  await page.getByText('openslot operator add EMAIL').waitFor();
  await page.getByText('openslot restore --from BACKUP').waitFor();
  await signUp(fixture, visitor, {
    firstName: 'Ann',
    lastName: 'First',
    email: 'ann@example.com',
    role: 'Both',
  });
  const other = await fixture.enter();
  await other.page.goto('/', { waitUntil: 'networkidle' });
  await other.page.getByRole('heading', { level: 1 }).waitFor();
  expect(await other.page.getByText('No accounts yet').count()).toBe(0);
  assertNoErrors(other);
});
