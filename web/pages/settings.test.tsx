import { afterEach, expect, it, vi } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import {
  changeRole,
  checkConfirmed,
  deleteAccount,
  exportData,
  forgotPassword,
  type Settings,
  updateProfile,
  updateSettings,
  type User,
} from '#domain/accounts/contract.ts';
import { requestPayout } from '#domain/payments/payout-contract.ts';
import { answer, refused, slow } from '#web/testing/answers.ts';
import { answerProfile, answerSettings, answerTabs, toastTitled } from '#web/testing/account.ts';
import { person } from '#web/testing/people.ts';
import { sample } from '#web/testing/sample.ts';
import { closeScreen, openPage } from '#web/testing/screen.tsx';

const both = person('both');

/** An amount of each kind that keeps an account from being deleted. */
const LEFT = ['campaign', 'earnings', 'dispute', 'refund'].map((kind, at) => ({
  kind,
  amount: `${at + 1}.00`,
  currency: 'USD',
}));

/** Opens a tab of Settings. Returns the calls that change the settings. */
async function openSettings(
  tab: string,
  { settings, user = both }: { settings?: Partial<Settings>; user?: User } = {},
) {
  answerTabs();
  const changes = answerSettings(settings);
  await openPage(`/settings?tab=${tab}`, { as: user });
  await expect.element(page.getByRole('tabpanel')).toBeVisible();
  return changes;
}

afterEach(() => {
  vi.restoreAllMocks();
});

const field = (label: string) => page.getByLabelText(label, { exact: true });

const optionsOf = (label: string) =>
  [...(field(label).element() as HTMLSelectElement).options].map(({ text }) => text);

const chosenIn = (label: string) => (field(label).element() as HTMLSelectElement).selectedOptions[0]?.text;

// Proves SET-01
it('Settings has seven tabs; the arrow keys, Home and End select them, and the Tab key goes to the panel of the selected one', async () => {
  await openSettings('profile');
  await expect.element(field('First name')).toBeVisible();
  expect(
    page
      .getByRole('tab')
      .elements()
      .map(({ textContent }) => textContent),
  ).toEqual(['Profile', 'Business', 'Notifications', 'Billing', 'Members', 'Security', 'Privacy']);
  const focused = () => [document.activeElement?.getAttribute('role'), document.activeElement?.textContent];
  page.getByRole('tab', { name: 'Profile' }).element().focus();
  for (const [key, name] of [
    ['ArrowRight', 'Business'],
    ['ArrowRight', 'Notifications'],
    ['ArrowLeft', 'Business'],
    ['End', 'Privacy'],
    ['ArrowRight', 'Profile'],
    ['ArrowLeft', 'Privacy'],
    ['Home', 'Profile'],
    ['ArrowRight', 'Business'],
  ] as const) {
    await userEvent.keyboard(`{${key}}`);
    // The tabs move the focus in a task of its own after the key.
    await expect.poll(focused).toEqual(['tab', name]);
    await expect.element(page.getByRole('tab', { name, selected: true })).toBeVisible();
    await expect.element(page.getByRole('tabpanel', { name })).toBeVisible();
  }
  expect(page.getByRole('tabpanel').elements()).toHaveLength(1);
  await userEvent.keyboard('{Tab}');
  expect(focused()[0]).toBe('tabpanel');
  await userEvent.keyboard('{Shift>}{Tab}{/Shift}');
  expect(focused()).toEqual(['tab', 'Business']);
});

// Proves SET-12, ERR-71
it('a profile field is saved when the user leaves it, only if it changed and is valid', async () => {
  await openSettings('profile');
  const { profile } = answerProfile(both);
  await field('First name').fill(' ');
  await field('Email').fill('abc');
  await field('Last name').click();
  await expect.element(page.getByText('First name is required')).toBeVisible();
  await expect.element(page.getByText('Please enter a valid email address')).toBeVisible();
  await field('First name').fill('Ann');
  await field('Email').fill(both.email);
  await field('First name').click();
  await field('Last name').fill('Bellamy');
  await field('First name').click();
  await expect.element(toastTitled('Profile Updated')).toBeVisible();
  expect(profile.map(({ body }) => body)).toEqual([{ lastName: 'Bellamy' }]);
  await expect.element(field('Last name')).toHaveValue('Bellamy');
});

it('Enter saves a field of the billing details, and a wrong one is refused', async () => {
  const changes = await openSettings('billing');
  const details = page.getByRole('region', { name: 'Billing details' });
  await details.getByLabelText('Tax ID').fill('DE 42');
  await userEvent.keyboard('{Enter}');
  await expect.element(details.getByText('Saved', { exact: true })).toBeVisible();
  await expect
    .element(details.getByText(/on new receipts, credit notes, commission notes and statements/))
    .toBeVisible();
  await expect.element(details.getByLabelText('Tax ID')).toHaveValue('DE 42');
  await details.getByLabelText('Country').selectOptions('Germany');
  await expect.poll(() => changes).toHaveLength(2);
  await details.getByLabelText('Address').fill('x'.repeat(501));
  await details.getByLabelText('Tax ID').click();
  await expect.element(details.getByText(/500/)).toBeVisible();
  await details.getByLabelText('Address').fill('Hauptstraße 5\n50667 Köln');
  await details.getByLabelText('Tax ID').click();
  await expect.poll(() => changes).toHaveLength(3);
  expect(changes.map(({ body }) => body)).toEqual([
    { taxId: 'DE 42' },
    { country: 'DE' },
    { address: 'Hauptstraße 5\n50667 Köln' },
  ]);
});

it('the same e-mail address in capitals is no change', async () => {
  await openSettings('profile');
  const { profile } = answerProfile(both);
  await field('Email').fill(both.email.toUpperCase());
  await userEvent.keyboard('{Enter}');
  await expect.element(field('Email')).toHaveValue(both.email);
  expect(profile).toEqual([]);
  expect(page.getByText('Saved', { exact: true }).elements()).toEqual([]);
});

// Proves SET-07, ENT-03, ERR-71
it('the role is one of three, is saved on change, and changes the navigation', async () => {
  await openSettings('profile');
  const { role } = answerProfile(both);
  await expect.element(field('Role')).toBeVisible();
  expect(optionsOf('Role')).toEqual(['Ad Buyer', 'Ad Seller / Publisher', 'Both']);
  const links = () =>
    page
      .getByRole('navigation', { name: 'Main' })
      .getByRole('link')
      .elements()
      .map(({ textContent }) => textContent);
  for (const [choice, expected] of [
    ['Ad Buyer', ['Marketplace', 'Dashboard', 'Create Ad', 'Demo']],
    ['Ad Seller / Publisher', ['Dashboard', 'Ad Zones', 'Demo']],
    ['Both', ['Marketplace', 'Dashboard', 'Create Ad', 'Ad Zones', 'Demo']],
  ] as const) {
    await field('Role').selectOptions(choice);
    await expect.poll(links).toEqual(expected);
    await expect.element(toastTitled('Role Updated').first()).toBeVisible();
    expect(chosenIn('Role')).toBe(choice);
  }
  expect(role.map(({ body }) => body.role)).toEqual(['buyer', 'seller', 'both']);
});

// Proves SET-17, SET-18, ERR-71
it('timezone and currency offer the listed options, and are saved on change', async () => {
  const changes = await openSettings('profile');
  await expect.element(field('Timezone')).toBeVisible();
  expect(optionsOf('Timezone')).toEqual([
    'UTC',
    'Eastern',
    'Central',
    'Mountain',
    'Pacific',
    'London',
    'Paris',
    'Tokyo',
  ]);
  expect(optionsOf('Currency')).toEqual(['USD', 'EUR', 'GBP', 'CAD', 'AUD']);
  await field('Timezone').selectOptions('Paris');
  await expect.element(toastTitled('Settings Updated').first()).toBeVisible();
  await field('Currency').selectOptions('GBP');
  await expect.poll(() => chosenIn('Currency')).toBe('GBP');
  expect(chosenIn('Timezone')).toBe('Paris');
  expect(changes.map(({ body }) => body)).toEqual([{ timezone: 'Europe/Paris' }, { currency: 'GBP' }]);
});

// Proves SET-17
it('the timezone that the browser gave at the sign-up is a choice, too', async () => {
  await openSettings('profile', { settings: { timezone: 'America/Argentina/Buenos_Aires' } });
  await expect.element(field('Timezone')).toBeVisible();
  expect(optionsOf('Timezone')).toHaveLength(9);
  expect(optionsOf('Timezone').at(-1)).toBe('America/Argentina/Buenos Aires');
  expect(chosenIn('Timezone')).toBe('America/Argentina/Buenos Aires');
});

// Proves SET-14, ERR-71
it('a business field is saved when the user leaves it', async () => {
  const changes = await openSettings('business');
  await field('Business name').fill('Bell Ltd');
  await field('Website').click();
  await expect.element(toastTitled('Settings Updated')).toBeVisible();
  expect(changes.map(({ body }) => body)).toEqual([{ businessName: 'Bell Ltd' }]);
});

// Proves SET-15
it('the notification switches show the settings, and are saved on change', async () => {
  const changes = await openSettings('notifications');
  const switchTo = (name: string) => page.getByRole('switch', { name });
  for (const name of ['Email notifications', 'Campaign updates', 'Payment alerts'])
    await expect.element(switchTo(name)).toBeChecked();
  await expect.element(switchTo('Marketing emails')).not.toBeChecked();
  await switchTo('Marketing emails').click();
  await expect.element(switchTo('Marketing emails')).toBeChecked();
  await expect.poll(() => changes.map(({ body }) => body)).toEqual([{ marketingEmails: true }]);
});

// Proves SET-08
it('the Billing tab shows payout settings only to publishers', async () => {
  for (const [role, count] of [
    ['buyer', 0],
    ['seller', 1],
    ['both', 1],
  ] as const) {
    await openSettings('billing', { user: person(role) });
    await expect.element(page.getByRole('heading', { name: 'Billing', exact: true })).toBeVisible();
    expect(page.getByRole('heading', { name: 'Payout Settings' }).elements()).toHaveLength(count);
    closeScreen();
  }
});

// Proves SET-09
it('the link to the billing portal opens it in a new tab', async () => {
  await openSettings('billing');
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  answer(checkConfirmed, sample(checkConfirmed.reply));
  const link = page.getByRole('link', { name: 'Open billing portal' });
  await expect.element(link).toHaveAttribute('href', '/api/billing/portal');
  await link.click();
  await expect
    .poll(() => open.mock.calls)
    .toEqual([['/api/billing/portal', '_blank', 'noopener,noreferrer']]);
});

// Proves SET-10, ERR-70
it('the data export is a JSON file with the date in its name', async () => {
  await openSettings('privacy');
  const button = page.getByRole('button', { name: 'Export Data' });
  answer(exportData, refused(500, 'M1'));
  await button.click();
  await expect.element(toastTitled('Export Failed').getByText('M1')).toBeVisible();

  const names: string[] = [];
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(function (this: HTMLAnchorElement) {
    names.push(this.download);
  });
  const made = vi.spyOn(URL, 'createObjectURL');
  answer(exportData, sample(exportData.reply, { profile: both }));
  await button.click();
  await expect.element(toastTitled('Data Exported')).toBeVisible();
  expect(names).toEqual([`user-data-${new Date().toISOString().slice(0, 10)}.json`]);
  const data = JSON.parse(await new Response(made.mock.lastCall?.[0] as Blob).text()) as {
    profile: { email: string };
  };
  expect(data.profile.email).toBe(both.email);
});

// Proves ERR-68
it('a failed change shows the server’s error message and is not shown as saved', async () => {
  await openSettings('profile');
  answer(updateProfile, refused(400, 'M1'));
  answer(changeRole, refused(400, 'M1'));
  answer(updateSettings, refused(400, 'M1'));
  await field('First name').fill('Anna');
  await field('Last name').click();
  await expect.element(toastTitled('Update Failed').getByText('M1')).toBeVisible();
  await expect.element(page.getByText('Not saved. Please try again.')).toBeVisible();
  await field('Role').selectOptions('Ad Buyer');
  await expect.poll(() => toastTitled('Update Failed').elements()).toHaveLength(2);
  await expect.element(field('Role')).toHaveValue('both');

  await page.getByRole('tab', { name: 'Notifications' }).click();
  const updates = page.getByRole('switch', { name: 'Campaign updates' });
  await updates.click();
  await expect.poll(() => toastTitled('Update Failed').elements()).toHaveLength(3);
  await expect.element(updates).toBeChecked();
});

// Proves SET-11, ERR-69, GONE-01
it('the account is deleted only after a confirmation, and a refusal lists the amounts that are left', async () => {
  await openSettings('privacy');
  const deletions = answer(deleteAccount, refused(409, 'M1'));
  const dialog = page.getByRole('dialog');
  const remove = async () => {
    await page.getByRole('button', { name: 'Delete Account' }).click();
    await dialog.getByRole('button', { name: 'Delete Account' }).click();
  };
  await page.getByRole('button', { name: 'Delete Account' }).click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(deletions).toEqual([]);

  await remove();
  await expect.element(toastTitled('Deletion Failed').getByText('M1')).toBeVisible();
  expect(deletions).toHaveLength(1);

  answer(deleteAccount, refused(409, 'M2', { left: LEFT }));
  await remove();
  const before = page.getByRole('status', { name: 'Before you can delete your account' });
  for (const amount of ['$1.00', '$2.00', '$3.00', '$4.00'])
    await expect.element(before.getByText(amount)).toBeVisible();
  answer(requestPayout, refused(409, 'Your payout account isn’t ready', { reason: 'not_onboarded' }));
  await before.getByRole('button', { name: 'Pay out available earnings' }).click();
  await expect.element(before.getByText('Your payout account isn’t ready')).toBeVisible();
});

// Proves GONE-06, GONE-07
it.each([
  { kind: 'earnings', verb: 'Give up $170.00', confirmed: { waive: '170.00' } },
  { kind: 'debt', verb: 'Keep owing $170.00', confirmed: { owing: '170.00' } },
])('a publisher whose $kind can’t be settled confirms the amount', async ({ kind, verb, confirmed }) => {
  await openSettings('privacy');
  const left = [{ kind, amount: '170.00', currency: 'USD' }];
  const deletions = answer(deleteAccount, refused(409, 'M1', { left }));
  await page.getByRole('button', { name: 'Delete Account' }).click();
  await page.getByRole('dialog').getByRole('button', { name: 'Delete Account' }).click();
  const confirm = page
    .getByRole('status', { name: 'Before you can delete your account' })
    .getByRole('button', { name: verb });
  await confirm.click();
  const dialog = page.getByRole('dialog', { name: `${verb} and delete your account?` });
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(deletions).toHaveLength(1);
  await confirm.click();
  await dialog.getByRole('button', { name: `${verb} and delete` }).click();
  await expect.poll(() => deletions.map(({ query }) => query)).toEqual([{}, confirmed]);
});

// Proves BOOK-231
it.each<{ settings: Partial<Settings>; asked: string[] }>([
  { settings: { isReportAsked: false }, asked: [] },
  { settings: { isReportAsked: true, taxStatus: 'private' }, asked: ['Date of birth'] },
  { settings: { isReportAsked: true, taxStatus: 'business' }, asked: ['Registration number'] },
])('a publisher with $settings is asked for $asked', async ({ settings, asked }) => {
  await openSettings('billing', { settings, user: person('seller') });
  const card = page.getByRole('region', { name: 'Tax status' });
  await expect.element(card.getByLabelText('You are a')).toBeVisible();
  const shown = ['Date of birth', 'Registration number'].filter(
    (label) => card.getByLabelText(label).elements().length > 0,
  );
  expect(shown).toEqual(asked);
});

// Proves BOOK-231
it('a publisher saves a date of birth', async () => {
  const changes = await openSettings('billing', {
    settings: { isReportAsked: true },
    user: person('seller'),
  });
  await field('Date of birth').fill('1990-12-31');
  await userEvent.keyboard('{Enter}');
  await expect.poll(() => changes.map(({ body }) => body)).toEqual([{ birthDate: '1990-12-31' }]);
});

it('a publisher states the tax status and agrees to self-billing; a refusal is said and keeps the stored value', async () => {
  const settings = { isSelfBillingOffered: true };
  const changes = await openSettings('billing', { settings, user: person('seller') });
  const card = page.getByRole('region', { name: 'Tax status' });
  await expect.element(card.getByText(/ask a tax adviser/)).toBeVisible();
  const agree = card.getByRole('switch', { name: 'I agree to self-billing' });
  await card.getByLabelText('You are a').selectOptions('Business');
  await expect.poll(() => changes.map(({ body }) => body)).toEqual([{ taxStatus: 'business' }]);

  const reason = 'For self-billing, keep your country and address in your billing details.';
  answer(updateSettings, refused(400, reason));
  (agree.element() as HTMLElement).focus();
  await userEvent.keyboard(' ');
  await expect.element(toastTitled('Update Failed').getByText(reason)).toBeVisible();
  await expect.element(agree).not.toBeChecked();

  const agreed = answerSettings({ ...settings, taxStatus: 'business' });
  await userEvent.keyboard(' ');
  await expect.element(agree).toBeChecked();
  expect(agreed.map(({ body }) => body)).toEqual([{ agreesToSelfBilling: true }]);
});

it('an advertiser has no tax status of a publisher', async () => {
  await openSettings('billing', { user: person('buyer') });
  await expect.element(page.getByRole('region', { name: 'Billing details' })).toBeVisible();
  await expect.element(page.getByRole('region', { name: 'Tax status' })).not.toBeInTheDocument();
});

// Proves STATE-23
it('a double click requests a reset code, an export and an account deletion only once', async () => {
  await openSettings('security');
  const button = (name: string) => page.getByRole('button', { name, exact: true });
  const code = slow({ success: true as const });
  const codes = answer(forgotPassword, code.answer);
  await button('Send reset code').dblClick();
  await expect.element(button('Send reset code')).toBeDisabled();
  code.release();
  await expect.element(page.getByLabelText('Reset code')).toBeVisible();
  expect(codes).toHaveLength(1);

  await page.getByRole('tab', { name: 'Privacy' }).click();
  vi.spyOn(HTMLAnchorElement.prototype, 'click').mockImplementation(() => {});
  const data = slow(sample(exportData.reply, { profile: both }));
  const exports = answer(exportData, data.answer);
  await button('Export Data').dblClick();
  await expect.element(button('Export Data')).toBeDisabled();
  data.release();
  await expect.element(toastTitled('Data Exported')).toBeVisible();
  expect(exports).toHaveLength(1);

  await button('Delete Account').click();
  const confirm = page.getByRole('dialog').getByRole('button', { name: 'Delete Account' });
  const gone = slow({ success: true as const });
  const deletions = answer(deleteAccount, gone.answer);
  await confirm.dblClick();
  await expect.element(confirm).toBeDisabled();
  expect(deletions).toHaveLength(1);
});
