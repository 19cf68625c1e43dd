/** The typed text of forms whose session ended. */
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { login, logout, type User } from '#domain/accounts/contract.ts';
import { createAd, getAdDetails, listPendingAds, rejectAd, resubmitAd } from '#domain/ads/contract.ts';
import { createWebsite, createZone } from '#domain/inventory/contract.ts';
import { answer, ended } from '#web/testing/answers.ts';
import { fillContent, see } from '#web/testing/look.ts';
import { makeAd, makeSubmission, makeWebsite, makeZone } from '#web/testing/market.ts';
import { answerNewAccount } from '#web/testing/new-account.ts';
import { person } from '#web/testing/people.ts';
import {
  answerAdZones,
  answerBuyerDashboard,
  answerWizard,
  contentPath,
  answerMyAds,
} from '#web/testing/screens.ts';
import { openPage } from '#web/testing/screen.tsx';

const user = person('both');
const button = (name: string) => page.getByRole('button', { name });
const dialog = () => page.getByRole('dialog').last();
const field = (label: string) => dialog().getByLabelText(label, { exact: false });
const title = () => page.getByLabelText('Title', { exact: true });
const address = () => window.location.pathname + window.location.search;
const drafts = () => Object.keys(sessionStorage).filter((key) => key.startsWith('draft:'));

/** Sends a form whose call finds no session, and signs in on the page to which that leads. */
async function loseSession(send: () => Promise<void>, as: User = user): Promise<void> {
  const back = address();
  await send();
  await expect.poll(address).toBe('/auth');
  answer(login, { user: as });
  await page.getByLabelText('Email', { exact: true }).fill(as.email);
  await page.getByLabelText('Password', { exact: true }).fill('a password');
  await page.getByRole('button', { name: 'Sign In', exact: true }).click();
  await expect.poll(address).toBe(back);
}

const submit = () => button('Submit for Approval').click();

it('the wizard keeps the typed text when the session ends, and can be submitted after signing in again', async () => {
  answerNewAccount();
  answerWizard();
  answer(createAd, ended);
  await openPage(contentPath(), { as: user });
  await fillContent({ Title: 'Typed before' });
  await loseSession(submit);
  await see(page.getByRole('heading', { name: 'Create Content' }));
  await expect.element(title()).toHaveValue('Typed before');
  answerBuyerDashboard();
  const calls = answer(createAd, makeAd());
  await submit();
  await expect.poll(address).toBe('/dashboard');
  expect(calls).toMatchObject([{ body: { title: 'Typed before' } }]);
  expect(drafts()).toEqual([]);
});

it('the forms of a website and an ad zone keep the typed text when the session ends, and Close clears it', async () => {
  answerNewAccount();
  answerAdZones({ websites: [makeWebsite()] });
  answer(createWebsite, ended);
  await openPage('/ad-zones', { as: user });
  await button('Add Website').click();
  await field('Website name').fill('Typed before');
  await field('URL').fill('https://typed.example');
  await field('Category').selectOptions('Sports');
  await loseSession(() => dialog().getByRole('button', { name: 'Add Website' }).click());
  await button('Add Website').click();
  await expect.element(field('Website name')).toHaveValue('Typed before');
  await expect.element(field('Category')).toHaveValue('Sports');
  await dialog().getByRole('button', { name: 'Close' }).click();
  expect(drafts()).toEqual([]);
  await button('Add Website').click();
  await expect.element(field('Website name')).toHaveValue('');
  await userEvent.keyboard('{Escape}');
  await expect.element(page.getByRole('dialog')).not.toBeInTheDocument();

  answer(createZone, ended);
  const create = () => dialog().getByRole('button', { name: 'Create Ad Zone' }).click();
  await button('Create Ad Zone').click();
  await dialog().getByLabelText('Website', { exact: true }).selectOptions('Gazette');
  await field('Ad zone name').fill('Typed zone');
  await field('Zone type').selectOptions('skyscraper');
  await loseSession(create);
  await button('Create Ad Zone').click();
  await expect.element(field('Ad zone name')).toHaveValue('Typed zone');
  await expect.element(field('Zone type')).toHaveValue('skyscraper');
  answer(createZone, makeZone({ name: 'Typed zone' }));
  await create();
  await see(page.getByRole('dialog', { name: 'Set Pricing' }));
  expect(drafts()).toEqual([]);
});

it('the reason of a rejection is kept when the session ends', async () => {
  const ad = makeSubmission({ title: 'Loud ad' });
  answerNewAccount();
  answer(listPendingAds, [ad]);
  answer(getAdDetails, ad);
  answer(rejectAd, ended);
  await openPage('/dashboard', { as: user });
  const rejection = page.getByRole('dialog', { name: 'Reject Ad' });
  const reason = rejection.getByLabelText('Reason for rejection');
  const reject = () => rejection.getByRole('button', { name: 'Reject Ad' }).click();
  const open = async () => {
    await page.getByRole('button', { name: /Loud ad/ }).click();
    await dialog().getByRole('button', { name: 'Reject Ad' }).click();
    await see(rejection);
  };
  await open();
  await reason.fill('Typed reason');
  await loseSession(reject);
  await open();
  await expect.element(reason).toHaveValue('Typed reason');
  answer(rejectAd, makeAd({ status: 'rejected' }));
  answer(listPendingAds, []);
  await reject();
  await see(page.getByText('No ads waiting for your approval'));
  expect(drafts()).toEqual([]);
});

it('the changes of a resubmission are kept when the session ends, and Cancel deletes them', async () => {
  const ad = makeAd({ title: 'Loud ad', status: 'rejected', rejectionReason: 'Too loud' });
  answerNewAccount();
  answerMyAds([ad]);
  answer(getAdDetails, makeSubmission({ title: 'Loud ad', status: 'rejected', rejectionReason: 'Too loud' }));
  answer(resubmitAd, ended);
  await openPage('/dashboard', { as: user });
  const edit = page.getByRole('dialog', { name: 'Edit & Resubmit' });
  const open = async () => {
    await page.getByRole('tab', { name: 'Buyer Dashboard' }).click();
    await page
      .getByRole('row')
      .filter({ hasText: 'Loud ad' })
      .getByRole('button', { name: 'Edit & Resubmit' })
      .click();
    await see(edit.getByLabelText('Title'));
  };
  await open();
  await edit.getByLabelText('Title').fill('Quiet ad');
  await loseSession(() => edit.getByRole('button', { name: 'Update & Resubmit' }).click());
  await open();
  await expect.element(edit.getByLabelText('Title')).toHaveValue('Quiet ad');
  await edit.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(edit).not.toBeInTheDocument();
  expect(drafts()).toEqual([]);
  await open();
  await expect.element(edit.getByLabelText('Title')).toHaveValue('Loud ad');
});

it('a draft is not shown to another user who signs in, and signing out deletes it', async () => {
  answerNewAccount();
  answerWizard();
  answer(createAd, ended);
  await openPage(contentPath(), { as: user });
  await fillContent({ Title: 'Not yours' });
  await loseSession(submit, person('buyer', { id: user.id + 1 }));
  await see(page.getByRole('heading', { name: 'Create Content' }));
  await expect.element(title()).toHaveValue('');
  expect(drafts()).toHaveLength(1);

  answer(logout, { success: true });
  await page.getByRole('button', { name: /^Account/ }).click();
  await page.getByRole('menuitem', { name: 'Log out' }).click();
  await expect.poll(address).toBe('/');
  expect(drafts()).toEqual([]);
});
