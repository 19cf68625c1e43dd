/** The pages in a browser that translates them, which most readers of other languages use. */
import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, expect, it } from 'vitest';
import type { Client } from '../server/testing/client.ts';
import { signIn } from './support/forms.ts';
import { signUp } from './support/fixture.ts';
import { LAYERS, pathOf, type Layer } from './support/layers.ts';
import { resize } from './support/layout.ts';
import { assertNoErrors, changeUser } from './support/people.ts';
import { LAYER, openScreen, PUBLIC_SCREENS, screensOf, walkToScreen } from './support/screens.ts';
import { staleTexts, translatePages, translations } from './support/translator.ts';
import { useFixture } from './support/use-fixture.ts';
import { becomePerson, DESKTOP, enterWalk } from './support/walk.ts';
import { makePricedZone, openContent } from './support/wizard.ts';
import { furnish, type Market } from './support/world.ts';

const suite = useFixture();
/** One page for all people, because a new one starts a process. */
let page: Page;
let people: Record<Layer['of'] | 'both', Client>;
let market: Market;
const errors: string[] = [];

beforeAll(async () => {
  const { server } = suite.fixture;
  const [seller, buyer] = [await server.signIn('seller'), await server.signIn('buyer')];
  people = { seller, buyer, newcomer: buyer, both: await server.signIn('both') };
  market = await furnish(seller, buyer);
  page = await enterWalk(suite.fixture);
  await page.context().grantPermissions(['clipboard-read', 'clipboard-write']);
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

/** These change texts of the page, and nothing on the server. */
const SAFE =
  '[role=tab], summary, button[aria-expanded], button[aria-haspopup], button[aria-pressed], button:has-text("Copy"), button:has-text("Show as")';

/** Presses what is safe to press below `scope`, and closes what opens. */
async function pressAll(where: string, scope: Locator): Promise<void> {
  const controls = scope.locator(SAFE);
  const depth = await page.locator(LAYER).count();
  for (let at = 0; at < (await controls.count()); at++) {
    const control = controls.nth(at);
    if (!(await control.isVisible()) || (await control.isDisabled())) continue;
    const name = await control.textContent();
    await control.press('Enter');
    await expectWhole(`${where}, ${name}`);
    if ((await page.locator('[role=dialog], [role=menu]').count()) > depth) {
      await page.keyboard.press('Escape');
      await expectWhole(`${where}, ${name}, closed`);
    }
  }
}

// Proves FIELD-45
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

// Proves FIELD-46
it('a figure within a translated sentence changes with what it counts', async () => {
  const banner = { zoneType: 'banner', width: 728, height: 90 };
  const place = await makePricedZone(people.seller, { zone: banner });
  await becomePerson(page, suite.fixture, people.buyer);
  await resize(page, { width: 600, height: 900 });
  await openContent(page, place);
  const sentence = page.getByText(/^Shown at \d+% of 728x90$/);
  const before = await sentence.innerText();
  await resize(page, { width: 375, height: 900 });
  await expect.poll(async () => await sentence.innerText()).not.toBe(before);
  await expectWhole('a smaller preview');
  await resize(page, DESKTOP);
});

// Proves FIELD-45, FIELD-46
it('every screen of a visitor survives a translator, and shows no text of before', async () => {
  await becomePerson(page, suite.fixture, suite.fixture.server.anyone());
  for (const screen of PUBLIC_SCREENS) {
    await openScreen(page, screen);
    await expectWhole(screen.name);
    await pressAll(screen.name, page.locator('body'));
  }
});

// Proves FIELD-45, FIELD-46
it.each(['seller', 'buyer'] as const)(
  'every screen of a %s survives a translator, and shows no text of before',
  async (role) => {
    await becomePerson(page, suite.fixture, people[role]);
    for (const screen of screensOf(role, market)) {
      await walkToScreen(page, screen);
      await expectWhole(screen.name);
      await pressAll(screen.name, page.getByRole('main'));
    }
  },
);

/** The kind of person for whom the page was loaded last. */
let present: Layer['of'] | undefined;

// Proves FIELD-45, FIELD-46, FIELD-47
it.each(
  LAYERS.toSorted((one, other) => one.of.localeCompare(other.of)).map(
    (layer) => [layer.name, layer] as const,
  ),
)('this layer survives a translator, and shows no text of before: %s', async (name, layer) => {
  if (present !== layer.of) await becomePerson(page, suite.fixture, people[layer.of]);
  present = layer.of;
  await page.unrouteAll();
  if (layer.of === 'newcomer') await changeUser(page, { hasCompletedOnboarding: false });
  await resize(page, layer.narrow ? { width: 375, height: 900 } : DESKTOP);
  await walkToScreen(page, { name, path: pathOf(layer, market) });
  await layer.open(page, market);
  const shown = page.locator(LAYER).last();
  await shown.waitFor();
  await expectWhole(name);
  await pressAll(name, shown);
  await page.keyboard.press('Escape');
  await expectWhole(`${name}, closed`);
});
