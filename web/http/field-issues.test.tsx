/** A form with an invalid field: it shows the error at the field, keeps the input and moves the focus there. */
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { createAd } from '#domain/ads/contract.ts';
import {
  adZone,
  createWebsite,
  createZone,
  listMyWebsites,
  listProducts,
  listZones,
  previewWebsite,
  website,
} from '#domain/inventory/contract.ts';
import { getPriceSuggestion } from '#domain/inventory/my-zones-contract.ts';
import { answer, broken, refused } from '#web/testing/answers.ts';
import { fillContent } from '#web/testing/look.ts';
import { makeOffered, makeProduct } from '#web/testing/market.ts';
import { answerNewAccount } from '#web/testing/new-account.ts';
import { person } from '#web/testing/people.ts';
import { sample } from '#web/testing/sample.ts';
import { answerWizard, contentPath } from '#web/testing/screens.ts';
import { openPage } from '#web/testing/screen.tsx';

const field = (label: string) => page.getByLabelText(label, { exact: true });
const press = async (name: string) => await page.getByRole('button', { name, exact: true }).last().click();

/** Expects that the field has the focus, is marked invalid, and has these words in its description. */
async function expectFieldError(label: string, words: string): Promise<void> {
  await expect.element(field(label)).toHaveFocus();
  await expect.element(field(label)).toBeInvalid();
  await expect.element(field(label)).toHaveAccessibleDescription(expect.stringContaining(words));
}

const site = sample(website, {
  id: 1,
  publicId: '00000000-0000-4000-8000-000000000001',
  name: 'The Daily Slot',
  url: 'https://daily.example/',
  isActive: true,
});
const zone = sample(adZone, {
  id: 11,
  publicId: '00000000-0000-4000-8000-000000000011',
  websiteId: 1,
  name: 'Sidebar',
  isActive: true,
  liveAds: 0,
});

it('the forms of a publisher move the focus to the first invalid field, also when the server finds the error', async () => {
  answerNewAccount();
  answer(previewWebsite, broken);
  answer(getPriceSuggestion, broken);
  answer(listZones, []);
  answer(listProducts, []);
  await openPage('/ad-zones', { as: person('seller') });
  await press('Add Your First Website');
  await field('Website name').fill('The Daily Slot');
  await press('Add Website');
  await expectFieldError('URL', '');
  await field('URL').fill('https://daily.example');
  await field('Category').selectOptions('Technology');
  const issues = [{ path: 'url', message: 'This address is listed already' }];
  answer(createWebsite, refused(400, 'Taken', { issues }));
  await press('Add Website');
  await expectFieldError('URL', 'This address is listed already');
  await expect.element(field('Website name')).toHaveValue('The Daily Slot');
  answer(createWebsite, site);
  answer(listMyWebsites, [site]);
  await userEvent.keyboard('{End}');
  await press('Add Website');

  await expect.element(page.getByRole('dialog', { name: 'Create Ad Zone' })).toBeVisible();
  await field('Ad zone name').fill('');
  await press('Create Ad Zone');
  await expectFieldError('Ad zone name', '');
  await field('Ad zone name').fill('Sidebar');
  answer(createZone, refused(400, 'No', { issues: [{ path: 'name', message: 'This name is taken' }] }));
  await press('Create Ad Zone');
  await expectFieldError('Ad zone name', 'This name is taken');
  answer(createZone, zone);
  answer(listZones, [zone]);
  await press('Create Ad Zone');
  await expect.element(page.getByRole('dialog', { name: 'Set Pricing' })).toBeVisible();
  await field('Price (USD)').fill('free');
  await press('Save Pricing');
  await expectFieldError('Price (USD)', '');
});

it('the form of an ad moves the focus to the first invalid field, also to a missing image', async () => {
  answerWizard({
    websites: [makeOffered({ adTypes: ['image'] })],
    products: [makeProduct({ adType: 'image' })],
  });
  await openPage(contentPath('image'), { as: person('buyer') });
  await field('Title').fill('Fresh coffee');
  await press('Submit for Approval');
  await expectFieldError('Description', 'Description is required');
  await field('Description').fill('Beans.');
  await field('Target URL').fill('https://coffee.example/a');
  await press('Submit for Approval');
  const picture = page.getByLabelText('Upload an image', { exact: false });
  await expect.element(picture).toHaveFocus();
  await expect.element(picture).toBeInvalid();
});

it('the form of an ad moves the focus to the field that the server refuses, and keeps the rest', async () => {
  answerWizard();
  await openPage(contentPath(), { as: person('buyer') });
  await fillContent({ Title: 'Fresh coffee' });
  answer(
    createAd,
    refused(400, 'No', { issues: [{ path: 'targetUrl', message: 'This address leads nowhere' }] }),
  );
  await press('Submit for Approval');
  await expectFieldError('Target URL', 'This address leads nowhere');
  await expect.element(field('Title')).toHaveValue('Fresh coffee');
});
