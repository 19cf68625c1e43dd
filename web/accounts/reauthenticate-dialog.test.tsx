import { expect, it, onTestFinished, vi } from 'vitest';
import { page } from 'vitest/browser';
import {
  changePassword,
  checkConfirmed,
  deleteAccount,
  reauthenticate,
  updateProfile,
} from '#domain/accounts/contract.ts';
import { REAUTHENTICATE } from '#domain/endpoint.ts';
import { answerSettings, answerTabs, toastTitled } from '#web/testing/account.ts';
import { answer, refused } from '#web/testing/answers.ts';
import { person } from '#web/testing/people.ts';
import { openPage } from '#web/testing/screen.tsx';

const user = person('both');
const old = refused(403, 'Enter your password again.', { code: REAUTHENTICATE });
const dialog = page.getByRole('dialog', { name: 'Enter your password again' });
const password = dialog.getByLabelText('Your password', { exact: true });
const field = (label: string) => page.getByLabelText(label, { exact: true });

async function openSettings(tab: string): Promise<void> {
  answerTabs();
  answerSettings();
  await openPage(`/settings?tab=${tab}`, { as: user });
}

/** Lets the server confirm the session by the right password. From then on, it is a recent one. */
function answerPassword() {
  const state = { isRecent: false };
  const asked = answer(reauthenticate, ({ body }) => {
    state.isRecent = body.password === 'the right one';
    return state.isRecent ? { success: true as const } : refused(403, 'This password is wrong.');
  });
  return { state, asked };
}

// Proves SEC-07
it('an older session is asked for the password, and then the change goes on', async () => {
  await openSettings('profile');
  const { state } = answerPassword();
  const changes = answer(updateProfile, ({ body }) => (state.isRecent ? { ...user, ...body } : old));
  await field('Last name').fill('Moved');
  await field('First name').click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(toastTitled('Update Failed').getByText(/^Enter your password again/)).toBeVisible();
  expect(changes).toHaveLength(1);

  await field('Last name').click();
  await field('First name').click();
  await password.fill('wrong');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect.element(dialog.getByRole('alert')).toMatchTextContent(/This password is wrong/);
  await password.fill('the right one');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect.element(toastTitled('Profile Updated')).toBeVisible();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(changes.map(({ body }) => body.lastName)).toEqual(['Moved', 'Moved', 'Moved']);
});

// Proves SEC-07, PAYO-09
it('an older session is asked for the password, and then the billing portal opens in a new tab', async () => {
  await openSettings('billing');
  const { state } = answerPassword();
  answer(checkConfirmed, () => (state.isRecent ? { success: true as const } : old));
  const open = vi.spyOn(window, 'open').mockReturnValue(null);
  onTestFinished(() => open.mockRestore());
  await page.getByRole('link', { name: 'Open billing portal' }).click();
  await password.fill('the right one');
  expect(open).not.toHaveBeenCalled();
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect.poll(() => open.mock.calls[0]?.slice(0, 2)).toEqual(['/api/billing/portal', '_blank']);
});

// Proves SEC-07
it('an older session is asked for the password before the account is deleted', async () => {
  await openSettings('privacy');
  const { state, asked } = answerPassword();
  const deletions = answer(deleteAccount, () => (state.isRecent ? refused(409, 'M1') : old));
  await page.getByRole('button', { name: 'Delete Account' }).click();
  await page
    .getByRole('dialog', { name: 'Delete your account?' })
    .getByRole('button', { name: 'Delete Account' })
    .click();
  await password.fill('the right one');
  await dialog.getByRole('button', { name: 'Confirm' }).click();
  await expect.element(toastTitled('Deletion Failed').getByText('M1')).toBeVisible();
  expect(asked).toHaveLength(1);
  expect(deletions).toHaveLength(2);
});

it('a new password is confirmed by a second field before it is changed', async () => {
  await openSettings('security');
  const changed = answer(changePassword, { success: true });
  await field('Current password').fill('the right one');
  await field('New password').fill('another horse battery');
  await field('Confirm password').fill('something else');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect.element(page.getByText("Passwords don't match")).toBeVisible();
  expect(changed).toEqual([]);
  await field('Confirm password').fill('another horse battery');
  await page.getByRole('button', { name: 'Change password' }).click();
  await expect.element(toastTitled('Password Changed')).toBeVisible();
  expect(changed.map(({ body }) => body)).toEqual([
    { currentPassword: 'the right one', newPassword: 'another horse battery' },
  ]);
  await expect.element(field('New password')).toHaveValue('');
});
