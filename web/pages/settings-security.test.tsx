import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import {
  endOtherSessions,
  endSession,
  listSessions,
  logout,
  openSession,
  type OpenSession,
} from '#domain/accounts/contract.ts';
import { answerSettings, answerTabs, toastTitled } from '#web/testing/account.ts';
import { answer, broken } from '#web/testing/answers.ts';
import { answerNewAccount } from '#web/testing/new-account.ts';
import { person } from '#web/testing/people.ts';
import { sample } from '#web/testing/sample.ts';
import { openPage } from '#web/testing/screen.tsx';

const idOf = (number: number) => `00000000-0000-4000-8000-00000000000${number}`;
const own = sample(openSession, {
  id: idOf(1),
  device: 'Firefox on Windows',
  startedAt: '2026-01-15T23:30:00.000Z',
  isCurrent: true,
});
const phone = (number: number) =>
  sample(openSession, { id: idOf(number), device: 'Safari on iPhone', isCurrent: false });

/** Opens the Security tab of somebody with these sessions, which can be ended. */
async function openSecurity(given: OpenSession[]) {
  let sessions = given;
  answerTabs();
  answerSettings();
  answer(listSessions, () => sessions);
  const ended = answer(endSession, ({ params }) => {
    sessions = sessions.filter(({ id }) => id !== params.id);
    return { success: true as const };
  });
  const others = answer(endOtherSessions, () => {
    sessions = sessions.filter(({ isCurrent }) => isCurrent);
    return { success: true as const };
  });
  await openPage('/settings?tab=security', { as: person('both') });
  await expect.element(page.getByText('This session')).toBeVisible();
  return { ended, others };
}

const list = page.getByRole('group', { name: 'Active sessions' });
const rows = () => list.getByRole('listitem').elements();
const onPhones = page.getByRole('list', { name: 'Safari on iPhone' }).getByRole('listitem');
const everywhere = page.getByRole('button', { name: 'Sign out everywhere else' });
const dialog = page.getByRole('dialog');

// Proves ACCT-01
it('the Security tab lists the sessions by device, the newest three at first, and ends one of them, or after a confirmation all others', async () => {
  const { ended, others } = await openSecurity([phone(2), phone(3), own, phone(4)]);
  expect(rows()).toHaveLength(3);
  await page.getByRole('button', { name: 'Show all 4 sessions' }).click();
  await expect.element(list).toHaveFocus();
  expect(rows()).toHaveLength(4);
  expect(onPhones.elements()).toHaveLength(3);
  await onPhones
    .first()
    .getByRole('button', { name: /^Sign out/ })
    .click();
  await expect.element(toastTitled('Session Signed Out')).toBeVisible();
  await expect.poll(rows).toHaveLength(3);
  // The pressed button is gone, so the list has the focus.
  await expect.element(list).toHaveFocus();
  expect(ended.map(({ params }) => params.id)).toEqual([idOf(2)]);

  await everywhere.click();
  await dialog.getByRole('button', { name: 'Cancel' }).click();
  await expect.element(dialog).not.toBeInTheDocument();
  expect(others).toEqual([]);
  await everywhere.click();
  await dialog.getByRole('button', { name: 'Sign out' }).click();
  await expect.element(page.getByText("You're only signed in here.").first()).toBeVisible();
  await expect.poll(rows).toHaveLength(1);
  expect(others).toHaveLength(1);

  answerNewAccount();
  const left = answer(logout, { success: true });
  await page.getByRole('button', { name: 'Sign out', exact: true }).click();
  await expect.element(toastTitled('Logged out')).toBeVisible();
  expect(left).toHaveLength(1);
  await expect.poll(() => window.location.pathname).toBe('/');
});

// Proves ACCT-01
it('the Security tab says when a session cannot be ended', async () => {
  await openSecurity([own, phone(2)]);
  answer(endSession, broken);
  await page.getByRole('button', { name: /^Sign out .*signed in/ }).click();
  await expect.element(toastTitled('Session Not Signed Out')).toBeVisible();
});

// Proves ACCT-01
it('the Security tab says when the sessions cannot be loaded', async () => {
  answerTabs();
  answerSettings();
  answer(listSessions, broken);
  await openPage('/settings?tab=security', { as: person('both') });
  await expect.element(page.getByText('Could not load your sessions')).toBeVisible();
  answer(listSessions, [own]);
  await page.getByRole('button', { name: 'Try again' }).click();
  await expect.element(page.getByText('This session')).toBeVisible();
});

it('dates are shown in the timezone of the settings and change with it at once', async () => {
  await openSecurity([own]);
  for (const [choice, words] of [
    ['Tokyo', 'Signed in Jan 16, 2026, 8:30 AM GMT+9'],
    ['Pacific', 'Signed in Jan 15, 2026, 3:30 PM PST'],
    ['UTC', 'Signed in Jan 15, 2026, 11:30 PM UTC'],
  ] as const) {
    await page.getByRole('tab', { name: 'Profile' }).click();
    const timezone = page.getByLabelText('Timezone');
    await timezone.selectOptions(choice);
    await expect.poll(() => (timezone.element() as HTMLSelectElement).selectedOptions[0]?.text).toBe(choice);
    await expect.element(toastTitled('Settings Updated').first()).toBeVisible();
    await page.getByRole('tab', { name: 'Security' }).click();
    await expect.element(page.getByText(words)).toBeVisible();
  }
});

it('the initials are shown when the profile picture does not load', async () => {
  answerTabs();
  answerSettings();
  await openPage('/settings', { as: person('both', { profileImageUrl: '/avatars/gone.webp' }) });
  await expect.element(page.getByLabelText('First name')).toBeVisible();
  await expect.poll(() => document.querySelectorAll('img').length).toBe(0);
  await expect.element(page.getByRole('button', { name: /^Account/ })).toHaveTextContent('AB');
});
