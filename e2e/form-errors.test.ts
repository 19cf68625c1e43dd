/** A form with an invalid field: it shows the error at the field, keeps the input and moves the focus there. */
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { answer } from './support/people.ts';
import { useFixture } from './support/use-fixture.ts';
import { makePricedZone, openContent } from './support/wizard.ts';

const suite = useFixture();

/** Expects that the field has the focus and is marked invalid, and that its description contains `words`. */
async function expectFieldError(page: Page, label: string, words: string): Promise<void> {
  const field = page.getByLabel(label, { exact: true });
  await expect
    .poll(() => field.evaluate((element) => element === document.activeElement), { message: label })
    .toBe(true);
  expect({ label, invalid: await field.getAttribute('aria-invalid') }).toEqual({ label, invalid: 'true' });
  const description = await field.evaluate((element) =>
    (element.getAttribute('aria-describedby') ?? '')
      .split(' ')
      .map((id) => document.getElementById(id)?.textContent ?? '')
      .join(' '),
  );
  expect(`${label}: ${description}`).toContain(words);
}

const press = (page: Page, name: string) => page.getByRole('button', { name, exact: true }).last().click();

// Proves A11Y-08
it('the forms of an advertiser move the focus to the first invalid field, also to a missing image', async () => {
  const seller = await suite.client('seller');
  const pricedZone = await makePricedZone(seller, { product: { adType: 'image' } });
  const { page } = await suite.enter('buyer');
  await openContent(page, pricedZone);
  await page.getByLabel('Title', { exact: true }).fill('Fresh coffee');
  await press(page, 'Submit for Approval');
  await expectFieldError(page, 'Description', 'Description is required');
  await page.getByLabel('Description', { exact: true }).fill('Beans.');
  await page.getByLabel('Target URL', { exact: true }).fill('https://coffee.example/a');
  await press(page, 'Submit for Approval');
  const picture = page.getByLabel('Upload an image');
  await expect.poll(() => picture.evaluate((field) => field === document.activeElement)).toBe(true);
  expect(await picture.getAttribute('aria-invalid')).toBe('true');

  const text = await makePricedZone(seller);
  await openContent(page, text);
  await answer(page, '/api/ads', {
    status: 400,
    json: { message: 'No', issues: [{ path: 'targetUrl', message: 'This address leads nowhere' }] },
  });
  await press(page, 'Submit for Approval');
  await expectFieldError(page, 'Target URL', 'This address leads nowhere');
  expect(await page.getByLabel('Title', { exact: true }).inputValue()).toBe('Fresh coffee');
});
