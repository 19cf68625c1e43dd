import type { Browser } from 'playwright-core';
import { enterBrowser, leaveBrowser } from './browser.ts';
import { codeFromMail } from './mail.ts';
import { resize } from './layout.ts';
import { createEntrance, type Person } from './person.ts';
import { freePort } from '../../server/platform/database/embedded/process.ts';
import { startTestServer, type TestServer } from '../../server/testing/server.ts';

/** A running product, and a browser to use it with. */
export type Fixture = {
  server: TestServer;
  browser: Browser;
  /** A page for a new visitor, in a browser context without anything of other visitors. */
  enter: (options?: { width?: number; height?: number }) => Promise<Person>;
  close: () => Promise<void>;
};

/** The port of this worker's servers, one after the other. A page that stays open keeps the scripts of this origin. */
let port = 0;

/**
 * `motion` gives the people browsers that show animations. All others want reduced motion, which takes less time. `jobs`
 * runs the scheduled and queued jobs, which few tests need and which ask the database several times a second.
 */
export async function openFixture({
  motion = false,
  ...options
}: Parameters<typeof startTestServer>[0] & { motion?: boolean } = {}): Promise<Fixture> {
  // Start the browser first, so that no server stays behind if it fails.
  const browser = await enterBrowser();
  port = await freePort(port);
  const server = await startTestServer({ port, ...options });
  const enter = createEntrance(browser, server.url);
  return {
    server,
    browser,
    enter: async ({ width = 1280, height = 900 } = {}) => {
      const person = await enter();
      await resize(person.page, { width, height });
      if (motion) await person.page.emulateMedia({ reducedMotion: 'no-preference' });
      return person;
    },
    close: async () => {
      await leaveBrowser(browser);
      await server.close();
    },
  };
}

/** Signs up in the browser, confirms the e-mail address with the mailed code and chooses a role. */
export async function signUp(
  fixture: Fixture,
  { page }: Person,
  person: { firstName: string; lastName: string; email: string; role: 'Buy Ads' | 'Sell Ad Space' | 'Both' },
): Promise<void> {
  await page.goto('/');
  await page.getByRole('link', { name: 'Sign Up' }).click();
  await page.getByLabel('First name').fill(person.firstName);
  await page.getByLabel('Last name').fill(person.lastName);
  await page.getByLabel('Email').fill(person.email);
  await page.getByText('Email address is ok').waitFor();
  await page.getByLabel('Password', { exact: true }).fill('correct horse battery');
  await page.getByRole('button', { name: 'Create Account' }).click();
  await page.getByLabel('Verification code').fill(await codeFromMail(fixture.server.anyone(), person.email));
  await page.getByRole('button', { name: 'Verify Email' }).click();
  await page.getByRole('radio', { name: person.role }).click();
  await page.getByRole('button', { name: 'Get Started' }).click();
  await page.getByRole('dialog').waitFor({ state: 'detached' });
}
