/** A marketplace with a name of its own, in the browser. */
import { expect, it } from 'vitest';
import { hydrated } from './support/hydrated.ts';
import { sideways } from './support/layout.ts';
import { enterAs } from './support/people.ts';
import { useFixture } from './support/use-fixture.ts';

const NAME = 'Brot & Rad "Ads"';
const TAGLINE = 'Ad space in <Köln>, by bakers & cyclists.';
const suite = useFixture({ env: { MARKETPLACE_NAME: NAME, TAGLINE, ACCENT: '#9b1d64' } });

// Proves OWNS-10
it('the landing page has the name and the tagline, before and after the scripts have run', async () => {
  const { page } = await suite.fixture.enter();
  const problems: string[] = [];
  page.on('pageerror', (error) => problems.push(String(error)));
  page.on('console', (message) => message.type() === 'error' && problems.push(message.text()));
  for (const path of ['/', '/demo', '/auth']) {
    await page.goto(path);
    await hydrated(page, '#root > *');
    expect(await page.title()).toContain(NAME);
    const text = await page.locator('body').innerText();
    expect([path, text.includes(NAME), text.includes('Openslot')]).toEqual([path, true, false]);
  }
  await page.goto('/');
  expect(await page.locator('footer').innerText()).toContain(TAGLINE);
  const data = await page.locator('script[type="application/ld+json"]').textContent();
  expect(JSON.parse(data ?? '')['@graph'][0].name).toBe(NAME);
  expect(problems).toEqual([]);
});

// Proves OWNS-10
it('the application has them, too', async () => {
  const { page } = await enterAs(suite.fixture, 'both');
  for (const path of ['/dashboard', '/settings?tab=security', '/marketplace', '/transactions']) {
    await page.goto(path);
    await page.getByRole('heading', { level: 1 }).waitFor();
    expect(await page.title()).toContain(NAME);
    expect([path, (await page.locator('body').innerText()).includes('Openslot')]).toEqual([path, false]);
  }
  expect(await page.locator('footer').innerText()).toContain(TAGLINE);
});

// Proves OWNS-16
it('the accent colors both themes', async () => {
  const { page } = await suite.fixture.enter();
  for (const { colorScheme, ground, text } of [
    { colorScheme: 'light', ground: 'rgb(155, 29, 100)', text: 'rgb(255, 255, 255)' },
    { colorScheme: 'dark', ground: 'rgb(196, 122, 164)', text: 'rgb(12, 21, 23)' },
  ] as const) {
    await page.emulateMedia({ colorScheme });
    for (const path of ['/auth', '/measurement']) {
      await page.goto(path);
      const colors = await page.evaluate(() => {
        const probe = document.createElement('a');
        const isServers = document.querySelector('#root') === null;
        probe.className = isServers ? 'button' : 'bg-accent text-on-accent';
        document.body.append(probe);
        const { backgroundColor, color } = getComputedStyle(probe);
        return [backgroundColor, color];
      });
      expect([path, ...colors]).toEqual([path, ground, text]);
    }
  }
});

// Proves OWNS-10
it('a long name leaves the links beside it whole on a phone', async () => {
  const { page } = await suite.fixture.enter({ width: 320 });
  await page.goto('/sites');
  const linesOf = async (name: string) =>
    await page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link', { name })
      .evaluate((link) => {
        const range = document.createRange();
        range.selectNodeContents(link);
        return range.getClientRects().length;
      });
  for (const name of ['Sites', 'Log in', 'Sign up']) expect([name, await linesOf(name)]).toEqual([name, 1]);
  expect(await sideways(page)).toEqual([]);
});
