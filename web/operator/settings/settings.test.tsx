/** The page of settings: what it shows, one save of several changes, what it refuses, and the preview of the brand. */
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import {
  listMarketplaceSettings,
  saveSettings,
  type SettingReply,
  settingReply,
} from '#domain/operator/console/settings-contract.ts';
import { listOperatorRequests } from '#domain/operator/console/requests-contract.ts';
import { getConsoleNotices, getConsoleSession } from '#domain/operator/console/session-contract.ts';
import type { OperatorRole } from '#domain/operator/rights.ts';
import { answer, refused } from '#web/testing/answers.ts';
import { see } from '#web/testing/look.ts';
import { person } from '#web/testing/people.ts';
import { sample } from '#web/testing/sample.ts';
import { openPage } from '#web/testing/screen.tsx';

const made = (members: Partial<SettingReply>): SettingReply =>
  sample(settingReply, { value: null, fallback: null, source: 'default', version: '', help: '', ...members });
const LOGO = `${'a'.repeat(32)}-512x128.svg`;
const SETTINGS = [
  made({ name: 'MARKETPLACE_NAME', group: 'Brand', title: 'Name', value: 'Openslot', fallback: 'Openslot' }),
  made({ name: 'TAGLINE', group: 'Brand', title: 'Tagline', value: 'Ads', fallback: 'Ads' }),
  made({ name: 'LOGO', group: 'Brand', title: 'Logo', input: 'file' }),
  made({ name: 'ICON', group: 'Brand', title: 'Icon', input: 'file' }),
  made({ name: 'ACCENT', group: 'Brand', title: 'Accent', input: 'color' }),
  made({
    name: 'COMMISSION',
    group: 'Money',
    title: 'Commission',
    help: 'What you keep of each sale.',
    input: 'percent',
    value: '15',
    fallback: '15',
  }),
  made({
    name: 'PAYOUT_MINIMUM',
    group: 'Money',
    title: 'Smallest payout',
    input: 'amount',
    value: '40.00',
    fallback: '25.00',
    source: 'database',
    version: 'v1',
  }),
  made({
    name: 'CURRENCY',
    group: 'Money',
    title: 'Currency',
    input: 'choice',
    choices: ['USD', 'EUR'],
    value: 'USD',
    fallback: 'USD',
    source: 'environment',
  }),
  made({
    name: 'PUBLIC_CATALOGUE',
    group: 'Rules',
    title: 'Public catalogue',
    input: 'switch',
    value: 'on',
    fallback: 'on',
  }),
  made({
    name: 'CATEGORIES',
    group: 'Rules',
    title: 'Categories',
    input: 'lines',
    value: 'Technology, Food',
    fallback: 'Technology, Food',
  }),
];
/** The settings as the server has them after changes. */
const withValues = (values: Record<string, Partial<SettingReply>>): SettingReply[] =>
  SETTINGS.map((setting) => ({ ...setting, ...values[setting.name] }));

async function open(hash = '', settings = SETTINGS, role: OperatorRole = 'owner') {
  answer(getConsoleSession, sample(getConsoleSession.reply, { role, isProven: true, hasApp: true }));
  answer(getConsoleNotices, { alarms: [], more: 0, outbound: null, waiting: {} });
  answer(listMarketplaceSettings, { settings });
  await openPage(`/operator/settings${hash}`, { as: person('both', { isOperator: true }) });
  await see(page.getByRole('heading', { name: 'Settings', exact: true }));
}
const groups = () => page.getByRole('navigation', { name: 'Groups of settings' });
const bar = () => page.getByRole('region', { name: 'Save' });
const save = async () => await bar().getByRole('button', { name: 'Save', exact: true }).click();

it('saves the changes of several groups in one call, and undoes them as a new change', async () => {
  await open();
  await page.getByLabelText('Name', { exact: true }).fill('Slot Market');
  await groups().getByRole('link', { name: 'Money' }).click();
  await page.getByLabelText('Commission').fill('12,5');
  await see(page.getByText('A publisher receives $8.75 of $10.'));
  await page.getByRole('button', { name: 'Use the default: Smallest payout' }).click();
  await groups().getByRole('link', { name: 'Rules' }).click();
  await page.getByRole('switch', { name: 'Public catalogue' }).click();
  await page.getByLabelText('Categories').fill('Technology=Tech, Food');
  await see(bar().getByText('5 changes'));
  await bar().getByLabelText('Reason (optional)').fill('New house');

  const calls = answer(saveSettings, { said: 'Saved 5 changes.', next: null });
  const stored = (value: string) => ({ value, source: 'database' as const, version: 'v2' });
  answer(listMarketplaceSettings, {
    settings: withValues({
      MARKETPLACE_NAME: stored('Slot Market'),
      COMMISSION: stored('12.5'),
      PAYOUT_MINIMUM: { value: '25.00', source: 'default', version: '' },
      PUBLIC_CATALOGUE: stored('off'),
      CATEGORIES: stored('Tech, Food'),
    }),
  });
  await save();
  await see(bar().getByText('Saved 5 changes.'));
  expect(calls).toEqual([
    expect.objectContaining({
      body: {
        reason: 'New house',
        changes: [
          { name: 'MARKETPLACE_NAME', version: '', value: 'Slot Market' },
          { name: 'COMMISSION', version: '', value: '12.5' },
          { name: 'PAYOUT_MINIMUM', version: 'v1', value: null },
          { name: 'PUBLIC_CATALOGUE', version: '', value: 'off' },
          { name: 'CATEGORIES', version: '', value: 'Technology=Tech, Food' },
        ],
      },
    }),
  ]);
  await expect.element(page.getByRole('switch', { name: 'Public catalogue' })).not.toBeChecked();

  const undone = answer(saveSettings, { said: 'Saved 5 changes.', next: null });
  answer(listMarketplaceSettings, { settings: SETTINGS });
  await bar().getByRole('button', { name: 'Undo' }).click();
  await see(bar().getByText('Put back 5 changes.'));
  expect(undone[0]?.body).toEqual({
    reason: 'Undone',
    changes: [
      { name: 'MARKETPLACE_NAME', version: 'v2', value: null },
      { name: 'COMMISSION', version: 'v2', value: null },
      { name: 'PAYOUT_MINIMUM', version: '', value: '40.00' },
      { name: 'PUBLIC_CATALOGUE', version: 'v2', value: null },
      { name: 'CATEGORIES', version: 'v2', value: 'Tech=Technology, Food' },
    ],
  });
});

it('says at the field what is refused, keeps what was typed, and saves over another operator only when asked again', async () => {
  await open('#money');
  await page.getByLabelText('Commission').fill('10');
  await groups().getByRole('link', { name: 'Brand' }).click();
  await page.getByLabelText('Tagline').fill('The market');
  const sentence = 'Was changed while this page was open. It is “12” now. Check it, then save again.';
  answer(
    saveSettings,
    refused(409, `COMMISSION ${sentence}`, { issues: [{ path: 'COMMISSION', message: sentence }] }),
  );
  answer(listMarketplaceSettings, {
    settings: withValues({ COMMISSION: { value: '12', source: 'database', version: 'v3' } }),
  });
  await save();
  // In another group.
  await see(page.getByText(sentence));
  await expect.element(page.getByLabelText('Commission')).toHaveValue('10');
  await expect.element(page.getByLabelText('Commission')).toHaveFocus();
  await see(page.getByText('Was: 12'));
  const calls = answer(saveSettings, { said: 'Saved 2 changes.', next: null });
  await save();
  await expect.poll(() => calls.length).toBe(1);
  expect(calls[0]?.body.changes).toEqual([
    { name: 'TAGLINE', version: '', value: 'The market' },
    { name: 'COMMISSION', version: 'v3', value: '10' },
  ]);
});

it('leads to a field by its name, finds settings, and undoes one or all changes', async () => {
  await open('#PAYOUT_MINIMUM');
  await expect.element(page.getByLabelText('Smallest payout')).toHaveFocus();
  await page.getByLabelText('Smallest payout').fill('30');
  await page.getByLabelText('Search settings').fill('catalog');
  await page.getByRole('switch', { name: 'Public catalogue' }).click();
  await see(bar().getByText('2 changes'));
  await page.getByRole('button', { name: 'Undo: Public catalogue' }).click();
  await see(bar().getByText('1 change'));
  await page.getByLabelText('Search settings').fill('nothing of this');
  await page.getByRole('button', { name: 'Show all settings' }).click();
  await bar().getByRole('button', { name: 'Undo all' }).click();
  await expect.element(bar()).not.toBeInTheDocument();
  await expect.element(page.getByLabelText('Smallest payout')).toHaveValue('40.00');
});

it('shows the brand as it is typed, and offers a color near one that looks like errors', async () => {
  await open();
  const preview = page.getByRole('region', { name: 'Preview' });
  await page.getByLabelText('Name', { exact: true }).fill('Slot Market');
  await page.getByLabelText('Accent').fill('#b42318');
  await see(preview.getByText('Slot Market', { exact: true }).first());
  await see(page.getByText('#b42318 looks like the color of errors.', { exact: false }));
  await page.getByRole('button', { name: 'Use #b11d4e' }).click();
  await expect.element(page.getByLabelText('Accent')).toHaveValue('#b11d4e');
  const button = preview.getByText('Sign up').first().element();
  expect(getComputedStyle(button).backgroundColor).toBe('rgb(177, 29, 78)');

  const svg = '<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 4 1"><path d="M0 0h4v1z"/></svg>';
  await userEvent.upload(
    page.getByLabelText(/^Choose a file for the logo/),
    new File([svg], 'logo.svg', { type: 'image/svg+xml' }),
  );
  await see(page.getByRole('img', { name: 'Logo on dark ground' }));
  const calls = answer(saveSettings, { said: 'Saved 3 changes.', next: null });
  await save();
  await expect.poll(() => calls.length).toBe(1);
  expect(calls[0]?.body.changes).toContainEqual({ name: 'LOGO', version: '', value: btoa(svg) });
});

it('asks before a link leaves changes, and shows them again afterwards', async () => {
  answer(listOperatorRequests, { refundLimit: '500.00', requests: [] });
  await open('#TAGLINE');
  await page.getByLabelText('Tagline').fill('The market');
  await page.getByRole('link', { name: 'Requests' }).click();
  const dialog = page.getByRole('dialog', { name: 'Leave without saving?' });
  await see(dialog.getByText('1 change isn’t saved.', { exact: false }));
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  expect(window.location.pathname).toBe('/operator/settings');
  await page.getByRole('link', { name: 'Requests' }).click();
  await dialog.getByRole('button', { name: 'Leave' }).click();
  await see(page.getByRole('heading', { name: 'Requests', exact: true, level: 1 }));
  await page.getByRole('link', { name: 'Settings' }).click();
  await expect.element(page.getByLabelText('Tagline')).toHaveValue('The market');
  await see(bar().getByText('1 change'));
});

it('can’t be changed where the environment has the value', async () => {
  await open('#money');
  await expect.element(page.getByLabelText('Currency')).toBeDisabled();
  await see(page.getByText('Set in the environment of the server.', { exact: false }));
});

it('can be read without the right to change it', async () => {
  await open('', SETTINGS, 'support');
  await see(page.getByText('Only an owner can change settings.', { exact: false }));
  await expect.element(page.getByLabelText('Name', { exact: true })).toBeDisabled();
  await expect.element(page.getByText('Choose a file for the logo')).not.toBeInTheDocument();
});

it('shows a stored picture with the way back to the default', async () => {
  await open('#LOGO', withValues({ LOGO: { value: LOGO, source: 'database', version: 'v1' } }));
  expect(page.getByRole('img', { name: 'Logo on light ground' }).element()).toHaveProperty(
    'src',
    expect.stringMatching(new RegExp(`/brand/${LOGO}$`)),
  );
  await page.getByRole('button', { name: 'Use the default: Logo' }).click();
  const calls = answer(saveSettings, { said: 'Saved 1 change.', next: null });
  await save();
  await expect.poll(() => calls[0]?.body.changes).toEqual([{ name: 'LOGO', version: 'v1', value: null }]);
});
