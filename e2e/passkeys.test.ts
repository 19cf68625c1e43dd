/** Passkeys with Chromium's own authenticator, which the tests drive through the DevTools protocol. */
import { expect, it, onTestFinished } from 'vitest';
import type { CDPSession, Page } from 'playwright-core';
import { addOperator } from '../server/operator/requests/requests.ts';
import { PASSWORD } from '../server/testing/server.ts';
import { hold, toastTitled } from './support/people.ts';
import { useFixture } from './support/use-fixture.ts';

// Passkeys do not work on an IP address.
const suite = useFixture({ host: 'localhost' });
const LATER = 16 * 60_000;

/** A device with a fingerprint sensor that recognizes its user, until the test says otherwise. */
class Device {
  readonly #session: CDPSession;
  readonly #authenticatorId: string;

  private constructor(session: CDPSession, authenticatorId: string) {
    this.#session = session;
    this.#authenticatorId = authenticatorId;
  }

  static async in(page: Page): Promise<Device> {
    const session = await page.context().newCDPSession(page);
    await session.send('WebAuthn.enable');
    const { authenticatorId } = await session.send('WebAuthn.addVirtualAuthenticator', {
      options: {
        protocol: 'ctap2',
        transport: 'internal',
        hasResidentKey: true,
        hasUserVerification: true,
        isUserVerified: true,
        automaticPresenceSimulation: true,
      },
    });
    onTestFinished(async () => {
      if (page.isClosed()) return;
      await session.send('WebAuthn.disable');
      await session.detach();
    });
    return new Device(session, authenticatorId);
  }

  /** Sets whether the user touches the sensor. A request of the page waits for the touch. */
  async touch(enabled: boolean): Promise<void> {
    await this.#session.send('WebAuthn.setAutomaticPresenceSimulation', {
      authenticatorId: this.#authenticatorId,
      enabled,
    });
  }

  async recognizes(isUserVerified: boolean): Promise<void> {
    await this.#session.send('WebAuthn.setUserVerified', {
      authenticatorId: this.#authenticatorId,
      isUserVerified,
    });
  }

  async credentials(): Promise<number> {
    const { credentials } = await this.#session.send('WebAuthn.getCredentials', {
      authenticatorId: this.#authenticatorId,
    });
    return credentials.length;
  }
}

async function openSecurity(page: Page): Promise<void> {
  await page.goto('/settings');
  await page.getByRole('tab', { name: 'Security' }).click();
  await page.getByRole('button', { name: 'Add a passkey' }).waitFor();
}

/** Presses Tab until the control with this name has the focus. */
async function tabTo(page: Page, name: string): Promise<void> {
  for (let presses = 0; presses < 40; presses++) {
    await page.keyboard.press('Tab');
    const focused = await page.evaluate(() => document.activeElement?.textContent?.trim());
    if (focused === name) return;
  }
  throw new Error(`Tab does not lead to ${name}`);
}

async function signOut(page: Page): Promise<void> {
  await page.evaluate(() => fetch('/api/auth/logout', { method: 'POST' }));
}

it('a passkey is added, renamed, used to sign in by keyboard, and removed, on a phone', async () => {
  const { page } = await suite.enter('both');
  await page.setViewportSize({ width: 375, height: 812 });
  const device = await Device.in(page);
  await openSecurity(page);
  await page.getByText("You don't have a passkey yet").waitFor();
  suite.fixture.server.clock.advance(LATER);
  await page.getByRole('button', { name: 'Add a passkey' }).press('Enter');
  const question = page.getByRole('dialog', { name: 'Enter your password again' });
  await question.getByLabel('Your password').fill(PASSWORD);
  // There is no passkey to confirm with yet.
  expect(await question.getByRole('button', { name: 'Use a passkey' }).count()).toBe(0);
  await question.getByLabel('Your password').press('Enter');
  await toastTitled(page, 'Passkey Added').waitFor();
  expect(await device.credentials()).toBe(1);
  const row = page.getByRole('list', { name: 'Passkeys' }).getByRole('listitem');
  await row.getByText('Not used yet').waitFor();

  await row.getByRole('button', { name: /^Rename/ }).press('Enter');
  const renaming = page.getByRole('dialog', { name: 'Rename passkey' });
  await renaming.getByLabel('Name').fill('');
  await renaming.getByRole('button', { name: 'Save' }).click();
  await renaming.getByText('Enter a name of 1 to 60 characters').waitFor();
  await renaming.getByLabel('Name').fill('My phone');
  await renaming.getByLabel('Name').press('Enter');
  await row.getByRole('paragraph').getByText('My phone', { exact: true }).waitFor();
  const width = await page.evaluate(() => document.documentElement.scrollWidth);
  expect(width).toBeLessThanOrEqual(375);

  // A device makes only one passkey for an account.
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await toastTitled(page, 'Passkey Not Added').filter({ hasText: 'already has a passkey' }).waitFor();

  await signOut(page);
  await device.touch(false);
  await page.goto('/auth');
  await page.getByLabel('Email').waitFor();
  await tabTo(page, 'Sign in with a passkey');
  await device.recognizes(false);
  await device.touch(true);
  await page.keyboard.press('Enter');
  await toastTitled(page, 'Login Failed').filter({ hasText: 'No passkey was used' }).waitFor();
  expect(new URL(page.url()).pathname).toBe('/auth');
  await device.touch(false);
  await device.recognizes(true);
  // Touch the sensor after the key press. Otherwise the touch could accept the browser's own suggestion below the
  // e-mail field. Touch it before the button asks the device, because a device without a touch never answers.
  const release = await hold(page, '/api/auth/passkey/options');
  await page.getByRole('button', { name: 'Sign in with a passkey' }).press('Enter');
  await device.touch(true);
  release();
  await toastTitled(page, 'Login Successful').waitFor();
  expect(await page.evaluate(async () => (await fetch('/api/auth/user')).status)).toBe(200);

  await openSecurity(page);
  await row.getByText(/^Last used/).waitFor();
  await page.getByRole('list', { name: 'Recent activity' }).getByText('Signed in with a passkey').waitFor();
  await row.getByRole('button', { name: /^Remove/ }).click();
  const removal = page.getByRole('dialog', { name: 'Remove “My phone”?' });
  await removal.getByRole('button', { name: 'Cancel' }).click();
  expect(await row.count()).toBe(1);
  await row.getByRole('button', { name: /^Remove/ }).press('Enter');
  await removal.getByRole('button', { name: 'Remove' }).press('Enter');
  await toastTitled(page, 'Passkey Removed').waitFor();
  await page.getByText("You don't have a passkey yet").waitFor();
});

it('the browser offers a passkey below the e-mail field, and a passkey confirms an older session', async () => {
  const { page } = await suite.enter('both');
  const device = await Device.in(page);
  await openSecurity(page);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await toastTitled(page, 'Passkey Added').waitFor();
  await signOut(page);
  // The device picks the suggested passkey, as a user would from the list below the field.
  await page.goto('/auth');
  await toastTitled(page, 'Login Successful').waitFor();

  await openSecurity(page);
  suite.fixture.server.clock.advance(LATER);
  await page
    .getByRole('list', { name: 'Passkeys' })
    .getByRole('button', { name: /^Remove/ })
    .click();
  await page.getByRole('dialog').getByRole('button', { name: 'Remove' }).click();
  const question = page.getByRole('dialog', { name: 'Enter your password again' });
  await device.recognizes(false);
  await question.getByRole('button', { name: 'Use a passkey' }).click();
  await question.getByRole('alert').filter({ hasText: 'No passkey was used' }).waitFor();
  await device.recognizes(true);
  await question.getByRole('button', { name: 'Use a passkey' }).click();
  await toastTitled(page, 'Passkey Removed').waitFor();
});

// Proves KEY-05
it('an operator confirms in the console with a passkey', async () => {
  const { page, client } = await suite.enter('both');
  const { server } = suite.fixture;
  const device = await Device.in(page);
  await openSecurity(page);
  await page.getByRole('button', { name: 'Add a passkey' }).click();
  await toastTitled(page, 'Passkey Added').waitFor();
  await signOut(page);
  await addOperator(
    server.ctx,
    { id: null },
    { email: client.user.email, role: 'owner', reason: 'For a test' },
  );
  // The device answers as soon as the page asks, so the console may come before `goto` has found React.
  await page.goto('/auth?return=%2Foperator', { waitUntil: 'commit' });
  await page.waitForURL('/operator');
  server.clock.advance(LATER);
  await page.goto('/operator/announcement');
  await page.getByRole('button', { name: 'Announce' }).click();
  const sheet = page.getByRole('dialog', { name: 'Announce' });
  await sheet.getByLabel('Text').fill('We move on Friday.');
  await sheet.getByRole('button', { name: 'Announce' }).click();
  const confirm = page.getByRole('dialog', { name: 'Confirm that it’s you' });
  const button = confirm.getByRole('button', { name: 'Use a passkey' });
  await device.recognizes(false);
  await button.press('Enter');
  await confirm.getByRole('alert').waitFor();
  await device.recognizes(true);
  await button.press('Enter');
  // The act that asked goes on.
  await page.getByText('Until you end it.').waitFor();
});
