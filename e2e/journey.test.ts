import { afterAll, beforeAll, expect, it } from 'vitest';
import { openStage, type Person, signUp, type Stage } from './support/stage.ts';

let stage: Stage;
let publisher: Person;

beforeAll(async () => {
  stage = await openStage();
  publisher = await stage.enter();
});
afterAll(async () => {
  await stage.close();
});

it('GEN-01 a publisher signs up with the mailed code and chooses to sell', async () => {
  await signUp(stage, publisher, {
    firstName: 'Pia',
    lastName: 'Page',
    email: 'pia@example.test',
    role: 'Sell Ad Space',
  });
  expect(await publisher.page.getByText('Welcome back, Pia!').isVisible()).toBe(true);
});

it('GEN-03 adds', async () => {
  const { page } = publisher;
  await page.goto('/ad-zones');
  await page.getByRole('button', { name: 'Add Your First Website' }).click();
  await page.getByLabel('Website name').fill('The Daily Slot');
  await page.getByLabel('URL').fill('https://daily.example');
  await page.getByLabel('Category').selectOption('Technology');
  await page.getByRole('button', { name: 'Add Website' }).click();
  await page.getByLabel('Ad zone name').fill('Sidebar');
  await page.getByLabel('Zone type').selectOption('rectangle');
  await page.getByRole('dialog').getByRole('button', { name: 'Create Ad Zone' }).click();
  await page.waitForTimeout(1500);
  await page.screenshot({ path: '/tmp/j1.png' });
});
