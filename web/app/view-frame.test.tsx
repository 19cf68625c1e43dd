/** An operator who looks at an account: the bar, and what the pages say about changes. */
import { expect, it } from 'vitest';
import { page } from 'vitest/browser';
import { endView } from '#domain/accounts/view-contract.ts';
import { approveAd, getAdDetails } from '#domain/ads/contract.ts';
import { inviteMember, listMembers } from '#domain/accounts/members-contract.ts';
import { VIEWING } from '#domain/endpoint.ts';
import { getConsoleSession } from '#domain/operator/console/session-contract.ts';
import { listDocuments } from '#domain/payments/document-contract.ts';
import { answerSettings, answerTabs } from '#web/testing/account.ts';
import { answer, refused } from '#web/testing/answers.ts';
import { press, saying, see, seeToast } from '#web/testing/look.ts';
import { makeAd, makeSubmission } from '#web/testing/market.ts';
import { answerNewAccount } from '#web/testing/new-account.ts';
import { person } from '#web/testing/people.ts';
import { answerSellerDashboard } from '#web/testing/screens.ts';
import { closeScreen, openPage } from '#web/testing/screen.tsx';

const WHY_NOT = 'You look at this account as its operator and can’t change anything.';

const pat = () =>
  person('both', {
    firstName: 'Pat',
    lastName: 'Miller',
    view: { until: new Date(Date.now() + 15 * 60 * 1000).toISOString() },
  });
const bar = page.getByRole('region', { name: 'Whose account you look at' });
const stop = bar.getByRole('button', { name: 'Stop' });

// Proves OPER-200
it('a bar above every page names the account, the end, and leads back', async () => {
  for (const as of [
    pat(),
    { ...pat(), suspendedReason: 'Spam' },
    { ...pat(), hasCompletedOnboarding: false },
  ]) {
    answerNewAccount();
    answerTabs();
    answerSettings();
    answer(listDocuments, []);
    await openPage('/nope', { as });
    await see(saying('You look at the account of Pat Miller. You can’t change anything. Ends at', bar));
    expect(page.getByRole('dialog').elements()).toEqual([]);
    const calls = answer(endView, refused(500, 'Not now'));
    await stop.click();
    await seeToast('Not Stopped');
    expect(calls).toHaveLength(1);
    closeScreen();
  }
});

// Proves OPER-200
it('the console is closed meanwhile, and says so', async () => {
  answer(getConsoleSession, refused(403, 'Stop looking to use the console.', { code: VIEWING }));
  await openPage('/operator', { as: pat() });
  await see(page.getByRole('heading', { name: 'You look at an account' }));
  await see(stop);
});

// Proves OPER-200
it('buttons that change something say why they do not, and send nothing', async () => {
  answerNewAccount();
  answerSellerDashboard([makeSubmission()]);
  answer(getAdDetails, makeSubmission());
  const approvals = answer(approveAd, makeAd());
  await openPage('/dashboard', { as: pat() });
  await page.getByRole('button', { name: /Fresh coffee/ }).click();
  await press(page.getByRole('button', { name: 'Approve Ad' }));
  await seeToast(WHY_NOT);
  expect(approvals).toEqual([]);
  closeScreen();

  answerNewAccount();
  answerTabs();
  answerSettings();
  answer(listMembers, []);
  const invitations = answer(inviteMember, refused(500, 'x'));
  await openPage('/settings?tab=members', { as: pat() });
  await page.getByLabelText('Email address').fill('ada@site.example');
  const invite = page.getByRole('button', { name: 'Invite' });
  await expect.element(invite).toHaveAttribute('aria-disabled', 'true');
  await press(invite);
  await seeToast(WHY_NOT);
  expect(invitations).toEqual([]);
});
