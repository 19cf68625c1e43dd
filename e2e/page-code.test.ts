/** Each page is a file of its own, which is loaded when the page is first shown. */
import { it } from 'vitest';
import { answer, hold, stopClock } from './support/people.ts';
import { useFixture } from './support/use-fixture.ts';

const suite = useFixture();

// Proves LITE-9
it('a page shows its content as soon as its code and its user have arrived, without waiting for a timer', async () => {
  const { page } = await suite.enter('both');
  // After a Suspense fallback, React would show the content only when a timer has passed.
  await stopClock(page);
  await page.goto('/transactions');
  await page.getByRole('heading', { level: 1, name: 'Transactions' }).waitFor();
  await page.getByRole('navigation', { name: 'Main' }).getByRole('link', { name: 'Marketplace' }).click();
  await page.getByRole('heading', { level: 1, name: 'Marketplace' }).waitFor();
});

// Proves LITE-9
it('a spinner stands in for a page until its code arrives, and a page whose code does not arrive offers to refresh', async () => {
  const { page } = await suite.enter('buyer');
  await page.goto('/transactions');
  await page.getByRole('heading', { level: 1, name: 'Transactions' }).waitFor();
  const links = page.getByRole('navigation', { name: 'Main' });
  const release = await hold(page, '/assets/marketplace-*.js');
  await links.getByRole('link', { name: 'Marketplace' }).click();
  const spinner = page.getByRole('main').getByText('Loading', { exact: true });
  await spinner.waitFor();
  release();
  await page.getByRole('heading', { level: 1, name: 'Marketplace' }).waitFor();
  await spinner.waitFor({ state: 'detached' });

  await answer(page, '/assets/settings-*.js', null);
  await page.getByRole('button', { name: 'Account' }).click();
  await page.getByRole('menuitem', { name: 'Settings' }).click();
  await page.getByRole('button', { name: 'Refresh Page' }).waitFor();
});
