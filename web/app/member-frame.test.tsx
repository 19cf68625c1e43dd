/** People who act for an account of others: what each role may use, and what the pages say about the rest. */
import { expect, it } from 'vitest';
import { page, userEvent } from 'vitest/browser';
import { MEMBER_ROLE_NAMES, MEMBER_ROLES, rightsOf, type MemberRole } from '#domain/accounts/members.ts';
import { inviteMember, joinAccount, listMembers, readInvitation } from '#domain/accounts/members-contract.ts';
import { approveAd, getAdDetails } from '#domain/ads/contract.ts';
import { answerSettings, answerTabs } from '#web/testing/account.ts';
import { answer, broken, refused } from '#web/testing/answers.ts';
import { press, saying, see, seeToast } from '#web/testing/look.ts';
import { makeAd, makeSubmission, makeWebsite, makeZone } from '#web/testing/market.ts';
import { answerNewAccount } from '#web/testing/new-account.ts';
import { person } from '#web/testing/people.ts';
import { answerAdZones, answerSellerDashboard } from '#web/testing/screens.ts';
import { closeScreen, openPage } from '#web/testing/screen.tsx';

const member = (role: MemberRole) =>
  person('both', {
    membership: { role, rights: rightsOf(role), account: 'Olga Owner', person: 'Ann Bell' },
  });

const CLOSED: Record<MemberRole, readonly string[]> = {
  owner: [],
  editor: ['/billing', '/earnings', '/settings', '/checkout/x'],
  billing: ['/dashboard', '/ad-zones', '/marketplace', '/create-ad', '/plans', '/plans/new', '/campaigns/x'],
  read: ['/billing', '/earnings', '/settings', '/create-ad', '/plans/new', '/checkout/x'],
};

it.each(MEMBER_ROLES)(
  'a bar names the account and the role %s, and each page of other roles explains itself and asks for nothing',
  async (role) => {
    for (const path of ['/nope', ...CLOSED[role]]) {
      // A call of the page would have no answer, and fail the test.
      await openPage(path, { as: member(role) });
      const bar = page.getByRole('region', { name: 'For whom you act' });
      await see(saying(`You act for Olga Owner as ${MEMBER_ROLE_NAMES[role]}`, bar));
      await see(
        page.getByRole('heading', {
          level: 1,
          name: path === '/nope' ? 'Page Not Found' : 'Your role doesn’t let you use this page',
        }),
      );
      await expect
        .poll(() => document.title)
        .toBe(path === '/nope' ? 'Page Not Found' : 'Your role doesn’t let you use this page · Openslot');
      closeScreen();
    }
  },
);

it('a member who may change nothing is told so at the buttons that change something', async () => {
  answerNewAccount();
  answerSellerDashboard([makeSubmission()]);
  answer(getAdDetails, makeSubmission());
  const calls = answer(approveAd, makeAd());
  await openPage('/dashboard', { as: member('read') });
  await page.getByRole('button', { name: /Fresh coffee/ }).click();
  const approve = page.getByRole('button', { name: 'Approve Ad' });
  await expect.element(approve).toHaveAttribute('aria-disabled', 'true');
  await press(approve);
  await seeToast('Your role, Read only, doesn’t let you change anything. Ask an owner of the account.');
  expect(calls).toEqual([]);
  closeScreen();

  answerAdZones({ websites: [makeWebsite()], zones: [makeZone()] });
  await openPage('/ad-zones', { as: member('read') });
  await see(page.getByRole('article', { name: 'Sidebar' }));
  expect(page.getByRole('button', { name: 'Add Website' }).elements()).toEqual([]);
});

it('a link of an invitation that is incomplete, used, or of another address says so', async () => {
  answerNewAccount();
  await openPage('/join', { as: person('both') });
  await see(saying('This link is incomplete.'));
  closeScreen();
  const link = `/join?token=${'x'.repeat(22)}`;
  const gone = 'This invitation no longer works. Ask the person who invited you for a new one.';
  answer(readInvitation, refused(404, gone));
  await openPage(link, { as: person('both') });
  await see(saying(gone));
  expect(page.getByRole('button', { name: 'Join' }).elements()).toEqual([]);
  closeScreen();
  answerNewAccount();
  answer(readInvitation, { name: 'Ada Archer', role: 'read' });
  await openPage(link, { as: person('both') });
  await see(saying('Ada Archer'));
  await see(saying('invites you as Read only'));
  // It was withdrawn, or the person signed in as somebody else, since the page was opened.
  for (const [status, message] of [
    [404, gone],
    [403, 'This invitation is for ada@site.example. Sign in with that address.'],
  ] as const) {
    const calls = answer(joinAccount, refused(status, message));
    await page.getByRole('button', { name: 'Join' }).click();
    await see(saying(message));
    expect(calls).toMatchObject([{ body: { token: 'x'.repeat(22) } }]);
  }
});

it('the form of an invitation says what is wrong with the address, and a list that cannot load offers a retry', async () => {
  answerNewAccount();
  answerTabs();
  answerSettings();
  answer(listMembers, broken);
  await openPage('/settings?tab=members', { as: person('both') });
  const retry = page.getByRole('button', { name: 'Try again' });
  await see(retry);
  answer(listMembers, []);
  await retry.click();
  await expect.element(retry).not.toBeInTheDocument();
  const email = page.getByLabelText('Email address');
  for (const [text, message] of [
    ['not an address', 'Invalid email address'],
    ['ann@site.example', 'This is the address of the account itself.'],
  ] as const) {
    answer(inviteMember, refused(400, message));
    await email.fill(text);
    await userEvent.keyboard('{Enter}');
    await see(page.getByText(message));
    await expect.element(email).toHaveAttribute('aria-invalid', 'true');
    await expect.element(email).toHaveValue(text);
  }
});
