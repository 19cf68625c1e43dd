/**
 * A sign-up and an ad in a browser that translates pages, as most readers of other languages use. All screens are in
 * web/testing/gallery/translated.test.tsx.
 */
import type { Page } from 'playwright-core';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { signIn } from './support/forms.ts';
import { signUp } from './support/fixture.ts';
import { resize } from './support/layout.ts';
import { assertNoErrors } from './support/people.ts';
import { staleTexts, translatePages, translations } from './support/translator.ts';
import { useFixture } from './support/use-fixture.ts';
import { becomePerson, DESKTOP, enterWalk } from './support/walk.ts';
import { makePricedZone, openContent } from './support/wizard.ts';

const suite = useFixture();
let page: Page;
const errors: string[] = [];

beforeAll(async () => {
  page = await enterWalk(suite.fixture);
  await translatePages(page);
  page.on('pageerror', (error) => errors.push(error.message));
  page.on('console', (message) => {
    // A refused call, such as one of a wrong password, is no error of the page.
    const isRefusal = /^(Failed to load resource|Loading failed)/.test(message.text());
    if (message.type() === 'error' && !isRefusal) errors.push(message.text());
  });
});

afterEach(() => {
  assertNoErrors({ page, context: page.context(), errors: errors.splice(0) });
});

/** Fails unless the page is alive and translated, except its code, and shows no text of before. */
async function expectWhole(where: string): Promise<void> {
  expect([where, ...(await staleTexts(page)), ...errors]).toEqual([where]);
  expect([where, await page.getByText('Something went wrong').count()]).toEqual([where, 0]);
  expect(await translations(page)).toBeGreaterThan(0);
  expect([where, ...(await page.locator('code font').allTextContents())]).toEqual([where]);
}

it('a visitor signs up and signs in on a translated page, also after a wrong password', async () => {
  const email = 'translated@example.test';
  const person = { page, context: page.context(), errors };
  await becomePerson(page, suite.fixture, suite.fixture.server.anyone());
  await signUp(suite.fixture, person, { firstName: 'Ada', lastName: 'Archer', email, role: 'Both' });
  await expectWhole('home');
  await becomePerson(page, suite.fixture, suite.fixture.server.anyone());
  await page.goto('/auth');
  await page.getByLabel('Email').fill(email);
  await page.getByLabel('Password', { exact: true }).fill('wrong horse battery');
  await page.getByRole('button', { name: 'Sign In' }).click();
  await page.getByText('Invalid email or password', { exact: true }).waitFor();
  await expectWhole('a wrong password');
  await signIn(page, email);
  await page.waitForURL('/');
  await expectWhole('signed in');
});

it('a figure within a translated sentence changes with what it counts', async () => {
  const banner = { zoneType: 'banner', width: 728, height: 90 };
  const place = await makePricedZone(await suite.client('seller'), { zone: banner });
  await becomePerson(page, suite.fixture, await suite.client('buyer'));
  await resize(page, { width: 600, height: 900 });
  await openContent(page, place);
  const sentence = page.getByText(/^Shown at \d+% of 728x90$/);
  const before = await sentence.innerText();
  await resize(page, { width: 375, height: 900 });
  await expect.poll(async () => await sentence.innerText()).not.toBe(before);
  await expectWhole('a smaller preview');
  await resize(page, DESKTOP);
});
